"""Finds a world by name or path and loads it, with the worlds it is based on."""

from __future__ import annotations

import os
import warnings
from functools import cache
from pathlib import Path
from typing import Any

from mars_logic.system import resources
from mars_logic.system.file_names import name_as_text, named_beside, path_named
from mars_logic.world import crafter_data, released
from mars_logic.world.adds import NOTHING, vocabulary_with
from mars_logic.world.adds_section import adds_of
from mars_logic.world.constants import constants_of
from mars_logic.world.fields import nearest
from mars_logic.world.goals import goals_of
from mars_logic.world.map_section import length_of, map_of
from mars_logic.world.maps import GENERATED
from mars_logic.world.problems import (
    Document,
    NotAWorldError,
    Problem,
    WorldError,
    WorldWarning,
)
from mars_logic.world.rules import Rule
from mars_logic.world.source import parse, read
from mars_logic.world.theory import Theory, World
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.usual import crafter_file, crafter_rules
from mars_logic.world.validate import dynamics_of, place_of, require_domain, rules_of

RELEASED_WORLDS = (
    "crafter",
    "default",
    "terrain",
    "survival",
    "task_dep",
    "terr_surv",
    "terr_task",
    "surv_task",
    "all_three",
)
"""Crafter and Mars's eight; the paper's variants of these are bundled as well."""

MAX_BASES = 50
"""Maximum length of a chain of base worlds."""


def load_world(name_or_path: str | Path) -> World:
    """Load a bundled world by name, or a world file by path.

    A path is anything that ends in ``.yaml`` or ``.yml``, holds a folder separator, or names an
    existing file. Files in the format released with Mars load too; each oddity in them
    gives a :class:`WorldWarning`.

    Args:
        name_or_path: For example ``"all_three"`` or ``"my/world.yaml"``.

    Returns:
        The world; its ``base`` is loaded too.

    Raises:
        WorldError: There is no such world, or its file is wrong or incomplete; see
            ``problems``.
    """
    return require_world(*_find(name_or_path))


def require_world(theory: Theory, document: Document) -> World:
    """Refuse a theory where a world is needed.

    Args:
        theory: What was loaded.
        document: The file that it was loaded from.

    Raises:
        WorldError: A field is open.
    """
    if isinstance(theory, World):
        return theory
    allowed = "a value (only a theory may leave fields open)"
    places = [
        place_of(type(theory[rule]), (*rule.split("."), field)) for rule, field in theory.uncertain
    ]
    message = "a world must be fully known"
    raise WorldError(*(document.problem(place, message, allowed) for place in places))


def load_world_beside(name: str, folder: Path) -> World:
    """Load the world that a file names: by a path from here or from the file's folder.

    Args:
        name: The name in the file: a bundled world, or a path.
        folder: The file's folder.

    Raises:
        WorldError: As :func:`load_world`.
    """
    return load_world(named_beside(name, folder))


def load_theory(name_or_path: str | Path) -> Theory:
    """Load a theory: as :func:`load_world`, but fields may be unknown or uncertain.

    Returns:
        The theory; a :class:`World` if nothing in it is uncertain.

    Raises:
        WorldError: There is no such file, or it is wrong; see ``problems``.
    """
    return _find(name_or_path)[0]


def theory_of(document: Document, path: Path) -> Theory:
    """As :func:`load_theory`, with what was read from the file at hand.

    Args:
        document: What was read.
        path: The file.

    Raises:
        WorldError: It is wrong; see ``problems``.
    """
    return _loaded(document, _resolved(path) or path, document.file, ())[0]


