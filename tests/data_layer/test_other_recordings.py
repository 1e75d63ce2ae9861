"""Recordings of other programs: what they lack is inferred, left out, or unknown."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from mars_logic.data import from_arrays, from_crafter, load, save
from mars_logic.data.crafter_recording import from_recorder
from mars_logic.data.trajectory import Trajectory, columns
from mars_logic.errors import InputError
from mars_logic.sim import Simulator
from mars_logic.theory import Evidence
from mars_logic.theory.evidence.layout import KIND, START
from mars_logic.theory.evidence.steps import steps
from mars_logic.world.load import load_world
from mars_logic.world.problems import WorldWarning
from tests import others


def _read(path: Path) -> Trajectory:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WorldWarning)
        return from_recorder(path, load_world("crafter"))


@pytest.mark.parametrize("sleepy", [False, True])
def test_facing_and_sleep_are_inferred_as_they_were(sleepy: bool, tmp_path: Path) -> None:
    used, slept = 0, 0
    for seed in range(6):
        path, truth = others.played(tmp_path, seed, 300, sleepy)
        views = _read(path).views
        told = np.column_stack([views.facing, views.sleeping]).tolist()
        assert told == [[*map(int, each)] for each in truth[1 : 1 + len(views)]]
        used += len(views) / (len(truth) - 1)
        slept += int(views.sleeping.sum())
    assert used > 0.8 * 6, "only rarely is it open whether the player sleeps"
    assert slept or not sleepy


def test_what_is_in_view_is_as_in_the_game(tmp_path: Path) -> None:
    import crafter

    class Seeing(crafter.Env):  # type: ignore[misc]
        """Keeps what is in view."""

        def step(self, action: int) -> object:
            found = super().step(action)
            view = from_crafter.__globals__["_seen_in"](self)
            self.seen.append(np.stack([view["materials"], view["objects"]]))
            return found

    env = Seeing(seed=3, length=200)
    env.seen = []
    recorder = crafter.Recorder(env, tmp_path, save_video=False, save_stats=False)
    recorder.reset()
    random, done = np.random.RandomState(3), False
    while not done:
        _, _, done, _ = recorder.step(int(random.randint(1, 6)))
    (path,) = tmp_path.glob("*.npz")
    views = _read(path).views
    truth = np.array(env.seen)[: len(views)]
    known = views.materials != 0
    assert (views.materials == truth[:, 0])[known].all()
    assert known.mean() > 0.98 * (truth[:, 0] != 0).mean()
    ripe = truth[:, 1] != views.objects  # the file tells neither ripeness nor where arrows fly
    assert {*truth[:, 1][ripe].tolist()} <= {7, 8, 9, 10, 11}


def test_a_recording_without_its_first_step_is_kept_and_is_no_evidence_of_the_start(
    tmp_path: Path,
) -> None:
    found = _read(others.recorded(tmp_path, 5, 100))
    assert found.about.unknown == ("first_step",)
    save(found, tmp_path / "kept.parquet")
    again = load(tmp_path / "kept.parquet")
    assert again.about == found.about
    assert all(np.array_equal(each, columns(found)[name]) for name, each in columns(again).items())
    rows = Evidence.of([found]).rows
    assert not (KIND.get(rows["words"].view(np.uint64)) == START).any()


def test_needs_are_those_of_the_whole_episode() -> None:
    import crafter

    whole = from_crafter(crafter.Env(seed=7, length=120), [1, 2, 5] * 40, agent="script")
    part = from_arrays(
        "crafter",
        {name: array[1:] for name, array in whole.views.arrays.items()},
        whole.action[1:],
        whole.reward[1:],
        whole.unlocked[1:],
        unknown=("first_step",),
    )
    one, other = steps(whole)[1:], steps(part)
    for name in ("food", "drink", "recovery", "number", "shift"):
        assert np.array_equal(one[name], other[name]), name


def _moments(world: str, actions: list[int]) -> tuple[dict[str, np.ndarray], Simulator]:
    simulator = Simulator(load_world(world))
    simulator.reset(seed=1)
    seen = [simulator.observe()]
    for action in actions:
        simulator.step(action)
        seen.append(simulator.observe())
    keys = ("materials", "objects", "inventory", "facing", "sleeping", "daylight")
    return {key: np.concatenate([getattr(each, key) for each in seen]) for key in keys}, simulator


def test_what_actions_determine_may_be_missing_from_arrays() -> None:
    actions = [1, 1, 5, 3, 2, 4, 0, 5] * 4
    arrays, _ = _moments("default", actions)
    some = {name: arrays[name] for name in ("materials", "objects", "inventory")}
    found = from_arrays("default", some, actions)
    assert all(np.array_equal(array, arrays[name]) for name, array in found.views.arrays.items())
    assert found.about.unknown == ("reward", "unlocked") and not found.unlocked.any()
    with pytest.raises(InputError, match="facing: it is missing"):
        from_arrays("default", some, actions, unknown=("first_step",))


def test_evidence_does_not_take_unknown_achievements_for_none() -> None:
    """Whether a blow killed is told by the achievement; without it that is open."""
    import crafter

    whole = from_crafter(crafter.Env(seed=4, length=300), _hunting(), agent="script")
    lacking = from_arrays("crafter", whole.views.arrays, whole.action, whole.reward)
    told, open_ = (Evidence.of([each]) for each in (whole, lacking))
    assert {repr(each) for each in told.signatures} != {repr(each) for each in open_.signatures}
    assert "killed=False" not in "".join(map(repr, open_.signatures))


def _hunting() -> list[int]:
    random = np.random.RandomState(0)
    return [int(random.choice([1, 2, 3, 4, 5, 5, 5])) for _ in range(300)]


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("semantic", lambda a: a + 20, "semantic: 2"),
        ("semantic", lambda a: a[:, :9], "semantic: uint8 of shape"),
        ("player_pos", lambda a: a - 99, "player_pos: -"),
        ("action", lambda a: a + 17, "action: 1"),
        ("action", lambda a: a[:-1], "action: int64 of shape"),
        ("ainventory_wood", lambda a: a + 99, "ainventory_wood: 99 to"),
        ("ainventory_wood", lambda _: None, "ainventory_wood: it is missing"),
        ("achievement_wake_up", lambda a: a - 1, "achievement_wake_up: -1"),
        ("reward", lambda a: a + np.nan, "reward: nan"),
        ("done", lambda a: a.astype(str), "done: <U5 of shape"),
    ],
)
def test_a_broken_recording_is_refused_by_field(
    name: str, change: object, message: str, tmp_path: Path
) -> None:
    path = others.recorded(tmp_path, 1, 20)
    with np.load(path) as held:
        arrays = dict(held)
    changed = change(arrays.pop(name))  # type: ignore[operator]
    np.savez(path, **arrays, **({} if changed is None else {name: changed}))
    with pytest.raises(InputError) as refused:
        _read(path)
    assert message in str(refused.value) and str(refused.value).startswith(f"{path}:1: ")


def test_a_recording_is_of_crafter(tmp_path: Path) -> None:
    path = others.recorded(tmp_path, 1, 20)
    with pytest.raises(InputError, match="default is another game"):
        from_recorder(path, load_world("default"))
