"""``bench tasks``: planners on exported planning tasks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mars_logic.benchmarks import planning_tasks
from tests.cli.conftest import Run


def test_each_plan_is_as_short_as_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning_tasks, "available", lambda: ["clingo"])
    goals = "--goal", "make_wood_pickaxe", "--goal", "collect_iron"
    told = run("bench", "tasks", "--world", "default", *goals, "-o", tmp_path / "tasks", "--json")
    assert told.status == 0, told.err
    kept = json.loads((tmp_path / "tasks" / "tasks.json").read_text(encoding="utf-8"))
    (made,) = kept["runs"]
    assert kept == told.json and "clingo" in made["versions"]
    lengths = {each["goal"]: each["interactions"] for each in made["results"]}
    assert lengths == {"make_wood_pickaxe": 5, "collect_iron": 9}
    assert all(each["optimal"] for each in made["results"])
    page = (tmp_path / "tasks" / "README.md").read_text(encoding="utf-8")
    assert "## collect_iron" in page and "s, optimal |" in page


def test_what_is_unreachable_is_told_and_what_is_unknown_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning_tasks, "available", lambda: ["clingo"])
    (tmp_path / "poor.yaml").write_text(
        "name: poor\nbase: default\ncollect:\n  tree: {yields: {}}\n", encoding="utf-8"
    )
    poor = "bench", "tasks", "--world", tmp_path / "poor.yaml", "-o", tmp_path / "tasks"
    assert "proved unreachable" in run(*poor, "--goal", "place_table").out
    wrong = run(*poor, "--goal", "collect_woood")
    assert wrong.status == 2 and "collect_wood" in wrong.err
    conan = run("bench", "tasks", "--world", "conan", "-o", tmp_path / "tasks")
    assert conan.status == 2 and "Traceback" not in conan.err


def test_what_is_not_measured_again_stays(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning_tasks, "available", lambda: ["clingo", "ENHSP"])
    monkeypatch.setitem(planning_tasks.ENGINES, "ENHSP", lambda *_: (7, False, ""))
    task = "bench", "tasks", "--world", "default", "-o", tmp_path / "tasks"
    goals = "--goal", "make_wood_pickaxe", "--goal", "place_table"
    run(*task, *goals, "--engine", "clingo")
    found = run(*task, *goals[:2], "--engine", "ENHSP", "--json").json
    assert [len(one["results"]) for one in found["runs"]] == [2, 1]
    page = (tmp_path / "tasks" / "README.md").read_text(encoding="utf-8")
    assert "| world | clingo | ENHSP |" in page and "| 7, " in page and page.count("Made by") == 2
    again = run(*task, *goals, "--engine", "clingo", "--json").json
    assert [len(one["results"]) for one in again["runs"]] == [1, 2]
    wrong = run(*task, "--engine", "ENSHP")
    assert wrong.status == 2 and "allowed: clingo; ENHSP" in wrong.err
    damaged = '{"schema": "mars-logic planning tasks 2", "runs": [{"command": 1}]}'
    for text in ("{}", "[", damaged):
        (tmp_path / "tasks" / "tasks.json").write_text(text, encoding="utf-8")
        other = run(*task)
        assert other.status == 2 and "tasks.json:1: " in other.err
        assert "; allowed: " in other.err and "Traceback" not in other.err


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_planners_of_the_field_agree_on_the_fewest(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("up_fast_downward")
    task = "--world", "default", "--goal", "make_stone_pickaxe"
    found = run("bench", "tasks", *task, "-o", tmp_path / "tasks", "--json").json
    (made,) = found["runs"]
    lengths = {each["engine"]: each["interactions"] for each in made["results"]}
    proved = {each["engine"] for each in made["results"] if each["optimal"]}
    assert proved == {"clingo", "Fast Downward, A*"}
    assert len({lengths[engine] for engine in proved}) == 1
    assert min(lengths.values()) == lengths["clingo"]


def test_without_the_extra_it_is_told_how_to_install_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning_tasks, "find_spec", lambda _: None)
    missing = run("bench", "tasks")
    assert missing.status == 2 and "[pddl]" in missing.err
