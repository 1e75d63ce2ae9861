"""Reads manuals: from sentences to a theory of the game, jointly over all one-to-one readings.

Each sentence of a manual is about another thing: in levels 1 and 2 one sentence for each role; in
level 3 besides one for each decoy, which calls it an enemy, and a false one that gives the enemy's
name another role and another motion. A reading is weighed by all ways in which the sentences can be
about its things.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.messenger.lexicon import PARTS, Lexicon, Match, usual_lexicon, words_of
from mars_logic.domains.messenger.readings import Readings
from mars_logic.domains.messenger.rules import MOTIONS, ROLES
from mars_logic.world.words.contract import UnreadError, cannot_read, quote

_DOUBT: Final = {"names": 0.03, "roles": 0.01, "motions": 0.05}
"""The probability that what the terms of a sentence say is worth nothing."""
_UNREAD: Final = 0.7
"""The probability that a sentence that is not read whole says what its terms speak for."""
_LEFT_OUT: Final = 1e-4
"""The weight of a sentence about nothing, and of a thing that no sentence is about."""
_MISREAD: Final = 1e-4
"""The probability that the whole manual is misread."""

PROPOSED: Final = 3
"""What an unread sentence may mean: so many of the likeliest meanings are proposed."""
_MOVES: Final = ("that comes closer ", "that flees ", "that does not move ")

Slot = tuple[int, int, int]
"""What a sentence may be about: the place of a name, a role, and a motion (its code)."""


@dataclass(frozen=True)
class ReadSentence:
    """A sentence, and what speaks for its meaning.

    Attributes:
        text: The sentence.
        name: The name it is most likely about.
        role: The role, in the most likely reading.
        motion: The motion; None if no word tells it.
        evidence: The terms that speak for these, and for what.
    """

    text: str
    name: str
    role: str
    motion: str | None
    evidence: tuple[tuple[str, str], ...]


class ManualReader:
    """Reads manuals with a lexicon.

    Args:
        lexicon: The terms; by default the bundled ones.
    """

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        self.lexicon = lexicon or usual_lexicon()

    def likelihoods(self, sentence: str, names: Sequence[str]) -> NDArray[np.float64]:
        """float64[names, 3, 3]: how well each name, role and motion agrees with a sentence.

        Where some words of a sentence stop the reader, its terms are weak evidence: play settles
        what it says.
        """
        words = words_of(sentence)
        found = []
        for part in PARTS:
            scores = self.lexicon.scores(part, words)
            if part == "names":
                scores = scores[[PARTS[part].index(name) for name in names]]
            share = np.exp(scores - scores.max())
            share /= share.sum()
            found.append((1 - _DOUBT[part]) * share + _DOUBT[part] / len(share))
        name, role, motion = found
        table = np.asarray(name[:, None, None] * role[None, :, None] * motion[None, None, :])
        error = self.unread(sentence, names)
        if error and error.unread:
            table = _UNREAD * table + (1 - _UNREAD) / table.size
        return table

    def unread(self, sentence: str, names: Sequence[str]) -> UnreadError | None:
        """Why a sentence is not read whole; None if it is.

        Args:
            sentence: The sentence.
            names: The names that it may be about.
        """
        return unread(self.lexicon, sentence, names)

    def proposals(self, sentence: str, names: Sequence[str]) -> tuple[str, ...]:
        """Sentences that are read and that a sentence may mean, the likeliest first.

        Args:
            sentence: One that is not read whole.
            names: The names that it may be about.
        """
        table = self.likelihoods(sentence, names)
        tells_motion = self.lexicon.scores("motions", words_of(sentence)).any()
        if not tells_motion:
            table = table[:, :, :1]
        best = np.argsort(-table, axis=None, kind="stable")[:PROPOSED]
        slots = np.stack(np.unravel_index(best, table.shape), 1).tolist()
        return tuple(
            f"the {names[name]} {_MOVES[motion] if tells_motion else ''}is the {ROLES[role]}"
            for name, role, motion in slots
        )

    def read(self, sentences: Sequence[str], level: int, names: Sequence[str]) -> Readings:
        """Weights of all readings of a manual.

        Args:
            sentences: The manual.
            level: Of the game.
            names: The three names on the grid.
        """
        readings = Readings.all(level, names)
        if not sentences:
            return readings
        tables = np.stack([self.likelihoods(each, names) for each in sentences])
        if level == 1:  # nothing moves, so what is said of motions tells nothing
            tables = tables.mean(-1, keepdims=True).repeat(3, -1)
        weights = np.zeros(len(readings.weights))
        for slots in _slot_choices(readings):
            weights += _matched(tables, slots)
        total = weights.sum()
        weights = weights / total if total > 0 else np.full_like(weights, 1 / len(weights))
        return readings.weighted((1 - _MISREAD) * weights + _MISREAD / len(weights))

    def explain(self, sentences: Sequence[str], readings: Readings) -> tuple[ReadSentence, ...]:
        """What each sentence is about in the most likely reading, and what speaks for it.

        Args:
            sentences: The manual.
            readings: What was made of it.
        """
        if not sentences:
            return ()
        tables = np.stack([self.likelihoods(each, readings.names) for each in sentences])
        best = int(np.argmax(readings.weights))
        every = [slots[best].tolist() for slots in _slot_choices(readings)]
        pairs = max((_best_match(tables, slots) for slots in every), key=lambda each: each[0])[1]
        return tuple(
            self._read_sentence(sentence, readings.names, slot)
            for sentence, slot in zip(sentences, pairs, strict=True)
        )

    def _read_sentence(self, sentence: str, names: Sequence[str], slot: Slot) -> ReadSentence:
        words = words_of(sentence)
        meanings = names[slot[0]], ROLES[slot[1]], MOTIONS[slot[2]]
        matches = [self.lexicon.matches(part, words) for part in PARTS]
        evidence = tuple(
            (" ".join(match.words), meaning)
            for part, meaning in zip(matches, meanings, strict=True)
            for match in _joined(part, meaning)
        )
        told = {meaning for _, meaning in evidence}
        motion = meanings[2] if meanings[2] in told else None
        return ReadSentence(sentence, meanings[0], meanings[1], motion, evidence)


def _joined(matches: Sequence[Match], meaning: str) -> list[Match]:
    """The matches that speak for a meaning, with neighbours put together."""
    found: list[Match] = []
    for match in matches:
        if match.meaning != meaning or match.weights[meaning] < 0.5:
            continue
        if found and found[-1].start + len(found[-1].words) == match.start:
            last = found.pop()
            match = Match(last.start, (*last.words, *match.words), match.weights)
        found.append(match)
    return found


def _slot_choices(readings: Readings) -> list[NDArray[np.int64]]:
    """What a manual's sentences are about: int64[r, slots, 3], one for each choice of falsehood."""
    roles, motions = readings.roles, readings.motions
    true = [np.stack([roles[:, r], np.full(len(roles), r), motions[:, r]], 1) for r in range(3)]
    if readings.level < 3:
        return [np.stack(true, 1)]
    decoys = [
        np.stack([roles[:, r], np.zeros(len(roles), np.int64), motions[:, r + 2]], 1)
        for r in (1, 2)
    ]
    choices = []
    for role in (1, 2):
        for turn in (1, 2):
            other = (motions[:, 0] + turn) % 3
            false = np.stack([roles[:, 0], np.full(len(roles), role), other], 1)
            choices.append(np.stack([*true, *decoys, false], 1))
    return choices


