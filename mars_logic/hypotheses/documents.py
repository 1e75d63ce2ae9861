"""Files of hypothesised rules: theories in YAML, programs for clingo, and sentences.

A file holds one of them, by its ending; a Markdown file may hold all three: list items are
sentences, fenced blocks of ``yaml`` and of ``lp`` are theories and programs.

A sentence tells a part of a rule: what it does not mention is open. The sentences of a file that
says so, as a player's manual does, tell whole rules: see :data:`WHOLE_RULES`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.files import read_text
from mars_logic.hypotheses.constraints import Program, read_program
from mars_logic.world.load import bundled_worlds, load_theory, parse_theory
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.words import WHOLE_RULES, ParseError, parse, parse_part

MAX_BYTES: Final = 1_000_000
_YAML: Final = (".yaml", ".yml")
_TEXT: Final = (".txt",)
_MARKDOWN: Final = (".md", ".markdown")
_PROGRAMS: Final = (".lp",)
_ENDINGS: Final = (*_YAML, *_PROGRAMS, *_TEXT, *_MARKDOWN)
_ALLOWED: Final = f"a bundled world, a folder, or a file that ends in {', '.join(_ENDINGS)}"
_ITEM: Final = re.compile(r"\s*(?:[-*+\u2022]|[0-9]+[.)])\s+(.*)")
_WHOLE: Final = re.compile(rf"[^\w#]*{WHOLE_RULES.partition(':')[0]}\b", re.IGNORECASE)
_FENCE: Final = re.compile(r"\s*(?:```|~~~)\s*(\w*)")


@dataclass(frozen=True)
class Statement:
    """A sentence that tells a rule, or part of one.

    Attributes:
        text: The sentence.
        source: File and line.
        rule: What it says; what it does not say is unknown, unless it tells a whole rule.
    """

    text: str
    source: str
    rule: Rule


@dataclass(frozen=True)
class Unreadable:
    """A line that should hold a sentence, and tells no rule.

    Attributes:
        file: Where it is.
        line: Its number, from 1.
        text: The line, or the item of a list.
        problem: What cannot be read.
        nearest: A sentence of the form that comes nearest.
    """

    file: str
    line: int
    text: str
    problem: str
    nearest: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: sentence"
        return f"{where}: {self.problem}; the nearest form: {self.nearest}"

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Stated:
    """A theory as a whole, and where it is from."""

    theory: Theory
    source: str


Hypothesis = Stated | Program | tuple[Statement, ...] | Unreadable
"""Rules in one of three forms, of which sentences of a file belong together; or a line that is none
of them."""


def read_rules(paths: Iterable[str | Path]) -> list[Hypothesis]:
    """Read hypothesised rules.

    A sentence that cannot be read is among what is found, and does not keep others from being read.

    Args:
        paths: Bundled worlds, files, and folders of files.

    Raises:
        InputError: Something is missing, there is no rule in a file, or a theory or a program is
            wrong.
    """
    return [found for path in paths for file in _files(path) for found in _read(file)]


def _files(path: str | Path) -> list[str]:
    folder = Path(path)
    if str(path) in bundled_worlds() or not folder.is_dir():
        return [str(path)]
    found = sorted(str(each) for each in folder.iterdir() if each.suffix in _ENDINGS)
    if not found:
        raise InputError(
            f"{path}:1: folder: there are no rules; allowed: files in it that end in "
            f"{', '.join(_ENDINGS)}"
        )
    return found


def _read(file: str) -> Iterator[Hypothesis]:
    ending = Path(file).suffix
    if file in bundled_worlds() or ending in _YAML or ending not in _ENDINGS:
        yield Stated(_theory_or_refusal(file, ending), file)
    elif ending in _PROGRAMS:
        yield read_program(_text(file), file)
    elif ending in _TEXT:
        lines = _text(file).splitlines()
        yield from _sentences(enumerate(lines, 1), file, whole=_tells_whole_rules(lines))
    else:
        yield from _parts(_text(file), file)


def _theory_or_refusal(file: str, ending: str) -> Theory:
    if file not in bundled_worlds() and ending not in _YAML and Path(file).exists():
        raise InputError(f"{file}:1: file: this is no file of rules; allowed: {_ALLOWED}")
    return load_theory(file)


def _text(file: str) -> str:
    return read_text(Path(file), _ALLOWED, MAX_BYTES)


def _tells_whole_rules(lines: Iterable[str]) -> bool:
    return any(_WHOLE.match(line) for line in lines)


def _sentences(
    lines: Iterable[tuple[int, str]], file: str, *, whole: bool
) -> Iterator[tuple[Statement, ...] | Unreadable]:
    """The sentences on some lines; empty ones, and those that begin with ``#``, say nothing."""
    read = parse if whole else parse_part
    statements: list[Statement] = []
    unreadable: list[Unreadable] = []
    for number, line in lines:
        text = line.strip()
        if not text or text.startswith("#") or _WHOLE.match(text):
            continue
        if item := _ITEM.match(text):
            text = item[1]
        try:
            rule = read(text)
        except ParseError as error:
            unreadable.append(Unreadable(file, number, text, error.problem, error.nearest))
        else:
            statements.append(Statement(text, f"{file}:{number}", rule))
    if not statements and not unreadable:
        raise InputError(f"{file}:1: file: there is no sentence; allowed: one a line")
    if statements:
        yield tuple(statements)
    yield from unreadable


def _parts(text: str, file: str) -> Iterator[Hypothesis]:
    """The rules in a Markdown file."""
    items: list[tuple[int, str]] = []
    blocks: list[Hypothesis] = []
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if fence := _FENCE.match(line):
            begin = number
            while number < len(lines) and not _FENCE.match(lines[number]):
                number += 1
            if read := _BLOCKS.get(fence[1].lower()):
                # Empty lines in front of it keep the numbers of lines.
                blocks.append(read("\n" * begin + "\n".join(lines[begin:number]), file))
            number += 1
        elif item := _ITEM.match(line):
            begin = number
            while number < len(lines) and _continues(lines[number]):
                number += 1
            more = (each.strip() for each in lines[begin:number])
            items.append((begin, " ".join((item[1], *more))))
    if items:
        yield from _sentences(items, file, whole=_tells_whole_rules(lines))
    yield from blocks
    if not items and not blocks:
        allowed = "list items with sentences, and blocks of yaml or lp"
        raise InputError(f"{file}:1: file: there are no rules; allowed: {allowed}")


def _continues(line: str) -> bool:
    """Whether a line belongs to the list item before it."""
    return (
        line.startswith("  ")
        and bool(line.strip())
        and not (_ITEM.match(line) or _FENCE.match(line))
    )


def _block_of_yaml(text: str, file: str) -> Stated:
    return Stated(parse_theory(text, file), file)


_BLOCKS: Final[dict[str, Callable[[str, str], Hypothesis]]] = {
    **dict.fromkeys(("yaml", "yml"), _block_of_yaml),
    **dict.fromkeys(("lp", "asp", "clingo", "prolog"), read_program),
}
