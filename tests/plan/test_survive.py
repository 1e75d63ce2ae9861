from __future__ import annotations

from dataclasses import replace
from typing import Any

from mars_logic import load_world
from mars_logic.plan.ground import Situation
from mars_logic.plan.lore import DO, NOOP, SLEEP, Effect, Lore
from mars_logic.plan.shelter import cheapest, enclosed, sheltering
from mars_logic.plan.sources import keeps
from mars_logic.plan.survive import Survival
from mars_logic.world.rules import Creature, Drink
from tests.plan.scenes import situation

NIGHT = 200


def test_it_hits_back_at_what_strikes_and_leaves_others_alone() -> None:
    survival = Survival()
    assert survival.reflex(situation("@Z", facing=(1, 0))) == ("fight zombie", DO)
    assert survival.reflex(situation("@Z", facing=(0, 1))) == ("fight zombie", 2)
    assert survival.reflex(situation("@C", facing=(1, 0))) is None
    assert survival.reflex(situation("@.Z", facing=(1, 0))) is None


def test_who_is_harmless_is_a_matter_of_belief() -> None:
    survival = Survival()
    assert survival.reflex(situation("@Z", "all_three", facing=(1, 0))) is None  # its blow heals
    assert survival.reflex(situation("@C", "surv_task", facing=(1, 0))) == ("fight cow", DO)


def test_it_drinks_when_thirsty_from_what_is_believed_to_help() -> None:
    survival = Survival()
    rows = "@...~"
    assert survival.needs(situation(rows)) is None
    assert survival.needs(situation(rows, drink=2)) == ("drink: collect.water", 2)
    poison = load_world("default").with_rules(Drink(subject="water", drink=-2))
    assert Survival().needs(situation(rows, poison, drink=2)) is None


def test_it_eats_what_is_believed_to_feed() -> None:
    rows = "@..C"
    assert Survival().needs(situation(rows, food=2)) == ("food: creature.cow", 2)
    harmless = load_world("default").with_rules(Creature(subject="cow", eatable=False))
    assert Survival().needs(situation(rows, harmless, food=2)) is None


def test_a_sip_by_the_way() -> None:
    assert Survival().needs(situation("@~", facing=(1, 0), drink=6)) is not None
    assert Survival().needs(situation("@......~", drink=6)) is None


def test_it_gets_first_what_drinking_requires() -> None:
    # In surv_task, water and lava take a held sapling, which sand yields.
    choice = Survival().needs(situation("@:..L", "surv_task", facing=(1, 0), drink=1))
    assert choice == ("drink: collect.lava by collect.sand", DO)
    assert keeps(Lore(load_world("surv_task"))) == {"sapling": 1}
    assert keeps(Lore(load_world("default"))) == {}


def test_it_naps_by_day_if_nothing_is_near() -> None:
    assert Survival().rest(situation("@....", energy=8), wanted=True) == ("sleep", SLEEP)
    assert Survival().rest(situation("@....", energy=8), wanted=False) is None
    assert Survival().rest(situation("@....", energy=9), wanted=True) is None
    assert Survival().rest(situation("@...Z", energy=8), wanted=True) is None


def night(rows: str, **amounts: Any) -> Situation:
    here = situation(rows, step=NIGHT, **amounts)
    return replace(here, status=replace(here.status, daylight=0.1))


def test_a_closed_cell_is_a_shelter() -> None:
    assert enclosed(situation("###\n#@#\n###"))
    assert not enclosed(situation("###\n#@.\n###"))
    assert not enclosed(situation("####\n#@Z#\n####"))


def test_it_closes_the_last_opening() -> None:
    here = situation("####...\n#.@....\n####...", facing=(1, 0), stone=1, wood_pickaxe=1)
    found = cheapest(here, sheltering(here))
    assert found is not None and found[1:] == ("shelter", 7)


def test_it_digs_in_where_there_is_rock() -> None:
    here = situation(".#####\n@#####\n.#####", facing=(1, 0), wood_pickaxe=1)
    found = cheapest(here, sheltering(here))
    assert found is not None and found[1:] == ("burrow", DO)
    assert sheltering(situation(".#####\n@#####\n.#####", facing=(1, 0))) == []


