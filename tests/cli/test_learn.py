from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from mars_logic.learn import study as studies
from mars_logic.world.load import load_theory
from tests.cli.conftest import Run


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Episodes of 40 steps."""
    monkeypatch.setattr(studies, "study", partial(studies.study, limit=40))


def test_learn_writes_a_theory_and_a_journal(run: Run, tmp_path: Path) -> None:
    theory, journal = tmp_path / "t.yaml", tmp_path / "j.md"
    options = ("--episodes", 1, "--evaluate", 1, "-o", theory, "--journal", journal)
    found = run("learn", "terrain", *options)
    assert found.status == 0 and "afterwards, 1 episodes" in found.out
    assert load_theory(theory).name == "t"
    assert journal.read_text().startswith("# Learning terrain, seed 0")
    again = run("learn", "terrain", *options)
    assert again.status == 2 and "exists already" in again.err


def test_learn_json(run: Run) -> None:
    found = run("learn", "terrain", "--episodes", 1, "--evaluate", 1, "--json").json
    assert found["schema"] == "mars-logic learn 1" and found["seed"] == 0
    (episode,) = found["episodes"]
    assert set(episode) == {"steps", "reward", "ended", "unlocked", "precision", "recall"}
    assert set(found["scores"]) >= {"precision", "recall", "f1", "by_kind"}
    assert found["evaluation"]["episodes"] == 1 and "score" in found["evaluation"]
    assert found["theory"]["collect"]
    for revision in found["revisions"]:
        assert revision["rule"] and len(revision["words"]) == 2
