from __future__ import annotations

from dataclasses import replace

import pytest

from mars_logic import load_world
from mars_logic.plan.itinerary import Itinerary, ScheduledTask
from mars_logic.plan.observed_map import ObservedMap
from mars_logic.plan.task_plan import Task, TaskPlan
from mars_logic.plan.task_queue import PATIENCE, TaskQueue, _stranded, _usable, together
from mars_logic.plan.world_model import CODE
from mars_logic.world.rules import Walk
from mars_logic.world.theory import Theory
from tests.plan.scenes import at, situation

WOOD = Task("collect.tree")


def test_a_cell_that_takes_health_to_get_to_is_exchanged_for_a_cheaper_one() -> None:
    far = at(6, 0)
    nothing: frozenset[str] = frozenset()
    for hurts, cell in ((False, far), (True, None)):
        sand = Walk(subject="sand", walkable=True, health=-1 if hurts else 0)
        here = situation("T@::::T", load_world("default").with_rules(sand), facing=(-1, 0))
        queue = TaskQueue(here.model.world, here.model, None)
        queue.plan = TaskPlan((WOOD,))
        queue._itinerary = Itinerary(
            (ScheduledTask(WOOD, far),), 9, 9, nothing, nothing, nothing, True
        )
        found = next(queue.next(here))
        assert (found.cell, found.way.harm) == (cell, 0)
        assert found.way.first == (5 if hurts else 2)


def test_a_plan_with_a_plant_counts_on_planting_again() -> None:
    for dialect, more in (("default", 15), ("crafter", 150)):
        world = load_world(dialect)
        here = situation("@....", world)
        steps = []
        for targets in ((WOOD,), (WOOD, Task("creature.plant"))):
            queue = TaskQueue(world, here.model, None)
            queue.plan = TaskPlan(targets)
            none: frozenset[str] = frozenset()
            queue._itinerary = Itinerary(
                (ScheduledTask(WOOD, None),), 40, 60, none, none, none, True
            )
            steps.append(queue.ahead(here))
        assert steps[1] - steps[0] == more


def test_no_plan_takes_longer_than_the_episode() -> None:
    for step, left in ((500, 500), (960, 40)):
        here = situation("@....", step=step)
        assert TaskQueue(here.model.world, here.model, None).ahead(here) == left


def test_what_was_planted_and_lost_is_planted_again() -> None:
    """All is as it was when the plan was made; but that was carried out."""
    world = load_world("default")
    done = ("collect_sapling", "place_plant")
    queue = TaskQueue(world, situation("@..").model, ("eat_plant",))
    steps = (("@..", 20, 0), ("@..", 21, 1), ("@p.", 22, 0), ("@p.", 30, 0), ("@..", 40, 0))
    for rows, step, saplings in steps:
        here = situation(rows, step=step, sapling=saplings, unlocked=done, facing=(1, 0))
        queue.update(here)
        queue.current = queue.targets[0]
        if step == 30:
            assert [target.rule for target in queue.targets] == ["creature.plant"]
    rules = [target.rule for target in queue.targets]
    assert rules == ["collect.grass", "place.plant", "creature.plant"]


def test_who_is_delayed_too_long_is_late() -> None:
    world = load_world("default")
    none: frozenset[str] = frozenset()
    for step, late in ((700, False), (750, True)):
        here = situation("@....", world, step=step)
        queue = TaskQueue(world, here.model, None)
        queue.plan = TaskPlan((WOOD,))
        queue._itinerary = Itinerary((ScheduledTask(WOOD, None),), 40, 60, none, none, none, True)
        queue._routed_at = step
        assert queue.late(here, 0) is False
        assert queue.late(here, 100) is late


def test_where_nothing_can_be_done_what_is_at_hand_is_planned_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A plan that counts on what nobody can get to as things are is made without that."""

    def plan(_: Theory, seen: ObservedMap, *_about: object) -> TaskPlan:
        there = (seen.materials == CODE["diamond"]).any()
        return TaskPlan((Task("collect.diamond" if there else "collect.grass"),))

    monkeypatch.setattr("mars_logic.plan.task_queue.make_plan", plan)
    here = situation("....LLL\n.@..LdL\n....LLL", iron_pickaxe=1)
    queue = TaskQueue(here.model.world, here.model, None)
    queue.update(here)
    assert [target.rule for target in queue.targets] == ["collect.diamond"]
    assert not list(queue.next(here))
    later = replace(here, status=replace(here.status, step=here.status.step + PATIENCE))
    later.seen.materials[at(0, 0)] = CODE["sand"]
    assert queue.rethink(later)
    assert [target.rule for target in queue.targets] == ["collect.grass"]
    assert list(queue.next(later))


def test_a_station_that_is_of_no_use_is_planned_for_anew() -> None:
    default = load_world("default")
    dear = default.with_rules(default.place["table"].model_copy(update={"uses": {"wood": 4}}))

    def stations(rows: str, useless: frozenset[str] = frozenset()) -> set[str]:
        materials = _usable(situation(rows, dear, wood=9), useless).materials
        return {thing for thing in ("table", "furnace") if (materials == CODE[thing]).any()}

    assert len(stations("t.@.f")) == 1  # apart, they serve no tool for which both are needed
    assert stations("tf@..\n.....") == {"table", "furnace"}
    assert stations("t~.@..") == set()  # it cannot be reached
    assert stations("t.@...", frozenset({"table"})) == set()


def test_a_station_is_stranded_where_no_other_can_be_placed_beside_it() -> None:
    default = load_world("default")
    table = default.place["table"].model_copy(update={"where": ("sand",)})
    here = situation("f@.....:.", default.with_rules(table), wood=9)
    targets = (Task("place.table"), Task("make.iron_pickaxe"))
    assert _stranded(here, targets, together(here.model, targets)) == {"furnace"}
    assert not _stranded(
        situation("f@.......\n.........", wood=9), targets, together(here.model, targets)
    )
