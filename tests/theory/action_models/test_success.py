"""What trajectories say of goals, against the game's own counters."""

from __future__ import annotations

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.play.agent import load_agent
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from mars_logic.theory.action_models import Records
from mars_logic.theory.action_models.records import FAILED, SUCCEEDED
from tests.theory.play import Busy


@pytest.mark.slow
@pytest.mark.parametrize(
    ("world", "agent", "seeds"),
    [("default", "oracle", [1]), ("all_three", "busy", range(8)), ("crafter", "busy", range(3))],
)
def test_no_counter_contradicts_what_is_told(world, agent, seeds):
    simulator = Simulator(load_world(world), length=300)
    told = {SUCCEEDED: 0, FAILED: 0}
    for seed in seeds:
        player = Busy() if agent == "busy" else load_agent(agent)()
        _, trajectory = record(player, simulator, seed, agent_name="test")
        records = Records.of(trajectory)
        simulator.reset(seed)
        before = simulator.achievements[0]
        for t, action in enumerate(trajectory.action):
            simulator.step(np.array([action]))
            after = simulator.achievements[0]
            for column, goal in enumerate(simulator.world.achievements):
                said = records.outcome[t, column]
                if goal == "wake_up":
                    asleep = simulator.observe().sleeping[0]
                    assert said != FAILED or not asleep, (t, goal)
                    assert said != SUCCEEDED or asleep, (t, goal)
                elif said in told:
                    assert (after[column] > before[column]) == (said == SUCCEEDED), (t, goal)
                    told[said] += 1
            before = after
    assert told[SUCCEEDED] > 8 and told[FAILED] > 200
