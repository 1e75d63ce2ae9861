from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.agents.random import RandomAgent
from mars_logic.data import load, load_all
from mars_logic.data.trajectory import columns
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from tests.cli.conftest import Run


@pytest.mark.slow
def test_run_prints_rewards_and_rates(run: Run) -> None:
    found = run("run", "random", "default", "all_three", "--episodes", 2)
    assert found.status == 0
    assert "success rate" in found.out and "kill_cow" in found.out and "%" in found.out


def test_run_json(run: Run) -> None:
    found = run("run", "random", "default", "--episodes", 3, "--seed", 5, "--json").json
    assert found["schema"] == "mars-logic run 1" and found["agent"] == "random"
    world = found["worlds"]["default"]
    assert [episode["seed"] for episode in world["episodes"]] == [5, 6, 7]
    for episode in world["episodes"]:
        assert set(episode) == {"seed", "steps", "reward", "unlocked", "ended", "unreachable"}
        assert episode["ended"] in ("length", "death", "complete")
    mean = sum(episode["reward"] for episode in world["episodes"]) / 3
    assert abs(world["reward"]["mean"] - mean) < 1e-9
    assert len(world["success"]) == 22 and 0 <= world["score"] <= 100
    assert 0 <= world["complete"] <= 1 and isinstance(world["luck"], dict)
    reached = [e["unlocked"]["collect_sapling"] for e in world["episodes"]]
    assert reached and world["steps"]["collect_sapling"]["median"] == sorted(reached)[1]
    assert "ms per decision" not in run("run", "random", "default", "--json").out


@pytest.mark.slow
def test_what_is_proved_unreachable_is_reported_as_such(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "name: mine\nbase: default\ncollect: {diamond: {yields: {coal: 1}}}\n", encoding="utf-8"
    )
    world = run("run", "random", path, "--episodes", 2, "--json").json["worlds"][str(path)]
    assert world["unreachable"] == {"collect_diamond": 2}
    assert world["success"]["collect_diamond"] is None
    assert all(e["unreachable"] == ["collect_diamond"] for e in world["episodes"])
    assert "proved unreachable" in run("run", "random", path, "--episodes", 2).out


@pytest.mark.slow
def test_what_is_left_to_luck_stands_beside_its_expectation(run: Run) -> None:
    arguments = ("run", "random", "task_dep", "--episodes", 3)
    luck = run(*arguments, "--json").json["worlds"]["task_dep"]["luck"]
    assert set(luck) == {"collect_sapling", "eat_plant", "place_plant"}
    for found in luck.values():
        assert set(found) == {"episodes", "rate", "expected", "interval", "at_most"}
        low, high = found["interval"]
        assert found["episodes"] == 3 and 0 <= low <= found["expected"] <= high <= 1
        assert 0.3 < found["at_most"] < 1
    assert "depends on chance" in run(*arguments).out


def test_times_are_shown_for_what_is_played_now(run: Run, tmp_path: Path) -> None:
    arguments = ("run", "random", "default", "--episodes", 1, "--out", tmp_path)
    (first, again) = (run(*arguments).out.splitlines()[1].split() for _ in range(2))
    assert len(first) == len(again) + 1 and float(first[-1]) >= 0


@pytest.mark.slow
def test_the_same_seed_gives_the_same_run(run: Run) -> None:
    arguments = ("run", "random", "surv_task", "--episodes", 2, "--json")
    assert run(*arguments).out == run(*arguments).out


@pytest.mark.slow
def test_a_run_goes_on_where_it_stopped(run: Run, tmp_path: Path) -> None:
    arguments = ("run", "random", "default", "--out", tmp_path / "runs", "--json")
    first = run(*arguments, "--episodes", 1)
    assert first.status == 0
    (kept,) = (tmp_path / "runs").glob("*.json")
    assert kept.name == "default__random__s0.json"
    before = kept.stat().st_mtime_ns
    both = run(*arguments, "--episodes", 2).json
    assert kept.stat().st_mtime_ns == before
    assert both["worlds"]["default"]["episodes"][:1] == first.json["worlds"]["default"]["episodes"]
    fresh = run("run", "random", "default", "--episodes", 2, "--json").json
    assert both == fresh


