from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.logic.pddl.interpreter import Game


@pytest.mark.parametrize("target", ["pddl", "pddl-strips"])
def test_the_files_are_a_domain_and_a_problem(run: Run, target: str, tmp_path: Path) -> None:
    done = run("export", "default", "--to", target, "-o", tmp_path / "a" / "b")
    assert done.status == 0
    texts = [
        (tmp_path / "a" / "b" / f"{name}.pddl").read_text(encoding="utf-8")
        for name in ("domain", "problem")
    ]
    assert len(Game(*texts).goal) == 22
    assert (":numeric-fluents" in texts[0]) == (target == "pddl")


def test_goals_and_json(run: Run, tmp_path: Path) -> None:
    goals = ("--goal", "collect_coal", "--goal", "wake_up", "--luck", "sure")
    done = run("export", "default", "--to", "pddl", "-o", tmp_path, *goals, "--json")
    assert done.json["goal"] == ["collect_coal", "wake_up"]
    assert done.json["actions"]["collect-tree"] == {"rule": "collect.tree", "gain": None}
    assert "collect-grass-until-sapling" not in done.json["actions"], "that takes luck"
    texts = [
        Path(done.json["files"][name]).read_text(encoding="utf-8") for name in ("domain", "problem")
    ]
    assert Game(*texts).goal == [("unlocked", "collect_coal"), ("unlocked", "wake_up")]


def test_nothing_is_replaced_unasked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "problem.pddl").write_text("mine", encoding="utf-8")
    command = ("export", "default", "--to", "pddl", "-o", tmp_path)
    refused = run(*command)
    assert refused.status == 2
    assert "problem.pddl" in refused.err
    assert "--force" in refused.err
    assert (tmp_path / "problem.pddl").read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "domain.pddl").exists()
    assert run(*command, "--force").status == 0
    assert (tmp_path / "problem.pddl").read_text(encoding="utf-8") != "mine"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--goal", "collect_daimond"), "did you mean 'collect_diamond'"),
        (("--goal", "collect_sapling", "--luck", "sure"), "not proved reachable"),
    ],
)
def test_impossible_goals(run: Run, options: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = run("export", "default", "--to", "pddl", "-o", tmp_path / "new", *options)
    assert done.status == 2
    assert said in done.err
    assert not list(tmp_path.iterdir())


def test_a_file_is_no_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    done = run("export", "default", "--to", "pddl", "-o", tmp_path / "file")
    assert done.status == 2
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"
