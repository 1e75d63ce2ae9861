"""Survival by day: needs, fights, sleep, and ground that heals or hurts."""

from __future__ import annotations

from mars_logic import load_world
from mars_logic.plan.risk import nap_is_safe, near_healing_ground
from mars_logic.plan.survive import Survival
from mars_logic.plan.world_model import DO, SLEEP
from mars_logic.world.rules import Creature, Drink, Walk
from tests.plan.scenes import heals, situation


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


def test_it_naps_by_day_if_nothing_is_near() -> None:
    assert Survival().rest(situation("@....", energy=8), wanted=True) == ("sleep", SLEEP)
    assert Survival().rest(situation("@....", energy=8), wanted=False) is None
    assert Survival().rest(situation("@....", energy=9), wanted=True) is None
    assert Survival().rest(situation("@...Z", energy=8), wanted=True) is None


def test_provisions_are_made_for_a_coming_night() -> None:
    rows = "@....C"
    assert Survival().needs(situation(rows, food=5, step=20)) is None
    assert Survival().needs(situation(rows, food=5, step=120)) == ("food: creature.cow", 2)
    assert Survival().needs(situation(rows, food=5, step=120), ahead=15) is None
    harmless = load_world("default").with_rules(Creature(subject="zombie", eatable=False))
    assert Survival().needs(situation(rows, harmless, food=5, step=120)) is None


def test_food_is_refilled_earlier_where_there_is_ample_time() -> None:
    rows = "@....C"
    assert Survival().needs(situation(rows, food=5)) is None
    assert Survival().needs(situation(rows, "crafter", food=5)) == ("food: creature.cow", 2)
    assert Survival().needs(situation(rows, "crafter", food=6)) is None


def test_nothing_is_fetched_that_takes_more_than_it_gives() -> None:
    far = "@" + "." * 35 + "C"
    assert Survival().needs(situation(far, food=1)) == ("food: creature.cow", 2)
    poor = load_world("default").with_rules(
        Creature(subject="cow", eatable=True, eaten_drink_factor=1)
    )
    assert Survival().needs(situation(far, poor, drink=1)) is None
    water = "@" + "." * 35 + "~"
    assert Survival().needs(situation(water, drink=1)) == ("drink: collect.water", 2)


def test_who_is_weak_fetches_only_what_is_needed_most() -> None:
    rows = "@.........C"
    assert Survival().needs(situation(rows, food=3)) == ("food: creature.cow", 2)
    assert Survival().needs(situation(rows, food=3, health=2)) is None
    assert Survival().needs(situation(rows, food=1, health=2)) == ("food: creature.cow", 2)
    assert Survival().needs(situation("@~", drink=6, health=2)) == ("drink: collect.water", 2)


def test_ground_that_heals_is_paced_beside_a_wall_or_on_two_cells_of_it() -> None:
    for rows in ("@_.", "..\n@#\n.."):
        here = situation(rows, heals("path"), health=2, facing=(1, 0), ground="_")
        assert Survival().needs(here) == ("health: ground that heals", 2), rows
    beside_what_hurts = heals("path").with_rules(Walk(subject="sand", walkable=True, health=-1))
    alone = situation(":::\n:@:\n:::", beside_what_hurts, health=2, ground="_")
    assert Survival().needs(alone) is None


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
    empty = situation("@Z", dear, facing=(1, 0), food=0)
    assert Survival().reflex(empty) == ("fight zombie", DO)


def test_nobody_dozes_in_the_open_who_would_not_survive_being_woken() -> None:
    weak = situation("@....", energy=6, health=7)
    assert Survival().rest(weak, wanted=True) is None
    exhausted = situation("@....", energy=0, health=4)
    assert Survival().rest(exhausted, wanted=False) == ("sleep", SLEEP)


def test_nobody_is_tired_where_ground_heals() -> None:
    ground = "#@_\n___"
    for world, tired in ((heals("path"), False), ("default", True)):
        here = situation(ground, world, ground="_", energy=1)
        survival = Survival()
        survival.needs(here)
        assert (survival.rest(here, wanted=False) is not None) is tired


def test_who_lacks_something_goes_a_long_way_to_be_healed() -> None:
    rows = "@" + "." * 29 + "__"
    starving = situation(rows, heals("path"), health=3, food=0)
    assert Survival().needs(starving) == ("health: ground that heals", 2)
    assert Survival().needs(situation(rows, heals("path"), health=3)) is None
    assert Survival().needs(situation(rows, heals("path"), health=9, food=0)) is None


