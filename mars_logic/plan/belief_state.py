"""The belief state: rules, map and status, with quantities derived from them.

It also prices movement (``terrain_of``): steps plus weighted losses of health; the weight grows as
health falls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.plan.expectation import Expectation
from mars_logic.plan.observed_map import KINDS, UNSEEN, Entity, ObservedMap, Status
from mars_logic.plan.routes import (
    ALIVE,
    ARROW,
    DIRECTIONS,
    MEAL,
    PLANT,
    RIPE,
    STEP,
    MoveCosts,
    Routes,
    _sore,
    by_material,
    shifted,
    worth,
)
from mars_logic.plan.world_model import DO, NOOP, SPAWN_GROUND, WorldModel, zombies_wanted
from mars_logic.sim.daylight import daylight
from mars_logic.world import names
from mars_logic.world.dialect import AREA, BALANCE, CHUNK, DAY

_PRESENT = 6
"""Distance beyond which creatures will have moved before the player arrives."""
_FELT = 14
"""Distance beyond which creatures do not change the price of a cell."""

Mask = NDArray[np.bool_]

_PLANT = KINDS.index("plant")
_SIGHT = 6
_SEEN = (2 * _SIGHT + 1) ** 2


DARK = 0.6
"""Daylight below which the night has come."""
_LINGER = 24
"""Steps after dawn in which creatures of the night are still about."""
_AMPLE, _PLANS = 2000, 2
"""Number of remaining steps above which waiting is free; or that many times the expected ones and a
day more, since nights in shelter leave two fifths of all steps."""
_HASTY = 1000
"""Number of remaining steps up to which waiting is never free."""
_AROUND, _ROOM = 8, 6
_SOON = 12
"""Steps that a creature may take before a nap is over."""


@cache
def is_dark(step: int) -> bool:
    """Whether it is dark at a step of an episode, or was shortly before."""
    return min(daylight(step), daylight(max(0, step - _LINGER))) < DARK


@dataclass(frozen=True)
class BeliefState:
    """The belief about the world and the player, with quantities derived from it.

    Attributes:
        model: What is believed.
        seen: The map, as far as it is known.
        status: What the player knows of itself.
        kept: Items, and how many of each, that are used up on ways only if little else helps.
        expected: What is expected out of view; None if nothing is.
        ahead: The expected steps of the remaining plan; None if unknown.
    """

    model: WorldModel
    seen: ObservedMap
    status: Status
    kept: tuple[tuple[str, int], ...] = ()
    expected: Expectation | None = None
    ahead: int | None = None

    @cached_property
    def held(self) -> dict[str, int]:
        """The items held."""
        held, needs = self.status.held, self.model.words.added_needs
        return {item: n for item, n in held.items() if item not in needs} if needs else held

    @property
    def code(self) -> Mapping[str, int]:
        """The codes of materials by name."""
        return self.model.code

    @property
    def actions(self) -> Mapping[str, int]:
        """The codes of actions by name."""
        return self.model.actions

    @cached_property
    def known_codes(self) -> NDArray[np.uint8]:
        """uint8[64, 64]: material codes, 0 where not seen."""
        codes: NDArray[np.uint8] = np.where(
            self.seen.materials == UNSEEN, np.uint8(0), self.seen.materials
        )
        return codes

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
    def creatures(self) -> tuple[Entity, ...]:
        """All creatures, the nearest first."""
        found = self.things_of(*self.model.creatures)
        return tuple(sorted(found, key=lambda t: (self.distance(t), t.x, t.y)))

    def things_of(self, *beings: str) -> tuple[Entity, ...]:
        """All creatures of some kinds."""
        codes = {self.model.kinds.index(being) for being in beings}
        return tuple(thing for thing in self.seen.things if thing.kind in codes)

    def distance(self, thing: Entity) -> int:
        """Steps between the player and a thing, not counting obstacles."""
        x, y = self.seen.position
        return abs(thing.x - x) + abs(thing.y - y)

    def creatures_within(self, steps: int) -> Iterator[Entity]:
        """The creatures within a distance, the nearest first."""
        return takewhile(lambda thing: self.distance(thing) <= steps, self.creatures)

    def hostile(self, thing: Entity) -> bool:
        """Whether a creature may do harm."""
        return self.model.blow(thing.kind) > 0 or self.model.shot(thing.kind) > 0

    @cached_property
    def attackers(self) -> tuple[Entity, ...]:
        """The creatures that may do harm, the nearest first."""
        return tuple(filter(self.hostile, self.creatures))

    def made_of(self, *materials: str) -> Mask:
        """bool[64, 64]: cells of some materials, occupied or not."""
        wanted = np.zeros(UNSEEN + 1, np.bool_)
        wanted[[self.code[material] for material in materials]] = True
        mask: Mask = wanted[self.seen.materials]
        return mask

    def of_material(self, *materials: str) -> Mask:
        """bool[64, 64]: cells of some materials with nothing on them."""
        mask: Mask = self.made_of(*materials) & self.free
        return mask

    def near(self, material: str) -> Mask:
        """bool[64, 64]: cells from which a material is among the 3 x 3 cells around."""
        mask: Mask = widened(self.seen.materials == self.code[material], 1)
        mask[0, :] = mask[:, 0] = False  # the game finds nothing nearby there
        return mask

    def around(self, material: str) -> NDArray[np.float64]:
        """float64[64, 64]: the share of a material around each cell."""
        share: NDArray[np.float64] = self.cells_around([material], _SIGHT) / _SEEN
        return share

    def cells_around(self, materials: list[str], reach: int) -> NDArray[np.int64]:
        """int64[64, 64]: how many cells of some materials are within reach on both axes."""
        there = np.pad(self.made_of(*materials), (reach + 1, reach))
        sums = there.cumsum(axis=0).cumsum(axis=1)
        size = 2 * reach + 1
        columns = sums[size:] - sums[:-size]
        counts: NDArray[np.int64] = columns[:, size:] - columns[:, :-size]
        return counts

    def pocket(
        self, start: tuple[int, int], closed: frozenset[tuple[int, int]], most: int
    ) -> list[tuple[int, int]]:
        """Cells that creatures can walk on and that hang together here, up to a limit.

        Args:
            start: The first cell; it counts whatever its material.
            closed: Cells taken to be closed.
            most: The search stops beyond this number.
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

    def lets_in(self, cell: tuple[int, int]) -> bool:
        """Whether a creature may come to this cell."""
        return bool(self.seen.material_at(cell)) and bool(self._entered[cell])

    @cached_property
    def _entered(self) -> Mask:
        """bool[64, 64]: cells to which a creature may come."""
        unseen = self.seen.materials == UNSEEN
        walks = self.model.creatures_walk[self.known_codes]
        entered: Mask = unseen | (walks & (self.kinds != _PLANT))
        return entered

    @property
    def dark(self) -> bool:
        """Whether it is dark, or was a moment ago."""
        return is_dark(self.status.step)

    @cached_property
    def night_danger(self) -> bool:
        """Whether it is dark, and creatures that spawn in the dark approach and do harm."""
        return self.dark and self.model.zombies_attack

    @property
    def has_ample_time(self) -> bool:
        """Whether so much of the episode is left that waiting costs nothing."""
        left = self.model.length - self.status.step
        most = _AMPLE if self.ahead is None else min(_AMPLE, _PLANS * self.ahead + DAY)
        return left > max(most, _HASTY)

    @cached_property
    def far_from_spawns(self) -> Mask:
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
    def grass_share(self) -> NDArray[np.float64]:
        """float64[64, 64]: the share of grass around, on which zombies come in the dark."""
        return self.around(SPAWN_GROUND["zombie"])

    def _strikes(self, being: str) -> bool:
        kind = KINDS.index(being)
        return self.model.blow(kind) > 0

    def kills(self, action: int) -> bool:
        """Whether a move takes all health; a blocked move costs the health of the current cell."""
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
        return Routes(terrain_of(self), self.seen.position, self.seen.facing)

    @cached_property
    def footpaths(self) -> Routes:
        """The costs of all places without digging, placing or killing on the way."""
        terrain = self.routes.terrain
        closed = terrain._replace(open_cost=np.zeros_like(terrain.open_cost))
        return Routes(closed, self.seen.position, self.seen.facing)

    @cached_property
    def approaches(self) -> Mask:
        """bool[64, 64]: cells from which creatures or arrows may soon get here, round corners."""
        passes = self._entered | self.made_of(*names.LIQUIDS)
        found: Mask = _within(passes, *self.seen.position, _SOON)
        return found


