"""Itineraries: from a task plan, which is in an order that works, to a short tour of cells.

1. Sites: the cells worth going to, few enough to price the ways between all of them.
2. Travel costs between the sites, without turning and without moving creatures.
3. The routing problem: tasks, sites and costs as arrays.
4. Beam and local search (``tour_search``). Tasks that need a rare random outcome come last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.plan import tour_search
from mars_logic.plan.belief_state import BeliefState, Mask, is_dark, terrain_of, widened
from mars_logic.plan.observed_map import KINDS, Cell
from mars_logic.plan.risk import RATE
from mars_logic.plan.routes import POINTS, STEP
from mars_logic.plan.task_plan import Task, TaskPlan, brought_by, given_by, used_up_by
from mars_logic.plan.tour_search import MOST_SITES, MOST_TARGETS, NOWHERE, shorten
from mars_logic.plan.world_model import WorldModel
from mars_logic.world import names
from mars_logic.world.dialect import DAY, MAXIMUM
from mars_logic.world.rules import Collect, Make, Place
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import Eat

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


_MOST_TRIES = 4
"""Expected number of tries above which an outcome counts as rare."""


def tries(rule: Collect, gain: str | None) -> float:
    """Expected number of tries until a rule brings a random outcome."""
    chances = [given.probability or 1 for item, given in rule.yields.items() if item == gain]
    chances += [chance for being, chance in rule.spawns.items() if being == gain]
    return 1 / max(0.05, chances[0]) if chances else 1


def uses_up(world: World, target: Task) -> bool:
    """Whether each try of a random outcome uses up a site, so that the sites cannot be planned."""
    rule = _collected(world, target)
    return rule is not None and target.gain is not None and rule.leaves != rule.subject


def left_to_luck(world: World, plan: TaskPlan) -> tuple[Task, ...]:
    """The targets that depend on rare outcomes of which each try uses up a site.

    Args:
        world: The rules.
        plan: What is left to do, in an order that works.
    """
    hoped: set[str | None] = set()
    lucky: list[Task] = []
    for target in plan.targets:
        rule = _collected(world, target)
        rare = rule is not None and tries(rule, target.gain) > _MOST_TRIES
        if (rare and uses_up(world, target)) or _takes(world, target) & hoped:
            lucky.append(target)
            hoped |= {target.gain, _brought(target)} - {None}
    return tuple(lucky)


def _takes(world: World, target: Task) -> set[str | None]:
    """The items, stations and creatures without which a target cannot be done."""
    family, _, subject = target.rule.partition(".")
    if family == "creature":
        return {subject}
    rule = world[target.rule] if family != "sleep" else None
    match rule:
        case Collect():
            return {*rule.requires}
        case Place():
            return {*rule.uses}
        case Make():
            return {*rule.uses, *rule.nearby}
        case Eat():
            return {rule.subject}
    return set()


def _brought(target: Task) -> str | None:
    """The result of placing or making."""
    family, _, subject = target.rule.partition(".")
    return subject if family in ("place", "make") else None


def _collected(world: World, target: Task) -> Collect | None:
    rule = world[target.rule] if target.rule.startswith("collect.") else None
    return rule if isinstance(rule, Collect) else None


_GONE: Final = -2
_NIGHTS = np.array([is_dark(step + DAY) for step in range(DAY)])
"""bool[DAY]: whether it is dark at each step of a day."""
_CHASE = 3 * STEP
"""Additional cost of following a creature beyond the way to its current cell."""
_ARMED = 10 * STEP
"""Bonus for an early sword."""
_GROWN = 4 * STEP
"""Bonus for early planting: by day, fewer creatures spawn that eat saplings."""


class ProblemColumns(NamedTuple):
    """What stands in the columns of a routing problem.

    Attributes:
        items: The items.
        stations: Things to be placed that may have to be nearby, after one place for all that is
            placed and never has to be.
        size: The numbers of columns, one of ``tour_search.SIZES``.
    """

    items: tuple[str, ...]
    stations: tuple[str, ...]
    size: tuple[int, int]

    @classmethod
    def of(cls, here: BeliefState, targets: Iterable[Task]) -> ProblemColumns:
        """The columns for some targets; in worlds without added names always the same."""
        words, world = here.model.words, here.model.world
        items = words.holdable
        placed = [thing for thing in world.place if thing in here.code]
        stations = tuple(thing for thing in placed if thing not in words.natural)
        if words.wide:
            items, stations = _touched_by(world, targets, items, stations)
        fits = ((i, s) for i, s in tour_search.SIZES if i >= len(items) and s > len(stations))
        return cls(items, ("", *stations), next(fits))

    def station(self, thing: str) -> int:
        """The column of a thing that is placed."""
        return self.stations.index(thing) if thing in self.stations else 0

    def amounts(self, held: Mapping[str, int]) -> NDArray[np.int64]:
        """int64[I]: amounts of items by column."""
        row = np.zeros(self.size[0], np.int64)
        row[: len(self.items)] = [held.get(item, 0) for item in self.items]
        return row


def _touched_by(
    world: World, targets: Iterable[Task], items: Iterable[str], stations: Iterable[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The items and stations that the rules of some targets are about, in their order."""
    touched: set[str] = set()
    near: set[str] = set()
    for target in targets:
        rule = target.rule_in(world)
        if isinstance(rule, Collect):
            touched |= {*rule.requires, *rule.yields}
        elif isinstance(rule, Place | Make | Eat):
            touched |= {*used_up_by(rule), *given_by(rule)}
            near |= {*rule.nearby} if isinstance(rule, Make) else {rule.subject}
    return (
        tuple(item for item in items if item in touched),
        tuple(thing for thing in stations if thing in near),
    )


