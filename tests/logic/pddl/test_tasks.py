"""Exported tasks say what the proofs say: witnesses are plans, and plans are witnesses."""

from __future__ import annotations

from functools import cache

import pytest

import mars_logic
from mars_logic import World
from mars_logic.errors import InputError
from mars_logic.logic import Proof, Step
from mars_logic.logic.pddl import (
    DETERMINISED,
    PddlForm,
    PlanningTask,
    domain_text,
    planning_task,
    problem_text,
)
from mars_logic.logic.pddl.task import FULL
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.logic.regions import map_facts
from mars_logic.logic.witness import Witnesses
from mars_logic.world.load import bundled_worlds, parse_theory
from tests.logic.checker import check
from tests.logic.own_worlds import FOUND
from tests.logic.pddl.interpreter import Game, State

FORMS = list(DETERMINISED)


def game(task: PlanningTask, form: PddlForm) -> Game:
    return Game(domain_text(task, form), problem_text(task, form))


@cache
def proved(name: str) -> tuple[World, Proof]:
    world = mars_logic.load_world(name)
    return world, mars_logic.prove(world)


def walk(task: PlanningTask, of: Game, state: State) -> State:
    """Get around for as long as there is anywhere new to get to; nothing is lost by that."""
    moves = [of.schemas[action.name] for action in task.actions if not action.rule]
    while True:
        before = state
        for schema in moves:
            for bound in list(of.bindings(schema, state)):
                if all(of._holds(need, bound, state) for need in schema.needs):
                    new = of.after(schema, bound, state)
                    state = new if new.atoms != state.atoms else state
        if state is before:
            return state


def carry_out(task: PlanningTask, of: Game, witness: tuple[Step, ...]) -> tuple[State, list[str]]:
    """The state after the interactions of a witness, with getting around in between."""
    names: dict[tuple[str, str | None], list[str]]
    names = {(action.rule, action.gain): [] for action in task.actions if action.rule}
    for action in task.actions:
        if action.rule:
            names[action.rule, action.gain].append(action.name)
    state, plan = walk(task, of, of.start), []
    for step in witness:
        for _ in range(step.times):
            possible = [
                (schema, bound)
                for name in names[step.rule, step.gain]
                for schema in of.schemas.values()
                if schema.name == name or schema.name.startswith(name + FULL)
                for bound in of.bindings(schema, state)
            ]
            assert possible, (step, plan)
            schema, bound = min(possible, key=lambda found: (found[0].name, *found[1].values()))
            state = walk(task, of, of.after(schema, bound, state))
            plan.append(f"({' '.join((schema.name, *bound.values()))})")
    return state, plan


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", bundled_worlds())
def test_witnesses_are_plans_of_that_cost(name: str, form: PddlForm) -> None:
    world, proof = proved(name)
    levels = ReachabilityModel(world).certainties
    for achievement in ("collect_diamond", "make_iron_sword", "eat_plant"):
        witness = proof.achievements[achievement].witness
        task = planning_task(world, [achievement], levels[achievement])
        of = game(task, form)
        state, plan = carry_out(task, of, witness)
        assert of.reached(state), (achievement, plan)
        assert state.numbers[("total-cost",)] == proof.achievements[achievement].interactions
        assert task.steps(plan) == witness


@pytest.mark.parametrize("form", FORMS)
def test_witnesses_of_a_world_that_adds_names_are_plans(form: PddlForm) -> None:
    proof = mars_logic.prove(FOUND)
    for achievement in FOUND.achievements[22:]:
        verdict = proof.achievements[achievement]
        assert verdict.certainty is not None
        task = planning_task(FOUND, [achievement], verdict.certainty)
        of = game(task, form)
        state, plan = carry_out(task, of, verdict.witness)
        assert of.reached(state) and task.steps(plan) == verdict.witness
        assert state.numbers[("total-cost",)] == verdict.interactions


PREY = """\
name: prey
base: default
goals: [collect_pelt, make_coat, kill_wolf]
adds:
  items: [pelt, spear, coat]
  creatures: {wolf: {health: 4, ground: [grass], comes: {ground: grass, night: 2}}}
  needs: [warmth]
creature: {wolf: {approaches: true, attacks: true, attack_health_factor: -1}}
hunt: {wolf: {yields: {pelt: 1}, requires: {spear: 1}}}
make: {spear: {uses: {wood: 2}, nearby: [table]}, coat: {uses: {pelt: 2}, nearby: [table]}}
need: {warmth: {every: 30}}
"""


