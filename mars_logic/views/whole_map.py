"""A picture of a whole map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim.codes import ARROW, PLANT
from mars_logic.views.appearances import APPEARANCES, NUM_APPEARANCES, player_looks
from mars_logic.views.atlas import cell_tiles

if TYPE_CHECKING:
    from mars_logic.sim import State


def draw(state: State, unit: int = 8, ripe_age: int | None = None) -> NDArray[np.uint8]:
    """Draw the whole map of one environment by full daylight.

    Args:
        state: Of that environment (``Simulator.state``).
        unit: Width and height of a cell in pixels, at least 1.
        ripe_age: Plants that have grown for more steps than this are drawn ripe.

    Returns:
        uint8[64 * unit, 64 * unit, 3]: red, green, blue.

    Raises:
        ValueError: ``unit`` is less than 1.
    """
    if unit < 1:
        raise ValueError(f"unit must be at least 1, not {unit}")
    looks = np.zeros(state.materials.shape, np.int64)
    for thing in state.objects:
        looks[thing["x"], thing["y"]] = _look(thing, ripe_age)
    looks[state.x, state.y] = player_looks(np.array([state.facing]), np.array([state.sleeping]))[0]
    tiles = cell_tiles(unit, unit)[state.materials * np.int64(NUM_APPEARANCES) + looks]
    columns, rows = state.materials.shape
    picture: NDArray[np.uint8] = tiles.transpose(1, 2, 0, 3, 4).reshape(
        rows * unit, columns * unit, 3
    )
    return picture


def _look(thing: np.void, ripe_age: int | None) -> int:
    """The appearance of a thing, a record of ``sim.OBJECT_DTYPE``."""
    kind = int(thing["kind"])
    if kind == ARROW:
        ways = {(-1, 0): "left", (1, 0): "right", (0, -1): "up", (0, 1): "down"}
        return APPEARANCES.index(f"arrow_{ways[int(thing['facing_x']), int(thing['facing_y'])]}")
    if kind == PLANT and ripe_age is not None and thing["grown"] > ripe_age:
        return APPEARANCES.index("ripe_plant")
    return kind
