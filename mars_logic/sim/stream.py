"""The random stream of an environment: MT19937, word for word that of ``RandomState(seed)``.

One stream serves map generation and play alone. See
docs/semantics.md, "Random numbers".
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.sim.layout import Stream
from mars_logic.sim.vectors import LANES, loud_words, lowest_bit

_LENGTH = 624
_SHIFT = 397
_UPPER = 0x80000000
_LOWER = 0x7FFFFFFF
_MATRIX = 0x9908B0DF
_WORDS_OF_A_PAIR: Final = 4
PAIRS: Final = LANES // _WORDS_OF_A_PAIR
"""Pairs of numbers that :func:`pass_pairs` tests at once."""


@kernel
def seed_stream(stream: Stream, seed: int) -> None:
    """Start the stream of an integer seed (0 <= seed < 2**32)."""
    word = seed
    stream.words[0] = word
    for i in range(1, _LENGTH):
        word = (1812433253 * (word ^ (word >> 30)) + i) & 0xFFFFFFFF
        stream.words[i] = word
    stream.position = _LENGTH


@inline_kernel
def _mix(high: int, low: int) -> int:
    bits = (high & _UPPER) | (low & _LOWER)
    return (bits >> 1) ^ ((bits & 1) * _MATRIX)


@kernel
def _refill(stream: Stream) -> None:
    """Replace all words by the next ones."""
    words = stream.words
    for i in range(_LENGTH - _SHIFT):
        words[i] = words[i + _SHIFT] ^ _mix(words[i], words[i + 1])
    for i in range(_LENGTH - _SHIFT, _LENGTH - 1):
        words[i] = words[i + _SHIFT - _LENGTH] ^ _mix(words[i], words[i + 1])
    words[_LENGTH - 1] = words[_SHIFT - 1] ^ _mix(words[_LENGTH - 1], words[0])
    stream.position = 0


@inline_kernel
def _temper(word: int) -> int:
    word ^= word >> 11
    word ^= (word << 7) & 0x9D2C5680
    word ^= (word << 15) & 0xEFC60000
    return word ^ (word >> 18)


@inline_kernel
def next_word(stream: Stream) -> int:
    """Draw 32 bits."""
    if stream.position == _LENGTH:
        _refill(stream)
    word = stream.words[stream.position]
    stream.position += 1
    return _temper(int(word))


@kernel
def peek_word(stream: Stream) -> int:
    """The next word, without drawing it."""
    words = stream.words
    if stream.position == _LENGTH:
        return _temper(int(words[_SHIFT] ^ _mix(words[0], words[1])))
    return _temper(int(words[stream.position]))


@kernel
def uniform(stream: Stream) -> float:
    """Draw a number in [0, 1): two words make its 53 bits."""
    high = next_word(stream) >> 5
    low = next_word(stream) >> 6
    return (high * 67108864.0 + low) / 9007199254740992.0


@kernel
def exceeds(stream: Stream, limit: float) -> bool:
    """Draw a number as :func:`uniform` does; return whether it is greater than a limit in [0, 1).

    The first of the two words nearly always decides.
    """
    scaled = limit * 134217728.0  # 2**27
    if stream.position <= _LENGTH - 2:
        high = _temper(int(stream.words[stream.position])) >> 5
        if high != int(scaled):
            stream.position += 2
            return high > scaled
    return uniform(stream) > limit


@inline_kernel
def first_word_limit(limit: float) -> int:
    """The number that decides :func:`exceeds` where the first word's 27 bits are below it."""
    return int(limit * 134217728.0)


@inline_kernel
def pass_pairs(stream: Stream, first: int, second: int) -> int:
    """Draw pairs of numbers until one exceeds its limit; return the number of pairs before it.

    First words alone decide; the pair that may exceed its limits is not drawn.

    Args:
        stream: The stream.
        first: Of the limit of each pair's first number: :func:`first_word_limit`.
        second: Of the limit of its second one.

    Returns:
        0 to PAIRS; also 0 where the words at hand are too few.
    """
    if stream.position > _LENGTH - LANES:
        return 0
    loud = loud_words(stream.words, int(stream.position), first, second)
    passed = lowest_bit(loud | (1 << LANES)) // _WORDS_OF_A_PAIR
    stream.position += _WORDS_OF_A_PAIR * passed
    return int(passed)


@inline_kernel
def chance(stream: Stream, probability: float) -> bool:
    """Whether a number drawn from [0, 1) is below a probability: ``uniform(stream) < probability``.

    The first of the two words nearly always decides; the second is then skipped.
    """
    scaled = probability * 134217728.0  # 2**27: the first word gives 27 bits
    high = next_word(stream) >> 5
    if high == int(scaled):
        return high + (next_word(stream) >> 6) / 67108864.0 < scaled
    if stream.position == _LENGTH:
        _refill(stream)
    stream.position += 1
    return high < scaled


@inline_kernel
def below(stream: Stream, n: int) -> int:
    """Draw one of 0 .. n-1; nothing is drawn if n is 1.

    Words are cut to the bits that n-1 has, and drawn until one is not above it.
    """
    largest = n - 1
    if largest == 0:
        return 0
    mask = largest
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    while True:
        value = next_word(stream) & mask
        if value <= largest:
            return value


def peek_words(envs: NDArray[np.void]) -> NDArray[np.uint32]:
    """The next word of each environment's stream, without drawing it: uint32[n]."""
    words = np.empty(len(envs), np.uint32)
    _peek_batch(envs, words)
    return words


@kernel
def _peek_batch(envs: Any, words: Any) -> None:
    for i in range(len(envs)):
        words[i] = peek_word(envs[i].stream)
