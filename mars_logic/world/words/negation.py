"""How far a negation reaches: ``does not yield stone and leave a path`` denies both.

Forms know verbs in one form alone, so that they cannot tell this from ``and leaves a path``.
"""

from __future__ import annotations

import re
from typing import Final

from mars_logic.world.words.synonyms import CANONICAL_SYNONYMS, FREE_SYNONYMS

_VERBS: Final = (
    *("appears", "approaches", "attacks", "costs", "deals", "gets", "gives", "has", "heals"),
    *("hurts", "kills", "leaves", "lets", "loses", "needs", "shoots", "spawns", "stays", "takes"),
    *("turns", "turns into", "uses", "wanders about", "works", "yields"),
)
"""The normal forms of verbs that are said of a rule's subject."""
_SAID: Final = {
    phrase.split()[0]
    for table in (CANONICAL_SYNONYMS, FREE_SYNONYMS)
    for normal in _VERBS
    for phrase in (normal, *table.get(normal, ()))
}
_BARE: Final = {word for word in _SAID if {f"{word}s", f"{word}es", f"{word[:-1]}ies"} & _SAID} | {
    "have"
}
"""Verbs as they stand behind ``does not``."""
_WORD: Final = re.compile(r"[\w']+|[,;:.]")
_LINKS: Final = ("and", "or", "nor", ",")
_ENDS: Final = ("but", "it", "they", "which", ";", ":", ".")
"""Words and marks behind which nothing is denied."""


def also_denied(sentence: str) -> str | None:
    """A verb that a negation before it may deny as well; None if there is none.

    Behind ``does not`` that is a verb without ending; behind ``never`` it may be any.

    Example:
        >>> also_denied("It does not attack and shoot arrows")
        'shoot'
        >>> also_denied("It does not attack and shoots arrows")
    """
    words: list[str] = _WORD.findall(sentence.lower().replace("\u2019", "'"))
    denied: set[str] = set()
    for before, word in zip(("", *words), words, strict=False):
        if word == "never":
            denied = _SAID
        elif word in ("don't", "doesn't") or (before in ("do", "does") and word == "not"):
            denied = _BARE
        elif word in _ENDS or (word == "," and denied is _SAID):
            denied = set()
        elif before in _LINKS and word in _SAID:
            if word in denied:
                return word
            denied = set()
    return None