@kernel
def widened(cells: Any, reach: int) -> Any:
    """bool[64, 64]: cells within reach, on both axes, of a cell of the mask."""
    width, height = cells.shape
    found = np.zeros((width, height), np.bool_)
    for x in range(width):
        for y in range(height):
            if cells[x, y]:
                found[max(0, x - reach) : x + reach + 1, max(0, y - reach) : y + reach + 1] = True
    return found


def spawn_cells(here: BeliefState, being: str) -> Mask:
    """bool[64, 64]: the cells on which a creature may come."""
    there = here.seen.materials == here.code[SPAWN_GROUND[being]]
    mask: Mask = there & (_in_chunk(there) >= BALANCE[being].enough)
    return mask


def is_wanted(here: BeliefState, being: str) -> bool:
    """Whether an achievement is still to be had of a creature."""
    goals = set(here.model.world.achievements) - here.status.unlocked
    return any(goal.endswith(f"_{being}") for goal in goals)


def _in_chunk(there: Mask) -> NDArray[np.int64]:
    """int64[64, 64]: how many cells of a mask are in the same chunk as each cell."""
    starts = np.arange(0, AREA, CHUNK)
    columns = np.add.reduceat(there, starts, axis=0, dtype=np.int64)
    sums = np.add.reduceat(columns, starts, axis=1)
    counts: NDArray[np.int64] = sums.repeat(CHUNK, axis=0).repeat(CHUNK, axis=1)[:AREA, :AREA]
    return counts


@kernel
def _within(passes: Any, x: int, y: int, steps: int) -> Any:
    """bool[64, 64]: the cells within some steps of one, over cells that let things pass."""
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


