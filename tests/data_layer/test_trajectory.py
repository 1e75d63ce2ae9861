"""Trajectories: what is recorded, and how episodes are put together."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields, replace

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.agents.random import RandomAgent
from mars_logic.data import VIEW, Recorder, Trajectories
from mars_logic.data.trajectory import DONE, HIDDEN, SEEN, columns
from mars_logic.errors import InputError
from mars_logic.play.recording import record
from mars_logic.sim import Simulator, codes
from mars_logic.sim.stream import peek_words
from mars_logic.world import names
from mars_logic.world.dialect import VIEW_HEIGHT, VIEW_WIDTH
from tests.data_layer.play import WORLD, Scripted, equal, recorded


def test_it_speaks_of_the_same_things_as_the_simulator() -> None:
    assert names.LOOKS == codes.LOOKS
    assert VIEW == (VIEW_WIDTH, VIEW_HEIGHT)


def test_it_holds_what_was_seen_whatever_the_agent_does_to_it() -> None:
    trajectory = recorded()
    simulator = Simulator(WORLD)
    simulator.reset(0)
    for t in range(len(trajectory)):
        seen = simulator.observe()
        for name in (each.name for each in fields(trajectory.views)):
            assert np.array_equal(getattr(trajectory.before, name)[t], getattr(seen, name)[0])
        reward, done = simulator.step(int(trajectory.action[t]))
        assert (trajectory.reward[t], trajectory.done[t]) == (reward[0], done[0])
        reached = simulator.achievements[0] > 0
        assert np.array_equal(trajectory.unlocked[: t + 1].any(axis=0), reached)
    assert trajectory.done[-1]
    assert trajectory.after.inventory[-1, 0] == 0 or len(trajectory) == simulator.length


def test_kinds_leave_out_where_arrows_fly() -> None:
    trajectory = recorded()
    objects = np.zeros_like(trajectory.views.objects)
    objects[0, 0, 0] = names.LOOKS.index("arrow_left")
    objects[0, 0, 1] = names.LOOKS.index("arrow_down")
    objects[0, 0, 2] = names.LOOKS.index("ripe_plant")
    views = replace(trajectory.views, objects=objects)
    kinds = [names.LOOKS[code] for code in views.kinds[0, 0, :4]]
    assert kinds == ["arrow", "arrow", "ripe_plant", "none"]


def test_what_is_privileged_is_the_truth_before_each_transition() -> None:
    trajectory = recorded(2)
    simulator = Simulator(WORLD)
    simulator.reset(2)
    hidden = trajectory.privileged
    assert hidden is not None and len(hidden) == len(trajectory)
    for t, action in enumerate(trajectory.action):
        state = simulator.state()
        for name in ("x", "y", "hunger", "thirst", "fatigue", "recover"):
            assert getattr(hidden, name)[t] == getattr(state, name), (t, name)
        assert hidden.random_word[t] == peek_words(simulator.snapshot().envs)[0]
        simulator.step(int(action))


def test_nothing_privileged_is_in_a_public_recording() -> None:
    simulator = Simulator(WORLD)
    _, trajectory = record(Scripted(1, 2), simulator, 0, agent_name="script", public=True)
    assert trajectory.privileged is None
    assert set(columns(trajectory)) == {*SEEN, *DONE}


def test_arrays_have_the_documented_types_and_cannot_be_changed() -> None:
    trajectory = recorded()
    layout = SEEN | DONE | HIDDEN  # type: ignore[operator]
    for name, array in columns(trajectory).items():
        dtype, shape = layout[name]
        rows = len(trajectory) + (name in SEEN)
        assert array.dtype == dtype and array.shape == (rows, *shape), name
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


def test_an_episode_that_reaches_its_length_is_truncated() -> None:
    simulator = Simulator(WORLD, length=10)
    _, trajectory = record(Scripted(0), simulator, 0, agent_name="script")
    assert len(trajectory) == 10
    assert trajectory.truncated.tolist() == [False] * 9 + [True]
    assert not trajectory.terminated.any()
    assert np.array_equal(trajectory.done, trajectory.truncated)


def test_death_terminates() -> None:
    trajectory = recorded()
    assert trajectory.after.inventory[-1, 0] == 0, "this episode ends by death"
    assert trajectory.terminated.tolist() == [False] * (len(trajectory) - 1) + [True]
    assert not trajectory.truncated.any()


def test_an_episode_that_was_left_ends_with_neither() -> None:
    goals = ["collect_sapling"]
    simulator = Simulator(load_world("default"))
    played, trajectory = record(RandomAgent(), simulator, 0, goals, agent_name="random")
    assert played.ended == "complete" and not trajectory.done.any()


def test_a_recording_without_a_step() -> None:
    simulator = Simulator(WORLD)
    simulator.reset(0)
    recorder = Recorder(WORLD, 0, agent="nobody")
    recorder.begin(simulator.observe())
    assert len(recorder.trajectory()) == 0 and len(recorder.trajectory().views) == 1


def test_episodes_are_put_together_and_taken_apart() -> None:
    parts = [recorded(seed) for seed in range(3)]
    whole = Trajectories.of(parts)
    assert len(whole) == 3 and len(whole.action) == sum(map(len, parts))
    assert all(equal(one, other) for one, other in zip(parts, whole, strict=True))
    assert equal(whole[-1], parts[2]) and equal(whole[1:][0], parts[1])
    assert [about.seed for about in whole.abouts] == [0, 1, 2]
    assert np.array_equal(np.bincount(whole.episode), whole.lengths)
    first = whole.step == 1
    assert first.sum() == 3 and np.array_equal(whole.episode[first], [0, 1, 2])
    with pytest.raises(IndexError):
        whole[3]
    with pytest.raises(ValueError, match="no trajectory"):
        Trajectories.of([])


def test_what_is_privileged_is_kept_if_all_have_it() -> None:
    simulator = Simulator(WORLD)
    _, public = record(Scripted(1, 2), simulator, 0, agent_name="script", public=True)
    assert Trajectories.of([recorded(), recorded(1)]).privileged is not None
    assert Trajectories.of([recorded(), public]).privileged is None
    assert Trajectories.of([recorded()]).public().privileged is None


def test_transitions_that_do_not_follow_each_other_are_no_episode() -> None:
    whole = Trajectories.of([recorded()])
    materials = whole.after.materials.copy()
    materials[3, 0, 0] += 1
    with pytest.raises(InputError, match="after_materials: it is not what is seen before the next"):
        replace(whole, after=replace(whole.after, materials=materials))[0]


def test_importing_the_package_imports_neither_the_simulator_nor_parquet() -> None:
    program = (
        "import sys, mars_logic.data, mars_logic.cli.main; "
        "print({'numba', 'pyarrow', 'minari', 'mars_logic.sim'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8"
    )
    assert done.stdout == "set()\n", done.stderr
