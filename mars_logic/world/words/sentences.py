"""Rules to English sentences, and the parser for such sentences."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from itertools import pairwise
from typing import NamedTuple

from pydantic import ValidationError

from mars_logic.world.mistakes import mistakes
from mars_logic.world.rules import Rule
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.contract import QUOTED, UnreadError, quote, readings, stop, without_lead
from mars_logic.world.words.doubts import doubts, guess
from mars_logic.world.words.facts import Fact, rule_of, said
from mars_logic.world.words.forms import SentenceForm
from mars_logic.world.words.grammar import grammar_of, nouns_of
from mars_logic.world.words.negation import also_denied
from mars_logic.world.words.nouns import CRAFTER
from mars_logic.world.words.parts import Fields
from mars_logic.world.words.scan import Scan

_HEAD = 4
"""Number of leading words in which most sentences name their subject."""


class ParseError(UnreadError):
    """A sentence that states no rule.

    Attributes:
        suggestion: The word probably intended, if there is one.
        nearest: A sentence of the form that comes nearest.
    """

    def __init__(
        self,
        problem: str,
        sentence: str,
        unread: str,
        suggestion: str | None,
        forms: tuple[SentenceForm, ...],
        words: Vocabulary,
    ) -> None:
        super().__init__(problem, sentence, unread)
        self.suggestion = suggestion
        self._forms = forms
        self._words = words

    @cached_property
    def nearest(self) -> str:
        """Computed on demand, since the search takes as long as parsing the sentence."""
        return _nearest(self.sentence, self._words, *self._forms)

    def __str__(self) -> str:
        """The problem, with the nearest form."""
        return f"{self.problem}; the nearest form: {self.nearest}"


def tell(rule: Rule, words: Vocabulary = CRAFTER) -> str:
    """A rule as one English sentence.

    Lossless: ``parse(tell(rule)) == rule``, including fields without effect (stated in the
    conditional). An uncertain rule becomes its most likely reading followed by its uncertain
    fields; such a sentence cannot be parsed.

    Args:
        rule: The rule.
        words: The vocabulary of its world.

    >>> from mars_logic.world.rules import Place
    >>> tell(Place(subject="table", uses={"diamond": 2}, where=["grass", "sand"]))
    'Placing a table uses 2 diamonds and works on grass or sand.'
    """
    if rule.uncertain_fields:
        likely = tell(guess(rule, words), words).removesuffix(".")
        return f"{likely}, as a guess: {doubts(rule)}."
    text = _written(rule, dict(rule), words, whole=True)
    assert text, rule
    return text


def tell_part(rule: Rule, words: Vocabulary = CRAFTER) -> str | None:
    """The certain fields of a rule as one English sentence, which omits the others.

    Lossless: ``parse_part(tell_part(rule)) == rule`` if every other field is unknown. None if no
    field is certain.

    Args:
        rule: The rule.
        words: The vocabulary of its world.

    >>> from mars_logic.world.rules import Walk
    >>> from mars_logic.world.uncertain import UNKNOWN
    >>> tell_part(Walk(subject="water", walkable=UNKNOWN, health=1, deadly=UNKNOWN))
    'Any move on water gives 1 health.'
    """
    open_fields = rule.uncertain_fields
    known = {name: value for name, value in dict(rule).items() if name not in open_fields}
    return _written(rule, known, words, whole=False)


def parse(sentence: str, words: Vocabulary = CRAFTER) -> Rule:
    """The whole rule that a sentence states; the inverse of ``tell``.

    Unmentioned fields have their default value: ``Water can be walked on`` also means that moves on
    water neither change the player's health nor kill it.

    Upper and lower case, blanks, underscores, articles, punctuation and the order of clauses
    do not matter, and an amount that is not given is 1.

    Args:
        sentence: The sentence.
        words: The vocabulary of its world.

    >>> parse("placing table consumes 2 diamonds, works on sand").uses
    {'diamond': 2}

    Raises:
        ParseError: The sentence states no rule, or an incomplete one.
    """
    scans = []
    for form, scan in _scans(sentence, words):
        for fields in readings(form.part, scan):
            return _rule(form, fields, sentence, words)
        scans.append((scan, form))
    raise _unreadable(sentence, scans, words)


def parse_facts(sentence: str, words: Vocabulary = CRAFTER) -> tuple[Fact, ...]:
    """The facts that a sentence states.

    All that it does not mention is open: other fields, other elements of a list, and an amount that
    is not given. It may begin with a bullet, a number or a label.

    Args:
        sentence: The sentence.
        words: The vocabulary of its world.

    >>> for fact in parse_facts("- Collecting from stone requires a wooden pickaxe."):
    ...     print(fact)
    collect.stone.collectable = true
    collect.stone.requires has wood_pickaxe 1

    Raises:
        ParseError: The sentence cannot be read to its end, or in two ways that differ.
    """
    told = without_lead(sentence)
    found: dict[frozenset[Fact], None] = {}
    scans = []
    refused: ParseError | None = None
    for form, scan in _scans(told, words, in_part=True):
        for fields in readings(form.part, scan):
            try:
                found[_facts(form, fields, told, words)] = None
            except ParseError as error:
                refused = error
        scans.append((scan, form))
    if len(found) == 1:
        return tuple(sorted(*found, key=str))
    if found:
        problem = f"{quote(told)} can be read in {len(found)} ways"
        raise ParseError(problem, told, told, None, grammar_of(words), words)
    raise refused or _unreadable(told, scans, words)


def parse_part(sentence: str, words: Vocabulary = CRAFTER) -> Rule:
    """The smallest rule with which a sentence is true; unmentioned fields are unknown.

    Args:
        sentence: The sentence.
        words: The vocabulary of its world.

    >>> parse_part("Collecting from stone with a wood pickaxe yields 1 stone").leaves
    UNKNOWN

    Raises:
        ParseError: The sentence states no part of a rule.
    """
    return rule_of(parse_facts(sentence, words), words)


def _written(rule: Rule, fields: Fields, words: Vocabulary, *, whole: bool) -> str | None:
    """The sentence; with added names in grave accents where it could not be read without them."""
    text = _in_form(rule, fields, words, whole=whole)
    if text is None or not words.wide or _reads_back(text, rule, words, whole=whole):
        return text
    return _in_form(rule, fields, words, whole=whole, in_accents=True)


def _in_form(
    rule: Rule, fields: Fields, words: Vocabulary, *, whole: bool, in_accents: bool = False
) -> str | None:
    form = _form(type(rule), words, in_accents)
    text = form.part.write(fields, whole)
    return f"{text[0].upper()}{text[1:]}." if text else None


def _form(kind: type[Rule], words: Vocabulary, in_accents: bool = False) -> SentenceForm:
    return next(form for form in grammar_of(words, in_accents) if form.kind is kind)


def _reads_back(text: str, rule: Rule, words: Vocabulary, *, whole: bool) -> bool:
    """Whether a sentence is read as the rule that it tells, or as the certain fields of it."""
    try:
        found = parse(text, words) if whole else parse_part(text, words)
    except ParseError:
        return False
    certain = set(rule.field_names()).difference(rule.uncertain_fields)
    return found.id == rule.id and all(
        getattr(found, name) == getattr(rule, name) for name in certain
    )


def _scans(
    sentence: str, known: Vocabulary, *, in_part: bool = False
) -> Iterator[tuple[SentenceForm, Scan]]:
    """Each form, with the words of a sentence.

    Raises:
        ParseError: Its negation may be about what follows, too.
    """
    table = nouns_of(known).canonical
    if word := also_denied(table.without_quoted(sentence)):
        problem = f'in {quote(sentence)} the negation may be about "{word}", too'
        raise ParseError(problem, sentence, word, None, grammar_of(known), known)
    words = table.words_of(sentence)
    for form in grammar_of(known):
        yield form, Scan(words, table, in_part)


def _facts(form: SentenceForm, fields: Fields, sentence: str, words: Vocabulary) -> frozenset[Fact]:
    """The facts that some fields state.

    Raises:
        ParseError: No rule can be like that, or nothing is stated.
    """
    rule_id = f"{form.kind.family}.{fields['subject']}"
    told = {name: said(value) for name, value in fields.items() if name != "subject"}
    facts = frozenset(Fact(rule_id, name, each) for name, each in told.items() if each is not None)
    if not facts:
        raise ParseError(f"{quote(sentence)} states nothing", sentence, "", None, (form,), words)
    with _refusing(form, sentence, words):
        rule_of(facts, words)
    return facts


def _rule(form: SentenceForm, fields: Fields, sentence: str, words: Vocabulary) -> Rule:
    with _refusing(form, sentence, words):
        return form.kind.model_validate(dict(fields), context=words)


@contextmanager
def _refusing(form: SentenceForm, sentence: str, words: Vocabulary) -> Iterator[None]:
    """Say of a sentence what no rule can be like."""
    try:
        yield
    except ValidationError as error:
        found = mistakes(error)
        missing = [str(each.place[0]) for each in found if each.kind == "missing"]
        told = f"cannot be: {found[0].message}"
        if missing:
            told = f"says nothing of {' and '.join(missing)}"
        raise ParseError(f"{quote(sentence)} {told}", sentence, "", None, (form,), words) from None


def _unreadable(
    sentence: str, scans: list[tuple[Scan, SentenceForm]], words: Vocabulary
) -> ParseError:
    """The error at the furthest position that the parser reached, with the words expected there."""
    found = stop(sentence, [scan for scan, _form in scans], nouns_of(words).name_words)
    furthest = max(scan.furthest for scan, _form in scans)
    forms = tuple(form for scan, form in scans if scan.furthest == furthest)
    return ParseError(found.problem, sentence, found.unread, found.suggestion, forms, words)


def _nearest(sentence: str, words: Vocabulary, *forms: SentenceForm) -> str:
    """The example most similar to a sentence, among one for each subject of some families."""
    said = _outline(sentence[:QUOTED], words)
    examples = (example for form in forms for example in _examples(form.kind, words))
    return max(examples, key=lambda example: _likeness(example.outline, said)).text


class _Outline(NamedTuple):
    """The letter bigrams of a sentence: of its beginning, and of the whole."""

    begin: frozenset[str]
    all: frozenset[str]


class _Example(NamedTuple):
    text: str
    outline: _Outline


@cache
def _examples(kind: type[Rule], words: Vocabulary) -> tuple[_Example, ...]:
    """A sentence for each subject of a family."""
    stated = _form(kind, words).example
    rules = (
        kind.model_validate({**stated, "subject": subject}, context=words)
        for subject in words.subjects[kind.family]
    )
    told = (tell(rule, words) for rule in rules)
    return tuple(_Example(text, _outline(text, words)) for text in told)


def _outline(text: str, words: Vocabulary) -> _Outline:
    told = [word.text for word in nouns_of(words).canonical.words_of(text)]
    begin, all_words = (" ".join(some) for some in (told[:_HEAD], told))
    return _Outline(*(frozenset(map("".join, pairwise(said))) for said in (begin, all_words)))


def _likeness(one: _Outline, other: _Outline) -> tuple[float, float]:
    """Similarity of two sentences, with extra weight on their beginnings."""
    begin, rest = (
        2 * len(these & those) / ((len(these) + len(those)) or 1)
        for these, those in zip(one, other, strict=True)
    )
    return begin, rest