def make_problem(
    here: BeliefState,
    wanted: Sequence[tuple[Task, int]],
    sites: CandidateSites,
    held: Mapping[str, int],
    together: Mapping[str, frozenset[str]],
    planted: int | None,
) -> np.void:
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
    columns = ProblemColumns.of(here, targets)
    problem = tour_search.empty_problem(len(targets), len(sites.cells), columns.size)
    _fill_targets(problem, here, wanted, sites, together, columns)
    now = footing(here)
    tools = {t.rule.partition(".")[2]: 1 for t in targets if t.rule.startswith("make.")}
    then = footing(here, tools)
    near = distances_between(now, sites.cells)
    later = near if (now.enter == then.enter).all() else distances_between(then, sites.cells)
    n = len(sites.cells)
    problem["near"][:n, :n], problem["later"][:n, :n] = near, later
    problem["opener"] = columns.amounts(_opener(here, tools, now, then))
    problem["made_of"][:n], problem["close"][:n, :n] = sites.made_of, _close(sites.cells)
    problem["held"], problem["standing"] = columns.amounts(held), _standing(here, columns, sites)
    problem["now"] = here.status.step * STEP
    problem["ripening"] = here.model.world.vocabulary.ripening * STEP
    problem["planted_at"], problem["plant_site"] = _plant(here, sites, planted)
    lasts = here.model.lasts["energy"]
    problem["next_energy_loss"] = (here.status.step // lasts + 1) * lasts * STEP
    problem["energy_lasts"] = lasts * STEP
    problem["energy_missing"] = MAXIMUM - here.status.amount("energy")
    problem["sleep_per_energy"] = here.model.sleep_per_energy * STEP
    problem["night_rate"][:n], problem["dark"] = _night_rate(here, sites.cells), _NIGHTS
    return problem


def _night_rate(here: BeliefState, cells: list[Cell]) -> NDArray[np.int64]:
    """int64[S]: the cost of darkness near each site, in thousandths of the time there."""
    blow = here.model.blow(KINDS.index("zombie")) if here.model.zombies_attack else 0
    shares = np.array([here.grass_share[cell] for cell in cells])
    return np.asarray(1000 * RATE * shares * blow * POINTS[-1] / STEP, np.int64)


def _fill_targets(
    problem: np.void,
    here: BeliefState,
    wanted: Sequence[tuple[Task, int]],
    sites: CandidateSites,
    together: Mapping[str, frozenset[str]],
    columns: ProblemColumns,
) -> None:
    """Fill in the targets and their costs; see ``tour_search`` for the fields."""
    problem["subject"] = problem["leaves"] = problem["beside"] = problem["items"] = -1
    for row, (target, times) in enumerate(wanted):
        family, _, name = target.rule.partition(".")
        rule = target.rule_in(here.model.world)
        kind, subject, cost, bonus, leaves = tour_search.MAKE, -1, STEP, 0, -1
        needs: Mapping[Any, int] = {}
        change: Counter[str] = Counter()
        near: Iterable[str] = ()
        if isinstance(rule, Place | Make | Eat):
            needs = used_up_by(rule)
            change.update(given_by(rule))
            change.subtract(needs)
        if isinstance(rule, Collect):
            kind, subject, leaves = tour_search.COLLECT, here.code[name], here.code[rule.leaves]
            needs = rule.requires
            change.update(brought_by(rule, target.gain))
            loss = max(0, -here.model.collect_effect(name).health) * here.point
            cost = int(STEP * tries(rule, target.gain)) + int(loss)
        elif isinstance(rule, Place):
            kind, cost, near = tour_search.PLACE, 2 * STEP, sorted(together.get(name, ()))
            problem["ground"][row, : len(sites.cells)] = _ground(here, rule, sites)
            subject = columns.station(name) if name in here.code else -1
            bonus = 0 if name in here.code else _GROWN
        elif isinstance(rule, Make):
            bonus, near = _ARMED if name in here.model.words.damage else 0, rule.nearby
        elif family == "sleep":
            kind, cost = tour_search.SLEEP, 0
        elif name == "plant" and not isinstance(rule, Eat):
            kind = tour_search.HARVEST
        elif family == "creature":
            being = here.model.kinds.index(name)
            kind, subject, leaves = tour_search.HUNT, BEING + being, _GONE
            cost = here.model.hits(being, here.held) * STEP + _CHASE
        problem["kind"][row], problem["times"][row], problem["subject"][row] = kind, times, subject
        problem["cost"][row], problem["bonus"][row], problem["leaves"][row] = cost, bonus, leaves
        problem["needs"][row] = columns.amounts(needs)
        problem["change"][row] = columns.amounts(change)
        touched = np.flatnonzero((problem["needs"][row] != 0) | (problem["change"][row] != 0))
        problem["items"][row, : touched.size] = touched
        for material in near:
            if station := columns.station(material):
                problem["stations"][row, station] = True
            else:
                problem["beside"][row] = here.code[material]


def _plant(here: BeliefState, sites: CandidateSites, planted: int | None) -> tuple[int, int]:
    """When the plant that stands was planted, in quarters of a step, and its site; -1 for none."""
    plants = here.seen.of_kind("plant", "ripe_plant")
    if not plants:
        return -1, -1
    ripe = any(KINDS[plant.kind] == "ripe_plant" for plant in plants)
    begun = here.status.step if planted is None else planted
    begun -= here.model.world.vocabulary.ripening if ripe else 0
    return begun * STEP, sites.cells.index((plants[0].x, plants[0].y))


def _standing(
    here: BeliefState, columns: ProblemColumns, sites: CandidateSites
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
    """bool[S, S]: pairs of sites near one cell, diagonals included."""
    places = np.array(cells)
    apart = np.abs(places[:, None] - places[None, :]).max(axis=2)
    return np.asarray(apart <= 2)


def _opener(
    here: BeliefState, tools: Mapping[str, int], now: TravelCosts, then: TravelCosts
) -> Mapping[str, int]:
    """The items that open most of the cells that tools open."""
    opened = (now.enter == 0) & (then.enter > 0)
    codes, counts = np.unique(here.seen.materials[opened], return_counts=True)
    if not codes.size:
        return {}
    material = here.model.words.materials[int(codes[counts.argmax()])]
    rule = here.model.world.collect.get(material)
    if rule is None:
        return {}
    return {item: n for item, n in rule.requires.items() if item in tools}


_REMOTE = 6 * STEP
"""Cost of the way back to a station beyond which placing another one is considered."""
_SLACK = 5
"""Delay in steps after which an itinerary is searched for anew."""
_TRYING = 40
"""Expected steps of a rare random outcome that uses up a site per try."""


@dataclass(frozen=True, slots=True)
class ScheduledTask:
    """One thing to do.

    Attributes:
        target: What.
        cell: Where; None if it doesn't matter, or is not known yet.
    """

    target: Task
    cell: Cell | None


@dataclass(frozen=True)
class Itinerary:
    """Stops in the order in which to make them.

    Attributes:
        stops: What to do.
        steps: When all is done, in steps from now; a guess.
        end: The step of the episode at which all is done; a guess.
        missing: What the plan wants and it does not do, but for creatures of which there are none.
        absent: What the plan wants of creatures of which there are none.
        remote: Stations that are gone back to over more than a few steps.
        whole: Whether it does all that the plan wants.
    """

    stops: tuple[ScheduledTask, ...]
    steps: int
    end: int
    missing: frozenset[str]
    absent: frozenset[str]
    remote: frozenset[str]
    whole: bool

    def without(self, rule: str, gain: str | None) -> Itinerary:
        """The rest, once a rule was applied with this outcome."""
        for index, stop in enumerate(self.stops):
            if (stop.target.rule, stop.target.gain) == (rule, gain):
                return replace(self, stops=self.stops[:index] + self.stops[index + 1 :])
        return self


def make_itinerary(
    here: BeliefState,
    plan: TaskPlan,
    held: Mapping[str, int],
    together: Mapping[str, frozenset[str]],
    planted: int | None,
    before: Itinerary | None = None,
) -> Itinerary:
    """A short way to carry out a plan.

    Args:
        here: The situation.
        plan: What to do.
        held: The items that may be used.
        together: For each thing to be placed, what has to stand close to it.
        planted: The step at which the plant that stands was planted; None if none stands.
        before: The current itinerary; nothing longer replaces it while it works.
    """
    lucky = left_to_luck(here.model.world, plan)
    if lucky:
        certain = replace(plan, targets=tuple(t for t in plan.targets if t not in lucky))
        kept = before and replace(before, stops=_without(before.stops, lucky))
        first = make_itinerary(here, certain, held, together, planted, kept)
        last = tuple(
            ScheduledTask(replace(t, times=1), None) for t in lucky for _ in range(t.times)
        )
        return replace(first, stops=(*first.stops, *last), steps=first.steps + _TRYING)
    each = dict.fromkeys(replace(target, times=1) for target in plan.targets)
    targets = list(each)[:MOST_TARGETS]
    if not targets:
        return Itinerary((), 0, here.status.step, frozenset(), frozenset(), frozenset(), True)
    counts = [
        sum(t.times for t in plan.targets if (t.rule, t.gain) == (one.rule, one.gain))
        for one in targets
    ]
    sites = CandidateSites(
        here, targets, counts, [stop.cell for stop in before.stops] if before else []
    )
    problem = make_problem(
        here, list(zip(targets, counts, strict=True)), sites, held, together, planted
    )
    chancy = any(uses_up(here.model.world, target) for target in targets)
    if chancy:
        stops, end = tour_search.search(problem)
    else:
        due = before.end + _SLACK if before else 0
        stops, end = _shortest(problem, _again(before, targets, list(counts), sites), due * STEP)
    found = tuple(
        ScheduledTask(
            targets[target], sites.cells[site] if _placed_there(targets[target]) else None
        )
        for target, site in stops.tolist()
    )
    left = {
        target.rule
        for target, count in zip(targets, counts, strict=True)
        if sum(stop.target == target for stop in found) < count
    }
    absent = {f"creature.{being}" for being in here.model.creatures if not here.things_of(being)}
    until = int(end) // STEP
    steps = until - here.status.step
    return Itinerary(
        _luck_last(here, found),
        steps,
        until,
        frozenset(left - absent),
        frozenset(left & absent),
        frozenset() if chancy else _remote(here, targets, problem, stops),
        not left,
    )


def _remote(
    here: BeliefState, targets: list[Task], problem: np.void, stops: NDArray[np.int64]
) -> frozenset[str]:
    """The stations beside which something is made far from the previous stop."""
    remote: set[str] = set()
    at = 0
    for target, site in stops.tolist():
        rule = here.model.world.make.get(targets[target].rule.removeprefix("make."))
        if rule is not None and problem["later"][at, site] > _REMOTE:
            remote |= set(rule.nearby)
        at = site
    return frozenset(remote)


def _without(
    stops: tuple[ScheduledTask, ...], targets: tuple[Task, ...]
) -> tuple[ScheduledTask, ...]:
    others = {(target.rule, target.gain) for target in targets}
    return tuple(s for s in stops if (s.target.rule, s.target.gain) not in others)


def _shortest(
    problem: np.void, before: NDArray[np.int64] | None, due: int
) -> tuple[NDArray[np.int64], int]:
    """Stops and the time of their end: the current ones, shortened, unless they get too late."""
    kept = None if before is None else shorten(problem, before)
    if kept is not None and kept[1] <= due:
        return kept
    stops, _ = tour_search.search(problem)
    if kept is not None and len(stops) < len(kept[0]) and kept[1] < NOWHERE:
        return kept
    other = shorten(problem, stops)
    return kept if kept is not None and kept[1] <= other[1] else other


def _again(
    before: Itinerary | None, targets: list[Task], counts: list[int], sites: CandidateSites
) -> NDArray[np.int64] | None:
    """int64[n, 2]: the stops of an itinerary if they still match the targets; else None.

    A creature that was not there before is met last, to begin with.
    """
    if before is None:
        return None
    number = {target: index for index, target in enumerate(targets)}
    stops = [(number.get(stop.target, -1), stop) for stop in before.stops]
    rows = [(row, sites.index_of(stop.target, stop.cell)) for row, stop in stops]
    for row, (target, count) in enumerate(zip(targets, counts, strict=True)):
        met = sites.beings(target)
        if met and not any(row == other for other, _ in rows):
            rows += [(row, site) for site in met[:count]]
        elif target.rule in before.absent and not met:
            counts[row] = 0
    wanted = [row for row, count in enumerate(counts) for _ in range(count)]
    if sorted(row for row, _ in rows) != wanted:
        return None
    return np.array(rows, np.int64).reshape(-1, 2)


def _luck_last(here: BeliefState, stops: tuple[ScheduledTask, ...]) -> tuple[ScheduledTask, ...]:
    """Tasks that need a random outcome are scheduled last."""
    lucky = [stop for stop in stops if stop.target.gain in names.CREATURES]
    others = [stop for stop in stops if stop.target.gain not in names.CREATURES]
    waits = all(_is_waited_for(here, stop.target) for stop in others)
    return stops if waits else (*others, *lucky)


def _is_waited_for(here: BeliefState, target: Task) -> bool:
    family, _, being = target.rule.partition(".")
    if being == "plant":
        return bool(here.seen.of_kind("plant"))
    return family == "sleep" or (family == "creature" and not here.things_of(being))


def _placed_there(target: Task) -> bool:
    return target.rule.startswith(("collect.", "creature."))
