"""Planners of the field read the exports, solve them, and agree with the proofs."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import mars_logic
from mars_logic.experiments.plans import play_as_plan, verify_plan
from mars_logic.experiments.runs import Run
from mars_logic.logic.pddl import (
    DETERMINISED,
    PddlForm,
    PlanningTask,
    domain_text,
    plan_text,
    planning_task,
    problem_text,
)
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.play.agent import load_agent
from mars_logic.world.load import bundled_worlds
from tests.logic.checker import Player, check
from tests.paths import REPOSITORY

pytest.importorskip("unified_planning")

from unified_planning.engines import SequentialPlanValidator
from unified_planning.engines.results import ValidationResultStatus
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import OneshotPlanner, get_environment

pytestmark = pytest.mark.filterwarnings("ignore")

OPTIMAL = "astar(lmcut(),pruning=stubborn_sets_simple())"
GALLERY = REPOSITORY / "worlds" / "gallery"
GREEDY = "let(hff,ff(),lazy_greedy([hff],preferred=[hff]))"


def problem(task: PlanningTask, form: PddlForm, folder: Path) -> Any:
    """The exported task, as unified-planning reads it."""
    texts = {"domain": domain_text(task, form), "problem": problem_text(task, form)}
    for name, text in texts.items():
        (folder / f"{name}.pddl").write_text(text, encoding="utf-8")
    return PDDLReader().parse_problem(*(str(folder / f"{name}.pddl") for name in texts))


def solve(task: PlanningTask, search: str, folder: Path) -> list[str]:
    """The plan that Fast Downward finds."""
    pytest.importorskip("up_fast_downward")
    get_environment().credits_stream = None
    parameters = {"fast_downward_search_config": search}
    with OneshotPlanner(name="fast-downward", params=parameters) as planner:
        found = planner.solve(problem(task, PddlForm.strips, folder))
    assert found.plan is not None, found
    return [str(action) for action in found.plan.actions]


@pytest.mark.parametrize("form", DETERMINISED)
@pytest.mark.parametrize("name", bundled_worlds())
def test_every_world_can_be_read(name: str, form: PddlForm, tmp_path: Path) -> None:
    task = planning_task(mars_logic.load_world(name))
    read = problem(task, form, tmp_path)
    assert {action.name for action in task.actions} <= {action.name for action in read.actions}
    assert len(read.goals[0].args) == len(task.goal)
    assert read.kind.has_increase_effects() == (form is PddlForm.numeric)
    assert not read.kind.has_conditional_effects()
    assert not read.kind.has_negative_conditions()


@pytest.mark.parametrize("name", ["crafter", "all_three"])
def test_the_form_for_learners_can_be_read(name: str, tmp_path: Path) -> None:
    task = planning_task(mars_logic.load_world(name))
    read = problem(task, PddlForm.lifted, tmp_path)
    assert {action.rule for action in task.actions} and not read.kind.has_negative_conditions()
    assert len(read.goals[0].args) == len(task.goal)
    for action in read.actions:
        names = {parameter.name for parameter in action.parameters}
        used = {arg for fluent in action.preconditions for arg in _arguments(fluent)}
        assert used <= names, "all that an action speaks of is a parameter"


def _arguments(condition: Any) -> set[str]:
    if condition.is_and():
        return set().union(*map(_arguments, condition.args))
    return {str(argument) for argument in condition.args}


@pytest.mark.slow
@pytest.mark.parametrize("achievement", ["collect_diamond", "make_iron_sword", "eat_plant"])
@pytest.mark.parametrize("name", ["default", "terrain"])
def test_an_optimal_planner_finds_plans_as_short_as_witnesses(
    name: str, achievement: str, tmp_path: Path
) -> None:
    world = mars_logic.load_world(name)
    level = ReachabilityModel(world).certainties[achievement]
    task = planning_task(world, [achievement], level)
    steps = task.steps(solve(task, OPTIMAL, tmp_path))
    check(world, achievement, steps)
    proof = mars_logic.prove(world)
    assert sum(step.times for step in steps) == proof.achievements[achievement].interactions


@pytest.mark.skipif(shutil.which("java") is None, reason="ENHSP runs in Java")
@pytest.mark.parametrize("name", ["default", "all_three"])
def test_a_numeric_planner_makes_plans_that_can_be_carried_out(name: str, tmp_path: Path) -> None:
    pytest.importorskip("up_enhsp")
    get_environment().credits_stream = None
    achievement = "make_stone_pickaxe"
    world = mars_logic.load_world(name)
    task = planning_task(world, [achievement])
    with OneshotPlanner(name="enhsp") as planner:
        found = planner.solve(problem(task, PddlForm.numeric, tmp_path))
    assert found.plan is not None, found
    steps = task.steps(str(action) for action in found.plan.actions)
    check(world, achievement, steps)
    proof = mars_logic.prove(world).achievements[achievement]
    assert proof.fewest and proof.interactions <= sum(step.times for step in steps)


@pytest.mark.slow
def test_a_satisficing_planner_unlocks_everything_in_default(tmp_path: Path) -> None:
    world = mars_logic.load_world("default")
    task = planning_task(world)
    steps = task.steps(solve(task, GREEDY, tmp_path))
    player = Player(world)
    player.carry_out(steps)
    assert player.unlocked >= set(world.achievements)
    proof = mars_logic.prove(world)
    longest = max(verdict.interactions for verdict in proof.achievements.values())
    assert longest < sum(step.times for step in steps)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), [("default", 1), ("all_three", 2), ("copper", 1)])
def test_the_oracles_play_is_a_plan(name: str, seed: int, tmp_path: Path) -> None:
    bundled = name in bundled_worlds()
    world = mars_logic.load_world(name if bundled else GALLERY / f"{name}.yaml")
    played = Run("oracle", load_agent("oracle"), world, name).episode(seed, 1).certificate
    task, steps = play_as_plan(world, played)
    assert set(played.unlocked) - set(task.goal) <= {"kill_skeleton"}
    for form in DETERMINISED:
        read = problem(task, form, tmp_path)
        text = plan_text(task, steps, form)
        assert judged(read, text, tmp_path), "the play is a plan"
        last = text.splitlines()[-2]
        assert not judged(read, text.replace(f"{last}\n", ""), tmp_path), (
            "without its end it is none"
        )


def judged(problem: Any, plan: str, folder: Path) -> bool:
    """Whether unified-planning finds a plan valid."""
    (folder / "plan.pddl").write_text(plan, encoding="utf-8")
    found = PDDLReader().parse_plan(problem, str(folder / "plan.pddl"))
    with SequentialPlanValidator() as validator:
        validator.skip_checks = True  # it judges plans, and not whether their cost is the least
        return bool(validator.validate(problem, found).status is ValidationResultStatus.VALID)


@pytest.mark.slow
def test_a_plan_of_fast_downward_is_carried_out_on_its_map(tmp_path: Path) -> None:
    world = mars_logic.load_world("default")
    task = planning_task(world, ["make_stone_pickaxe"], map_seed=1)
    plan = tmp_path / "sas_plan"
    plan.write_text("\n".join(solve(task, GREEDY, tmp_path)), encoding="utf-8")
    found = verify_plan(world, plan, 1)
    assert found.verdict == "valid" and found.execution is not None
    assert "make_stone_pickaxe" in found.execution.unlocked
