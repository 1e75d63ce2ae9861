"""OneLife's protocol from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic.cli import state_ranking
from mars_logic.experiments.state_ranking import models
from mars_logic.experiments.state_ranking.models import RankingSpec
from tests.cli.conftest import Run

COPPER = "worlds/gallery/copper.yaml"
FIRE = "worlds/gallery/fire.yaml"
FEW = "--transitions", 1, "--trials", 1
SMALL = RankingSpec.model_validate(
    {
        "transitions": 1,
        "trials": 1,
        "seeds": (0, 1),
        "models": {"truth": {"rules": "truth"}, "passive": {"learn": "crafter", "passive": True}},
        "worlds": {"all_three": ("truth", "passive")},
    }
)


def test_a_theory_is_scored_by_the_protocol(run: Run) -> None:
    told = run("score", "crafter", "all_three", "--protocol", "onelife", *FEW)
    assert told.status == 0
    assert "all scenarios" in told.out and "OneLife (published" in told.out
    assert "dialect crafter" in told.err and "collect_stone_without" in told.err
    found = run("score", "default", "default", "--protocol", "onelife", *FEW, "--json").json
    assert found["schema"] == "mars-logic state ranking 1" and len(found["scenarios"]) == 38
    assert 0.9 < found["mean"]["mrr"] <= 1 and found["left_out"] == []


def test_a_world_may_have_names_of_its_own(run: Run) -> None:
    protocol = "--protocol", "onelife", *FEW, "--json"
    truth, usual = (run("score", each, COPPER, *protocol).json for each in (COPPER, "default"))
    assert truth["mean"]["mrr"] > 0.9 and set(usual["scenarios"]) == set(truth["scenarios"])


def test_rules_about_cells_have_scenarios_of_their_own(run: Run, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    rules = "beside: {tree: {becomes: {fire: ash}, chance: 0.9}}"
    wrong.write_text(f"name: wrong\nbase: {Path(FIRE).resolve()}\n{rules}\n")
    protocol = "--protocol", "onelife", "--transitions", 6, "--trials", 1, "--json"
    truth, other = (run("score", each, FIRE, *protocol).json for each in (FIRE, wrong))
    own = {"beside_tree", "beside_fire", "timer_fire", "timer_puddle", "timer_ash"}
    assert own <= set(truth["scenarios"])
    ranks = [each["scenarios"]["beside_tree"]["mean"]["mrr"] for each in (truth, other)]
    assert ranks[0] > 0.8 > ranks[1]


def test_what_does_not_apply_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    protocol = "--protocol", "onelife"
    assert run("score", "default", "default", *protocol, "--size", 3).status == 2
    assert "--trials" in run("score", "default", "default", "--trials", 3).err
    own = run("score", COPPER, "default", *protocol)
    assert own.status == 2 and "names that default lacks" in own.err
    assert run("score", "worlds/gallery/sokoban.yaml", "default", *protocol).status == 2
    monkeypatch.setattr(state_ranking, "find_spec", lambda _: None)
    missing = run("score", "default", "default", *protocol)
    assert missing.status == 2 and "jsonpatch" in missing.err and "onelife" in missing.err
    assert run("scoreboard", "onelife", "-o", "new").status == 2


def test_a_board_needs_its_own_options(run: Run, tmp_path: Path) -> None:
    for wrong in (
        ("--agents", "oracle"),
        ("--episodes", 2),
        ("--games", "venus"),
        ("--model", "m"),
    ):
        found = run("scoreboard", "onelife", "-o", tmp_path / "board", *wrong)
        assert found.status == 2 and wrong[0] in found.err
    assert "--out" in run("scoreboard", "onelife").err


@pytest.mark.slow
def test_a_board_is_kept_and_goes_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "onelife", lambda: SMALL)
    board = "scoreboard", "onelife", "-o", tmp_path, "--workers", 1
    first = run(*board, "--json")
    assert first.status == 0, first.err
    assert [each["seed"] for each in first.json["units"]] == [0, 0, 1]
    kept = sorted(tmp_path.glob("units/*__*.json"))
    times = {path: path.stat().st_mtime_ns for path in kept}
    assert len(kept) == 3
    again = run(*board)
    assert "| passive |" in again.out and {p: p.stat().st_mtime_ns for p in kept} == times
    assert (tmp_path / "README.md").read_text(encoding="utf-8").strip() == again.out.strip()
    kept[0].write_text("{}", encoding="utf-8")
    damaged = run(*board)
    assert damaged.status == 2 and kept[0].name in damaged.err
    monkeypatch.setattr(models, "onelife", lambda: SMALL.model_copy(update={"trials": 2}))
    other = run(*board)
    assert other.status == 2 and "spec" in other.err
