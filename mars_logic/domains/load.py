"""Finds a game by name or path, and reads it with the lines of what is wrong."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from mars_logic.domains.game import Game, Open
from mars_logic.domains.library import (
    bundled_games,
    bundled_name,
    collected_games,
    game_files,
    game_sets,
    is_collected,
    names_a_game,
    require_variant,
    split_name,
    with_choices,
)
from mars_logic.domains.registry import domain, domain_names
from mars_logic.errors import InputError
from mars_logic.system.file_names import name_as_text, path_named
from mars_logic.world.fields import nearest, unknown
from mars_logic.world.load import all_bundled_worlds, is_path, load_theory, require_world, theory_of
from mars_logic.world.mistakes import Mistake, mistakes
from mars_logic.world.problems import Document, Problem, WorldError
from mars_logic.world.problems import Path as Place
from mars_logic.world.source import read
from mars_logic.world.theory import Theory, World
from mars_logic.world.validate import DOMAIN

G = TypeVar("G", bound=Game)


def load_game(name_or_path: str | Path) -> Game:
    """Load a bundled game by name, or a game from a file.

    Args:
        name_or_path: For example ``"BanditTwoArmedHighLowFixed"``, ``"rulearn/fo_r1_20"``,
            ``"rulearn/re_r1_06@hints=none"`` or ``"my/game.yaml"``.

    Raises:
        WorldError: There is no such game, its file is wrong, or it leaves a field open.
    """
    game, document, place = _load(name_or_path)
    require_known(game, document, place)
    return game


def load_game_theory(name_or_path: str | Path) -> Game:
    """As :func:`load_game`, but fields may be unknown or uncertain.

    Raises:
        WorldError: There is no such game, or its file is wrong.
    """
    return _load(name_or_path)[0]


def load_rules(name_or_path: str | Path) -> World | Game:
    """Load a survival world or a game of another domain, by name or from a file.

    Raises:
        WorldError: There is neither, its file is wrong, or it leaves a field open.
    """
    found, document, place = _load_any(name_or_path)
    if not isinstance(found, Game):
        return require_world(found, document)
    require_known(found, document, place)
    return found


def load_rules_theory(name_or_path: str | Path) -> Theory | Game:
    """As :func:`load_rules`, but fields may be unknown or uncertain.

    Raises:
        WorldError: There is neither, or its file is wrong.
    """
    return _load_any(name_or_path)[0]


def game_in(path: Path) -> Game | None:
    """The game that a file states; None if it states a world, or cannot be read.

    Raises:
        WorldError: It states a game, and that is wrong, or leaves a field open.
    """
    try:
        document = read(path, str(path))
    except WorldError:
        return None
    if document.data.get("domain", DOMAIN) == DOMAIN:
        return None
    game = game_of(document, name_as_text(path.stem))
    require_known(game, document)
    return game


def _load_any(name_or_path: str | Path) -> tuple[Theory | Game, Document, Place]:
    text = str(name_or_path)
    if isinstance(name_or_path, str) and names_a_game(text):
        return _load(text)
    if text in all_bundled_worlds() or "\0" in text:
        return load_theory(text), Document(text, {}, {(): 1}), ()
    if not is_path(name_or_path):
        names = (*all_bundled_worlds(), *bundled_games(), *game_sets())
        message = "there is no bundled world or game and no file of this name"
        raise WorldError(
            Problem(text, 1, "world", message + nearest(text, names), ", ".join(names))
        )
    path = path_named(text)
    document = read(path, text)
    if document.data.get("domain", DOMAIN) == DOMAIN:
        return theory_of(document, path), document, ()
    return game_of(document, name_as_text(path.stem)), document, ()


def _load(name_or_path: str | Path) -> tuple[Game, Document, Place]:
    text = str(name_or_path)
    if isinstance(name_or_path, Path):
        return _from_file(name_or_path, text)
    base, choices = split_name(text)
    if base in game_sets():
        raise _no_game(base, "this is a set of games", "the name of one of them")
    if choices and base in all_bundled_worlds():
        raise InputError(f"{text}: a world has no variants; allowed: {base}")
    base = bundled_name(base)
    if base in game_files():
        found = _from_file(game_files()[base], base)
    elif is_collected(base):
        found = _from_collection(base)
    elif base.endswith((".yaml", ".yml")) or os.path.exists(path_named(base)):  # noqa: PTH110 (never raises)
        found = _from_file(path_named(base), base)
    else:
        message = f"there is no such game{nearest(base, bundled_games())}"
        raise _no_game(base, message, ", ".join((*bundled_games(), *game_sets())))
    game, document, place = found
    return _variant(game, text, choices) if choices else game, document, place


def _from_file(path: Path, file: str) -> tuple[Game, Document, Place]:
    document = read(path, file)
    return game_of(document, name_as_text(path.stem)), document, ()


def _from_collection(name: str) -> tuple[Game, Document, Place]:
    if name not in collected_games():
        message = f"there is no such game{nearest(name, (*game_sets(), *collected_games()))}"
        raise _no_game(name, message, f"{', '.join(game_sets())}, one of their games, a file")
    found = collected_games()[name]
    stated = {"name": name, **found.stated}
    game = checked_game(found.document, domain(found.domain).kind, stated, found.place)
    return game, found.document, found.place


def _no_game(name: str, message: str, allowed: str) -> WorldError:
    return WorldError(Problem(repr(name)[1:-1], 1, "game", message, allowed))


def _variant(game: Game, name: str, choices: Mapping[str, str]) -> Game:
    """A game with other values in some of its fields.

    Raises:
        InputError: The domain offers no such choice.
    """
    variants = domain(game.domain).variants
    for key, value in choices.items():
        require_variant(name, variants, key, value)
    stated = game.model_dump(mode="json")
    return type(game).model_validate(
        {**stated, **choices, "name": with_choices(game.name, choices)}
    )


def _domains() -> tuple[str, ...]:
    """What a file may state as its domain, that of worlds included."""
    return (*domain_names(), DOMAIN)


def game_of(document: Document, name: str) -> Game:
    """The game, or theory, that a file states.

    Args:
        document: What was read.
        name: What it is called if it does not say.

    Raises:
        WorldError: It is wrong.
    """
    stated = {"name": name, **document.data}
    called = stated.pop("domain", None)
    if called is None:
        message = "this key is missing"
        raise WorldError(document.problem(("domain",), message, ", ".join(_domains())))
    if called not in domain_names():
        message = unknown("domain", called, _domains()).message()
        raise WorldError(document.problem(("domain",), message, ", ".join(_domains())))
    found: Game = checked_game(document, domain(called).kind, stated)
    return found


def checked_game(
    document: Document, kind: type[G], stated: Mapping[str, Any], place: Place = ()
) -> G:
    """A game of one kind from what a file, or a part of it, states.

    Args:
        document: What was read.
        kind: The class of the game.
        stated: The fields.
        place: Where they stand in the file.

    Raises:
        WorldError: One is wrong.
    """
    try:
        return kind.model_validate(stated)
    except ValidationError as error:
        raise WorldError(*_problems(document, kind, error, place)) from None


def require_known(game: Game, document: Document, place: Place = ()) -> None:
    """Refuse a theory where a game is needed.

    Raises:
        WorldError: A field is open.
    """
    if game.uncertain:
        allowed = "a value (only a theory may leave fields open)"
        places = [(*place, *_place(path)) for path in game.uncertain]
        message = "a game must be fully known"
        raise WorldError(*(document.problem(each, message, allowed) for each in places))


def _problems(
    document: Document, kind: type[Game], error: ValidationError, place: Place
) -> Iterator[Problem]:
    for found in mistakes(error):
        names = ", ".join(_names(kind, found.place[:-1]))
        yield document.problem((*place, *found.place), *_told(found, names))


def _told(found: Mistake, names: str) -> tuple[str, str]:
    if found.kind == "extra_forbidden":
        word = str(found.place[-1])
        return unknown("field", word, names.split(", ")).message(), names
    if found.kind == "missing":
        return found.message, f"the fields {names}"
    return found.message, found.allowed or f"the fields {names}"


def _names(kind: type[Open], place: Place) -> tuple[str, ...]:
    """The fields of the part of a game that lies at a place."""
    top = ("domain", *kind.model_fields) if issubclass(kind, Game) else tuple(kind.model_fields)
    if not place:
        return top
    fields = kind.model_fields.items()
    field = next((each for name, each in fields if place[0] in (name, each.alias)), None)
    part = _part(field.annotation) if field else None
    below = tuple(itertools.dropwhile(lambda each: isinstance(each, int), place[1:]))
    return _names(part, below) if part else top


def _part(annotation: Any) -> type[Open] | None:
    """The class of the parts that a field holds, be they in lists; None if it holds none."""
    if isinstance(annotation, type) and issubclass(annotation, Open):
        return annotation
    found = (_part(each) for each in getattr(annotation, "__args__", ()))
    return next((each for each in found if each), None)


def _place(path: str) -> Place:
    """A path as ``Game.uncertain`` has it, as a document's lines are found by."""
    parts = path.replace("[", ".").replace("]", "").split(".")
    return tuple(int(part) if part.isdigit() else part for part in parts)
