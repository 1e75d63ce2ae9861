"""Facts of worlds in which deeds leave traces: predicates that other worlds do not have.

They are described in ``encodings/facts/facts.lp`` and ``encodings/step/trace.lp``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mars_logic.logic.rule_atoms import millionths, term
from mars_logic.logic.rule_atoms import rule_atoms as shared
from mars_logic.world import names
from mars_logic.world.rules import Drink, Rule
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import (
    LeavingCreature,
    NeedRule,
    OptionRule,
    SharedRename,
    TraceRule,
    UsingCollect,
)
from mars_logic.world.vocabulary import REMAINS, Vocabulary, vocabulary

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
        case TraceRule():
            for material in rule.materials:
                yield f"takes({_KINDS[rule.subject]}, {material})"
        case NeedRule() | OptionRule():
            pass  # told by constants, and by `restless` and `absent`
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


def traces(world: World) -> Iterator[str]:
    """What deeds leave, who lives on a map, how maps are laid out, and what the dialect lacks."""
    words = world.vocabulary
    yield "traced"
    for name, (dx, dy) in _HEADINGS.items():
        yield f"print({name})"
        yield f"heading({dx}, {dy}, {name})"
    if "bed" in words.materials:
        yield "bed(bed)"
    if laid_out := laid_out_as(words):
        yield f"terrain({laid_out})"
    if not words.balance:
        yield "unbalanced"
    if not words.plants_are_eaten:
        yield "inedible(plant)"
    options = {subject for subject, rule in world.option.items() if rule.on}
    if "boss" in options:
        yield "restless"
    if "other_agents" in world.option and "other_agents" not in options:
        yield from (f"absent({kind})" for kind in words.creatures if kind != "cow")


def laid_out_as(words: Vocabulary) -> str | None:
    """The dialect with Crafter's vocabulary that lays maps out alike; None if neither does."""

    def layout(some: Vocabulary) -> tuple[object, ...]:
        return some.fixed_terrain, some.own_ground, some.terrain

    alike = (name for name in names.DYNAMICS if layout(vocabulary(name)) == layout(words))
    return next(alike, None)
