"""Translates a theory to facts; an uncertain field becomes a choice rule.

The facts are those of ``facts``. Each uncertain field adds one choice rule over its
values, and the consequences of a value are conditional on the choice::

    1 { holds(collect(stone), leaves, 1..10) } 1.
    leaves(stone, path) :- holds(collect(stone), leaves, 1).

The values are numbered from 1: alternatives as the theory lists them, with
``weight(Rule, Field, Number, Millionths)`` facts; those of an unknown field as in
``world.field_values.domain``, without weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mars_logic.logic.facts import facts
from mars_logic.logic.rule_atoms import MILLION, rule_atoms, term
from mars_logic.world.field_values import domain
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.vocabulary import Vocabulary, vocabulary

_USUAL_NAMES = vocabulary("crafter")


def theory_facts(theory: Theory) -> str:
    """The facts of a theory; without uncertain fields, those of ``facts``.

    Example:
        >>> import mars_logic
        >>> from mars_logic.world.rules import Collect
        >>> from mars_logic.world.uncertain import UNKNOWN
        >>> world = mars_logic.Theory.from_world(mars_logic.load_world("default"))
        >>> open_ = world.with_rules(Collect(subject="sand", leaves=UNKNOWN))
        >>> print(*(line for line in theory_facts(open_).splitlines() if "leaves, 2)" in line))
        leaves(sand, water) :- holds(collect(sand), leaves, 2).
    """
    settled = theory.most_likely()
    open_ = [rule for rule in theory.rules() if rule.uncertain_fields]
    doubtful = {f"{atom}." for rule in open_ for atom in rule_atoms(settled[rule.id])}
    lines = [line for line in facts(settled).splitlines() if line not in doubtful]
    for rule in open_:
        lines += _statements(rule, settled[rule.id], theory.vocabulary)
    return "\n".join(lines) + "\n"


def values(rule: Rule, field: str, words: Vocabulary = _USUAL_NAMES) -> tuple[Any, ...]:
    """The values of an uncertain field, in the order of their numbers less 1.

    Args:
        rule: The rule.
        field: The name of the field.
        words: The names that the theory may use, Crafter's by default.
    """
    value = getattr(rule, field)
    found: tuple[Any, ...] = domain(rule.id, field, words) if value is UNKNOWN else value.values
    return found


def _statements(rule: Rule, settled: Rule, words: Vocabulary) -> Iterator[str]:
    """The choices of a rule, the consequences of each value, and the unconditional facts."""
    decisive = _gate(rule, words)
    settled = settled.with_fields({name: True for name, _ in decisive}, words)
    condition = [f"holds({term(rule.id)}, {name}, {number})" for name, number in decisive]
    sure = set(rule_atoms(settled))
    for field in rule.uncertain_fields:
        possible = values(rule, field, words)
        yield f"1 {{ holds({term(rule.id)}, {field}, 1..{len(possible)}) }} 1."
        yield from _weights(rule, field)
        if field in dict(decisive):
            continue
        follows = [[*rule_atoms(settled.with_fields({field: value}, words))] for value in possible]
        common = set(follows[0]).intersection(*follows)
        sure &= common
        for number, atoms in enumerate(follows, start=1):
            chosen = [f"holds({term(rule.id)}, {field}, {number})", *condition]
            for atom in atoms:
                if atom not in common:
                    yield f"{atom} :- {', '.join(chosen)}."
    for atom in rule_atoms(settled):
        if atom in sure:
            yield f"{atom} :- {', '.join(condition)}." if condition else f"{atom}."


def _gate(rule: Rule, words: Vocabulary) -> list[tuple[str, int]]:
    """The uncertain field of a material's collectability, and the number of its true value."""
    if rule.family != "collect" or "collectable" not in rule.uncertain_fields:
        return []
    return [("collectable", values(rule, "collectable", words).index(True) + 1)]


def _weights(rule: Rule, field: str) -> Iterator[str]:
    value = getattr(rule, field)
    if value is not UNKNOWN:
        for number, (_, weight) in enumerate(value.options, start=1):
            millionths = max(1, round(weight * MILLION))
            yield f"weight({term(rule.id)}, {field}, {number}, {millionths})."
