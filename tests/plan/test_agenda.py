from __future__ import annotations

from dataclasses import replace

import pytest

from mars_logic import load_world
from mars_logic.plan.abstract import AbstractPlan, Target
from mars_logic.plan.agenda import PATIENCE, Agenda
from mars_logic.plan.ground import Situation
from mars_logic.plan.itinerary import Itinerary, Stop
from mars_logic.plan.lore import CODE
from mars_logic.plan.progress import grounds
from mars_logic.plan.seen import SeenMap
from mars_logic.world.rules import Walk
from mars_logic.world.theory import Theory
from tests.plan.scenes import at, situation

WOOD = Target("collect.tree")


def test_a_cell_that_takes_health_to_get_to_is_exchanged_for_a_cheaper_one() -> None:
    far = at(6, 0)
    nothing: frozenset[str] = frozenset()
    for hurts, cell in ((False, far), (True, None)):
        sand = Walk(subject="sand", walkable=True, health=-1 if hurts else 0)
        here = situation("T@::::T", load_world("default").with_rules(sand), facing=(-1, 0))
        agenda = Agenda(here.lore.world, here.lore, None)
        agenda.plan = AbstractPlan((WOOD,))
        agenda._itinerary = Itinerary((Stop(WOOD, far),), 9, 9, nothing, nothing, nothing, True)
        found = next(agenda.next(here))
        assert (found.cell, found.way.harm) == (cell, 0)
        assert found.way.first == (5 if hurts else 2)


def test_a_plan_with_a_plant_counts_on_planting_again() -> None:
    for dialect, more in (("default", 15), ("crafter", 150)):
        world = load_world(dialect)
        here = situation("@....", world)
        steps = []
        for targets in ((WOOD,), (WOOD, Target("creature.plant"))):
            agenda = Agenda(world, here.lore, None)
            agenda.plan = AbstractPlan(targets)
            none: frozenset[str] = frozenset()
            agenda._itinerary = Itinerary((Stop(WOOD, None),), 40, 60, none, none, none, True)
            steps.append(agenda.ahead(here))
        assert steps[1] - steps[0] == more


def test_no_plan_takes_longer_than_the_episode() -> None:
    for step, left in ((500, 500), (960, 40)):
        here = situation("@....", step=step)
        assert Agenda(here.lore.world, here.lore, None).ahead(here) == left


def test_what_was_planted_and_lost_is_planted_again() -> None:
    """All is as it was when the plan was made; but that was carried out."""
    world = load_world("default")
    done = ("collect_sapling", "place_plant")
    agenda = Agenda(world, situation("@..").lore, ("eat_plant",))
    steps = (("@..", 20, 0), ("@..", 21, 1), ("@p.", 22, 0), ("@p.", 30, 0), ("@..", 40, 0))
    for rows, step, saplings in steps:
        here = situation(rows, step=step, sapling=saplings, unlocked=done, facing=(1, 0))
        agenda.update(here)
        agenda.current = agenda.targets[0]
        if step == 30:
            assert [target.rule for target in agenda.targets] == ["creature.plant"]
    rules = [target.rule for target in agenda.targets]
    assert rules == ["collect.grass", "place.plant", "creature.plant"]


def test_who_is_delayed_too_long_is_late() -> None:
    world = load_world("default")
    none: frozenset[str] = frozenset()
    for step, late in ((700, False), (750, True)):
        here = situation("@....", world, step=step)
        agenda = Agenda(world, here.lore, None)
        agenda.plan = AbstractPlan((WOOD,))
        agenda._itinerary = Itinerary((Stop(WOOD, None),), 40, 60, none, none, none, True)
        agenda._routed_at = step
        assert agenda.late(here, 0) is False
        assert agenda.late(here, 100) is late


def test_a_station_found_stranded_is_reason_enough_to_plan_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    default = load_world("default")
    table = default.place["table"].model_copy(update={"where": ("sand",)})
    here = situation("f@.....:.", default.with_rules(table), wood=9)
    agenda = Agenda(here.lore.world, here.lore, None)
    planned: list[tuple[frozenset[str], bool]] = []

    def replan(
        here: Situation, useless: frozenset[str] = frozenset(), *, at_hand: bool = False
    ) -> bool:
        planned.append((useless, at_hand))
        agenda._useless, agenda._planned_for = useless, grounds(here)
        agenda._planned_at = here.status.step
        agenda.plan = AbstractPlan((Target("place.table"), Target("make.iron_pickaxe")))
        return True

    monkeypatch.setattr(agenda, "_replan", replan)
    agenda.update(here)
    assert not list(agenda.next(here))  # a table belongs beside the furnace, where no sand is
    assert agenda.rethink(here)
    assert not agenda.rethink(here)  # nothing has changed since
    assert planned == [(frozenset(), False), ({"furnace"}, False), ({"furnace"}, True)]


def test_where_nothing_can_be_done_what_is_at_hand_is_planned_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A plan that counts on what nobody can get to as things are is made without that."""

    def plan(_: Theory, seen: SeenMap, *_about: object) -> AbstractPlan:
        there = (seen.materials == CODE["diamond"]).any()
        return AbstractPlan((Target("collect.diamond" if there else "collect.grass"),))

    monkeypatch.setattr("mars_logic.plan.agenda.make_plan", plan)
    here = situation("....LLL\n.@..LdL\n....LLL", iron_pickaxe=1)
    agenda = Agenda(here.lore.world, here.lore, None)
    agenda.update(here)
    assert [target.rule for target in agenda.targets] == ["collect.diamond"]
    assert not list(agenda.next(here))
    later = replace(here, status=replace(here.status, step=here.status.step + PATIENCE))
    later.seen.materials[at(0, 0)] = CODE["sand"]
    assert agenda.rethink(later)
    assert [target.rule for target in agenda.targets] == ["collect.grass"]
    assert list(agenda.next(later))
