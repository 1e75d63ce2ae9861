"""Whether a sentence of a manual is read whole, by the contract of all readers of sentences.

A sentence is read if each of its words either speaks for what is read of it or carries no meaning,
and if it tells a name and a role. A negation, a hedge or a condition is in no term but those that
hold it as a whole, such as "does not move", and leaves the sentence unread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mars_logic.domains.messenger.lexicon import PARTS, Lexicon, words_of
from mars_logic.world.words.contract import UnreadError, cannot_read, quote

TOLD = 0.5
"""The least log-odds by which a term speaks for something."""
_NEEDED = ("names", "roles")


def unread(lexicon: Lexicon, sentence: str, names: Sequence[str]) -> UnreadError | None:
    """Why a sentence is not read whole; None if it is.

    Args:
        lexicon: The terms.
        sentence: The sentence.
        names: The names that it may be about.
    """
    words = words_of(sentence)
    found = {part: _meaning(lexicon, part, words) for part in PARTS}
    stopping = [*_stopping(lexicon, words, found)]
    if "?" in sentence:
        stopping.append("?")
    if stopping:
        told = ", ".join(dict.fromkeys(stopping))
        return UnreadError(cannot_read(told, sentence), sentence, told)
    for part in _NEEDED:
        if found[part] is None:
            problem = f"{quote(sentence)} tells no {part.removesuffix('s')}"
            return UnreadError(problem, sentence)
    name = found["names"]
    if name not in names:
        problem = f"{quote(sentence)} is about the {name}, and the names are {', '.join(names)}"
        return UnreadError(problem, sentence, str(name))
    return None


def _meaning(lexicon: Lexicon, part: str, words: Sequence[str]) -> str | None:
    """What some words speak for most; None if they speak for nothing."""
    scores = lexicon.scores(part, words)
    best = int(np.argmax(scores))
    return PARTS[part][best] if scores[best] >= TOLD else None


def _stopping(
    lexicon: Lexicon, words: Sequence[str], found: dict[str, str | None]
) -> Iterator[str]:
    """The words that speak for nothing known, or for something else than what is read."""
    used: set[int] = set()
    other: dict[int, str] = {}
    for part, meaning in found.items():
        for match in lexicon.matches(part, words):
            places = range(match.start, match.start + len(match.words))
            if meaning is not None and match.weights.get(meaning, 0) >= TOLD:
                used.update(places)
            else:
                other |= dict.fromkeys(places, " ".join(match.words))
    for place, word in enumerate(words):
        if place not in used and (place in other or word not in lexicon.ignored):
            yield other.get(place, word)
