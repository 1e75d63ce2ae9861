"""What a rule or a sentence says of its fields, as data of the notation of facts and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.world.fields import nearest, shown
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words import tell, tell_part
from mars_logic.world.words.doubts import plain
from mars_logic.world.words.fact_data import FactError, data_of, facts_of_field
from mars_logic.world.words.facts import (
    Exactly,
    Fact,
    Including,
    rule_of,
)

_ABOUT: Final = "a mapping with value, or with has, lacks and complete"


def states_of(rule: Rule, stated: Mapping[str, Fact]) -> dict[str, dict[str, Any]]:
    """What is said of the fields of a rule, as data that :func:`facts_of_states` reads.

    Args:
        rule: The rule, with the values that are stated as a whole.
        stated: What is said, by field.
    """
    values = rule.model_dump(mode="json")
    return {name: data_of(fact.said, name, values[name]) for name, fact in stated.items()}


def whole_facts(rule: Rule) -> dict[str, Fact]:
    """The fields of which a rule says anything, each with its whole value."""
    values = {name: getattr(rule, name) for name in rule.field_names()}
    return {
        name: Fact(rule.id, name, Exactly(value))
        for name, value in values.items()
        if value is not UNKNOWN
    }


def told(rule: Rule, words: Vocabulary) -> str:
    """A rule in words; of one that is partly unknown, what is stated of it."""
    values = [getattr(rule, name) for name in rule.uncertain_fields]
    in_part = tell_part(rule, words) if values and set(values) == {UNKNOWN} else None
    return in_part or tell(rule, words)


def said_value(fact: Fact, rule: Rule) -> str:
    """What is said of a field; the value in a rule, if that is all that is said."""
    if fact.settled:
        return plain(rule.model_dump(mode="json")[fact.field])
    return str(fact.said)


def facts_of_states(
    rule_id: str, states: Mapping[str, Mapping[str, Any]], blank: Theory
) -> tuple[Rule, tuple[Fact, ...]]:
    """The smallest rule with which what is said is true, and the facts.

    Args:
        rule_id: The rule's id.
        states: What is said of each field.
        blank: A theory of the same names, in which nothing is known.

    Raises:
        InputError: There is no such rule or field, or nothing like that can be said of one.
        ValidationError: No rule can be like that.
    """
    usual = blank.rule(rule_id)
    if usual is None:
        known = [rule.id for rule in blank.rules()]
        hint = nearest(rule_id, known)
        raise InputError(f"id: there is no rule '{rule_id}'{hint}; allowed: {', '.join(known)}")
    if not states:
        raise InputError(f"states: no field is stated of {rule_id}; allowed: at least one field")
    for name in states:
        if name not in usual.field_names():
            allowed = ", ".join(usual.field_names())
            raise InputError(f"states: {rule_id} has no field '{name}'; allowed: {allowed}")
    facts: list[Fact] = []
    for name, about in states.items():
        if not isinstance(about, Mapping):
            raise InputError(f"states.{name}: {shown(about)} says nothing; allowed: {_ABOUT}")
        try:
            facts += facts_of_field(
                rule_id, type(usual), name, _in_notation(about), blank.vocabulary
            )
        except FactError as error:
            told = str(error)
            told += "" if "; allowed: " in told else f"; allowed: {_ABOUT}"
            raise InputError(f"states: {told}") from None
    if not facts:
        raise InputError(f"states: no field is stated of {rule_id}; allowed: at least one field")
    # Of a field of which both is said, the smallest rule holds what it has.
    facts.sort(key=lambda fact: isinstance(fact.said, Including))
    return rule_of(facts, blank.vocabulary), tuple(facts)


def _in_notation(about: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is said of a field; files of earlier versions have ``is``, ``sign`` and mappings."""
    match dict(about):
        case {"is": value, **rest} if not rest:
            return {"value": value}
        case {"sign": 1 | -1 as sign, **rest} if not rest:
            return {"value": "gain" if sign > 0 else "loss"}
        case {"has": dict(parts), **rest}:
            listed = [_element_in_notation(*each) for each in parts.items()]
            return {"has": listed, **rest}
    return about


def _element_in_notation(name: str, part: Any) -> Any:
    if not isinstance(part, Mapping):
        return [name, part]
    return {"name": name, **part} if part else name
