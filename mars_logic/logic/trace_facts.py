"""Facts of worlds in which deeds leave traces: more predicates, and the dialect's constants.

Of other worlds ``encodings/constants.lp`` tells the constants. The predicates are described there
and in ``encodings/step_trace.lp``. Counters are told in half units.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mars_logic.logic.rule_atoms import millionths, term
from mars_logic.logic.rule_atoms import rule_atoms as shared
from mars_logic.world import names
from mars_logic.world.dialect import DECLINE_ASLEEP, DECLINE_AWAKE, RESTED, WASTED
from mars_logic.world.rules import Drink, Rule
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import (
    Eat,
    LeavingCreature,
    NeedRule,
    OptionRule,
    SharedRename,
    TraceRule,
    UsingCollect,
)
from mars_logic.world.vocabulary import REMAINS, Vocabulary, vocabulary

_COUNTERS: Final = {
    "food": "hunger",
    "drink": "thirst",
    "energy": "fatigue",
    "health": "recover",
}
NEVER: Final = 1_000_000
"""Steps after which a need that does not grow would change, in place of never."""
_HEADINGS: Final = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def rule_atoms(rule: Rule, words: Vocabulary) -> Iterator[str]:
    """The atoms for the fields of a rule, without ``rule/1`` itself."""
    match rule:
        case SharedRename():
            yield f"rename({rule.subject}, {rule.whole})"
            if rule.share and rule.share[1]:
                material, share = rule.share
                yield f"also({rule.subject}, {material}, {millionths([share])[0]})"
        case LeavingCreature():
            yield from shared(rule)
            for item, amount in rule.yields.items():
                yield f"loot({rule.subject}, {item}, {amount})"
            if rule.leaves:
                yield f"kill_leaves({rule.subject}, {rule.leaves})"
        case Drink():
            for vital in ("drink", "food", "health"):
                if points := getattr(rule, vital):
                    yield f"sipped({rule.subject}, {vital}, {points})"
        case UsingCollect():
            yield from _collect(rule, words)
        case Eat():
            yield f"uses(eat({rule.subject}), {rule.subject}, 1)"
            for vital in ("food", "health", "drink"):
                if points := getattr(rule, vital):
                    yield f"grants(eat({rule.subject}), {vital}, {points})"
            if rule.leaves:
                yield f"grants(eat({rule.subject}), {rule.leaves}, 1)"
        case NeedRule():
            yield from _need(rule)
        case TraceRule():
            for material in rule.materials:
                yield f"takes({_KINDS[rule.subject]}, {material})"
        case OptionRule():
            pass  # told by `restless` and `absent`
        case _:
            yield from shared(rule)


_KINDS: Final = {"prints_on": "print", "water_on": "water", "blood_on": "blood"}


def _collect(rule: UsingCollect, words: Vocabulary) -> Iterator[str]:

    plain = [atom for atom in shared(rule) if not atom.startswith("leaves(")]
    yield from plain
    if rule.collectable:
        material, mark = words.parts(rule.leaves)
        yield f"leaves({rule.subject}, {words.materials[material]})"
        if words.materials[material] == REMAINS:
            yield f"leaves_mark({rule.subject}, {words.remains[mark]})"
        for item, amount in rule.uses.items():
            yield f"uses({term(rule.id)}, {item}, {amount})"


def _need(rule: NeedRule) -> Iterator[str]:
    counter = _COUNTERS[rule.subject]
    for state, rate in (("awake", 1.0), ("asleep", rule.asleep), ("in_bed", rule.in_bed)):
        yield f"rate({counter}, {state}, {round(2 * rate)})"
    change = 1 if rule.subject == "health" else -rule.loss
    yield f"above({counter}, {2 * (rule.every - 1)}, {rule.subject}, {change})"
    if rule.subject == "health":
        yield f"below({counter}, {2 * WASTED.value}, health, {-rule.loss})"


def deed(achievement: str) -> str:
    """The event that unlocks an achievement: gaining an item, or applying a rule."""
    verb, _, subject = achievement.partition("_")
    match verb:
        case "collect":
            return f"gain({subject})"
        case "defeat":
            return f"apply(creature({subject}))"
        case "make" | "place" | "eat":
            return f"apply({verb}({subject}))"
    return "apply(sleep)"


def constants(world: World) -> Iterator[str]:
    """The dialect's constants of a step."""
    words = world.vocabulary
    yield "traced"
    yield from (f"rate(decline, {state}, {round(2 * rate)})" for state, rate in _DECLINES)
    for action in words.actions:
        verb, _, subject = action.partition("_")
        if action in words.consumed:
            yield f"means({action}, eat({words.consumed[action]}))"
        elif verb in ("place", "make"):
            yield f"means({action}, {verb}({subject}))"
    for state, points in words.attack_points["creature"].items():
        yield from (f"attack_points({kind}, {state}, {points})" for kind in words.creatures)
    for material in words.stilling_thirst:
        yield f"stills(thirst, use({material}))"
    for kind in words.stilling_hunger:
        yield f"stills(hunger, kill({kind}))"
    pause = words.attack_pause_at_first
    yield from (f"begins({kind}, cooldown, {pause})" for kind in ("cow", "skeleton", "plant"))
    yield f"ripe_age({words.ripe_age})"
    yield f"within(act, {words.horizon - 1})"
    yield from (f"retreats({kind})" for kind in words.retreating)
    for name, (dx, dy) in _HEADINGS.items():
        yield f"print({name})"
        yield f"heading({dx}, {dy}, {name})"
    if "bed" in words.materials:
        yield "bed(bed)"
    for struck, left in words.arrow_leaves.items():
        yield from _struck(struck, left, words)
    yield from _of_the_map(world)


