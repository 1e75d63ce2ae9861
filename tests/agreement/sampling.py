"""Random states of a world, played and then edited so that rare things happen often."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from mars_logic import World
from mars_logic.logic.situation import NearbyThing, Player
from mars_logic.sim import Simulator
from mars_logic.world import names
from mars_logic.world.dialect import AREA
from mars_logic.world.vocabulary import REMAINS, Vocabulary
from tests.agreement import phases
from tests.agreement.phases import Record

Cell = tuple[int, int]

_PLAYED_STEPS = 40
_SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
_COUNTER_RANGES = {"hunger": (0, 25), "thirst": (0, 20), "fatigue": (-10, 30), "recover": (-15, 25)}


# - What chance decides


def numbers_for_player(world: World, material: str | None) -> list[float]:
    """Representatives of a draw while doing something to a material: one between all thresholds."""
    rule = world.collect.get(material or "")
    if rule is None:
        return [0.5]
    thresholds = list(rule.spawns.values())
    chances = [given.probability for given in rule.yields.values() if given.probability is not None]
    thresholds += [math.fsum(chances[: i + 1]) for i in range(len(chances))] + chances
    return between(thresholds)


_CREATURES_THRESHOLDS = (0.2, 0.3, 0.5, 0.6, 0.8, 0.9)


def numbers_for_thing(dice: random.Random) -> list[float]:
    """Representatives of a draw of a creature.

    Each is compared with one of a few constants, so a low and a high number would do; a third one
    is any between two of them.
    """
    low, *others, high = between(_CREATURES_THRESHOLDS)
    return [low, dice.choice(others), high]


def between(thresholds: Any) -> list[float]:
    """The middle of each interval into which thresholds cut (0, 1).

    What lies closer together than 1e-12 differs by rounding errors of a sum only.
    """
    cuts = [0.0]
    for threshold in sorted({*thresholds, 1.0}):
        if threshold - cuts[-1] > 1e-12 and threshold <= 1:
            cuts.append(threshold)
    if cuts[-1] < 1:
        cuts[-1] = 1.0
    return [(low + high) / 2 for low, high in pairwise(cuts)]


# - States


def played(world: World, dice: random.Random, number: int) -> Iterator[Record]:
    """States that random play leads to, with all actions equally likely."""
    simulator = Simulator(world, number)
    simulator.reset(dice.randrange(10**6))
    for _ in range(dice.randrange(_PLAYED_STEPS)):
        actions = len(world.vocabulary.actions)
        simulator.step([dice.randrange(actions) for _ in range(number)])
    envs = simulator.snapshot().envs
    for i in range(number):
        yield envs[i : i + 1].copy()


def before_action(world: World, record: Record, dice: random.Random) -> Record:
    """The state with another player, and other things around it."""
    record = record.copy()
    if dice.random() < 0.5:
        phases.clear_things(record)
    x, y = _cell(record, dice)
    player = _player(world, (x, y), dice)
    _at_any_time(world, record, dice)
    phases.set_player(record, player)
    cells = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    if world.push:
        cells += [(x + 2 * dx, y + 2 * dy) for dx, dy in _SIDES]
    _furnish(world, record, cells, dice, 0.2)
    _furnish(world, record, [(x + player.facing[0], y + player.facing[1])], dice, 0.3)
    return record


def before_update(
    world: World, record: Record, kind: str, dice: random.Random
) -> tuple[Record, int]:
    """The state with a thing of a kind, and other things around it; also the thing's number."""
    record = record.copy()
    phases.clear_things(record)
    x, y = cell = _cell(record, dice)
    player = _player(world, cell, dice)
    _at_any_time(world, record, dice)
    # Before it in the same step, others may have killed the player, or healed it above its maximum.
    health = {"health": dice.choice((0, 1, 2, 5, 9, dice.randint(0, 30)))}
    phases.set_player(record, replace(player, inventory={**player.inventory, **health}))
    while not (phases.is_inside(cell) and phases.is_empty(record, cell)):
        far = dice.choice((1, 1, 1, 2, 3, 4, 5, 6, 8, 9, dice.randint(1, 20)))
        dx = dice.choice((0, far, dice.randint(0, far), dice.randint(0, far)))
        cell = (x + dice.choice((-dx, dx)), y + dice.choice((dx - far, far - dx)))
    number = phases.put(record, cell, _thing(kind, world, dice), world.vocabulary)
    cells = [cell, *((cell[0] + dx, cell[1] + dy) for dx, dy in _SIDES)]
    if kind in world.projectile:
        cells += [(cell[0] + 2 * dx, cell[1] + 2 * dy) for dx, dy in _SIDES]
    _furnish(world, record, cells, dice, 0.15)
    return record, number


def before_change(world: World, record: Record, dice: random.Random) -> tuple[Record, Cell]:
    """The state with a cell that may change by itself, and others beside it; also the cell."""
    record = record.copy()
    x, y = _cell(record, dice)
    phases.set_player(record, _player(world, (x, y), dice))
    far = dice.choice((0, 1, 2, 5, 16, 17, 17, 18, 19))
    dx = dice.randint(0, far)
    cell = (x + dice.choice((-dx, dx)), y + dice.choice((dx - far, far - dx)))
    cell = tuple(min(AREA - 1, max(0, at)) for at in cell)
    rules = [*world.beside.values(), *world.timer.values()]
    others = [name for rule in world.beside.values() for name in rule.becomes]
    others += [name for rule in world.timer.values() for name in rule.near]
    others += dice.sample(world.vocabulary.materials[1:], 2)
    for dx, dy in _SIDES:
        if phases.is_inside(side := (cell[0] + dx, cell[1] + dy)):
            phases.set_material(world.vocabulary, record, side, dice.choice(others), None)
    if dice.random() < 0.9:
        material = dice.choice(rules).subject
        phases.set_material(world.vocabulary, record, cell, material, None)
        timer = world.timer.get(material)
        after = timer.after if timer else 1
        ages = (0, after - 2, after - 1, after, dice.randint(0, 254))
        phases.set_age(world.vocabulary, record, cell, min(254, max(0, dice.choice(ages))))
    return record, cell


