"""Skills: from a task to an action and the places on the map where it serves the task.

Search is one of them. A view from a cell shows something with probability 1 - exp(-n), where n is
the number expected on the cells that come into view. The expected cost L of a search by the best
view solves L = min over cells of cost + (1 - probability) * L, that is, L = min cost / probability.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.logic.growth import grown_from
from mars_logic.plan.belief_state import BeliefState, Mask, widened
from mars_logic.plan.expectation import Field
from mars_logic.plan.observed_map import UNSEEN, Entity
from mars_logic.plan.routes import DIRECTIONS, FAR, RIPE, STEP, Route
from mars_logic.plan.task_plan import Task
from mars_logic.plan.world_model import DO, NOOP, VITALS, VitalEffect
from mars_logic.world import names
from mars_logic.world.dialect import AREA, VIEW_HEIGHT, VIEW_WIDTH
from mars_logic.world.goals import condition_of, subject_of
from mars_logic.world.rules import Collect, Make, Place
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import Eat

HAZARD = 0.015
"""Probability per step that an unprotected plant is lost: 13 plants were lost in 1,150 steps of
growth in four episodes, some of them partly fenced."""
_ASIDE = 4
"""Least distance from a plant while waiting: creatures that follow the player would damage it."""
_GROWS = 16
"""Distance, both axes added, within which plants grow."""


def patience(here: BeliefState) -> int:
    """The expected extra time until an unprotected plant ripens, replanted whenever it is lost.

    In quarters of a step. The mean number of steps until ``steps`` in a row are
    without a loss is (exp(hazard * steps) - 1) / hazard.
    """
    steps = here.model.world.vocabulary.ripening
    return int(STEP * ((math.exp(HAZARD * steps) - 1) / HAZARD - steps))


def open_sides(here: BeliefState) -> NDArray[np.int64]:
    """int64[64, 64]: on how many sides of a cell a creature could stand."""
    open_ = np.pad(here.model.creatures_walk[here.known_codes], 1).astype(np.int64)
    sides = [open_[1 + dx : 1 + dx + AREA, 1 + dy : 1 + dy + AREA] for dx, dy in DIRECTIONS]
    total: NDArray[np.int64] = np.sum(sides, axis=0)
    return total


def growing(here: BeliefState) -> Mask | None:
    """bool[64, 64]: the cells from which a plant grows that is still to be eaten; None for all."""
    plants = here.seen.of_kind("plant")
    if not plants or "eat_plant" in here.status.unlocked:
        return None
    return near(plants)


def near(plants: Sequence[Entity]) -> Mask:
    """bool[64, 64]: the cells from which at least one of these grows."""
    return _near([(plant.x, plant.y) for plant in plants])


def _near(cells: Sequence[tuple[int, int]]) -> Mask:
    x, y = np.ogrid[:AREA, :AREA]
    mask: Mask = np.logical_or.reduce(
        [np.abs(x - column) + np.abs(y - row) <= _GROWS for column, row in cells]
    )
    return mask


def ripening(here: BeliefState, waiting: Iterable[str]) -> Mask | None:
    """bool[64, 64]: the cells from which something placed becomes what is waited for; None for all.

    Args:
        here: The situation.
        waiting: The ids of the rules that are still to be applied.
    """
    sources = grown_from(here.model.world)
    placed = [name for grown, name in sources.items() if f"collect.{grown}" in waiting]
    cells = np.argwhere(here.of_material(*placed)) if placed else ()
    return _near([(int(x), int(y)) for x, y in cells]) if len(cells) else None


def gaps(here: BeliefState, plant: Entity) -> list[tuple[int, int]]:
    """The sides of a plant to which creatures can come."""
    cells = [(plant.x + dx, plant.y + dy) for dx, dy in DIRECTIONS]
    return [c for c in cells if min(c) >= 0 and max(c) < AREA and here.lets_in(c)]


def aside(plants: Sequence[Entity]) -> Mask:
    """bool[64, 64]: where to wait for plants: not beside any, but near enough that one grows."""
    x, y = np.ogrid[:AREA, :AREA]
    away = [np.maximum(np.abs(x - plant.x), np.abs(y - plant.y)) > _ASIDE for plant in plants]
    mask: Mask = near(plants) & np.logical_and.reduce(away)
    return mask


_NO_WAY = Route(FAR, -1, 0)
_SIDE = 4 * STEP
"""Cost of closing one more side of a plant."""
_TENDED = 20 * STEP
"""Largest cost of the way to a plant that is to be fenced."""
_DEAREST = 2
"""Items that a block around a plant may use up."""


@dataclass(frozen=True)
class Skill:
    """An action, and the places from which it has the intended effect.

    Attributes:
        name: For people: what it is about.
        action: The code of the action.
        facing: bool[64, 64]: cells to face; None for any.
        standing: bool[64, 64]: cells to stand on; None for any.
        extra: What it costs besides the way, in quarters of a step.
        on_foot: Whether nothing may be dug or placed on the way.
    """

    name: str
    action: int
    facing: Mask | None = None
    standing: Mask | None = None
    extra: int = 0
    on_foot: bool = False

    def at(self, cell: tuple[int, int] | None) -> Skill:
        """The same, done at one cell if that serves; a creature may have moved away from it."""
        if cell is None or self.facing is None or not self.facing[cell]:
            return self
        facing = np.zeros_like(self.facing)
        facing[cell] = True
        return replace(self, facing=facing)

    def within(self, where: Mask | None) -> Skill:
        """The same, done from some cells only; None for all."""
        if where is None:
            return self
        return replace(self, standing=where if self.standing is None else where & self.standing)

    def way(self, here: BeliefState) -> Route:
        """The cost, the loss of health, and the action to take now."""
        if self.facing is not None and not self.facing.any():
            return _NO_WAY
        if self.standing is not None and not self.standing.any():
            return _NO_WAY
        routes = here.footpaths if self.on_foot else here.routes
        way = routes.reach(self.facing, self.standing)
        if way.cost >= FAR:
            return _NO_WAY
        first = self.action if way.first < 0 else way.first
        return way._replace(cost=way.cost + self.extra, first=first)

    def price(self, here: BeliefState) -> tuple[int, int]:
        """Its cost, and the action to take now; the cost is FAR if there is no way."""
        way = self.way(here)
        return way.cost, way.first


def tasks_for(here: BeliefState, target: Task, apart: Mapping[str, frozenset[str]]) -> list[Skill]:
    """The skills that serve a target with the items held, any one of them.

    Args:
        here: The situation.
        target: What the abstract plan wants.
        apart: For each thing to be placed, the materials that have to stand close to it.
    """
    family, _, subject = target.rule.partition(".")
    if family == "creature":
        return list(_hunting(here, subject))
    if family == "sleep":
        return []
    rule = here.model.world[target.rule]
    match rule:
        case Collect():
            return collecting(here, rule)
        case Place() if affords(here, rule.uses):
            return _placing(here, rule, apart.get(rule.subject, frozenset()))
        case Make() if affords(here, rule.uses):
            make = here.actions[f"make_{subject}"]
            return [Skill(target.rule, make, None, beside(here, rule.nearby))]
        case Eat():
            return list(eating(here, rule))
    return []


def standing(here: BeliefState) -> Iterator[Skill]:
    """Going to where open goals of the world want the player to stand."""
    for goal in here.model.world.goals:
        wanted = condition_of(goal.name)
        if wanted is None or goal.name in here.status.unlocked:
            continue
        if wanted.kind == "reach":
            yield Skill(goal.name, NOOP, None, here.of_material(wanted.subject))
        elif wanted.kind == "at":
            cell = np.zeros((AREA, AREA), np.bool_)
            cell[here.model.world.map.drawings[0].on_the_map(wanted.cell)] = True
            yield Skill(goal.name, NOOP, None, cell)


def eating(here: BeliefState, rule: Eat) -> Iterator[Skill]:
    """Eating an item that is held, wherever the player is, unless it takes too much."""
    if here.held.get(rule.subject) and bearable(here, here.model.meal(rule.subject)):
        yield Skill(rule.id, here.actions[f"eat_{rule.subject}"])


def affords(here: BeliefState, uses: Mapping[Any, int]) -> bool:
    """Whether enough is held."""
    return all(here.held.get(item, 0) >= amount for item, amount in uses.items())


def collecting(here: BeliefState, rule: Collect) -> list[Skill]:
    """``do`` on the material, if what it requires is held and it does not kill."""
    if not here.model.can_collect(rule.subject, here.held):
        return []
    effect = here.model.collect_effect(rule.subject)
    if here.status.amount("health") + effect.health <= 0:
        return []
    loss = int(max(0, -effect.health) * here.point)
    facing = here.of_material(rule.subject)
    # A player that stands on it can step off and face it.
    beneath = here.seen.material_at(here.seen.position)
    facing[here.seen.position] = beneath == here.code[rule.subject]
    facing &= ~here.fences
    return [Skill(rule.id, DO, facing, None, STEP + loss)]


def risk(here: BeliefState, rule: Collect) -> float:
    """Expected cost of creatures spawned by collecting, in quarters of a step."""
    total = 0.0
    for being, chance in rule.spawns.items():
        kind = here.model.kinds.index(being)
        if harm := here.model.blow(kind) + here.model.shot(kind):
            total += chance * (harm * here.point + here.model.hits(kind, here.held) * STEP)
    return total


def _placing(here: BeliefState, rule: Place, close: frozenset[str]) -> list[Skill]:
    where = here.of_material(*rule.where)
    action = here.actions[f"place_{rule.subject}"]
    if rule.subject == "plant":
        sides = open_sides(here)
        return [
            Skill(
                rule.id,
                action,
                where & (sides <= most),
                None,
                min(_SIDE * (most - 1), patience(here)),
            )
            for most in (1, 2, 3, 4)
        ]
    if close:
        return [Skill(rule.id, action, where, beside(here, sorted(close)))]
    return [Skill(rule.id, action, where)]


def beside(here: BeliefState, materials: Sequence[str]) -> Mask:
    """Cells near which all of these lie."""
    mask = np.ones((AREA, AREA), np.bool_)
    mask[0, :] = mask[:, 0] = False
    for material in materials:
        mask &= here.near(material)
    return mask


def _hunting(here: BeliefState, being: str) -> Iterator[Skill]:
    if being == "plant":
        yield Skill("creature.plant", DO, here.kinds == RIPE)
        return
    if not here.model.hunts(being, here.held):
        return
    kind = here.model.kinds.index(being)
    effect = here.model.eat_effect(kind)
    risk = (here.model.blow(kind) + here.model.shot(kind)) * here.point
    loss = int(max(0, -effect.health) * here.point)
    cost = here.model.hits(kind, here.held) * STEP + risk + loss
    if not bearable(here, effect):
        return
    prey = Skill(f"creature.{being}", DO, here.kinds == kind, None, cost)
    yield prey
    if prey.way(here).cost < FAR:
        return
    for rule in here.model.world.collect.values():
        chance = next((p for creature, p in rule.spawns.items() if creature == being), 0)
        if chance:
            for task in collecting(here, rule):
                tries = int(STEP * min(40, 1 / chance))
                yield Skill(f"creature.{being}", DO, task.facing, None, cost + task.extra + tries)


def bearable(here: BeliefState, effect: VitalEffect) -> bool:
    """Whether an interaction leaves some health, food and drink, or none was left anyway."""
    amounts = {vital: here.status.amount(vital) for vital in VITALS}
    return all(
        effect.of(vital) >= 0 or amount + effect.of(vital) > 0 or amount == 0
        for vital, amount in amounts.items()
    )


def removable(here: BeliefState, thing: str) -> bool:
    """Whether a placed object can be removed again with the items held."""
    if thing not in here.code or not here.model.can_collect(thing, here.held):
        return False
    left = here.code[here.model.world.collect[thing].leaves]
    return bool(here.model.walkable[left]) and not here.model.deadly[left]


def fencing(here: BeliefState, spare: int = 0) -> Iterator[Skill]:
    """Closing the sides of plants that are not ripe, and collecting what that takes.

    Args:
        here: The situation.
        spare: What it may cost more than it saves, in quarters of a step: time to be passed.
    """
    sides_of = {plant: gaps(here, plant) for plant in here.seen.of_kind("plant")}
    plants = [plant for plant, cells in sides_of.items() if cells]
    open_ = [cell for plant in plants for cell in sides_of[plant]]
    place = _block(here)
    if not open_ or place is None:
        return
    most = min(_TENDED, patience(here) + spare - _SIDE * (len(open_) - 1))
    sides = np.zeros((AREA, AREA), np.bool_)
    sides[tuple(np.transpose(open_))] = True
    if affords(here, place.uses):
        action = here.actions[f"place_{place.subject}"]
        tasks = [Skill("fence", action, here.of_material(*place.where) & sides)]
    else:
        tasks = [
            Skill("fence", task.action, task.facing, near(plants), task.extra + _SIDE)
            for rule in here.model.world.collect.values()
            for item, given in rule.yields.items()
            if item in place.uses and given.probability in (None, 1)
            for task in collecting(here, rule)
        ]
    yield from (task for task in tasks if task.way(here).cost <= most)


def _block(here: BeliefState) -> Place | None:
    """The object that stops creatures and takes the fewest items to place."""
    blocks = [
        place
        for name, place in here.model.world.place.items()
        if removable(here, name) and not here.model.creatures_walk[here.code[name]]
    ]
    best = min(blocks, key=lambda place: sum(place.uses.values()), default=None)
    return best if best is not None and sum(best.uses.values()) <= _DEAREST else None


_APPROACH = VIEW_WIDTH // 2 * STEP
"""Cost of the way to something that came into view."""


def searching(here: BeliefState, about: str, expected: Field) -> Skill | None:
    """The search for something, with its expected cost; None if nothing can be found.

    Args:
        here: The situation.
        about: What it is about, in words.
        expected: float64[64, 64]: the expected number of what is sought by cell; what is in view
            does not count.
    """
    ways = here.routes.nearest_cell
    found = -np.expm1(-in_views(expected))
    with np.errstate(divide="ignore"):
        total = np.where(ways < FAR, np.maximum(ways, STEP) / found, np.inf)
    best = np.unravel_index(int(np.argmin(total)), total.shape)
    if not total[best] < FAR:
        return None
    there = np.zeros((AREA, AREA), np.bool_)
    there[best] = True
    extra = int(total[best] - ways[best]) + _APPROACH
    return Skill(about, NOOP, None, there, extra)


def is_enclosed(here: BeliefState) -> bool:
    """Whether no unseen cell is beside the cells that can be reached."""
    beside_unseen = widened(here.seen.materials == UNSEEN, 1)
    return not beside_unseen[here.routes.nearest_cell < FAR].any()


def in_views(expected: Field) -> Field:
    """float64[64, 64]: the sum over all cells in view from each cell."""
    views: Field = _in_views(expected)
    return views


@kernel
def _in_views(expected: Any) -> Any:
    """float64[64, 64]: sums over views, as differences of sums from the map's corner on."""
    width, height = expected.shape
    right, below = VIEW_WIDTH // 2, VIEW_HEIGHT // 2
    columns = np.zeros((width, height))  # sums of each column from the first row on
    columns[0] = expected[0]
    for x in range(1, width):
        for y in range(height):
            columns[x, y] = columns[x - 1, y] + expected[x, y]
    sums = np.zeros((width, height))
    for x in range(width):
        total = 0.0
        for y in range(height):
            total += columns[x, y]
            sums[x, y] = total
    views = np.empty((width, height))
    for x in range(width):
        after, before = min(x + right, width - 1), x - right - 1
        for y in range(height):
            last, first = min(y + below, height - 1), y - below - 1
            upper = sums[after, last] - (sums[before, last] if before >= 0 else 0.0)
            lower = 0.0
            if first >= 0:
                lower = sums[after, first] - (sums[before, first] if before >= 0 else 0.0)
            views[x, y] = max(upper - lower, 0.0)
    return views


