"""Facts of worlds in which deeds leave traces: more predicates, and the dialect's constants.

Of other worlds ``encodings/constants.lp`` tells the constants. The predicates are described there
and in ``encodings/step_trace.lp``. Counters are told in half units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from mars_logic.world.dialect import DECLINE_ASLEEP, DECLINE_AWAKE, WASTED
from mars_logic.world.rules import Drink, Rule
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import (
    Eat,
    LeavingCreature,
    Marking,
    NeedRule,
    Option,
    SharedRename,
    UsingCollect,
)
from mars_logic.world.vocabulary import REMAINS, Vocabulary

Shared = Callable[[Rule], Iterator[str]]

_COUNTERS: Final = {
    "food": "hunger",
    "drink": "thirst",
    "energy": "fatigue",
    "health": "recover",
}
_HEADINGS: Final = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def rule_atoms(rule: Rule, words: Vocabulary, shared: Shared) -> Iterator[str]:
    """The atoms for the fields of a rule, without ``rule/1`` itself.

    Args:
        rule: The rule.
        words: The vocabulary.
        shared: The atoms for the fields that all dialects have.
    """
    match rule:
        case SharedRename():
            yield f"rename({rule.subject}, {rule.whole})"
            if rule.share:
                yield f"also({rule.subject}, {rule.share[0]})"
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
            yield from _collect(rule, words, shared)
        case Eat():
            yield f"uses(eat({rule.subject}), {rule.subject}, 1)"
            for vital in ("food", "health", "drink"):
                if points := getattr(rule, vital):
                    yield f"grants(eat({rule.subject}), {vital}, {points})"
            if rule.leaves:
                yield f"grants(eat({rule.subject}), {rule.leaves}, 1)"
        case NeedRule():
            yield from _need(rule)
        case Marking():
            for material in rule.materials:
                yield f"takes({_KINDS[rule.subject]}, {material})"
        case Option():
            pass  # who lives on a map, and that nothing harms, is no matter of a player's update
        case _:
            yield from shared(rule)


_KINDS: Final = {"prints_on": "print", "water_on": "water", "blood_on": "blood"}


def _collect(rule: UsingCollect, words: Vocabulary, shared: Shared) -> Iterator[str]:
    plain = [atom for atom in shared(rule) if not atom.startswith("leaves(")]
    yield from plain
    if rule.collectable:
        material, mark = words.parts(rule.leaves)
        yield f"leaves({rule.subject}, {words.materials[material]})"
        if words.materials[material] == REMAINS:
            yield f"leaves_mark({rule.subject}, {words.remains[mark]})"
        for item, amount in rule.uses.items():
            yield f"uses(collect({rule.subject}), {item}, {amount})"


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
