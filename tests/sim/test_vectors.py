"""The vector instructions do what loops over the same arrays would do."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.compiled.kernel import kernel
from mars_logic.sim.vectors import (
    BYTES,
    LANES,
    add_rows,
    bits_equal,
    bits_near,
    copy_some,
    count_bits,
    fetch,
    loud_words,
    lowest_bit,
    split,
)

seeds = st.integers(0, 2**32 - 1)
some = settings(max_examples=40, deadline=None)


@kernel
def _add(sums, first, stride, factors, start, rows, plane):
    add_rows(sums, first, stride, factors, start, rows, plane[0], plane[1], plane[2])


@kernel
def _near(xs, ys, first, x, y, limit):
    return bits_near(xs, ys, first, x, y, limit)


@kernel
def _equal(found, first, mask, value):
    return bits_equal(found, first, mask, value)


@kernel
def _split(found, first, low, high, where, count, limit):
    return split(found, first, low, high, where, count, limit)


@kernel
def _copy(found, first, copy, where, count):
    copy_some(found, first, copy, where, count)


@kernel
def _loud(words, first, one, other):
    return loud_words(words, first, one, other)


@kernel
def _bits(bits):
    fetch(np.zeros(1), 0)
    return lowest_bit(bits), count_bits(bits)


@some
@given(
    seed=seeds,
    first=st.integers(0, 20),
    stride=st.integers(LANES, 20),
    start=st.integers(0, 20),
    rows=st.integers(1, 5),
)
def test_products_are_added(seed, first, stride, start, rows):
    dice = np.random.default_rng(seed)
    sums, factors = dice.normal(size=(2, 20 + 5 * 20)).astype(np.float32)
    plane = dice.normal(size=3).astype(np.float32)
    expected = sums.copy()
    beside = np.ones(len(sums), bool)
    for row in range(rows):
        where = slice(first + row * stride, first + row * stride + LANES)
        its = factors[start + row * LANES : start + (row + 1) * LANES]
        expected[where] += its * (plane[0] + plane[1] * row + plane[2] * np.arange(LANES))
        beside[where] = False
    _add(sums, first, stride, factors, start, rows, plane)
    np.testing.assert_allclose(sums, expected, rtol=1e-4, atol=1e-5)
    assert (sums[beside] == expected[beside]).all()


@some
@given(
    seed=seeds,
    first=st.integers(0, BYTES),
    x=st.integers(0, 63),
    y=st.integers(0, 63),
    limit=st.integers(0, 127),
)
def test_places_within_a_distance(seed, first, x, y, limit):
    xs, ys = np.random.default_rng(seed).integers(0, 64, (2, 2 * BYTES), np.int8)
    near = np.abs(xs.astype(int) - x) + np.abs(ys.astype(int) - y) < limit
    bits = _near(xs, ys, first, x, y, limit) % 2**64
    assert [bits >> i & 1 for i in range(BYTES)] == near[first : first + BYTES].tolist()


@some
@given(seed=seeds, first=st.integers(0, 10), mask=st.integers(0, 255), value=st.integers(0, 255))
def test_equal_bytes(seed, first, mask, value):
    found = np.random.default_rng(seed).integers(0, 256, 10 + LANES, np.uint8)
    found[first + 3] = value
    bits = _equal(found, first, mask, value)
    equal = (found[first : first + LANES] & mask) == value
    assert [bits >> i & 1 for i in range(LANES)] == equal.tolist()


@some
@given(
    seed=seeds,
    first=st.integers(0, 10),
    where=st.integers(0, 10),
    count=st.integers(0, LANES),
    limit=st.integers(0, 255),
)
def test_halves_of_bytes(seed, first, where, count, limit):
    found = np.random.default_rng(seed).integers(0, 256, 10 + LANES, np.uint8)
    low, high = np.full((2, 10 + LANES), 77, np.uint8)
    bits = _split(found, first, low, high, where, count, limit)
    taken = found[first : first + count]
    for half, expected in ((low, taken & 15), (high, taken >> 4)):
        assert (half[where : where + count] == expected).all()
        assert (half[:where] == 77).all() and (half[where + count :] == 77).all()
    assert [bits >> i & 1 for i in range(count)] == (taken >= limit).tolist()
    assert bits >> count == 0


@some
@given(seed=seeds, first=st.integers(0, 10), where=st.integers(0, 10), count=st.integers(0, LANES))
def test_some_bytes_are_copied(seed, first, where, count):
    found = np.random.default_rng(seed).integers(0, 256, 10 + LANES, np.uint8)
    copy = np.full(10 + LANES, 77, np.uint8)
    expected = copy.copy()
    expected[where : where + count] = found[first : first + count]
    _copy(found, first, copy, where, count)
    assert (copy == expected).all()


@given(bits=st.integers(0, 2**63 - 1))
def test_bits(bits):
    lowest, count = _bits(bits)
    assert count == bits.bit_count()
    assert lowest == ((bits & -bits).bit_length() - 1 if bits else 64)
    assert _bits(-1) == (0, 64)


@some
@given(
    seed=seeds, first=st.integers(0, 624 - LANES), limits=st.tuples(*[st.integers(1, 2**27)] * 2)
)
def test_words_whose_numbers_are_at_least_a_limit(seed, first, limits):
    """A generator that has just refilled its state hands out its words in order."""
    dice = np.random.RandomState(seed)
    dice.randint(2)  # refills it
    state = dice.get_state()
    words = state[1].astype(np.uint32)
    dice.set_state((*state[:2], 0, 0, 0.0))
    numbers = dice.randint(0, 2**32, 624, np.uint32)[first : first + LANES] >> 5
    expected = sum(
        1 << i for i in range(0, LANES, 2) if numbers[i] >= limits[0 if i % 4 == 0 else 1]
    )
    assert _loud(words, first, *limits) == expected
