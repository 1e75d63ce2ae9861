"""The table of results: published numbers, and ours where somebody ran them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mars_logic.benchmarks import language_results
from mars_logic.experiments.published import REWARDS
from tests.paths import REPOSITORY

PAGE = REPOSITORY / "docs" / "results" / "language" / "README.md"


def test_the_page_holds_the_table_that_the_command_prints() -> None:
    assert language_results.table([]) in PAGE.read_text(encoding="utf-8")


def test_nothing_is_filled_in_that_was_not_run() -> None:
    lines = language_results.table([]).splitlines()
    assert len(lines) == 2 + len(REWARDS)
    assert all(line.count(language_results.NOT_RUN) == 9 for line in lines[2:])
    assert "| 7.7 ± 1.6 | 6.0 ± 1.7 | 8.0 ± 2.1 | 9.0 ± 2.3 |" in lines[2]


@pytest.mark.long
def test_one_command_plays_and_fills_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(language_results, "TRIALS", 1)
    monkeypatch.setattr(language_results, "LESSONS", 1)
    script = tmp_path / "script.yaml"
    script.write_text('answers:\n- say: [\'{"action": "noop"}\']\n', encoding="utf-8")
    settings = tmp_path / "language.yaml"
    settings.write_text(f"model: scripted:{script}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    about = ["--language", str(settings), "--out", str(tmp_path / "out"), "--worlds", "default"]
    monkeypatch.setattr(sys, "argv", ["language_results", *about, "--length", "2"])
    language_results.main()
    lines = capsys.readouterr().out.splitlines()
    filled = next(line for line in lines if line.startswith("| default |"))
    empty = next(line for line in lines if line.startswith("| terrain |"))
    assert language_results.NOT_RUN not in filled
    assert empty.count(language_results.NOT_RUN) == 9
