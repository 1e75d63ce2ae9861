"""What can be read off the transitions of a trajectory, as arrays: one pass, no rule assumed.

Everything here follows from what the player sees and from the constants of the dialect; see
docs/semantics.md, "A step".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import CENTRE, VIEW, Trajectory
from mars_logic.world import names
from tests.theory.plain.needs import Needs, needs

UNSEEN: Final = 255
"""Stands for a cell out of view."""
STAYED, MOVED, UNCLEAR = 0, 1, 2
"""Whether a move took the player to the next cell; unclear where everything looks alike."""

_MOVE = names.ACTIONS.index("move_left")
_SLEEP = names.ACTIONS.index("sleep")
_ENERGY = names.VITALS.index("energy")
_PATH = names.MATERIALS.index("path")
_BUILT = (names.MATERIALS.index("table"), names.MATERIALS.index("furnace"))
_DIRECTIONS = np.array([(-1, 0), (1, 0), (0, -1), (0, 1)])
_ARROW = names.LOOKS.index("arrow")
_BEINGS = (("cow",), ("zombie",), ("skeleton",), ("plant", "ripe_plant"))
"""The objects that each of ``names.BEINGS`` is seen as."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What happened in each of T transitions.

    Attributes:
        action: uint8[T]: what the player did; asleep, it sleeps whatever was chosen.
        direction: int64[T, 2]: where it looked when it acted.
        target: uint8[T]: the material of the cell that it faced.
        object: uint8[T]: the object on that cell.
        target_after: uint8[T]: the material of the same cell in the end, where it is in view.
        object_after: uint8[T]: the object on it in the end.
        shift: int64[T]: :data:`STAYED`, :data:`MOVED` or :data:`UNCLEAR`.
        ground: uint8[T]: the material under the player in the end.
        asleep: bool[T]: whether it was asleep when things could attack.
        near: uint8[T, 4]: how many of each of ``names.BEINGS`` could attack.
        arrows: uint8[T]: how many arrows could hit.
        needs: The changes of vitals by hunger, thirst and recovery.
    """

    action: NDArray[np.uint8]
    direction: NDArray[np.int64]
    target: NDArray[np.uint8]
    object: NDArray[np.uint8]
    target_after: NDArray[np.uint8]
    object_after: NDArray[np.uint8]
    shift: NDArray[np.int64]
    ground: NDArray[np.uint8]
    asleep: NDArray[np.bool_]
    near: NDArray[np.uint8]
    arrows: NDArray[np.uint8]
    needs: Needs


def read(trajectory: Trajectory) -> Reading:
    """Read a trajectory."""
    before, after = trajectory.before, trajectory.after
    tired = before.inventory[:, _ENERGY] < 9
    action = np.where(before.sleeping & tired, _SLEEP, trajectory.action).astype(np.uint8)
    asleep = tired & (before.sleeping | (action == _SLEEP))
    moving = (action >= _MOVE) & (action < _MOVE + 4)
    direction = np.where(
        moving[:, None], _DIRECTIONS[np.where(moving, action - _MOVE, 0)], before.facing
    ).astype(np.int64)
    target = _ahead(before.materials, direction)
    object_ = _ahead(before.kinds, direction)
    shift = np.where(moving, _shift(before.materials, after.materials, direction), STAYED)
    near, arrows = _dangers(before.kinds, direction, shift)
    return Reading(
        action=action,
        direction=direction,
        target=target,
        object=object_,
        target_after=_ahead(after.materials, direction),
        object_after=_ahead(after.kinds, direction),
        shift=shift,
        ground=after.materials[:, CENTRE[0], CENTRE[1]],
        asleep=after.sleeping,
        near=near,
        arrows=arrows,
        needs=needs(trajectory, action, asleep, target, object_),
    )


def _ahead(cells: NDArray[np.uint8], direction: NDArray[np.int64]) -> NDArray[np.uint8]:
    """What each view shows one cell from its middle: uint8[T]."""
    x, y = (CENTRE[axis] + direction[:, axis] for axis in (0, 1))
    found: NDArray[np.uint8] = cells[np.arange(len(cells)), x, y]
    return found


def _shift(
    before: NDArray[np.uint8], after: NDArray[np.uint8], direction: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Whether the player moved, by comparing the materials in view: int64[T].

    While it moves, nothing but an arrow changes a cell, and only from table or furnace to path.
    """
    stayed = _agree(before, after)
    moved = np.zeros(len(before), np.bool_)
    for step in _DIRECTIONS:
        rows = (direction == step).all(axis=1)
        moved[rows] = _agree(_part(before[rows], step), _part(after[rows], -step))
    return np.where(stayed == moved, UNCLEAR, np.where(moved, MOVED, STAYED))


def _agree(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> NDArray[np.bool_]:
    broken = np.isin(before, _BUILT) & (after == _PATH)
    agreed: NDArray[np.bool_] = ((before == after) | broken).all(axis=(1, 2))
    return agreed


def _part(cells: NDArray[np.uint8], step: Any) -> NDArray[np.uint8]:
    """The part of views that is still in view after a step."""
    columns, rows = (
        slice(max(0, by), size + min(0, by)) for by, size in zip(step, VIEW, strict=True)
    )
    return cells[:, columns, rows]


def _dangers(
    objects: NDArray[np.uint8], direction: NDArray[np.int64], shift: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """What could attack, and which arrows could hit, in each transition.

    A creature moves by one cell at most and hits what is then beside it, so it comes from within
    two cells; an arrow comes from one beside the player. The player acts first. Where it is unclear
    if it moved, both places count.
    """
    at = np.where(shift[:, None] == STAYED, 0, direction)
    reach, beside = (_disc(radius) for radius in (2, 1))
    unclear = (shift == UNCLEAR)[:, None, None]
    middle = np.zeros_like(at)
    attackers = _around(reach, at) | (_around(reach, middle) & unclear)
    flying = _around(beside, at) | (_around(beside, middle) & unclear)
    near = np.stack(
        [
            (np.isin(objects, [names.LOOKS.index(name) for name in seen]) & attackers).sum((1, 2))
            for seen in _BEINGS
        ],
        axis=1,
    )
    arrows = ((objects == _ARROW) & flying).sum((1, 2))
    return near.astype(np.uint8), arrows.astype(np.uint8)


def _disc(radius: int) -> NDArray[np.bool_]:
    """Cells within a distance of the middle of a field three times as large as needed."""
    x, y = np.mgrid[-VIEW[0] : VIEW[0] + 1, -VIEW[1] : VIEW[1] + 1]
    found: NDArray[np.bool_] = np.abs(x) + np.abs(y) <= radius
    return found


def _around(disc: NDArray[np.bool_], at: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which cells of the view lie within a disc around (middle + at): bool[T, 9, 7]."""
    columns = np.arange(VIEW[0])[None, :, None] - CENTRE[0] - at[:, 0, None, None] + VIEW[0]
    rows = np.arange(VIEW[1])[None, None, :] - CENTRE[1] - at[:, 1, None, None] + VIEW[1]
    found: NDArray[np.bool_] = disc[columns, rows]
    return found
