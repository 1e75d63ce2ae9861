"""Tasks in RDDL: pyRDDLGym's simulator has our successors, chances and expected counts."""

from __future__ import annotations

import random
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from mars_logic import load_world
from mars_logic.benchmarks.expected_counts import after, changing, optimal, outcomes
from mars_logic.logic.pddl import (
    PddlForm,
    PlanningTask,
    domain_text,
    interactions_alone,
    planning_task,
    problem_text,
)
from mars_logic.logic.pddl.model import Atom
from mars_logic.logic.pddl.read import PlanStep
from mars_logic.logic.pddl.state import PlanState

pyRDDLGym = pytest.importorskip("pyRDDLGym")

pytestmark = pytest.mark.filterwarnings("ignore")


def environment(task: PlanningTask, folder: Path) -> Any:
    """The exported task in pyRDDLGym."""
    for name, text in (("domain", domain_text), ("problem", problem_text)):
        (folder / f"{name}.rddl").write_text(text(task, PddlForm.rddl), encoding="utf-8")
    files = (str(folder / f"{name}.rddl") for name in ("domain", "problem"))
    return pyRDDLGym.make(*files, vectorized=False)


def called(step: PlanStep) -> str:
    """A step as pyRDDLGym names its action."""
    return "___".join((step.action.name, "__".join(step.arguments.values()))).removesuffix("___")


def told(found: dict[str, Any]) -> tuple[set[Atom], dict[Atom, int]]:
    """A state of pyRDDLGym: the atoms that hold, and the amounts above 0."""
    atoms, amounts = set(), {}
    for name, value in found.items():
        predicate, _, words = name.partition("___")
        atom = (predicate, *filter(None, words.split("__")))
        if isinstance(value, bool) or str(value) in ("True", "False"):
            if value:
                atoms.add(atom)
        elif value:
            amounts[atom] = int(value)
    return atoms, amounts


def test_the_simulator_has_our_successors(tmp_path: Path) -> None:
    task = planning_task(load_world("crafter"), chances=True)
    game, chance, state = environment(task, tmp_path), random.Random(3), PlanState(task)
    found, _ = game.reset(seed=3)
    assert told(found) == changing(task, state)
    for _ in range(120):
        steps = [s for a in task.actions for s in state.applicable(a) if not state.is_idle(s)]
        name = chance.choice(sorted({step.action.name for step in steps}))
        step = chance.choice([step for step in steps if step.action.name == name])
        found, reward, ended, _, _ = game.step({called(step): 1})
        ways = [after(task, state, step, drawn) for _, drawn in outcomes(step)]
        (state,) = [way for way in ways if changing(task, way) == told(found)][:1]
        done = all(state.holds(("unlocked", goal)) for goal in task.goal)
        assert ended == done and reward == (game.horizon if done else 0) - bool(step.action.rule)


def test_an_action_that_does_not_apply_does_nothing(tmp_path: Path) -> None:
    task = planning_task(load_world("crafter"), ["make_wood_pickaxe"], chances=True)
    game = environment(task, tmp_path)
    before, _ = game.reset(seed=0)
    found, reward, ended, _, _ = game.step({"make-wood_pickaxe": 1})
    assert told(found) == told(before) and reward == 0 and not ended


@pytest.mark.parametrize(
    ("name", "goal", "expected"),
    [
        ("crafter", "collect_sapling", 10.0),
        ("crafter", "place_plant", 11.0),
        ("default", "eat_plant", 4.0),
    ],
)
def test_a_simulated_policy_takes_the_interactions_that_are_expected(
    name: str, goal: str, expected: float, tmp_path: Path
) -> None:
    task = interactions_alone(planning_task(load_world(name), [goal], chances=True))
    value, policy = optimal(task)
    assert value == pytest.approx(expected, abs=1e-6)
    game, costs = environment(task, tmp_path), []
    for seed in range(400):
        found, _ = game.reset(seed=seed)
        ended, total = False, 0.0
        while not ended:
            atoms, amounts = told(found)
            step = policy[frozenset(atoms), frozenset(amounts.items())]
            found, reward, ended, _, _ = game.step({called(step): 1})
            total += reward
        costs.append(game.horizon - total)
    assert fmean(costs) == pytest.approx(value, abs=4 * stdev(costs) / len(costs) ** 0.5)