def _find(name_or_path: str | Path) -> tuple[Theory, Document]:
    text = str(name_or_path)
    if "\0" in text:
        raise WorldError(Problem(repr(text), 1, "file", "this is no file name", "a file name"))
    if text in _bundled_files():
        return _bundled(text), Document(text, {}, {(): 1})
    if is_path(name_or_path):
        path = path_named(name_or_path)
        told = "/" in text and not text.endswith((".yaml", ".yml"))
        if told and not os.path.lexists(path):
            allowed = "the name or file of a world"
            raise NotAWorldError(Problem(text, 1, "file", "there is no such file", allowed))
        return _load(path, text, ())
    known = all_bundled_worlds()
    message = f"there is no bundled world and no file of this name{nearest(text, known)}"
    raise NotAWorldError(Problem(text, 1, "world", message, ", ".join(known)))


def bundled_worlds() -> tuple[str, ...]:
    """The names of the bundled worlds in Crafter's vocabulary, which all layers know.

    Crafter, Mars's eight, then the paper's variants.
    """
    rest = sorted(set(_files_of(_CRAFTER_LIKE)) - set(RELEASED_WORLDS))
    return (*RELEASED_WORLDS, *rest)


def all_bundled_worlds() -> tuple[str, ...]:
    """The names of all bundled worlds, those in other vocabularies last."""
    return (*bundled_worlds(), *sorted(set(_bundled_files()) - set(bundled_worlds())))


_CRAFTER_LIKE = "mars"
"""Folder of the worlds in Crafter's vocabulary."""


@cache
def _bundled_files() -> dict[str, Path]:
    return _files_of(_CRAFTER_LIKE) | _files_of("conan")


@cache
def _files_of(folder: str) -> dict[str, Path]:
    files = sorted((resources.folder("worlds") / folder).glob("*.yaml"))
    return {path.stem: path.resolve() for path in files}


@cache
def _bundled(name: str) -> World:
    world, _ = _load(_bundled_files()[name], name, ())
    assert isinstance(world, World), f"the bundled world {name} leaves something open"
    return world


def is_path(name_or_path: str | Path) -> bool:
    """Whether this means a file rather than something bundled."""
    text = str(name_or_path)
    looks = text.endswith((".yaml", ".yml")) or "/" in text or "\\" in text
    return isinstance(name_or_path, Path) or looks or os.path.exists(path_named(text))  # noqa: PTH110 (never raises)


def _load(path: Path, file: str, within: tuple[Path, ...]) -> tuple[Theory, Document]:
    """Load a file; ``within`` holds the files whose base leads here."""
    path = _resolved(path) or path
    return _loaded(read(path, file), path, file, within)


def parse_theory(text: str, path: str | Path) -> Theory:
    """As :func:`load_theory`, with the text of the file at hand.

    Args:
        text: The theory in YAML.
        path: The file of the text: for messages, and for bases given by paths.

    Raises:
        WorldError: The file is wrong; see ``problems``.
    """
    return _loaded(parse(text, str(path)), Path(path), str(path), ())[0]


def _loaded(
    document: Document, path: Path, file: str, within: tuple[Path, ...]
) -> tuple[Theory, Document]:
    if crafter_data.is_crafter_data(document):
        return _load_crafter_data(document, path, file), document
    if released.is_released(document):
        return _load_released(document, path, file), document
    require_domain(document)
    base = _base(document, path, within)
    dynamics = dynamics_of(document, base)
    own = _own(document, path, base, dynamics)
    rules = (
        list(crafter_rules().rules())
        if path == crafter_file().resolve()
        else rules_of(
            document, base, dynamics, crafter_rules(), own["adds"], drawn=own["map"].is_drawn
        )
    )
    kind = Theory if any(rule.uncertain_fields for rule in rules) else World
    theory = kind.from_rules(
        dynamics,
        rules,
        name=document.data.get("name", name_as_text(path.stem)),
        title=document.data.get("title", ""),
        base=base,
        path=str(path),
        **own,
    )
    return theory, document


