"""Fields of rules in sentences, and back: what is open stands in square brackets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mars_logic.world.uncertain import UNKNOWN, Alternatives
from mars_logic.world.words.contract import UnreadError

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


@dataclass(frozen=True)
class Phrase:
    """How a kind of values is told, and heard again.

    Attributes:
        tell: A value in words, in which parentheses and brackets stand in pairs.
        hear: The value that words tell, as a file states it; or a ``SentenceError``.
    """

    tell: Callable[[Any], str]
    hear: Callable[[str], Any]


def named(phrases: Mapping[Any, str], kind: str) -> Phrase:
    """Values that have a phrase each."""

    def hear(text: str) -> Any:
        for name, phrase in phrases.items():
            if phrase == text:
                return name
        allowed = ", ".join(phrases.values())
        raise SentenceError(f"{text!r}: unknown {kind}; allowed: {allowed}")

    return Phrase(phrases.__getitem__, hear)


def listed(each: Phrase, link: str, empty: str = "") -> Phrase:
    """Lists of values, with a link between them.

    Args:
        each: A value.
        link: What stands between two of them.
        empty: Stands for an empty list, if there may be one.
    """

    def hear(text: str) -> list[Any]:
        return [] if empty and text == empty else list(map(each.hear, parts(text, link)))

    return Phrase(lambda values: link.join(map(each.tell, values)) or empty, hear)


def opened(closed: Phrase) -> Phrase:
    """Fields that may be open: what is open stands in square brackets.

    Args:
        closed: Their values.
    """

    def tell(field: Any) -> str:
        if field is UNKNOWN:
            return "[unknown]"
        if isinstance(field, Alternatives):
            each = (f"({closed.tell(v)}) with weight {weight!r}" for v, weight in field.options)
            return f"[{' or '.join(each)}]"
        return closed.tell(field)

    def hear(text: str) -> Any:
        if not _in_brackets(text):
            return closed.hear(text)
        if text == "[unknown]":
            return UNKNOWN.value
        return {"one_of": [_option(each, closed) for each in parts(text[1:-1], " or ")]}

    return Phrase(tell, hear)


def _option(text: str, closed: Phrase) -> dict[str, Any]:
    value, mark, weight = text.rpartition(" with weight ")
    if not (mark and value.startswith("(") and value.endswith(")")):
        raise SentenceError(f"{text!r}: no alternative; allowed: (value) with weight 0.5")
    try:
        return {"value": closed.hear(value[1:-1]), "weight": float(weight)}
    except ValueError:
        message = f"{weight!r} is no weight"
        raise SentenceError(f"{text!r}: {message}; allowed: a number above 0") from None


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


def closed_sentences(sentences: list[str]) -> list[str]:
    """Those in which nothing is open."""
    return [each for each in sentences if "[" not in each]


def after(text: str, start: str, end: str = "") -> str:
    """A text without what it must begin and end with.

    Raises:
        SentenceError: It does not.
    """
    if not (text.startswith(start) and text.endswith(end)):
        wanted = f"{start}…{end}"
        raise SentenceError(f"{text!r}: this cannot be read; allowed: {wanted}")
    return text[len(start) : len(text) - len(end)]
