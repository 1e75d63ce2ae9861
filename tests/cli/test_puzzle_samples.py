"""New puzzles and values of puzzles, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mars_logic.domains import load_game
from tests.cli.conftest import Run


def test_puzzles_are_written_with_their_proofs(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "puzzles"
    done = run("sample", "rulearn/escape_room", "-o", out, "--count", 3, "--seed", 5)
    assert done.status == 0 and done.out.count("While the hint names blue the password is") == 3
    assert sorted(path.name for path in out.iterdir()) == [
        f"er_s5_{number:04d}.{kind}" for number in range(3) for kind in ("json", "yaml")
    ]
    for number in range(3):
        puzzle = load_game(out / f"er_s5_{number:04d}.yaml")
        told = json.loads((out / f"er_s5_{number:04d}.json").read_text(encoding="utf-8"))
        assert told["digest"] == puzzle.digest and told["seed"] == 5 and told["number"] == number
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    again = run("sample", "rulearn/escape_room", "-o", out, "--count", 4, "--seed", 5, "--json")
    assert again.json["schema"] == "mars-logic sampled puzzles 1"
    assert [each["puzzle"] for each in again.json["puzzles"]] == [
        f"er_s5_{number:04d}" for number in range(4)
    ]
    assert all((out / name).read_bytes() == content for name, content in before.items())


def test_a_sampled_puzzle_is_a_puzzle_as_others(run: Run, tmp_path: Path) -> None:
    options = ("--rules", "new", "--size", "letters=4", "-o", tmp_path)
    assert run("sample", "rulearn/reactor", *options).status == 0
    file = tmp_path / "re_s0_0000.yaml"
    assert run("validate", file).status == 0
    assert "Make the material" in run("show", file).out
    told = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))["proof"]
    value = run("value", file, "--prior", "told", "--json").json
    assert value["steps"] == len(told["reactions"]) and value["exact"] == told["minimal"]
    assert run("run", "random", file, "--episodes", 1).status == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("rulearn/reactr",),
            "did you mean 'rulearn/reactor'?; allowed: rulearn/function_operator",
        ),
        (("rulearn/all",), "'rulearn/all': there is no such family of puzzles"),
        (("rulearn/reactor", "--rules", "old"), "--rules: unknown rules 'old'; allowed: released"),
        (("rulearn/reactor", "--size", "9"), "--size: '9' is no size; allowed: released, larger"),
        (("rulearn/reactor", "--difficulty", "3"), "--difficulty: it is not for puzzles; allowed"),
        (("rulearn/reactor", "--no-livable"), "--livable: it is not for puzzles; allowed: --rules"),
        (("--rules", "new"), "--rules: it is not for worlds; allowed: --change, --difficulty"),
    ],
)
def test_what_is_wrong(run: Run, tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    done = run("sample", *arguments, "-o", tmp_path / "out")
    assert done.status == 2 and told in done.err
    assert len(done.err.strip().splitlines()) == 1 and not (tmp_path / "out").exists()


def test_files_of_others_are_kept(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "fo_s0_0000.yaml"
    file.write_text("mine\n", encoding="utf-8")
    done = run("sample", "rulearn/function_operator", "-o", tmp_path)
    assert done.status == 2 and "this is another file than the one to be written" in done.err
    assert file.read_text(encoding="utf-8") == "mine\n" and len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("fo_r1_11", "expected steps   1.500\n"),
        ("fo_r1_18", "expected steps   at least 0.998\n"),
        ("er_r1_17", "expected steps   2.667\n"),
        ("re_r1_01", "expected steps   at least 2.000\n"),
    ],
)
def test_values(run: Run, name: str, told: str) -> None:
    done = run("value", f"rulearn/{name}")
    assert done.status == 0 and told in done.out
    assert ("A bound" in done.out) == ("at least" in told)


def test_a_value_in_json(run: Run) -> None:
    found = run("value", "rulearn/er_r1_01", "--json").json
    assert found["schema"] == "mars-logic value 1" and found["exact"] is True
    assert 0 < found["steps"] < 1 and found["moves"]
    assert run("value", "rulearn/er_r1_01", "--prior", "told", "--json").json["steps"] == 0
