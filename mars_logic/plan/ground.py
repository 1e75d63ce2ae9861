"""The situation as the planner sees it: one belief, one seen map, one status."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import kernel
from mars_logic.plan.lore import CODE, Lore
from mars_logic.plan.route import DIRECTIONS, FAR, Routes
from mars_logic.plan.seen import AREA, KINDS, UNSEEN, Cell, SeenMap, Status, Thing
from mars_logic.plan.spawning import SPAWN_GROUND, last_resort
from mars_logic.plan.terrain import PLANT, by_material, terrain_of, worth
from mars_logic.sim.codes import LENGTHS
from mars_logic.world import names

DARK = 0.6
"""Daylight below which the night has come."""
_LINGER = 24
"""Steps for which what came in the dark is still about once it is light."""
_AMPLE = 2000
"""Who has more steps left than that can wait."""
_AROUND, _ROOM = 8, 6
_SIGHT = 6
_SEEN = (2 * _SIGHT + 1) ** 2
_SOON = 12
"""Steps that a creature may take before a nap is over."""
_ELBOW_ROOM = 40
"""Cells without which the player counts as shut in."""

Mask = NDArray[np.bool_]


def daylight(step: int) -> float:
    """How bright it is at a step of an episode, from 0 to 1."""
    return 1 - abs(math.cos(math.pi * (step / 300 % 1 + 0.3))) ** 3


def is_dark(step: int) -> bool:
    """Whether it is dark at a step of an episode, or was a moment ago."""
    return min(daylight(step), daylight(max(0, step - _LINGER))) < DARK


@dataclass(frozen=True)
class Situation:
    """What the layers of the planner decide from.

    Attributes:
        lore: What is believed.
        seen: The map, as far as it is known.
        status: What the player knows of itself.
        kept: Items, and how many of each, that are used up on ways only if little else helps.
    """

    lore: Lore
    seen: SeenMap
    status: Status
    kept: tuple[tuple[str, int], ...] = ()

    @cached_property
    def held(self) -> dict[str, int]:
        """The items held."""
        return self.status.held

    @cached_property
    def kinds(self) -> NDArray[np.uint8]:
        """uint8[64, 64]: the kind of thing on each cell."""
        return self.seen.kinds()

    @cached_property
    def free(self) -> Mask:
        """bool[64, 64]: no thing and no player is on the cell."""
        free: Mask = self.kinds == 0
        free[self.seen.position] = False
        return free

    @cached_property
    def fences(self) -> Mask:
        """bool[64, 64]: what stands beside a plant that is not ripe yet, and protects it."""
        mask = np.zeros((AREA, AREA), np.bool_)
        for plant in self.seen.of_kind("plant"):
            for dx, dy in DIRECTIONS:
                cell = (plant.x + dx, plant.y + dy)
                if self.seen.material_at(cell) not in (0, UNSEEN):
                    mask[cell] = not self.lets_in(cell)
        return mask

    @cached_property
    def creatures(self) -> tuple[Thing, ...]:
        """All cows, zombies and skeletons, the nearest first."""
        found = self.seen.of_kind(*names.CREATURES)
        return tuple(sorted(found, key=lambda t: (self.distance(t), t.x, t.y)))

    def distance(self, thing: Thing) -> int:
        """Steps between the player and a thing, not counting obstacles."""
        x, y = self.seen.position
        return abs(thing.x - x) + abs(thing.y - y)

    def creatures_within(self, steps: int) -> Iterator[Thing]:
        """The creatures that are no farther off, the nearest first."""
        return takewhile(lambda thing: self.distance(thing) <= steps, self.creatures)

    @cached_property
    def last_resort(self) -> Mask:
        """bool[64, 64]: ground that has to stay for creatures to come that are still to be met."""
        return last_resort(self)

    @property
    def dark(self) -> bool:
        """Whether it is dark, or was a moment ago."""
        return is_dark(self.status.step)

    @cached_property
    def haunted(self) -> bool:
        """Whether it is dark, and what comes in the dark approaches and does harm."""
        return self.dark and self.lore.prowled

    @property
    def unhurried(self) -> bool:
        """Whether so much of the episode is left that waiting costs nothing."""
        return LENGTHS[self.lore.world.dynamics] - self.status.step > _AMPLE

    @cached_property
    def lonely(self) -> Mask:
        """bool[64, 64]: cells with little ground around on which creatures come that strike."""
        grounds = [g for being, g in SPAWN_GROUND.items() if self._strikes(being)]
        mask: Mask = self._around(grounds, _AROUND) < _ROOM
        return mask

    @cached_property
    def meadow(self) -> NDArray[np.float64]:
        """float64[64, 64]: the share of grass around, on which zombies come in the dark."""
        return self.around(SPAWN_GROUND["zombie"])

    def around(self, material: str) -> NDArray[np.float64]:
        """float64[64, 64]: the share of a material around each cell."""
        share: NDArray[np.float64] = self._around([material], _SIGHT) / _SEEN
        return share

    def _around(self, materials: list[str], reach: int) -> NDArray[np.int64]:
        """int64[64, 64]: how many cells of some materials are at most so far off on both axes."""
        there = np.pad(self.seen.made_of(*materials), (reach + 1, reach))
        sums = there.cumsum(axis=0).cumsum(axis=1)
        size = 2 * reach + 1
        columns = sums[size:] - sums[:-size]
        counts: NDArray[np.int64] = columns[:, size:] - columns[:, :-size]
        return counts

    def _strikes(self, being: str) -> bool:
        kind = KINDS.index(being)
        return self.lore.blow(kind) > 0

    def kills(self, action: int) -> bool:
        """Whether a move takes all health that is left; who is stopped loses it where it stands."""
        if not 1 <= action <= len(DIRECTIONS):
            return False
        (x, y), (dx, dy) = self.seen.position, DIRECTIONS[action - 1]
        terrain, cell = self.routes.terrain, (x + dx, y + dy)
        stays = not self.seen.material_at(cell) or terrain.turns[cell]
        return self.status.amount("health") <= int(terrain.harm[(x, y) if stays else cell])

    def hostile(self, thing: Thing) -> bool:
        """Whether a creature may do harm."""
        return self.lore.blow(thing.kind) > 0 or self.lore.shot(thing.kind) > 0

    def of_material(self, *materials: str) -> Mask:
        """bool[64, 64]: cells of some materials with nothing on them."""
        mask: Mask = self.seen.made_of(*materials) & self.free
        return mask

    def near(self, material: str) -> Mask:
        """bool[64, 64]: cells from which a material is among the 3 x 3 cells around."""
        mask: Mask = widened(self.seen.materials == CODE[material], 1)
        mask[0, :] = mask[:, 0] = False  # the game finds nothing nearby there
        return mask

    @cached_property
    def point(self) -> int:
        """What a point of health is worth now, in quarters of a step."""
        return worth(self.status.amount("health"))

    @cached_property
    def routes(self) -> Routes:
        """The costs of all places."""
        return Routes(terrain_of(self), self.seen.position, self.seen.facing)

    @cached_property
    def footpaths(self) -> Routes:
        """The costs of all places for someone who leaves everything as it is."""
        closed = replace(
            self.routes.terrain, open_cost=np.zeros_like(self.routes.terrain.open_cost)
        )
        return Routes(closed, self.seen.position, self.seen.facing)

    @cached_property
    def reached_without_ahead(self) -> Mask:
        """bool[64, 64]: the cells to which there is a way that does not lead over the one ahead."""
        terrain, ahead = self.routes.terrain, self.seen.ahead
        there = self.routes.nearest_cell() < FAR
        if not (self.seen.material_at(ahead) and there[ahead]):
            return there
        walk, open_cost = terrain.walk.copy(), terrain.open_cost.copy()
        walk[ahead] = open_cost[ahead] = 0
        closed = replace(terrain, walk=walk, open_cost=open_cost)
        reached: Mask = Routes(closed, self.seen.position, self.seen.facing).nearest_cell() < FAR
        return reached

    @cached_property
    def frontier(self) -> Mask | None:
        """bool[64, 64]: known cells beside unknown ones; None if all are known."""
        unseen = self.seen.materials == UNSEEN
        if not unseen.any():
            return None
        padded = np.pad(unseen, 1)
        beside = padded[2:, 1:-1] | padded[:-2, 1:-1] | padded[1:-1, 2:] | padded[1:-1, :-2]
        mask: Mask = beside & ~unseen
        return mask

    def pocket(
        self, start: tuple[int, int], closed: frozenset[tuple[int, int]], most: int
    ) -> list[tuple[int, int]]:
        """Cells that creatures can walk on and that hang together here, up to a limit.

        Args:
            start: Where to begin; among them whatever it is.
            closed: Cells taken to be closed.
            most: More than so many need not be found.
        """
        found, seen = [start], {start, *closed}
        for x, y in found:
            for dx, dy in DIRECTIONS:
                cell = (x + dx, y + dy)
                if cell not in seen and self.lets_in(cell):
                    seen.add(cell)
                    found.append(cell)
            if len(found) > most:
                break
        return found

    @cached_property
    def approaches(self) -> Mask:
        """bool[64, 64]: cells from which creatures or arrows may soon get here, round corners."""
        passes = self._entered | self.seen.made_of(*names.LIQUIDS)
        found: Mask = _within(passes, *self.seen.position, _SOON)
        return found

    @cached_property
    def trap(self) -> Cell | None:
        """The cell ahead, if collecting from it leaves something that shuts the player in."""
        ahead = self.seen.ahead
        code = self.seen.material_at(ahead)
        if code in (0, UNSEEN):
            return None
        material = names.MATERIALS[code]
        if not self.lore.can_collect(material, self.held):
            return None
        left = self.lore.world.collect[material].leaves
        passes = self.lore.walkable[CODE[left]] and not self.lore.deadly[CODE[left]]
        stays = left == material or passes
        if stays or self._dug[CODE[left]]:
            return None
        return self.way_out

    @cached_property
    def way_out(self) -> Cell | None:
        """The cell ahead, if the player could not get about without it."""
        ahead = self.seen.ahead
        if not (0 <= ahead[0] < AREA and 0 <= ahead[1] < AREA):
            return None
        return ahead if self._roams(ahead) and not self._roams(None) else None

    @cached_property
    def _passable(self) -> Mask:
        """bool[64, 64]: cells to walk on, or to open; not with blocks, which run out."""
        codes = np.where(self.seen.materials == UNSEEN, 0, self.seen.materials)
        terrain = self.routes.terrain
        opens = (terrain.open_cost > 0) & (self._dug[codes] | ~self.free)
        passable: Mask = (terrain.walk > 0) | opens
        return passable

    @cached_property
    def _dug(self) -> Mask:
        """bool[13]: materials that can be made way without placing anything."""
        blocks = {item for place in self.lore.world.place.values() for item in place.uses}
        tools = tuple((item, n) for item, n in self.held.items() if item not in blocks)
        _, opening, _, _ = by_material(self.lore, tools, (), self.status.amount("health"))
        dug: Mask = opening > 0
        return dug

    def _roams(self, through: Cell | None) -> bool:
        """Whether the player can get about, through one cell or through any but the one ahead."""
        passes, closed = self._passable, self.seen.ahead
        position = self.seen.position
        found = [position if through is None else through]
        seen = {position, closed}
        for x, y in found:
            for dx, dy in DIRECTIONS:
                cell = (x + dx, y + dy)
                inside = 0 <= cell[0] < AREA and 0 <= cell[1] < AREA
                if inside and cell not in seen and passes[cell]:
                    seen.add(cell)
                    found.append(cell)
            if len(found) > _ELBOW_ROOM:
                return True
        return False

    def lets_in(self, cell: tuple[int, int]) -> bool:
        """Whether a creature may come to this cell."""
        return bool(self.seen.material_at(cell)) and bool(self._entered[cell])

    @cached_property
    def _entered(self) -> Mask:
        """bool[64, 64]: cells to which a creature may come."""
        unseen = self.seen.materials == UNSEEN
        walks = self.lore.creatures_walk[np.where(unseen, 0, self.seen.materials)]
        entered: Mask = unseen | (walks & (self.kinds != PLANT))
        return entered


@kernel
def widened(cells: Any, reach: int) -> Any:
    """bool[64, 64]: what is at most so far on both axes from one of some cells."""
    width, height = cells.shape
    found = np.zeros((width, height), np.bool_)
    for x in range(width):
        for y in range(height):
            if cells[x, y]:
                found[max(0, x - reach) : x + reach + 1, max(0, y - reach) : y + reach + 1] = True
    return found


@kernel
def _within(passes: Any, x: int, y: int, steps: int) -> Any:
    """bool[64, 64]: the cells that are so few steps from one, over cells that let things pass."""
    width, height = passes.shape
    found = np.zeros((width, height), np.bool_)
    queue = np.empty(width * height, np.int64)
    queue[0] = x * height + y
    found[x, y] = True
    begin, end = 0, 1
    for _ in range(steps):
        last = end
        while begin < last:
            here = queue[begin]
            begin += 1
            for side in range(4):
                nx = here // height + (side == 1) - (side == 0)
                ny = here % height + (side == 3) - (side == 2)
                if nx < 0 or ny < 0 or nx >= width or ny >= height:
                    continue
                if passes[nx, ny] and not found[nx, ny]:
                    found[nx, ny] = True
                    queue[end] = nx * height + ny
                    end += 1
    return found
