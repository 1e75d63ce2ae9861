"""Itineraries: in which order, and at which sites, a plan is carried out with little walking.

From an abstract plan, whose order only works, a beam search makes one that is also short: sites are
the cells worth going to, and what lies between them is priced once for all pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.plan import beam
from mars_logic.plan.abstract import AbstractPlan, Target, brought_by
from mars_logic.plan.beam import MOST_SITES, MOST_TARGETS, Errand
from mars_logic.plan.footing import Footing, distances_between, footing
from mars_logic.plan.ground import Mask, Situation
from mars_logic.plan.lore import CODE, Lore
from mars_logic.plan.route import STEP
from mars_logic.plan.seen import AREA, KINDS, RIPENING, Cell
from mars_logic.world import names
from mars_logic.world.rules import Collect, Make, Place

_ITEMS = names.HOLDABLE
_STATIONS = ("stone", "table", "furnace")
_BEING: Final = 32
"""Added to the kind of a creature, this is what its site is made of."""
_GONE: Final = -2
_RARE, _NEAREST, _BESIDE = 8, 4, 2
"""Cells of a material if all are sites; else, so many near the player, and near other sites."""
_CENTRES: Final = 24
"""So many sites are those near which cells of other materials are sites."""
_TIRING, _NAP = 31 * STEP, 11 * STEP
_CHASE = 3 * STEP
"""What following a creature costs besides the way to where it is now."""

_ARMED = 10 * STEP
"""What it is worth to have a sword early."""


@dataclass(frozen=True, slots=True)
class Stop:
    """One thing to do.

    Attributes:
        target: What.
        cell: Where; None if it doesn't matter, or is not known yet.
    """

    target: Target
    cell: Cell | None


@dataclass(frozen=True)
class Itinerary:
    """Stops in the order in which to make them.

    Attributes:
        stops: What to do.
        steps: When all is done, in steps from now; a guess.
        missing: What the plan wants and it does not do, but for creatures of which there are none.
        whole: Whether it does all that the plan wants.
    """

    stops: tuple[Stop, ...]
    steps: int
    missing: frozenset[str]
    whole: bool

    def without(self, rule: str, gain: str | None) -> Itinerary:
        """The rest, once a rule was applied with this outcome."""
        for index, stop in enumerate(self.stops):
            if (stop.target.rule, stop.target.gain) == (rule, gain):
                return replace(self, stops=self.stops[:index] + self.stops[index + 1 :])
        return self


def make_itinerary(
    here: Situation,
    plan: AbstractPlan,
    held: Mapping[str, int],
    together: Mapping[str, frozenset[str]],
    planted: int | None,
) -> Itinerary:
    """A short way to carry out a plan.

    Args:
        here: The situation.
        plan: What to do.
        held: The items that may be used.
        together: For each thing to be placed, what has to stand close to it.
        planted: The step at which the plant that stands was planted; None if none stands.
    """
    each = dict.fromkeys(replace(target, times=1) for target in plan.targets)
    targets = list(each)[:MOST_TARGETS]
    if not targets:
        return Itinerary((), 0, frozenset(), True)
    counts = [
        sum(t.times for t in plan.targets if (t.rule, t.gain) == (one.rule, one.gain))
        for one in targets
    ]
    sites = _Sites(here, targets, counts)
    errand = _errand(here, targets, counts, sites, held, together, planted)
    stops, end = beam.search(errand)
    found = tuple(
        Stop(targets[target], sites.cells[site] if _placed_there(targets[target]) else None)
        for target, site in stops.tolist()
    )
    left = {
        target.rule
        for target, count in zip(targets, counts, strict=True)
        if sum(stop.target == target for stop in found) < count
    }
    absent = {f"creature.{being}" for being in names.CREATURES if not here.seen.of_kind(being)}
    steps = int(end) // STEP - here.status.step
    return Itinerary(found, steps, frozenset(left - absent), not left)


def _placed_there(target: Target) -> bool:
    return target.rule.startswith(("collect.", "creature."))


class _Sites:
    """The cells worth going to; the first is the player's."""

    def __init__(self, here: Situation, targets: list[Target], counts: list[int]):
        self.cells: list[Cell] = [here.seen.position]
        self.made_of: list[int] = [-1]
        self._taken: set[Cell] = set()
        self._here = here
        self._far = footing(here).nearest
        wanted = dict.fromkeys(_wanted(here.lore, targets), 0)
        for target, count in zip(targets, counts, strict=True):
            family, _, subject = target.rule.partition(".")
            if family == "collect":
                wanted[subject] += count
        for kind, being in enumerate(KINDS):
            if any(target.rule == f"creature.{being}" for target in targets):
                found = [(thing.x, thing.y) for thing in here.creatures if thing.kind == kind]
                for cell in sorted(found, key=lambda cell: int(self._far[cell]))[:_NEAREST]:
                    self._add(cell, _BEING + kind)
        there = {name: np.argwhere(here.of_material(name)) for name in wanted}
        rarest = sorted(wanted, key=lambda name: (len(there[name]), name))
        for name in rarest:
            self._add_nearest(CODE[name], there[name], wanted[name])
        plants = here.seen.of_kind("plant", "ripe_plant")
        for plant in plants[:1]:
            self._add((plant.x, plant.y), -1)
        centres = self.cells[1:_CENTRES]
        for name in rarest:
            self._add_beside(centres, CODE[name], there[name])

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


