"""The curve of a training run: a row of recent results every so many steps, as CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

from mars_logic.errors import InputError
from mars_logic.files import read_text, write_atomically
from mars_logic.training.episode_log import Recent

_MOST = 200_000_000


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

    steps: int
    ended: int
    reward: float
    trained: float
    score: float
    unlocked: float
    length: float

    @classmethod
    def of(cls, steps: int, ended: int, recent: Recent) -> Self:
        """The row for recent results."""
        about = recent.reward, recent.trained, recent.score, recent.unlocked, recent.length
        return cls(steps, ended, *about)


_NAMES = tuple(each.name for each in fields(Point))


def write(path: Path, points: list[Point]) -> None:
    """Write a curve, whole or not at all; numbers keep all their digits."""
    stream = io.StringIO()
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(_NAMES)
    table.writerows([getattr(point, name) for name in _NAMES] for point in points)
    write_atomically(path, stream.getvalue())


def read(path: Path) -> list[Point]:
    """Read a curve.

    Raises:
        InputError: It is missing, or a row is wrong.
    """
    text = read_text(path, "the curve of a training run", _MOST)
    found = []
    for line, row in enumerate(csv.reader(io.StringIO(text)), 1):
        if line == 1 and tuple(row) == _NAMES:
            continue
        try:
            steps, ended, *rest = row
            found.append(Point(int(steps), int(ended), *map(float, rest)))
        except (ValueError, TypeError):
            raise InputError(
                f"{path}:{line}: row: {','.join(row)[:60]!r}; allowed: {', '.join(_NAMES)}"
            ) from None
    return found