def _own(document: Document, path: Path, base: Theory | None, dynamics: str) -> dict[str, Any]:
    """What a document states or inherits besides rules, as ``RuleSet.from_rules`` takes it.

    A base of which nothing is known has it already.
    """
    inherits = base is not None and document.data["base"] != UNKNOWN.value
    adds = adds_of(document, dynamics, base.adds if base and inherits else NOTHING)
    length = length_of(document, dynamics, base.length if base and inherits else None)
    words = vocabulary_with(dynamics, adds, length)
    given = base.map if base and inherits else GENERATED
    found = map_of(document, words, given, path.parent)
    goals = goals_of(document, words, base.goals if base and inherits else (), found.drawings)
    constants = constants_of(
        document, vocabulary_with(dynamics), base.constants if base and inherits else ()
    )
    own = {"adds": adds, "length": length, "map": found}
    return {**own, "goals": goals, "constants": constants}


def _base(document: Document, path: Path, within: tuple[Path, ...]) -> Theory | None:
    if "base" not in document.data:
        return None
    stated = document.data["base"]
    names = ", ".join(all_bundled_worlds())
    allowed = f"a path relative to this file, unknown (nothing is known), or one of {names}"
    if not isinstance(stated, str):
        raise WorldError(document.problem(("base",), "this is not a name or a path", allowed))
    if stated == UNKNOWN.value:
        dynamics = dynamics_of(document, None)
        return Theory.unknown(dynamics, **_own(document, path, None, dynamics))
    if stated in _bundled_files():
        if _bundled_files()[stated] in (path, *within):
            raise WorldError(document.problem(("base",), "this world is its own base", allowed))
        return _bundled(stated)
    target = _resolved(path_named(path.parent / stated))
    if target is None or not os.path.isfile(target):  # noqa: PTH113 (never raises)
        hint = nearest(stated, all_bundled_worlds())
        message = f"there is no world '{stated}'{hint}"
        raise WorldError(document.problem(("base",), message, allowed))
    if target in (path, *within):
        raise WorldError(document.problem(("base",), "this world is its own base", allowed))
    if len(within) >= MAX_BASES:
        message = f"more than {MAX_BASES} bases, one upon the other"
        raise WorldError(document.problem(("base",), message, allowed))
    shown = os.path.join(os.path.dirname(document.file), stated)  # noqa: PTH118, PTH120 (text)
    return _load(target, shown, (path, *within))[0]


def _resolved(path: Path) -> Path | None:
    """The path without links; None where links lead in a circle or no path can be so named."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return None


def _load_crafter_data(document: Document, path: Path, file: str) -> World:
    """Load a file in the format of Crafter's rules file; its base becomes ``crafter``."""
    rewritten, told, problems = crafter_data.rewrite(document)
    base = _bundled("crafter")
    rules: list[Rule] = []
    try:
        rules = rules_of(rewritten, base, crafter_data.DIALECT, crafter_rules())
    except WorldError as error:
        problems += error.problems
    if problems:
        raise WorldError(*problems)
    for each in told:
        warnings.warn(each, WorldWarning, stacklevel=4)
    title = "read from a rules file of Crafter"
    name = name_as_text(path.stem)
    return World.from_rules(
        crafter_data.DIALECT, rules, name=name, title=title, base=base, path=file
    )


def _load_released(document: Document, path: Path, file: str) -> World:
    """Load a file of the released format, which is complete; its base becomes ``default``."""
    rewritten, oddities = released.rewrite(document)
    rules = rules_of(rewritten, None, "mars", None)
    open_fields = [
        rewritten.problem((rule.family, rule.subject, name), "a value is missing here", "a value")
        for rule in rules
        for name in rule.uncertain_fields
    ]
    if open_fields:  # the released format has no theories
        raise WorldError(*open_fields)
    for oddity in oddities:
        warnings.warn(oddity, WorldWarning, stacklevel=4)
    name = path.parent.name if path.stem == "world" and path.parent.name else path.stem
    title = "read from the format released with Mars"
    return World.from_rules(
        "mars", rules, name=name_as_text(name), title=title, base=_bundled("default"), path=file
    )
