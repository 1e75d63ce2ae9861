"""Strength for ways that take health, and the way back from them."""

from __future__ import annotations

from mars_logic.plan.shelter import cheapest
from mars_logic.plan.skills import Skill
from mars_logic.plan.sources import nearest_healing
from mars_logic.plan.survive import Survival
from mars_logic.plan.world_model import NOOP
from mars_logic.world.rules import Walk
from mars_logic.world.theory import World
from tests.plan.scenes import heals, only, situation

SAND_HURTS = Walk(subject="sand", walkable=True, health=-1)


def hurts_and_heals() -> World:
    """Sand hurts, path heals."""
    return heals("path").with_rules(SAND_HURTS)


def test_nobody_goes_for_health_over_ground_that_takes_nearly_all_of_it() -> None:
    for health, goes in ((5, False), (6, True)):
        here = situation("@::::__", hurts_and_heals(), health=health)
        assert (nearest_healing(here) is not None) is goes
        assert (cheapest(here, [Skill("there", NOOP, None, only(5, 0))]) is not None) is goes


def test_only_who_starves_goes_for_food_over_ground_that_takes_nearly_all_health() -> None:
    for food, goes in ((2, False), (0, True)):
        here = situation("@:::::C", hurts_and_heals(), health=6, food=food)
        assert (Survival().needs(here) is not None) is goes


def test_ground_that_heals_is_no_reason_to_turn_back() -> None:
    world = heals("path")
    assert Survival().needs(situation("@_____", world, health=6)) is None
    assert Survival().needs(situation("@_____", world, ground="_", health=6)) is not None