def _wanted(lore: Lore, targets: list[Target]) -> Iterator[str]:
    """The materials that some target needs to be somewhere."""
    for target in targets:
        rule = lore.world[target.rule] if "." in target.rule else None
        if isinstance(rule, Collect):
            yield rule.subject
        elif isinstance(rule, Make):
            yield from rule.nearby


def _errand(
    here: Situation,
    targets: list[Target],
    counts: list[int],
    sites: _Sites,
    held: Mapping[str, int],
    together: Mapping[str, frozenset[str]],
    planted: int | None,
) -> Errand:
    many, size, items = len(targets), len(sites.cells), len(_ITEMS)
    kind, subject = np.zeros(many, np.int64), np.full(many, -1, np.int64)
    leaves, cost = np.full(many, -1, np.int64), np.full(many, STEP, np.int64)
    bonus = np.zeros(many, np.int64)
    requires, uses, brings = (np.zeros((many, items), np.int64) for _ in range(3))
    stations = np.zeros((many, len(_STATIONS)), np.bool_)
    beside = np.full(many, -1, np.int64)
    ground = np.zeros((many, size), np.bool_)
    world = here.lore.world

    def need_nearby(index: int, materials: Iterator[str] | Any) -> None:
        for material in materials:
            if material in _STATIONS[1:]:
                stations[index, _STATIONS.index(material)] = True
            else:
                beside[index] = CODE[material]

    for index, target in enumerate(targets):
        family, _, name = target.rule.partition(".")
        rule = world[target.rule] if family in ("collect", "place", "make") else None
        if isinstance(rule, Collect):
            kind[index], subject[index] = beam.COLLECT, CODE[name]
            leaves[index] = CODE[rule.leaves]
            _fill(requires[index], rule.requires)
            gains = brought_by(rule, target.gain)
            _fill(brings[index], {i: n for i, n in gains.items() if i in _ITEMS})
            cost[index] = int(STEP * _tries(rule, target.gain))
            cost[index] += int(max(0, -here.lore.collect_effect(name).health) * here.point)
        elif isinstance(rule, Place):
            kind[index] = beam.PLACE
            _fill(uses[index], rule.uses)
            cost[index] = 2 * STEP
            if name in _STATIONS:
                subject[index] = _STATIONS.index(name)
            ground[index] = _ground(here, rule, sites)
            need_nearby(index, sorted(together.get(name, ())))
        elif isinstance(rule, Make):
            kind[index] = beam.MAKE
            _fill(uses[index], rule.uses)
            brings[index, _ITEMS.index(name)] = rule.gives
            need_nearby(index, rule.nearby)
            bonus[index] = _ARMED if name.endswith("_sword") else 0
        elif target.rule == "creature.plant":
            kind[index] = beam.HARVEST
        elif family == "creature":
            kind[index], subject[index] = beam.HUNT, _BEING + KINDS.index(name)
            leaves[index] = _GONE
            cost[index] = here.lore.hits(KINDS.index(name), here.held) * STEP + _CHASE
        else:
            kind[index] = beam.SLEEP
            cost[index] = 0
    now = footing(here)
    tools = {t.rule.partition(".")[2]: 1 for t in targets if t.rule.startswith("make.")}
    then = footing(here, tools)
    near = distances_between(now.enter, sites.cells)
    later = near if (now.enter == then.enter).all() else distances_between(then.enter, sites.cells)
    plants = here.seen.of_kind("plant", "ripe_plant")
    garden = sites.cells.index((plants[0].x, plants[0].y)) if plants else -1
    ripe = any(KINDS[plant.kind] == "ripe_plant" for plant in plants)
    begun = here.status.step if planted is None else planted
    ripening = RIPENING[world.dynamics]
    return Errand(
        kind,
        np.array(counts, np.int64),
        subject,
        requires,
        uses,
        brings,
        leaves,
        cost,
        bonus,
        stations,
        beside,
        ground,
        np.array(sites.made_of, np.int64),
        near,
        later,
        _close(sites.cells),
        _opener(here, tools, now, then),
        np.array([held.get(item, 0) for item in _ITEMS], np.int64),
        np.array([_standing(name, sites) for name in _STATIONS], np.int64),
        here.status.step * STEP,
        (begun - (ripening if ripe else 0)) * STEP if plants else -1,
        garden,
        ripening * STEP,
        (here.status.step // 31 + 1) * _TIRING,
        _TIRING,
        9 - here.status.amount("energy"),
        _NAP,
    )


def _tries(rule: Collect, gain: str | None) -> float:
    """How often a rule has to be applied for what luck is to bring, on average."""
    chances = [given.probability or 1 for item, given in rule.yields.items() if item == gain]
    chances += [chance for being, chance in rule.spawns.items() if being == gain]
    return 1 / max(0.05, chances[0]) if chances else 1


def _fill(row: NDArray[np.int64], amounts: Mapping[Any, int]) -> None:
    for item, amount in amounts.items():
        row[_ITEMS.index(item)] = amount


def _standing(name: str, sites: _Sites) -> int:
    """The site of the station that stands nearest, -1 for none."""
    if name == "stone" or CODE[name] not in sites.made_of:
        return -1
    return sites.made_of.index(CODE[name])


def _ground(here: Situation, rule: Place, sites: _Sites) -> Mask:
    """bool[S]: the sites within two cells of ground on which something can be placed."""
    codes = [CODE[material] for material in rule.where]
    there = np.pad(np.isin(here.seen.materials, codes), 2)
    close = np.zeros((AREA, AREA), np.bool_)
    for dx in range(5):
        for dy in range(5):
            close |= there[dx : dx + AREA, dy : dy + AREA]
    return np.array([close[cell] for cell in sites.cells], np.bool_)


def _close(cells: list[Cell]) -> Mask:
    """bool[S, S]: which sites may both be near, diagonals included, to one cell."""
    places = np.array(cells)
    apart = np.abs(places[:, None] - places[None, :]).max(axis=2)
    return np.asarray(apart <= 2)


def _opener(
    here: Situation, tools: Mapping[str, int], now: Footing, then: Footing
) -> NDArray[np.int64]:
    """What has to be held for most of the ways that tools open."""
    required = np.zeros(len(_ITEMS), np.int64)
    opened = (now.enter == 0) & (then.enter > 0)
    codes, counts = np.unique(here.seen.materials[opened], return_counts=True)
    if not codes.size:
        return required
    material = names.MATERIALS[int(codes[counts.argmax()])]
    rule = here.lore.world.collect.get(material)
    if rule is not None:
        _fill(required, {i: n for i, n in rule.requires.items() if i in tools})
    return required
