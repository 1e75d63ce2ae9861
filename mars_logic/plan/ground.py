"""The situation as the planner sees it: one belief, one seen map, one status, and what moves cost.

Costs weigh steps against health: losing a point matters the more, the fewer are left.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from mars_logic.plan.lore import ACTION, CODE, DO, NOOP, Lore
from mars_logic.plan.route import DIRECTIONS, STEP, Routes, Terrain
from mars_logic.plan.seen import AREA, KINDS, UNSEEN, Cell, SeenMap, Status, Thing
from mars_logic.world import names

ARROW, PLANT, RIPE = (KINDS.index(kind) for kind in ("arrow", "plant", "ripe_plant"))
_PRESENT = 6
"""Creatures farther off will have moved by the time that the player is there."""
DARK = 0.6
"""Daylight below which the night has come."""
SPAWN_GROUND = {"zombie": "grass", "skeleton": "path"}
"""Where creatures come during play: constants of the game, whatever these materials are."""
_AROUND, _ROOM = 8, 6
_SIGHT = 6
_SEEN = (2 * _SIGHT + 1) ** 2
_SOON = 12
"""Steps that a creature may take before a nap is over."""
_DEPTH = 3
"""At most so many interactions open a cell."""
POINTS = (160, 160, 160, 100, 100, 56, 56, 32, 32, 32)
"""What a point of health is worth, in quarters of a step, by the health that is left."""
_SORE, _SLOW = 64, 26 * STEP
"""What a point of health is worth at least where it is lost for sure, again and again; and where
nothing but time heals."""
_SCARCE = 12 * STEP
"""What it costs to use up an item that is kept for something else."""
_MEAL = 8 * STEP
"""What it costs to get a point of food or drink again."""
_BUILDABLE = ("stone", "table", "furnace")

_ELBOW_ROOM = 40
"""Cells without which the player counts as shut in."""

Mask = NDArray[np.bool_]


def daylight(step: int) -> float:
    """How bright it is at a step of an episode, from 0 to 1."""
    return 1 - abs(math.cos(math.pi * (step / 300 % 1 + 0.3))) ** 3


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

    @property
    def dark(self) -> bool:
        """Whether it is dark."""
        return self.status.daylight < DARK

    @cached_property
    def haunted(self) -> bool:
        """Whether it is dark, and what comes in the dark does harm."""
        return self.dark and self.lore.blow(KINDS.index("zombie")) > 0

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
        there = np.isin(self.seen.materials, [CODE[material] for material in materials])
        sums = np.pad(there, (reach + 1, reach)).cumsum(axis=0).cumsum(axis=1)
        size = 2 * reach + 1
        columns = sums[size:] - sums[:-size]
        counts: NDArray[np.int64] = columns[:, size:] - columns[:, :-size]
        return counts

    def _strikes(self, being: str) -> bool:
        kind = KINDS.index(being)
        return self.lore.blow(kind) > 0

    @property
    def dusk(self) -> bool:
        """Whether it will soon be dark, and what comes in the dark does harm."""
        soon = daylight(self.status.step + 40) < DARK
        return soon and self.lore.blow(KINDS.index("zombie")) > 0

    def hostile(self, thing: Thing) -> bool:
        """Whether a creature may do harm."""
        return self.lore.blow(thing.kind) > 0 or self.lore.shot(thing.kind) > 0

    def of_material(self, *materials: str) -> Mask:
        """bool[64, 64]: cells of some materials with nothing on them."""
        codes = [CODE[material] for material in materials]
        mask: Mask = np.isin(self.seen.materials, codes) & self.free
        return mask

    def near(self, material: str) -> Mask:
        """bool[64, 64]: cells from which a material is among the 3 x 3 cells around."""
        there = np.pad(self.seen.materials == CODE[material], 1)
        mask = np.zeros((AREA, AREA), np.bool_)
        for dx in range(3):
            for dy in range(3):
                mask |= there[dx : dx + AREA, dy : dy + AREA]
        mask[0, :] = mask[:, 0] = False  # the game finds nothing nearby there
        return mask

    @cached_property
    def point(self) -> int:
        """What a point of health is worth now, in quarters of a step."""
        return _point(self.status.amount("health"))

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
    def approaches(self) -> frozenset[Cell]:
        """Cells from which creatures or arrows may soon get to the player, round all corners."""
        start = self.seen.position
        found, steps = [start], {start: 0}
        for x, y in found:
            if steps[x, y] == _SOON:
                break
            for dx, dy in DIRECTIONS:
                cell = (x + dx, y + dy)
                if cell not in steps and (self.lets_in(cell) or self._lets_arrows_in(cell)):
                    steps[cell] = steps[x, y] + 1
                    found.append(cell)
        return frozenset(found)

    def _lets_arrows_in(self, cell: Cell) -> bool:
        code = self.seen.material_at(cell)
        return code not in (0, UNSEEN) and names.MATERIALS[code] in names.LIQUIDS

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
        health = self.status.amount("health")
        _, opening, _ = _by_material(self.lore, tuple(self.held.items()), self.kept, health)
        stays = left == material or self.lore.walkable[CODE[left]]
        if stays or opening[CODE[left]]:
            return None
        return self.way_out

    @cached_property
    def way_out(self) -> Cell | None:
        """The cell ahead, if the player could not get about without it."""
        ahead = self.seen.ahead
        return ahead if self._roams(ahead) and not self._roams(None) else None

    def _roams(self, through: Cell | None) -> bool:
        """Whether the player can get about, through one cell or through any but the one ahead."""
        terrain, closed = self.routes.terrain, self.seen.ahead
        position = self.seen.position
        found = [position if through is None else through]
        seen = {position, closed}
        for x, y in found:
            for dx, dy in DIRECTIONS:
                cell = (x + dx, y + dy)
                inside = 0 <= cell[0] < AREA and 0 <= cell[1] < AREA
                if inside and cell not in seen and (terrain.walk[cell] or terrain.open_cost[cell]):
                    seen.add(cell)
                    found.append(cell)
            if len(found) > _ELBOW_ROOM:
                return True
        return False

    def lets_in(self, cell: tuple[int, int]) -> bool:
        """Whether a creature may come to this cell."""
        code = self.seen.material_at(cell)
        if code == UNSEEN:
            return True
        return bool(self.lore.creatures_walk[code]) and self.kinds[cell] != PLANT


def _point(health: int) -> int:
    return POINTS[min(9, max(0, health))]


def _sore(lore: Lore, point: int) -> int:
    """What a point of health is worth where it is lost for sure, again and again."""
    return max(point, _SORE if (lore.walk_health > 0).any() else _SLOW)


def terrain_of(here: Situation) -> Terrain:
    """What moving costs in a situation."""
    health = here.status.amount("health")
    step, opening, action = _by_material(here.lore, tuple(here.held.items()), here.kept, health)
    codes = np.where(here.seen.materials == UNSEEN, 0, here.seen.materials)
    walk = step[codes]
    walkable = here.lore.walkable[codes]
    turns = ~walkable
    open_cost, open_action = opening[codes], action[codes]
    danger = _danger(here)
    walk = np.where(walk > 0, walk + danger, 0)
    open_cost = np.where(open_cost > 0, open_cost + danger, 0)
    open_cost[here.fences] = 0
    for thing in here.seen.things:
        cell = (thing.x, thing.y)
        if thing.kind in (PLANT, RIPE):
            walk[cell], turns[cell], open_cost[cell] = 0, True, 0
        elif thing.kind == ARROW or here.distance(thing) <= _PRESENT:
            onward = int(walk[cell])
            walk[cell], turns[cell] = 0, True
            killed = health + here.lore.eat_effect(thing.kind).health <= 0
            open_cost[cell] = _clearing(here, thing) + onward if onward and not killed else 0
            open_action[cell] = NOOP if thing.kind == ARROW else DO
        elif walk[cell]:
            walk[cell] += (here.lore.hits(thing.kind, here.held) + 2) * STEP
    harm = -here.lore.walk_health
    stay = STEP + np.maximum(0, harm) * _sore(here.lore, here.point)
    return Terrain(
        walk.astype(np.int32),
        turns,
        stay[codes].astype(np.int32),
        open_cost.astype(np.int32),
        open_action.astype(np.int32),
        harm[codes].astype(np.int32),
    )


def _clearing(here: Situation, thing: Thing) -> int:
    """What it costs to get a creature out of the way, with what killing it takes of the player."""
    if thing.kind == ARROW:
        return 4 * STEP
    effect = here.lore.eat_effect(thing.kind)
    lost = max(0, -effect.health) * here.point
    lost += (max(0, -effect.food) + max(0, -effect.drink)) * _MEAL
    return (here.lore.hits(thing.kind, here.held) + 2) * STEP + int(lost)


@lru_cache(maxsize=64)
def _by_material(
    lore: Lore,
    possessions: tuple[tuple[str, int], ...],
    kept: tuple[tuple[str, int], ...],
    health: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """By material: the cost of a step (0: never), of opening a cell and stepping, the action."""
    change, point, held = lore.walk_health, _point(health), dict(possessions)
    spare = {item: amount - dict(kept).get(item, 0) for item, amount in held.items()}
    step = STEP + np.maximum(0, -change) * _sore(lore, point)
    step = np.where(change > 0, STEP - 1 * (health < 9), step)
    allowed = lore.walkable & ~lore.deadly & (change + health > (1 if health > 1 else 0))
    step = np.where(allowed, step, 0)

    def openings(material: str, depth: int) -> Iterator[tuple[int, int]]:
        """(cost, first action) of each way to make a cell one to step on, and of stepping there."""
        if lore.can_collect(material, held):
            rule, effect = lore.world.collect[material], lore.collect_effect(material)
            survived = health + effect.health > 1 or effect.health >= 0
            if rule.leaves != material and survived and (rest := onward(rule.leaves, depth)):
                loss = max(0, -effect.health) * point + 4 * len(rule.spawns)
                yield int(STEP + loss + rest), DO
        for thing in _BUILDABLE:
            place = lore.world.place[thing]
            fits = material in place.where and thing != material
            if fits and _affords(held, place.uses) and (rest := onward(thing, depth)):
                price = 3 * STEP if _affords(spare, place.uses) else _SCARCE
                yield STEP + price * sum(place.uses.values()) + rest, ACTION[f"place_{thing}"]

    def onward(left: str, depth: int) -> int:
        if step[CODE[left]]:
            return int(step[CODE[left]])
        further = sorted(openings(left, depth - 1)) if depth > 1 else []
        return further[0][0] if further else 0

    opening, action = np.zeros_like(step), np.zeros_like(step)
    for material in names.MATERIALS[1:]:
        options = sorted(openings(material, _DEPTH))
        if options:
            opening[CODE[material]], action[CODE[material]] = options[0]
    return step, opening, action


def _affords(held: dict[str, int], uses: object) -> bool:
    amounts: dict[str, int] = dict(uses)  # type: ignore[call-overload]
    return all(held.get(item, 0) >= amount for item, amount in amounts.items())


def _danger(here: Situation) -> NDArray[np.int64]:
    """What it costs to be on each cell because of creatures that do harm."""
    cost = np.zeros((AREA, AREA), np.int64)
    blow = here.lore.blow(KINDS.index("zombie"))
    comers = int(3.5 - 3 * here.status.daylight)  # zombies in a chunk of grass, whatever grass is
    if blow and comers > 0:
        cost += (here.seen.materials == CODE["grass"]) * (blow * comers * here.point // 60)
    for thing in here.creatures:
        if here.distance(thing) > 14:
            break
        blow, shot = here.lore.blow(thing.kind), here.lore.shot(thing.kind)
        reach = 3 if here.lore.approaches(thing.kind) else 1
        if blow:
            _around(cost, thing, reach, blow * here.point // 6)
        if shot:
            _around(cost, thing, 3, shot * here.point // 16)
            for dx, dy in DIRECTIONS:
                _beam(here, cost, thing, (dx, dy), shot * here.point // 7)
    return cost


def _around(cost: NDArray[np.int64], thing: Thing, reach: int, amount: int) -> None:
    for dx in range(-reach, reach + 1):
        for dy in range(-reach, reach + 1):
            x, y = thing.x + dx, thing.y + dy
            far = abs(dx) + abs(dy)
            if far <= reach and 0 <= x < AREA and 0 <= y < AREA:
                cost[x, y] += amount // max(1, far)


def _beam(
    here: Situation, cost: NDArray[np.int64], thing: Thing, move: tuple[int, int], amount: int
) -> None:
    """Along the line of its arrows."""
    x, y = thing.x, thing.y
    for _ in range(5):
        x, y = x + move[0], y + move[1]
        code = here.seen.material_at((x, y))
        if code in (0, UNSEEN) or not (
            here.lore.walkable[code] or names.MATERIALS[code] in names.LIQUIDS
        ):
            return
        cost[x, y] += amount
