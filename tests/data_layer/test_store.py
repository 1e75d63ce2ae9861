"""Files of trajectories: what is written, and what is read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.agents.random import RandomAgent
from mars_logic.data import (
    About,
    file_name,
    files_in,
    load,
    load_all,
    save,
)
from mars_logic.data.trajectory import columns
from mars_logic.errors import InputError
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from mars_logic.world import names
from mars_logic.world.vocabulary import vocabulary
from tests.data_layer.play import WORLD, equal, recorded

KEY = b"mars_logic"


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    trajectory = recorded(3)
    path = tmp_path / file_name(trajectory.about)
    save(trajectory, path)
    found = load(path)
    assert path.name == "all_three__script__s3.parquet"
    assert found.about == trajectory.about and found.about.digest == WORLD.digest
    assert found.source == str(path) and equal(found, trajectory)
    assert [file.name for file in tmp_path.iterdir()] == [path.name], "nothing else is left"


def test_the_same_trajectory_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("a.parquet", "b.parquet"):
        save(recorded(), tmp_path / name)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_many_episodes_in_one_file(tmp_path: Path) -> None:
    parts = [recorded(seed) for seed in range(4)]
    save(parts, tmp_path / "all.parquet")
    found = load_all(tmp_path / "all.parquet")
    assert found.abouts == tuple(part.about for part in parts)
    assert all(equal(one, other) for one, other in zip(parts, found, strict=True))
    assert found[2].source == f"{tmp_path / 'all.parquet'} all_three script seed 2"
    with pytest.raises(InputError, match="it holds 4 episodes; allowed: one"):
        load(tmp_path / "all.parquet")


def test_a_folder_is_read_in_the_order_of_names(tmp_path: Path) -> None:
    for seed in (2, 0, 1):
        save(recorded(seed), tmp_path / file_name(recorded(seed).about))
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    found = load_all(tmp_path)
    assert [about.seed for about in found.abouts] == [0, 1, 2]
    assert found.sources == tuple(map(str, files_in(tmp_path)))
    assert len(load_all(tmp_path, tmp_path / file_name(recorded(1).about))) == 4


def test_what_is_privileged_is_left_out_on_demand(tmp_path: Path) -> None:
    path = tmp_path / "public.parquet"
    save(recorded(), path, public=True)
    found = load(path)
    assert found.privileged is None
    kept = columns(found)
    assert all(np.array_equal(kept[name], columns(recorded())[name]) for name in kept)
    assert not [name for name in pq.read_schema(path).names if "privileged" in name]
    assert b"random_word" not in path.read_bytes()


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_any_values_come_back(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Every code, every float to its bit, also after more than one episode."""
    steps = data.draw(st.integers(1, 30))
    noise = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    first = recorded()
    views = replace(
        first.views[: steps + 1],
        materials=noise.integers(0, len(names.MATERIALS), (steps + 1, 9, 7)).astype(np.uint8),
        objects=noise.integers(0, len(names.LOOKS), (steps + 1, 9, 7)).astype(np.uint8),
        inventory=noise.integers(0, 10, (steps + 1, 16)).astype(np.uint8),
        facing=np.array([(-1, 0), (1, 0), (0, -1), (0, 1)], np.int8)[
            noise.integers(0, 4, steps + 1)
        ],
        sleeping=noise.random(steps + 1) < 0.5,
        daylight=noise.random(steps + 1),
    )
    made = replace(
        first,
        about=replace(first.about, seed=data.draw(st.integers(-(2**61) + 2, 2**61 - 2))),
        views=views,
        action=noise.integers(0, 17, steps).astype(np.uint8),
        reward=noise.normal(size=steps),
        unlocked=noise.random((steps, 22)) < 0.2,
        terminated=noise.random(steps) < 0.5,
        truncated=noise.random(steps) < 0.5,
        privileged=None,
    )
    path = tmp_path_factory.mktemp("any") / "one.parquet"
    save([made, replace(recorded(1), privileged=None), made], path)
    found = load_all(path)
    assert equal(found[0], made) and equal(found[2], made) and found.abouts[0] == made.about


def test_names_of_files() -> None:
    about = About("my/world.yaml", "", "mars", seed=7, episode=2, agent="random")
    assert file_name(about) == "world__random__s7e2.parquet"


def test_a_short_episode_takes_at_most_60_bytes_a_transition(tmp_path: Path) -> None:
    simulator = Simulator(load_world("default"))
    played = [record(RandomAgent(), simulator, i, agent_name="random")[1] for i in range(12)]
    for episode in played:
        save(episode, tmp_path / file_name(episode.about))
    transitions = sum(map(len, played))
    alone = sum(path.stat().st_size for path in files_in(tmp_path))
    save(played, tmp_path / "all.parquet")
    together = (tmp_path / "all.parquet").stat().st_size
    assert transitions < 12 * 250, "these are short episodes"
    assert alone <= 60 * transitions and together <= 25 * transitions


# --- The table, as others see it ------------------------------------------------------------------


def test_any_reader_finds_a_table_that_explains_itself(tmp_path: Path) -> None:
    trajectory = recorded(5)
    path = tmp_path / "one.parquet"
    save(trajectory, path)
    table = pq.read_table(path).to_pydict()
    described = json.loads(pq.read_metadata(path).metadata[KEY])
    assert described["origins"][0]["digest"] == WORLD.digest
    assert set(table["world"]) == {"all_three"} and set(table["agent"]) == {"script"}
    assert set(table["seed"]) == {5} and table["step"] == [*range(1, len(trajectory) + 1)]
    assert table["action"] == [names.ACTIONS[code] for code in trajectory.action]
    materials = described["materials"].split()
    middle = [materials[row[4 * 7 + 3]] for row in table["before_materials"]]
    standing = trajectory.before.materials[:, 4, 3]
    assert middle == [names.MATERIALS[code] for code in standing]
    wood = described["inventory"].split().index("wood")
    assert [row[wood] for row in table["after_inventory"]] == [
        *trajectory.after.inventory[:, names.ITEMS.index("wood")]
    ]
    achievements = vocabulary("mars").achievements
    reached = {achievements[code] for code in trajectory.unlocked.any(0).nonzero()[0]}
    assert {name for row in table["unlocked"] for name in row} == reached
    assert {*table["before_facing"]} <= {"left", "right", "up", "down"}
