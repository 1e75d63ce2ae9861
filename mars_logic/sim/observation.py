"""Observations of the players of a batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import kernel
from mars_logic.sim.codes import ARROW, ARROW_LEFT, NUM_ITEMS, PLANT, RIPE_PLANT
from mars_logic.sim.layout import BORDER, Env, Thing
from mars_logic.sim.player import is_ripe
from mars_logic.sim.tables import Rules
from mars_logic.world import names
from mars_logic.world.dialect import VIEW_HEIGHT, VIEW_WIDTH

_LEFT: Final = BORDER - VIEW_WIDTH // 2
_TOP: Final = BORDER - VIEW_HEIGHT // 2


@dataclass(frozen=True, slots=True)
class Observation:
    """Observation of a batch of n environments. Arrays are indexed [env, ...].

    Attributes:
        materials: uint8[n, 9, 7], indexed [env, x, y]: material codes (``names.MATERIALS``) of the
            cells around the player, who is at [4, 3]; 0 outside the map.
        objects: uint8[n, 9, 7]: objects on the same cells (codes of ``codes.LOOKS``). A ripe
            plant has a code of its own, and so have the four directions of arrows.
        inventory: int16[n, 16]: amounts in the order of ``names.ITEMS``, 0 to 9 each.
        facing: int8[n, 2]: the direction (dx, dy) that the player looks in; y grows downwards.
        sleeping: bool[n].
        daylight: float64[n]: from 0 (dark) to 1.
    """

    materials: NDArray[np.uint8]
    objects: NDArray[np.uint8]
    inventory: NDArray[np.int16]
    facing: NDArray[np.int8]
    sleeping: NDArray[np.bool_]
    daylight: NDArray[np.float64]

    @property
    def status(self) -> NDArray[np.int16]:
        """int16[n, 4]: health, food, drink, energy; the first four of the inventory."""
        return self.inventory[:, : len(names.VITALS)]

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All arrays in the order of the attributes."""
        return (
            *(self.materials, self.objects, self.inventory),
            *(self.facing, self.sleeping, self.daylight),
        )

    @classmethod
    def empty(cls, n: int) -> Observation:
        """Arrays for n environments, to be filled."""
        return cls(**{name: np.empty((n, *shape), dtype) for name, (dtype, shape) in _LAYOUT})

    def require_size(self, n: int) -> None:
        """Check that these are arrays for n environments that can be filled.

        Raises:
            ValueError: An array is of another type or shape, not C-contiguous, or read-only.
        """
        for name, (dtype, shape) in _LAYOUT:
            array = getattr(self, name)
            flags = getattr(array, "flags", None)
            if (
                flags is None
                or (array.dtype, array.shape) != (dtype, (n, *shape))
                or not (flags.c_contiguous and flags.writeable)
            ):
                wanted = f"{np.dtype(dtype)}{[n, *shape]}"
                raise ValueError(f"out.{name} must be a writeable, contiguous array {wanted}")


_LAYOUT: Final = tuple(
    {
        "materials": (np.uint8, (VIEW_WIDTH, VIEW_HEIGHT)),
        "objects": (np.uint8, (VIEW_WIDTH, VIEW_HEIGHT)),
        "inventory": (np.int16, (NUM_ITEMS,)),
        "facing": (np.int8, (2,)),
        "sleeping": (np.bool_, ()),
        "daylight": (np.float64, ()),
    }.items()
)
"""Type and shape of each array of an observation, without the first axis."""


@kernel
def observe_batch(
    envs: Any,
    rules: Any,
    daylight_table: Any,
    out: Any,
    first: int,
    last: int,
) -> None:
    """Fill the arrays of an :class:`Observation` for environments first .. last-1."""
    materials, objects, inventory, facing, sleeping, daylight = out
    for i in range(first, last):
        env = envs[i]
        player = env.player
        changing = False
        for column in range(VIEW_WIDTH):
            for row in range(VIEW_HEIGHT):
                cell = env.cells[player.x + _LEFT + column, player.y + _TOP + row]
                materials[i, column, row] = cell & 15
                objects[i, column, row] = cell >> 4
                changing |= cell >= 16 * ARROW  # arrows and plants vary in appearance
        if changing:
            _show_things(env, rules[0], objects, i)
        for item in range(NUM_ITEMS):
            inventory[i, item] = player.inventory[item]
        facing[i, 0] = player.facing_x
        facing[i, 1] = player.facing_y
        sleeping[i] = player.sleeping
        daylight[i] = daylight_table[env.step]


@kernel
def _show_things(env: Env, rules: Rules, objects: Any, i: int) -> None:
    """Show which plants in view are ripe, and where arrows fly."""
    for number in range(env.num_things):
        thing = env.things[number]
        if thing.kind < ARROW:
            continue
        column = env.thing_x[number] - env.player.x + VIEW_WIDTH // 2
        row = env.thing_y[number] - env.player.y + VIEW_HEIGHT // 2
        if 0 <= column < VIEW_WIDTH and 0 <= row < VIEW_HEIGHT:
            objects[i, column, row] = _look(rules, thing)


@kernel
def _look(rules: Rules, thing: Thing) -> int:
    if thing.kind == PLANT:
        return RIPE_PLANT if is_ripe(thing, rules) else PLANT
    # The four arrows in the order of directions: left, right, up, down.
    vertical = thing.facing_x == 0
    return ARROW_LEFT + 2 * int(vertical) + int(thing.facing_x + thing.facing_y > 0)