def test_nothing_of_the_users_is_overwritten(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "default__random__s0.json"
    path.write_text("my shopping list", encoding="utf-8")
    found = run("run", "random", "default", "--episodes", 1, "--out", tmp_path)
    assert found.status == 2 and str(path) in found.err
    assert path.read_text(encoding="utf-8") == "my shopping list"


def test_an_episode_of_another_world_is_not_taken_for_this_one(run: Run, tmp_path: Path) -> None:
    run("run", "random", "terrain", "--episodes", 1, "--out", tmp_path)
    (tmp_path / "terrain__random__s0.json").rename(tmp_path / "default__random__s0.json")
    before = json.loads((tmp_path / "default__random__s0.json").read_text(encoding="utf-8"))
    found = run("run", "random", "default", "--episodes", 1, "--out", tmp_path)
    assert found.status == 2 and "another episode" in found.err
    assert json.loads((tmp_path / "default__random__s0.json").read_text(encoding="utf-8")) == before


def test_a_folder_that_cannot_be(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    found = run("run", "random", "default", "--out", tmp_path / "file")
    assert found.status == 2 and "allowed: a folder to write to" in found.err


def test_an_unknown_agent(run: Run) -> None:
    found = run("run", "randon", "default")
    assert found.status == 2 and "did you mean 'random'?" in found.err


def test_a_world_file_is_named_by_its_path(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("base: default\nname: other\n", encoding="utf-8")
    out = tmp_path / "runs"
    found = run("run", "random", path, "--episodes", 1, "--json", "--out", out).json
    assert list(found["worlds"]) == [str(path)]
    (kept,) = out.glob("*.json")
    assert json.loads(kept.read_text(encoding="utf-8"))["world"]["name"] == str(path)
    assert run("verify", kept).status == 0


@pytest.mark.slow
def test_recording_changes_nothing_and_comes_out_the_same(run: Run, tmp_path: Path) -> None:
    arguments = ("run", "random", "default", "--episodes", 1, "--json")
    plain = run(*arguments)
    first = run(*arguments, "--record", tmp_path / "a", "--out", tmp_path / "runs")
    assert first.out == plain.out
    # From the kept certificate, without playing again:
    assert run(*arguments, "--record", tmp_path / "b", "--out", tmp_path / "runs").status == 0
    (one,) = map(load, (tmp_path / "a").iterdir())
    (other,) = map(load, (tmp_path / "b").iterdir())
    steps = plain.json["worlds"]["default"]["episodes"][0]["steps"]
    assert len(one) == len(other) == steps
    assert one.about == other.about and one.about.agent == "random"
    again = columns(other)
    assert all(np.array_equal(values, again[name]) for name, values in columns(one).items())


@pytest.mark.slow
def test_a_public_recording_holds_nothing_privileged(run: Run, tmp_path: Path) -> None:
    arguments = ("run", "random", "default", "--episodes", 1, "--record")
    assert run(*arguments, tmp_path / "all").status == 0
    assert run(*arguments, tmp_path / "public", "--public").status == 0
    (one,), (other,) = (map(load, (tmp_path / name).iterdir()) for name in ("all", "public"))
    assert one.privileged is not None and other.privileged is None
    assert np.array_equal(one.views.materials, other.views.materials)
    # What is there already is not passed off as public, nor the other way round.
    for folder, options in (("all", ("--public",)), ("public", ())):
        again = run(*arguments, tmp_path / folder, *options)
        assert again.status == 2 and "another episode" in again.err
    assert run(*arguments, tmp_path / "public", "--public").status == 0
    assert run(*arguments[:-1], "--public").err.startswith("--public: there is no recording")


@pytest.mark.slow
def test_a_killed_run_loses_only_the_current_episode(tmp_path: Path) -> None:
    """Killed at random moments; the same command goes on, and the result is the same."""
    command = [sys.executable, "-m", "mars_logic", "run", "random", "default", "--episodes", "40"]
    arguments = [*command, "--record", str(tmp_path)]
    chance = random.Random(0)
    before = 0
    for _ in range(2):
        with subprocess.Popen(arguments, stdout=subprocess.DEVNULL) as process:
            deadline = time.monotonic() + 120
            while len([*tmp_path.glob("*.parquet")]) <= before and process.poll() is None:
                assert time.monotonic() < deadline
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.3))
            process.kill()
        found = load_all(tmp_path)
        before = len(found)
        assert sorted(about.seed for about in found.abouts) == [*range(before)]
    whole = load_all(tmp_path)
    last = whole[[about.seed for about in whole.abouts].index(before - 1)]
    simulator = Simulator(load_world("default"))
    _, again = record(RandomAgent(), simulator, before - 1, agent_name="random")
    assert all(
        np.array_equal(values, columns(last)[name]) for name, values in columns(again).items()
    )


@pytest.mark.slow
def test_shorter_episodes_are_kept_and_told_from_longer_ones(run: Run, tmp_path: Path) -> None:
    places = ("--out", tmp_path / "out", "--record", tmp_path / "record")
    arguments = ("run", "random", "default", "--episodes", 1, *places, "--json")
    found = run(*arguments, "--length", 12)
    (episode,) = found.json["worlds"]["default"]["episodes"]
    assert (episode["steps"], episode["ended"]) == (12, "length")
    (trajectory,) = load_all(tmp_path / "record")
    assert len(trajectory.action) == 12
    assert run(*arguments, "--length", 12).json == found.json, "it is not played again"
    for other in (("--length", 11), ("--length", 13), ()):
        refused = run(*arguments, *other)
        assert refused.status == 2 and "this is another episode" in refused.err
    assert run("run", "random", "default", "--length", 0).status == 2


def test_an_episode_that_ended_early_is_none_of_fewer_steps(run: Run, tmp_path: Path) -> None:
    arguments = ("run", "random", "default", "--episodes", 1, "--out", tmp_path, "--json")
    (episode,) = run(*arguments).json["worlds"]["default"]["episodes"]
    assert episode["ended"] == "death"
    assert run(*arguments, "--length", episode["steps"] - 1).status == 2
    assert run(*arguments, "--length", episode["steps"]).status == 0


@pytest.mark.slow
def test_an_agent_that_lives_on_plays_to_the_end(run: Run, tmp_path: Path) -> None:
    line = ("run", "oracle", "default", "--episodes", 1, "--seed", 1001, "--length", 230)
    usual = run(*line, "--json", "--out", tmp_path / "usual").json["worlds"]["default"]
    living = (*line, "--live-on", "--json", "--out", tmp_path / "living")
    found = run(*living).json["worlds"]["default"]
    (short,), (whole,) = usual["episodes"], found["episodes"]
    assert short["ended"] == "complete" and short["steps"] < 230 and usual["died"] == 0
    assert whole["ended"] == "length" and whole["steps"] == 230 and found["died"] == 0
    assert whole["unlocked"] == short["unlocked"] and found["complete"] == 1
    assert run(*living).json["worlds"]["default"] == found  # taken from the folder
    assert run("verify", *(tmp_path / "living").iterdir()).status == 0
    mixed = run(*line, "--out", tmp_path / "living")
    assert mixed.status == 2 and "this is another episode" in mixed.err
    mixed = run(*line, "--live-on", "--out", tmp_path / "usual")
    assert mixed.status == 2 and "this is another episode" in mixed.err


def test_games_cannot_be_lived_on_in(run: Run) -> None:
    found = run("run", "oracle", "Hanoi3Disk", "--live-on")
    assert found.status == 2 and "--live-on: this option does not apply here" in found.err
