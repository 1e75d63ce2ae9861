"""Uncertain rules in words: the most likely reading and its uncertain fields."""

from __future__ import annotations

from typing import Any

import yaml

from mars_logic.world.field_values import domain
from mars_logic.world.rules import Rule
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from mars_logic.world.vocabulary import Vocabulary


def guess(rule: Rule, words: Vocabulary) -> Rule:
    """The rule with the most likely value of each field, and the usual one for unknown fields."""
    likely = {name: _likeliest(rule, name, words) for name in rule.uncertain_fields}
    return rule.with_fields(likely, words)


def doubts(rule: Rule) -> str:
    """The uncertain fields of a rule, for example ``leaves is grass (75%) or path (25%)``.

    Empty for a rule that is certain.
    """
    if all(getattr(rule, name) is UNKNOWN for name in rule.field_names()):
        return "nothing of it is known"
    return "; ".join(f"{name} is {_open(rule, name)}" for name in rule.uncertain_fields)


def _likeliest(rule: Rule, name: str, words: Vocabulary) -> Any:
    value = getattr(rule, name)
    return value.values[0] if isinstance(value, Alternatives) else domain(rule.id, name, words)[0]


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
