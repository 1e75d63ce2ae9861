"""Observed states as arrays, and the amounts that laws may require.

A law asks for two things: that the player faces one of some *targets*, and that some amounts are
reached. All amounts that a law can ask for are columns of one matrix (:func:`amounts`), in which
more never hinders; so a condition is a lower bound, and a law's conditions are a vector of them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import CENTRE
from mars_logic.system.display import number
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM

TARGETS: Final = (*names.MATERIALS, *names.LOOKS[1:7], "ripe_plant")
"""The objects that can be faced, by code: a free material, or else what stands on it."""
COLUMNS: Final = (
    *names.HOLDABLE,
    *(f"near {material}" for material in names.MATERIALS[1:]),
    *(f"lack of {vital}" for vital in names.VITALS),
)
"""The columns of :func:`amounts`: what is held, what is nearby (0 or 1), and by how much each vital
is below its maximum."""
HELD: Final = slice(0, len(names.HOLDABLE))
NEAR: Final = slice(HELD.stop, HELD.stop + len(names.MATERIALS) - 1)
LACK: Final = slice(NEAR.stop, len(COLUMNS))

_ENERGY: Final = names.ITEMS.index("energy")
_VITALS: Final = len(names.VITALS)
_TARGET_OF_LOOK: Final = np.array(
    [
        TARGETS.index(kind) if (kind := names.kind_of_look(look)) in TARGETS else 0
        for look in names.LOOKS
    ],
    np.uint8,
)
_STEPS: Final = np.array([(-1, 0), (1, 0), (0, -1), (0, 1)], np.int64)
_MOVE: Final = names.ACTIONS.index("move_left")


class SeenStates(Protocol):
    """Views at n moments: observations of a simulator, or ``data.Views``."""

    @property
    def materials(self) -> NDArray[Any]:
        """uint8[n, 9, 7]."""

    @property
    def objects(self) -> NDArray[Any]:
        """uint8[n, 9, 7]."""

    @property
    def inventory(self) -> NDArray[Any]:
        """int[n, 16]."""

    @property
    def facing(self) -> NDArray[Any]:
        """int8[n, 2]."""

    @property
    def sleeping(self) -> NDArray[np.bool_]:
        """bool[n]."""


@dataclass(frozen=True, eq=False, repr=False)
class States:
    """The player at n moments.

    Attributes:
        inventory: uint8[n, 16], in the order of ``names.ITEMS``.
        material: uint8[n]: codes of ``names.MATERIALS``: the cell that it faces.
        object: uint8[n]: codes of ``names.LOOKS``: what stands on that cell.
        materials: uint8[n, 3, 3], indexed [moment, x, y]: the cells around it, its own in the
            middle.
        objects: uint8[n, 3, 3]: what stands on them.
        sleeping: bool[n].
    """

    inventory: NDArray[np.uint8]
    material: NDArray[np.uint8]
    object: NDArray[np.uint8]
    materials: NDArray[np.uint8]
    objects: NDArray[np.uint8]
    sleeping: NDArray[np.bool_]

    def __repr__(self) -> str:
        return f"<States: {number(len(self.inventory), 'moment')}>"

    @classmethod
    def of(cls, seen: SeenStates) -> States:
        """The moments that a player saw."""
        moment = np.arange(len(seen.inventory))
        x, y = (CENTRE[axis] + seen.facing[:, axis].astype(np.int64) for axis in (0, 1))
        around = (slice(None), *(slice(middle - 1, middle + 2) for middle in CENTRE))
        return cls(
            inventory=seen.inventory.astype(np.uint8),
            material=seen.materials[moment, x, y],
            object=seen.objects[moment, x, y],
            materials=seen.materials[around],
            objects=seen.objects[around],
            sleeping=seen.sleeping,
        )

    @classmethod
    def join(cls, parts: list[States]) -> States:
        """Moments one after another; at least one part."""
        joined = {
            each.name: np.concatenate([getattr(part, each.name) for part in parts])
            for each in fields(cls)
        }
        return cls(**joined)

    def __len__(self) -> int:
        return len(self.inventory)

    def __getitem__(self, which: Any) -> States:
        """Some of the moments, by a slice, a mask or an array of numbers."""
        return States(**{each.name: getattr(self, each.name)[which] for each in fields(self)})

    @property
    def free(self) -> NDArray[np.bool_]:
        """bool[n]: the player does what it chooses; asleep and tired it sleeps on."""
        tired: NDArray[np.bool_] = self.inventory[:, _ENERGY] < MAXIMUM
        return ~(self.sleeping & tired)

    @property
    def target(self) -> NDArray[np.uint8]:
        """uint8[n]: codes of :data:`TARGETS`: what is faced."""
        return targets(self.material, self.object)

    def ahead(self, action: NDArray[np.uint8]) -> States:
        """The same, facing where an action leads: moves turn the player first."""
        moving = (action >= _MOVE) & (action < _MOVE + len(_STEPS))
        step = 1 + _STEPS[np.where(moving, action - _MOVE, 0)]
        moment = np.arange(len(self))
        there = {
            name: np.where(moving, cells[moment, step[:, 0], step[:, 1]], faced).astype(np.uint8)
            for name, cells, faced in (
                ("material", self.materials, self.material),
                ("object", self.objects, self.object),
            )
        }
        return States(**{each.name: getattr(self, each.name) for each in fields(self)} | there)

    def amounts(self) -> NDArray[np.uint8]:
        """uint8[n, 28]: every amount that a law may ask for, by :data:`COLUMNS`.

        At the left and upper edge of the map nothing is nearby: see docs/semantics.md.
        """
        near = (self.materials[:, None] == np.arange(1, len(names.MATERIALS))[:, None, None]).any(
            axis=(2, 3)
        )
        at_edge = (self.materials[:, 0, 1] == 0) | (self.materials[:, 1, 0] == 0)
        return np.concatenate(
            [
                self.inventory[:, _VITALS:],
                near & ~at_edge[:, None],
                MAXIMUM - self.inventory[:, :_VITALS],
            ],
            axis=1,
            dtype=np.uint8,
            casting="unsafe",
        )


def targets(material: NDArray[np.uint8], object_: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """uint8[n]: codes of :data:`TARGETS`, given codes of materials and of looks."""
    found: NDArray[np.uint8] = np.where(object_ == 0, material, _TARGET_OF_LOOK[object_])
    return found
