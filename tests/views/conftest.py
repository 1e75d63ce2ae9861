"""Observations to draw."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.sim import Observation, Simulator
from mars_logic.world import names

FACINGS = ((-1, 0), (1, 0), (0, -1), (0, 1))


def make(seed: int, n: int = 1, *, daylight: float = 1.0, sleeping: bool = False) -> Observation:
    """Any cells, things and amounts, with the player in the middle."""
    random = np.random.default_rng(seed)
    objects = random.integers(0, len(names.LOOKS), (n, 9, 7)).astype(np.uint8)
    objects[objects == names.LOOKS.index("player")] = 0
    objects[random.random((n, 9, 7)) < 0.7] = 0
    objects[:, 4, 3] = names.LOOKS.index("player")
    return Observation(
        materials=random.integers(0, len(names.MATERIALS), (n, 9, 7)).astype(np.uint8),
        objects=objects,
        inventory=random.integers(0, 10, (n, 16)).astype(np.int16),
        facing=np.array(FACINGS, np.int8)[random.integers(0, 4, n)],
        sleeping=np.full(n, sleeping),
        daylight=np.full(n, daylight),
    )


def lit(observation: Observation, daylight: float) -> Observation:
    return replace(observation, daylight=np.full(len(observation.daylight), daylight))


def part(observation: Observation, which: slice) -> Observation:
    return Observation(*(array[which] for array in observation.arrays))


observations = st.builds(
    make,
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 5),
    daylight=st.floats(0, 1),
    sleeping=st.booleans(),
)


@pytest.fixture
def simulator() -> Simulator:
    simulator = Simulator(load_world("crafter"), n=2)
    simulator.reset(seed=3)
    return simulator
