"""Facts as sentences that state them and nothing else."""

from __future__ import annotations

from typing import Final

from pydantic import ValidationError

from mars_logic.world import names
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.facts import Exactly, Excluding, Fact, Signed, rule_of
from mars_logic.world.words.grammar import nouns_of
from mars_logic.world.words.listing import join
from mars_logic.world.words.sentences import ParseError, parse_facts, tell_part

_FLAGS: Final = ("eatable", "attacks", "shoots", "collectable")
_BLOWS: Final = {"attack_health_factor": "A hit", "arrow_health_factor": "An arrow"}


def fact_text(fact: Fact, words: Vocabulary) -> str:
    """A fact as a sentence, or in the notation of facts where no sentence says just this."""
    try:
        sentence = facts_sentence((fact,), words)
        if sentence and parse_facts(sentence, words) == (fact,):
            return sentence
    except (ParseError, ValidationError):
        pass
    return str(fact)


def is_read(sentence: str, words: Vocabulary) -> bool:
    """Whether a sentence is read, in one way only."""
    try:
        parse_facts(sentence, words)
    except ParseError:
        return False
    return True


def facts_sentence(facts: tuple[Fact, ...], words: Vocabulary) -> str | None:
    """Facts on one rule as a sentence; None if no sentence states them.

    Args:
        facts: The facts.
        words: The vocabulary of their world.

    Raises:
        ValidationError: No rule can be like that.
    """
    special = [e for e in facts if isinstance(e.said, Excluding | Signed) or _only(e)]
    if not special:
        return tell_part(rule_of(facts, words), words)
    others = [each for each in facts if each not in special and each.field not in _FLAGS]
    if len(special) > 1 or others:
        return None
    (fact,) = special
    if isinstance(fact.said, Signed):
        return _told_sign(fact, words)
    family, _, subject = fact.rule.partition(".")
    listed = fact.said.names if isinstance(fact.said, Excluding) else tuple(fact.example)
    if fact.field in ("where", "yields"):
        told = nouns_of(words).told(listed)
        things = join([*told], lambda _left, _right: "or")
        if family == "collect":
            return f"Collecting from {_one(subject, words)} never yields {things}."
        verb = "can only be placed" if _only(fact) else "cannot be placed"
        what = _one(subject, words)
        return f"{what[0].upper()}{what[1:]} {verb} on {things}."
    doing = {"collect": "Collecting from", "make": "Making", "place": "Placing"}.get(family)
    if len(listed) > 1 or doing is None or fact.field == "spawns":
        return None
    near = " nearby" if fact.field == "nearby" else ""
    return f"{doing} {_one(subject, words)} does not need {_one(listed[0], words)}{near}."


def _told_sign(fact: Fact, words: Vocabulary) -> str | None:
    """A sentence for points that are gained or lost, without their number."""
    assert isinstance(fact.said, Signed)
    verb = "gives" if fact.said.sign > 0 else "costs"
    family, _, subject = fact.rule.partition(".")
    vital = next((each for each in names.VITALS if each in fact.field), "health")
    doing = {"walk": "Walking on", "drink": "Drinking", "creature": "Eating", "eat": "Eating"}
    what = f"{doing[family]} {_one(subject, words)}"
    if fact.field in _BLOWS:
        what = f"{_BLOWS[fact.field]} of {_one(subject, words)}"
    return f"{what} {verb} {vital}."


def _one(name: str, words: Vocabulary) -> str:
    """A name with an article, if it takes one."""
    nouns = nouns_of(words)
    phrases = {**nouns.single_items, **nouns.single}
    return str(nouns.named((name,), phrases).phrases[name])


def _only(fact: Fact) -> bool:
    return fact.field == "where" and isinstance(fact.said, Exactly) and bool(fact.said.value)
