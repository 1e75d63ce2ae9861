"""An exact filter over where the one or two things of a name are, in half cells, and how they move.

Given where the agent was, all things move independently of one another. While the game goes on and
a thing stays, it has not touched the agent, whatever its role. So for each name a filter can be
kept that knows nothing of roles; only the message's disappearing depends on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.domains.messenger.kernels import count, inside, options, step_x, step_y
from mars_logic.domains.messenger.rules import IMMOVABLE
from mars_logic.domains.messenger.views import WORDS, Cell

Rows = NDArray[np.int64]
Weights = NDArray[np.float64]
Flags = NDArray[np.bool_]
_GONE: Final = -1
"""The half cell of something that is not on the grid."""
_SIDE: Final = 20
"""Half cells each way, and one for what is not on the grid."""
_FAR: Final = 10**6
"""Farther away than anything on the grid, in a list of the nearest things."""
MOTION_1, MOTION_2, X_1, Y_1, X_2, Y_2 = range(6)


@dataclass(frozen=True)
class Listed:
    """What a text lists of a name.

    Attributes:
        steps: The distance of the nearest thing; None if the name is not listed.
        direction: Where it is, as a place in ``WORDS``.
    """

    steps: int | None
    direction: int = 0


Shown = tuple[Cell, ...] | Listed
"""What is seen of a name: the cells of its things, or what a text lists."""


@dataclass(frozen=True)
class Track:
    """What is known of the things of one name, but for their roles.

    Attributes:
        rows: int64[k, 6]: motion of the first and second thing, their half cells x, y, x, y. What
            was never there or has gone has half cells -1.
        weights: float64[k]: probabilities, which sum to 1; empty if nothing agrees with what was
            seen.
        log_evidence: The logarithm of the probability of what was seen so far.
    """

    rows: Rows
    weights: NDArray[np.float64]
    log_evidence: float = 0.0

    @classmethod
    def start(cls, cells: Sequence[Cell], *, moving: bool) -> Track:
        """What is known when an episode begins: the half cells, and nothing of motions.

        Args:
            cells: Where the one or two things of a name start. Two move in different ways.
            moving: Whether things move in this level.
        """
        first = (2 * cells[0][0], 2 * cells[0][1])
        kinds = range(3) if moving else (IMMOVABLE,)
        if len(cells) == 1:
            rows = [(m, IMMOVABLE, *first, _GONE, _GONE) for m in kinds]
        else:
            second = (2 * cells[1][0], 2 * cells[1][1])
            rows = [(one, other, *first, *second) for one, other in permutations(kinds, 2)]
        table = np.array(rows, np.int64)
        return cls(table, np.full(len(table), 1 / len(table)))

    def moved(self, agent: Cell) -> Track:
        """After a tick of the movers, given the agent's half cell before it."""
        if not len(self.rows):
            return self
        rows, weights = _branches(self.rows, self.weights, agent[0], agent[1])
        return Track(*_merged(rows, weights), self.log_evidence)

    def observed(self, shown: Shown, agent: Cell) -> Track:
        """Given what is seen, that the game goes on, and the agent's half cell."""
        touching = self._touching(agent, 0) | self._touching(agent, 1)
        return self._kept(self._consistent(shown, agent) & ~touching)

    def picked(self, shown: Shown, agent: Cell) -> Track:
        """As :meth:`observed`, where the message of this name was just picked up."""
        parts = []
        for taken in (0, 1):
            rest = self._without(taken)
            here = self._touching(agent, taken) & ~self._touching(agent, 1 - taken)
            here &= rest._consistent(shown, agent)
            parts.append((rest.rows[here], self.weights[here]))
        rows = np.concatenate([part for part, _ in parts])
        weights = np.concatenate([part for _, part in parts])
        return _normalised(rows, weights, self.log_evidence)

    def evidence(self, motion: int) -> float:
        """The probability that the one thing of this name moves so, times that of what was seen."""
        return float(self.weights[self.rows[:, MOTION_1] == motion].sum())

    def evidence_of_twins(self) -> Weights:
        """float64[3, 3]: as :meth:`evidence`, by the motions of the true thing and of the decoy."""
        first, second = self._true_weights()
        one, two = self.rows[:, MOTION_1], self.rows[:, MOTION_2]
        counts = np.bincount(one * 3 + two, first, 9) + np.bincount(two * 3 + one, second, 9)
        return np.asarray(counts.reshape(3, 3))

    def twin_weights(self, true: int, decoy: int) -> tuple[Weights, Weights]:
        """The weights of rows in which the true thing and its decoy move so.

        Returns:
            float64[k] twice: where the first thing is the true one, and where the second is.
        """
        first, second = self._true_weights()
        one, two = self.rows[:, MOTION_1], self.rows[:, MOTION_2]
        return first * ((one == true) & (two == decoy)), second * ((two == true) & (one == decoy))

    def _true_weights(self) -> tuple[Weights, Weights]:
        """The weights of rows where the first thing is the true one, and where the second is.

        Both are as likely, but what was picked up is the true one.
        """
        gone = self.rows[:, X_1] == _GONE, self.rows[:, X_2] == _GONE
        first = np.where(gone[1], 0.0, np.where(gone[0], 1.0, 0.5))
        second = np.where(gone[0], 0.0, np.where(gone[1], 1.0, 0.5))
        return self.weights * first, self.weights * second

    def _kept(self, here: Flags) -> Track:
        return _normalised(self.rows[here], self.weights[here], self.log_evidence)

    def _without(self, thing: int) -> Track:
        rows = self.rows.copy()
        rows[:, [X_1 + 2 * thing, Y_1 + 2 * thing]] = _GONE
        rows[:, MOTION_1 + thing] = self.rows[:, MOTION_1 + thing]
        return Track(rows, self.weights)

    def _touching(self, agent: Cell, thing: int) -> Flags:
        x, y = self.rows[:, X_1 + 2 * thing], self.rows[:, Y_1 + 2 * thing]
        near: Flags = (np.abs(x - agent[0]) <= 1) & (np.abs(y - agent[1]) <= 1) & (x != _GONE)
        return near

    def _consistent(self, shown: Shown, agent: Cell) -> Flags:
        if isinstance(shown, Listed):
            return self._listed(shown, agent)
        cells = self.rows[:, X_1:] // 2  # what is gone is at -1
        places = [(-1, -1)] * (2 - len(shown)) + list(shown)
        one = (cells == np.array([*places[0], *places[1]])).all(1)
        other = (cells == np.array([*places[1], *places[0]])).all(1)
        found: Flags = one | other
        return found

    def _listed(self, shown: Listed, agent: Cell) -> Flags:
        keys, directions = [], []
        for at in (X_1, X_2):
            x, y = self.rows[:, at] // 2, self.rows[:, at + 1] // 2
            dx, dy = x - agent[0] // 2, y - agent[1] // 2
            gone = self.rows[:, at] == _GONE
            keys.append(np.where(gone, _FAR, ((np.abs(dx) + np.abs(dy)) * 100 + y) * 100 + x))
            directions.append(_DIRECTIONS[np.sign(dy) + 1, np.sign(dx) + 1])
        first = keys[0] <= keys[1]
        key = np.where(first, *keys)
        if shown.steps is None:
            return np.asarray(key == _FAR, np.bool_)
        steps = key // 10_000
        where = np.where(first, *directions)
        return np.asarray((steps == shown.steps) & (where == shown.direction), np.bool_)


