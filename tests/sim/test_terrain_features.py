from __future__ import annotations

import inspect
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.compiled.kernel import kernel
from mars_logic.sim import terrain_features
from mars_logic.sim.noise import noise, permutation
from mars_logic.sim.noise_grid import lattice
from mars_logic.sim.terrain_features import LIMITS, exact_facts, facts_of, find_facts
from mars_logic.world.dialect import AREA

ALL = terrain_features._ALL


@kernel
def _find(perm, lattice):
    return find_facts(perm, lattice[0])


@kernel
def _ask_everywhere(perm):
    facts = np.empty((AREA, AREA), np.uint32)
    for x in range(AREA):
        for y in range(AREA):
            facts[x, y] = exact_facts(perm, x, y, ALL)
    return facts


@pytest.mark.slow
def test_fast_facts_are_the_exact_facts():
    for seed in np.random.default_rng(8).integers(0, 2**31, 150).tolist():
        perm = permutation(seed)
        np.testing.assert_array_equal(_find(perm, lattice()), _ask_everywhere(perm))


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**31 - 2))
def test_fast_facts_are_the_exact_facts_for_any_seed(seed):
    perm = permutation(seed)
    np.testing.assert_array_equal(_find(perm, lattice()), _ask_everywhere(perm))


@pytest.mark.slow
@given(
    seed=st.integers(0, 2**31 - 2),
    x=st.integers(0, 63),
    y=st.integers(0, 63),
    asked=st.integers(0, ALL),
)
def test_some_facts_are_the_same_as_when_all_are_asked_for(seed, x, y, asked):
    perm = permutation(seed)
    assert exact_facts(perm, x, y, asked) == exact_facts(perm, x, y, ALL) & asked


def test_zero_is_not_above_zero():
    """At a vertex of the lattice noise is about zero: single precision cannot tell its sign."""
    close = {noise(permutation(seed), 7, 0, 5.0, 7.0) for seed in range(50)}
    assert max(map(abs, close)) < 1e-4
    facts = [_find(permutation(seed), lattice())[7, 0] for seed in range(50)]
    expected = [noise(permutation(seed), 7, 0, 5.0, 7.0) > 0 for seed in range(50)]
    assert [bool(fact & terrain_features.FERTILE) for fact in facts] == expected


def test_comparisons_are_strict_where_the_games_are():
    names = list(inspect.signature(facts_of.py_func).parameters)[1:]
    numbers = dict.fromkeys(names, -1.0)

    def facts(**changed):
        return facts_of(LIMITS, *(numbers | changed).values())

    for name, limits in {
        "start": {0.5: terrain_features.IN_START},
        "mountain": {
            0.15: terrain_features.MOUNTAIN,
            0.18: terrain_features.HIGH,
            0.3: terrain_features.HIGHEST,
        },
        "shore": {-0.2: terrain_features.SHORE},
        "trees": {0.0: terrain_features.FERTILE},
        "caves": {0.15: terrain_features.CAVES},
        "tunnels": {0.4: terrain_features.TUNNEL},
        "coal": {0.0: terrain_features.COAL_VEIN},
        "iron": {0.4: terrain_features.IRON_VEIN, 0.2: terrain_features.NEAR_IRON},
        "lava": {0.35: terrain_features.HOT, 0.15: terrain_features.NEAR_LAVA},
    }.items():
        for limit, fact in limits.items():
            assert not facts(**{name: limit}) & fact
            assert facts(**{name: math.nextafter(limit, 1)}) & fact
    assert facts(water=0.25) == 0
    assert facts(water=0.3) == terrain_features.SHALLOW
    assert facts(water=0.35) == terrain_features.SHALLOW | terrain_features.DEEP
    assert facts(water=math.nextafter(0.35, 1)) == terrain_features.DEEP
