"""Exact intervals hold the truth at least as often as they say, for every sample size."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.benchmarks.planners_page import clopper_pearson, mcnemar, paired_difference


@pytest.mark.parametrize(
    ("successes", "trials", "interval"),
    [
        (0, 10, (0.0, 0.30850)),
        (10, 10, (0.69150, 1.0)),
        (12, 17, (0.44042, 0.89686)),
        (0, 0, (0.0, 1.0)),
        (199, 200, (0.97246, 0.99987)),
    ],
)
def test_published_intervals(successes: int, trials: int, interval: tuple[float, float]) -> None:
    assert clopper_pearson(successes, trials) == pytest.approx(interval, abs=1e-5)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="3 successes of 2 trials"):
        clopper_pearson(3, 2)
    with pytest.raises(ValueError, match="5 successes of 4 trials"):
        paired_difference(2, 3, 4)


def test_mcnemar() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(3, 3) == 1.0
    assert mcnemar(0, 6) == pytest.approx(2 / 64)
    assert mcnemar(12, 5) == mcnemar(5, 12) == pytest.approx(0.14346, abs=1e-5)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 200))
def test_a_difference_lies_in_its_interval(first: int, second: int, equal: int) -> None:
    pairs = first + second + equal
    low, high = paired_difference(first, second, pairs)
    assert -1 <= low <= (second - first) / max(1, pairs) <= high <= 1
    mirrored = paired_difference(second, first, pairs)
    assert mirrored == pytest.approx((-high, -low), abs=1e-9)


@pytest.mark.parametrize("pairs", [5, 12])
@pytest.mark.parametrize("first", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("second", [0.02, 0.2, 0.6])
def test_intervals_of_differences_hold_the_truth(pairs: int, first: float, second: float) -> None:
    covered = 0.0
    for a in range(pairs + 1):
        for b in range(pairs + 1 - a):
            low, high = paired_difference(a, b, pairs)
            if low <= second - first <= high:
                ways = math.comb(pairs, a) * math.comb(pairs - a, b)
                rest = (1 - first - second) ** (pairs - a - b)
                covered += ways * first**a * second**b * rest
    assert covered >= 0.95
