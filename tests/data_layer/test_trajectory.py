"""Trajectories: what is recorded, and what files are read and refused."""

from __future__ import annotations

import io
import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.agent import Episode
from mars_logic.data import (
    VIEW,
    About,
    Recorder,
    Trajectory,
    file_name,
    load,
    record,
    save,
)
from mars_logic.data.trajectory import LAYOUT, columns
from mars_logic.errors import InputError
from mars_logic.sim import Observation, Simulator, codes
from mars_logic.world import names

WORLD = load_world("all_three")


class Scripted:
    """Plays a script over and over, and scribbles over everything that it is given."""

    def __init__(self, *actions: int) -> None:
        self.actions = actions
        self.step = 0

    def begin(self, episode: Episode) -> None:  # noqa: ARG002
        self.step = 0

    def act(self, observation: Observation) -> int:
        for name in ("materials", "objects", "inventory", "facing", "sleeping", "daylight"):
            getattr(observation, name)[:] = 1
        self.step += 1
        return self.actions[self.step % len(self.actions)]

    def end(self, episode: Episode) -> None:
        pass


def recorded(seed: int = 0) -> Trajectory:
    return record(Scripted(1, 5, 3, 5, 2, 5, 4), Simulator(WORLD), seed, agent_name="script")[1]


def equal(one: Trajectory, other: Trajectory) -> bool:
    left, right = columns(one), columns(other)
    return all(np.array_equal(left[name], right[name]) for name in LAYOUT)


def test_it_speaks_of_the_same_things_as_the_simulator() -> None:
    assert names.LOOKS == codes.LOOKS
    assert VIEW == (codes.VIEW_WIDTH, codes.VIEW_HEIGHT)


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


def test_arrays_have_the_documented_types_and_cannot_be_changed() -> None:
    trajectory = recorded()
    lengths: dict[int | str, int] = {"T": len(trajectory), "S": len(trajectory) + 1}
    for name, array in columns(trajectory).items():
        dtype, shape = LAYOUT[name]
        assert array.dtype == dtype and array.shape == tuple(lengths.get(n, n) for n in shape)
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


def test_a_recording_without_a_step() -> None:
    simulator = Simulator(WORLD)
    simulator.reset(0)
    recorder = Recorder(WORLD, 0, agent="nobody")
    recorder.begin(simulator.observe())
    assert len(recorder.trajectory()) == 0 and len(recorder.trajectory().views) == 1


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    trajectory = recorded(3)
    path = tmp_path / file_name(trajectory.about)
    save(trajectory, path)
    found = load(path)
    assert path.name == "all_three__script__s3.npz"
    assert found.about == trajectory.about and found.about.digest == WORLD.digest
    assert found.source == str(path) and equal(found, trajectory)
    assert [file.name for file in tmp_path.iterdir()] == [path.name], "nothing else is left"
    assert path.stat().st_size < 60 * len(trajectory) + 4000


def test_names_of_files() -> None:
    about = About("my/world.yaml", "", "mars", seed=7, episode=2, agent="random")
    assert file_name(about) == "world__random__s7e2.npz"


def test_nothing_is_written_where_nothing_can_be(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        save(recorded(), tmp_path / "missing" / "one.npz")


def refused(path: Path) -> str:
    with pytest.raises(InputError) as error:
        load(path)
    assert str(error.value).startswith(f"{path}:1: ") and "; allowed: " in str(error.value)
    return str(error.value)


def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "whole.npz"
    save(recorded(), path)
    whole = path.read_bytes()
    cut = tmp_path / "cut.npz"
    for length in [*range(0, 60, 7), *range(60, len(whole), 97), len(whole) - 1]:
        cut.write_bytes(whole[:length])
        assert "file: " in refused(cut)


def test_other_files_are_refused(tmp_path: Path) -> None:
    assert "no such file" in refused(tmp_path / "missing.npz")
    assert "is a directory" in refused(tmp_path)
    path = tmp_path / "other.npz"
    path.write_text("{}")
    assert "no readable archive" in refused(path)
    np.save(path.with_suffix(".npy"), np.zeros(3))
    path.with_suffix(".npy").rename(path)
    assert "single array" in refused(path)
    np.savez(path, action=np.zeros(3))
    assert "meta: it is missing" in refused(path)


def rewritten(path: Path, meta: dict[str, Any] | None = None, **arrays: Any) -> Path:
    """A trajectory's file with something in it changed; None takes it out."""
    save(recorded(), path)
    with np.load(path) as file:
        kept = {name: file[name] for name in file.files} | arrays
    about = json.loads(kept["meta"].tobytes()) | (meta or {})
    kept["meta"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, **{name: array for name, array in kept.items() if array is not None})
    path.write_bytes(buffer.getvalue())
    return path


@pytest.mark.parametrize(
    ("meta", "message"),
    [
        ({"schema": "another"}, "schema: this is 'another'; allowed: mars-logic trajectory"),
        ({"version": 2}, "version: this is version 2; allowed: 1"),
        ({"dynamics": "chess"}, "unknown dynamics 'chess'; allowed: crafter, mars"),
        ({"seed": "one"}, "seed: 'one' is not allowed; allowed: int"),
        ({"episode": 0}, "episode: 0 is not allowed; allowed: 1 or more"),
    ],
)
def test_wrong_descriptions(tmp_path: Path, meta: dict[str, Any], message: str) -> None:
    assert message in refused(rewritten(tmp_path / "one.npz", meta))


def test_wrong_arrays(tmp_path: Path) -> None:
    steps = len(recorded())
    path = tmp_path / "one.npz"
    assert "action: it is missing" in refused(rewritten(path, action=None))
    assert "action: it is " in refused(rewritten(path, action=np.zeros(steps)))
    assert "reward: it is " in refused(rewritten(path, reward=np.zeros(steps + 1)))
    unknown = np.full(steps, len(names.ACTIONS), np.uint8)
    assert "action: 17 is too large; allowed: 0 to 16" in refused(rewritten(path, action=unknown))
    aside = np.full((steps + 1, 2), 1, np.int8)
    assert "facing: not a direction" in refused(rewritten(path, facing=aside))


def test_a_trajectory_under_another_name_is_the_same(tmp_path: Path) -> None:
    trajectory = recorded()
    renamed = replace(trajectory, about=replace(trajectory.about, world="elsewhere"))
    save(renamed, tmp_path / "one.npz")
    assert load(tmp_path / "one.npz").about.world == "elsewhere"
