"""Play of the reference games becomes the trajectories that our simulator would have recorded."""

from __future__ import annotations

import collections
from collections.abc import Iterable
from pathlib import Path

import crafter
import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.data import Recorder, Trajectory, from_crafter, from_trace, load, save
from mars_logic.data.trajectory import columns
from mars_logic.errors import InputError
from mars_logic.sim import Observation, Simulator, load_trace
from mars_logic.theory import Evidence, check
from mars_logic.world.theory import World
from tests.data_layer.play import equal
from tests.paths import DATA

GOLDEN = sorted((DATA / "golden").glob("*.npz"))


def ours(world: World, seed: int, episode: int, actions: Iterable[int]) -> Trajectory:
    """What our simulator records of the same actions."""
    simulator = Simulator(world)
    simulator.reset(seed, episode)
    recorder = Recorder(world, seed, agent="recorded", episode=episode, simulator=simulator)
    recorder.begin(simulator.observe())
    reached: set[str] = set()
    for action in actions:
        reward, done = simulator.step(int(action))
        counts = zip(world.achievements, simulator.achievements[0], strict=True)
        now = {name for name, count in counts if count}
        seen = simulator.observe()
        recorder.note(int(action), float(reward[0]), now - reached, bool(done[0]), seen)
        reached |= now
    return recorder.trajectory()


def assert_same(one: Trajectory, other: Trajectory) -> None:
    left, right = columns(one), columns(other)
    assert set(left) == set(right)
    for name in left:
        # Daylight goes through cosine and power, which differ in the last bit between libraries.
        least = 1e-12 if name == "daylight" else 0
        np.testing.assert_allclose(left[name], right[name], rtol=0, atol=least, err_msg=name)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_trace_gives_what_our_simulator_records(path: Path) -> None:
    trace = load_trace(path)
    found = from_trace(trace)
    assert len(found) == trace.steps and found.source == str(path)
    recorded = ours(load_world(trace.world), trace.seed, trace.episode, found.action)
    assert_same(found, recorded)
    assert found.about == recorded.about


def test_a_trace_becomes_a_file(tmp_path: Path) -> None:
    found = from_trace(load_trace(GOLDEN[0]), public=True)
    assert found.privileged is None
    save(found, tmp_path / "one.parquet")
    assert equal(load(tmp_path / "one.parquet"), found)


def test_rules_are_tested_on_play_of_the_reference_games() -> None:
    traces = [load_trace(path) for path in GOLDEN]
    played = [from_trace(trace) for trace in traces if trace.world == "terr_surv"]
    assert played
    evidence = Evidence.of(played)
    assert not check(load_world("terr_surv"), evidence).contradicted
    assert check(load_world("default"), evidence).contradicted


# --- PyPI crafter ---------------------------------------------------------------------------------


class OrderedSet(dict[object, None]):
    def add(self, item: object) -> None:
        self[item] = None

    def remove(self, item: object) -> None:
        del self[item]


@pytest.fixture
def ordered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Crafter draws from sets, whose order is not that of a seed, and for its pictures."""
    reset = crafter.engine.World.reset

    def reset_in_order(world: object, seed: int | None = None) -> None:
        reset(world, seed)
        world._chunks = collections.defaultdict(OrderedSet)  # type: ignore[attr-defined]

    monkeypatch.setattr(crafter.engine.World, "reset", reset_in_order)
    monkeypatch.setattr(crafter.Env, "_obs", lambda _: None)


@pytest.mark.usefixtures("ordered")
@pytest.mark.parametrize("seed", [3, 11])
def test_crafter_gives_what_our_simulator_records(seed: int) -> None:
    actions = np.random.default_rng(seed).integers(0, 17, 600).tolist()
    found = from_crafter(crafter.Env(seed=seed), actions, agent="recorded")
    assert found.terminated[-1] or len(found) == 600
    recorded = ours(load_world("crafter"), seed, 1, found.action)
    assert_same(found, recorded)
    assert "crafter" in found.about.versions


@pytest.mark.usefixtures("ordered")
def test_a_policy_sees_what_is_recorded_and_the_next_episode_is_another() -> None:
    env = crafter.Env(seed=5, length=40)
    seen: list[np.ndarray] = []

    def policy(observation: Observation) -> int:
        seen.append(observation.materials[0].copy())
        return int(observation.materials[0].sum()) % 5

    first = from_crafter(env, policy, agent="sums", public=True)
    assert len(first) == 40 and first.truncated[-1] and first.privileged is None
    assert np.array_equal(np.array(seen), first.before.materials)
    second = from_crafter(env, [0, 0], agent="still")
    assert (second.about.episode, second.about.seed) == (2, 5)
    assert_same(second, ours(load_world("crafter"), 5, 2, [0, 0]))


def test_other_maps_and_no_action_are_refused() -> None:
    with pytest.raises(InputError, match=r"a map of \(32, 32\); allowed: \(64, 64\)"):
        from_crafter(crafter.Env(area=(32, 32), seed=0), [0], agent="still")
    with pytest.raises(InputError, match="no action"):
        from_crafter(crafter.Env(seed=0), [], agent="still")
