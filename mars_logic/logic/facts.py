"""Translates a world to facts: the interface between rules as data and logic programs.

The predicates are described in docs/logic.md. Those of rules are in
:mod:`mars_logic.logic.rule_atoms`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mars_logic.logic import trace_facts
from mars_logic.logic.constant_facts import constants
from mars_logic.logic.rule_atoms import CAP, rule_atoms, term
from mars_logic.world.goals import condition_of
from mars_logic.world.maps import Scattered
from mars_logic.world.theory import World


def facts(world: World) -> str:
    """The facts of a world, one a line, in the order of its rules.

    Example:
        >>> import mars_logic
        >>> facts(mars_logic.load_world("default")).splitlines()[:2]
        ['dynamics(mars).', 'cap(9).']
    """
    return "\n".join(f"{atom}." for atom in _atoms(world)) + "\n"


def _atoms(world: World) -> Iterator[str]:
    yield f"dynamics({world.dynamics})"
    yield f"cap({CAP})"
    yield from (f"added({material.name})" for material in world.vocabulary.added)
    traced = world.vocabulary.traced
    for rule in world.rules():
        yield f"rule({term(rule.id)})"
        yield from trace_facts.rule_atoms(rule, world.vocabulary) if traced else rule_atoms(rule)
    for achievement in world.achievements:
        deed = trace_facts.deed(achievement) if traced else _deed(achievement, world)
        yield f"achievement({achievement}, {deed})"
    yield from _strewn(world)
    yield from constants(world)
    if traced:
        yield from trace_facts.traces(world)


def _strewn(world: World) -> Iterator[str]:
    """What is scattered over generated maps, and what takes the place of all of a material."""
    some = world.map.scattered
    for material in world.vocabulary.materials[1:]:
        if (becomes := _in_the_end(material, some)) != material:
            yield f"replaced({material}, {becomes})"
    for place, each in enumerate(some):
        if each.share < 1:
            later = some[place + 1 :]
            becomes, within = (_in_the_end(m, later) for m in (each.material, each.within))
            share = min(9_999, round(10_000 * each.share))  # a share is never said to be all
            yield f"strewn(strewn_{each.material}, {becomes}, {within}, {share})"


def _in_the_end(material: str, scattered: Iterable[Scattered]) -> str:
    """What takes the place of all cells of a material that no share of others took."""
    for each in scattered:
        if each.within == material and each.share == 1:
            material = each.material
    return material


def _deed(achievement: str, world: World) -> str:
    """What unlocks an achievement: gaining an item, applying a rule, or a condition that holds."""
    if wanted := condition_of(achievement):
        match wanted.kind:
            case "have":
                return f"have({wanted.subject}, {wanted.number})"
            case "reach":
                return f"reach({wanted.subject})"
            case "none_left":
                return f"none_left({wanted.subject})"
            case "at":
                return f"at({wanted.cell[0]}, {wanted.cell[1]})"
        return f"survive({wanted.number})"
    verb, _, subject = achievement.partition("_")
    match verb:
        case "collect":
            return f"gain({subject})"
        case "eat" if subject in world.eat:
            return f"apply(eat({subject}))"
        case "kill" | "defeat" | "eat":
            return f"apply(creature({subject}))"
        case "make" | "place" | "shoot":
            return f"apply({verb}({subject}))"
    return "apply(sleep)"