def test_what_costs_too_much_to_kill_is_left_alone() -> None:
    bitter = Creature(
        subject="zombie",
        eatable=True,
        attacks=True,
        attack_health_factor=-1,
        eaten_health_factor=-1,
    )
    world = load_world("default").with_rules(bitter)
    assert Survival().reflex(situation("@Z", world, facing=(1, 0))) == ("fight zombie", DO)
    assert Survival().reflex(situation("@Z", world, facing=(1, 0), health=5)) is None


def test_it_naps_where_what_is_near_is_behind_walls() -> None:
    for rows, naps in (("@..#Z", False), ("####\n#.@#Z\n####", True), ("....S", False)):
        here = situation(rows.replace("....S", "@...S"), energy=8, health=9)
        found = Survival().rest(here, wanted=True)
        assert (found == ("sleep", SLEEP)) is naps, rows


def test_who_has_nothing_left_but_to_sleep_sleeps_hungry_while_strong() -> None:
    for health, sleeps in ((9, True), (3, False)):
        here = situation("@....", energy=7, food=0, health=health)
        found = Survival().rest(here, wanted=True, to_sleep=True)
        assert (found == ("sleep", SLEEP)) is sleeps, health


def test_blows_are_walked_off_on_ground_that_heals() -> None:
    for health, about in ((9, "fight zombie"), (4, "ground that heals")):
        here = situation("_@Z__", heals("path"), ground="_", health=health)
        found = Survival().reflex(here)
        assert found is not None and found[0] == about


def test_who_is_weak_rests_longer_behind_walls() -> None:
    for rows, rests in (("@....", False), ("####\n#.@#\n####", True)):
        survival = Survival()
        survival.rest(situation(rows, health=3), wanted=False)
        assert (survival.rest(situation(rows, health=6), wanted=False) is not None) is rests


def test_nobody_pays_dearly_to_be_rid_of_what_stays_where_it_is() -> None:
    bitter = {"eatable": True, "attacks": True, "attack_health_factor": -1}
    cow = Creature(subject="cow", eaten_food_factor=-1, **bitter)
    for comes in (False, True):
        world = load_world("default").with_rules(cow.model_copy(update={"approaches": comes}))
        assert (Survival().reflex(situation("@C", world)) is not None) is comes


def test_ground_that_heals_makes_up_for_hunger_until_it_is_far() -> None:
    still = False
    for away, hungry in ((14, True), (8, False), (14, False), (30, True)):
        here = situation("@" + "." * away + "__", heals("path"), food=1)
        still = near_healing_ground(here, still=still)
        assert still is not hungry, away


def test_who_is_at_a_source_drinks_its_fill() -> None:
    rows, survival = "~@........C", Survival()
    for drink in (1, 4, 6):
        here = situation(rows, facing=(-1, 0), food=0, drink=drink)
        assert survival.needs(here) == ("drink: collect.water", DO), drink
    assert survival.needs(situation(rows, food=0, drink=9)) == ("food: creature.cow", 2)


def test_who_is_at_a_source_drinks_for_longer_than_it_would_set_out_for() -> None:
    for rows, expected in (("~@....", ("drink: collect.water", DO)), ("~....@", None)):
        assert Survival().needs(situation(rows, facing=(-1, 0), drink=4), ahead=80) == expected


def test_nobody_goes_far_to_be_healed_of_weariness() -> None:
    rows = "@" + "." * 29 + "__"
    assert Survival().needs(situation(rows, heals("path"), health=3, energy=0)) is None


def test_who_wastes_away_takes_the_last_step_to_ground_that_heals() -> None:
    hurts = heals("path").with_rules(Walk(subject="sand", walkable=True, health=-1))
    for food, goes in ((0, True), (9, False)):
        here = situation("@:__", hurts, health=2, food=food)
        assert (Survival().needs(here) == ("health: ground that heals", 2)) is goes


def test_who_has_to_have_more_to_go_on_eats() -> None:
    here = situation("@..C", food=6)
    assert Survival().needs(here) is None
    assert Survival().needs(here, least={"food": 7}) == ("food: creature.cow", 2)


