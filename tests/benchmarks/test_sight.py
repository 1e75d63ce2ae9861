"""Play with more or less in view: what players are given, and how cells are counted."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from mars_logic.benchmarks.failures import doing, layers
from mars_logic.benchmarks.sight import (
    LEARNED,
    ROWS,
    SEEN,
    TERRAIN,
    TRUE,
    WHOLE,
    SightEpisode,
    SightOutcome,
    TerrainPlayer,
    WholeMapPlayer,
    document,
)
from mars_logic.benchmarks.sight_page import FULL, page
from mars_logic.plan.observed_map import ObservedMap, Status
from mars_logic.plan.planner import Decision, Planner
from mars_logic.play.agent import load_agent
from mars_logic.play.episodes import play
from mars_logic.sim import Simulator
from mars_logic.world.load import load_world

WORLD = load_world("default")


@pytest.mark.slow
def test_the_whole_map_by_the_true_rules_is_the_oracle() -> None:
    own = play(load_agent("oracle")(), Simulator(WORLD), 2, WORLD.achievements, limit=60)
    assert play(WholeMapPlayer(), Simulator(WORLD), 2, WORLD.achievements, limit=60) == own


def test_whole_terrain_shows_no_creature_out_of_view(monkeypatch: pytest.MonkeyPatch) -> None:
    simulator = Simulator(WORLD)
    given: list[ObservedMap] = []
    decide = Planner.decide

    def watched(planner: Planner, seen: ObservedMap, status: Status) -> Decision:
        state = simulator.state()
        assert np.array_equal(seen.materials, state.materials)
        assert seen.position == (state.x, state.y)
        observation = simulator.observe()
        in_view = ObservedMap.begin(observation)
        moved = (state.x - in_view.position[0], state.y - in_view.position[1])
        now = {(t.kind, t.x + moved[0], t.y + moved[1]) for t in in_view.things}
        assert {(t.kind, t.x, t.y) for t in seen.things if t.ago == 0} == now
        given.append(seen)
        return decide(planner, seen, status)

    monkeypatch.setattr(Planner, "decide", watched)
    play(TerrainPlayer(), simulator, 2, WORLD.achievements, limit=80)
    assert len(given) == 80
    everything = len(simulator.state().objects)
    assert all(len(seen.things) < everything for seen in given)


def test_what_was_being_done() -> None:
    assert doing([], died=True) == ""
    assert doing(["plan"] * 5 + ["rest"], died=True) == "rest"
    assert doing(["wait"] * 400 + ["plan"] * 200 + ["rest"], died=False) == "plan"


def test_runs_of_decisions_are_told_step_by_step() -> None:
    taken = [{"step": 1, "layer": "plan"}, {"step": 3, "layer": "rest"}]
    assert layers(taken, 4) == ["plan", "plan", "rest", "rest"]
    assert layers([], 4) == []


def outcome(group: str, **changes: object) -> SightOutcome:
    whole = SightEpisode(TRUE, WHOLE, 7, "complete", 200, 21.0, (), None, None)
    lost = replace(
        whole, ended="death", missed=("eat_plant",), failure="died: hunger", doing="rest"
    )
    episodes = tuple(
        replace(lost if (rules, sight) == (LEARNED, SEEN) else whole, rules=rules, sight=sight)
        for rules, sight in ROWS
        for _ in range(2)
    )
    found = SightOutcome("mars-logic sight outcome 1", group, "d", 0, 2, None, "c", episodes)
    return replace(found, **changes)  # type: ignore[arg-type]


def test_the_table_has_a_row_for_each_sight_and_rules() -> None:
    found = document([outcome("default"), outcome("default"), outcome("crafter")], {"cores": "2"})
    assert [(row["rules"], row["sight"]) for row in found["rows"]] == [*ROWS]
    assert found["units"] == {"default": 2, "crafter": 1}
    text = page(json.loads(json.dumps(found)), "mars-logic bench sight")
    assert f"| {TRUE} | {TERRAIN} | 21.0; 100%; 0% | 21.0; 100%; 0% |" in text
    assert f"| {LEARNED} | {SEEN} | 21.0; 0%; 100% | 21.0; 0%; 100% |" in text
    assert f"| {LEARNED} | {SEEN} | died: hunger | rest | 6 |" in text
    assert "default: 2 units, 4 episodes a cell" in text and "A reduced run" in text
    whole = document([outcome("default")] * FULL, {"cores": "2"})
    assert "reduced" not in page(whole, "mars-logic bench sight")
