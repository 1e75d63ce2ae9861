"""What the oracle does in the dark: shelter, walls, and what is dared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mars_logic import load_world
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.foresight import imagined
from mars_logic.plan.observed_map import ObservedMap, Status
from mars_logic.plan.routes import FAR, STEP
from mars_logic.plan.shelter import cheapest, enclosed, sheltering
from mars_logic.plan.survive import Survival
from mars_logic.plan.world_model import DO, NOOP, SLEEP
from mars_logic.sim import Simulator
from mars_logic.world.rules import Collect, Yield
from mars_logic.world.theory import World
from tests.plan.scenes import situation

NIGHT = 200


def night(rows: str, world: World | str = "default", **amounts: Any) -> BeliefState:
    here = situation(rows, world, step=NIGHT, **amounts)
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
    assert Survival().rest(night(in_a_hut("."), **sword), wanted=False, ahead=10) is None
    weak = night(in_a_hut("."), health=4, **sword)
    assert Survival().rest(weak, wanted=False, ahead=10) == ("rest", NOOP)


def test_who_hid_goes_on_only_when_strong_again() -> None:
    def with_health(health: int) -> BeliefState:
        return night(in_a_hut("."), health=health, wood_pickaxe=1, stone_sword=1)

    survival = Survival()
    assert Survival().rest(with_health(6), wanted=False, ahead=13) is None
    assert survival.rest(with_health(7), wanted=False, ahead=13) is None
    assert survival.rest(with_health(4), wanted=False, ahead=13) == ("rest", NOOP)
    assert survival.rest(with_health(6), wanted=False, ahead=13) == ("rest", NOOP)
    assert survival.rest(with_health(9), wanted=False, ahead=13) is None


def test_an_errand_in_the_dark_is_dared_where_little_grass_is_on_the_way() -> None:
    here = night("_" * 25 + "@" + "_" * 5 + "." * 12, wood_pickaxe=1, stone_sword=1)
    x, y = here.seen.position
    assert Survival().accepts_risk(here, 60, (x - 10, y))
    meadow = night(in_a_hut("."), wood_pickaxe=1, stone_sword=1)
    x, y = meadow.seen.position
    assert Survival().accepts_risk(meadow, 5, (x + 3, y))
    assert not Survival().accepts_risk(meadow, 50, (x + 3, y))
    by_day = replace(meadow, status=replace(meadow.status, step=20))
    assert Survival().accepts_risk(by_day, 50, (x + 3, y))


def test_who_lacks_something_loses_health_in_the_dark_and_dares_less() -> None:
    sword = {"wood_pickaxe": 1, "stone_sword": 1}
    fed, thirsty = night(in_a_hut("."), **sword), night(in_a_hut("."), drink=0, **sword)
    assert Survival().accepts_risk(fed, 30)
    assert not Survival().accepts_risk(thirsty, 30)


def test_who_stands_in_the_opening_goes_in_and_closes_it() -> None:
    here = situation("#####\n##.##\n##.##\n..@..\n.....", stone=1, facing=(0, -1))
    found = cheapest(here, sheltering(here))
    assert found is None  # nobody could get out again
    here = situation("#####\n##.##\n##.##\n..@..\n.....", stone=1, wood_pickaxe=1)
    found = cheapest(here, sheltering(here))
    assert found is not None and found[1:] == ("shelter", 3)
    assert found[0] < 8 * STEP


def test_danger_is_no_reason_to_leave_a_shelter_open() -> None:
    rows = "#####....\n__@_Z....\n#####....".replace("__@_Z", "#_@.Z")
    here = situation(rows, facing=(1, 0), stone=3, wood_pickaxe=1, health=1)
    found = cheapest(here, sheltering(here))
    assert found is not None and found[1:] == ("shelter", 7)


def test_nobody_sleeps_in_a_meadow_at_night_for_energy_that_saves_no_health() -> None:
    meadow = ("." * 15 + "\n") * 7 + "." * 7 + "@" + "." * 7 + ("\n" + "." * 15) * 7
    assert Survival().rest(night(meadow, energy=0), wanted=False) == ("sleep", SLEEP)
    assert Survival().rest(night(meadow, energy=0, food=0), wanted=False) is None


def test_what_lasts_until_it_is_light_is_not_gone_for_in_the_dark() -> None:
    rows = "@........~"
    assert Survival().needs(situation(rows, drink=2)) is not None
    assert Survival().needs(night(rows, drink=2)) is None
    assert Survival().needs(night(rows, drink=0, health=4)) is not None


def test_walls_are_put_up_in_the_open_by_who_holds_enough() -> None:
    meadow = ("." * 15 + "\n") * 7 + "." * 7 + "@" + "." * 7 + ("\n" + "." * 15) * 7
    few, corner = night(meadow, stone=3, wood_pickaxe=1), ("walls", 2)
    assert cheapest(few, sheltering(few)) is None
    enough = night(meadow, stone=8, wood_pickaxe=1)
    found = cheapest(enough, sheltering(enough))
    assert found is not None and found[1:] == corner
    assert sheltering(night(meadow, stone=8)) == []  # nobody could get out


def test_an_arrow_that_flies_by_does_not_move_the_walls() -> None:
    places = []
    for cell in "_A":
        here = night(f"#######\n___@{cell}__\n#######", ground="_", stone=9, wood_pickaxe=1)
        places += [task.standing for task in sheltering(here) if task.name == "walls"]
    calm, shot_at = places
    assert calm is not None and shot_at is not None and (calm == shot_at).all()


def test_who_has_time_is_in_shelter_by_nightfall() -> None:
    meadow = ("." * 15 + "\n") * 7 + "." * 7 + "@" + "." * 7 + ("\n" + "." * 15) * 7
    for world, step, accepts_risk in (
        ("crafter", 80, True),
        ("crafter", 130, False),
        ("default", 130, True),
    ):
        here = situation(meadow, world, step=step, health=5)
        assert Survival().accepts_risk(here, 60) is accepts_risk, (world, step)


def test_walls_are_finished_and_keep_everything_out() -> None:
    meadow = ("." * 21 + "\n") * 10 + "." * 10 + "@" + "." * 10 + ("\n" + "." * 21) * 10
    here = night(meadow, stone=9, wood_pickaxe=1)
    simulator, survival = Simulator(here.model.playable), Survival()
    names = here.model.world.achievements
    simulator.reset(0)
    simulator.restore(imagined(here).futures([3]))
    for _ in range(45):
        state = simulator.state()
        now = BeliefState(
            here.model, ObservedMap.from_state(state, "mars"), Status.from_state(state, names)
        )
        if enclosed(now):
            break
        chosen = survival.reflex(now) or survival.rest(now, wanted=False, stays=True)
        assert chosen is not None
        simulator.step(chosen[1])
    assert enclosed(now)
    assert now.held["stone"] >= 1


def test_two_cells_in_a_row_are_closed_at_both_ends() -> None:
    here = situation("#######\n__@____\n#######", ground="_", stone=2, wood_pickaxe=1)
    assert ("walls", 7) not in [(task.name, task.way(here).first) for task in sheltering(here)]
    west = replace(here, seen=replace(here.seen, facing=(-1, 0)))
    found = cheapest(west, sheltering(west))
    assert found is not None and found[1:] == ("walls", 7)


def test_the_last_gap_of_a_room_can_be_closed_by_a_player_that_stands_on_it() -> None:
    for rows in ("#####\n#___@_\n#####", "#####\n#__@__\n#####"):
        here = situation(rows, ground="_", facing=(-1, 0), stone=1, wood_pickaxe=1)
        ways = [task.way(here) for task in sheltering(here) if task.name == "walls"]
        assert [way.first for way in ways if way.cost < FAR] == [1], rows


def test_what_stays_as_it_is_when_it_is_collected_is_no_wall() -> None:
    lasting = Collect(subject="stone", requires={}, yields={"stone": Yield(amount=1)})
    assert lasting.leaves == "stone"
    here = night("....\n.@..\n....", load_world("default").with_rules(lasting), stone=9)
    assert sheltering(here) == []


def test_what_was_begun_by_day_is_let_be_in_the_dark() -> None:
    survival, rows = Survival(), "@" + "." * 17 + "~"
    assert survival.needs(situation(rows, drink=3)) is not None
    assert survival.needs(situation(rows, drink=5)) is not None  # it goes on to drink its fill
    assert survival.needs(night(rows, drink=5)) is None


def test_zombies_that_are_near_are_reckoned_with() -> None:
    alone = night(in_a_hut("_").replace("###", "___").replace("#@#", "_@_"), ground="_")
    rows = "_" * 6 + "Z_____@" + "_____Z" + "_" * 6
    attacker_near = night(rows, ground="_", health=6)
    assert Survival().accepts_risk(replace(alone, status=attacker_near.status), 20)
    assert not Survival().accepts_risk(attacker_near, 20)


def test_who_is_about_to_hide_does_so() -> None:
    rock = "....#####\n" * 3
    outside = night(rock + "...@#####\n" + rock, stone=1, wood_pickaxe=1, stone_sword=1)
    fresh, hiding = Survival(), Survival()
    assert fresh.accepts_risk(outside, 3)
    found = hiding.rest(outside, wanted=False, stays=True)
    assert found is not None and found[0] == "burrow"
    assert not hiding.accepts_risk(outside, 3)


def test_the_player_stays_hidden_while_what_it_is_too_weak_for_is_still_around() -> None:
    hut = in_a_hut(".")
    besieged = hut.replace("." * 15 + "\n", "....Z.....Z....\n", 6)
    for rows, health, stays in ((hut, 6, False), (besieged, 6, True), (besieged, 8, False)):
        survival = Survival()
        assert survival.rest(night(rows, wood_pickaxe=1, health=8), wanted=False) == ("rest", NOOP)
        dawn = situation(rows, wood_pickaxe=1, health=health)
        assert survival.accepts_risk(dawn, 10) is not stays
        assert (survival.rest(dawn, wanted=False) == ("rest", NOOP)) is stays


def test_nobody_leaves_for_food_in_the_dark_who_lives_until_it_is_light() -> None:
    rows = "@........C"
    late = night(rows, food=0, health=4)
    assert Survival().needs(late) is not None
    dawn = replace(late, status=replace(late.status, step=270))
    assert Survival().needs(dawn) is None
    for food, wanted in ((2, False), (1, True)):  # a whole night, from which hunger would take much
        dusk = night(rows, food=food)
        dusk = replace(dusk, status=replace(dusk.status, step=145))
        assert (Survival().needs(dusk) is not None) is wanted


def test_the_dark_is_not_hidden_from_where_nothing_comes_to_the_player() -> None:
    for world, hides in (("default", True), ("surv_task", False)):
        meadow = night("." * 15 + "\n", world)
        open_ = night(
            ("." * 15 + "\n") * 7 + "." * 7 + "@" + "." * 7 + ("\n" + "." * 15) * 7, world
        )
        assert meadow.night_danger is hides
        assert Survival().accepts_risk(open_, 100) is not hides


def test_who_hid_comes_out_by_day_whatever_else_is_about() -> None:
    hut = in_a_hut(".").replace("." * 15 + "\n", "....C.....C....\n", 6)
    survival = Survival()
    cows = load_world("surv_task").creature["cow"]
    world = load_world("default").with_rules(cows)
    assert survival.rest(night(hut, world, wood_pickaxe=1, health=8), wanted=False)
    assert survival.accepts_risk(situation(hut, world, wood_pickaxe=1, health=8), 10)


def test_a_hole_is_closed_with_what_is_at_hand_if_there_is_another_way_out() -> None:
    world = load_world("task_dep")
    hole, outside = "#####\n#..@.\n#####", "." * 5
    for walls, there in (("#", True), ("~", False)):
        rows = f"{outside}\n" + hole.replace("#", walls).replace("..@", "_.@") + "\n" + outside
        here = night(rows, world, facing=(1, 0), diamond=2)
        assert any(task.name == "shelter" for task in sheltering(here)) is there
        needed = replace(here, kept=(("diamond", 1),))
        assert not any(task.name == "shelter" for task in sheltering(needed))


def test_what_came_in_the_dark_is_still_about_when_it_gets_light() -> None:
    for step, night_danger in ((130, False), (145, True), (290, True), (310, False), (430, False)):
        assert situation("@.", step=step).night_danger is night_danger


def test_water_is_no_wall_where_something_shoots() -> None:
    rows = "######\n#@~_{}#\n######"
    assert enclosed(situation(rows.format("_"), ground="_"))
    assert not enclosed(situation(rows.format("S"), ground="_"))


def test_who_has_ample_time_dares_less() -> None:
    amounts = {"wood_pickaxe": 1, "stone_sword": 1, "health": 7}
    pressed, patient = (night(in_a_hut("."), world, **amounts) for world in ("default", "crafter"))
    assert Survival().accepts_risk(pressed, 15)
    assert not Survival().accepts_risk(patient, 15)


def test_what_uses_up_nothing_walls_in_anywhere() -> None:
    world = load_world("default")
    free = world.with_rules(world.place["stone"].model_copy(update={"uses": {}}))
    here = night(
        "\n".join(["......", "......", "...@..", "......", "......", "......"]),
        free,
        wood_pickaxe=1,
    )
    assert any(task.name == "walls" for task in sheltering(here))


def test_who_has_only_to_sleep_does_so_where_that_is_likely_to_last() -> None:
    def sleeps(around: str, **amounts: Any) -> bool:
        here = night(in_a_hut(around).replace("#", around), ground=around, energy=4, **amounts)
        return Survival().sleep_last(here) == ("sleep", SLEEP)

    assert sleeps("_")
    assert not sleeps(".")
    assert not sleeps("_", health=7)
    assert not sleeps("_", food=1)


def test_who_is_held_up_on_the_way_to_shelter_does_not_go_round() -> None:
    meadow = ("." * 15 + "\n") * 7 + "." * 7 + "@" + "." * 7 + ("\n" + "." * 15) * 7
    survival = Survival()
    here = night(meadow, "crafter", stone=8, wood_pickaxe=1)
    chosen = [survival.rest(here, wanted=False) for _ in range(8)]
    assert chosen[0] is not None and chosen == chosen[:1] * 8


def test_who_would_run_out_of_time_dares_more() -> None:
    row = "." * 15 + "\n"
    here = night(row * 7 + "." * 7 + "@" + "." * 7 + "\n" + row * 7, health=9)
    assert not Survival().accepts_risk(here, 30)
    assert Survival().accepts_risk(here, 30, late=True)
    assert not Survival().accepts_risk(here, 60, late=True)
