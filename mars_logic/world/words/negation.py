"""How far a negation reaches: ``does not yield stone and leave a path`` denies both.

Forms know verbs in one form alone, so that they cannot tell this from ``and leaves a path``.
"""

from __future__ import annotations

import re
from typing import Final

from mars_logic.world.words.synonyms import SYNONYMS

_VERBS: Final = (
    *("appears", "approaches", "attacks", "costs", "deals", "gives", "has", "kills", "leaves"),
    *("lets", "needs", "shoots", "stays", "turns", "uses", "wanders about", "works", "yields"),
)
"""The normal forms of verbs that are said of a rule's subject."""
_SAID: Final = {
    phrase.split()[0] for normal in _VERBS for phrase in (normal, *SYNONYMS.get(normal, ()))
}
_BARE: Final = {word for word in _SAID if {f"{word}s", f"{word}es", f"{word[:-1]}ies"} & _SAID} | {
    "have"
}
"""Verbs as they stand behind ``does not``."""
_OTHER_VERBS: Final = (
    *("can", "cannot", "can't", "is", "are", "isn't", "aren't", "be", "will"),
    *("do", "don't", "doesn't"),
)
_WORD: Final = re.compile(r"[\w']+|[,;:.]")
_LINKS: Final = ("and", "or", "nor", ",")
_ENDS: Final = ("but", "it", "they", "which", ";", ":", ".")
"""Words and marks behind which nothing is denied."""


def also_denied(sentence: str) -> str | None:
    """A word that a negation before it may deny as well; None if there is none.

    Behind ``does not`` that is a verb without ending, behind ``never`` any verb, and behind both a
    list with ``and``, of which perhaps not all is denied.

    Example:
        >>> also_denied("It does not attack and shoot arrows")
        'shoot'
        >>> also_denied("It does not attack and shoots arrows")
        >>> also_denied("It does not need wood and stone")
        'stone'
    """
    words: list[str] = _WORD.findall(sentence.lower().replace("\u2019", "'"))
    denied: set[str] = set()
    for at, (before, word) in enumerate(zip(("", *words), words, strict=False)):
        if word == "never":
            denied = _SAID
        elif word in ("don't", "doesn't") or (before in ("do", "does") and word == "not"):
            denied = _BARE
        elif word in _ENDS or (word == "," and denied is _SAID):
            denied = set()
        elif denied and before in _LINKS:
            if word in denied or (before == "and" and not _has_verb(words[at:])):
                return word
            denied = set() if word in _SAID else denied
    return None


def _has_verb(words: list[str]) -> bool:
    """Whether there is a verb before the next link or mark."""
    for word in words:
        if word in _LINKS or word in _ENDS:
            return False
        if word in _SAID or word in _OTHER_VERBS:
            return True
    return False
