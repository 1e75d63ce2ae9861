"""Facts of a world's constants: needs, fights, creatures, lengths, as its dialect states them.

The predicates are described in ``encodings/facts/facts.lp``. Counters are told in half units, since
asleep some of them grow by halves.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from mars_logic.world import names
from mars_logic.world.dialect import BALANCE, BALANCE_PERIOD, Need, needs
from mars_logic.world.need_rules import AddedNeed
from mars_logic.world.projectile_rules import Projectile
from mars_logic.world.theory import Theory, World
from mars_logic.world.trace_rules import NeedRule
from mars_logic.world.vocabulary import ARROW, REMAINS, Vocabulary

_COUNTERS: Final = {
    "food": "hunger",
    "drink": "thirst",
    "energy": "fatigue",
    "health": "recover",
}
_BALANCES: Final = 1000 // BALANCE_PERIOD
"""How often creatures come and go in 1,000 steps."""
_SHARE_OF_BALANCES: Final = 1 / 3
"""Share of them that counts where there are none, as for zombies, which are absent by day."""
ROOM: Final = tuple(sorted(each.enough for each in BALANCE.values()))
"""Cells that a chunk needs for skeletons, cows and zombies, as facts of maps count them."""
SPAWN_GROUNDS: Final = ("grass", "path")
NEVER: Final = 100_000
"""Steps after which a need that does not grow would change, in place of never."""
_STATES: Final = {"awake": "awake", "asleep": "asleep", "in_bed": "asleep"}
"""States of the player, by that of which the decline of health is stated."""


def constants(world: World) -> Iterator[str]:
    """The atoms."""
    words = world.vocabulary
    yield from _needs(world)
    yield from _actions(words)
    yield from _fights(words)
    yield from _creatures(words)
    yield from _projectiles(world) if has_projectiles(world) else _arrows(words)
    yield f"ripe_age({words.ripe_age})"
    yield f"episode({words.length})"


def _needs(world: World) -> Iterator[str]:
    words = world.vocabulary
    states = tuple(_STATES) if words.traced else ("awake", "asleep")
    for vital, need in needs(words).items():
        stated = world.need.get(vital)
        grows = {**words.need[vital], "awake": 1.0}
        if isinstance(stated, NeedRule):
            grows |= {"asleep": stated.asleep, "in_bed": stated.in_bed}
            change = stated.loss if vital == "health" else -stated.loss
            need = Need(vital, stated.asleep, stated.every - 1, change, need.below)
        counter = _COUNTERS[vital]
        for state in states:
            yield f"grows({counter}, {state}, {round(2 * grows[state])})"
        yield f"above({counter}, {2 * need.above}, {vital}, {_gain(vital, need)})"
        if need.below is not None:
            yield f"below({counter}, {2 * need.below}, {vital}, {_loss(vital, need)})"
        yield f"spell({vital}, {need.lasts}, {need.lasts_asleep or NEVER})"
    yield from (f"grows(decline, {s}, {round(2 * words.decline[_STATES[s]])})" for s in states)
    for name, rule in world.need.items():
        if isinstance(rule, AddedNeed):
            yield f"added_need({name}, {rule.every}, {rule.loss}, {rule.empty})"
            place = words.added_needs.index(name) + 1
            yield f"need_place({name}, {place})"
            yield from _about_need(rule)
    yield from (f"stills(thirst, use({material}))" for material in words.stilling_thirst)
    yield from (f"stills(hunger, kill({kind}))" for kind in words.stilling_hunger)


def _about_need(rule: AddedNeed) -> Iterator[str]:
    """When an added need falls and rises, and by what."""
    this = rule.subject
    if rule.when != "always":
        yield f"need_when({this}, {rule.when})"
    if rule.rises != "never":
        yield f"need_rises({this}, {rule.rises})"
    yield from (f"need_kept({this}, {item})" for item in rule.kept_by)
    for where, gains in (("near", rule.gains_near), ("on", rule.gains_on)):
        yield from (f"need_{where}({this}, {name}, {n})" for name, n in gains.items())
    yield from (f"need_eaten({this}, {item}, {n})" for item, n in rule.gains_eating.items())


def _gain(vital: str, need: Need) -> int:
    """The change by the upper limit: health returns a point at a time, whatever a loss takes."""
    return 1 if vital == "health" else need.change


def _loss(vital: str, need: Need) -> int:
    """The change by the lower limit: energy returns a point at a time."""
    return -need.change if vital == "health" else 1


def _actions(words: Vocabulary) -> Iterator[str]:
    for action in words.actions:
        verb, _, subject = action.partition("_")
        if action in words.consumed:
            yield f"means({action}, eat({words.consumed[action]}))"
        elif verb in ("place", "make", "shoot"):
            yield f"means({action}, {verb}({subject}))"


def _fights(words: Vocabulary) -> Iterator[str]:
    yield f"unarmed({words.unarmed_damage})"
    yield f"arrow_points({words.arrow_points})"
    yield from (f"weapon({weapon}, {points})" for weapon, points in words.damage.items())
    for being in words.subjects["creature"]:
        group = "plant" if being == "plant" else "creature"
        for vital, points in words.eaten_points[group].items():
            yield f"eaten_points({being}, {vital}, {points})"
        for state, points in words.attack_points[group].items():
            yield f"attack_points({being}, {state}, {points})"


def _creatures(words: Vocabulary) -> Iterator[str]:
    for being, health in words.health_at_first.items():
        at_once = being == "zombie" or being not in names.OBJECTS
        pause = 0 if at_once else words.attack_pause_at_first
        begins = {"health": health, "cooldown": pause, "reload": 0}
        yield from (f"begins({being}, {field}, {value})" for field, value in begins.items())
    yield "begins(arrow, health, 0)"
    yield "begins(plant, age, 0)"
    yield f"distance(act, {words.horizon - 1})"
    yield from (f"distance({deed}, {distance})" for deed, distance in words.within.items())
    yield from (f"pause({deed}, {steps})" for deed, steps in words.pause.items())
    yield from (f"retreats({kind})" for kind in words.retreating)
    for kind, spawns in words.spawning.items():
        yield f"spawns_on({kind}, {spawns['ground']}, {spawns['enough']})"
    yield from _added_creatures(words)


def _added_creatures(words: Vocabulary) -> Iterator[str]:
    """Where creatures that the world adds walk, and how they come and go."""
    for creature in words.added_creatures:
        yield from (f"roves({creature.name}, {material})" for material in creature.ground)
        comes = creature.comes
        if comes is None:
            continue
        if not comes.lasts:
            yield f"passing({creature.name})"
        if not comes.appears:
            continue
        yield f"spawns_on({creature.name}, {comes.ground}, {comes.enough})"
        times = math.floor(_SHARE_OF_BALANCES * _BALANCES * comes.chance)
        room = next((least for least in ROOM if least >= comes.enough), None)
        if times and room and comes.ground in SPAWN_GROUNDS:
            yield f"settles({creature.name}, {comes.ground}, {room}, {times})"


def has_projectiles(world: Theory) -> bool:
    """Whether a world has rules about projectiles."""
    return bool(world.projectile or world.shoot)


def _projectiles(world: World) -> Iterator[str]:
    """How projectiles fly and what they hit, where a world has rules about them."""
    shot = {case.projectile for rule in world.behaviour.values() for case in rule.shots}
    usual = (rule for rule in world.creature.values() if rule.subject not in world.behaviour)
    shot |= {ARROW} if any(rule.shoots for rule in usual) else set()
    for kind in world.vocabulary.projectiles:
        rule = world.projectile.get(kind) or Projectile(subject=kind)
        yield from (f"projectile({kind})", f"kind({kind})", f"speed({kind}, {rule.speed})")
        yield f"shot_damage({kind}, {rule.damage})"
        if rule.range is not None:
            yield f"range({kind}, {rule.range})"
        if rule.harm is not None:
            yield f"shot_harm({kind}, {rule.harm})"
        yield from (f"flies_over({kind}, {material})" for material in rule.over)
        for material, becomes in rule.breaks.items():
            yield f"shot_breaks({kind}, {material}, {becomes})"
            if kind in shot:
                yield f"broken({material}, {becomes})"
        yield from (f"begins({kind}, {field}, 0)" for field in ("health", "age"))


def _arrows(words: Vocabulary) -> Iterator[str]:
    """What arrows make of what they hit."""
    for struck, left in words.arrow_leaves.items():
        yield from _struck(struck, left, words)


def _struck(struck: str, left: str, words: Vocabulary) -> Iterator[str]:
    """What an arrow makes of a thing."""
    if struck == "player":
        yield from ("body", f"kind({left})", f"begins({left}, health, 0)")
    elif struck in words.objects:
        yield f"shot_leaves({struck}, {left})"
    else:
        material, mark = words.parts(left)
        yield f"broken({struck}, {words.materials[material]})"
        if words.materials[material] == REMAINS:
            yield f"broken_mark({struck}, {words.remains[mark]})"
