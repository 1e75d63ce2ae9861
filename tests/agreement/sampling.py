"""Random worlds, and random states in them: played, then edited so that rare things happen often."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from mars_logic import World, load_world
from mars_logic.logic.situation import Player, Thing
from mars_logic.sim import Simulator
from mars_logic.sim.codes import AREA
from mars_logic.world import names
from mars_logic.world.rules import FAMILIES, Rule
from mars_logic.world.validate import FIXED_IN_CRAFTER
from tests.agreement import phases
from tests.agreement.phases import Record
from tests.logic.mutants import NINE, PAPER, mutant

_PROBABILITIES = (0.0, 1e-7, 0.1, 0.25, 1 / 3, 0.5, 0.9, 0.9999999, 1.0)
_LEAST = 1e-9
"""Less likely things would fall between the numbers that are drawn."""
_PLAYED_STEPS = 40
_MATERIALS = names.MATERIALS[1:]
_SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
_COUNTER_RANGES = {"hunger": (0, 25), "thirst": (0, 20), "fatigue": (-10, 30), "recover": (-15, 25)}
_RIPE_AGES = {"crafter": 300, "mars": 30}


# - Worlds


def any_world(dice: random.Random) -> World:
    """A world of either dialect: bundled, mutated, or of rules that may be anything valid."""
    kind = dice.random()
    if kind < 0.1:
        return load_world(dice.choice(NINE + PAPER))
    if kind < 0.2:
        return mutant(dice.randrange(100_000))
    world = load_world("crafter" if kind < 0.4 else dice.choice(NINE[1:]))
    share = dice.choice((0.2, 0.6, 1.0))
    drawn = [
        kind(subject=subject, **_fields(kind, subject, world.dynamics, dice))
        for kind in FAMILIES
        if not (world.dynamics == "crafter" and kind.family in FIXED_IN_CRAFTER)
        for subject in kind.subjects
        if dice.random() < share
    ]
    return world.with_rules(*drawn)


def _fields(kind: type[Rule], subject: str, dynamics: str, dice: random.Random) -> dict[str, Any]:
    """Any values for the fields of a rule; small amounts are more likely, so that rules apply."""
    natural = dice.choice(names.NATURAL)
    match kind.family:
        case "neighbour":
            free = subject not in ("player", "water", "tree")
            return {"material": None if free and dice.random() < 0.2 else natural}
        case "rename":
            return {"material": dice.choice((subject, natural))}
        case "walk":
            return {
                "walkable": dice.random() < 0.6,
                "health": _small(dice),
                "deadly": dice.random() < 0.2,
            }
        case "creature":
            return {
                name: _small(dice) if name.endswith("_factor") else dice.random() < 0.5
                for name in kind.field_names()
            }
        case "drink":
            return {name: _small(dice) for name in kind.field_names()}
        case "collect":
            spawns = {dice.choice(names.CREATURES): dice.choice(_PROBABILITIES)}
            return {
                "collectable": dice.random() < 0.8,
                "requires": _amounts(dice, dice.choice((0, 0, 1, 1, 3))),
                "yields": _yields(dynamics, dice),
                "leaves": natural,
                "spawns": spawns if dice.random() < 0.5 else {},
            }
        case "place":
            where = dice.sample(_MATERIALS, dice.randint(0, 8))
            return {"uses": _amounts(dice, dice.choice((0, 1, 1, 2))), "where": where}
    nearby = dice.sample(_MATERIALS, dice.choice((0, 1, 1, 2, 3)))
    uses = _amounts(dice, dice.choice((0, 1, 1, 2)))
    return {"uses": uses, "nearby": nearby, "gives": dice.choice((1, 1, 2, 9))}


def _small(dice: random.Random) -> int:
    return dice.choice((-1, 0, 0, 1, dice.randint(-9, 9)))


def _amounts(dice: random.Random, number: int) -> dict[str, int]:
    return {item: _amount(dice) for item in dice.sample(names.HOLDABLE, number)}


def _amount(dice: random.Random) -> int:
    return dice.choice((1, 1, 2, dice.randint(1, 9)))


def _yields(dynamics: str, dice: random.Random) -> dict[str, Any]:
    """Up to four yields; in crafter with one probability, in mars with any, the sum often being 1."""
    items = dice.sample(names.GAINS, dice.choice((0, 1, 1, 2, 3, 4)))
    if dynamics == "crafter":
        chance = dice.choice((None, *(p for p in _PROBABILITIES if p * len(items) <= 1)))
        return {item: {"amount": _amount(dice), "probability": chance} for item in items}
    left = 1.0
    given = {}
    for item in items:
        chance = dice.choice((None, left, left * dice.choice(_PROBABILITIES)))
        if chance is not None and chance < _LEAST:
            chance = 0.0
        left = max(0.0, left - (chance or 0))
        given[item] = {"amount": _amount(dice), "probability": chance}
    return given


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
        if 1e-12 < threshold - cuts[-1] and threshold <= 1:
            cuts.append(threshold)
    if cuts[-1] < 1:
        cuts[-1] = 1.0
    return [(low + high) / 2 for low, high in zip(cuts, cuts[1:], strict=False)]


# - States


def played(world: World, dice: random.Random, number: int) -> Iterator[Record]:
    """States that random play leads to, with all actions equally likely."""
    simulator = Simulator(world, number)
    simulator.reset(dice.randrange(10**6))
    for _ in range(dice.randrange(_PLAYED_STEPS)):
        simulator.step([dice.randrange(len(names.ACTIONS)) for _ in range(number)])
    envs = simulator.snapshot().envs
    for i in range(number):
        yield envs[i : i + 1].copy()


def before_action(world: World, record: Record, dice: random.Random) -> Record:
    """The state with another player, and other things around it."""
    record = record.copy()
    if dice.random() < 0.5:
        phases.clear_things(record)
    x, y = _cell(record, dice)
    phases.set_player(record, _player((x, y), dice))
    cells = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    _furnish(world, record, [cell for cell in cells if phases.is_inside(cell)], dice, 0.3)
    return record


def before_update(
    world: World, record: Record, kind: str, dice: random.Random
) -> tuple[Record, int]:
    """The state with a thing of a kind, and other things around it; also the thing's number."""
    record = record.copy()
    phases.clear_things(record)
    x, y = _cell(record, dice)
    phases.set_player(record, _player((x, y), dice))
    reach = dice.choice((1, 1, 2, 4, 6, 9, 17))
    cell = (x, y)
    while not (phases.is_inside(cell) and phases.is_empty(record, cell)):
        cell = (x + dice.randint(-reach, reach), y + dice.randint(-reach, reach))
    number = phases.put(record, cell, _thing(kind, world, dice))
    cells = [cell, *((cell[0] + dx, cell[1] + dy) for dx, dy in _SIDES)]
    _furnish(world, record, [cell for cell in cells if phases.is_inside(cell)], dice, 0.15)
    return record, number


