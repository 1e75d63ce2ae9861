"""Intervals hold what they should as often as they say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mars_logic.experiments.statistics import bootstrap, bootstrap_mean, share_interval, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "interval"),
    [(0, 10, (0.0, 0.278)), (10, 10, (0.722, 1.0)), (5, 10, (0.237, 0.763))],
)
def test_the_interval_of_a_share(
    successes: int, trials: int, interval: tuple[float, float]
) -> None:
    assert wilson(successes, trials) == pytest.approx(interval, abs=5e-4)


def test_a_mean_of_many_has_the_interval_of_the_normal_distribution() -> None:
    values = np.random.default_rng(3).normal(5, 2, size=400)
    found = bootstrap_mean(values, np.ones(400))
    margin = 1.96 * values.std() / math.sqrt(400)
    assert found == pytest.approx((values.mean() - margin, values.mean() + margin), abs=0.02)


@pytest.mark.long
def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    random, held = np.random.default_rng(5), 0
    for _ in range(100):
        found = bootstrap_mean(random.exponential(1, size=60), np.ones(60))
        assert found
        held += found[0] <= 1 <= found[1]
    assert 85 <= held <= 99


def test_samples_of_several_values_are_drawn_as_a_whole() -> None:
    """Ten values that are all alike within a sample are no more than one value."""
    totals = np.random.default_rng(1).normal(size=30)
    one = bootstrap_mean(totals, np.ones(30))
    ten = bootstrap_mean(10 * totals, np.full(30, 10.0))
    assert one == pytest.approx(ten)


def test_four_samples_have_no_interval_and_the_same_seed_gives_the_same() -> None:
    assert bootstrap_mean(np.ones(4), np.ones(4)) is None
    assert share_interval(3, 8, 4) is None and share_interval(3, 8, 5) == wilson(3, 8)
    values = np.arange(5.0)
    assert bootstrap(lambda sums: sums, values) == bootstrap(lambda sums: sums, values)
    assert bootstrap_mean(np.ones(5), np.ones(5)) == (1.0, 1.0)