def numbers_for_change(world: World) -> list[float]:
    """Representatives of a draw for a change of a cell."""
    return between([rule.chance for rule in (*world.beside.values(), *world.timer.values())])


def _cell(record: Record, dice: random.Random) -> tuple[int, int]:
    """The player's own cell or an empty one; often at an edge of the map."""
    while True:
        x, y = (
            dice.choice((0, 1, AREA - 1, *(dice.randrange(AREA) for _ in range(4)))) for _ in "xy"
        )
        if phases.is_empty(record, (x, y)):
            return x, y


def _at_any_time(world: World, record: Record, dice: random.Random) -> None:
    """The step of the episode, where rules depend on it."""
    if world.behaviour or world.vocabulary.added_needs:
        record[0]["step"] = dice.randrange(150)


def _player(world: World, cell: tuple[int, int], dice: random.Random) -> Player:
    words = world.vocabulary
    vitals = {item: dice.choice((0, 1, 5, 8, 9, 9)) for item in names.VITALS}
    vitals["health"] = dice.choice((1, 2, 5, 9, dice.randint(1, 9)))
    held = dict.fromkeys(words.holdable, 0)
    for item in dice.sample(words.holdable, dice.choice((0, 1, 3, 9, 12))):
        held[item] = dice.choice((1, 9, dice.randint(1, 9)))
    return Player(
        cell=cell,
        facing=dice.choice(_SIDES),
        inventory=vitals | held | {need: dice.choice((0, 1, 5, 9)) for need in words.added_needs},
        last_health=min(9, max(0, vitals["health"] + dice.choice((-1, 0, 0, 1, 2)))),
        counters={name: _counter(*limits, dice) for name, limits in _COUNTER_RANGES.items()},
        sleeping=dice.random() < 0.25,
        in_bed=words.traced and dice.random() < 0.25,
        boss=words.traced and dice.random() < 0.25,
    )


def _counter(low: int, high: int, dice: random.Random) -> float:
    """Somewhere in the range of a counter, often at its ends."""
    return dice.choice(
        (low, low + 0.5, 0, high - 1, high - 0.5, high, dice.randint(2 * low, 2 * high) / 2)
    )


def _furnish(
    world: World, record: Record, cells: list[tuple[int, int]], dice: random.Random, share: float
) -> None:
    """Change the materials of cells of the map, and put things on some that are empty."""
    walkable = [material for material, rule in world.walk.items() if rule.walkable]
    words = world.vocabulary
    few = dice.sample(words.materials[1:], dice.randint(1, 3)) + 2 * dice.sample(
        walkable, min(1, len(walkable))
    )
    few += [name for rule in world.push.values() for name in (rule.subject, *rule.onto[:2])]
    for cell in filter(phases.is_inside, cells):
        if dice.random() < 0.7:
            material = dice.choice(few)
            phases.set_material(words, record, cell, material, _mark(words, material, dice))
        if phases.is_empty(record, cell) and dice.random() < share:
            kind = dice.choice((*names.CREATURES, "plant", "arrow", *words.objects[7:]))
            phases.put(record, cell, _thing(kind, world, dice), words)


def _mark(words: Vocabulary, material: str, dice: random.Random) -> str | None:
    """Any mark that the cells of a material bear in recordings."""
    if not words.traced:
        return None
    if material == REMAINS:
        return dice.choice(words.remains)
    borne = [mark for mark in words.marks if f"{material}_{mark}" in words.cells]
    return dice.choice(("bare", *borne))


def _shot(kind: str, world: World, dice: random.Random) -> NearbyThing:
    """A projectile; its age and who shot it count only where there are rules about projectiles."""
    found = NearbyThing(kind, factor=dice.randint(-9, 9), flies=dice.choice(_SIDES))
    if not (world.projectile or world.shoot):
        return found
    flown = dice.randrange(world.projectile[kind].range or 1) if kind in world.projectile else 0
    return replace(found, age=flown, cooldown=dice.randrange(2))


def _thing(kind: str, world: World, dice: random.Random) -> NearbyThing:
    if kind == "body":
        return NearbyThing(kind)
    if kind in world.vocabulary.projectiles:
        return _shot(kind, world, dice)
    ripe = world.vocabulary.ripe_age
    # Where creatures die at once, none is without health.
    least = (1,) if world.vocabulary.dies_at_once else (0, 1)
    return NearbyThing(
        kind,
        health=dice.choice((*least, 2, 3, 5, 8)) if kind != "plant" else dice.choice((0, 1, 1, 3)),
        cooldown=dice.choice((0, 0, 1, 5)),
        reload=dice.choice((0, 0, 1, 2, 4)),
        age=dice.choice((0, ripe - 1, ripe, ripe + 1, ripe + 50)) if kind == "plant" else 0,
    )
