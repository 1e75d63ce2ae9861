"""Problems of a world file, one line each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mars_logic.errors import InputError
from mars_logic.system.printable import MOST, in_one_line

Path = tuple[str | int, ...]
"""Where a value stands in a file: keys and list positions from the top."""


@dataclass(frozen=True)
class Problem:
    """One mistake: its place, its description and the allowed values."""

    file: str
    line: int
    field: str
    message: str
    allowed: str

    def __str__(self) -> str:
        text = f"{self.file}:{self.line}: {_cut(self.field)}: {_cut(self.message)}"
        return in_one_line(f"{text}; allowed: {self.allowed}")


class WorldError(InputError):
    """A world cannot be loaded; ``problems`` holds each mistake, in the order of lines."""

    def __init__(self, *problems: Problem) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: problem.line))
        super().__init__("\n".join(map(str, self.problems)))


class NotAWorldError(WorldError):
    """What is named is no world, but may be something else.

    Attributes:
        problem: The same.
        domain: The domain that its file states; None if there is no file.
    """

    def __init__(self, problem: Problem, domain: str | None = None) -> None:
        self.problem, self.domain = problem, domain
        super().__init__(problem)


class WorldWarning(UserWarning):
    """A world file has an oddity that does not prevent loading."""


@dataclass
class Document:
    """The content of a YAML file, with the line of every value.

    Attributes:
        file: The file's name as the user gave it.
        data: The content: a mapping with text keys, of mappings, lists and plain values.
        lines: The line (from 1) on which the value at a path begins.
        source: For data rewritten from another format: the path in the file of a path in ``data``.
    """

    file: str
    data: dict[str, Any]
    lines: Mapping[Path, int]
    source: dict[Path, Path] = field(default_factory=dict)

    def problem(self, path: Path, message: str, allowed: str) -> Problem:
        """A problem with the value at this path, or with its absence."""
        place = self._source_of(path)
        line = next(
            self.lines[place[:size]]
            for size in range(len(place), -1, -1)
            if place[:size] in self.lines
        )
        return Problem(self.file, line, dotted(place) or "file", message, allowed)

    def _source_of(self, path: Path) -> Path:
        for size in range(len(path), 0, -1):
            if path[:size] in self.source:
                return self.source[path[:size]] + path[size:]
        return path


def _cut(text: str) -> str:
    return text if len(text) <= MOST else f"{text[:MOST]}..."


def dotted(path: Path) -> str:
    """A path as text, for example ``place.table.where[1]``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.removeprefix(".")
