"""The published results of RULEARN: of its paper, and of its repository."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mars_logic.system.resources import values_at

FAMILIES = ("function_operator", "escape_room", "reactor")


@dataclass(frozen=True)
class PublishedRow:
    """How a player did.

    Attributes:
        source: ``paper`` (its first version), ``csv`` (tables of the repository), or those with a
            right 12th code counted as a solution.
        player: A language model, or people.
        mode: ``baseline``, ``idea`` or ``told``.
        solved: By family the solved episodes.
        episodes: By family all episodes.
        steps: By family the mean steps of solved episodes, where published.
    """

    source: str
    player: str
    mode: str
    solved: Mapping[str, int]
    episodes: Mapping[str, int]
    steps: Mapping[str, float]


@dataclass(frozen=True)
class PublishedPuzzles:
    """All that was published.

    Attributes:
        note: Where the numbers are from.
        rows: Players.
        groups: By player the percentage that was solved: by reactor rule (1 to 4), by five groups
            of function operators, by layout of escape rooms (one room, three rooms).
        repeated: By player the mean number of repeated actions in an episode.
    """

    note: str
    rows: tuple[PublishedRow, ...]
    groups: Mapping[str, Mapping[str, tuple[float, ...]]]
    repeated: Mapping[str, float]


@cache
def published_puzzles() -> PublishedPuzzles:
    """The numbers."""
    held = values_at(Path(__file__).with_name("published.json"))
    groups = {
        player: {family: tuple(shares) for family, shares in found.items()}
        for player, found in held["groups"].items()
    }
    rows = tuple(PublishedRow(**row) for row in held["rows"])
    return PublishedPuzzles(held["note"], rows, groups, held["repeated"])
