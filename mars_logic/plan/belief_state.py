"""The planner's belief state: a belief, a seen map and a status."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import kernel
from mars_logic.plan.move_costs import by_material, terrain_of, worth
from mars_logic.plan.observed_map import KINDS, UNSEEN, Cell
from mars_logic.plan.route import DIRECTIONS, FAR, Routes, shifted
from mars_logic.plan.spawning import SPAWN_GROUND, last_resort
from mars_logic.plan.surroundings import KnownState, Mask
from mars_logic.sim.daylight import daylight
from mars_logic.world import names
from mars_logic.world.dialect import AREA

DARK = 0.6
"""Daylight below which the night has come."""
_LINGER = 24
"""Steps for which what came in the dark is still about once it is light."""
_AMPLE = 2000
"""Number of remaining steps above which waiting is free."""
_AROUND, _ROOM = 8, 6
_SOON = 12
"""Steps that a creature may take before a nap is over."""
_ELBOW_ROOM = 40
"""Cells without which the player counts as shut in."""


@cache
def is_dark(step: int) -> bool:
    """Whether it is dark at a step of an episode, or was a moment ago."""
    return min(daylight(step), daylight(max(0, step - _LINGER))) < DARK


@dataclass(frozen=True)
class BeliefState(KnownState):
    """The state from which the planner's layers decide; see :class:`KnownState` for its fields."""

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
        """Whether it is dark, and creatures that spawn in the dark approach and do harm."""
        return self.dark and self.model.prowled

    @property
    def unhurried(self) -> bool:
        """Whether so much of the episode is left that waiting costs nothing."""
        return self.model.length - self.status.step > _AMPLE

    @cached_property
    def lonely(self) -> Mask:
        """bool[64, 64]: cells with little ground around on which creatures come that strike.

        In worlds that add ground, also cells beside which no such creature can walk.
        """
        grounds = [g for being, g in SPAWN_GROUND.items() if self._strikes(being)]
        mask: Mask = self.cells_around(grounds, _AROUND) < _ROOM
        return mask | self._out_of_reach if self.model.words.added else mask

    @property
    def _out_of_reach(self) -> Mask:
        codes = np.where(self.seen.materials == UNSEEN, 0, self.seen.materials)
        reached = np.zeros_like(codes, np.bool_)
        for kind in map(KINDS.index, filter(self._strikes, SPAWN_GROUND)):
            walked = self.model.walked_by(kind)[codes]
            reached |= walked
            for dx, dy in DIRECTIONS:
                reached |= shifted(walked, dx, dy)
        mask: Mask = ~reached
        return mask

    @cached_property
    def meadow(self) -> NDArray[np.float64]:
        """float64[64, 64]: the share of grass around, on which zombies come in the dark."""
        return self.around(SPAWN_GROUND["zombie"])

    def _strikes(self, being: str) -> bool:
        kind = KINDS.index(being)
        return self.model.blow(kind) > 0

    def kills(self, action: int) -> bool:
        """Whether a move takes all health that is left; who is stopped loses it where it stands."""
        if not 1 <= action <= len(DIRECTIONS):
            return False
        (x, y), (dx, dy) = self.seen.position, DIRECTIONS[action - 1]
        terrain, cell = self.routes.terrain, (x + dx, y + dy)
        stays = not self.seen.material_at(cell) or terrain.turns[cell]
        return self.status.amount("health") <= int(terrain.harm[(x, y) if stays else cell])

    @cached_property
    def point(self) -> int:
        """Current value of a point of health, in quarters of a step."""
        return worth(self.status.amount("health"))

    @cached_property
    def routes(self) -> Routes:
        """The costs of all places."""
        return Routes(terrain_of(self, self.last_resort), self.seen.position, self.seen.facing)

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
        there = self.routes.nearest_cell < FAR
        if not (self.seen.material_at(ahead) and there[ahead]):
            return there
        walk, open_cost = terrain.walk.copy(), terrain.open_cost.copy()
        walk[ahead] = open_cost[ahead] = 0
        closed = replace(terrain, walk=walk, open_cost=open_cost)
        reached: Mask = Routes(closed, self.seen.position, self.seen.facing).nearest_cell < FAR
        return reached

    @cached_property
    def approaches(self) -> Mask:
        """bool[64, 64]: cells from which creatures or arrows may soon get here, round corners."""
        passes = self._entered | self.made_of(*names.LIQUIDS)
        found: Mask = _within(passes, *self.seen.position, _SOON)
        return found

    @cached_property
    def trap(self) -> Cell | None:
        """The cell ahead, if collecting from it leaves something that shuts the player in."""
        ahead = self.seen.ahead
        code = self.seen.material_at(ahead)
        if code in (0, UNSEEN):
            return None
        material = self.model.words.materials[code]
        if not self.model.can_collect(material, self.held):
            return None
        left = self.model.world.collect[material].leaves
        code = self.code[left]
        passes = self.model.walkable[code] and not self.model.deadly[code]
        stays = left == material or passes
        if stays or self._dug[code]:
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
        """bool[materials]: those that can be made way without placing anything."""
        blocks = {item for place in self.model.world.place.values() for item in place.uses}
        tools = tuple((item, n) for item, n in self.held.items() if item not in blocks)
        _, opening, _, _ = by_material(self.model, tools, (), self.status.amount("health"))
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
