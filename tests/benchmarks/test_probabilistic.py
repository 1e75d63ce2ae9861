"""Probabilistic planners of others: the page, the spec, and a solver beside our expected count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mars_logic.benchmarks import probabilistic
from mars_logic.benchmarks.expected_counts import optimal
from mars_logic.benchmarks.probabilistic import chances_alone, played, read_spec
from mars_logic.errors import InputError

SPEC = Path(probabilistic.__file__).parent / "specs" / "probabilistic.yaml"


@pytest.mark.parametrize(
    ("world", "goal", "expected"),
    [
        ("crafter", "place_plant", 11.0),  # a sapling in one of ten tries, and one to place it
        ("terr_task", "collect_stone", 2.0),  # one of two tries
    ],
)
def test_expected_counts_are_those_of_the_chances(world: str, goal: str, expected: float) -> None:
    value, policy = optimal(chances_alone(world, goal))
    assert value == pytest.approx(expected, abs=1e-6) and policy


def test_the_spec_is_read_and_mistakes_are_told(tmp_path: Path) -> None:
    assert {task.world for task in read_spec(SPEC).tasks} == {"crafter", "terr_task"}
    wrong = tmp_path / "spec.yaml"
    for old, new, told in (
        ("most: 1000", "most: 0", "most"),
        ("LRTDP, ILAOstar, VI, JaxPlan", "LRDTP", "allowed: LRTDP"),
    ):
        wrong.write_text(SPEC.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        with pytest.raises(InputError, match=told):
            read_spec(wrong)


def test_an_episode_without_the_goal_is_not_left_out_of_the_mean() -> None:
    assert played((10.0, 12.0, 11.0)).startswith("11.00 (9.87–12.13")
    assert played((10.0, None)) == "1 of 2 reach the goal"


@pytest.mark.filterwarnings("ignore")
def test_a_solver_of_scikit_decide_has_our_expected_count(tmp_path: Path) -> None:
    pytest.importorskip("skdecide.hub.domain.pddl", exc_type=ImportError)
    spec = read_spec(SPEC)
    some = {"LRTDP": spec.solvers["LRTDP"].model_copy(update={"episodes": 50})}
    task = chances_alone("terr_task", "make_wood_pickaxe")
    found = probabilistic.solved(
        task, "LRTDP", spec.model_copy(update={"solvers": some}), tmp_path / "work"
    )
    assert not isinstance(found, str), found
    value, _ = optimal(task)
    assert found["value"] == pytest.approx(value, abs=1e-3)
    assert len(found["costs"]) == 50 and min(found["costs"]) >= 6
    assert json.dumps(found)
