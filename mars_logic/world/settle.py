"""Choice of one world from a theory: the most likely one, or a random sample."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from mars_logic.world import names
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
    usual = prior or crafter_rules()

    def choose(rule: Rule, name: str) -> Any:
        value = getattr(rule, name)
        if value is UNKNOWN:
            value = getattr(usual[rule.id], name)
        if value is UNKNOWN:
            return domain(rule.id, name)[0]
        return value.values[0] if isinstance(value, Alternatives) else value

    return _settled(theory, choose)


def unknown(dynamics: names.Dynamics) -> list[Rule]:
    """Rules with unknown fields, except those that the dialect fixes."""
    fixed = FIXED_IN_CRAFTER if dynamics == "crafter" else ()
    return [
        rule
        if rule.family in fixed
        else type(rule).model_validate(
            {"subject": rule.subject, **dict.fromkeys(rule.field_names(), UNKNOWN)}
        )
        for rule in crafter_rules().rules()
    ]


def sample(theory: RuleSet, seed: int) -> list[Rule]:
    """Rules drawn at random; see ``Theory.sample``."""

    def choose(rule: Rule, name: str) -> Any:
        random = Random(f"{seed} {rule.id} {name}")  # independent of the other uncertain fields
        value = getattr(rule, name)
        if isinstance(value, Alternatives):
            weights = [weight for _, weight in value.options]
            return random.choices(value.values, weights)[0]
        return random.choice(domain(rule.id, name))

    return _settled(theory, choose)


def _settled(theory: RuleSet, choose: Choice) -> list[Rule]:
    return [
        type(rule).model_validate(
            rule.model_dump() | {name: choose(rule, name) for name in rule.uncertain_fields}
        )
        if rule.uncertain_fields
        else rule
        for rule in theory.rules()
    ]
