"""Rollouts in one compiled call equal those of a simulator that is stepped."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mars_logic.benchmarks.foresight import StepwiseRollouts, attacked
from mars_logic.plan import foresight
from mars_logic.plan.foresight import STREAMS, RolloutBatch, stream_numbers
from mars_logic.plan.world_model import DO, NOOP, SLEEP
from mars_logic.play.agent import load_agent
from mars_logic.play.episodes import play
from mars_logic.sim import Simulator
from mars_logic.sim.codes import COW, NUM_ITEMS
from mars_logic.sim.imagined_state import Imagined, settle
from mars_logic.sim.layout import CAPACITY
from mars_logic.sim.step import have_room
from mars_logic.sim.tables import compile_rules
from mars_logic.world.dialect import AREA
from mars_logic.world.load import load_world
from mars_logic.world.names import MATERIALS

ACTIONS = [NOOP, 1, 2, 3, 4, DO]
WORLDS = ("default", "surv_task", "crafter")


@pytest.fixture(scope="module")
def states() -> dict[str, list[NDArray[np.void]]]:
    """Some states with an attacker near."""
    return {name: list(islice(attacked(load_world(name)), 4)) for name in WORLDS}


@pytest.mark.parametrize("name", WORLDS)
@given(
    which=st.integers(0, 3),
    steps=st.integers(1, 40),
    flees=st.booleans(),
    idle=st.sampled_from([NOOP, SLEEP]),
    step=st.integers(0, 9_999),
)
@settings(max_examples=15, deadline=None)
def test_futures_are_those_of_the_simulator(
    states: dict[str, list[NDArray[np.void]]],
    name: str,
    which: int,
    steps: int,
    flees: bool,
    idle: int,
    step: int,
) -> None:
    start = states[name][which].copy()
    start["step"] = step
    world = load_world(name)
    ours = RolloutBatch(world).health(start, ACTIONS, steps, futures=5, flees=flees, idle=idle)
    reference = StepwiseRollouts(world)
    theirs = reference.health(start, ACTIONS, steps, futures=5, flees=flees, idle=idle)
    assert np.array_equal(ours, theirs)


def test_futures_differ_and_are_common_to_all_actions(
    states: dict[str, list[NDArray[np.void]]],
) -> None:
    world = load_world("default")
    found = [
        RolloutBatch(world).health(state, [NOOP, NOOP], 20, futures=40)
        for state in states["default"]
    ]
    assert all(np.array_equal(one[0], one[1]) for one in found)
    assert any(len(set(one[0].tolist())) > 1 for one in found)
    assert len(set(stream_numbers(0, STREAMS).tolist())) == STREAMS


@pytest.mark.slow
def test_more_things_than_usual_have_room() -> None:
    materials = np.full((AREA, AREA), MATERIALS.index("grass"), np.uint8)
    start = Imagined(materials, [], (40, 40), (0, 1), False, [9] * NUM_ITEMS, 8).record()
    env = start[0]
    for number in range(CAPACITY - 3):  # too many for a step that balances chunks
        thing, x, y = env["things"][number], 1 + number % 30, 1 + number // 30
        thing["kind"], thing["health"], thing["entered"] = COW, 3, number + 1
        env["thing_x"][number], env["thing_y"][number] = x, y
        settle(env, thing, x, y)
        env["num_things"] += 1
    env["next_entered"] = CAPACITY
    world = load_world("default")
    later = start.copy()
    later["step"] += 1
    assert not have_room(later, compile_rules(world))
    ours = RolloutBatch(world).health(start, [NOOP, DO], 4, futures=2)
    reference = StepwiseRollouts(world)
    assert np.array_equal(ours, reference.health(start, [NOOP, DO], 4, futures=2))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("agent", "name", "seed"),
    [("oracle", "surv_task", 3), ("informed", "default", 1), ("informed", "crafter", 2)],
)
def test_episodes_are_those_of_stepwise_rollouts(
    monkeypatch: pytest.MonkeyPatch, agent: str, name: str, seed: int
) -> None:
    world = load_world(name)

    def actions() -> tuple[int, ...]:
        played = play(load_agent(agent)(), Simulator(world), seed, world.achievements, limit=400)
        return played.actions

    fused = actions()
    monkeypatch.setattr(foresight, "RolloutBatch", StepwiseRollouts)
    assert actions() == fused
