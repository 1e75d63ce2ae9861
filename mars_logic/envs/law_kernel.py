"""Laws evaluated for a whole batch of environments by compiled code.

:class:`~mars_logic.theory.action_models.Predicates` evaluates the same clauses on recorded states;
the tests compare both.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mars_logic.compiled.kernel import kernel
from mars_logic.sim import Observation
from mars_logic.theory.action_models import Predicates
from mars_logic.theory.action_models.states import COLUMNS, HELD, LACK, NEAR
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM, VIEW_HEIGHT, VIEW_WIDTH

_X: Final = VIEW_WIDTH // 2
_Y: Final = VIEW_HEIGHT // 2
_VITALS: Final = len(names.VITALS)
_ENERGY: Final = names.ITEMS.index("energy")
_ITEMS: Final = len(names.ITEMS)
_NEAR: Final = NEAR.start - 1  # of material 1 the first column
_LACK: Final = LACK.start
_COLUMNS: Final = len(COLUMNS)
assert HELD.start == 0


class BatchLaws:
    """The clauses of some laws, for a batch of n environments.

    Attributes:
        valid: bool[n, goals]: whether the action of each goal can succeed; never while asleep.
        anything: bool[n, goals]: whether anything is met that one of its clauses asks for.
        progress: float64[n, goals]: the largest share of a clause's conditions that is met; also
            while asleep, and 0 without a clause.
    """

    def __init__(self, predicates: Predicates, n: int) -> None:
        """Prepare the arrays.

        Args:
            predicates: The compiled clauses.
            n: The number of environments.
        """
        self._clauses = (predicates.goal, predicates.bounds, predicates.faces, predicates.aims)
        shape = n, len(predicates.goals)
        self.valid = np.zeros(shape, np.bool_)
        self.anything = np.zeros(shape, np.bool_)
        self.progress = np.zeros(shape, np.float64)

    def judge(self, seen: Observation) -> None:
        """Evaluate all laws in what is seen now."""
        _judge(seen.arrays, self._clauses, self.valid, self.anything, self.progress)


@kernel
def _amounts(materials: Any, inventory: Any, amounts: Any) -> None:
    """Fill uint8[28] as ``States.amounts`` does, for one environment."""
    amounts[:] = 0
    for item in range(_VITALS, _ITEMS):
        amounts[item - _VITALS] = inventory[item]
    if materials[_X - 1, _Y] != 0 and materials[_X, _Y - 1] != 0:
        for x in range(_X - 1, _X + 2):
            for y in range(_Y - 1, _Y + 2):
                if materials[x, y] != 0:
                    amounts[_NEAR + materials[x, y]] = 1
    for vital in range(_VITALS):
        amounts[_LACK + vital] = MAXIMUM - inventory[vital]


@kernel
def _judge(seen: Any, clauses: Any, valid: Any, anything: Any, progress: Any) -> None:
    """Evaluate clauses in each environment."""
    materials, objects, inventory, facing, sleeping, _ = seen
    goal, bounds, faces, aims = clauses
    amounts = np.zeros(_COLUMNS, np.uint8)
    valid[:] = False
    anything[:] = False
    progress[:] = 0.0
    for i in range(len(valid)):
        _amounts(materials[i], inventory[i], amounts)
        free = not (sleeping[i] and inventory[i, _ENERGY] < MAXIMUM)
        x, y = _X + facing[i, 0], _Y + facing[i, 1]
        material, look = materials[i, x, y], objects[i, x, y]
        for row in range(len(goal)):
            asked, met = 0, 0
            for column in range(_COLUMNS):
                if bounds[row, column] > 0:
                    asked += 1
                    met += amounts[column] >= bounds[row, column]
            if aims[row]:
                asked += 1
                met += faces[row, material, look]
            if free and met == asked:
                valid[i, goal[row]] = True
            if free and (met > 0 or asked == 0):
                anything[i, goal[row]] = True
            share = met / asked if asked > 0 else 1.0
            progress[i, goal[row]] = max(progress[i, goal[row]], share)
