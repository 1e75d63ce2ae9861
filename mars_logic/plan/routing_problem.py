"""The routing problem: a plan's targets, sites and path costs as arrays for the search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

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
from mars_logic.plan.task_plan import Task, brought_by
from mars_logic.plan.travel_costs import TravelCosts, distances_between, footing
from mars_logic.plan.world_model import CODE
from mars_logic.world import names
from mars_logic.world.dialect import DAY, MAXIMUM
from mars_logic.world.rules import Collect, Make, Place

_ITEMS = names.HOLDABLE
_STATIONS = ("stone", "table", "furnace")
_GONE: Final = -2
_TIRING, _NAP = 31 * STEP, 11 * STEP
_NIGHTS = np.array([is_dark(step + DAY) for step in range(DAY)])
"""bool[DAY]: whether it is dark at each step of a day."""
_CHASE = 3 * STEP
"""Additional cost of following a creature beyond the way to its current cell."""
_ARMED = 10 * STEP
"""Bonus for an early sword."""
_GROWN = 4 * STEP
"""Bonus for early planting: by day, fewer creatures spawn that eat saplings."""


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
    rows = _Rows(here, targets, sites, together)
    now = footing(here)
    tools = {t.rule.partition(".")[2]: 1 for t in targets if t.rule.startswith("make.")}
    then = footing(here, tools)
    near = distances_between(now, sites.cells)
    later = near if (now.enter == then.enter).all() else distances_between(then, sites.cells)
    ripening = here.model.world.vocabulary.ripening
    sown, garden = _garden(here, sites, planted, ripening)
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
        _opener(here, tools, now, then),
        np.array([held.get(item, 0) for item in _ITEMS], np.int64),
        np.array([_standing(name, sites) for name in _STATIONS], np.int64),
        here.status.step * STEP,
        sown,
        garden,
        ripening * STEP,
        (here.status.step // 31 + 1) * _TIRING,
        _TIRING,
        MAXIMUM - here.status.amount("energy"),
        _NAP,
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
    ):
        many, items = len(targets), len(_ITEMS)
        self.kind = np.zeros(many, np.int64)
        self.subject, self.leaves, self.beside = (np.full(many, -1, np.int64) for _ in range(3))
        self.cost, self.bonus = np.full(many, STEP, np.int64), np.zeros(many, np.int64)
        self.requires, self.uses, self.brings = (
            np.zeros((many, items), np.int64) for _ in range(3)
        )
        self.stations = np.zeros((many, len(_STATIONS)), np.bool_)
        self.ground = np.zeros((many, len(sites.cells)), np.bool_)
        self._here = here
        for row, target in enumerate(targets):
            family, _, name = target.rule.partition(".")
            rule = here.model.world[target.rule] if "." in target.rule else None
            if isinstance(rule, Collect):
                self._collect(row, rule, target.gain)
            elif isinstance(rule, Place):
                self._place(row, rule)
                self.ground[row] = _ground(here, rule, sites)
                self._near(row, sorted(together.get(name, ())))
            elif isinstance(rule, Make):
                self._make(row, rule)
            elif name == "plant":
                self.kind[row] = itinerary_state.HARVEST
            elif family == "creature":
                self._hunt(row, KINDS.index(name))
            else:
                self.kind[row], self.cost[row] = itinerary_state.SLEEP, 0

    def _collect(self, row: int, rule: Collect, gain: str | None) -> None:
        self.kind[row], self.subject[row] = itinerary_state.COLLECT, CODE[rule.subject]
        self.leaves[row] = CODE[rule.leaves]
        _fill(self.requires[row], rule.requires)
        gains = brought_by(rule, gain)
        _fill(self.brings[row], {i: n for i, n in gains.items() if i in _ITEMS})
        loss = max(0, -self._here.model.collect_effect(rule.subject).health) * self._here.point
        self.cost[row] = int(STEP * tries(rule, gain)) + int(loss)

    def _place(self, row: int, rule: Place) -> None:
        self.kind[row], self.cost[row] = itinerary_state.PLACE, 2 * STEP
        _fill(self.uses[row], rule.uses)
        if rule.subject in _STATIONS:
            self.subject[row] = _STATIONS.index(rule.subject)
        else:
            self.bonus[row] = _GROWN

    def _make(self, row: int, rule: Make) -> None:
        self.kind[row] = itinerary_state.MAKE
        _fill(self.uses[row], rule.uses)
        self.brings[row, _ITEMS.index(rule.subject)] = rule.gives
        self.bonus[row] = _ARMED if rule.subject.endswith("_sword") else 0
        self._near(row, rule.nearby)

    def _hunt(self, row: int, being: int) -> None:
        self.kind[row], self.subject[row] = itinerary_state.HUNT, BEING + being
        self.leaves[row] = _GONE
        self.cost[row] = self._here.model.hits(being, self._here.held) * STEP + _CHASE

    def _near(self, row: int, materials: Iterable[str]) -> None:
        for material in materials:
            if material in _STATIONS[1:]:
                self.stations[row, _STATIONS.index(material)] = True
            else:
                self.beside[row] = CODE[material]


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


def _fill(row: NDArray[np.int64], amounts: Mapping[Any, int]) -> None:
    for item, amount in amounts.items():
        row[_ITEMS.index(item)] = amount


def _standing(name: str, sites: CandidateSites) -> int:
    """The site of the station that stands nearest, -1 for none."""
    if name == "stone" or CODE[name] not in sites.made_of:
        return -1
    return sites.made_of.index(CODE[name])


def _ground(here: BeliefState, rule: Place, sites: CandidateSites) -> Mask:
    """bool[S]: the sites within two cells of ground on which something can be placed."""
    close = widened(here.seen.made_of(*rule.where), 2)
    return np.array([close[cell] for cell in sites.cells], np.bool_)


def _close(cells: list[Cell]) -> Mask:
    """bool[S, S]: which sites may both be near, diagonals included, to one cell."""
    places = np.array(cells)
    apart = np.abs(places[:, None] - places[None, :]).max(axis=2)
    return np.asarray(apart <= 2)


def _opener(
    here: BeliefState, tools: Mapping[str, int], now: TravelCosts, then: TravelCosts
) -> NDArray[np.int64]:
    """The item required for most of the ways that tools open."""
    required = np.zeros(len(_ITEMS), np.int64)
    opened = (now.enter == 0) & (then.enter > 0)
    codes, counts = np.unique(here.seen.materials[opened], return_counts=True)
    if not codes.size:
        return required
    material = names.MATERIALS[int(codes[counts.argmax()])]
    rule = here.model.world.collect.get(material)
    if rule is not None:
        _fill(required, {i: n for i, n in rule.requires.items() if i in tools})
    return required
