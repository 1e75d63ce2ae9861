"""The form for learners of action models: the same successors, and no object bound twice."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from mars_logic import load_world
from mars_logic.logic.pddl import (
    PddlForm,
    PlanningTask,
    domain_text,
    interactions_alone,
    planning_task,
    problem_text,
    random_traces,
)
from mars_logic.logic.pddl.lifted import LiftedWriter, underscored
from mars_logic.logic.pddl.model import Atom
from mars_logic.logic.pddl.state import PlanState
from mars_logic.logic.pddl.walks import random_walk
from tests.logic.pddl.interpreter import Game, State

WORLDS = ["crafter", "all_three", "terr_task"]


def game(task: PlanningTask) -> Game:
    """The exported task as an interpreter that knows nothing of ours reads it."""
    return Game(domain_text(task, PddlForm.lifted), problem_text(task, PddlForm.lifted))


def calls(game: Game, state: State) -> dict[Atom, State]:
    """Each action that the exported model allows in a state, with the state after it."""
    return {
        (name, *bound.values()): game.after(schema, bound, state)
        for name, schema in game.schemas.items()
        for bound in game.bindings(schema, state)
    }


def walk(task: PlanningTask, seed: int, length: int) -> Iterator[tuple[PlanState, set[Atom]]]:
    """States of a walk by our own transition relation, with the actions that apply in each."""
    writer, state = LiftedWriter(task), PlanState(task)
    steps = random_walk(writer, length, seed)
    while True:
        writer.limit(state)
        ways = [step for action in task.actions for step in state.applicable(action)]
        yield state, {writer.call(step, state) for step in ways}
        step = next(steps, None)
        if step is None:
            return
        state.apply(step)


@pytest.mark.parametrize("alone", [True, False], ids=["rules alone", "with movement"])
@pytest.mark.parametrize("name", WORLDS)
def test_the_exported_model_has_our_successors(name: str, alone: bool) -> None:
    task = planning_task(load_world(name))
    task = interactions_alone(task) if alone else task
    exported, writer = game(task), LiftedWriter(task)
    assert exported.start.atoms == writer.atoms(PlanState(task))
    chance = random.Random(0)
    for state, ours in walk(task, 1, 25):
        told = State(set(writer.atoms(state)), {})
        theirs = calls(exported, told)
        assert ours == theirs.keys()
        for action in chance.sample(task.actions, 8):
            for step in state.applicable(action):
                after = state.copy()
                after.apply(step)
                assert writer.atoms(after) == theirs[writer.call(step, state)].atoms, step


@pytest.mark.parametrize("name", WORLDS)
def test_no_object_is_bound_to_two_parameters_and_nothing_is_constant(name: str) -> None:
    task = planning_task(load_world(name))
    assert "(:constants" not in domain_text(task, PddlForm.lifted)
    for trace in random_traces(task, 3):
        assert len(trace.states) == len(trace.actions) + 1 and trace.actions
        for action in trace.actions:
            assert len(set(action[1:])) == len(action[1:]), action


@pytest.mark.parametrize("name", WORLDS)
def test_what_holds_tells_the_type_of_every_object(name: str) -> None:
    writer = LiftedWriter(interactions_alone(planning_task(load_world(name), ["collect_wood"])))
    told: dict[str, set[str]] = {}
    for atom in [*writer.initial(), *writer.task.start.atoms]:
        for word, kind in zip(atom[1:], writer.predicates()[atom[0]], strict=True):
            told.setdefault(underscored(word), set()).add(underscored(kind))
    (goal,) = map(writer.goal_name, writer.task.goal)
    assert underscored(goal) in told
    for thing, kinds in writer.types_of().items():
        if not any(kind.endswith("level") or kind == "increment" for kind in kinds):
            assert kinds & told[thing] - {"material", "item", "creature", "achievement"}, thing


def test_every_rule_keeps_its_action_without_movement() -> None:
    task = planning_task(load_world("default"))
    alone = interactions_alone(task)
    assert {a.rule for a in alone.actions} == {a.rule for a in task.actions if a.rule}
    state = PlanState(alone)
    assert {"coal-cell", "iron-cell", "diamond-cell"} <= state.names_of("found")
    assert not state.names_of("collected") and not state.names_of("placed")


def test_traces_are_those_of_their_seeds() -> None:
    task = planning_task(load_world("crafter"), ["collect_wood"])
    first, again = ([*random_traces(task, 2)] for _ in range(2))
    assert first == again and first[0] != first[1]
    text = str(first[0])
    assert text.startswith("(:trajectory\n\n(:state (") and text.endswith("\n\n)\n")
    assert text.count("(:action ") + 1 == text.count("(:state ")
