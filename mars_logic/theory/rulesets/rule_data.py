"""What a rule or a sentence says of fields, as plain data and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.world.fields import nearest, shown
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words import tell, tell_part
from mars_logic.world.words.doubts import plain
from mars_logic.world.words.facts import (
    Element,
    Exactly,
    Excluding,
    Fact,
    Including,
    Said,
    Signed,
    rule_of,
)

_KINDS: Final = "one of is, has, lacks, sign"


def states_of(rule: Rule, stated: Mapping[str, Fact]) -> dict[str, dict[str, Any]]:
    """What is said of the fields of a rule, as data that :func:`facts_of_states` reads.

    Args:
        rule: The rule, with the values that are stated as a whole.
        stated: What is said, by field.
    """
    values = rule.model_dump(mode="json")
    return {name: _plain(fact.said, values[name]) for name, fact in stated.items()}


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


def _plain(said: Said, value: Any) -> dict[str, Any]:
    if isinstance(said, Including):
        return {"has": {name: _element(part) for name, part in said.parts.items()}}
    if isinstance(said, Excluding):
        return {"lacks": list(said.names)}
    if isinstance(said, Signed):
        return {"sign": said.sign}
    return {"is": value}


def _element(part: Element) -> dict[str, Any]:
    amount = {"amount": part.amount} if isinstance(part.amount, int) else {}
    return amount if part.probability is None else {**amount, "probability": part.probability}


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
        raise InputError(f"states: nothing is said of {rule_id}; allowed: at least one field")
    for name in states:
        if name not in usual.field_names():
            allowed = ", ".join(usual.field_names())
            raise InputError(f"states: {rule_id} has no field '{name}'; allowed: {allowed}")
    facts = [Fact(rule_id, name, _said(name, said)) for name, said in states.items()]
    rule = rule_of(facts, blank.vocabulary)
    return rule, tuple(_exact(facts, rule, blank.vocabulary))


def _exact(facts: Iterable[Fact], rule: Rule, words: Vocabulary) -> Iterator[Fact]:
    """The facts, with whole values as the rule holds them, and with names that there are."""
    for fact in facts:
        if isinstance(fact.said, Exactly):
            yield Fact(fact.rule, fact.field, Exactly(getattr(rule, fact.field)))
            continue
        if isinstance(fact.said, Excluding):  # the rule holds nothing of what it lacks
            example = dict.fromkeys(fact.said.names, 1)
            probe = Including(FrozenMap({name: Element() for name in example}))
            rule_of([Fact(fact.rule, fact.field, probe)], words)
        yield fact


def _said(name: str, data: Mapping[str, Any]) -> Said:
    match dict(data):
        case {"is": value, **rest} if not rest:
            return Exactly(value)
        case {"has": dict(parts), **rest} if parts and not rest:
            return Including(FrozenMap({each: _part(name, part) for each, part in parts.items()}))
        case {"lacks": [*names], **rest} if names and not rest and all(map(_is_text, names)):
            return Excluding(tuple(names))
        case {"sign": int(sign), **rest} if sign in (1, -1) and not rest:
            return Signed(sign)
    raise InputError(f"states.{name}: {shown(data)} says nothing; allowed: {_KINDS}")


def _part(name: str, data: Any) -> Element:
    if isinstance(data, Mapping) and data.keys() <= {"amount", "probability"}:
        amount, probability = data.get("amount", UNKNOWN), data.get("probability")
        usual = amount is UNKNOWN or type(amount) is int
        if usual and (probability is None or type(probability) in (int, float)):
            return Element(amount, probability)
    allowed = "a mapping with amount and probability, either of which may be left out"
    raise InputError(f"states.{name}: {shown(data)} is no element; allowed: {allowed}")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)
