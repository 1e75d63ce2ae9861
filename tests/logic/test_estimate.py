"""Estimates over sampled maps."""

from __future__ import annotations

import random

import pytest

from mars_logic import load_world
from mars_logic.experiments.proving import hangs_on_the_map, prove
from mars_logic.logic import Probability, Verdict
from mars_logic.logic.chance import binomial_below
from mars_logic.logic.estimate import (
    CELL_MAPS,
    CELL_TAIL,
    CellEstimate,
    PlayedMaps,
    estimate,
)
from tests.logic import generate
from tests.logic.mutants import changed


def test_an_estimate_sums_up_ranges() -> None:
    found = estimate([(0.2, 0.4), (0.6, 0.6), (1.0, 1.0)])
    assert (found.maps, found.known) == (3, 3)
    assert estimate([(0, 1), (0, 0.5)]).known == 1
    assert estimate([(0, 1)]).to_json()["mean"] is None
    assert found.mean == (pytest.approx(0.6), pytest.approx(2 / 3))
    assert found.mean_interval[0] < 0.6 and found.mean_interval[1] <= 1
    assert found.quantile == (0.2, 0.4)
    assert found.quantile_interval[0] == 0.0, "three maps bound no 5 % quantile from below"
    with pytest.raises(ValueError, match="at least one"):
        estimate([])


@pytest.mark.parametrize("maps", [40, 120])
def test_intervals_hold_what_they_claim(maps: int) -> None:
    """Of many samples, about 95 of 100 intervals hold the truth (uniform: 0.5 and 0.05)."""
    dice = random.Random(0)
    means = quantiles = 0
    for _ in range(300):
        found = estimate([(p, p) for p in (dice.random() for _ in range(maps))])
        means += found.mean_interval[0] <= 0.5 <= found.mean_interval[1]
        quantiles += found.quantile_interval[0] <= 0.05 <= found.quantile_interval[1]
    assert 0.91 <= means / 300 <= 0.99
    assert quantiles / 300 >= 0.92


def test_what_is_played_bounds_from_below() -> None:
    low, high = PlayedMaps(9, 10).interval
    assert low == pytest.approx(0.5958, abs=1e-3) and high == pytest.approx(0.9821, abs=1e-3)
    assert PlayedMaps(0, 10).interval[0] == pytest.approx(0)
    assert PlayedMaps(10, 10).interval[1] == pytest.approx(1)


def test_what_a_verdict_says_of_the_probability() -> None:
    told = Probability(0.3, 0.7, "")
    assert Verdict("a", "unreachable").probability_range == (0, 0)
    assert Verdict("a", "unknown").probability_range == (0, 1)
    assert Verdict("a", "reachable", certainty="almost_sure").probability_range == (1, 1)
    assert Verdict("a", "reachable", certainty="finite_chance").probability_range == (0, 1)
    chance = Verdict("a", "reachable", certainty="finite_chance", probability=told)
    assert chance.probability_range == (0.3, 0.7)


def test_cells_are_an_estimate_of_as_many_maps_as_were_counted() -> None:
    assert (generate.MAPS, generate.QUANTILES[0]) == (CELL_MAPS, CELL_TAIL)
    found = prove(load_world("task_dep")).achievements["collect_sapling"].probability
    assert found is not None and found.estimate is not None
    assert found.estimate.range == (found.low, found.high)
    low, high = found.estimate.interval
    assert found.estimate.share == pytest.approx(0.9) and low < 0.9 < high
    # Where saplings come from elsewhere too, only the lower bound hangs on the cells.
    assert CellEstimate.of((0.5, 1.0), 1).share == pytest.approx(0.95)


@pytest.mark.long
def test_finite_chances_are_estimated_and_nothing_else() -> None:
    world = load_world("task_dep")
    calls = []
    found = prove(world, maps=6, progress=lambda: calls.append(1)).achievements
    assert len(calls) == 6
    for verdict in found.values():
        assert (verdict.estimate is not None) == hangs_on_the_map(verdict)
    sapling = found["collect_sapling"].estimate
    assert sapling is not None and sapling.maps == 6
    assert 0.4 < sapling.mean[0] <= sapling.mean[1] < 1
    assert sapling == prove(world, maps=6).achievements["collect_sapling"].estimate
    data = sapling.to_json()
    assert data["method"] == "estimate from sampled maps" and data["played"] is None
    assert data["mean"] == {"low": sapling.mean[0], "high": sapling.mean[1]}
    with pytest.raises(ValueError, match="exclude"):
        prove(world, 1, maps=2)


@pytest.mark.slow
def test_several_successes_tighten_the_upper_bound() -> None:
    one = load_world("task_dep")
    three = changed(one, "place.plant", uses={"sapling": 3})
    bounds = []
    for world in (one, three):
        found = prove(world, 1).achievements["place_plant"].probability
        assert found is not None and found.low <= found.high
        bounds.append(found.high)
    cells = next(n for n in range(200) if 1 - binomial_below(1, n, 0.1) >= bounds[0] - 1e-12)
    assert bounds[1] == pytest.approx(1 - binomial_below(3, cells, 0.1))
    # Where something else gives saplings as well, one success may be enough.
    other = changed(three, "collect.coal", yields={"sapling": 9}, requires={"sapling": 1})
    found = prove(other, 1).achievements["place_plant"].probability
    assert found is None or found.high >= bounds[0] - 1e-12
