"""Recordings of play in worlds that add names."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from mars_logic import load_world
from mars_logic.data import from_arrays, load, load_all, save
from mars_logic.data.description import described, description
from mars_logic.data.trajectory import Trajectory, columns
from mars_logic.errors import InputError
from mars_logic.play.agent import load_agent
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from mars_logic.theory import Evidence, check
from mars_logic.world.theory import World
from tests.paths import REPOSITORY

COPPER = load_world(REPOSITORY / "worlds" / "gallery" / "copper.yaml")


def played(world: World, seed: int = 0) -> Trajectory:
    return record(load_agent("random")(), Simulator(world), seed, agent_name="random")[1]


def test_a_recording_has_the_names_of_its_world(tmp_path: Path) -> None:
    trajectory = played(COPPER)
    assert trajectory.about.adds == COPPER.adds
    assert trajectory.about.words.materials == COPPER.vocabulary.materials
    assert trajectory.views.inventory.shape[1] == 20 and trajectory.unlocked.shape[1] == 28
    path = tmp_path / "copper.parquet"
    save(trajectory, path)
    again = load(path)
    assert again.about == trajectory.about
    kept = columns(trajectory)
    assert all(np.array_equal(kept[name], array) for name, array in columns(again).items())
    actions = set(pq.read_table(path)["action"].to_pylist())
    assert "make_copper_pickaxe" in actions


def test_play_of_worlds_with_different_names_does_not_mix(tmp_path: Path) -> None:
    one, other = played(COPPER), played(load_world("default"))
    with pytest.raises(ValueError, match="added names"):
        save([one, other], tmp_path / "both.parquet")
    save(one, tmp_path / "one.parquet")
    save(other, tmp_path / "other.parquet")
    with pytest.raises(InputError, match="adds: this is play of a world with other added names"):
        load_all(tmp_path)


def test_the_description_states_added_names_only_where_there_are() -> None:
    about, usual = played(COPPER).about, played(load_world("default")).about
    assert "adds" not in json.loads(description([usual], [3], False))["origins"][0]
    text = description([about], [3], False)
    assert described(text.encode()).abouts == (about,)
    document = json.loads(text)
    assert document["materials"].endswith("furnace copper kiln")
    wrong = {
        "placed": ["copper", "wood"],
        "items": ["wood"],
        "materials": [asdict(COPPER.adds.materials[0])] * 2,
    }
    for name, value in wrong.items():
        broken = json.loads(text)
        broken["origins"][0]["adds"][name] = value
        with pytest.raises(InputError, match="adds: "):
            described(json.dumps(broken).encode())
    broken = json.loads(text)
    broken["origins"][0]["adds"]["items"] = ["Copper"]
    with pytest.raises(InputError, match=r"origins\[0\].adds.items\[0\]"):
        described(json.dumps(broken).encode())


def test_rules_are_tested_on_play_with_other_names() -> None:
    play, usual = played(COPPER), played(load_world("default"))
    for theory, episode in ((load_world("default"), play), (COPPER, usual)):
        assert not check(theory, [episode], jointly=False).contradicted
        assert {*theory.adds.items, *episode.about.adds.items} == {*COPPER.adds.items}
    with pytest.raises(InputError, match=r"adds: .*; allowed: .*same names"):
        Evidence.of([play, usual])


def test_arrays_of_a_world_with_own_names_and_maps_become_a_trajectory() -> None:
    trajectory = played(COPPER)
    done = trajectory.action, trajectory.reward, trajectory.unlocked
    made = from_arrays(COPPER, trajectory.views.arrays, *done)
    assert (made.about.adds, made.about.own_map) == (COPPER.adds, True)
    assert np.array_equal(made.views.inventory, trajectory.views.inventory)


def test_a_recording_has_the_creatures_and_needs_of_its_world(tmp_path: Path) -> None:
    world = load_world(REPOSITORY / "worlds" / "gallery" / "winter.yaml")
    trajectory = played(world, seed=1)
    path = tmp_path / "winter.parquet"
    save(trajectory, path)
    again = load(path)
    assert again.about == trajectory.about and again.about.adds == world.adds
    wolf = world.vocabulary.looks.index("wolf")
    assert (again.views.objects == wolf).any()
    assert (again.views.kinds[again.views.objects == wolf] == wolf).all()
    assert again.views.inventory[0, world.vocabulary.items.index("warmth")] == 9
    text = description([again.about], [3], False)
    assert described(text.encode()).abouts[0] == again.about
    for before, after in (
        ('"name":"wolf"', '"name":"cow"'),
        ('"ground":["grass"', '"ground":["x"'),
    ):
        assert before in text
        with pytest.raises(InputError, match="adds: "):
            described(text.replace(before, after, 1).encode())
