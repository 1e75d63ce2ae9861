"""Strength for ways that take health, and the way back from them."""

from __future__ import annotations

from mars_logic import load_world
from mars_logic.plan.planner import Planner
from mars_logic.plan.risk import LOST, Strength, bears, harm_back, returns
from mars_logic.plan.shelter import cheapest
from mars_logic.plan.skills import Skill
from mars_logic.plan.sources import nearest_healing
from mars_logic.plan.survive import Survival
from mars_logic.plan.world_model import NOOP
from mars_logic.world.rules import Collect, Walk, Yield
from mars_logic.world.theory import World
from tests.plan.scenes import at, heals, only, situation

LEFT = 1
SAND_HURTS = Walk(subject="sand", walkable=True, health=-1)


def test_strength_is_gathered_for_a_way_that_takes_health() -> None:
    assert Strength().gather(situation("@...", health=5), harm=0) is None
    assert Strength().gather(situation("@...", health=5), harm=2) is None
    assert Strength().gather(situation("@...", health=4), harm=2) == NOOP
    assert Strength().gather(situation("@...", health=4, food=0), harm=2) is None


def test_who_has_to_get_stronger_goes_to_ground_that_heals() -> None:
    rows = "@..___"
    assert Strength().gather(situation(rows, health=4), harm=3) == NOOP
    assert Strength().gather(situation(rows, heals("path"), health=4), harm=3) == 2
    far = "@" + "." * 40 + "___"
    assert Strength().gather(situation(far, heals("path"), health=5), harm=3) == NOOP


def hurts_and_heals() -> World:
    """Sand hurts, path heals."""
    return heals("path").with_rules(SAND_HURTS)


def test_nobody_goes_over_ground_that_hurts_to_where_there_is_no_way_back_from() -> None:
    rows = "__:@::::::t"
    near, far = at(6, 0), at(9, 0)
    strength = Strength()
    for health, harm, end, goes in ((8, 3, near, True), (7, 3, near, False), (9, 6, far, False)):
        here = situation(rows, hurts_and_heals(), health=health)
        action = strength.gather(here, harm, end)
        assert (action is None) is goes, (health, harm)
        assert goes or action == LEFT
    there = situation("_@:::::::t", hurts_and_heals(), ground="_")
    assert strength.gather(there, 7, at(8, 0)) is None  # more strength is not to be had
    under_way = situation("__@::::::t", hurts_and_heals(), health=8)
    assert strength.gather(under_way, 6, at(8, 0)) is None


def test_nobody_sets_out_first_for_what_it_does_not_get_back_from() -> None:
    here = situation("__:@::::::t", hurts_and_heals(), health=4)
    for column, goes in ((6, True), (9, False)):
        way = here.routes.reach(None, only(column, 0))
        assert way.end == at(column, 0)
        assert returns(here, way) is goes
    assert returns(here, here.routes.reach(None, only(3, 0)))
    everywhere = situation("..:@::::::t", load_world("default").with_rules(SAND_HURTS))
    assert returns(everywhere, everywhere.routes.reach(None, only(9, 0)))  # it heals nowhere


def test_the_way_back_is_counted_in_health() -> None:
    back = harm_back(situation("__:@::#t", hurts_and_heals()))
    assert back is not None
    assert [int(back[at(column, 0)]) for column in range(6)] == [0, 0, 0, 1, 1, 2]
    assert back[at(7, 0)] >= LOST
    assert harm_back(situation("@..")) is None


def test_nobody_goes_for_health_over_ground_that_takes_nearly_all_of_it() -> None:
    for health, goes in ((5, False), (6, True)):
        here = situation("@::::__", hurts_and_heals(), health=health)
        assert (nearest_healing(here) is not None) is goes
        assert (cheapest(here, [Skill("there", NOOP, None, only(5, 0))]) is not None) is goes


def test_only_who_starves_goes_for_food_over_ground_that_takes_nearly_all_health() -> None:
    for food, goes in ((2, False), (0, True)):
        here = situation("@:::::C", hurts_and_heals(), health=6, food=food)
        assert (Survival().needs(here) is not None) is goes


def test_a_way_that_takes_health_is_not_begun_too_weak_for_what_is_near() -> None:
    assert Strength().gather(situation("@........", health=5), harm=2) is None
    assert Strength().gather(situation("@......Z.", health=5), harm=2) == NOOP


def test_ground_that_heals_is_no_reason_to_turn_back() -> None:
    world = heals("path")
    assert Survival().needs(situation("@_____", world, health=6)) is None
    assert Survival().needs(situation("@_____", world, ground="_", health=6)) is not None


def test_who_set_out_with_all_its_strength_does_not_turn_back_half_way() -> None:
    strength, rows = Strength(), "@...."
    assert strength.gather(situation(rows, health=8), harm=7) == NOOP
    for health, harm in ((9, 7), (8, 6), (5, 3)):
        assert strength.gather(situation(rows, health=health), harm=harm) is None
    assert strength.gather(situation(rows, health=3), harm=3) == NOOP  # it was hurt


def test_who_bears_a_way_and_the_way_back_does_not_turn_round_for_health() -> None:
    for health, goes in ((7, True), (6, False)):
        here = situation("__@:::t", hurts_and_heals(), ground="_", health=health)
        assert bears(here, here.routes.reach(None, only(5, 0))) is goes
    shot_at = situation("__@:::t", hurts_and_heals(), ground="_", health=7)
    assert not bears(shot_at, shot_at.routes.reach(None, only(5, 0)), more=1)
    nowhere = situation("@::t", load_world("default").with_rules(SAND_HURTS))
    assert not bears(nowhere, nowhere.routes.reach(None, only(1, 0)))  # it heals nowhere
    for food, goes in ((9, True), (0, False)):  # who starves loses more on a long way
        rows = "_@" + "_" * 17 + ":::t"
        far = situation(rows, hurts_and_heals(), ground="_", health=7, food=food)
        assert bears(far, far.routes.reach(None, only(21, 0))) is goes


def test_needs_let_who_bears_its_way_go_but_heal_its_fill_once_they_began() -> None:
    away = situation("__@:t", hurts_and_heals(), ground=":", health=5, food=0)
    assert Survival().needs(away) == ("health: ground that heals", LEFT)
    assert Survival().needs(away, bears=True) is None
    survival = Survival()
    assert survival.needs(away) is not None
    assert survival.needs(away, bears=True) is not None


def test_the_planner_finishes_what_it_set_out_for_with_enough_health() -> None:
    tree = Collect(subject="tree", yields={"wood": Yield(amount=1)}, leaves="tree")
    world = hurts_and_heals().with_rules(tree)
    for health, about in ((5, "collect.tree"), (1, "health: ground that heals")):
        here = situation("__@T", world, ground=":", facing=(1, 0), health=health, food=0)
        planner = Planner(world, goals=("collect_wood",))
        assert planner.decide(here.seen, here.status).about == about
