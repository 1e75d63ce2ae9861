"""Passwords in words, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mars_logic.domains.rulearn.escape_room.rules import FOCUS, DigitTerm, PasswordRule
from mars_logic.domains.rulearn.language import Phrase, SentenceError, after, opened, parts
from mars_logic.world.uncertain import is_uncertain

_HINTED: Final = "what the hint names"
_COUNT, _DISTINCT = "the number of paintings", "the number of different values of "


def password_sentences(rule: Any) -> list[str]:
    """How the password follows from the paintings, one sentence a digit, after the hint's.

    Args:
        rule: A rule, ``UNKNOWN``, or alternatives.
    """
    if is_uncertain(rule):
        return [f"The rule is {_RULE.tell(rule)}."]
    return _rule(rule)


def password_heard(sentence: str) -> Any:
    """The open rule that :func:`password_sentences` tells, as a file states it.

    Raises:
        SentenceError: The sentence cannot be read.
    """
    return _RULE.hear(after(sentence, "The rule is ", "."))


def _rule(rule: PasswordRule) -> list[str]:
    order = ", then ".join(rule.focus_order)
    digits = enumerate(rule.digits, 1)
    return [
        f"The hint names a {rule.focus}: {order}.",
        *(f"Digit {number} is {DIGIT.tell(term)}." for number, term in digits),
    ]


def hint_heard(sentence: str) -> tuple[str, list[str]]:
    """The attribute that the hint is about, and the values that it names one after the other.

    Raises:
        SentenceError: The sentence cannot be read.
    """
    focus, _, order = after(sentence, "The hint names a ", ".").partition(": ")
    return focus, order.split(", then ")


def _rule_read(text: str) -> dict[str, Any]:
    sentences = parts(text, " / ")
    focus, order = hint_heard(sentences[0])
    digits = [
        DIGIT.hear(after(each, f"Digit {number} is ", "."))
        for number, each in enumerate(sentences[1:], 1)
    ]
    return {"focus": focus, "focus_order": order, "digits": digits}


def _term(term: DigitTerm) -> str:
    if term.count is not None:
        return _COUNT + _where(term.count)
    if term.distinct is not None:
        where = "" if term.where is None else f" among paintings{_where(term.where)}"
        return f"{_DISTINCT}{term.distinct}{where}"
    kind, pair = ("sum", term.sum) if term.sum else ("difference", term.difference)
    assert pair is not None
    return f"the {kind} of ({_term(pair[0])}) and ({_term(pair[1])})"


def _term_heard(text: str) -> dict[str, Any]:
    if text.startswith(_COUNT):
        return {"count": _where_read(text.removeprefix(_COUNT))}
    if text.startswith(_DISTINCT):
        attribute, mark, where = text.removeprefix(_DISTINCT).partition(" among paintings")
        return {"distinct": attribute, **({"where": _where_read(where)} if mark else {})}
    for kind in ("sum", "difference"):
        if text.startswith(f"the {kind} of "):
            pair = parts(after(text, f"the {kind} of "), " and ")
            return {kind: [_term_heard(after(each, "(", ")")) for each in pair]}
    allowed = f"{_COUNT} …, {_DISTINCT}…, the sum of … and …, the difference of … and …"
    raise SentenceError(f"{text!r}: this is no number; allowed: {allowed}")


def _where(conditions: Mapping[str, Any]) -> str:
    return " and".join(
        f" whose {attribute} is {_value(wanted)}" for attribute, wanted in conditions.items()
    )


def _value(wanted: Any) -> str:
    if isinstance(wanted, Mapping):
        return f"not {_value(wanted['not'])}"
    return _HINTED if wanted == FOCUS else str(wanted)


def _where_read(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in text.split(" and") if text else ():
        attribute, _, wanted = after(each, " whose ").partition(" is ")
        negated = wanted.startswith("not ")
        wanted = wanted.removeprefix("not ")
        value = FOCUS if wanted == _HINTED else wanted
        found[attribute] = {"not": value} if negated else value
    return found


DIGIT: Final = opened(Phrase(_term, _term_heard))
"""The term of a digit."""
_RULE: Final = opened(Phrase(lambda rule: " / ".join(_rule(rule)), _rule_read))
