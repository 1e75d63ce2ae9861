"""Routes: the cheapest way to stand somewhere and face something.

A place is a cell and a direction, since ``do`` and ``place`` reach only the cell that the player
faces, and turning towards ground that can be walked on is walking onto it. Costs are in quarters of
a step. One search from the player's place prices all places; tasks then compare what they need.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.plan.observed_map import KINDS
from mars_logic.plan.world_model import DO, WorldModel
from mars_logic.world.dialect import MAXIMUM

STEP: Final = 4
"""The cost of one step."""
FAR: Final = 1 << 29
"""The cost of unreachable places."""
DIRECTIONS: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""Left, right, up, down: the order of the move actions, which are 1 to 4."""
_LIMIT: Final = 1023
_ALL: Final = np.ones((64, 64), np.bool_)


class MoveCosts(NamedTuple):
    """Costs of movement by cell; all arrays are indexed [x, y].

    Attributes:
        walk: int32: the cost of stepping on a cell, 0 where the player must not.
        turns: bool: whether moving towards the cell only turns the player (something is in the
            way, or it cannot be walked on).
        stay: int32: the cost of turning while standing on a cell.
        open_cost: int32: what it costs to make a cell one that can be stepped on, 0 where it can't.
        open_action: int32: the action with which that begins.
        harm: int32: what a move that ends on a cell takes of health; negative where it heals.
        open_harm: int32: what making a cell one that can be stepped on, and the step, take.
    """

    walk: NDArray[np.int32]
    turns: NDArray[np.bool_]
    stay: NDArray[np.int32]
    open_cost: NDArray[np.int32]
    open_action: NDArray[np.int32]
    harm: NDArray[np.int32]
    open_harm: NDArray[np.int32]


class Route(NamedTuple):
    """The way to a place.

    Attributes:
        cost: What it costs, in quarters of a step; :data:`FAR` if there is none.
        first: The action with which it begins, -1 if the player is there or there is none.
        harm: How much health it takes, from beginning to end.
        end: The cell on which it ends; None if there is none.
        worst: The largest loss of health before healing ground makes up for it.
    """

    cost: int
    first: int
    harm: int
    end: tuple[int, int] | None = None
    worst: int = 0


class Routes:
    """The costs of all places from where the player is."""

    def __init__(self, terrain: MoveCosts, position: tuple[int, int], facing: tuple[int, int]):
        """Search once.

        Args:
            terrain: What moving costs.
            position: The player's cell.
            facing: The direction that it looks in.
        """
        self.terrain = terrain
        self.start = (*position, DIRECTIONS.index(facing) if facing in DIRECTIONS else 3)
        self.cost, self._first, self._harm, self._worst = _search(*terrain, *self.start)

    def reach(self, facing: NDArray[np.bool_] | None, standing: NDArray[np.bool_] | None) -> Route:
        """The cheapest place that faces one of some cells, from one of some cells.

        Args:
            facing: bool[64, 64]: the cells to face; None for any.
            standing: bool[64, 64]: the cells to stand on; None for any.
        """
        best, direction, x, y = _cheapest(
            self.cost,
            _ALL if facing is None else facing,
            _ALL if standing is None else standing,
            facing is not None,
        )
        if best >= FAR:
            return Route(FAR, -1, 0)
        place = (direction, x, y)
        harm, worst = int(self._harm[place]), int(self._worst[place])
        return Route(best, int(self._first[place]), harm, place[1:], worst)

    @cached_property
    def nearest_cell(self) -> NDArray[np.int32]:
        """int32[64, 64]: the cost of getting to each cell, whatever the direction."""
        lowest: NDArray[np.int32] = self.cost.min(axis=0)
        return lowest


@kernel
def _cheapest(cost: Any, facing: Any, standing: Any, faces: bool) -> tuple[int, int, int, int]:
    """The least cost of a place, and the place; :data:`FAR` if none can be reached."""
    width, height = standing.shape
    best, direction, at_x, at_y = FAR, 0, 0, 0
    for side in range(4):
        dx = (side == 1) - (side == 0)
        dy = (side == 3) - (side == 2)
        for x in range(width):
            for y in range(height):
                if cost[side, x, y] >= best or not standing[x, y]:
                    continue
                nx, ny = x + dx, y + dy
                if faces and (nx < 0 or ny < 0 or nx >= width or ny >= height):
                    continue
                if faces and not facing[nx, ny]:
                    continue
                best, direction, at_x, at_y = cost[side, x, y], side, x, y
    return best, direction, at_x, at_y


