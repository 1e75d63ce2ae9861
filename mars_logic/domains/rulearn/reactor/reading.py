"""The reactor's rule as people and language models describe it: cases and what each makes."""

from __future__ import annotations

import re
from typing import Any, Final

from mars_logic.domains.rulearn.language import SentenceError
from mars_logic.domains.rulearn.reactor.words import case_heard

_NOUN: Final = r"(?:inputs?|materials?|reactants?|strings?|ingredients?|words?|one|element)"
_SYNONYMS: Final = (
    (rf"\b(?:the )?(first|second|longer|shorter)(?: {_NOUN})?\b", r"the \1 input"),
    (r"\b(?:input|material|reactant) (?:1|one)\b", "the first input"),
    (r"\b(?:input|material|reactant) (?:2|two)\b", "the second input"),
    (rf"\b(?:if|when) (?:both|the|the two|they)?(?: {_NOUN})? ?(?:have|are of|are) (?:the same|an? "
     r"equal|equal) lengths?", "if both inputs are equally long"),
    (rf"\b(?:if|when) the lengths (?:of the {_NOUN} )?are (?:equal|the same)",
     "if both inputs are equally long"),
    (r"\b(?:if|when) (?:both )?(?:the )?inputs are equally long",
     "if both inputs are equally long"),
    (r"\b(?:else|in (?:all )?other cases|in any other case|if not)\b,?", "otherwise"),
)  # fmt: skip
_ONE: Final = r"(the (?:first|second|longer|shorter) input)"
_PUT: Final = r"(?:is|goes|gets|comes)?(?: (?:put|inserted|placed|added|set))?"
_FORMS: Final = (
    (rf"{_ONE} {_PUT} ?(?:in|into|in to|inside) the (?:middle|center|centre) of {_ONE}", "middle"),
    (rf"{_ONE} {_PUT} ?(?:in front of|before|prepended to) {_ONE}", "{0} followed by {1}"),
    (rf"{_ONE} {_PUT} ?(?:appended to|behind|after|to the end of) {_ONE}", "{1} followed by {0}"),
    (rf"{_ONE} ?(?:is |comes )?(?:,|then|and then|\+|followed by|and) {_ONE}",
     "{0} followed by {1}"),
)  # fmt: skip
_JOINS: Final = re.compile(r"\b(?:concatenat\w+|joins?|joined|combined?|combines|glued?|appends)\b")
_SWAPPED: Final = re.compile(r"\b(?:reverse(?:d)? order|swapped|backwards order|opposite order)\b")
_CASE: Final = re.compile(
    r"^(?:(always|otherwise|if .+?)(?::|,| then| it| the reactor)|(?=\S)) *(.*)$", re.S
)


def program_read(text: str) -> dict[str, Any]:
    """The rule that a text states, as a file states it.

    Raises:
        SentenceError: It states none, or a case that cannot be read.
    """
    cases = [_case(each) for each in _sentences(text)]
    found = [each for each in cases if each is not None]
    if not found:
        raise SentenceError(
            "it states no rule; allowed: 'Always: the first input followed by the second input.'"
        )
    if "if" in found[-1]:
        raise SentenceError("its last case has a condition; allowed: 'Otherwise: …'")
    whole = next(at for at, each in enumerate(found) if "if" not in each)
    if whole != len(found) - 1:
        raise SentenceError("it states two rules; allowed: conditions for all cases but the last")
    return {"rule": found}


def _sentences(text: str) -> list[str]:
    text = re.sub(r"(?m)^\s*(?:[-*]|\d+[.)])\s+", "", text)
    text = re.sub(r"[;,.]? (?=(?:otherwise|else)\b)", ". ", text, flags=re.I)
    return [each.strip() for each in re.split(r"\.(?:\s+|$)|\n+", text) if each.strip()]


def _case(sentence: str) -> dict[str, Any] | None:
    """A case; None if the sentence states none.

    Raises:
        SentenceError: It states one that cannot be read.
    """
    try:
        return case_heard(f"{sentence[0].upper()}{sentence[1:]}.")
    except SentenceError as error:
        plain = _plain(sentence)
        if plain is None:
            if re.match(r"(?:always|otherwise|else|if|when)\b", sentence, re.I):
                raise SentenceError(f"'{sentence}': {_reason(error)}") from None
            return None
        return case_heard(plain)


def _reason(error: SentenceError) -> str:
    return str(error).rpartition("': ")[2]


def _plain(sentence: str) -> str | None:
    """A free sentence in the form of those that can be read; None if it states no product."""
    text = sentence.lower()
    for pattern, plain in _SYNONYMS:
        text = re.sub(pattern, plain, text)
    match = _CASE.match(text)
    when, said = (match[1], match[2]) if match else (None, text)
    made = _made(said)
    if made is None:
        return None
    when = (when or "always").strip()
    return f"{when[0].upper()}{when[1:]}: {made}."


def _made(said: str) -> str | None:
    if re.search(r"\b(?:not|never|unless|except|maybe|or)\b", said):
        return None
    for pattern, form in _FORMS:
        found = re.findall(pattern, said)
        if len(found) == 1:
            return _filled(form, *found[0])
    if _JOINS.search(said):
        if _SWAPPED.search(said):
            return "the second input followed by the first input"
        if re.search(r"\b(?:inputs|materials|them|both|in order|two)\b", said):
            return "the first input followed by the second input"
    return None


def _filled(form: str, one: str, other: str) -> str | None:
    if one == other:
        return None
    if form != "middle":
        return form.format(one, other)
    place = {("the shorter input", "the longer input"): "the longer one"}
    place |= {("the second input", "the first input"): "the first one"}
    found = place.get((one, other))
    return f"{one} in the middle of {found}" if found else None
