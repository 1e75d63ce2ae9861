from __future__ import annotations

from dataclasses import replace
from typing import Any

from mars_logic import load_world
from mars_logic.plan.ground import Situation
from mars_logic.plan.lore import DO, NOOP, SLEEP, Effect, Lore
from mars_logic.plan.shelter import cheapest, enclosed, sheltering
from mars_logic.plan.survive import Survival, keeps
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


def test_the_night_is_spent_in_shelter() -> None:
    meadow = "." * 9 + "\n"
    rows = meadow * 4 + "...####..\n...#@##..\n...####..\n" + meadow * 4
    here = night(rows, wood_pickaxe=1)
    assert Survival().rest(here, wanted=False) == ("rest", NOOP)
    tired = night(rows, wood_pickaxe=1, energy=7)
    assert Survival().rest(tired, wanted=False) == ("sleep", SLEEP)


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