def _matched(tables: NDArray[np.float64], slots: NDArray[np.int64]) -> NDArray[np.float64]:
    """float64[r]: the sum of products over all one-to-one matches of sentences and slots."""
    size = slots.shape[1]
    # float64[sentences, r, slots]
    fits = tables[:, slots[:, :, 0], slots[:, :, 1], slots[:, :, 2]]
    sums = np.zeros((1 << size, len(slots)))
    sums[0] = 1.0
    for fit in fits:
        after = sums * _LEFT_OUT
        for mask in range(1 << size):
            for slot in range(size):
                if not (mask >> slot) & 1:
                    after[mask | 1 << slot] += sums[mask] * fit[:, slot]
        sums = after
    unused = np.array([size - mask.bit_count() for mask in range(1 << size)])
    return np.asarray((sums * (_LEFT_OUT**unused)[:, None]).sum(0))


def _best_match(
    tables: NDArray[np.float64], slots: Sequence[Sequence[int]]
) -> tuple[float, tuple[Slot, ...]]:
    """The best match of sentences to slots: its log weight, and each sentence's slot."""
    fits = np.array([[np.log(t[slot[0], slot[1], slot[2]]) for slot in slots] for t in tables])
    sentences = len(tables)
    spare = max(0, sentences - len(slots))
    padded = np.pad(fits, ((0, 0), (0, spare)), constant_values=np.log(_LEFT_OUT))
    best, found = -np.inf, (0,) * sentences
    for order in permutations(range(padded.shape[1]), sentences):
        weight = float(padded[np.arange(sentences), order].sum())
        if weight > best:
            best, found = weight, order
    free = [_likeliest(table) for table in tables]
    return best, tuple(
        (slots[at][0], slots[at][1], slots[at][2]) if at < len(slots) else free[i]
        for i, at in enumerate(found)
    )


def _likeliest(table: NDArray[np.float64]) -> Slot:
    one, two, three = np.unravel_index(int(np.argmax(table)), table.shape)
    return int(one), int(two), int(three)


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
