"""The comparison of two planners: what is kept is taken, and tables say what was found."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from mars_logic.benchmarks.planners import (
    DEVELOPMENT,
    TEST,
    Job,
    Map,
    Pair,
    PlannerOutcome,
    PlannerSpec,
    played,
)
from mars_logic.benchmarks.planners_page import ALL, document, page, summary
from mars_logic.errors import InputError
from mars_logic.play.agent import load_agent
from mars_logic.play.episodes import play
from mars_logic.sim import Simulator
from mars_logic.world.load import load_world

WHOLE = PlannerOutcome(
    "mars-logic planner outcome 1",
    *("oracle", "c0de", "default", "default", "d1gest", 0, None, "complete", (1, 2)),
    *({"collect_wood": 2}, 0.9, (), 200, None, None, 4.0, 50.0, 40.0),
)
DIED = replace(
    WHOLE, ended="death", missed=("eat_plant",), needed=None, failure="died: hunger", doing="rest"
)
LATE = replace(DIED, ended="length", failure="out of time", doing="explore")


def pair(a: PlannerOutcome, b: PlannerOutcome) -> Pair:
    return a, replace(b, planner="other", milliseconds=2.0, actions=(*b.actions, 0))


PAIRS = [pair(WHOLE, replace(WHOLE, needed=190)), pair(DIED, WHOLE), pair(LATE, WHOLE)]


def test_a_row_of_the_table() -> None:
    row = summary(PAIRS)
    assert row["maps"] == 3 and row["same_actions"] == 0
    complete, died = row["complete"], row["died"]
    assert complete["counts"] == [1, 3] and complete["only"] == [0, 2]
    assert complete["difference"] == pytest.approx(2 / 3) and complete["p"] == 0.5
    assert died["counts"] == [1, 0] and died["only"] == [1, 0]
    low, high = complete["interval"]
    assert low < 2 / 3 < high
    assert row["steps"]["maps"] == 1 and row["steps"]["difference"] == -10
    assert row["milliseconds"]["ratio"] == 2.0
    assert row["failures"][1] == []
    assert {"failure": "died: hunger", "doing": "rest", "maps": 1} in row["failures"][0]
    assert summary([(WHOLE, WHOLE)])["same_actions"] == 1
    assert summary([(DIED, DIED)])["steps"] is None


def test_the_page_has_both_planners_and_every_failure() -> None:
    other = [tuple(replace(one, group="crafter") for one in both) for both in PAIRS]
    told = [{"text": "oracle"}, {"text": "oracle|x"}]
    found = document([*PAIRS, *other], told, range(5), {"cores": "2"})  # type: ignore[list-item]
    assert [*found["worlds"]] == ["default", "crafter", ALL]
    assert found["worlds"][ALL]["maps"] == 6
    text = page(json.loads(json.dumps(found)))
    assert "- A: oracle, code c0de" in text and "oracle\\|x" in text and "seeds 0 to 4" in text
    assert "| default | died: hunger | rest | 1 | 0 |" in text
    assert "| all worlds | out of time | explore | 2 | 0 |" in text


def test_seeds_of_development_and_test_are_disjoint() -> None:
    assert not set(range(DEVELOPMENT, DEVELOPMENT + 1000)) & set(range(TEST, TEST + 1000))


def test_a_planner_is_named_by_agent_options_and_interpreter() -> None:
    found = PlannerSpec.of(f"clairvoyant,shorten=false,budget=10@{sys.executable}")
    assert (found.agent, found.python) == ("clairvoyant", sys.executable)
    assert json.loads(found.options) == {"shorten": False, "budget": 10}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [("oracle@nowhere", "no file nowhere"), ("oracle,x", "'x' is no option"), (",a=1", "no agent")],
)
def test_a_planner_that_is_none(text: str, wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        PlannerSpec.of(text)


@pytest.mark.slow
def test_episodes_are_those_of_the_agents_and_are_kept(tmp_path: Path) -> None:
    planners = PlannerSpec.of("informed"), PlannerSpec.of("oracle")
    job = Job(Map("default", "default", 3), planners, 40, tmp_path)
    first, second = played(job)
    world = load_world("default")
    own = play(load_agent("informed")(), Simulator(world), 3, world.achievements, limit=40)
    assert first.actions == own.actions and first.unlocked == own.unlocked
    assert first.planner == "informed" and second.planner == "oracle"
    assert first.failure == "out of time" and first.doing and not first.complete
    assert first.slowest >= first.milliseconds > 0 and first.slowest_replan
    assert played(job) == (first, second)
    (kept,) = tmp_path.glob("*__A__*.json")
    kept.write_text(kept.read_text(encoding="utf-8").replace(first.code, "0" * 64), "utf-8")
    with pytest.raises(InputError, match="another episode, or one of another version"):
        played(job)
