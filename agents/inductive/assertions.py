"""What a learner asserts of its belief: values that are more likely than not."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

from mars_logic.theory import Evidence
from mars_logic.theory.check import check
from mars_logic.theory.claims import Field
from mars_logic.world import names
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN, is_uncertain
from mars_logic.world.validate import FIXED_IN_CRAFTER

from .field_prior import CHANGED, KEPT
from .posterior import Posterior
from .prior import KINDS
from .rates import RATED, pooled

_PROBABLE = 0.5
"""Probability up to which nothing is asserted."""
_ROUNDING = 1e-9
_CUSTOMARY = 0.75
"""Share of creatures' other fields that must be Crafter's to assert an untested one."""


def asserted(
    prior: Theory,
    theory: Theory,
    seen: Evidence,
    posterior: Posterior,
    harmless: Set[Field],
    level: float,
    met: Set[str],
) -> Theory:
    """The theory restricted to values with a posterior above 1/2; other fields are unknown.

    Args:
        prior: The theory at the beginning.
        theory: The theory now.
        seen: All that was seen.
        posterior: The probabilities.
        harmless: Fields of creatures that are known by how often nothing happened.
        level: As for ``check``.
        met: The materials that were ever in view.
    """
    told: dict[str, dict[str, Any]] = {}
    for rule_id, name in _untested(prior, theory, seen, harmless, level):
        told.setdefault(rule_id, {})[name] = UNKNOWN
    for rule in theory.rules():
        without = posterior.inexpressible(rule.id)
        for name in rule.field_names() if rule.family in KINDS else ():
            value = UNKNOWN if name in without else _value(rule, name, posterior, met)
            if value != getattr(rule, name):
                told.setdefault(rule.id, {})[name] = value
    changed = [theory[id].with_fields(each, theory.vocabulary) for id, each in told.items()]
    if not changed:
        return theory
    return Theory.from_world(theory).with_rules(*changed, name=theory.name)


def _value(rule: Rule, name: str, posterior: Posterior, met: Set[str]) -> Any:
    """The value of a field that is asserted, or that it is unknown."""
    field = rule.id, name
    guess = posterior.is_guess(field)
    if name == "where":
        found = posterior.grounds(rule.id)
        if posterior.words.wide and is_uncertain(getattr(posterior.prior.first[rule.id], name)):
            guess = guess or not posterior.ever_worked(rule.id)
            found = tuple(material for material in found if material in met)
        return UNKNOWN if guess else found or UNKNOWN
    weights = posterior.weights(field)
    value = getattr(rule, name)
    if is_uncertain(value):
        value = max(weights, key=lambda each: weights[each])
    weight = weights.get(value, 0.0)
    if name in RATED and weight < _PROBABLE:
        value, weight = pooled(weights)
    return UNKNOWN if guess or weight <= _PROBABLE + _ROUNDING else value


def _untested(
    prior: Theory, theory: Theory, seen: Evidence, harmless: Set[Field], level: float
) -> set[Field]:
    """Untested prior values of creature rules, where other such rules differ from Crafter's."""
    changed, kept = CHANGED, KEPT
    untested: set[Field] = set()
    for finding in check(theory, seen, level, jointly=False).rules:
        for name, found in finding.fields.items():
            value = getattr(finding.rule, name)
            if finding.rule.family != "creature" or is_uncertain(value):
                continue
            same = value == getattr(prior[finding.id], name)
            if found.consistent or (finding.id, name) in harmless:
                changed, kept = changed + (not same), kept + same
            elif same:
                untested.add((finding.id, name))
    uncommon = kept / (changed + kept) < _CUSTOMARY
    return untested if uncommon and creatures_that_vary(theory) else set()


def creatures_that_vary(theory: Theory) -> tuple[str, ...]:
    """The creatures whose rules may be otherwise in a dialect."""
    fixed = theory.dynamics == "crafter" and "creature" in FIXED_IN_CRAFTER
    return () if fixed else names.CREATURES


def confidence(theory: Theory, posterior: Posterior) -> Iterator[tuple[Field, float]]:
    """The posterior of each value that a theory states."""
    for rule in theory.rules():
        for name in rule.field_names() if rule.family in KINDS else ():
            value = getattr(rule, name)
            if name == "where" or is_uncertain(value):
                continue
            weights = posterior.weights((rule.id, name))
            if name in RATED and value not in weights:
                yield (rule.id, name), pooled(weights)[1]
            else:
                yield (rule.id, name), weights.get(value, 0.0)
