"""Benchmarks are found, their results kept and shown, and nothing else replaced."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mars_logic.errors import InputError
from mars_logic.experiments.measurement import (
    Bench,
    BenchmarkReport,
    BenchmarkResult,
    BenchmarkRow,
    Chart,
    Goal,
    Line,
    Spread,
    compared,
    suite,
)
from mars_logic.experiments.measurement.machine import machine
from tests.paths import REPOSITORY

PNG = b"\x89PNG"


def report(name: str = "steps", load: str = "0.1", quick: bool = False) -> BenchmarkReport:
    row = compared("steps", "1/s", [1e6, 2e6], [2e3, 2e3], goal=Goal(400, 800))
    line = Line("ours", (1.0, 4.0), (Spread(1, 2, 3), Spread(2, 2, 2)))
    chart = Chart("size", "Cost by size", "environments", "µs", (line,), log_x=True)
    result = BenchmarkResult((row,), (chart,), ("a note",))
    facts = {"processor": "one", "load": load}
    return BenchmarkReport("mars-logic benchmark 1", name, quick, "2026-01-31", facts, result)


def test_every_module_is_listed() -> None:
    files = {path.stem for path in (REPOSITORY / "benchmarks").glob("*.py")}
    apart = {
        "__init__",
        "action_model_worker",
        "action_models",
        "bandits",
        "conan_speed",
        "conan_weights",
        "dataset",
        "exercised",
        "failures",
        "griddly_worker",
        "learned_models",
        "oracle",
        "own_rules",
        "oracle_episodes",
        "oracle_page",
        "planner_worker",
        "planners",
        "planners_page",
        "planning_tasks",
        "probabilistic",
        "probabilistic_worker",
        "expected_counts",
        "workers",
        "playground",
        "result_pages",
        "results",
        "sight",
        "spec_files",
        "sight_page",
        "training",
        "training_page",
        "training_table",
        "training_throughput",
        "units",
        "verdicts",
        "verification",
        "verification_alone",
        "verification_page",
    }
    assert files - apart == set(suite.names())


def test_choice_keeps_the_order() -> None:
    assert suite.chosen([]) == list(suite.names())
    assert suite.chosen(["memory", "steps", "memory"]) == ["steps", "memory"]


def test_unknown_names() -> None:
    with pytest.raises(
        InputError, match=r"no benchmark 'step', did you mean 'steps'\?; allowed: steps, "
    ):
        suite.chosen(["play", "step"])


def test_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    suite.require_packages(peers=True, plots=True)
    monkeypatch.setattr(suite, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"'crafter' is not installed.*mars-logic\[bench\]"):
        suite.require_packages(peers=True, plots=False)
    with pytest.raises(InputError, match="'matplotlib' is not installed"):
        suite.require_packages(peers=False, plots=True)
    suite.require_packages(peers=False, plots=False)


def test_reports_come_back_as_they_were(tmp_path: Path) -> None:
    suite.save(report(), tmp_path)
    assert suite.load(tmp_path / "steps.json") == report()


@pytest.mark.slow
def test_the_page_shows_all_that_lies_there(tmp_path: Path) -> None:
    suite.save(report("memory", load="3.0", quick=True), tmp_path)
    suite.save(report("steps"), tmp_path)
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert page.count("| steps | 1.5 M/s | 2 k/s (crafter) | 750× (625×–875×) |") == 2
    assert "2026-01-31: processor one. Load at the start of each: steps 0.1, memory 3.0." in page
    assert "quick runs" in page and "memory: a note" in page
    for picture in ("ratios", "size"):
        assert f"]({picture}.png)" in page
        assert (tmp_path / f"{picture}.png").read_bytes().startswith(PNG)
    suite.save(report("memory"), tmp_path)
    assert "quick runs" not in (tmp_path / "README.md").read_text(encoding="utf-8")


def test_a_quantity_without_peer_is_shown_beside_its_budget(tmp_path: Path) -> None:
    goal = Goal(0.01, of="ours")
    row = BenchmarkRow(
        "verdicts", "s", Spread(0.004, 0.02, 0.03), goal=goal, smaller_is_better=True
    )
    suite.save(replace(report("logic"), result=BenchmarkResult((row,))), tmp_path)
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| verdicts | 20 ms (4 ms–30 ms) |  |  | 10 ms |  | missed |" in page
    assert "](budgets.png)" in page and "](ratios.png)" not in page
    assert (tmp_path / "budgets.png").read_bytes().startswith(PNG)


def test_the_same_results_give_the_same_files(tmp_path: Path) -> None:
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        suite.save(report(), folder)
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert names == ["README.md", "ratios.png", "size.png", "steps.json"]
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


@pytest.mark.parametrize(
    ("name", "why"), [("steps.json", "file: no JSON"), ("README.md", "not made")]
)
def test_nothing_of_the_users_is_replaced(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / name).write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=f"{name}:1: {why}.*; allowed: "):
        suite.save(report(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine"


def test_facts_of_the_machine_name_no_machine() -> None:
    import platform

    facts = machine()
    assert {"processor", "cores", "load", "system", "Python", "numpy", "numba"} <= set(facts)
    assert all(facts.values()) and platform.node() not in facts.values()


@pytest.mark.slow
def test_a_run_is_a_report() -> None:
    found = suite.run("play", Bench(quick=True, peer=False))
    assert found.name == "play" and found.quick and found.machine["numba"]
    (row,) = found.result.rows
    assert row.ours.median > 0 and row.peer is None and row.verdict == ""
