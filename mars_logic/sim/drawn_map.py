"""First states whose cells are not the generator's alone: drawings, and scattered materials.

All others come from :func:`mars_logic.sim.step.reset_batch`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.sim.board import add_thing, kind_at, material_at, set_material
from mars_logic.sim.codes import NONE
from mars_logic.sim.layout import Env
from mars_logic.sim.noise_grid import lattice
from mars_logic.sim.rules_record import Rules
from mars_logic.sim.sharing import Shares, share_done, take_share
from mars_logic.sim.step import begin_env, has_room, reset_batch, reset_env
from mars_logic.sim.stream import chance
from mars_logic.world.dialect import AREA
from mars_logic.world.maps import DrawnMap
from mars_logic.world.theory import World
from mars_logic.world.vocabulary import Vocabulary

Array = Any
"""In annotations of kernels: an array of records."""

DRAWING_DTYPE: Final = np.dtype(
    [
        ("materials", np.uint8, (AREA, AREA)),
        ("kinds", np.uint8, (AREA, AREA)),  # the thing on each cell, NONE without one
        ("x", np.int8),  # the player's start
        ("y", np.int8),
        ("left", np.int8),  # the columns and rows that are drawn; all others have material 0
        ("right", np.int8),
        ("top", np.int8),
        ("bottom", np.int8),
    ],
    align=True,
)
"""A drawing, on the whole map."""

SCATTERED_DTYPE: Final = np.dtype(
    [("material", np.int16), ("within", np.int16), ("share", np.float64)], align=True
)
"""A material that takes the place of a share of the cells of another one."""


class FirstStates(NamedTuple):
    """How the episodes of a world begin.

    Attributes:
        reset: A kernel that is called as ``reset(envs, rules, tables, where, shares, thread)``.
        tables: What it needs besides the rules.
    """

    reset: Callable[..., None]
    tables: Any


def first_states(world: World) -> FirstStates:
    """How the episodes of a world begin."""
    words = world.vocabulary
    if world.map.is_drawn:
        return FirstStates(reset_drawn_batch, _drawings(world.map.drawings, words))
    if world.map.scattered:
        rows = [
            (words.materials.index(each.material), words.materials.index(each.within), each.share)
            for each in world.map.scattered
        ]
        table = np.array(rows, SCATTERED_DTYPE)
        table.flags.writeable = False
        return FirstStates(reset_scattered_batch, (lattice(), table))
    return FirstStates(reset_batch, lattice())


def _drawings(drawings: tuple[DrawnMap, ...], words: Vocabulary) -> NDArray[np.void]:
    """Drawings as records, read-only; around them lies the material 0."""
    table = np.zeros(len(drawings), DRAWING_DTYPE)
    for record, drawing in zip(table, drawings, strict=True):
        record["x"], record["y"] = drawing.start
        record["left"], record["top"] = left, top = drawing.corner
        record["right"], record["bottom"] = left + drawing.width, top + drawing.height
        for x, y, cell in drawing.cells():
            record["materials"][x, y] = words.materials.index(cell.material)
            if cell.creature:
                record["kinds"][x, y] = words.objects.index(cell.creature)
    table.flags.writeable = False
    return table


@kernel
def _reset_drawn(env: Env, rules: Rules, drawings: Array) -> bool:
    """Begin an episode on the drawing of its seed; whether there was room for all things."""
    drawing = drawings[env.seed % len(drawings)]
    begin_env(env, rules, int(drawing.x), int(drawing.y))
    for x in range(drawing.left, drawing.right):
        for y in range(drawing.top, drawing.bottom):
            set_material(env, x, y, int(drawing.materials[x, y]))
    for x in range(drawing.left, drawing.right):
        for y in range(drawing.top, drawing.bottom):
            if drawing.kinds[x, y] != NONE:
                if env.num_things == len(env.things):
                    return False
                add_thing(env, rules, int(drawing.kinds[x, y]), x, y)
    return True


@kernel
def _scatter(env: Env, scattered: Array) -> None:
    """Put materials into a generated map, drawing a number for each cell that may change.

    These are the cells of a material on which nothing stands; one material after the other is put
    in, column by column.
    """
    for i in range(len(scattered)):
        each = scattered[i]
        for x in range(AREA):
            for y in range(AREA):
                may_change = material_at(env, x, y) == each.within and kind_at(env, x, y) == NONE
                if may_change and chance(env.stream, each.share):
                    set_material(env, x, y, int(each.material))


@kernel
def reset_drawn_batch(
    envs: Array, rules: Array, drawings: Array, where: Array, shares: Shares, thread: int
) -> None:
    """As :func:`mars_logic.sim.step.reset_batch`, on drawn maps."""
    while True:
        first, end = take_share(shares, thread)
        if first == end:
            break
        room = True
        for i in range(first, end):
            if where[i]:
                fits = _reset_drawn(envs[i], rules[0], drawings) and has_room(envs[i], rules[0])
                room = fits and room
        share_done(shares, first, end, room)


@kernel
def reset_scattered_batch(
    envs: Array, rules: Array, tables: Any, where: Array, shares: Shares, thread: int
) -> None:
    """As :func:`mars_logic.sim.step.reset_batch`, with materials scattered over the maps."""
    bumps, scattered = tables
    while True:
        first, end = take_share(shares, thread)
        if first == end:
            break
        room = True
        for i in range(first, end):
            if where[i]:
                fits = reset_env(envs[i], rules[0], bumps[0])
                _scatter(envs[i], scattered)
                room = fits and has_room(envs[i], rules[0]) and room
        share_done(shares, first, end, room)
