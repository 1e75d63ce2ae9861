"""Readings of a game: which name has which role, and how each thing moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.messenger.rules import (
    MOTIONS,
    ROLES,
    Messenger,
    motion_combinations,
    slots,
)
from mars_logic.world.uncertain import Alternatives

_SMALLEST: Final = 0.001
"""Alternatives of a theory with a smaller weight are left out."""


@dataclass(frozen=True)
class Readings:
    """Readings with probabilities.

    Attributes:
        level: Of the game.
        names: The three names on the grid.
        roles: int64[r, 3]: for each reading, the places in ``names`` of enemy, message and goal.
        motions: int64[r, slots]: the codes of the motions.
        weights: float64[r]: probabilities, which sum to 1.
    """

    level: int
    names: tuple[str, ...]
    roles: NDArray[np.int64]
    motions: NDArray[np.int64]
    weights: NDArray[np.float64]

    @classmethod
    def all(cls, level: int, names: Sequence[str], motions: str = "any") -> Readings:
        """All readings of a level, each as likely as the others."""
        roles, codes = _tables(level, motions)
        return cls(level, tuple(names), roles, codes, np.full(len(roles), 1 / len(roles)))

    def weighted(self, weights: NDArray[np.float64]) -> Readings:
        """The same readings with other probabilities, scaled to sum to 1."""
        return Readings(self.level, self.names, self.roles, self.motions, weights / weights.sum())

    def role_weights(self) -> Mapping[tuple[str, ...], float]:
        """The probability of each assignment of names to roles, the most likely first."""
        found: dict[tuple[str, ...], float] = {}
        for places, weight in zip(self.roles.tolist(), self.weights.tolist(), strict=True):
            names = tuple(self.names[place] for place in places)
            found[names] = found.get(names, 0.0) + weight
        return dict(sorted(found.items(), key=lambda each: -each[1]))

    def role_table(self) -> NDArray[np.float64]:
        """float64[3, 3]: by name and role: the probability that the name has the role."""
        table = np.zeros((len(self.names), len(ROLES)))
        for role in range(len(ROLES)):
            np.add.at(table[:, role], self.roles[:, role], self.weights)
        return table

    def motion_table(self) -> NDArray[np.float64]:
        """float64[slots, 3]: the probability that the thing in a slot moves so."""
        table = np.zeros((len(slots(self.level)), 3))
        for slot in range(len(table)):
            np.add.at(table[slot], self.motions[:, slot], self.weights)
        return table

    def classes(self) -> NDArray[np.int64]:
        """int64[r]: equal for readings that no watching can tell apart.

        Watching shows how the things of each name move, and not which of two is the true one.
        """
        keys = np.zeros(len(self.roles), np.int64)
        for place in range(len(self.names)):
            kinds = np.zeros(len(self.roles), np.int64)
            for role in range(len(ROLES)):
                mine = self.roles[:, role] == place
                bits = 1 << self.motions[:, role]
                if self.level == 3 and role > 0:
                    bits = bits | (1 << self.motions[:, role + 2])
                kinds = np.where(mine, bits, kinds)
            keys = keys * 8 + kinds
        return keys

    def decided(self) -> Readings:
        """Of readings that no watching tells apart, the likeliest with the weight of all."""
        _, inverse = np.unique(self.classes(), return_inverse=True)
        totals = np.bincount(inverse, self.weights)
        order = np.argsort(-self.weights, kind="stable")
        kept = np.zeros(len(self.weights))
        _, first = np.unique(inverse[order], return_index=True)
        kept[order[first]] = totals
        return Readings(self.level, self.names, self.roles, self.motions, kept)


@cache
def _tables(level: int, motions: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    combinations = motion_combinations(level, motions)
    orders = [*permutations(range(len(ROLES)))]
    roles = np.array([order for order in orders for _ in combinations], np.int64)
    codes = np.array([each for _ in orders for each in combinations], np.int64)
    return roles, codes


def theory_of_readings(game: Messenger, readings: Readings) -> Messenger:
    """A theory with the weights of names by role, and of motions by slot.

    Args:
        game: The level that the manual is about.
        readings: What was made of the manual.
    """
    fields: dict[str, Any] = {"name": f"{game.name}, as read", "assignments": "all"}
    table = readings.role_table()
    for role, field in enumerate(ROLES):
        names = zip(readings.names, table[:, role].tolist(), strict=True)
        fields[field] = _field(names)
    if readings.level > 1:
        for slot, row in zip(slots(readings.level), readings.motion_table(), strict=True):
            fields[f"{slot}_motion"] = _field(zip(MOTIONS, row.tolist(), strict=True))
    return game.model_copy(update=fields)


def _field(options: Any) -> Any:
    kept = [(value, round(weight, 4)) for value, weight in options if weight >= _SMALLEST]
    return kept[0][0] if len(kept) == 1 else Alternatives.of(kept)