def shifted(mask: NDArray[np.bool_], dx: int, dy: int) -> NDArray[np.bool_]:
    """Where the next cell in a direction is in the mask."""
    result = np.zeros_like(mask)
    width, height = mask.shape
    result[max(0, -dx) : width - max(0, dx), max(0, -dy) : height - max(0, dy)] = mask[
        max(0, dx) : width - max(0, -dx), max(0, dy) : height - max(0, -dy)
    ]
    return result


@kernel
def _search(
    walk: Any,
    turns: Any,
    stay: Any,
    open_cost: Any,
    open_action: Any,
    harm_of: Any,
    open_harm: Any,
    start_x: int,
    start_y: int,
    start_direction: int,
) -> tuple[Any, Any, Any, Any]:
    """Dijkstra with buckets over (direction, x, y): cost, first action, harm and worst of ways."""
    width, height = walk.shape
    area = width * height
    cost = np.full(4 * area, FAR, np.int32)
    first = np.full(4 * area, -1, np.int32)
    harm = np.zeros(4 * area, np.int32)
    worst = np.zeros(4 * area, np.int32)
    # From a cell, moves onto others and turns cost the same whatever the direction looked in: only
    # the cheapest of its four places has to be followed, and from the others what opens a cell.
    followed = np.zeros(area, np.bool_)
    room = 16 * area + 16
    entry_state = np.empty(room, np.int32)
    entry_cost = np.empty(room, np.int32)
    entry_next = np.empty(room, np.int32)
    head = np.full(_LIMIT + 1, -1, np.int32)
    entries = 1
    start = start_direction * area + start_x * height + start_y
    cost[start] = 0
    entry_state[0], entry_cost[0], entry_next[0] = start, 0, -1
    head[0] = 0
    waiting = 1
    now = 0
    while waiting > 0:
        bucket = now & _LIMIT
        while head[bucket] >= 0:
            entry = head[bucket]
            head[bucket] = entry_next[entry]
            waiting -= 1
            state = entry_state[entry]
            if entry_cost[entry] != cost[state]:
                continue
            direction = state // area
            here = state - direction * area
            x = here // height
            y = here - x * height
            again = followed[here]
            followed[here] = True
            for new in range(4):
                if again and new != direction:
                    continue
                nx = x + (new == 1) - (new == 0)
                ny = y + (new == 3) - (new == 2)
                if nx < 0 or ny < 0 or nx >= width or ny >= height:
                    inside = False
                    blocked = True
                else:
                    inside = True
                    blocked = turns[nx, ny]
                action = 1 + new
                walks = not blocked and walk[nx, ny] > 0
                opens = inside and new == direction and open_cost[nx, ny] > 0
                if opens and not (walks and walk[nx, ny] <= open_cost[nx, ny]):
                    # also what can be walked on, where other ground takes less of health
                    cell = nx * height + ny
                    more = open_cost[nx, ny]
                    action = open_action[nx, ny]
                    lost = open_harm[nx, ny]
                elif again:
                    continue
                elif walks:
                    cell = nx * height + ny
                    more = walk[nx, ny]
                    lost = harm_of[nx, ny]
                elif blocked and new != direction:
                    cell = here
                    more = stay[x, y]
                    lost = harm_of[x, y]
                else:
                    continue
                if more > _LIMIT:
                    more = _LIMIT
                total = now + more
                target = new * area + cell
                if total < cost[target]:
                    cost[target] = total
                    first[target] = action if state == start else first[state]
                    harm[target] = max(0, harm[state] + lost)
                    worst[target] = max(worst[state], harm[target])
                    entry_state[entries] = target
                    entry_cost[entries] = total
                    slot = total & _LIMIT
                    entry_next[entries] = head[slot]
                    head[slot] = entries
                    entries += 1
                    waiting += 1
        now += 1
    shape = (4, width, height)
    harm, worst = harm.reshape(shape), worst.reshape(shape)
    return cost.reshape(shape), first.reshape(shape), harm, worst