def survives(here: BeliefState, harm: int, least: int = ALIVE) -> bool:
    """Whether a way that takes so much health leaves enough."""
    return harm == 0 or here.status.amount("health") - harm >= least


def terrain_of(here: BeliefState) -> MoveCosts:
    """The costs of movement."""
    health = here.status.amount("health")
    wastes = min(here.status.amount(vital) for vital in ("food", "drink", "energy")) == 0
    step, opening, action, taken = by_material(
        here.model, tuple(here.held.items()), here.kept, health, wastes=wastes
    )
    codes = here.known_codes
    walk = step[codes]
    walkable = here.model.walkable[codes]
    turns = ~walkable
    open_cost, open_action, open_harm = opening[codes], action[codes], taken[codes]
    danger = _danger(here)
    walk = np.where(walk > 0, walk + danger, 0)
    open_cost = np.where(open_cost > 0, open_cost + danger, 0)
    open_cost[here.fences] = 0
    harm = -here.model.walk_health
    strokes = {
        kind: here.model.hits(kind, here.held)
        for kind in map(here.model.kinds.index, here.model.creatures)
    }
    for thing in here.seen.things:
        cell = (thing.x, thing.y)
        if thing.kind in (PLANT, RIPE):
            walk[cell], turns[cell], open_cost[cell] = 0, True, 0
        elif thing.kind == ARROW or here.distance(thing) <= _PRESENT:
            onward = int(walk[cell])
            walk[cell], turns[cell] = 0, True
            killed = health + here.model.eat_effect(thing.kind).health <= 0
            stays = killed or not here.model.hunts(here.model.kinds[thing.kind], here.held)
            open_cost[cell] = _clearing(here, thing) + onward if onward and not stays else 0
            open_action[cell] = NOOP if thing.kind == ARROW else DO
            taken_by_it = max(0, -int(here.model.eat_effect(thing.kind).health))
            open_harm[cell] = harm[codes[cell]] + (0 if thing.kind == ARROW else taken_by_it)
        elif walk[cell]:
            walk[cell] += (strokes[thing.kind] + 2) * STEP
    stay = STEP + np.maximum(0, harm) * _sore(here.model, health)
    costs = (stay[codes], open_cost, open_action, harm[codes], open_harm)
    return MoveCosts(walk.astype(np.int32), turns, *(each.astype(np.int32) for each in costs))


def _clearing(here: BeliefState, thing: Entity) -> int:
    """The cost of removing a creature from the way, including the effects of killing it."""
    if thing.kind == ARROW:
        return 4 * STEP
    effect = here.model.eat_effect(thing.kind)
    lost = max(0, -effect.health) * worth(here.status.amount("health"))
    lost += (max(0, -effect.food) + max(0, -effect.drink)) * MEAL
    return (here.model.hits(thing.kind, here.held) + 2) * STEP + int(lost)


def _danger(here: BeliefState) -> NDArray[np.int64]:
    """Cost of each cell due to harmful creatures."""
    cost, point = np.zeros((AREA, AREA), np.int64), worth(here.status.amount("health"))
    blow = here.model.blow(KINDS.index("zombie"))
    zombies = zombies_wanted(here.status.daylight)
    if blow and zombies > 0:
        ground = here.seen.materials == here.code[SPAWN_GROUND["zombie"]]
        cost += ground * (blow * zombies * point // 60)
    flies = _flown_over(here)
    for thing in here.creatures_within(_FELT):
        blow, shot = here.model.blow(thing.kind), here.model.shot(thing.kind)
        reach = 3 if here.model.approaches(thing.kind) else 1
        if blow:
            _around(cost, thing.x, thing.y, reach, blow * point // 6)
        if shot:
            _around(cost, thing.x, thing.y, 3, shot * point // 16)
            _beams(cost, flies, thing.x, thing.y, shot * point // 7)
    return cost


def _flown_over(here: BeliefState) -> NDArray[np.bool_]:
    """bool[64, 64]: the cells over which arrows fly."""
    walked = here.model.walkable[here.known_codes] & (here.seen.materials != UNSEEN)
    flown_over: NDArray[np.bool_] = walked | here.made_of(*names.LIQUIDS)
    return flown_over


@kernel
def _around(cost: Any, x: int, y: int, reach: int, amount: int) -> None:
    """Less, the farther off."""
    for dx in range(-reach, reach + 1):
        for dy in range(-reach, reach + 1):
            far = abs(dx) + abs(dy)
            if far <= reach and 0 <= x + dx < AREA and 0 <= y + dy < AREA:
                cost[x + dx, y + dy] += amount // max(1, far)


@kernel
def _beams(cost: Any, flies: Any, x: int, y: int, amount: int) -> None:
    """Along the four lines of its arrows."""
    for side in range(4):
        dx = (side == 1) - (side == 0)
        dy = (side == 3) - (side == 2)
        for far in range(1, 6):
            nx, ny = x + far * dx, y + far * dy
            if nx < 0 or ny < 0 or nx >= AREA or ny >= AREA or not flies[nx, ny]:
                break
            cost[nx, ny] += amount
