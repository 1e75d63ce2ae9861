"""Fields of rules in sentences, and back: what is open stands in square brackets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from mars_logic.world.uncertain import UNKNOWN, Alternatives
from mars_logic.world.words.contract import UnreadError

T = TypeVar("T")
_OPENING, _CLOSING = "([", ")]"


class SentenceError(UnreadError):
    """A sentence about a puzzle that cannot be read, or that states what cannot be."""


def parts(text: str, separator: str) -> list[str]:
    """A text in parts, without cutting inside of parentheses or brackets."""
    found, depth, begin, at = [], 0, 0, 0
    while at < len(text):
        depth += (text[at] in _OPENING) - (text[at] in _CLOSING)
        if depth == 0 and text.startswith(separator, at):
            found.append(text[begin:at])
            at = begin = at + len(separator)
        else:
            at += 1
    return [*found, text[begin:]]


def told(field: Any, say: Callable[[Any], str]) -> str:
    """A field in words.

    Args:
        field: A value, ``UNKNOWN`` or alternatives.
        say: Says a value; what it says holds parentheses and brackets in pairs alone.
    """
    if field is UNKNOWN:
        return "[unknown]"
    if isinstance(field, Alternatives):
        each = (f"({say(value)}) with weight {weight!r}" for value, weight in field.options)
        return f"[{' or '.join(each)}]"
    return say(field)


def heard(text: str, hear: Callable[[str], T]) -> T | Any:
    """What :func:`told` says, as a field of a model takes it.

    Raises:
        SentenceError: It cannot be read.
    """
    if not _in_brackets(text):
        return hear(text)
    if text == "[unknown]":
        return UNKNOWN.value
    found = []
    for each in parts(text[1:-1], " or "):
        value, mark, weight = each.rpartition(" with weight ")
        if not (mark and value.startswith("(") and value.endswith(")")):
            raise SentenceError(f"{each!r}: no alternative; allowed: (value) with weight 0.5")
        try:
            found.append({"value": hear(value[1:-1]), "weight": float(weight)})
        except ValueError:
            message = f"{weight!r} is no weight"
            raise SentenceError(f"{each!r}: {message}; allowed: a number above 0") from None
    return {"one_of": found}


def _in_brackets(text: str) -> bool:
    """Whether a text is one pair of brackets with what is in it."""
    if not text.startswith("["):
        return False
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if depth == 0:
            return at == len(text) - 1
    return False


def named(text: str, phrases: Mapping[T, str], kind: str) -> T:
    """The name that a phrase stands for.

    Raises:
        SentenceError: It stands for none.
    """
    for name, phrase in phrases.items():
        if phrase == text:
            return name
    allowed = ", ".join(phrases.values())
    raise SentenceError(f"{text!r}: unknown {kind}; allowed: {allowed}")


def after(text: str, start: str, end: str = "") -> str:
    """A text without what it must begin and end with.

    Raises:
        SentenceError: It does not.
    """
    if not (text.startswith(start) and text.endswith(end)):
        wanted = f"{start}…{end}"
        raise SentenceError(f"{text!r}: this cannot be read; allowed: {wanted}")
    return text[len(start) : len(text) - len(end)]
