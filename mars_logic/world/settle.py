"""Choice of one world from a theory: the most likely one, or a random sample."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from mars_logic.world import names
from mars_logic.world.adds import NOTHING, Adds, vocabulary_with
from mars_logic.world.families import families_of
from mars_logic.world.field_values import domain
from mars_logic.world.rule_set import RuleSet
from mars_logic.world.rules import Rule
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from mars_logic.world.usual import crafter_rules
from mars_logic.world.validate import FIXED_IN_CRAFTER

Choice = Callable[[Rule, str], Any]
"""A function from an uncertain rule field to a value."""


def most_likely(theory: RuleSet, prior: RuleSet | None = None) -> list[Rule]:
    """Rules with the likeliest value of each field; see ``Theory.most_likely``."""
    usual = {rule.id: rule for rule in (prior or crafter_rules()).rules()}
    words = theory.vocabulary

    def choose(rule: Rule, name: str) -> Any:
        value = getattr(rule, name)
        if value is UNKNOWN:
            known = usual.get(rule.id)
            value = getattr(known, name) if known else UNKNOWN
        if value is UNKNOWN:
            return domain(rule.id, name, words)[0]
        return value.values[0] if isinstance(value, Alternatives) else value

    return _settled(theory, choose)


def unknown(dynamics: names.Dynamics, adds: Adds = NOTHING) -> list[Rule]:
    """Rules with unknown fields, except those that the dialect fixes."""
    fixed = FIXED_IN_CRAFTER if dynamics == "crafter" else ()
    words = vocabulary_with(dynamics, adds)
    found: list[Rule] = []
    for kind in families_of(words):
        for subject in words.subjects[kind.family]:
            known = crafter_rules().rule(f"{kind.family}.{subject}")
            if known is None or kind.family not in fixed:  # added names are never fixed
                blank = {"subject": subject, **dict.fromkeys(kind.field_names(), UNKNOWN)}
                known = kind.model_validate(blank, context=words)
            found.append(known)
    return found


def sample(theory: RuleSet, seed: int) -> list[Rule]:
    """Rules drawn at random; see ``Theory.sample``."""
    words = theory.vocabulary

    def choose(rule: Rule, name: str) -> Any:
        random = Random(f"{seed} {rule.id} {name}")  # independent of the other uncertain fields
        value = getattr(rule, name)
        if isinstance(value, Alternatives):
            weights = [weight for _, weight in value.options]
            return random.choices(value.values, weights)[0]
        return random.choice(domain(rule.id, name, words))

    return _settled(theory, choose)


def _settled(theory: RuleSet, choose: Choice) -> list[Rule]:
    return [
        rule.with_fields(
            {name: choose(rule, name) for name in rule.uncertain_fields}, theory.vocabulary
        )
        if rule.uncertain_fields
        else rule
        for rule in theory.rules()
    ]
