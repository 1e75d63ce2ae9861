"""What a text says: its mistakes at their lines, or a theory with its manual."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from mars_logic.errors import InputError
from mars_logic.world.load import parse_theory
from mars_logic.world.problems import Problem, WorldError, WorldWarning
from mars_logic.world.source import MAX_BYTES
from mars_logic.world.theory import Theory, World
from mars_logic.world.vocabulary import Vocabulary, vocabulary
from mars_logic.world.words.manual import manual

Kind = Literal["heading", "part", "item", "text"]
_KINDS: Final[dict[str, Kind]] = {"#": "heading", "##": "heading", "###": "part", "-": "item"}
_SENTENCES: Final = re.compile(r"(?<=\.) (?=[A-Z])")
_USUAL: Final = vocabulary("mars")
_BASE: Final = re.compile(r"^base\s*:", re.MULTILINE)


@dataclass(frozen=True)
class TextMistake:
    """A mistake in a text.

    Attributes:
        line: Its line in the text, from 1.
        told: What ``validate`` prints of it, without the name of the file.
        short: What is wrong, without what is allowed.
    """

    line: int
    told: str
    short: str


@dataclass(frozen=True)
class ManualLine:
    """A heading, an item of a list, or a sentence of a paragraph in the manual.

    Attributes:
        kind: Which of them.
        text: Its words.
        changed: Whether the manual of the base has no such sentence.
    """

    kind: Kind
    text: str
    changed: bool = False


@dataclass(frozen=True)
class TextReading:
    """What a text says.

    Attributes:
        mistakes: Its mistakes, by lines; the rest is empty if there are any.
        warnings: Oddities that do not prevent loading.
        name: The world's name.
        digest: The world's digest.
        manual: The player's manual.
        words: The names of the world; those of the default dialect where it is none.
        open: The fields that it leaves open, as ``collect.tree.yields``: it is a theory then.
    """

    mistakes: tuple[TextMistake, ...] = ()
    warnings: tuple[str, ...] = ()
    name: str = ""
    digest: str = ""
    manual: tuple[ManualLine, ...] = ()
    words: Vocabulary = _USUAL
    open: tuple[str, ...] = ()

    @property
    def is_world(self) -> bool:
        """Whether it is a world, of which all else can be told."""
        return not self.mistakes and not self.open


def read(text: str, path: Path) -> TextReading:
    """Read a text.

    Args:
        text: The text, as in a world file.
        path: Its file: for bases and drawings that it names.
    """
    try:
        theory, told = theory_of(text, path)
    except WorldError as error:
        return TextReading(tuple(_mistake(each, text, path) for each in error.problems))
    except InputError as error:
        return TextReading((TextMistake(1, str(error), str(error)),))
    return TextReading(
        warnings=told,
        name=theory.name,
        digest=theory.digest,
        manual=manual_lines(theory),
        words=theory.vocabulary,
        open=tuple(f"{rule}.{field}" for rule, field in theory.uncertain),
    )


@lru_cache(maxsize=2)
def theory_of(text: str, path: Path) -> tuple[Theory, tuple[str, ...]]:
    """The theory that a text states, and warnings about it.

    Raises:
        WorldError: The text is wrong.
        InputError: It is too long.
    """
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise InputError(f"the text is too long; allowed: at most {MAX_BYTES:,} bytes")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", WorldWarning)
        theory = parse_theory(text, path)
    return theory, tuple(str(each.message) for each in caught)


def world_of(text: str, path: Path) -> World:
    """The world that a text states.

    Raises:
        InputError: The text is wrong, or leaves something open.
    """
    theory, _ = theory_of(text, path)
    if isinstance(theory, World):
        return theory
    open_fields = ", ".join(f"{rule}.{field}" for rule, field in theory.uncertain[:3])
    raise InputError(f"this is a theory: {open_fields} and others are open; allowed: a world")


def _mistake(problem: Problem, text: str, path: Path) -> TextMistake:
    """A mistake at its line; one in the file of a base, where the base is named."""
    short = f"{problem.field}: {problem.message}"
    told = str(problem).removeprefix(f"{path}:{problem.line}: ")
    if problem.file == str(path):
        return TextMistake(min(problem.line, 1 + text.count("\n")), told, short)
    found = _BASE.search(text)
    line = 1 + text.count("\n", 0, found.start()) if found else 1
    return TextMistake(line, told, f"{Path(problem.file).name}:{problem.line}: {short}")


def manual_lines(theory: Theory) -> tuple[ManualLine, ...]:
    """The player's manual, sentence by sentence; those that the base's has not are marked."""
    lines = _sentences(theory)
    if theory.base is None:
        return tuple(ManualLine(*line) for line in lines)
    former = set(_sentences(theory.base))
    return tuple(
        ManualLine(kind, text, kind in ("item", "text") and (kind, text) not in former)
        for kind, text in lines
    )


@lru_cache(maxsize=4)
def _sentences(theory: Theory) -> tuple[tuple[Kind, str], ...]:
    found: list[tuple[Kind, str]] = []
    for block in manual(theory).strip().split("\n\n"):
        if block.startswith("- "):
            found += [("item", " ".join(item.split())) for item in block[2:].split("\n- ")]
            continue
        sign, _, rest = block.partition(" ")
        kind = _KINDS.get(sign, "text")
        words = " ".join((block if kind == "text" else rest).split())
        parts = _SENTENCES.split(words) if kind == "text" else [words]
        found += [(kind, part) for part in parts]
    return tuple(found)
