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
from mars_logic.theory.action_models.states import COLUMNS, TARGETS, States, targets
from mars_logic.world import names


@dataclass(frozen=True)
class Clause:
    """A sufficient condition: facing one of some targets, with minimum amounts.

    Attributes:
        targets: Names of ``TARGETS``; empty if it does not matter what is faced.
        needs: The least amount of each column of ``COLUMNS`` that has to be above 0.
        occupied: Whether a material counts as faced whatever stands on it.
    """

    targets: frozenset[str] = frozenset()
    needs: Mapping[str, int] = field(default_factory=dict)
    occupied: bool = False


class Predicates:
    """Compiled clauses of some goals.

    Attributes:
        goals: The names of the goals, in the order of what is returned.
        goal: int64[rows]: to which of the goals each clause belongs.
        bounds: uint8[rows, 28]: the least amounts, by ``COLUMNS``.
        faces: bool[rows, materials, looks]: whether what is faced is one of the targets.
        aims: bool[rows]: whether it matters what is faced.
    """

    def __init__(self, clauses: Mapping[str, Sequence[Clause]]) -> None:
        """Compile clauses.

        Args:
            clauses: For each goal the clauses of which any is enough; without one, it never is.
        """
        self.goals = tuple(clauses)
        rows = [(number, clause) for number, each in enumerate(clauses.values()) for clause in each]
        self.goal = np.array([number for number, _ in rows], np.int64)
        self.bounds = np.zeros((len(rows), len(COLUMNS)), np.uint8)
        self.faces = np.zeros((len(rows), len(names.MATERIALS), len(names.LOOKS)), np.bool_)
        for row, (_, clause) in enumerate(rows):
            for name, n in clause.needs.items():
                self.bounds[row, COLUMNS.index(name)] = n
            self.faces[row] = _faced(clause)
        self.aims = ~self.faces.all(axis=(1, 2))

    def valid(self, states: States) -> NDArray[np.bool_]:
        """bool[n, goals]: whether the action of each goal can succeed; never while asleep."""
        enough = (states.amounts()[:, None] >= self.bounds).all(axis=2)
        met = enough & self._facing(states) & states.free[:, None]
        return self._any(met)

    def anything(self, states: States) -> NDArray[np.bool_]:
        """bool[n, goals]: whether anything is met that one of its clauses asks for.

        A clause that asks for nothing is met.
        """
        needed = self.bounds > 0
        some = ((states.amounts()[:, None] >= self.bounds) & needed).any(axis=2)
        aimed = self._facing(states) & self.aims
        asks = needed.any(axis=1) | self.aims
        return self._any((some | aimed | ~asks) & states.free[:, None])

    def _facing(self, states: States) -> NDArray[np.bool_]:
        """bool[n, rows]: whether a target of each clause is faced."""
        return self.faces[:, states.material, states.object].T

    def _any(self, met: NDArray[np.bool_]) -> NDArray[np.bool_]:
        found = np.zeros((len(met), len(self.goals)), np.bool_)
        for row, goal in enumerate(self.goal):
            found[:, goal] |= met[:, row]
        return found


def _faced(clause: Clause) -> NDArray[np.bool_]:
    """bool[materials, looks]: whether a cell is one of the targets."""
    everywhere = np.ones((len(names.MATERIALS), len(names.LOOKS)), np.bool_)
    if not clause.targets:
        return everywhere
    wanted = np.array([name in clause.targets for name in TARGETS])
    material, look = np.indices(everywhere.shape, np.uint8)
    faced: NDArray[np.bool_] = wanted[targets(material, look)]
    if clause.occupied:
        faced |= wanted[: len(names.MATERIALS), None]
    return faced


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
