"""The routing problem: a plan's targets, sites and path costs as arrays for the search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.plan import itinerary_state
from mars_logic.plan.belief_state import BeliefState, is_dark
from mars_logic.plan.candidate_sites import BEING, CandidateSites
from mars_logic.plan.itinerary_state import Errand
from mars_logic.plan.move_costs import POINTS
from mars_logic.plan.observed_map import KINDS, Cell
from mars_logic.plan.outlook import RATE
from mars_logic.plan.route import STEP
from mars_logic.plan.stochastic_tasks import tries
from mars_logic.plan.surroundings import Mask, widened
from mars_logic.plan.task_plan import Task, brought_by, given_by, used_up_by
from mars_logic.plan.travel_costs import TravelCosts, distances_between, footing
from mars_logic.world.dialect import DAY, MAXIMUM
from mars_logic.world.rules import Collect, Make, Place
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import Eat

_GONE: Final = -2
_NIGHTS = np.array([is_dark(step + DAY) for step in range(DAY)])
"""bool[DAY]: whether it is dark at each step of a day."""
_CHASE = 3 * STEP
"""Additional cost of following a creature beyond the way to its current cell."""
_ARMED = 10 * STEP
"""Bonus for an early sword."""
_GROWN = 4 * STEP
"""Bonus for early planting: by day, fewer creatures spawn that eat saplings."""


class ErrandColumns(NamedTuple):
    """What stands in the columns of an errand.

    Attributes:
        items: The items.
        stations: Things to be placed that may have to be nearby, after one place for all that is
            placed and never has to be.
        size: The numbers of columns, one of ``itinerary_state.SIZES``.
    """

    items: tuple[str, ...]
    stations: tuple[str, ...]
    size: tuple[int, int]

    @classmethod
    def of(cls, here: BeliefState, targets: Iterable[Task]) -> ErrandColumns:
        """The columns for some targets; in worlds without added names always the same."""
        words, world = here.model.words, here.model.world
        items = words.holdable
        placed = [thing for thing in world.place if thing in here.code]
        stations = tuple(thing for thing in placed if thing not in words.natural)
        if words.wide:
            items, stations = _touched_by(world, targets, items, stations)
        fits = ((i, s) for i, s in itinerary_state.SIZES if i >= len(items) and s > len(stations))
        return cls(items, ("", *stations), next(fits))

    def station(self, thing: str) -> int:
        """The column of a thing that is placed."""
        return self.stations.index(thing) if thing in self.stations else 0

    def amounts(self, held: Mapping[str, int]) -> NDArray[np.int64]:
        """int64[I]: amounts of items by column."""
        row = np.zeros(self.size[0], np.int64)
        _fill(row, {item: n for item, n in held.items() if item in self.items}, self.items)
        return row


def _touched_by(
    world: World, targets: Iterable[Task], items: Iterable[str], stations: Iterable[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The items and stations that the rules of some targets are about, in their order."""
    touched: set[str] = set()
    near: set[str] = set()
    for target in targets:
        rule = world[target.rule] if "." in target.rule else None
        if isinstance(rule, Collect):
            touched |= {*rule.requires, *rule.yields}
        elif isinstance(rule, Place | Make | Eat):
            touched |= {*used_up_by(rule), *given_by(rule)}
            near |= {*rule.nearby} if isinstance(rule, Make) else {rule.subject}
    return (
        tuple(item for item in items if item in touched),
        tuple(thing for thing in stations if thing in near),
    )


