"""What happened in each transition of a trajectory, for who reads them one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import Trajectory
from mars_logic.kernel import kernel
from mars_logic.theory.evidence.layout import READER_DTYPE, STEP_DTYPE
from mars_logic.theory.evidence.needs import begin_needs
from mars_logic.theory.evidence.reader import arrays_of
from mars_logic.theory.evidence.reading import happen
from mars_logic.theory.evidence.surroundings import list_things


def steps(trajectory: Trajectory) -> NDArray[np.void]:
    """STEP_DTYPE[T]: what happened in each transition.

    Args:
        trajectory: An episode from its beginning on.

    Raises:
        InputError: It holds values that cannot be.
    """
    found = np.zeros(len(trajectory), STEP_DTYPE)
    if len(trajectory):
        crafter = trajectory.about.dynamics == "crafter"
        seen: tuple[Any, ...] = arrays_of(trajectory)[:-1]
        arguments: tuple[Any, ...] = (*seen, crafter, np.zeros(1, READER_DTYPE), found)
        _steps(*arguments)
    return found


@kernel
def _steps(
    materials: Any,
    objects: Any,
    inventory: Any,
    facing: Any,
    sleeping: Any,
    action: Any,
    crafter: bool,
    reader: Any,
    out: Any,
) -> None:
    """As ``reading.read``, without signatures."""
    notes = reader[0]
    begin_needs(notes.needs)
    list_things(objects[0], notes.things[0])
    for t in range(len(action)):
        happen(
            *(notes, out[t], t, materials, objects, inventory, facing, sleeping, action),
            crafter,
        )
