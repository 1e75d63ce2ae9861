"""The command that compares play with more or less in view."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.mark.long
def test_the_command(run: Run, tmp_path: Path) -> None:
    line = ["bench", "sight", "--world", "surv_task", "--sampled", "0", "--seeds", "1"]
    line += ["--episodes", "1", "--length", "25", "--processes", "1", "-o", str(tmp_path)]
    found = run(*line, "--json")
    assert found.status == 0, found.err
    document = found.json
    assert document == json.loads((tmp_path / "sight.json").read_text(encoding="utf-8"))
    assert document["units"] == {"surv_task": 1} and len(document["rows"]) == 6
    assert all(row["worlds"]["surv_task"]["episodes"] == 1 for row in document["rows"])
    (kept,) = (tmp_path / "episodes").iterdir()
    written = kept.stat().st_mtime_ns
    again = run(*line)
    assert again.status == 0 and kept.stat().st_mtime_ns == written
    assert "--world surv_task --sampled 0 --seeds 1 --seed 0 --episodes 1 --length 25" in again.out
    kept.write_text(kept.read_text(encoding="utf-8").replace('"seed": 0', '"seed": 3'), "utf-8")
    other = run(*line)
    assert other.status == 2 and "another episode, or one of another version" in other.err
