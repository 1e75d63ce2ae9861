"""The curve of a training run: a row of recent results every so many steps, as CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Self

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from mars_logic.errors import InputError
from mars_logic.system.files import read_text, write_atomically
from mars_logic.world.mistakes import mistakes
from mars_logic.world.problems import dotted

if TYPE_CHECKING:
    from mars_logic.training.episode_log import Recent

_MOST: Final = 20_000_000
Count = Annotated[int, Field(ge=0, le=2**63 - 1, strict=True)]
Mean = Annotated[float, Field(allow_inf_nan=False, strict=True)]


@dataclass(frozen=True)
class Point:
    """A row of the curve: means of the last episodes that had ended.

    Attributes:
        steps: Steps in all environments together.
        ended: Episodes that had ended.
        reward: Crafter's reward of an episode.
        trained: The reward of an episode that is trained for.
        score: The score in percent.
        unlocked: The number of achievements of an episode.
        length: Steps of an episode.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    steps: Count
    ended: Count
    reward: Mean
    trained: Mean
    score: Mean
    unlocked: Mean
    length: Mean

    @classmethod
    def of(cls, steps: int, ended: int, recent: Recent) -> Self:
        """The row for recent results."""
        about = recent.reward, recent.trained, recent.score, recent.unlocked, recent.length
        return cls(steps, ended, *about)


COLUMNS: Final = tuple(each.name for each in fields(Point))


def write(path: Path, points: list[Point]) -> None:
    """Write a curve, whole or not at all; numbers keep all their digits.

    Raises:
        OSError: It cannot be written; what was there before is untouched.
    """
    stream = io.StringIO()
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(COLUMNS)
    table.writerows([getattr(point, name) for name in COLUMNS] for point in points)
    write_atomically(path, stream.getvalue())


def read(path: Path) -> list[Point]:
    """Read a curve.

    Raises:
        InputError: It is missing, or a row is wrong or does not follow the one before.
    """
    lines = read_text(path, "the curve of a training run", _MOST).split("\n")
    found: list[Point] = []
    for number, line in enumerate(lines, 1):
        if not line or (number == 1 and line == ",".join(COLUMNS)):
            continue
        point = _point(line, f"{path}:{number}")
        if found and point.steps <= found[-1].steps:
            told = f"steps: {point.steps} do not follow {found[-1].steps}"
            raise InputError(f"{path}:{number}: {told}; allowed: more than in the row before")
        found.append(point)
    return found


def _point(line: str, place: str) -> Point:
    values = line.split(",")  # no value is quoted
    if len(values) != len(COLUMNS):
        told = f"row: {line[:60]!r}"
        raise InputError(f"{place}: {told}; allowed: {', '.join(COLUMNS)}")
    try:
        return TypeAdapter(Point).validate_strings(dict(zip(COLUMNS, values, strict=True)))
    except ValidationError as error:
        wrong = mistakes(error)[0]
        right = wrong.allowed or "a finite number"
        raise InputError(
            f"{place}: {dotted(wrong.place)}: {wrong.message}; allowed: {right}"
        ) from None