def _cell(record: Record, dice: random.Random) -> tuple[int, int]:
    """The player's own cell or an empty one; often at an edge of the map."""
    while True:
        x, y = (dice.choice((0, 1, AREA - 1, *(dice.randrange(AREA) for _ in range(4)))) for _ in "xy")
        if phases.is_empty(record, (x, y)):
            return x, y


def _player(cell: tuple[int, int], dice: random.Random) -> Player:
    vitals = {item: dice.choice((0, 1, 5, 8, 9, 9)) for item in names.VITALS}
    vitals["health"] = dice.choice((1, 2, 5, 9, dice.randint(1, 9)))
    most = dice.choice((0, 1, 9, 9))
    held = {item: dice.choice((0, most, dice.randint(0, 9))) for item in names.HOLDABLE}
    return Player(
        cell=cell,
        facing=dice.choice(_SIDES),
        inventory=vitals | held,
        last_health=min(9, max(0, vitals["health"] + dice.choice((-1, 0, 0, 1, 2)))),
        counters={name: _counter(*limits, dice) for name, limits in _COUNTER_RANGES.items()},
        sleeping=dice.random() < 0.25,
    )


def _counter(low: int, high: int, dice: random.Random) -> float:
    """Somewhere in the range of a counter, often at its ends."""
    return dice.choice((low, low + 0.5, 0, high - 1, high - 0.5, high, dice.randint(2 * low, 2 * high) / 2))


def _furnish(
    world: World, record: Record, cells: list[tuple[int, int]], dice: random.Random, share: float
) -> None:
    """Change the materials of cells, and put things on some that are empty."""
    few = dice.sample(_MATERIALS, dice.randint(1, 4))
    for cell in cells:
        if dice.random() < 0.7:
            phases.set_material(record, cell, dice.choice(few))
        if phases.is_empty(record, cell) and dice.random() < share:
            kind = dice.choice((*names.CREATURES, "plant", "arrow"))
            phases.put(record, cell, _thing(kind, world, dice))


def _thing(kind: str, world: World, dice: random.Random) -> Thing:
    if kind == "arrow":
        return Thing(kind, factor=dice.randint(-9, 9), flies=dice.choice(_SIDES))
    ripe = _RIPE_AGES[world.dynamics]
    return Thing(
        kind,
        health=dice.choice((0, 1, 2, 3, 5)) if kind != "plant" else dice.choice((0, 1, 1, 1)),
        cooldown=dice.choice((0, 0, 1, 5)),
        reload=dice.choice((0, 0, 1, 2, 4)),
        age=dice.choice((0, ripe - 1, ripe, ripe + 1, ripe + 50)) if kind == "plant" else 0,
    )


def seeds(record: Record) -> np.ndarray:
    """The bytes that tell states apart, for counting distinct ones."""
    return record.view(np.uint8)