ARROW, PLANT, RIPE = (KINDS.index(kind) for kind in ("arrow", "plant", "ripe_plant"))
_DEPTH = 3
"""Maximum number of interactions that open a cell."""
POINTS = (160, 160, 160, 100, 100, 56, 56, 32, 32, 32)
"""Value of a point of health, in quarters of a step, by remaining health."""
_SORE, _SLOW, _HURT = 64, 26 * STEP, 6
"""Least value of a point of health that is lost for certain; the larger one at or below the third
number of health, where only time heals."""
ALIVE = 2
"""The health that a way has to leave."""
SCARCE = 40 * STEP
"""Cost of using up a reserved item or ground cell."""
MEAL = 8 * STEP
"""Cost of regaining a point of food or drink."""


def worth(health: int) -> int:
    """Value of a point of health, in quarters of a step, at this health."""
    return POINTS[min(MAXIMUM, max(0, health))]


def _sore(model: WorldModel, health: int) -> int:
    """Value of a point of health where it is certainly lost, repeatedly."""
    slow = health <= _HURT and not (model.walk_health > 0).any()
    return max(worth(health), _SLOW if slow else _SORE)


@lru_cache(maxsize=64)
def by_material(
    model: WorldModel,
    possessions: tuple[tuple[str, int], ...],
    kept: tuple[tuple[str, int], ...],
    health: int,
    *,
    wastes: bool = False,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """By material: the cost of a step (0: never); of opening a cell and stepping, action and harm.

    Health may drop to one point only if the player would otherwise lose it in place.
    """
    change, point, held = model.walk_health, worth(health), dict(possessions)
    spare = {item: amount - dict(kept).get(item, 0) for item, amount in held.items()}
    step = STEP + np.maximum(0, -change) * _sore(model, health)
    step = np.where(change > 0, STEP - 1 * (health < MAXIMUM), step)
    allowed = (
        model.walkable & ~model.deadly & (change + health > (1 if health > 1 and not wastes else 0))
    )
    step = np.where(allowed, step, 0)

    def openings(material: str, depth: int) -> Iterator[tuple[int, int, int]]:
        """(cost, first action, harm) of each way to make a cell one to step on, and of the step."""
        if model.can_collect(material, held):
            rule, effect = model.world.collect[material], model.collect_effect(material)
            survived = health + effect.health > 1 or effect.health >= 0
            if rule.leaves != material and survived and (rest := onward(rule.leaves, depth)):
                lost = max(0, -effect.health)
                cost = STEP + lost * point + 4 * len(rule.spawns) + rest[0]
                yield int(cost), DO, int(lost + rest[1])
        for thing, place in model.world.place.items():
            if thing not in model.code:
                continue  # a plant cannot be walked on
            fits = material in place.where and thing != material
            if fits and _affords(held, place.uses) and (rest := onward(thing, depth)):
                price = 3 * STEP if _affords(spare, place.uses) else SCARCE
                cost = STEP + price * sum(place.uses.values()) + rest[0]
                yield cost, model.actions[f"place_{thing}"], rest[1]

    def onward(left: str, depth: int) -> tuple[int, int] | None:
        """(cost, harm) of stepping on what is left, or on what can be made of it."""
        code = model.code[left]
        ways = [(int(step[code]), -int(change[code]))] if step[code] else []
        if depth > 1 and (not ways or change[code] < 0):
            ways += [(cost, harm) for cost, _, harm in openings(left, depth - 1)]
        return min(ways, default=None)

    opening, action, taken = np.zeros_like(step), np.zeros_like(step), np.zeros_like(step)
    for code, material in enumerate(model.words.materials[1:], start=1):
        options = sorted(openings(material, _DEPTH))
        if options:
            opening[code], action[code], taken[code] = options[0]
    return step, opening, action, taken


def _affords(held: dict[str, int], uses: object) -> bool:
    amounts: dict[str, int] = dict(uses)  # type: ignore[call-overload]
    return all(held.get(item, 0) >= amount for item, amount in amounts.items())
