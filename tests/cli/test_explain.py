from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

CIRCLE = "name: circle\nbase: default\ncollect:\n  tree: {requires: {wood_pickaxe: 1}}\n"


@pytest.fixture
def circle(tmp_path: Path) -> Path:
    path = tmp_path / "circle.yaml"
    path.write_text(CIRCLE, encoding="utf-8")
    return path


def test_an_unreachable_achievement(run: Run, circle: Path) -> None:
    found = run("explain", circle, "collect_wood")
    assert found.status == 1
    assert "the rules that changed this: collect.tree" in found.out
    assert "let collecting from a tree need no wood pickaxe (then reachable, sure)" in found.out


def test_json(run: Run, circle: Path) -> None:
    found = run("explain", circle, "collect_wood", "--json").json
    assert (found["schema"], found["unreachable"]) == ("mars-logic explanation 1", True)
    assert found["contrast"] == ["collect.tree"]
    assert found["explanations"][0]["repair"]["certainty"] == "sure"
    assert run("explain", "default", "collect_wood", "--json").json["unreachable"] is False


def test_a_reachable_achievement(run: Run) -> None:
    found = run("explain", "default", "collect_wood")
    assert found.status == 0
    assert "not unreachable" in found.out


@pytest.mark.slow
def test_on_a_map(run: Run, circle: Path) -> None:
    found = run("explain", circle, "collect_wood", "--map", 3)
    assert found.status == 1
    assert "collect.tree" in found.out


def test_a_map_without_diamonds(run: Run) -> None:
    found = run("explain", "crafter", "collect_diamond", "--map", 10)
    assert found.out.startswith("collect_diamond is unreachable on the map of seed 10.\n")
    assert "leaves a path, but no diamond is ever within reach.\n" in found.out
    assert "No change of the rules makes it reachable on the map of seed 10." in found.out


def test_wrong_achievements(run: Run) -> None:
    found = run("explain", "default", "collect_wod")
    assert found.status == 2
    assert "did you mean 'collect_wood'?; allowed: collect_coal" in found.err
