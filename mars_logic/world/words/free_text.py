"""Free text to facts: several facts in one sentence, and nothing that the sentence does not say.

A sentence is a chain of clauses. The forms read each clause, canonical ones (``forms``) and those
of free text (``forms.free``). A clause without a subject, or with a pronoun, is about the subject
of the clause before. As ``contract`` says, a sentence counts as read only if all of it is read;
besides, every way to read it has to state the same facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from pydantic import ValidationError

from mars_logic.world.rules import Collect, Creature, Drink, Make, Place, Rule, Walk
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.contract import without_lead
from mars_logic.world.words.facts import Fact, facts_of, rule_of, said
from mars_logic.world.words.forms.free import free_forms_of
from mars_logic.world.words.grammar import grammar_of, nouns_of
from mars_logic.world.words.nouns import CRAFTER, Nouns
from mars_logic.world.words.parts import Fields, Part
from mars_logic.world.words.scan import Scan
from mars_logic.world.words.sentences import ParseError, parse_part, refuse_open_negation
from mars_logic.world.words.vocabulary import Word

Facts = frozenset[Fact]

_LINKS: Final = ("and", "but", "so", "plus")
_PRONOUNS: Final = ("it", "which")
_BREAK: Final = re.compile(r"[.,;:()\u2013\u2014]")
_ACTIVITIES: Final[dict[type[Rule], str]] = {
    Walk: "walking on",
    Creature: "eating",
    Drink: "drinking",
    Collect: "mining",
    Place: "placing",
    Make: "making",
}
"""What a clause without a subject may be about besides the subject before: doing something with it.
"""
_EATEN: Final = ("eatable", True)
"""What a clause on a creature states if the one behind it may be about eating it."""
_CLAUSES: Final = 6
"""Clauses of a sentence."""
_SEPARATE: Final = ("neighbour", "walk", "creature", "collect")
"""Families of which a sentence on several subjects says something of each, not of all together."""
_IN_LISTS: Final = ("and", "or")
_POSSIBLE: Final = ("player can", "player cannot", "cannot", "can")


class _Clause(NamedTuple):
    """A clause that was read.

    Attributes:
        facts: Its facts.
        end: The position behind it.
        kind: The family that it is about.
        subject: The subject.
        flags: The fields that are true or false by it.
    """

    facts: Facts
    end: int
    kind: type[Rule]
    subject: str
    flags: tuple[tuple[str, bool], ...]


@cache
def _forms(words: Vocabulary) -> tuple[tuple[type[Rule], Part], ...]:
    forms = ((form.kind, form.part) for form in grammar_of(words))
    return (*forms, *free_forms_of(nouns_of(words)))


class _Text(NamedTuple):
    """A sentence with the vocabulary of its world."""

    sentence: str
    words: Vocabulary

    @property
    def nouns(self) -> Nouns:
        """The names that it may contain."""
        return nouns_of(self.words)


def parse_facts(sentence: str, words: Vocabulary = CRAFTER) -> tuple[Fact, ...]:
    """The facts that a sentence of free text states.

    All that it does not mention is open: other fields, other elements of a list, and an amount that
    is not given.

    Args:
        sentence: The sentence.
        words: The vocabulary of its world.

    >>> for fact in parse_facts("Stone can be mined with a wooden pickaxe and becomes a path."):
    ...     print(fact)
    collect.stone.collectable = true
    collect.stone.leaves = path
    collect.stone.requires has wood_pickaxe 1

    Raises:
        ParseError: The sentence cannot be read to its end, or in two ways that differ.
    """
    told = without_lead(sentence)
    refuse_open_negation(told, words)
    text = _Text(told, words)
    found = set(_readings(text, text.nouns.free.words_of(told), _CLAUSES, None))
    if len(found) > 1:
        problem = f'"{" ".join(told.split())}" can be read in {len(found)} ways'
        raise ParseError(problem, told, told, None, grammar_of(words), words)
    facts = found.pop() if found else facts_of(parse_part(told, words))
    return tuple(sorted(facts, key=str))


def _readings(
    text: _Text, words: tuple[Word, ...], clauses: int, before: _Clause | None
) -> Iterator[Facts]:
    """Every way to read some words of a sentence to their end.

    Several clauses are considered only where the words cannot be read as one.

    Args:
        text: The sentence.
        words: The words.
        clauses: The most clauses that may follow the first of them.
        before: The clause before, if the first one is about its subject.
    """
    begun = dict.fromkeys(_begun(text, words, before))
    whole = [clause.facts for clause in begun if clause.end == len(words)]
    yield from whole or _of_several(text, words)
    if whole or not clauses:
        return
    for clause in begun:
        for more, own_subject in _continued(text, words[clause.end :], clause):
            known = None if own_subject else clause
            for rest in _readings(text, more, clauses - 1, known):
                if _agree(clause.facts, rest):
                    yield clause.facts | rest


def _begun(
    text: _Text, words: tuple[Word, ...], before: _Clause | None = None
) -> Iterator[_Clause]:
    """Every way to read a clause at the beginning of some words."""
    for kind, part in _forms(text.words):
        known = dict(before.flags) if before and before.kind is kind else {}
        for fields, end in part.read(Scan(words, text.nouns.free), 0, known):
            if end == len(words) or _ends_clause(text.sentence, words, end):
                facts = _facts(kind, fields, text.words)
                if facts:
                    flags = ((n, v) for n, v in fields.items() if isinstance(v, bool))
                    yield _Clause(facts, end, kind, fields["subject"], tuple(flags))


def _of_several(text: _Text, words: tuple[Word, ...]) -> Iterator[Facts]:
    """Readings of a clause on several subjects, which says of each what it says of the first."""
    for begin, end in _lists(text, words):
        names_listed = [word for word in words[begin:end] if word.text not in _IN_LISTS]
        told: list[Facts] = []
        for name in names_listed:
            found = {
                facts
                for facts in _whole(text, (*words[:begin], name, *words[end:]))
                if all(_is_of(fact, name) for fact in facts)
            }
            if len(found) == 1:
                told += found
        if len(told) == len(names_listed):
            yield frozenset().union(*told)


def _whole(text: _Text, words: tuple[Word, ...]) -> Iterator[Facts]:
    """Every way to read some words as one clause."""
    return (each.facts for each in _begun(text, words) if each.end == len(words))


def _is_of(fact: Fact, name: Word) -> bool:
    """Whether a fact is about a subject, and one that holds for each subject by itself."""
    family, _, subject = fact.rule.partition(".")
    return family in _SEPARATE and name.text.strip("`") in (subject, f"{subject}s")


def _lists(text: _Text, words: tuple[Word, ...]) -> Iterator[tuple[int, int]]:
    """The positions of the longest lists of names, each with at least two names.

    "or" links them only in what is possible or impossible for each of them.
    """
    links = _IN_LISTS if any(word.text in _POSSIBLE for word in words) else _IN_LISTS[:1]
    sentence, known = text.sentence, text.nouns.listed
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and words[end].text in known:
            linked = end + 1 < len(words) and words[end + 1].text in links
            after = end + 1 + linked
            between = sentence[words[end].end : words[after].start] if after < len(words) else ""
            end += 1
            if after < len(words) and words[after].text in known and (linked or "," in between):
                end = after
            else:
                break
        if end > at + 1:
            yield at, end
        at = max(end, at + 1)


def _ends_clause(sentence: str, words: tuple[Word, ...], end: int) -> bool:
    """Whether a clause may end before a word: behind punctuation, or before a linking word."""
    between = sentence[words[end - 1].end : words[end].start]
    return bool(_BREAK.search(between)) or words[end].text in (*_LINKS, *_PRONOUNS)


def _continued(
    text: _Text, words: tuple[Word, ...], clause: _Clause
) -> Iterator[tuple[tuple[Word, ...], bool]]:
    """The words of the clauses that follow one, and whether they begin with a subject of their own.

    Otherwise the subject of the clause before stands in the place of a pronoun or an omission.
    """
    while words and words[0].text in _LINKS:
        words = words[1:]
    pronoun = bool(words) and words[0].text in _PRONOUNS
    if pronoun:
        words = words[1:]
    if not words:
        return
    start = replace(words[0], end=words[0].start)
    name = tuple(replace(start, text=each) for each in text.nouns.words_for(clause.subject))
    if not pronoun:
        yield words, True
        of_it = tuple(each for w in words for each in (name if w.text == "it" else (w,)))
        if of_it != words:
            yield of_it, False
    yield (*name, *words), False
    if clause.kind in _ACTIVITIES and (clause.kind is not Creature or _EATEN in clause.flags):
        activity = replace(start, text=_ACTIVITIES[clause.kind])
        yield (activity, *name, *words), False


def _facts(kind: type[Rule], fields: Fields, words: Vocabulary) -> Facts | None:
    """The facts that some fields state; None if no rule can be like that."""
    rule_id = f"{kind.family}.{fields['subject']}"
    told = {name: said(value) for name, value in fields.items() if name != "subject"}
    facts = frozenset(Fact(rule_id, name, each) for name, each in told.items() if each is not None)
    if not facts:
        return None
    try:
        rule_of(facts, words)
    except ValidationError:
        return None
    return facts


def _agree(some: Facts, others: Facts) -> bool:
    """Whether facts of two clauses do not state different values of a field."""
    values: dict[tuple[str, str], Fact] = {(each.rule, each.field): each for each in some}
    return all(
        values.get((each.rule, each.field), each).said.admits_with(each.said) for each in others
    )
