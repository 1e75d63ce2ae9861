"""Laws as predicates over n states: validity of an action, and satisfaction of any condition.

Many conditions are evaluated at once, as one comparison of arrays; a batch of environments and a
single one go the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.action_models.learn import ActionModels
from mars_logic.theory.action_models.states import COLUMNS, TARGETS, States


@dataclass(frozen=True)
class Clause:
    """A sufficient condition: facing one of some targets, with minimum amounts.

    Attributes:
        targets: Names of ``TARGETS``; empty if it does not matter what is faced.
        needs: The least amount of each column of ``COLUMNS`` that has to be above 0.
    """

    targets: frozenset[str] = frozenset()
    needs: Mapping[str, int] = field(default_factory=dict)


class Predicates:
    """Compiled clauses of some goals.

    Attributes:
        goals: The names of the goals, in the order of what is returned.
    """

    def __init__(self, clauses: Mapping[str, Sequence[Clause]]) -> None:
        """Compile clauses.

        Args:
            clauses: For each goal the clauses of which any is enough; without one, it never is.
        """
        self.goals = tuple(clauses)
        rows = [(number, clause) for number, each in enumerate(clauses.values()) for clause in each]
        self._goal = np.array([number for number, _ in rows], np.int64)
        self._bounds = np.zeros((len(rows), len(COLUMNS)), np.uint8)
        self._targets = np.zeros((len(rows), len(TARGETS)), np.bool_)
        for row, (_, clause) in enumerate(rows):
            for name, n in clause.needs.items():
                self._bounds[row, COLUMNS.index(name)] = n
            for name in clause.targets or TARGETS:
                self._targets[row, TARGETS.index(name)] = True
        self._aims = ~self._targets.all(axis=1)

    def valid(self, states: States) -> NDArray[np.bool_]:
        """bool[n, goals]: whether the action of each goal can succeed; never while asleep."""
        enough = (states.amounts()[:, None] >= self._bounds).all(axis=2)
        met = enough & self._targets[:, states.target].T & states.free[:, None]
        return self._any(met)

    def anything(self, states: States) -> NDArray[np.bool_]:
        """bool[n, goals]: whether anything is met that one of its clauses asks for.

        A clause that asks for nothing is met.
        """
        needed = self._bounds > 0
        some = ((states.amounts()[:, None] >= self._bounds) & needed).any(axis=2)
        aimed = self._targets[:, states.target].T & self._aims
        asks = needed.any(axis=1) | self._aims
        return self._any((some | aimed | ~asks) & states.free[:, None])

    def _any(self, met: NDArray[np.bool_]) -> NDArray[np.bool_]:
        found = np.zeros((len(met), len(self.goals)), np.bool_)
        for row, goal in enumerate(self._goal):
            found[:, goal] |= met[:, row]
        return found


Reading = Literal["simplest", "strictest"]
"""Choice among the remaining hypotheses: the one with the fewest conditions, or the most specific
one (all conditions true in every success)."""


def clauses(
    laws: ActionModels, reading: Reading = "simplest", goals: Iterable[str] | None = None
) -> dict[str, list[Clause]]:
    """The clauses of learned laws.

    Args:
        laws: The laws.
        reading: Which hypothesis is taken.
        goals: Of which goals; by default of all achievements.
    """
    wanted = [law.goal for law in laws.achievements] if goals is None else goals
    found: dict[str, list[Clause]] = {}
    for goal in wanted:
        merged: dict[tuple[tuple[str, int], ...], set[str]] = {}
        for branch in laws[goal].branches:
            bounds = branch.bounds
            chosen = bounds.chosen() if reading == "simplest" else bounds.top
            needs = tuple((COLUMNS[c], int(chosen[c])) for c in np.flatnonzero(chosen))
            merged.setdefault(needs, set()).update(TARGETS[code] for code in branch.targets)
        found[goal] = [Clause(frozenset(there), dict(needs)) for needs, there in merged.items()]
    return found


def predicates(laws: ActionModels, reading: Reading = "simplest") -> Predicates:
    """The predicates of all achievements."""
    return Predicates(clauses(laws, reading))
