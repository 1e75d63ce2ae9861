from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.agents.random import RandomAgent
from mars_logic.experiments.luck import Hope, expectation, expected_share, hopes
from mars_logic.experiments.runs import Run
from mars_logic.logic.chance import binomial_below
from mars_logic.play.interactions import deeds
from mars_logic.world.rules import Collect

CHANCE = 0.004
SEEDS = (0, 15, 19)
# Each cell of grass can be tried once for a sapling.
FINITE = load_world("default").with_rules(
    Collect.model_validate(
        {
            "subject": "grass",
            "yields": {"sapling": {"amount": 1, "probability": CHANCE}},
            "leaves": "sand",
        }
    )
)


def tried(chance: float, cells: int, wanted: int, source: random.Random) -> Hope:
    """Somebody tries until luck has come often enough, or there is nothing left to try."""
    hits = tries = 0
    while hits < wanted and tries < cells:
        tries += 1
        hits += source.random() < chance
    return Hope(hits >= wanted, 1.0, chance, wanted, tries, hits >= wanted)


def weary(chance: float, source: random.Random) -> Hope:
    """Somebody gives up after each try without luck with a probability that grows."""
    for tries in range(1, 11):
        if source.random() < chance:
            return Hope(True, 1.0, chance, 1, tries, came=True)
        if source.random() < tries / 10:
            break
    return Hope(False, 1.0, chance, 1, tries)


def weary_share(chance: float) -> float:
    """The probability that luck comes to somebody who gives up like that."""
    going, share = 1.0, 0.0
    for tries in range(1, 11):
        share += going * chance
        going *= (1 - chance) * (1 - tries / 10)
    return share


def played(draw: Callable[[random.Random], Hope], n: int, times: int) -> list[dict[str, Any]]:
    """What is told of so many episodes, again and again."""
    source = random.Random(0)
    return [expectation([draw(source) for _ in range(n)]) for _ in range(times)]


def binomial_share(cells: int, chance: float, wanted: int) -> float:
    return 1 - binomial_below(wanted, cells, chance)


@pytest.mark.parametrize(
    ("draw", "truth"),
    [
        (lambda s: tried(0.1, 1, 1, s), 0.1),
        (lambda s: tried(0.1, 3, 1, s), binomial_share(3, 0.1, 1)),
        (lambda s: tried(0.1, 30, 1, s), binomial_share(30, 0.1, 1)),
        (lambda s: tried(0.3, 9, 3, s), binomial_share(9, 0.3, 3)),
        (
            lambda s: tried(0.2, s.choice((2, 20)), 1, s),
            (binomial_share(2, 0.2, 1) + binomial_share(20, 0.2, 1)) / 2,
        ),
        (
            lambda s: s.choice((tried(0.1, 5, 1, s), tried(0.5, 2, 1, s))),
            (binomial_share(5, 0.1, 1) + binomial_share(2, 0.5, 1)) / 2,
        ),
        (lambda s: weary(0.1, s), weary_share(0.1)),
    ],
    ids=["1 cell", "3 cells", "30 cells", "3 of 9", "2 or 20 cells", "two chances", "weary"],
)
def test_the_expectation_is_right_for_whoever_stops_when_luck_has_come(
    draw: Callable[[random.Random], Hope], truth: float
) -> None:
    found = played(draw, n=200, times=200)
    errors = [each["expected"] - truth for each in found]
    assert abs(statistics.fmean(errors)) < 0.005
    assert statistics.pstdev(errors) < statistics.pstdev(each["rate"] for each in found)
    inside = [each["interval"][0] <= each["rate"] <= each["interval"][1] for each in found]
    assert statistics.fmean(inside) > 0.92


@pytest.mark.parametrize("luck", [0.5, 1.5])
def test_luck_that_is_not_fair_falls_out_of_the_interval(luck: float) -> None:
    """What is tried succeeds more rarely, or more often, than the rules say."""
    source, outside = random.Random(1), 0
    for _ in range(100):
        some = [tried(0.2 * luck, 5, 1, source) for _ in range(200)]
        found = expectation([replace(hope, chance=0.2) for hope in some])
        low, high = found["interval"]
        outside += not low <= found["rate"] <= high
    assert outside > 90


def test_without_end_the_expectation_comes_near_to_certainty() -> None:
    for found in played(lambda s: tried(0.1, 10_000, 1, s), n=10, times=50):
        assert found["rate"] == 1
        assert 0.5 < found["expected"] < 1 == found["interval"][1]


def some_hopes() -> st.SearchStrategy[list[Hope]]:
    hope = st.builds(
        lambda chance, wanted, tries, came: Hope(
            came, 1.0, chance, wanted, max(tries, wanted) if came else tries, came
        ),
        st.sampled_from([0.004, 0.1, 0.5, 1.0]) | st.floats(0.001, 1),
        st.integers(1, 4),
        st.integers(0, 60),
        st.booleans(),
    )
    return st.lists(hope, min_size=1, max_size=30)


@given(some_hopes())
def test_an_expectation_is_a_share(some: list[Hope]) -> None:
    found = expectation(some)
    low, high = found["interval"]
    assert 0 <= low <= found["expected"] <= high <= 1
    turned = expectation(some[::-1])
    assert turned["expected"] == pytest.approx(found["expected"])


@given(some_hopes())
def test_more_tries_are_no_reason_to_expect_less(some: list[Hope]) -> None:
    """If all who had no luck had made the same number of tries, and then one more."""
    most = max(hope.tries for hope in some)
    few, more = (
        expectation([replace(h, tries=most + k) if not h.came else h for h in some]) for k in (0, 1)
    )
    assert more["expected"] >= few["expected"] - 1e-12


@given(st.integers(0, 50), st.floats(0.01, 0.99), st.integers(1, 3), st.integers(1, 5))
def test_without_luck_the_expectation_is_that_of_the_tries(
    tries: int, chance: float, wanted: int, n: int
) -> None:
    share, most = expected_share([(tries, False)] * n, chance, wanted)
    assert share == most == pytest.approx(binomial_share(tries, chance, wanted))


def test_luck_that_cannot_be_counted_has_no_expectation() -> None:
    found = expectation([Hope(True, 1.0), tried(0.5, 3, 1, random.Random(1))])
    assert found["rate"] > 0 and found["expected"] is None and found["interval"] is None


def test_no_episode() -> None:
    with pytest.raises(ValueError):
        expectation([])


@pytest.mark.slow
def test_tries_are_counted_until_luck_has_come() -> None:
    run = Run("random", RandomAgent, FINITE, "finite")
    reached = {run.add(seed).certificate.unlocked.get("collect_sapling", 0) > 0 for seed in SEEDS}
    assert reached == {True, False}, "the seeds are chosen for both"
    for result in run.results:
        hope = hopes(result, FINITE)["collect_sapling"]
        kept = result.certificate
        end = kept.unlocked.get("collect_sapling", kept.steps)
        done = deeds(FINITE, kept.seed, 1, kept.actions[:end])
        assert hope.came == hope.reached
        assert hope.tries == sum(deed.rule == "collect.grass" for deed in done) > 0
        assert (hope.chance, hope.wanted) == (CHANCE, 1)
        assert hope.reached == ("collect_sapling" in kept.unlocked)
        assert 0.9 < hope.at_most <= 1
