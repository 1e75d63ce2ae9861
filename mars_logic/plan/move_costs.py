"""Costs of movement: steps plus weighted losses of health; the weight grows as health falls."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import kernel
from mars_logic.plan.observed_map import KINDS, UNSEEN, Entity
from mars_logic.plan.route import STEP, MoveCosts
from mars_logic.plan.spawning import SPAWN_GROUND, comers
from mars_logic.plan.surroundings import KnownState, Mask
from mars_logic.plan.world_model import DO, NOOP, WorldModel
from mars_logic.world import names
from mars_logic.world.dialect import AREA, MAXIMUM

ARROW, PLANT, RIPE = (KINDS.index(kind) for kind in ("arrow", "plant", "ripe_plant"))
_PRESENT = 6
"""Creatures farther off will have moved by the time that the player is there."""
_FELT = 14
"""Creatures farther off do not matter to which way is taken."""
_DEPTH = 3
"""At most so many interactions open a cell."""
POINTS = (160, 160, 160, 100, 100, 56, 56, 32, 32, 32)
"""Value of a point of health, in quarters of a step, by remaining health."""
_SORE, _SLOW, _HURT = 64, 26 * STEP, 6
"""What a point of health is worth at least where it is lost for sure; and to who has
no more than so many left, where nothing but time heals."""
ALIVE = 2
"""The health that a way has to leave."""
_SCARCE = 40 * STEP
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


def survives(here: KnownState, harm: int, least: int = ALIVE) -> bool:
    """Whether a way that takes so much health leaves enough."""
    return harm == 0 or here.status.amount("health") - harm >= least


def terrain_of(here: KnownState, last_resort: Mask) -> MoveCosts:
    """The costs of movement.

    Args:
        here: What is known.
        last_resort: bool[64, 64]: ground that has to stay for creatures to come.
    """
    health = here.status.amount("health")
    wastes = min(here.status.amount(vital) for vital in ("food", "drink", "energy")) == 0
    step, opening, action, taken = by_material(
        here.model, tuple(here.held.items()), here.kept, health, wastes=wastes
    )
    codes = np.where(here.seen.materials == UNSEEN, 0, here.seen.materials)
    walk = step[codes]
    walkable = here.model.walkable[codes]
    turns = ~walkable
    open_cost, open_action, open_harm = opening[codes], action[codes], taken[codes]
    danger = _danger(here)
    walk = np.where(walk > 0, walk + danger, 0)
    open_cost = np.where(open_cost > 0, open_cost + danger, 0)
    open_cost[here.fences] = 0
    open_cost[last_resort & (open_cost > 0)] += _SCARCE
    harm = -here.model.walk_health
    strokes = {
        kind: here.model.hits(kind, here.held)
        for kind in map(here.model.kinds.index, here.model.creatures)
    }
    for thing in here.seen.things:
        cell = (thing.x, thing.y)
        if thing.kind in (PLANT, RIPE):
            walk[cell], turns[cell], open_cost[cell] = 0, True, 0
        elif thing.kind == ARROW or here.distance(thing) <= _PRESENT:
            onward = int(walk[cell])
            walk[cell], turns[cell] = 0, True
            killed = health + here.model.eat_effect(thing.kind).health <= 0
            open_cost[cell] = _clearing(here, thing) + onward if onward and not killed else 0
            open_action[cell] = NOOP if thing.kind == ARROW else DO
            taken_by_it = max(0, -int(here.model.eat_effect(thing.kind).health))
            open_harm[cell] = harm[codes[cell]] + (0 if thing.kind == ARROW else taken_by_it)
        elif walk[cell]:
            walk[cell] += (strokes[thing.kind] + 2) * STEP
    stay = STEP + np.maximum(0, harm) * _sore(here.model, health)
    return MoveCosts(
        walk.astype(np.int32),
        turns,
        stay[codes].astype(np.int32),
        open_cost.astype(np.int32),
        open_action.astype(np.int32),
        harm[codes].astype(np.int32),
        open_harm.astype(np.int32),
    )


def _clearing(here: KnownState, thing: Entity) -> int:
    """The cost of removing a creature from the way, including the effects of killing it."""
    if thing.kind == ARROW:
        return 4 * STEP
    effect = here.model.eat_effect(thing.kind)
    lost = max(0, -effect.health) * worth(here.status.amount("health"))
    lost += (max(0, -effect.food) + max(0, -effect.drink)) * MEAL
    return (here.model.hits(thing.kind, here.held) + 2) * STEP + int(lost)


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
                continue  # a plant is walked on by nobody
            fits = material in place.where and thing != material
            if fits and _affords(held, place.uses) and (rest := onward(thing, depth)):
                price = 3 * STEP if _affords(spare, place.uses) else _SCARCE
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


def _danger(here: KnownState) -> NDArray[np.int64]:
    """Cost of each cell due to harmful creatures."""
    cost, point = np.zeros((AREA, AREA), np.int64), worth(here.status.amount("health"))
    blow = here.model.blow(KINDS.index("zombie"))
    zombies = comers(here.status.daylight)
    if blow and zombies > 0:
        ground = here.seen.materials == here.code[SPAWN_GROUND["zombie"]]
        cost += ground * (blow * zombies * point // 60)
    flies = _flown_over(here)
    for thing in here.creatures_within(_FELT):
        blow, shot = here.model.blow(thing.kind), here.model.shot(thing.kind)
        reach = 3 if here.model.approaches(thing.kind) else 1
        if blow:
            _around(cost, thing.x, thing.y, reach, blow * point // 6)
        if shot:
            _around(cost, thing.x, thing.y, 3, shot * point // 16)
            _beams(cost, flies, thing.x, thing.y, shot * point // 7)
    return cost


def _flown_over(here: KnownState) -> NDArray[np.bool_]:
    """bool[64, 64]: the cells over which arrows fly."""
    seen = here.seen.materials
    walked = here.model.walkable[np.where(seen == UNSEEN, 0, seen)] & (seen != UNSEEN)
    flown_over: NDArray[np.bool_] = walked | here.made_of(*names.LIQUIDS)
    return flown_over


@kernel
def _around(cost: Any, x: int, y: int, reach: int, amount: int) -> None:
    """Less, the farther off."""
    for dx in range(-reach, reach + 1):
        for dy in range(-reach, reach + 1):
            far = abs(dx) + abs(dy)
            if far <= reach and 0 <= x + dx < AREA and 0 <= y + dy < AREA:
                cost[x + dx, y + dy] += amount // max(1, far)


@kernel
def _beams(cost: Any, flies: Any, x: int, y: int, amount: int) -> None:
    """Along the four lines of its arrows."""
    for side in range(4):
        dx = (side == 1) - (side == 0)
        dy = (side == 3) - (side == 2)
        for far in range(1, 6):
            nx, ny = x + far * dx, y + far * dy
            if nx < 0 or ny < 0 or nx >= AREA or ny >= AREA or not flies[nx, ny]:
                break
            cost[nx, ny] += amount
