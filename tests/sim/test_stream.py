from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.sim.layout import CAPACITY, STREAM_DTYPE, env_dtype
from mars_logic.sim.seeds import episode_seed
from mars_logic.sim.stream import (
    PAIRS,
    below,
    chance,
    exceeds,
    first_word_limit,
    next_word,
    pass_pairs,
    peek_words,
    seed_stream,
    uniform,
)
from mars_logic.world.names import SEED_LIMIT


def stream_of(seed):
    stream = np.zeros(1, STREAM_DTYPE)[0]
    seed_stream(stream, seed)
    return stream


def test_words(vectors):
    for seed, words in zip(vectors["rng_seeds"], vectors["rng_words"], strict=True):
        stream = stream_of(int(seed))
        assert [next_word(stream) for _ in words] == words.tolist()


def test_uniform(vectors):
    for seed, numbers in zip(vectors["rng_seeds"], vectors["rng_uniform"], strict=True):
        stream = stream_of(int(seed))
        assert [uniform(stream) for _ in numbers] == numbers.tolist()


def test_mixed_draws(vectors):
    """Integers below each bound in turn, with a uniform number after each."""
    highs = vectors["rng_mixed_highs"]
    for seed, numbers in zip(vectors["rng_seeds"], vectors["rng_mixed"], strict=True):
        stream = stream_of(int(seed))
        drawn = []
        for high in highs:
            drawn += [below(stream, int(high)), uniform(stream)]
        assert drawn == numbers.tolist()


def test_same_as_numpy_over_several_refills():
    stream = stream_of(20_26)
    numpy = np.random.RandomState(20_26)
    for n in np.random.default_rng(1).integers(1, 5000, 3000):
        assert below(stream, int(n)) == numpy.randint(0, n)
        assert uniform(stream) == numpy.uniform()


@given(seed=st.integers(0, 2**32 - 1), limits=st.lists(st.floats(0, 1, exclude_max=True)))
def test_exceeds_is_uniform_above(seed, limits):
    one, other = stream_of(seed), stream_of(seed)
    for limit in [*limits, 0.0]:
        assert exceeds(one, limit) == (uniform(other) > limit)
    assert one == other


@given(
    seed=st.integers(0, 2**32 - 1),
    skipped=st.integers(0, 1300),
    limits=st.tuples(*[st.floats(0.5, 1, exclude_max=True)] * 2),
)
def test_pairs_at_once_are_pairs_one_by_one(seed, skipped, limits):
    """They pass up to the first that exceeds a limit, unless a refill or a second word decides."""
    at_once, one_by_one = stream_of(seed), stream_of(seed)
    for _ in range(skipped):
        next_word(at_once)
        next_word(one_by_one)
    before = one_by_one["position"]
    passed = pass_pairs(at_once, *map(first_word_limit, limits))
    for _ in range(passed):
        assert not any(exceeds(one_by_one, limit) for limit in limits)
    assert at_once == one_by_one
    if passed < PAIRS and before <= 624 - 16:
        assert any(exceeds(one_by_one, limit) for limit in limits)


def test_exceeds_where_the_first_word_does_not_decide():
    ahead, stream = stream_of(3), stream_of(3)
    for _ in range(700):
        drawn = uniform(ahead)
        before = stream.copy()
        assert not exceeds(stream, drawn)
        assert exceeds(before, np.nextafter(drawn, 0))
        assert stream == before == ahead


@pytest.mark.parametrize("offset", [0, 1])
def test_a_chance_is_a_draw_compared(offset):
    """Also where only the second word decides, and across refills, at any place in a block."""
    stream, other = stream_of(3), stream_of(3)
    for one in (stream, other)[: 2 * offset]:
        next_word(one)
    for _ in range(1000):
        drawn = uniform(stream.copy())
        for probability in (0.5, 0.9, drawn, np.nextafter(drawn, 0), np.nextafter(drawn, 1)):
            copy = stream.copy()
            assert chance(copy, probability) == (drawn < probability)
        assert chance(stream, 0.3) == (uniform(other) < 0.3)
        assert next_word(stream.copy()) == next_word(other.copy())


def test_one_of_one_draws_nothing():
    stream = stream_of(5)
    before = stream.copy()
    assert below(stream, 1) == 0
    assert stream == before


def test_peek_takes_nothing_even_before_a_refill():
    envs = np.zeros(1, env_dtype(CAPACITY))
    stream = envs[0]["stream"]
    seed_stream(stream, 9)
    for _ in range(1300):
        peeked = peek_words(envs)[0]
        assert next_word(stream) == peeked


def test_episode_seed(vectors):
    for (seed, episode), expected in zip(
        vectors["hash_pairs"].tolist(), vectors["hash_seed"].tolist(), strict=True
    ):
        assert episode_seed(seed, episode) == expected


@pytest.mark.parametrize("seed", [0, -1, -2, 7, 2**31, -(2**40), SEED_LIMIT - 1, 1 - SEED_LIMIT])
def test_episode_seed_is_pythons_hash(seed):
    for episode in (1, 2, 1000):
        assert episode_seed(seed, episode) == hash((seed, episode)) % (2**31 - 1)
