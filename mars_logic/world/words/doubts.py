"""Uncertain rules in words: the most likely reading and its uncertain fields."""

from __future__ import annotations

from typing import Any

import yaml

from mars_logic.world.field_values import domain
from mars_logic.world.rules import Rule
from mars_logic.world.uncertain import UNKNOWN, Alternatives


def guess(rule: Rule) -> Rule:
    """The rule with the most likely value of each field, and Crafter's for unknown fields."""
    likely = {name: _likeliest(rule, name) for name in rule.uncertain_fields}
    return type(rule).model_validate(rule.model_dump() | likely)


def doubts(rule: Rule) -> str:
    """The uncertain fields of a rule, for example ``leaves is grass (75%) or path (25%)``.

    Empty for a rule that is certain.
    """
    if all(getattr(rule, name) is UNKNOWN for name in rule.field_names()):
        return "nothing of it is known"
    return "; ".join(f"{name} is {_open(rule, name)}" for name in rule.uncertain_fields)


def _likeliest(rule: Rule, name: str) -> Any:
    value = getattr(rule, name)
    return value.values[0] if isinstance(value, Alternatives) else domain(rule.id, name)[0]


def _open(rule: Rule, name: str) -> str:
    value = getattr(rule, name)
    if value is UNKNOWN:
        return "unknown"
    stated = rule.model_dump(mode="json")[name]["one_of"]
    return " or ".join(f"{plain(option['value'])} ({option['weight']:.0%})" for option in stated)


def plain(value: Any) -> str:
    """A field's value as YAML on one line, with blanks for underscores."""
    text = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=float("inf"))
    return text.removesuffix("\n").removesuffix("\n...").replace("_", " ")
