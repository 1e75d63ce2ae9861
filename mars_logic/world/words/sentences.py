"""Rules to English sentences, and the parser for such sentences."""

from __future__ import annotations

from functools import cache, cached_property
from itertools import pairwise
from typing import NamedTuple

from pydantic import ValidationError

from mars_logic.world import names
from mars_logic.world.mistakes import mistakes
from mars_logic.world.rules import Rule
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.words.contract import QUOTED, UnreadError, quote, readings, stop
from mars_logic.world.words.doubts import doubts, guess
from mars_logic.world.words.forms import FORMS, SentenceForm
from mars_logic.world.words.negation import also_denied
from mars_logic.world.words.parts import Fields
from mars_logic.world.words.scan import Scan
from mars_logic.world.words.vocabulary import words_of

_FORM_OF = {form.kind: form for form in FORMS}
_HEAD = 4
"""Number of leading words in which most sentences name their subject."""
_NAMES = {word for name in (*names.MATERIALS, *names.HOLDABLE) for word in name.split("_")}


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
    ) -> None:
        super().__init__(problem, sentence, unread)
        self.suggestion = suggestion
        self._forms = forms

    @cached_property
    def nearest(self) -> str:
        """Computed on demand, since the search takes as long as parsing the sentence."""
        return _nearest(self.sentence, *self._forms)

    def __str__(self) -> str:
        """The problem, with the nearest form."""
        return f"{self.problem}; the nearest form: {self.nearest}"


def tell(rule: Rule) -> str:
    """A rule as one English sentence.

    Lossless: ``parse(tell(rule)) == rule``, including fields without effect (stated in the
    conditional). An uncertain rule becomes its most likely reading followed by its uncertain
    fields; such a sentence cannot be parsed.

    >>> from mars_logic.world.rules import Place
    >>> tell(Place(subject="table", uses={"diamond": 2}, where=["grass", "sand"]))
    'Placing a table uses 2 diamonds and works on grass or sand.'
    """
    if rule.uncertain_fields:
        return f"{tell(guess(rule)).removesuffix('.')}, as a guess: {doubts(rule)}."
    text = _written(rule, dict(rule), whole=True)
    assert text, rule
    return text


def tell_part(rule: Rule) -> str | None:
    """The certain fields of a rule as one English sentence, which omits the others.

    Lossless: ``parse_part(tell_part(rule)) == rule`` if every other field is unknown. None if no
    field is certain.

    >>> from mars_logic.world.rules import Walk
    >>> from mars_logic.world.uncertain import UNKNOWN
    >>> tell_part(Walk(subject="water", walkable=UNKNOWN, health=1, deadly=UNKNOWN))
    'Any move on water gives 1 health.'
    """
    open_fields = rule.uncertain_fields
    return _written(
        rule, {k: v for k, v in dict(rule).items() if k not in open_fields}, whole=False
    )


def parse(sentence: str) -> Rule:
    """The whole rule that a sentence states; the inverse of ``tell``.

    Unmentioned fields have their default value: ``Water can be walked on`` also means that moves on
    water neither change the player's health nor kill it.

    Upper and lower case, blanks, underscores, articles, punctuation and the order of clauses
    do not matter, and an amount that is not given is 1.

    >>> parse("placing table consumes 2 diamonds, works on sand").uses
    {'diamond': 2}

    Raises:
        ParseError: The sentence states no rule, or an incomplete one.
    """
    return _rule(*_read(sentence), sentence)


def parse_part(sentence: str) -> Rule:
    """The partial rule that a sentence states; unmentioned fields are unknown.

    >>> parse_part("Collecting from stone with a wood pickaxe yields 1 stone").leaves
    UNKNOWN

    Raises:
        ParseError: The sentence states no part of a rule.
    """
    form, fields = _read(sentence)
    unsaid = (name for name in form.kind.field_names() if name not in fields)
    return _rule(form, {**fields, **dict.fromkeys(unsaid, UNKNOWN)}, sentence)


def refuse_open_negation(sentence: str) -> None:
    """Refuse a sentence whose negation may be about what follows, too.

    Raises:
        ParseError: It is such a sentence.
    """
    if word := also_denied(sentence):
        problem = f'in {quote(sentence)} the negation may be about "{word}", too'
        raise ParseError(problem, sentence, word, None, FORMS)


def _written(rule: Rule, fields: Fields, *, whole: bool) -> str | None:
    text = _FORM_OF[type(rule)].part.write(fields, whole)
    return f"{text[0].upper()}{text[1:]}." if text else None


def _read(sentence: str) -> tuple[SentenceForm, Fields]:
    refuse_open_negation(sentence)
    words = words_of(sentence)
    scans = []
    for form in FORMS:
        scan = Scan(words)
        for fields in readings(form.part, scan):
            return form, fields
        scans.append((scan, form))
    raise _unreadable(sentence, scans)


def _rule(form: SentenceForm, fields: Fields, sentence: str) -> Rule:
    try:
        return form.kind(**fields)
    except ValidationError as error:
        found = mistakes(error)
        missing = [str(each.place[0]) for each in found if each.kind == "missing"]
        told = f"cannot be: {found[0].message}"
        if missing:
            told = f"says nothing of {' and '.join(missing)}"
        raise ParseError(f"{quote(sentence)} {told}", sentence, "", None, (form,)) from None


def _unreadable(sentence: str, scans: list[tuple[Scan, SentenceForm]]) -> ParseError:
    """The error at the furthest position that the parser reached, with the words expected there."""
    found = stop(sentence, [scan for scan, _form in scans], _NAMES)
    furthest = max(scan.furthest for scan, _form in scans)
    forms = tuple(form for scan, form in scans if scan.furthest == furthest)
    return ParseError(found.problem, sentence, found.unread, found.suggestion, forms)


def _nearest(sentence: str, *forms: SentenceForm) -> str:
    """The example most similar to a sentence, among one for each subject of some families."""
    said = _outline(sentence[:QUOTED])
    examples = (example for form in forms for example in _examples(form.kind))
    return max(examples, key=lambda example: _likeness(example.outline, said)).text


class _Outline(NamedTuple):
    """The letter bigrams of a sentence: of its beginning, and of the whole."""

    begin: frozenset[str]
    all: frozenset[str]


class _Example(NamedTuple):
    text: str
    outline: _Outline


@cache
def _examples(kind: type[Rule]) -> tuple[_Example, ...]:
    """A sentence for each subject of a family."""
    stated = _FORM_OF[kind].example
    told = (tell(kind(**{**stated, "subject": subject})) for subject in kind.subjects)
    return tuple(_Example(text, _outline(text)) for text in told)


def _outline(text: str) -> _Outline:
    words = [word.text for word in words_of(text)]
    begin, all_words = (" ".join(some) for some in (words[:_HEAD], words))
    return _Outline(*(frozenset(map("".join, pairwise(said))) for said in (begin, all_words)))


def _likeness(one: _Outline, other: _Outline) -> tuple[float, float]:
    """Similarity of two sentences, with extra weight on their beginnings."""
    begin, rest = (
        2 * len(these & those) / ((len(these) + len(those)) or 1)
        for these, those in zip(one, other, strict=True)
    )
    return begin, rest