def expected_gain(here: BeliefState, goals: Iterable[str]) -> Field:
    """float64[64, 64]: the expected number of things out of view that serve goals.

    What is already known in n places counts as 1 / (n + 1). Where nothing of that can be expected,
    every unseen cell counts alike.

    Args:
        here: The situation.
        goals: Achievements that are open.
    """
    assert here.expected is not None
    wanted = wants(here.model.world, goals)
    code = here.code
    places = np.bincount(here.seen.materials.ravel(), minlength=len(code))
    materials = {name: 1 / (1 + int(places[code[name]])) for name in wanted if name in code}
    gain = here.expected.of_materials(materials)
    for being in names.CREATURES:
        if being in wanted:
            gain = gain + here.expected.of_creature(being) / (1 + len(here.seen.of_kind(being)))
    return gain if gain.any() else here.expected.materials.sum(axis=2)


def wants(world: World, goals: Iterable[str]) -> frozenset[str]:
    """The materials and creatures from which goals are reached, by any of the rules.

    Args:
        world: What is believed.
        goals: Names of achievements.

    Example:
        >>> from mars_logic.world.load import load_world
        >>> sorted(wants(load_world("default"), ["make_wood_pickaxe"]))
        ['grass', 'path', 'sand', 'tree']
    """
    found: set[str] = set()
    waiting = [subject_of(goal) for goal in goals]
    for thing in waiting:
        if thing in found:
            continue
        found.add(thing)
        waiting += _makings(world, thing)
    words = world.vocabulary
    added = (material.name for material in words.added)
    return frozenset(found & {*names.NATURAL, *names.CREATURES, *added})


def _makings(world: World, thing: str) -> Iterator[str]:
    """What may be needed to get an item, or to have a thing placed."""
    for rule in world.collect.values():
        if rule.collectable and thing in rule.yields:
            yield rule.subject
            yield from rule.requires
        if thing in rule.spawns:
            yield rule.subject
    if thing in world.place:
        yield from world.place[thing].uses
        yield from world.place[thing].where
    if thing in world.make:
        yield from world.make[thing].uses
        yield from world.make[thing].nearby