_DIRECTIONS: Final = np.array(
    [
        [WORDS.index(word) for word in row]
        for row in (
            ("north-west", "north", "north-east"),
            ("west", "", "east"),
            ("south-west", "south", "south-east"),
        )
    ]
)


def _normalised(rows: Rows, weights: NDArray[np.float64], before: float) -> Track:
    total = float(weights.sum())
    if total <= 0:
        return Track(rows[:0], weights[:0], -np.inf)
    return Track(rows, weights / total, before + float(np.log(total)))


def _merged(rows: Rows, weights: NDArray[np.float64]) -> tuple[Rows, NDArray[np.float64]]:
    """The same distribution with equal rows put together."""
    keys = rows[:, MOTION_1] * 3 + rows[:, MOTION_2]
    for column in (X_1, Y_1, X_2, Y_2):
        keys = keys * _SIDE + rows[:, column] + 1
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], np.bincount(inverse, weights).astype(np.float64)


@kernel
def _moves(rows: Rows, i: int, at: int, motion: int, agent_x: int, agent_y: int) -> int:
    """The directions a thing of a row may take, as bits; bit 4 alone if it stays."""
    if rows[i, at] < 0 or motion == IMMOVABLE:
        return 16
    return options(agent_x, agent_y, rows[i, at], rows[i, at + 1], motion)


@kernel
def _branches(
    rows: Rows, weights: NDArray[np.float64], agent_x: int, agent_y: int
) -> tuple[Rows, NDArray[np.float64]]:
    found = np.empty((16 * len(rows), 6), np.int64)
    shares = np.empty(16 * len(rows))
    n = 0
    for i in range(len(rows)):
        one = _moves(rows, i, 2, rows[i, 0], agent_x, agent_y)
        two = _moves(rows, i, 4, rows[i, 1], agent_x, agent_y)
        share = weights[i] / (max(1, count(one)) * max(1, count(two)))
        for first in range(5):
            if not (one >> first) & 1:
                continue
            for second in range(5):
                if not (two >> second) & 1:
                    continue
                found[n] = rows[i]
                if first < 4:
                    found[n, 2] = inside(rows[i, 2], step_x(first))
                    found[n, 3] = inside(rows[i, 3], step_y(first))
                if second < 4:
                    found[n, 4] = inside(rows[i, 4], step_x(second))
                    found[n, 5] = inside(rows[i, 5], step_y(second))
                shares[n] = share
                n += 1
    return found[:n], shares[:n]
