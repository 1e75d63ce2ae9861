"""Theories that sentences make up together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mars_logic.theory.joint import is_whole
from mars_logic.theory.rulesets.stated import Statement
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.facts import Exactly


def theories_of(
    statements: Sequence[Statement], blank: Theory
) -> Iterator[tuple[Theory, list[Statement]]]:
    """Theories of sentences that do not contradict each other, taken in order.

    What they leave open is as in a blank theory. Sentences that together leave nothing open make up
    a whole theory, in which a list holds what they say of it and nothing else. Other theories have
    only the fields whose value is stated.
    """
    settled = [each for each in statements if all(fact.settled for fact in each.facts)]
    whole = {
        id(each)
        for theory, members in _theories(((s, s.rule) for s in settled), blank)
        if is_whole(theory)
        for each in members
    }
    yield from _theories(((s, s.rule) for s in statements if id(s) in whole), blank)
    yield from _theories(((s, _exact(s)) for s in statements if id(s) not in whole), blank)


def smallest_theories(
    statements: Iterable[Statement], blank: Theory
) -> Iterator[tuple[Theory, list[Statement]]]:
    """Theories of sentences that do not contradict each other, taken in order.

    Of a list, such a theory holds what the sentences say of it and nothing else.
    """
    yield from _theories(((each, each.rule) for each in statements), blank)


def _theories(
    statements: Iterable[tuple[Statement, Rule]], blank: Theory
) -> Iterator[tuple[Theory, list[Statement]]]:
    """Theories of rules that do not contradict each other, with the sentences that state these."""
    groups: list[tuple[dict[str, Rule], list[Statement]]] = []
    for statement, rule in statements:
        for rules, members in groups:
            merged = _merged(rules.get(rule.id), rule, blank.vocabulary)
            if merged is not None:
                rules[merged.id] = merged
                members.append(statement)
                break
        else:
            groups.append(({rule.id: rule}, [statement]))
    for rules, members in groups:
        yield blank.with_rules(*rules.values()), members


def _exact(statement: Statement) -> Rule:
    """The rule of a statement with those fields alone whose whole value is stated."""
    partly = (fact.field for fact in statement.facts if not isinstance(fact.said, Exactly))
    return statement.rule.model_copy(update=dict.fromkeys(partly, UNKNOWN))


def _merged(known: Rule | None, rule: Rule, words: Vocabulary) -> Rule | None:
    """A rule that says what both say; None if they disagree."""
    if known is None:
        return rule
    fields = {}
    for name in rule.field_names():
        one, other = getattr(known, name), getattr(rule, name)
        if UNKNOWN not in (one, other) and one != other:
            return None
        fields[name] = other if one is UNKNOWN else one
    return rule.with_fields(fields, words)
