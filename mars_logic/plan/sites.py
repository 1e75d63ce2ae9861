"""Sites: the cells worth going to, and the costs of the ways between all of them.

Ways are priced without turning and without moving creatures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.plan.belief_state import BeliefState, terrain_of
from mars_logic.plan.observed_map import Cell
from mars_logic.plan.routes import STEP
from mars_logic.plan.task_plan import Task
from mars_logic.plan.tour_problem import MOST_SITES, NOWHERE
from mars_logic.plan.world_model import WorldModel
from mars_logic.world.rules import Collect, Make

BEING: Final = 128
"""Added to the kind of a creature, this is what its site is made of."""
_RARE, _NEAREST, _BESIDE = 8, 4, 2
"""Cells of a material if all are sites; otherwise the numbers nearest to the player, and to other
sites."""
_CENTRES: Final = 24
"""Number of sites near which cells of other materials become sites."""


class CandidateSites:
    """The cells worth going to.

    Attributes:
        cells: The cells; the first is the player's.
        made_of: What each is made of: a material's code, or a creature's kind after ``BEING``; -1
            for nothing to be taken.
    """

    def __init__(
        self,
        here: BeliefState,
        targets: list[Task],
        counts: list[int],
        known: Iterable[Cell | None] = (),
    ):
        """Choose them.

        Args:
            here: The situation.
            targets: What is to be done, each once.
            counts: How often each is to be done.
            known: Cells that were worth going to until now.
        """
        self.cells: list[Cell] = [here.seen.position]
        self.made_of: list[int] = [-1]
        self._taken: set[Cell] = set()
        self._here = here
        self._far = footing(here).nearest
        wanted = dict.fromkeys(_wanted(here.model, targets), 0)
        for target, count in zip(targets, counts, strict=True):
            family, _, subject = target.rule.partition(".")
            if family == "collect":
                wanted[subject] += count
        codes = {here.code[name] for name in wanted}
        for kind, being in enumerate(here.model.kinds):
            if any(target.rule == f"creature.{being}" for target in targets):
                found = [(thing.x, thing.y) for thing in here.creatures if thing.kind == kind]
                for cell in sorted(found, key=lambda cell: int(self._far[cell]))[:_NEAREST]:
                    self._add(cell, BEING + kind)
        for place in known:
            if place is not None and (code := here.seen.material_at(place)) in codes:
                self._add(place, code)
        there = {name: np.argwhere(here.of_material(name)) for name in wanted}
        rarest = sorted(wanted, key=lambda name: (len(there[name]), name))
        for name in rarest:
            self._add_nearest(here.code[name], there[name], wanted[name])
        plants = here.seen.of_kind("plant", "ripe_plant")
        for plant in plants[:1]:
            self._add((plant.x, plant.y), -1)
        centres = self.cells[1:_CENTRES]
        for name in rarest:
            self._add_beside(centres, here.code[name], there[name])

    def index_of(self, target: Task, cell: Cell | None) -> int:
        """The index of the site where a target was to be done; creatures may have moved."""
        if cell is None:
            return 0
        if not target.rule.startswith("creature."):
            return self.cells.index(cell) if cell in self._taken else 0
        x, y = cell
        return min(
            self.beings(target),
            key=lambda n: (abs(self.cells[n][0] - x) + abs(self.cells[n][1] - y), n),
            default=0,
        )

    def beings(self, target: Task) -> list[int]:
        """The indices of the sites of the creatures that a target is about."""
        family, _, subject = target.rule.partition(".")
        if family != "creature" or subject not in self._here.model.kinds:
            return []
        made_of = BEING + self._here.model.kinds.index(subject)
        return [place for place, made in enumerate(self.made_of) if made == made_of]

    def _add(self, cell: Cell, made_of: int) -> None:
        if cell not in self._taken and len(self.cells) < MOST_SITES:
            self._taken.add(cell)
            self.cells.append(cell)
            self.made_of.append(made_of)

    def _add_nearest(self, code: int, there: NDArray[Any], count: int) -> None:
        """All cells of a rare material; of others those that are nearest to the player."""
        far = self._far[there[:, 0], there[:, 1]]
        most = _RARE if len(there) <= _RARE else _NEAREST + count
        for index in np.argsort(far, kind="stable")[:most].tolist():
            self._add((int(there[index][0]), int(there[index][1])), code)

    def _add_beside(self, centres: list[Cell], code: int, there: NDArray[Any]) -> None:
        """The cells of a material that are nearest to some sites."""
        for x, y in centres:
            away = np.abs(there[:, 0] - x) + np.abs(there[:, 1] - y)
            for index in np.argsort(away, kind="stable")[:_BESIDE].tolist():
                self._add((int(there[index][0]), int(there[index][1])), code)


def _wanted(model: WorldModel, targets: list[Task]) -> Iterator[str]:
    """The materials that some target needs to be somewhere."""
    for target in targets:
        rule = target.rule_in(model.world)
        if isinstance(rule, Collect):
            yield rule.subject
        elif isinstance(rule, Make):
            yield from rule.nearby


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
    """Costs of walking without creatures, as if some more items were held."""
    amounts = dict(zip(here.status.items, here.status.inventory, strict=True))
    for item, amount in (more or {}).items():
        amounts[item] = max(amounts[item], amount)
    status = replace(here.status, inventory=tuple(amounts.values()), daylight=1.0)
    plants = here.seen.of_kind("plant", "ripe_plant")
    calm = BeliefState(here.model, replace(here.seen, things=plants), status)
    terrain = terrain_of(calm)
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