def make_errand(
    here: BeliefState,
    wanted: Sequence[tuple[Task, int]],
    sites: CandidateSites,
    held: Mapping[str, int],
    together: Mapping[str, frozenset[str]],
    planted: int | None,
) -> Errand:
    """The routing problem of a plan, for the search.

    Args:
        here: The situation.
        wanted: Each target, and how often it is to be done.
        sites: The cells worth going to.
        held: The items that may be used.
        together: For each thing to be placed, what has to stand close to it.
        planted: The step at which the plant that stands was planted; None if none stands.
    """
    targets = [target for target, _ in wanted]
    columns = ErrandColumns.of(here, targets)
    rows = _Rows(here, targets, sites, together, columns)
    now = footing(here)
    tools = {t.rule.partition(".")[2]: 1 for t in targets if t.rule.startswith("make.")}
    then = footing(here, tools)
    near = distances_between(now, sites.cells)
    later = near if (now.enter == then.enter).all() else distances_between(then, sites.cells)
    ripening = here.model.world.vocabulary.ripening
    sown, garden = _garden(here, sites, planted, ripening)
    tiring = here.model.lasts["energy"]
    needs, change = np.maximum(rows.requires, rows.uses), rows.brings - rows.uses
    return Errand(
        rows.kind,
        np.array([count for _, count in wanted], np.int64),
        rows.subject,
        _touched(needs, change),
        needs,
        change,
        rows.leaves,
        rows.cost,
        rows.bonus,
        rows.stations,
        rows.beside,
        rows.ground,
        np.array(sites.made_of, np.int64),
        near,
        later,
        _close(sites.cells),
        columns.amounts(_opener(here, tools, now, then)),
        columns.amounts(held),
        _standing(here, columns, sites),
        here.status.step * STEP,
        sown,
        garden,
        ripening * STEP,
        (here.status.step // tiring + 1) * tiring * STEP,
        tiring * STEP,
        MAXIMUM - here.status.amount("energy"),
        here.model.sleep_per_energy * STEP,
        _peril(here, sites.cells),
        _NIGHTS,
        STEP,
    )


def _touched(needs: NDArray[np.int64], change: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[T, I]: the items that each target needs or changes, then -1."""
    items = np.full_like(needs, -1)
    for row, touched in enumerate((needs != 0) | (change != 0)):
        items[row, : touched.sum()] = np.flatnonzero(touched)
    return items


def _peril(here: BeliefState, cells: list[Cell]) -> NDArray[np.int64]:
    """int64[S]: what the dark costs near each site, in parts of a thousand of the time there."""
    blow = here.model.blow(KINDS.index("zombie")) if here.model.prowled else 0
    shares = np.array([here.meadow[cell] for cell in cells])
    return np.asarray(1000 * RATE * shares * blow * POINTS[-1] / STEP, np.int64)


class _Rows:
    """The targets and their costs; T targets, S sites. See :class:`Errand` for the arrays.

    What has to be held, is used up and is gained are int64[T, I].
    """

    def __init__(
        self,
        here: BeliefState,
        targets: Sequence[Task],
        sites: CandidateSites,
        together: Mapping[str, frozenset[str]],
        columns: ErrandColumns,
    ):
        many, (items, stations) = len(targets), columns.size
        self.kind = np.zeros(many, np.int64)
        self.subject, self.leaves, self.beside = (np.full(many, -1, np.int64) for _ in range(3))
        self.cost, self.bonus = np.full(many, STEP, np.int64), np.zeros(many, np.int64)
        self.requires, self.uses, self.brings = (
            np.zeros((many, items), np.int64) for _ in range(3)
        )
        self.stations = np.zeros((many, stations), np.bool_)
        self.ground = np.zeros((many, len(sites.cells)), np.bool_)
        self._here, self._columns = here, columns
        for row, target in enumerate(targets):
            family, _, name = target.rule.partition(".")
            rule = here.model.world[target.rule] if "." in target.rule else None
            if isinstance(rule, Collect):
                self._collect(row, rule, target.gain)
            elif isinstance(rule, Place):
                self._place(row, rule)
                self.ground[row] = _ground(here, rule, sites)
                self._near(row, sorted(together.get(name, ())))
            elif isinstance(rule, Make | Eat):
                self._make(row, rule)
            elif name == "plant":
                self.kind[row] = itinerary_state.HARVEST
            elif family == "creature":
                self._hunt(row, here.model.kinds.index(name))
            else:
                self.kind[row], self.cost[row] = itinerary_state.SLEEP, 0

    def _collect(self, row: int, rule: Collect, gain: str | None) -> None:
        code = self._here.code
        self.kind[row], self.subject[row] = itinerary_state.COLLECT, code[rule.subject]
        self.leaves[row] = code[rule.leaves]
        items = self._columns.items
        _fill(self.requires[row], rule.requires, items)
        gains = brought_by(rule, gain)
        _fill(self.brings[row], {i: n for i, n in gains.items() if i in items}, items)
        loss = max(0, -self._here.model.collect_effect(rule.subject).health) * self._here.point
        self.cost[row] = int(STEP * tries(rule, gain)) + int(loss)

    def _place(self, row: int, rule: Place) -> None:
        self.kind[row], self.cost[row] = itinerary_state.PLACE, 2 * STEP
        _fill(self.uses[row], rule.uses, self._columns.items)
        if rule.subject in self._here.code:
            self.subject[row] = self._columns.station(rule.subject)
        else:
            self.bonus[row] = _GROWN

    def _make(self, row: int, rule: Make | Eat) -> None:
        self.kind[row] = itinerary_state.MAKE
        _fill(self.uses[row], used_up_by(rule), self._columns.items)
        _fill(self.brings[row], given_by(rule), self._columns.items)
        if isinstance(rule, Make):
            self.bonus[row] = _ARMED if rule.subject in self._here.model.words.damage else 0
            self._near(row, rule.nearby)

    def _hunt(self, row: int, being: int) -> None:
        self.kind[row], self.subject[row] = itinerary_state.HUNT, BEING + being
        self.leaves[row] = _GONE
        self.cost[row] = self._here.model.hits(being, self._here.held) * STEP + _CHASE

    def _near(self, row: int, materials: Iterable[str]) -> None:
        for material in materials:
            if station := self._columns.station(material):
                self.stations[row, station] = True
            else:
                self.beside[row] = self._here.code[material]


def _garden(
    here: BeliefState, sites: CandidateSites, planted: int | None, ripening: int
) -> tuple[int, int]:
    """When the plant that stands was planted, in quarters of a step, and its site; -1 for none."""
    plants = here.seen.of_kind("plant", "ripe_plant")
    if not plants:
        return -1, -1
    ripe = any(KINDS[plant.kind] == "ripe_plant" for plant in plants)
    begun = here.status.step if planted is None else planted
    site = sites.cells.index((plants[0].x, plants[0].y))
    return (begun - (ripening if ripe else 0)) * STEP, site


def _fill(row: NDArray[np.int64], amounts: Mapping[Any, int], items: Sequence[str]) -> None:
    for item, amount in amounts.items():
        row[items.index(item)] = amount


def _standing(
    here: BeliefState, columns: ErrandColumns, sites: CandidateSites
) -> NDArray[np.int64]:
    """int64[P]: the site at which the nearest of each station stands, -1 for none."""
    standing = np.full(columns.size[1], -1, np.int64)
    for column, thing in enumerate(columns.stations):
        if thing and here.code[thing] in sites.made_of:
            standing[column] = sites.made_of.index(here.code[thing])
    return standing


def _ground(here: BeliefState, rule: Place, sites: CandidateSites) -> Mask:
    """bool[S]: the sites within two cells of ground on which something can be placed."""
    close = widened(here.made_of(*rule.where), 2)
    return np.array([close[cell] for cell in sites.cells], np.bool_)


def _close(cells: list[Cell]) -> Mask:
    """bool[S, S]: which sites may both be near, diagonals included, to one cell."""
    places = np.array(cells)
    apart = np.abs(places[:, None] - places[None, :]).max(axis=2)
    return np.asarray(apart <= 2)


def _opener(
    here: BeliefState, tools: Mapping[str, int], now: TravelCosts, then: TravelCosts
) -> Mapping[str, int]:
    """What is required for most of the ways that tools open, and how much of it."""
    opened = (now.enter == 0) & (then.enter > 0)
    codes, counts = np.unique(here.seen.materials[opened], return_counts=True)
    if not codes.size:
        return {}
    material = here.model.words.materials[int(codes[counts.argmax()])]
    rule = here.model.world.collect.get(material)
    if rule is None:
        return {}
    return {item: n for item, n in rule.requires.items() if item in tools}