@pytest.mark.parametrize("form", FORMS)
def test_witnesses_of_a_world_with_hunting_and_needs_are_plans(form: PddlForm) -> None:
    world = parse_theory(PREY, "prey.yaml").to_world()
    proof = mars_logic.prove(world)
    for achievement in world.achievements:
        verdict = proof.achievements[achievement]
        assert verdict.certainty is not None
        task = planning_task(world, [achievement], verdict.certainty)
        of = game(task, form)
        state, plan = carry_out(task, of, verdict.witness)
        assert of.reached(state) and task.steps(plan) == verdict.witness
        assert state.numbers[("total-cost",)] == verdict.interactions
        start = walk(task, of, of.start)
        assert not list(of.bindings(of.schemas["kill-wolf"], start))


@pytest.mark.parametrize("form", FORMS)
def test_a_goal_is_not_reached_without_what_it_takes(form: PddlForm) -> None:
    task = planning_task(mars_logic.load_world("default"), ["collect_diamond"])
    of = game(task, form)
    state = walk(task, of, of.start)
    assert not of.reached(state)
    for name in ("collect-stone", "collect-diamond", "make-iron_pickaxe", "place-table"):
        assert not list(of.bindings(of.schemas[name], state)), name


def test_mountains_open_once_stone_is_collected() -> None:
    task = planning_task(mars_logic.load_world("default"))
    of = game(task, PddlForm.numeric)
    before, _ = carry_out(task, of, (Step("collect.tree", 3), Step("place.table", 1)))
    assert ("found", "diamond-cell") not in before.atoms
    steps = (Step("collect.tree", 3), Step("place.table", 1), Step("make.wood_pickaxe", 1))
    after, _ = carry_out(task, of, (*steps, Step("collect.stone", 1)))
    assert ("found", "diamond-cell") in after.atoms
    edges = {row[:2]: int(row[2]) for row in ReachabilityModel(task.world).relations["edge"]}
    assert after.numbers["cells", "iron-cell"] == edges["coalfield", "iron"]


def test_what_is_more_than_can_be_held_is_lost() -> None:
    task = planning_task(mars_logic.load_world("default"), ["collect_wood"])
    of = game(task, PddlForm.numeric)
    state, plan = carry_out(task, of, (Step("collect.tree", 10),))
    assert state.numbers["held", "wood"] == 9
    assert plan[-1] == "(collect-tree-full-of-wood)"
    assert task.steps(plan) == (Step("collect.tree", 10),)


@pytest.mark.long
def test_a_task_may_be_about_a_map() -> None:
    from mars_logic.sim import generate_map

    world = mars_logic.load_world("default")
    found = generate_map(world, 3)
    given = {"area": found.materials, "creatures": found.creatures}
    reachability = ReachabilityModel(world, map_facts(**given))
    witness = Witnesses(reachability).find("make_stone_pickaxe", "sure")
    assert witness is not None
    task = planning_task(world, ["make_stone_pickaxe"], "sure", map_seed=3, **given)
    of = game(task, PddlForm.numeric)
    state, plan = carry_out(task, of, witness.steps)
    assert of.reached(state)
    check(world, "make_stone_pickaxe", task.steps(plan))


def test_the_task_is_the_same_every_time() -> None:
    world = mars_logic.load_world("all_three")
    one, other = (planning_task(world) for _ in range(2))
    for form in FORMS:
        assert domain_text(one, form) == domain_text(other, form)
        assert problem_text(one, form) == problem_text(other, form)


def test_collecting_what_kills_ends_a_plan() -> None:
    world = mars_logic.load_world("default")
    lava = world["collect.lava"].model_copy(update={"yields": world["collect.coal"].yields})
    drink = world["drink.lava"].model_copy(update={"health": -9})
    task = planning_task(world.with_rules(lava, drink), ["wake_up"])
    deadly = next(action for action in task.actions if action.name == "collect-lava")
    assert ("alive",) in deadly.deletes
    assert ("unlocked", "collect_coal") in deadly.adds
    interactions = [action for action in task.actions if action.rule]
    assert all(("alive",) in action.needs for action in interactions)


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("collect_daimond", "did you mean 'collect_diamond'"),
        ("collect_diamond", "not proved reachable"),
    ],
)
def test_goals_have_to_be_reachable(goal: str, said: str) -> None:
    world = mars_logic.load_world("default")
    empty = world["collect.diamond"].model_copy(update={"yields": {}})
    with pytest.raises(InputError, match=said):
        planning_task(world.with_rules(empty), [goal])


def test_plans_of_other_domains_are_refused() -> None:
    task = planning_task(mars_logic.load_world("default"))
    with pytest.raises(InputError, match="plan:2: there is no action 'stack'"):
        task.steps(["(collect-tree n0 n1)", "(stack a b)"])