def test_who_is_exhausted_builds_walls_before_it_sleeps_into_the_night() -> None:
    meadow = "\n".join(["......"] * 3 + ["...@.."] + ["......"] * 3)
    for step, there in ((20, "sleep"), (100, "walls")):
        here = situation(meadow, energy=0, stone=9, wood_pickaxe=1, step=step)
        found = Survival().rest(here, wanted=False)
        assert found is not None and found[0] == there


def test_nobody_naps_while_what_strikes_sleepers_hard_may_come() -> None:
    for away, sleeps in ((10, False), (14, True)):
        rows = "@" + "." * (away - 1) + "Z" + "." * (19 - away) + "\n" + "." * 20
        found = Survival().rest(situation(rows, "crafter", energy=8), wanted=True, to_sleep=True)
        assert (found == ("sleep", SLEEP)) is sleeps


def test_who_is_only_tired_does_not_pace_where_ground_heals() -> None:
    rows = "@_......Z"
    tired = situation(rows, heals("path"), energy=1, health=8, ground="_", facing=(1, 0))
    assert Survival().rest(tired, wanted=False) != ("ground that heals", 2)
    weak = situation(rows, heals("path"), energy=1, health=2, ground="_", facing=(1, 0))
    assert Survival().rest(weak, wanted=False) == ("ground that heals", 2)


def test_nothing_is_fetched_for_more_than_is_missing() -> None:
    """A meal of six points is no reason to go far for two."""
    way = "@" + "." * 40 + "\n" + ("L" * 40 + ".\n") * 20 + "L" * 40
    for food, goes in ((7, False), (5, True)):
        far = situation(way + "C", food=food, step=120, health=9)
        assert (Survival().needs(far, ahead=400) is not None) is goes


def test_a_weak_player_dares_a_short_sleep_by_day() -> None:
    for energy, sleeps in ((8, True), (4, False)):
        here = situation("@....", health=3, energy=energy)
        assert (Survival().rest(here, wanted=True) == ("sleep", SLEEP)) is sleeps


def test_who_would_be_killed_asleep_does_not_sleep_among_what_strikes() -> None:
    default = load_world("default")
    tame = default.creature["zombie"].model_copy(update={"attacks": False})
    wild = default.creature["cow"].model_copy(update={"attacks": True, "attack_health_factor": -1})
    for health, dozes in ((9, True), (2, False)):
        here = situation(
            "@" + "." * 9 + "C", default.with_rules(tame, wild), energy=1, health=health
        )
        assert nap_is_safe(here) is dozes


def test_who_is_where_it_is_quiet_sleeps_when_no_energy_is_left() -> None:
    skeleton = load_world("default").creature["skeleton"]
    world = load_world("default").with_rules(skeleton.model_copy(update={"attacks": True}))
    here = situation("@" + "." * 20 + "\n" + "_" * 21, world, energy=0)
    assert Survival().rest(here, wanted=False) == ("sleep", SLEEP)


def test_who_is_tired_digs_in_rather_than_pace_on_ground_that_heals() -> None:
    rows = "_____#####\n__@__#####\n_____#####"
    for energy, about in ((9, "ground that heals"), (1, "burrow")):
        here = situation(rows, heals("path"), ground="_", health=3, energy=energy, wood_pickaxe=1)
        found = Survival()._shelter(here, lingers=True)
        assert found is not None and found[1] == about


def test_what_comes_and_goes_again_is_sought_in_vain() -> None:
    survival, chosen = Survival(), []
    for step in range(20, 100):
        here = situation("@_.", heals("path"), health=2 + step % 2, ground="_", step=step)
        chosen.append(survival.needs(here))
    assert chosen[0] is not None and chosen[-1] is None


def test_to_come_nearer_is_not_in_vain() -> None:
    survival = Survival()
    for step in range(120):
        here = situation("@" + "." * (40 - step // 3) + "C", food=0, step=20 + step)
        assert survival.needs(here) is not None, step


def test_what_was_not_gone_for_was_not_sought_in_vain() -> None:
    survival, rows = Survival(), "~" + "." * 30 + "@........C"
    for step in range(20, 120):
        here = situation(rows, food=0, drink=3, step=step)
        assert survival.needs(here) is not None
    assert survival.needs(situation(rows, food=9, drink=1, step=120)) == ("drink: collect.water", 1)
