"""Sources of food, drink and health under a belief, and the nearest of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from mars_logic.plan.belief_state import BeliefState, Mask, survives
from mars_logic.plan.expectation import Field
from mars_logic.plan.observed_map import KINDS, UNSEEN
from mars_logic.plan.routes import ALIVE, DIRECTIONS, FAR, MEAL, RIPE, STEP, Route, shifted
from mars_logic.plan.shelter import is_shut_in_without
from mars_logic.plan.skills import Skill, collecting, eating, risk, searching
from mars_logic.plan.world_model import DO, NOOP, VITALS, VitalEffect, WorldModel
from mars_logic.world import names
from mars_logic.world.dialect import AREA
from mars_logic.world.need_rules import AddedNeed
from mars_logic.world.rules import Collect, Place

_REFILL = 6
"""Points to be refilled, for the comparison of sources."""
_FILLING = 3
_NEXT = 4 * STEP
"""Cost of the way to the next cell of a material, which occurs in clusters."""
HEALING = "ground that heals"
SEARCH = "search for"

Source = tuple[float, float, str, int]
"""Cost of a source, gain of a vital there, its name, and the action to take now."""


def healing_ground(here: BeliefState) -> Mask | None:
    """bool[64, 64]: cells on which every step heals; None if there is no such ground."""
    healing = here.model.walk_health > 0
    if not healing.any():
        return None
    codes = here.known_codes
    mask: Mask = healing[codes] & here.model.walkable[codes] & ~here.model.deadly[codes]
    return mask


def sources(here: BeliefState) -> Iterator[tuple[VitalEffect, Skill]]:
    """All interactions that raise a vital."""
    for rule in here.model.world.collect.values():
        effect = here.model.collect_effect(rule.subject)
        if effect.helps:
            for task in collecting(here, rule) or _equipping(here, rule):
                yield effect, replace(task, extra=task.extra + _meals(effect))
    for being in here.model.creatures:
        effect, cost = _meal(here, being)
        if effect.helps and here.model.hunts(being, here.held):
            prey = here.kinds == here.model.kinds.index(being)
            yield effect, Skill(f"creature.{being}", DO, prey, None, cost)
    effect = here.model.eat_effect(KINDS.index("plant"))
    if effect.helps:
        yield effect, Skill("creature.plant", DO, here.kinds == RIPE)
    for meal in here.model.world.eat.values():
        effect = here.model.meal(meal.subject)
        spare = here.held.get(meal.subject, 0) > dict(here.kept).get(meal.subject, 0)
        if effect.helps and spare and not _is_spared(here, meal.subject, effect):
            for task in eating(here, meal):
                yield effect, replace(task, extra=task.extra + _meals(effect))
    if (heals := healing_task(here)) is not None:
        yield VitalEffect(health=1), heals
    for need in here.model.wanting(here.held):
        yield from _of_need(here, here.model.added_needs[need])
    yield from _searches(here)


def _is_spared(here: BeliefState, item: str, effect: VitalEffect) -> bool:
    """Whether the last of an item is better kept as a tool than eaten.

    It is, if some rule takes it in hand, until a vital that it raises is at 0; and then, too, if
    the player digs its way out with it.
    """
    used = any(item in needed for needed in here.model.requires.values())
    if not used or here.held.get(item, 0) > 1:
        return False
    urgent = any(effect.of(vital) > 0 and here.status.amount(vital) == 0 for vital in VITALS)
    return not urgent or is_shut_in_without(here, item)


def _of_need(here: BeliefState, rule: AddedNeed) -> Iterator[tuple[VitalEffect, Skill]]:
    """What raises an added need: to be near or on some material, to place one, or to eat."""
    ways: list[tuple[Mapping[Any, int], Callable[[str], Mask]]] = [
        (rule.gains_near, here.near),
        (rule.gains_on, here.made_of),
    ]
    for gains, where in ways:
        for material, points in gains.items():
            effect = VitalEffect(needs=((rule.subject, points),))
            yield effect, Skill(rule.id, NOOP, None, where(material))
            place = here.model.world.place.get(material)
            if place is not None:
                yield from ((effect, replace(task, name=rule.id)) for task in _laying(here, place))
    for item, points in rule.gains_eating.items():
        meal = here.model.world.eat.get(item)
        if meal is not None:
            for task in eating(here, meal):
                yield VitalEffect(needs=((rule.subject, points),)), task


def _laying(here: BeliefState, place: Place) -> Iterator[Skill]:
    """Placing a material, or collecting what that takes."""
    missing = {i for i, n in place.uses.items() if here.held.get(i, 0) < n}
    if not missing:
        action = here.actions[f"place_{place.subject}"]
        yield Skill(place.id, action, here.of_material(*place.where))
        return
    for rule in here.model.world.collect.values():
        if any(i in missing and given.probability != 0 for i, given in rule.yields.items()):
            yield from (replace(t, extra=t.extra + _NEXT) for t in collecting(here, rule))


def _searches(here: BeliefState) -> Iterator[tuple[VitalEffect, Skill]]:
    """The searches for sources out of view."""
    if here.expected is None:
        return
    for material, rule in here.model.world.collect.items():
        effect = here.model.collect_effect(material)
        if effect.helps and here.model.can_collect(material, here.held):
            field = here.expected.of_materials({material: 1.0})
            yield from _found(here, material, field, effect, int(_meals(effect) + risk(here, rule)))
    for being in names.CREATURES:
        effect, cost = _meal(here, being)
        if effect.helps:
            yield from _found(here, being, here.expected.of_creature(being), effect, cost)


def _found(
    here: BeliefState, about: str, field: Field, effect: VitalEffect, cost: int
) -> Iterator[tuple[VitalEffect, Skill]]:
    """The search for one source, if any can be expected."""
    search = searching(here, f"{SEARCH} {about}", field)
    if search is not None:
        yield effect, replace(search, extra=search.extra + cost)


def _meal(here: BeliefState, being: str) -> tuple[VitalEffect, int]:
    """The effect of eating a creature, and the cost of killing it once beside it."""
    kind = here.model.kinds.index(being)
    effect = here.model.eat_effect(kind)
    cost = here.model.hits(kind, here.held) * STEP + here.model.blow(kind) * here.point
    return effect, cost + int(max(0, -effect.health)) * here.point + _meals(effect)


def _takes(effect: VitalEffect) -> bool:
    """Whether it takes anything of the player."""
    return min(effect.health, effect.food, effect.drink) < 0


def _meals(effect: VitalEffect) -> int:
    """Cost of regaining the food and drink that a source takes."""
    return int(max(0, -effect.food) + max(0, -effect.drink)) * MEAL


def nearest_healing(here: BeliefState) -> tuple[int, int] | None:
    """The cost of the way to healing ground, and the action to take now; None without one.

    A way that takes nearly all health that is left is none.
    """
    way = healing(here)
    return None if way is None or not survives(here, way.worst) else (way.cost, way.first)


def healing(here: BeliefState) -> Route | None:
    """The way to ground that heals; None if there is none."""
    task = healing_task(here)
    way = None if task is None else task.way(here)
    return way if way is not None and way.cost < FAR else None


def way_back(here: BeliefState) -> int:
    """Least health for the way to healing ground."""
    way = healing(here)
    return 0 if way is None else way.worst + ALIVE


def healing_task(here: BeliefState) -> Skill | None:
    """Moving about on ground that heals."""
    ground = healing_ground(here)
    if ground is None:
        return None
    lasting, action = _pacing(here, ground)
    return Skill(HEALING, action, None, lasting)


def _pacing(here: BeliefState, ground: Mask) -> tuple[Mask, int]:
    """Healing cells beside harmless ones, and the move to make there.

    A move that is blocked heals as well, so that a wall beside such ground does, too; to and fro
    between it and other ground heals half as fast.
    """
    codes = here.known_codes
    wall = ~here.model.walkable[codes] & (here.seen.materials != UNSEEN)
    stays = ground | wall
    harmless = here.model.walkable & ~here.model.deadly & (here.model.walk_health >= 0)
    fair = stays | harmless[codes]
    lasting = np.zeros_like(ground)
    for dx, dy in DIRECTIONS:
        lasting |= shifted(fair, dx, dy)
    x, y = here.seen.position
    beside = [(x + dx, y + dy) for dx, dy in DIRECTIONS]
    moves = [
        1 + code
        for cells in (stays, fair)
        for code, cell in enumerate(beside)
        if _inside(cell) and cells[cell]
    ]
    return lasting & ground, moves[0] if moves else 4


def _inside(cell: tuple[int, int]) -> bool:
    return 0 <= cell[0] < AREA and 0 <= cell[1] < AREA


def _equipping(here: BeliefState, rule: Collect) -> Iterator[Skill]:
    """Collecting the one item that is missing for a source."""
    if not rule.collectable or not (here.seen.materials == here.code[rule.subject]).any():
        return
    missing = [i for i, amount in rule.requires.items() if here.held.get(i, 0) < amount]
    if len(missing) != 1:
        return
    for other in here.model.world.collect.values():
        given = next((g for item, g in other.yields.items() if item == missing[0]), None)
        if given is not None and given.probability != 0:
            tries = int(min(40, 1 / (given.probability or 1)) * STEP)
            for task in collecting(here, other):
                yield Skill(f"{rule.id} by {other.id}", DO, task.facing, None, tries + 20 * STEP)


def keeps(model: WorldModel) -> dict[str, int]:
    """The items to keep in reserve because drinking or eating requires them."""
    used_up = {item for rule in model.world.place.values() for item in rule.uses}
    used_up |= {item for rule in model.world.make.values() for item in rule.uses}
    kept: dict[str, int] = {}
    for vital in ("drink", "food"):
        rules = [
            rule
            for rule in model.world.collect.values()
            if rule.collectable and model.collect_effect(rule.subject).of(vital) > 0
        ]
        beings = [meal.of(vital) for meal in model.meals]
        if not rules or max(beings) >= _FILLING or any(not rule.requires for rule in rules):
            continue
        for item, amount in min(rules, key=lambda r: (len(r.requires), r.subject)).requires.items():
            if item in used_up:
                kept[item] = max(kept.get(item, 0), amount)
    return kept


def tools_for(here: BeliefState, vital: str) -> frozenset[str]:
    """The tools without which nothing on the map raises a vital for nothing: the least costly.

    Where nothing but plants does, that is a sapling, until there was one.
    """
    model = here.model
    if grown_only(model, vital):
        return frozenset(() if "collect_sapling" in here.status.unlocked else ("sapling",))
    rules = [
        rule
        for rule in model.world.collect.values()
        if rule.collectable
        and model.collect_effect(rule.subject).of(vital) > 0
        and (here.seen.materials == here.code[rule.subject]).any()
    ]
    if any(meal.of(vital) > 0 and not _takes(meal) for meal in model.meals) or not rules:
        return frozenset()
    x, y = here.seen.position
    effort = _efforts(here)
    offers = []
    for rule in rules:
        missing = [item for item, n in rule.requires.items() if here.held.get(item, 0) < n]
        cells = np.argwhere(here.seen.materials == here.code[rule.subject])
        away = int(np.abs(cells - (x, y)).sum(axis=1).min())
        offers.append((sum(effort[item] for item in missing), away, missing))
    least = min(offers)[2]
    planned = all(unlocked_by(model, item) not in here.status.unlocked for item in least)
    return frozenset(least if planned else ())


@lru_cache(maxsize=64)
def grown_only(model: WorldModel, vital: str) -> bool:
    """Whether nothing but plants raises a vital."""
    beings = (meal.of(vital) for meal in model.meals)
    given = (
        model.collect_effect(rule.subject).of(vital)
        for rule in model.world.collect.values()
        if rule.collectable
    )
    eaten = model.eat_effect(KINDS.index("plant")).of(vital)
    return eaten > 0 and max(*beings, *given, 0) <= 0


def unlocked_by(model: WorldModel, item: str) -> str:
    """The achievement of having an item for the first time."""
    return f"make_{item}" if item in model.world.make else f"collect_{item}"


def _efforts(here: BeliefState) -> dict[str, float]:
    """About how many interactions it takes to get one of each item, from what is held and stands.

    Nothing is counted that serves for two things, nor what would have to be found first.
    """
    world, there = here.model.world, np.bincount(here.seen.materials.ravel(), minlength=UNSEEN + 1)
    items, materials = here.model.words.items, here.model.words.materials
    effort = dict.fromkeys(items, math.inf) | dict.fromkeys(here.held, 0.0)
    stand = (thing for thing in materials[1:] if thing not in items)
    effort |= {thing: 0.0 if there[here.code[thing]] else math.inf for thing in stand}
    options: list[tuple[str, float, Mapping[Any, int]]] = []
    for rule in world.collect.values():
        if rule.collectable and there[here.code[rule.subject]]:
            once = dict.fromkeys(rule.requires, 1)
            for item, given in rule.yields.items():
                if item in effort and given.probability != 0:
                    options.append((item, 1 / (given.probability or 1), once))
    for place in world.place.values():
        options.append((place.subject, 1, place.uses))
    for make in world.make.values():
        options.append((make.subject, 1, dict(make.uses) | dict.fromkeys(make.nearby, 1)))
    lower = True
    while lower:
        lower = False
        for thing, tries, needs in options:
            total = tries + sum(n * effort.get(item, math.inf) for item, n in needs.items())
            if total < effort.get(thing, math.inf):
                effort[thing], lower = total, True
    return effort


def nearest_source(
    here: BeliefState, vital: str, among: list[tuple[VitalEffect, Skill]]
) -> Source | None:
    """The source of a vital with the best price: cost, gain, name, action.

    The gain is the whole supply at that place.
    """
    best: tuple[float, float, float, str, int] | None = None
    lost = any(here.status.amount(one) == 0 for one in VITALS)  # of health, where it is
    for effect, task in among:
        gain = effect.of(vital)
        if gain <= 0 or not _bearable(here, effect, vital):
            continue
        cost, action, _, _, worst = task.way(here)
        if cost >= FAR or not survives(here, worst, 1 if lost else ALIVE):
            continue
        supply, again = _supply(here, task, gain)
        rule = here.model.world.collect.get(task.name.removeprefix("collect."))
        perils = 0 if rule is None else risk(here, rule)
        worth = cost + perils + (_REFILL / min(gain, _REFILL) - 1) * (again + perils)
        if best is None or worth < best[0]:
            best = (worth, cost, max(gain, supply), task.name, action)
    return None if best is None else best[1:]


def _supply(here: BeliefState, task: Skill, gain: float) -> tuple[float, int]:
    """The supply at a source, and the cost of using it, or the next one, again."""
    rule = here.model.world.collect.get(task.name.removeprefix("collect."))
    lasts = task.name == HEALING or task.name.startswith("need.")
    if lasts or (rule is not None and rule.leaves == rule.subject):
        return _REFILL, 2 * STEP
    if rule is None:
        return gain, 15 * STEP
    cells = int((here.seen.materials == here.code[rule.subject]).sum())
    return min(_REFILL, gain * cells), _NEXT if cells > 1 else 15 * STEP


def _bearable(here: BeliefState, effect: VitalEffect, vital: str) -> bool:
    """Whether the losses of other vitals are worth it and leave enough."""
    if here.status.amount(vital) > 2 and effect.health + effect.food + effect.drink < 0:
        return False
    return all(
        effect.of(vital) >= 0 or here.status.amount(vital) + effect.of(vital) >= least
        for vital, least in (("health", 2), ("food", 1), ("drink", 1))
    )
