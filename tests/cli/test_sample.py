from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mars_logic import load_world
from mars_logic.world.diff import diff
from tests.cli.conftest import Run

SMALL = ("--change", "drinks,effects")


def test_worlds_are_written_with_their_proofs(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "worlds"
    done = run("sample", *SMALL, "--difficulty", "2..3", "--count", 3, "--seed", 7, "-o", out)
    assert done.status == 0
    assert done.out.count("22 of 22 achievements reachable") == 3
    for number in range(3):
        world = load_world(out / f"sample_7_{number}.yaml")
        told = json.loads((out / f"sample_7_{number}.json").read_text(encoding="utf-8"))
        changed = diff(load_world("default"), world)
        assert told["digest"] == world.digest
        assert told["difficulty"] == len(changed) in (2, 3)
        assert list(told["changed"]) == [difference.id for difference in changed]
        assert {v["verdict"] for v in told["achievements"].values()} == {"reachable"}
        assert told["living_on"] == "sustainable"
    assert len(list(out.iterdir())) == 7


def test_worlds_of_made_up_names(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "worlds"
    done = run("sample", "--vocabulary", 12, "--rules", 14, "--count", 2, "-o", out)
    assert done.status == 0
    assert done.out.count("14 of 14 achievements reachable") == 2
    about = json.loads((out / "request.json").read_text(encoding="utf-8"))
    assert (about["vocabulary"], about["rules"]) == (12, 14)
    assert run("validate", out / "sample_0_1.yaml").status == 0
    other = run("sample", "--vocabulary", 12, "--rules", 15, "-o", out)
    assert "sampled for another request" in other.err


def test_worlds_of_made_up_names_with_creatures_and_needs(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "worlds"
    done = run("sample", "--vocabulary", 9, "--change", "creatures, needs", "-o", out)
    assert done.status == 0 and "11 of 11 achievements reachable" in done.out
    about = json.loads((out / "request.json").read_text(encoding="utf-8"))
    assert about["life"] == ["creatures", "needs"]
    assert run("validate", out / "sample_0_0.yaml").status == 0


def test_twenty_rules_of_twelve_names_and_all_kinds_of_rules(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("sample", "--vocabulary", 12, "--rules", 20, "-n", 2)
    assert done.status == 0 and done.out.count("20 of 20 achievements reachable") == 2
    assert sorted(each.name for each in tmp_path.iterdir()) == ["sampled"]
    assert run("prove", "sampled/sample_0_1.yaml").status == 0
    kinds = "creatures,needs,timers,beside,push,projectiles"
    done = run("sample", "--vocabulary", 9, "--change", kinds, "-o", "all")
    assert done.status == 0 and "18 of 18 achievements reachable" in done.out
    assert run("validate", "all/sample_0_0.yaml").status == 0
    about = json.loads(Path("all/request.json").read_text(encoding="utf-8"))
    assert about["life"] == kinds.split(",")
    told = run("show", "all/sample_0_0.yaml", "--as", "words").out
    for start in ("Pushing a", "Shooting a", "The flight of a", "Hunting a"):
        assert f"- {start}" in told
    refused = run("plan", "all/sample_0_0.yaml")
    assert refused.status == 2 and refused.err.count("\n") == 1
    assert "the planner does not know the rule push." in refused.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--vocabulary", 3], "3 names are not possible; allowed: 9 to 40"),
        (
            ["--vocabulary", 12, "--rules", 40],
            "40 rules are not possible with 12 names; allowed: 12 to 27",
        ),
        (["--vocabulary", 12, "--rules", "many"], "--rules: 'many' is no number"),
        (
            ["--vocabulary", 12, "--change", "terrain"],
            "'terrain' is not possible; allowed: crea",
        ),
        (["--rules", 12], "--rules: it is not for worlds; allowed: --change"),
    ],
)
def test_what_does_not_fit_made_up_names_is_refused(
    run: Run, tmp_path: Path, arguments: list[object], message: str
) -> None:
    done = run("sample", *arguments, "-o", tmp_path / "none")
    assert done.status == 2
    assert message in done.err


def test_json(run: Run, tmp_path: Path) -> None:
    done = run("sample", *SMALL, "-o", tmp_path, "--json")
    assert done.json["schema"] == "mars-logic sample 1"
    assert [world["world"] for world in done.json["worlds"]] == ["sample_0_0"]


def test_a_second_run_keeps_what_is_there(run: Run, tmp_path: Path) -> None:
    run("sample", *SMALL, "--count", 2, "-o", tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    (tmp_path / "sample_0_1.yaml").unlink()
    again = run("sample", *SMALL, "--count", 3, "-o", tmp_path)
    assert again.status == 0
    assert again.out.count("\n") == 3
    for path, changed in before.items():
        if "sample_0_1" not in path.name:
            assert path.stat().st_mtime_ns == changed
    assert load_world(tmp_path / "sample_0_1.yaml")


def test_nothing_of_others_is_overwritten(run: Run, tmp_path: Path) -> None:
    theirs = tmp_path / "sample_0_0.yaml"
    theirs.write_text("name: theirs\nbase: default\n", encoding="utf-8")
    done = run("sample", *SMALL, "-o", tmp_path)
    assert done.status == 2
    assert "sample_0_0.yaml:1: file: this is another world" in done.err
    assert theirs.read_text(encoding="utf-8") == "name: theirs\nbase: default\n"


def test_another_request_takes_another_folder(run: Run, tmp_path: Path) -> None:
    run("sample", *SMALL, "-o", tmp_path)
    done = run("sample", *SMALL, "--difficulty", 2, "-o", tmp_path)
    assert done.status == 2
    assert "sampled for another request; allowed: another folder" in done.err


def test_worlds_need_not_be_livable(run: Run, tmp_path: Path) -> None:
    """Folders that were begun before there was a choice hold such worlds, and can grow."""
    dry = "Collecting from water needs nothing, yields 1 drink and leaves sand."
    asked = ("sample", "--change", "effects", "--must", dry, "-o", tmp_path)
    refused = run(*asked)
    assert refused.status == 1
    assert "brings back as much drink as living on takes" in refused.out
    assert "--no-livable accepts worlds in which" in refused.out
    assert run(*asked, "--no-livable").status == 0
    assert (
        json.loads((tmp_path / "sample_0_0.json").read_text(encoding="utf-8"))["living_on"]
        != "sustainable"
    )
    about = json.loads((tmp_path / "request.json").read_text(encoding="utf-8"))
    assert about.pop("livable") is False
    (tmp_path / "request.json").write_text(json.dumps(about), encoding="utf-8")
    assert run(*asked, "--no-livable", "--count", 2).status == 0
    assert "sampled for another request" in run(*asked).err


def test_a_broken_summary_is_told(run: Run, tmp_path: Path) -> None:
    run("sample", *SMALL, "-o", tmp_path)
    (tmp_path / "sample_0_0.json").write_text("{", encoding="utf-8")
    assert run("sample", *SMALL, "-o", tmp_path).status == 2


def test_an_impossible_request_is_explained(run: Run, tmp_path: Path) -> None:
    told = "Collecting from diamond needs nothing, yields 1 coal and leaves a path."
    out = tmp_path / "none"
    done = run("sample", "--change", "effects", "--must", told, "-o", out)
    assert done.status == 1
    assert f"must: {told}" in done.out
    assert "something is collected with the iron pickaxe" in done.out
    assert not out.exists()
    as_json = run("sample", "--change", "effects", "--must", told, "-o", out, "--json")
    assert as_json.status == 1
    assert set(as_json.json["conflict"]["principles"]) == {"useful(iron_pickaxe)", "must(0)"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--must", "Collecting diamond eats"], "cannot read"),
        (["--forbid", "No such thing."], "cannot read"),
        (["--change", "terain"], "did you mean 'terrain'?"),
        (["--difficulty", "9..3"], "is no number of rules"),
        (["--difficulty", "many"], "is no number of rules"),
        (["--difficulty", "53"], "is no number of rules"),
    ],
)
def test_bad_input(run: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    done = run("sample", *arguments, "-o", tmp_path / "out")
    assert done.status == 2
    assert message in done.err
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_interrupted_it_leaves_whole_worlds_and_goes_on(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "mars_logic", "sample", *SMALL, "--count", "500"]
    process = subprocess.Popen(
        [*words, "-o", tmp_path], stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
    while len(list(tmp_path.glob("*.yaml"))) < 3:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    worlds = sorted(tmp_path.glob("*.yaml"))
    assert 3 <= len(worlds) < 500
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    for path in worlds:
        assert (
            load_world(path).digest
            == json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["digest"]
        )