def in_a_hut(around: str) -> str:
    """A closed cell in the middle of 15 by 15 cells of some ground."""
    row = around * 15 + "\n"
    side = around * 6
    return row * 6 + f"{side}###{side}\n{side}#@#{side}\n{side}###{side}\n" + row * 6


def test_the_night_is_spent_in_shelter_where_many_zombies_come() -> None:
    here = night(in_a_hut("."), wood_pickaxe=1)
    assert Survival().rest(here, wanted=False) == ("rest", NOOP)
    tired = night(in_a_hut("."), wood_pickaxe=1, energy=7)
    assert Survival().rest(tired, wanted=False) == ("sleep", SLEEP)


def test_the_night_is_not_waited_for_where_few_come_or_little_is_left_to_do() -> None:
    sword = {"wood_pickaxe": 1, "stone_sword": 1}
    assert Survival().rest(night(in_a_hut("_"), **sword), wanted=False) is None
    assert Survival().rest(night(in_a_hut("."), **sword), wanted=False, ahead=20) is None
    weak = night(in_a_hut("_"), health=5, **sword)
    assert Survival().rest(weak, wanted=False) == ("rest", NOOP)


def test_who_hid_goes_on_only_when_strong_again() -> None:
    def with_health(health: int) -> Situation:
        return night(in_a_hut("_"), health=health, wood_pickaxe=1, stone_sword=1)

    survival = Survival()
    assert survival.rest(with_health(6), wanted=False) is None
    assert survival.rest(with_health(5), wanted=False) == ("rest", NOOP)
    assert survival.rest(with_health(6), wanted=False) == ("rest", NOOP)
    assert survival.rest(with_health(9), wanted=False) is None


def test_what_it_faces_is_struck_first() -> None:
    here = situation(".Z.\n.@Z\n...", facing=(1, 0))
    assert Survival().reflex(here) == ("fight zombie", DO)
    assert Survival().reflex(situation(".Z.\n.@Z\n...", facing=(0, -1))) == ("fight zombie", DO)


def test_nobody_strikes_what_costs_more_to_kill_than_there_is() -> None:
    world = load_world("default")
    zombie = world.creature["zombie"].model_copy(update={"eatable": True, "eaten_food_factor": -1})
    assert isinstance(zombie, Creature)
    dear = world.with_rules(zombie)
    assert Survival().reflex(situation("@Z", dear, facing=(1, 0), food=5)) is None


def test_nobody_dozes_in_the_open_who_would_not_survive_being_woken() -> None:
    weak = situation("@....", energy=8, health=7)
    assert Survival().rest(weak, wanted=True) is None
    exhausted = situation("@....", energy=0, health=4)
    assert Survival().rest(exhausted, wanted=False) == ("sleep", SLEEP)


def test_strength_is_gathered_for_a_way_that_takes_health() -> None:
    assert Survival().gather_strength(situation("@...", health=5), harm=0) is None
    assert Survival().gather_strength(situation("@...", health=5), harm=2) is None
    assert Survival().gather_strength(situation("@...", health=4), harm=2) == NOOP
    assert Survival().gather_strength(situation("@...", health=4, food=0), harm=2) is None


def test_what_lasts_until_it_is_light_is_not_gone_for_in_the_dark() -> None:
    rows = "@........~"
    assert Survival().needs(situation(rows, drink=2)) is not None
    assert Survival().needs(night(rows, drink=2)) is None
    assert Survival().needs(night(rows, drink=0, health=4)) is not None


def test_effects_follow_the_rules() -> None:
    lore = Lore(load_world("all_three"))
    assert lore.collect_effect("lava") == Effect(food=1, drink=2)
    assert lore.collect_effect("water") == Effect(food=-1, drink=2)
    default = Lore(load_world("default"))
    assert default.collect_effect("water") == Effect(drink=2)
    assert default.eat_effect(2) == Effect(food=6)
    assert not default.can_collect("stone", {})
    assert default.can_collect("stone", {"wood_pickaxe": 1})
    assert not default.can_collect("path", {})
    assert default.hits(3, {}) == 5 and default.hits(3, {"iron_sword": 1}) == 1
