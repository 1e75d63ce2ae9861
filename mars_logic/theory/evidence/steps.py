"""The events of each transition of a trajectory, for sequential readers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.data.trajectory import Trajectory
from mars_logic.theory.evidence.batches import Batch, Turn
from mars_logic.theory.evidence.layout import STEP_DTYPE, layout_of, reader_dtype
from mars_logic.theory.evidence.needs import begin_needs
from mars_logic.theory.evidence.scan import happen, late
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
        batch = Batch.of([Turn.of(0, trajectory)])
        notes = np.zeros(1, reader_dtype(layout_of(trajectory.about.words).words))
        head = (*batch.arrays[:-1], batch.crafter, batch.known)
        arguments: tuple[Any, ...] = (*head, late(batch.unknown[0]), notes, found)
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
    known: Any,
    skipped: int,
    reader: Any,
    out: Any,
) -> None:
    """As ``reading.read``, of one episode and without signatures."""
    notes = reader[0]
    things = notes.things[0]
    begin_needs(notes.needs, skipped)
    for t in range(len(action)):
        list_things(objects[t], things)
        happen(
            *(notes.needs, out[t], things, t + skipped, materials[t], materials[t + 1]),
            *(objects[t], objects[t + 1], inventory[t], inventory[t + 1]),
            *(
                facing[t, 0],
                facing[t, 1],
                sleeping[t],
                sleeping[t + 1],
                action[t],
                crafter,
                known[0],
            ),
        )
