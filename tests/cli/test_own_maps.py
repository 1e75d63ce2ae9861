"""Commands with worlds that state the length of episodes and where their maps come from."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from mars_logic.play import certificate
from tests.cli.conftest import Run

POND = """\
name: pond
base: default
length: 60
map:
  drawn:
    - north.txt
    - |
      ......
      .@TTT.
      .~~~..
      ..CC..
"""
NORTH = """\
#########
#..TTT..#
#.C..@:~#
#.Z...:~#
#..T.c:~#
####i####
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pond.yaml").write_text(POND, encoding="utf-8")
    (tmp_path / "north.txt").write_text(NORTH, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_drawn_world_is_shown_written_and_compared(run: Run, folder: Path) -> None:
    assert run("validate", "pond.yaml").status == 0
    told = run("show", "pond.yaml").out
    assert "The map is one of 2 drawings, by the seed: 9 x 6 cells and 6 x 4 cells." in told
    assert "at most 9" in told and "after 60" in told.replace("\n", " ")
    written = run("show", "pond.yaml", "--as", "yaml", "-o", "again.yaml")
    assert written.status == 0 and "#.C..@:~#" in (folder / "again.yaml").read_text(
        encoding="utf-8"
    )
    assert run("diff", "pond.yaml", "again.yaml", "--json").json.get("map") is None
    found = run("diff", "default", "pond.yaml", "--json").json
    assert found["length"] == ["1000", "60"] and found["rules"] == []
    assert "reachable" not in run("show", "pond.yaml", "--as", "tree").err


@pytest.mark.slow
def test_proofs_are_about_the_drawing(run: Run, folder: Path) -> None:  # noqa: ARG001
    found = run("prove", "pond.yaml", "--json")
    (proof,) = found.json
    assert proof["map_seed"] == 0
    assert "the proof is about the first of its 2 drawings" in found.err
    reachable = {
        name for name, verdict in proof["achievements"].items() if verdict["verdict"] == "reachable"
    }
    assert "collect_stone" in reachable and "collect_diamond" not in reachable
    (other,) = run("prove", "pond.yaml", "--map", 3, "--json").json
    assert other["achievements"]["collect_stone"]["verdict"] == "unreachable"
    assert (other["achievements"] == proof["achievements"]) is False
    (again,) = run("prove", "pond.yaml", "--map", 2, "--json").json
    assert again["achievements"] == proof["achievements"]
    told = run("explain", "pond.yaml", "collect_diamond").out
    assert "diamond" in told
    task = run("export", "pond.yaml", "--to", "pddl", "-o", "task")
    assert task.status == 0, task.err


@pytest.mark.slow
def test_witnesses_are_played_on_the_drawing(run: Run, folder: Path) -> None:
    played = run("prove", "pond.yaml", "--map", 0, "--execute", "-o", "kept", "--json")
    (proof,) = played.json
    steps = {name: done["steps"] for name, done in proof["executions"].items()}
    assert steps["place_table"] and steps["collect_drink"]
    certificates = sorted((folder / "kept").glob("*.json"))
    assert certificates and run("verify", *certificates).status == 0
    assert all(certificate.load(path).steps <= 60 for path in certificates)


@pytest.mark.slow
def test_recorded_play_is_verified_and_tells_nothing_of_the_generator(
    run: Run, folder: Path
) -> None:
    played = run("run", "random", "pond.yaml", "--episodes", 2, "--record", "rec", "-o", "out")
    assert played.status == 0, played.err
    certificates = sorted((folder / "out").glob("*.json"))
    assert run("verify", *certificates).status == 0
    assert all(certificate.load(path).steps == 60 for path in certificates)
    checked = run("check", "pond.yaml", "rec")
    assert checked.status == 0 and "contradicted" not in checked.out
    # On generated maps, an area of sand at the start would be contradicted by grass.
    (folder / "sandy.yaml").write_text(
        "base: default\nneighbour: {player: sand}\n", encoding="utf-8"
    )
    assert run("check", "sandy.yaml", "rec").status == 0
    assert run("revise", "sandy.yaml", "rec").out.count("neighbour") == 0
    made = run("render", certificates[0], "-o", "film.gif", "--to", 5)
    assert made.status == 0 and (folder / "film.gif").exists()


def test_the_oracle_plays_an_episode_of_the_stated_length(run: Run, folder: Path) -> None:
    planned = run("plan", "pond.yaml", "--seed", 1, "-o", "plan.json")
    assert planned.status in (0, 1), planned.err
    made = certificate.load(folder / "plan.json")
    assert made.steps <= 60 and "collect_wood" in made.unlocked
    assert run("verify", "plan.json").status == 0


def test_an_episode_is_not_complete_without_goals_that_logic_does_not_judge(
    run: Run, tmp_path: Path
) -> None:
    world = tmp_path / "world.yaml"
    world.write_text("name: w\nbase: default\ngoals: [survive_5, survive_50]\n", encoding="utf-8")
    for length, complete in ((20, 0), (60, 1)):
        arguments = ("--episodes", 1, "--length", length, "--json")
        (found,) = run("run", "random", world, *arguments).json["worlds"].values()
        assert found["success"] == {"survive_5": 1, "survive_50": complete}
        assert found["complete"] == complete


def test_a_drawing_is_a_picture(run: Run, folder: Path) -> None:
    assert run("render", "pond.yaml", "-o", "map.png", "--seed", 1).status == 0
    with Image.open(folder / "map.png") as picture:
        assert picture.size == (6 * (512 // 6),) * 2  # of the drawing, not of the empty map around
        assert len(picture.convert("RGB").getcolors(100_000)) > 10


@pytest.mark.parametrize("command", [("validate",), ("show",), ("prove",), ("run", "random")])
def test_a_broken_drawing_is_one_line_for_every_command(
    command: tuple[str, ...], run: Run, folder: Path
) -> None:
    (folder / "north.txt").write_text(NORTH.replace("@", "."), encoding="utf-8")
    found = run(*command, "pond.yaml")
    assert found.status == 2 and len(found.err.splitlines()) == 1
    assert found.err.startswith("north.txt:1: drawing: the player has no start; allowed: ")
