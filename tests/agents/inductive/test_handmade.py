"""Worlds written by hand, of styles that the sampler does not draw: playable, and learned."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic import load_world, prove
from mars_logic.play.learning import study
from mars_logic.world.field_values import domain
from tests.paths import REPOSITORY

WORLDS = sorted((REPOSITORY / "tests" / "data" / "handmade").glob("*.yaml"))
DEFAULT = load_world("default")


def test_there_are_ten_and_each_has_a_value_that_no_world_usually_has() -> None:
    assert len(WORLDS) == 10
    worlds = [load_world(path) for path in WORLDS]
    assert len({world.digest for world in worlds}) == 10
    for world in worlds:
        changed = [
            (rule.id, name, getattr(rule, name))
            for rule in world.rules()
            for name in rule.field_names()
            if getattr(rule, name) != getattr(DEFAULT[rule.id], name)
        ]
        assert len(changed) >= 8
        assert any(value not in domain(rule, name) for rule, name, value in changed), world.name


@pytest.mark.long
@pytest.mark.parametrize("path", WORLDS, ids=lambda path: path.stem)
def test_nearly_all_is_reachable_and_nothing_is_unreachable(path: Path) -> None:
    verdicts = [each.verdict for each in prove(load_world(path)).achievements.values()]
    assert "unreachable" not in verdicts and verdicts.count("reachable") >= 19


@pytest.mark.long
def test_a_table_is_placed_on_water_within_two_episodes() -> None:
    truth = load_world(REPOSITORY / "tests" / "data" / "handmade" / "pier.yaml")
    found = study(truth, 1, 2)
    last = found.lessons[-1]
    assert "place_table" in last.played.unlocked
    assert found.theory.place["table"] == truth.place["table"]
    assert last.score.changes and (last.score.changes.recall or 0) > 0.8
    assert (last.score.overall.precision or 0) > 0.95
    others = [each for each in found.trials if each.rule.startswith("place")]
    assert any(each.setting.startswith("placing table on water") for each in others)
