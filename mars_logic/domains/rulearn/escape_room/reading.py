"""Passwords as people and language models describe them: digits and what each counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from mars_logic.domains.rulearn.escape_room.digits import FOCUS
from mars_logic.domains.rulearn.escape_room.paintings import ATTRIBUTES
from mars_logic.domains.rulearn.escape_room.rules import EscapeRoom
from mars_logic.domains.rulearn.escape_room.words import term_heard
from mars_logic.domains.rulearn.language import SentenceError
from mars_logic.world.uncertain import UNKNOWN

_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth")
_DIGIT: Final = re.compile(
    rf"\bdigit ([1-9])\b|\b({'|'.join(_ORDINALS)}|[1-9](?:st|nd|rd|th)) digit\b", re.I
)
_LINK: Final = re.compile(r"^[\s:=,-]*(?:is |equals |shows |gives )?(?:equal to )?", re.I)
_END: Final = re.compile(r"\.(?:\s|$)|\n|;|,? and (?:the )?$|, (?:the )?$|,? while ")
_SYNONYMS: Final = (
    (r"water[ -]?colou?rs?", "watercolor"),
    (r"\b(oil|acrylic)s\b", r"\1"),
    (r"\bdark(?:-colou?red)?\b", "black"),
    (r"\bcolou?r(?:ed|s)?\b", "color"),
    (r"(?:what|which|that)? ?the (?:hint|note|clue) (?:names?|says|mentions|tells)", " hinted "),
    (
        r"(?:named|given|mentioned|told|stated|specified) (?:by|in) the (?:hint|note|clue)\b",
        "hinted",
    ),
    (r"\b(?:in|of) the (?:hint|note|clue)\b(?:'s)?", " hinted "),
    (r"\bthe (?:hint|note|clue)'s", "hinted"),
    (r"\b(?:noted|named|focus(?:ed)?|mentioned)\b", "hinted"),
    (r"\b(?:non-|except|other than|but not)", "not "),
)
_FILLERS: Final = """
    the a an of number numbers count counts how many amount total paintings painting pictures
    picture works that are is in with whose which color medium and all there made on by every room
    rooms gallery galleries them its have has do does being current type kind equals equal to for
    code password digits respectively order then be seen
"""
_COUNTS: Final = "number numbers count counts many amount total paintings"
_FILLER_WORDS, _COUNT_WORDS = frozenset(_FILLERS.split()), frozenset(_COUNTS.split())


def password_read(text: str, theory: EscapeRoom) -> dict[str, Any]:
    """The digits that a text describes, as a file states the rule; the others are open.

    Args:
        text: The text.
        theory: What the manual tells: the number of digits, and what the hint is about.

    Raises:
        SentenceError: It describes no digit, or one that cannot be read.
    """
    rule = theory.rule
    found: dict[int, Any] = {}
    for place, clause in _clauses(text):
        if not 0 <= place < len(rule.digits):
            told = f"there is no digit {place + 1}"
            raise SentenceError(f"{told}; allowed: 1 to {len(rule.digits)}")
        found.setdefault(place, _term(clause, rule.focus))
    if not found:
        found = dict(enumerate(_listed(text, rule.focus, len(rule.digits))))
    stated = rule.model_dump(mode="json")
    digits = [found.get(at, UNKNOWN.value) for at in range(len(rule.digits))]
    return {"rule": stated | {"digits": digits}}


def _clauses(text: str) -> list[tuple[int, str]]:
    """For each digit that is mentioned its place and what is said of it."""
    marks = list(_DIGIT.finditer(text))
    ends = [*(each.start() for each in marks), len(text)][1:]
    found = []
    for mark, end in zip(marks, ends, strict=True):
        named = (mark[1] or mark[2]).lower()
        place = _ORDINALS.index(named) if named in _ORDINALS else int(named[0]) - 1
        said = _LINK.sub("", text[mark.end() : end], count=1)
        found.append((place, _END.split(said, maxsplit=1)[0].strip()))
    return found


def _term(clause: str, focus: str) -> Any:
    try:
        return term_heard(clause)
    except SentenceError:
        values, named = _named(clause, focus)
        if not named & _COUNT_WORDS:
            allowed = "'the number of paintings whose medium is oil'"
            raise SentenceError(f"'{clause}' is no number; allowed: {allowed}") from None
    found: dict[str, Any] = {}
    for attribute, value in values:
        if attribute in found:
            told = f"'{clause}' names two of the attribute {attribute}"
            raise SentenceError(f"{told}; allowed: one") from None
        found[attribute] = value
    return {"count": found}


def _listed(text: str, focus: str, many: int) -> list[Any]:
    """The digits of a text that lists a medium or a colour for each, with one other condition."""
    for sentence in re.split(r"\.(?:\s|$)|\n", text):
        try:
            values, named = _named(sentence, focus)
        except SentenceError:
            continue
        for attribute in ATTRIBUTES:
            varied = [value for name, value in values if name == attribute]
            fixed = {name: value for name, value in values if name != attribute}
            plain = all(isinstance(value, str) and value != FOCUS for value in varied)
            if plain and len(set(varied)) == many and len(values) - many == len(fixed):
                if not named & _COUNT_WORDS:
                    continue
                return [{"count": {attribute: value, **fixed}} for value in varied]
    allowed = "'Digit 1 is the number of paintings whose medium is oil.'"
    raise SentenceError(f"it describes no digit; allowed: {allowed}")


def _named(clause: str, focus: str) -> tuple[list[tuple[str, Any]], set[str]]:
    """The attributes and values that a clause names, and its other words.

    Raises:
        SentenceError: A word in it is not known.
    """
    text = f" {clause.lower()} "
    for pattern, plain in _SYNONYMS:
        text = re.sub(pattern, plain, text)
    values: list[tuple[str, Any]] = []
    others: set[str] = set()
    negated = False
    for word in re.findall(r"[a-z0-9']+", text):
        attribute = next((name for name, known in ATTRIBUTES.items() if word in known), None)
        if word == "not":
            negated = True
        elif attribute or word == "hinted":
            value = FOCUS if attribute is None else word
            values.append((attribute or focus, {"not": value} if negated else value))
            negated = False
        elif word in _FILLER_WORDS:
            others.add(word)
        else:
            told = f"'{word}' in '{clause.strip()}' is not known"
            raise SentenceError(f"{told}; allowed: counts of paintings by medium and color")
    return _once(values), others


def _once(values: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Values without those that follow themselves, as in "the hinted color in the note"."""
    return [each for at, each in enumerate(values) if at == 0 or values[at - 1] != each]
