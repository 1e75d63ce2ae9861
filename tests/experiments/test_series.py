from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.experiments.measurement import BenchmarkRow, Goal, Spread, compared

POSITIVE = st.floats(1e-6, 1e6)


@given(st.lists(POSITIVE, min_size=1, max_size=20))
def test_quartiles_are_in_order_and_within_the_samples(samples: list[float]) -> None:
    found = Spread.of(samples)
    assert min(samples) <= found.low <= found.median <= found.high <= max(samples)


def test_half_of_the_samples_lie_between_the_quartiles() -> None:
    assert Spread.of([5.0, 1.0, 3.0, 2.0, 4.0]) == Spread(2, 3, 4)


@given(st.lists(st.tuples(POSITIVE, POSITIVE), min_size=1, max_size=9))
def test_faster_is_a_larger_ratio_of_rates_and_of_times(pairs: list[tuple[float, float]]) -> None:
    ours, peer = zip(*pairs, strict=True)
    rates = compared("speed", "1/s", ours, peer)
    times = compared(
        "time",
        "s",
        [1 / rate for rate in ours],
        [1 / rate for rate in peer],
        smaller_is_better=True,
    )
    assert rates.ratio is not None and times.ratio is not None
    assert rates.ratio.median == pytest.approx(times.ratio.median)


def test_ratios_are_paired_by_round() -> None:
    # The machine was twice as slow in the second round, for both.
    found = compared("speed", "1/s", [400.0, 200.0], [4.0, 2.0])
    assert found.ratio == Spread(100, 100, 100)


@pytest.mark.parametrize(
    ("value", "verdict"), [(399, "missed"), (400, "at least"), (799, "at least"), (800, "aim")]
)
def test_verdicts_on_ratios(value: float, verdict: str) -> None:
    assert compared("speed", "1/s", [value], [1.0], goal=Goal(400, 800)).verdict == verdict


@pytest.mark.parametrize(("value", "verdict"), [(17, "missed"), (16, "at least"), (9, "aim")])
def test_verdicts_on_what_should_be_small(value: float, verdict: str) -> None:
    goal = Goal(16, 9, of="ours")
    row = compared("memory", "kB", [value], [1.0], goal=goal, smaller_is_better=True)
    assert row.verdict == verdict


def test_the_budget_used_by_a_time_and_by_a_rate() -> None:
    goal = Goal(20, of="ours")
    time = BenchmarkRow("time", "ms", Spread(5, 10, 40), goal=goal, smaller_is_better=True)
    rate = BenchmarkRow("rate", "1/s", Spread(10, 40, 80), goal=goal)
    assert time.budget_used == Spread(0.25, 0.5, 2)
    assert rate.budget_used == Spread(0.25, 0.5, 2)
    assert (time.verdict, rate.verdict) == ("at least", "at least")


def test_no_budget_is_used_where_there_is_none() -> None:
    assert compared("speed", "1/s", [1e6], [1e3], goal=Goal(400)).budget_used is None
    assert BenchmarkRow("speed", "1/s", Spread(1, 1, 1)).budget_used is None


def test_no_verdict_without_goal_or_peer() -> None:
    assert BenchmarkRow("speed", "1/s", Spread(1, 1, 1)).verdict == ""
    assert compared("speed", "1/s", [1.0], [], goal=Goal(400, 800)).verdict == ""
