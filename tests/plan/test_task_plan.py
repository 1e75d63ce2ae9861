from __future__ import annotations

from collections import Counter

import pytest

from mars_logic import load_world
from mars_logic.plan.observed_map import ObservedMap
from mars_logic.plan.task_plan import Task, TaskPlan, make_plan
from mars_logic.sim import Simulator
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import Collect, Make, Place
from mars_logic.world.theory import Theory, World
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from tests.plan.scenes import observed_map

FEWEST = {
    "crafter": 37,
    "default": 37,
    "terrain": 37,
    "survival": 37,
    "task_dep": 36,
    "terr_task": 39,
    "surv_task": 39,
    "all_three": 37,
}


def complete_map(world: World, seed: int) -> ObservedMap:
    simulator = Simulator(world)
    simulator.reset(seed)
    return ObservedMap.from_state(simulator.state(), world.dynamics)


def carry_out(world: World, plan: TaskPlan, held: dict[str, int]) -> Counter[str]:
    """Apply a plan in the abstract, checking that needs are met; return what is held then."""
    have = Counter(held)
    for target in plan.targets:
        if target.rule == "sleep" or target.rule.startswith("creature"):
            continue
        rule = world[target.rule]
        for _ in range(target.times):
            needs = rule.requires if isinstance(rule, Collect) else rule.uses  # type: ignore[attr-defined]
            assert all(have[item] >= amount for item, amount in needs.items()), target
            if isinstance(rule, Collect):
                for item, given in rule.yields.items():
                    if given.probability in (None, 1) or item == target.gain:
                        have[item] = min(9, have[item] + given.amount)
            else:
                assert isinstance(rule, Place | Make)
                have.subtract(dict(rule.uses))
                if isinstance(rule, Make):
                    have[rule.subject] += rule.gives
    return have


@pytest.mark.parametrize("name", list(FEWEST))
def test_plans_are_optimal_and_their_order_can_be_carried_out(name: str) -> None:
    world = load_world(name)
    seen = complete_map(world, 1)
    plan = make_plan(world, seen, {})
    assert plan.ordered
    if not plan.given_up:
        assert sum(plan.amounts.values()) == FEWEST[name]
    carry_out(world, plan, {})


def test_nothing_is_done_that_is_done_already() -> None:
    world = load_world("default")
    seen = complete_map(world, 1)
    done = ("collect_wood", "place_table", "make_wood_pickaxe", "wake_up")
    plan = make_plan(world, seen, {"wood_pickaxe": 1}, done)
    rules = {target.rule for target in plan.targets}
    assert "make.wood_pickaxe" not in rules and "sleep" not in rules
    assert "place.table" in rules  # none stands on this map
    assert set(plan.goals) == set(world.achievements) - set(done)


def test_a_table_that_stands_is_used() -> None:
    world = load_world("default")
    seen = observed_map("@.T\n.t.\n...")
    plan = make_plan(world, seen, {}, goals=["make_wood_pickaxe"])
    assert plan.targets == (Task("collect.tree"), Task("make.wood_pickaxe"))


def test_a_plant_that_stands_is_only_eaten() -> None:
    seen = observed_map("@.T\n.p.\n...")
    plan = make_plan(load_world("default"), seen, {}, goals=["collect_wood", "eat_plant"])
    assert set(plan.targets) == {Task("collect.tree"), Task("creature.plant")}
    assert plan.ordered


def test_what_is_held_counts() -> None:
    world = load_world("default")
    seen = complete_map(world, 1)
    empty = make_plan(world, seen, {})
    held = {"wood": 5, "stone": 4}
    plan = make_plan(world, seen, held)
    assert sum(plan.amounts.values()) == sum(empty.amounts.values()) - 9
    carry_out(world, plan, held)


def test_what_cannot_be_reached_is_given_up() -> None:
    world = load_world("default")
    plan = make_plan(world, observed_map("@.\n.T"), {}, goals=["collect_wood", "collect_diamond"])
    assert plan.goals == ("collect_wood",)
    assert plan.given_up == ("collect_diamond",)
    nothing = make_plan(world, observed_map("@."), {}, goals=["collect_diamond"])
    assert nothing.targets == () and nothing.given_up == ("collect_diamond",)


def test_what_a_step_did_is_crossed_off() -> None:
    plan = TaskPlan((Task("collect.tree", 2), Task("place.table")))
    once = plan.without("collect.tree", None)
    assert once.targets == (Task("collect.tree", 1), Task("place.table"))
    assert once.without("collect.tree", None).targets == (Task("place.table"),)
    assert plan.without("collect.iron", None) == plan


def test_a_belief_may_be_uncertain() -> None:
    world = load_world("default")
    tree = world.collect["tree"]
    unsure = Alternatives.of([(tree.requires, 0.4), (FrozenMap({"iron_pickaxe": 1}), 0.6)])
    doubtful = [
        tree.model_copy(update={"requires": unsure}),
        world.collect["iron"].model_copy(update={"leaves": UNKNOWN}),
    ]
    belief = Theory.from_world(world).with_rules(*doubtful)
    plan = make_plan(belief, complete_map(world, 1), {}, goals=["collect_wood"])
    assert plan.given_up == ("collect_wood",)  # a tree needs a pickaxe that needs wood


def test_plans_are_the_same_every_time() -> None:
    world = load_world("all_three")
    seen = complete_map(world, 5)
    held = {"iron": 2, "stone": 1}
    assert make_plan(world, seen, held) == make_plan(world, seen, held)


def test_creatures_in_sight_are_hunted_even_if_nobody_can_count_on_them() -> None:
    default = load_world("default")
    deadly = default.walk["lava"]
    assert deadly.deadly
    seen = observed_map("LLLLL\nL@L.C\nLLLLL")
    plan = make_plan(default, seen, {}, goals=["kill_cow"])
    assert plan.given_up == ("kill_cow",)
    assert plan.targets == (Task("creature.cow"),)
