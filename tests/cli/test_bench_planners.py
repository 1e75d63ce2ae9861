"""The command that compares two planners."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.mark.slow
def test_the_command(run: Run, tmp_path: Path) -> None:
    line = ["bench", "planners", "random", "informed", "--world", "default", "--seeds", "1"]
    line += ["--length", "20", "--processes", "1", "--test", "-o", str(tmp_path)]
    found = run(*line, "--json")
    assert found.status == 0, found.err
    document = found.json
    assert document["schema"] == "mars-logic planners 1"
    assert document["seeds"] == {"first": 1000, "number": 1}
    assert document == json.loads((tmp_path / "planners.json").read_text(encoding="utf-8"))
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "episodes").iterdir()}
    assert len(kept) == 2
    again = run(*line)
    assert again.status == 0 and "| default | 1 |" in again.out
    assert kept == {path: path.stat().st_mtime_ns for path in (tmp_path / "episodes").iterdir()}


@pytest.mark.slow
def test_mistakes_of_the_command(run: Run, tmp_path: Path) -> None:
    line = ("--world", "default", "--seeds", "1", "--length", "5", "-o", tmp_path)
    same = run("bench", "planners", "oracle", "oracle", *line)
    assert same.status == 2 and "B: 'oracle' is A" in same.err
    unknown = run("bench", "planners", "orcale", "random", *line)
    assert unknown.status == 2 and "did you mean 'oracle'?" in unknown.err
    option = run("bench", "planners", "random", "oracle,x=1", *line)
    assert option.status == 2 and "unexpected keyword argument 'x'" in option.err
    nothing = run("bench", "planners", "random", "oracle", "--no-world", "-o", tmp_path)
    assert nothing.status == 2 and "nothing is left to play" in nothing.err
