"""Settles what a theory leaves open: on the likeliest world, or on one drawn at random."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from mars_logic.world import names
from mars_logic.world.domains import domain
from mars_logic.world.load import load_world
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from mars_logic.world.validate import FIXED_IN_CRAFTER
from mars_logic.world.world import World

Choice = Callable[[Rule, str], Any]
"""Gives the value of an uncertain field of a rule."""


def most_likely(theory: Theory, prior: Theory | None = None) -> World:
    """The world with the likeliest value of each field; see :meth:`Theory.most_likely`."""
    usual = prior or load_world("crafter")

    def choose(rule: Rule, name: str) -> Any:
        value = getattr(rule, name)
        if value is UNKNOWN:
            value = getattr(usual[rule.id], name)
        if value is UNKNOWN:
            return domain(rule.id, name)[0]
        return value.values[0] if isinstance(value, Alternatives) else value

    return _settled(theory, choose)


def unknown(dynamics: names.Dynamics) -> Theory:
    """The theory of which only the rules that a dialect fixes are known."""
    crafter = load_world("crafter")
    fixed = FIXED_IN_CRAFTER if dynamics == "crafter" else ()
    rules = [
        rule
        if rule.family in fixed
        else type(rule).model_validate(
            {"subject": rule.subject, **dict.fromkeys(rule.field_names(), UNKNOWN)}
        )
        for rule in crafter.rules()
    ]
    return Theory.from_rules(dynamics, rules, name="unknown", title="nothing is known")


def sample(theory: Theory, seed: int) -> World:
    """A world drawn at random; see :meth:`Theory.sample`."""

    def choose(rule: Rule, name: str) -> Any:
        random = Random(f"{seed} {rule.id} {name}")  # whatever else is open
        value = getattr(rule, name)
        if isinstance(value, Alternatives):
            weights = [weight for _, weight in value.options]
            return random.choices(value.values, weights)[0]
        return random.choice(domain(rule.id, name))

    return _settled(theory, choose)


def _settled(theory: Theory, choose: Choice) -> World:
    rules = [
        type(rule).model_validate(
            rule.model_dump() | {name: choose(rule, name) for name in rule.uncertain_fields}
        )
        if rule.uncertain_fields
        else rule
        for rule in theory.rules()
    ]
    base = theory.base if isinstance(theory.base, World) else None
    about = {"name": theory.name, "title": theory.title, "base": base}
    return World.from_rules(theory.dynamics, rules, **about)
