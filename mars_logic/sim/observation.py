"""Observations of the players of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.sim.board import cell_number, is_traced, is_wide
from mars_logic.sim.codes import ARROW, ARROW_LEFT, NUM_ITEMS, OTHER_LOOKS, PLANT, RIPE_PLANT
from mars_logic.sim.fetching import fetch_head, fetch_view
from mars_logic.sim.layout import BORDER, Env, Thing
from mars_logic.sim.player import is_ripe
from mars_logic.sim.rules_record import Rules
from mars_logic.sim.sharing import Shares, share_done, take_share
from mars_logic.sim.vectors import copy_some, split
from mars_logic.world import names
from mars_logic.world.dialect import VIEW_HEIGHT, VIEW_WIDTH
from mars_logic.world.vocabulary import Vocabulary


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
        marks: uint8[n, 9, 9]: marks on the same cells, in dialects with traces; else None.

    The sizes are those of Crafter and Mars; other dialects have their own view and inventory.
    """

    materials: NDArray[np.uint8]
    objects: NDArray[np.uint8]
    inventory: NDArray[np.int16]
    facing: NDArray[np.int8]
    sleeping: NDArray[np.bool_]
    daylight: NDArray[np.float64]
    marks: NDArray[np.uint8] | None = None

    @property
    def status(self) -> NDArray[np.int16]:
        """int16[n, 4]: health, food, drink, energy; the first four of the inventory."""
        return self.inventory[:, : len(names.VITALS)]

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All arrays in the order of the attributes, except the marks."""
        return (
            *(self.materials, self.objects, self.inventory),
            *(self.facing, self.sleeping, self.daylight),
        )

    def part(self, which: slice) -> Observation:
        """Some of the environments; the arrays are views."""
        named = self._named()
        return Observation(**{name: array[which] for name, array in named.items()})

    @classmethod
    def joined(cls, parts: Sequence[Observation]) -> Observation:
        """Several observations as one, in copies."""
        names_ = parts[0]._named()
        return cls(**{n: np.concatenate([each._named()[n] for each in parts]) for n in names_})

    def _named(self) -> dict[str, NDArray[Any]]:
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: array for name, array in found.items() if array is not None}

    @classmethod
    def empty(cls, n: int, words: Vocabulary | None = None) -> Observation:
        """Arrays for n environments, to be filled.

        Args:
            n: Their number.
            words: The vocabulary, Crafter's by default.
        """
        layout = _layout(words)
        return cls(**{name: np.empty((n, *shape), dtype) for name, (dtype, shape) in layout})

    def require_size(self, n: int, words: Vocabulary | None = None) -> None:
        """Check that these are arrays for n environments that can be filled.

        Raises:
            ValueError: An array is of another type or shape, not C-contiguous, or read-only.
        """
        for name, (dtype, shape) in _layout(words):
            array = getattr(self, name)
            flags = getattr(array, "flags", None)
            if (
                flags is None
                or (array.dtype, array.shape) != (dtype, (n, *shape))
                or not (flags.c_contiguous and flags.writeable)
            ):
                wanted = f"{np.dtype(dtype)}{[n, *shape]}"
                raise ValueError(f"out.{name} must be a writeable, contiguous array {wanted}")


@cache
def _layout(words: Vocabulary | None) -> tuple[tuple[str, tuple[Any, tuple[int, ...]]], ...]:
    """Name, type and shape of each array of an observation, without the first axis."""
    view = words.view if words else (VIEW_WIDTH, VIEW_HEIGHT)
    arrays: dict[str, tuple[Any, tuple[int, ...]]] = {
        "materials": (np.uint8, view),
        "objects": (np.uint8, view),
        "inventory": (np.int16, (len(words.items) if words else NUM_ITEMS,)),
        "facing": (np.int8, (2,)),
        "sleeping": (np.bool_, ()),
        "daylight": (np.float64, ()),
    }
    if words and words.traced:
        arrays["marks"] = (np.uint8, view)
    return tuple(arrays.items())


@kernel
def observe_batch(
    envs: Any,
    rules: Any,
    daylight_table: Any,
    out: Any,
    shares: Shares,
    thread: int,
) -> None:
    """Fill the arrays of an :class:`Observation`."""
    while True:
        first, end = take_share(shares, thread)
        if first == end:
            break
        _observe_some(envs, rules, daylight_table, out, first, end)
        share_done(shares, first, end, True)


@kernel
def _observe_some(
    envs: Any,
    rules: Any,
    daylight_table: Any,
    out: Any,
    first: int,
    last: int,
) -> None:
    materials, objects, inventory, facing, sleeping, daylight = out
    for i in range(first, last):
        if i + 2 < last:
            fetch_head(envs[i + 2])
            fetch_view(envs[i + 1], is_wide(envs[i + 1]))
        env = envs[i]
        player = env.player
        # The record's type decides it: to the compiler, the view is a constant.
        height = VIEW_WIDTH if is_traced(env) else VIEW_HEIGHT
        left, top = BORDER - VIEW_WIDTH // 2, BORDER - height // 2
        changing = 0
        for column in range(VIEW_WIDTH):
            cell = cell_number(player.x + left + column, player.y + top)
            where = (i * VIEW_WIDTH + column) * height
            # Arrows and plants vary in appearance.
            changing |= split(env.cells, cell, materials, objects, where, height, 16 * ARROW)
            if is_wide(env):  # the first layer cannot tell all materials apart
                copy_some(env.marks, cell, materials, where, height)
        if changing:
            _show_things(env, rules[0], objects, i)
        items = inventory.shape[1] if is_wide(env) else len(player.inventory)
        for item in range(items):
            inventory[i, item] = player.inventory[item]
        facing[i, 0] = player.facing_x
        facing[i, 1] = player.facing_y
        sleeping[i] = player.sleeping
        daylight[i] = daylight_table[env.step]


@kernel
def observe_marks(envs: Any, marks: Any, shares: Shares, thread: int) -> None:
    """Fill the marks of an :class:`Observation`."""
    width, height = marks.shape[1], marks.shape[2]
    left, top = BORDER - width // 2, BORDER - height // 2
    while True:
        first, end = take_share(shares, thread)
        if first == end:
            break
        for i in range(first, end):
            env = envs[i]
            for column in range(width):
                for row in range(height):
                    mark = env.marks[env.player.x + left + column, env.player.y + top + row]
                    marks[i, column, row] = mark
        share_done(shares, first, end, True)


@kernel
def _show_things(env: Env, rules: Rules, objects: Any, i: int) -> None:
    """Show which plants in view are ripe, and where arrows fly."""
    width, height = objects.shape[1], objects.shape[2]
    for number in range(env.num_things):
        thing = env.things[number]
        if thing.kind < ARROW:
            continue
        column = env.thing_x[number] - env.player.x + width // 2
        row = env.thing_y[number] - env.player.y + height // 2
        if 0 <= column < width and 0 <= row < height:
            objects[i, column, row] = _look(rules, thing)


@kernel
def _look(rules: Rules, thing: Thing) -> int:
    if thing.kind == PLANT:
        return RIPE_PLANT if is_ripe(thing, rules) else PLANT
    if thing.kind > PLANT:
        return OTHER_LOOKS + int(thing.kind) - PLANT - 1
    # The four arrows in the order of directions: left, right, up, down.
    vertical = thing.facing_x == 0
    return ARROW_LEFT + 2 * int(vertical) + int(thing.facing_x + thing.facing_y > 0)
