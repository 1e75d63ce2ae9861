"""Telling rules in English sentences, and understanding such sentences."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher, get_close_matches
from typing import Any

from pydantic import ValidationError

from mars_logic.errors import InputError
from mars_logic.world import names
from mars_logic.world.rules import Rule
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.words.doubts import doubts, guess
from mars_logic.world.words.forms import FORMS, Form
from mars_logic.world.words.parts import Fields
from mars_logic.world.words.scan import Scan, Word, words_of

_FORM_OF = {form.kind: form for form in FORMS}
_QUOTED = 160
"""Characters of a sentence that an error message repeats, and that count for likeness."""
_HEAD = 4
"""Words in which most sentences say what they are about."""
_LISTED = 8
"""Expected words that an error message lists; if there are more, it spares the names."""
_NAMES = {word for name in (*names.MATERIALS, *names.HOLDABLE) for word in name.split("_")}


class ParseError(InputError):
    """A sentence that tells no rule.

    Attributes:
        sentence: The sentence.
        unread: The part of it that could not be read; empty if it ends too early, or if every
            word could be read but what they say is not allowed.
        suggestion: The word that was probably meant, if there is one.
        nearest: A sentence of the form that comes nearest.
    """

    def __init__(
        self, problem: str, sentence: str, unread: str, suggestion: str | None, nearest: str
    ) -> None:
        super().__init__(f"{problem}; the nearest form: {nearest}")
        self.sentence = sentence
        self.unread = unread
        self.suggestion = suggestion
        self.nearest = nearest


def tell(rule: Rule) -> str:
    """A rule as one English sentence.

    Nothing is lost: ``parse(tell(rule)) == rule``, fields without effect included (these are
    told as what would be). A rule that a theory is not certain of is told as the likeliest guess,
    with what is open in it; such a sentence cannot be parsed.

    >>> from mars_logic.world.rules import Place
    >>> tell(Place(subject="table", uses={"diamond": 2}, where=["grass", "sand"]))
    'Placing a table uses 2 diamonds and works on grass or sand.'
    """
    if rule.uncertain_fields:
        return f"{tell(guess(rule)).removesuffix('.')}, as a guess: {doubts(rule)}."
    text = _FORM_OF[type(rule)].part.write(dict(rule))
    assert text, rule
    return f"{text[0].upper()}{text[1:]}."


def parse(sentence: str) -> Rule:
    """The rule that a sentence tells; the inverse of ``tell``.

    Upper and lower case, blanks, underscores, articles, punctuation and the order of clauses
    do not matter, and an amount that is not given is 1.

    >>> parse("placing table consumes 2 diamonds, works on sand").uses
    {'diamond': 2}

    Raises:
        ParseError: The sentence tells no rule.
    """
    return _rule(*_read(sentence), sentence)


def parse_part(sentence: str) -> Rule:
    """The rule that a sentence tells in part; what it says nothing of is unknown.

    What the manual would not mention either is taken to be so: a creature of which no attack is
    told does not attack.

    >>> parse_part("Collecting from stone with a wood pickaxe yields 1 stone").leaves
    UNKNOWN

    Raises:
        ParseError: The sentence tells nothing of a rule.
    """
    form, fields = _read(sentence, partial=True)
    return _rule(form, fields | dict.fromkeys(form.unsaid(fields), UNKNOWN), sentence)


def _read(sentence: str, *, partial: bool = False) -> tuple[Form, dict[str, Any]]:
    words = words_of(sentence)
    scans = []
    for form in FORMS:
        scan = Scan(words, partial)
        for fields in _whole_readings(form, scan):
            return form, dict(fields)
        scans.append((scan, form))
    raise _unreadable(sentence, scans)


def _whole_readings(form: Form, scan: Scan) -> Iterator[Fields]:
    for fields, end in form.part.read(scan, 0, {}):
        if end == len(scan.words):
            yield fields
        else:
            scan.fail(end, "the end of the sentence")


def _rule(form: Form, fields: Fields, sentence: str) -> Rule:
    try:
        return form.kind(**fields)
    except ValidationError as error:
        problem = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise ParseError(
            f"{_quote(sentence)} cannot be: {problem}", sentence, "", None, _nearest(sentence, form)
        ) from None


def _unreadable(sentence: str, scans: list[tuple[Scan, Form]]) -> ParseError:
    """Say where the reading stopped that came furthest, and what would have fitted there."""
    furthest = max(scan.furthest for scan, _form in scans)
    best = [(scan, form) for scan, form in scans if scan.furthest == furthest]
    words = best[0][0].words
    wanted = sorted({word for scan, _form in best for word in scan.wanted})
    objections = {word: at for scan, _form in best for word, at in scan.objections.items()}
    seen = words[furthest].text if furthest < len(words) else ""
    meant = next(iter(get_close_matches(seen, wanted, n=1)), None)
    if meant:
        unread, hint = (furthest, furthest + 1), f' (did you mean "{meant}"?)'
    elif objections:
        unread, hint = (min(objections.values()), furthest), _expected(sorted(objections))
    else:
        unread, hint = (furthest, len(words)), _expected(wanted)
    quoted = _between(sentence, words[slice(*unread)])
    problem = f"cannot read {_quote(quoted)} in {_quote(sentence)}"
    if not quoted:
        problem = f"{_quote(sentence)} ends too early"
    nearest = _nearest(sentence, *(form for _scan, form in best))
    return ParseError(problem + hint, sentence, quoted, meant, nearest)


def _between(sentence: str, words: tuple[Word, ...]) -> str:
    return sentence[words[0].start : words[-1].end] if words else ""


def _nearest(sentence: str, *forms: Form) -> str:
    """The example most like a sentence, out of one for each subject of some families."""
    examples = [
        tell(form.kind(**{**form.example, "subject": subject}))
        for form in forms
        for subject in form.kind.subjects
    ]
    return max(examples, key=lambda example: _likeness(example, sentence))


def _likeness(example: str, sentence: str) -> tuple[float, float]:
    """How much two sentences have in common: above all in how they begin."""

    def ratio(count: int) -> float:
        one, other = (
            " ".join(word.text for word in words_of(text)[:count])
            for text in (example, sentence[:_QUOTED])
        )
        return SequenceMatcher(None, one, other, autojunk=False).ratio()

    return ratio(_HEAD), ratio(_QUOTED)


def _quote(text: str) -> str:
    line = " ".join(text.split())
    return f'"{line if len(line) <= _QUOTED else line[: _QUOTED - 4] + " ..."}"'


def _expected(wanted: list[str]) -> str:
    if len(wanted) > _LISTED:
        wanted = [*(word for word in wanted if word not in _NAMES), "a name"]
    if len(wanted) > _LISTED:
        return ""
    *most, last = wanted
    return f" (expected {', '.join(most)}{' or ' if most else ''}{last})"
