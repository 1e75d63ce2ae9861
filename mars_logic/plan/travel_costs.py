"""Costs of walking between sites for itineraries, without moving creatures.

Turning is left out, and the creatures that are in the way now.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import kernel
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.itinerary_state import NOWHERE
from mars_logic.plan.move_costs import terrain_of
from mars_logic.plan.observed_map import Cell
from mars_logic.plan.route import STEP


@dataclass(frozen=True)
class TravelCosts:
    """Costs of walking between sites.

    Attributes:
        enter: What entering each cell costs; 0: never.
        nearest: What it costs to get beside each cell.
        facing: What it costs at least to face each cell.
    """

    enter: NDArray[np.int64]
    nearest: NDArray[np.int64]
    facing: NDArray[np.int64]


def footing(here: BeliefState, more: Mapping[str, int] | None = None) -> TravelCosts:
    """Footing without creatures, for someone who also holds some more items."""
    amounts = dict(zip(here.status.items, here.status.inventory, strict=True))
    for item, amount in (more or {}).items():
        amounts[item] = max(amounts[item], amount)
    status = replace(here.status, inventory=tuple(amounts.values()), daylight=1.0)
    plants = here.seen.of_kind("plant", "ripe_plant")
    calm = BeliefState(here.model, replace(here.seen, things=plants), status)
    terrain = terrain_of(calm, calm.last_resort)
    enter = np.where(terrain.walk > 0, terrain.walk, terrain.open_cost).astype(np.int64)
    facing = np.where(terrain.turns, 0, _least_beside(enter))
    if here.seen.material_at(here.seen.ahead):
        facing[here.seen.ahead] = 0
    return TravelCosts(
        enter, _spread(enter, *here.seen.position, np.ones_like(enter, np.bool_)), facing
    )


def _least_beside(enter: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[64, 64]: what entering the cheapest cell beside each cell costs; 0 if none can be.

    Walkable ground can only be faced by a step towards it.
    """
    price = np.pad(np.where(enter > 0, enter, NOWHERE), 1, constant_values=NOWHERE)
    sides = price[2:, 1:-1], price[:-2, 1:-1], price[1:-1, 2:], price[1:-1, :-2]
    least: NDArray[np.int64] = np.minimum.reduce(sides)
    return np.where(least < NOWHERE, least, 0)


def distances_between(ground: TravelCosts, cells: list[Cell]) -> NDArray[np.int64]:
    """int64[S, S]: what it costs to get from one site to facing another."""
    sites = np.array(cells, np.int64)
    found: NDArray[np.int64] = _between(ground.enter, sites)
    facing = ground.facing[sites[:, 0], sites[:, 1]]
    return np.maximum(found, np.where(np.eye(len(cells), dtype=np.bool_), 0, facing))


@kernel
def _spread(enter: Any, x: int, y: int, sought: Any) -> Any:
    """int64[64, 64]: what it costs to get beside each cell from a cell, or from beside it.

    The search ends when it is known for all cells that are sought.
    """
    width, height = enter.shape
    cost = np.full((width, height), NOWHERE, np.int64)
    beside = np.full((width, height), NOWHERE, np.int64)
    heads = np.full(1024, -1, np.int32)
    link = np.empty(4 * width * height + 1, np.int32)
    entry = np.empty(4 * width * height + 1, np.int32)
    price = np.empty(4 * width * height + 1, np.int32)
    missing = np.count_nonzero(sought)
    cost[x, y] = 0
    entry[0], price[0], link[0] = x * height + y, 0, -1
    heads[0] = 0
    used, waiting, now = 1, 1, 0
    while waiting > 0 and missing > 0:
        bucket = now & 1023
        while heads[bucket] >= 0:
            item = heads[bucket]
            heads[bucket] = link[item]
            waiting -= 1
            cx = entry[item] // height
            cy = entry[item] - cx * height
            if price[item] != cost[cx, cy]:
                continue
            for side in range(4):
                nx = cx + (side == 1) - (side == 0)
                ny = cy + (side == 3) - (side == 2)
                if nx < 0 or ny < 0 or nx >= width or ny >= height:
                    continue
                if beside[nx, ny] >= NOWHERE:
                    beside[nx, ny] = now
                    missing -= sought[nx, ny]
                if enter[nx, ny] <= 0:
                    continue
                total = now + min(enter[nx, ny], 1000)
                if total < cost[nx, ny]:
                    cost[nx, ny] = total
                    entry[used], price[used] = nx * height + ny, total
                    link[used] = heads[total & 1023]
                    heads[total & 1023] = used
                    used += 1
                    waiting += 1
        now += 1
    return beside


@kernel
def _between(enter: Any, cells: Any) -> Any:
    count = cells.shape[0]
    distances = np.zeros((count, count), np.int64)
    sought = np.zeros(enter.shape, np.bool_)
    for site in range(count):
        # The same cells are entered on the way back: only the sites that follow are sought.
        sought[:] = False
        for other in range(site + 1, count):
            sought[cells[other, 0], cells[other, 1]] = True
        beside = _spread(enter, cells[site, 0], cells[site, 1], sought)
        for other in range(site + 1, count):
            cost = beside[cells[other, 0], cells[other, 1]]
            # The player stands beside a site, not on it, unless it is where it is now.
            back = cost if cost >= NOWHERE else max(0, cost - STEP)
            distances[site, other] = cost if site == 0 else back
            distances[other, site] = back
    return distances