def laid_out_as(words: Vocabulary) -> str | None:
    """The dialect with Crafter's vocabulary that lays maps out alike; None if neither does."""

    def layout(some: Vocabulary) -> tuple[object, ...]:
        return some.fixed_terrain, some.own_ground, some.terrain

    alike = (name for name in names.DYNAMICS if layout(vocabulary(name)) == layout(words))
    return next(alike, None)


def _spells(world: World) -> Iterator[str]:
    """Steps from one change of each vital to the next, awake and asleep."""
    for vital, need in world.need.items():
        recovers = need.asleep < 0  # while the player sleeps, as energy does
        limit = -RESTED.value if recovers else need.every - 1
        asleep = int(limit / abs(need.asleep)) + 1 if need.asleep else 0
        yield f"spell({vital}, {need.every}, {asleep or NEVER})"


def _of_the_map(world: World) -> Iterator[str]:
    """Who lives on a map, how maps are laid out, and what the dialect lacks."""
    words = world.vocabulary
    if laid_out := laid_out_as(words):
        yield f"terrain({laid_out})"
    if not words.balance:
        yield "unbalanced"
    if not words.plants_are_eaten:
        yield "inedible(plant)"
    yield f"episode({words.length})"
    yield from _spells(world)
    options = {subject for subject, rule in world.option.items() if rule.on}
    if "boss" in options:
        yield "restless"
    if "other_agents" in world.option and "other_agents" not in options:
        yield from (f"absent({kind})" for kind in words.creatures if kind != "cow")


_DECLINES: Final = (
    ("awake", DECLINE_AWAKE),
    ("asleep", DECLINE_ASLEEP),
    ("in_bed", DECLINE_ASLEEP),
)


def _struck(struck: str, left: str, words: Vocabulary) -> Iterator[str]:
    if struck == "player":
        yield from ("body", f"kind({left})", f"begins({left}, health, 0)")
    elif struck in words.objects:
        yield f"shot_leaves({struck}, {left})"
    else:
        material, mark = words.parts(left)
        yield f"broken({struck}, {words.materials[material]})"
        if words.materials[material] == REMAINS:
            yield f"broken_mark({struck}, {words.remains[mark]})"
