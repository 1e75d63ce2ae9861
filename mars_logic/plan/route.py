"""Routes: the cheapest way to stand somewhere and face something.

A place is a cell and a direction, since ``do`` and ``place`` reach only the cell that the player
faces, and turning towards ground that can be walked on is walking onto it. Costs are in quarters of
a step. One search from the player's place prices all places; tasks then compare what they need.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import kernel

STEP: Final = 4
"""The cost of one step."""
FAR: Final = 1 << 29
"""The cost of unreachable places."""
DIRECTIONS: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""Left, right, up, down: the order of the move actions, which are 1 to 4."""
_LIMIT: Final = 1023
_ALL: Final = np.ones((64, 64), np.bool_)


@dataclass(frozen=True, slots=True)
class MoveCosts:
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
        worst: How much it takes at worst: ground that heals comes too late for who is dead.
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
        self.cost, self._first, self._harm, self._worst = _search(
            terrain.walk,
            terrain.turns,
            terrain.stay,
            terrain.open_cost,
            terrain.open_action,
            terrain.harm,
            terrain.open_harm,
            *self.start,
        )

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
