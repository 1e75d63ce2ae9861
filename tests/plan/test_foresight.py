from __future__ import annotations

from dataclasses import replace

from mars_logic import load_world
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.foresight import Foresight, defensive_action, imagined
from mars_logic.plan.observed_map import KINDS, Entity
from mars_logic.plan.world_model import DO, NOOP, SLEEP
from mars_logic.sim.tables import compile_rules
from mars_logic.world.rules import Creature, Walk
from mars_logic.world.theory import World
from tests.plan.scenes import at, situation

ARROW = KINDS.index("arrow")


def with_arrow(here: BeliefState, column: int, row: int, facing: tuple[int, int]) -> BeliefState:
    """An arrow that flies somewhere."""
    arrow = Entity(ARROW, *at(column, row), facing=facing)
    return replace(here, seen=replace(here.seen, things=(*here.seen.things, arrow)))


def test_it_steps_out_of_the_way_of_an_arrow() -> None:
    calm = situation("........\n........\n........\n...@....\n........", health=5)
    here = with_arrow(calm, 0, 3, (1, 0))
    assert Foresight(here.model).better(here, NOOP) in (3, 4)  # up or down


def test_it_steps_out_of_the_way_of_an_arrow_onto_ground_that_hurts() -> None:
    hurts = load_world("default").with_rules(Walk(subject="sand", walkable=True, health=-1))
    sand = "\n".join([":" * 8] * 3 + [":::@::::"] + [":" * 8])
    calm = situation(sand, hurts, health=2, ground=":")
    here = with_arrow(calm, 2, 3, (1, 0))
    assert Foresight(here.model).better(here, NOOP) in (3, 4)  # up or down


def test_an_arrow_that_flies_away_changes_nothing() -> None:
    here = with_arrow(situation("........\n...@....\n........"), 0, 1, (-1, 0))
    assert Foresight(here.model).better(here, DO) is None


def test_nobody_goes_to_sleep_beside_a_zombie() -> None:
    here = situation(".....\n.@.Z.\n.....", energy=3)
    assert Foresight(here.model).better(here, SLEEP) not in (None, SLEEP)
    alone = situation(".....\n.@...\n.....", energy=3)
    assert Foresight(alone.model).better(alone, SLEEP) is None


WALLED = "######\n#.@#Z#\n#..#.#\n#....#\n######"


def test_a_nap_is_judged_by_what_is_likely_to_come_of_it() -> None:
    for rows, well in ((WALLED, True), (WALLED.replace("@#Z", "@.Z"), False)):
        here = situation(rows, energy=8)
        assert Foresight(here.model).sleeps_well(here) is well, rows
    starving = situation(WALLED, energy=5, food=0, health=4)
    assert not Foresight(starving.model).sleeps_well(starving)


def test_the_same_moment_is_judged_the_same() -> None:
    here = with_arrow(situation("........\n...@..Z.\n........", health=4), 0, 1, (1, 0))
    assert Foresight(here.model).better(here, DO) == Foresight(here.model).better(here, DO)


def test_cells_not_seen_cannot_be_entered_in_imagination() -> None:
    here = situation("@.")
    told = imagined(here)
    assert told.materials[at(0, 0)] != 0 and told.materials[at(0, 1)] == 0


def with_striking_cows(*, approaches: bool) -> World:
    """A world whose cows strike, and whoever kills one loses health."""
    cow = Creature(
        subject="cow",
        eatable=True,
        attacks=True,
        attack_health_factor=-1,
        eaten_health_factor=-1,
        approaches=approaches,
    )
    return load_world("default").with_rules(cow)


def test_it_goes_out_of_reach_of_what_strikes_and_does_not_come_after_it() -> None:
    rows = "........\n...@C...\n........"
    here = situation(rows, with_striking_cows(approaches=False), health=5)
    assert Foresight(here.model).better(here, NOOP) in (1, 3, 4)  # not right, towards it
    assert Foresight(here.model).better(here, NOOP, hunts=True) is None
    after = situation(rows, with_striking_cows(approaches=True), health=5)
    assert Foresight(after.model).better(after, NOOP) is None


def test_who_would_not_survive_the_fight_goes_away_from_what_comes() -> None:
    rows = ".........\n....@Z...\n........."
    for health, goes in ((2, True), (9, False)):
        here = situation(rows, facing=(1, 0), health=health)
        better = Foresight(here.model).better(here, DO, hunts=True)
        assert (better in (1, 3, 4)) is goes, health


def test_nobody_stops_to_fight_one_of_many() -> None:
    alone = ["." * 11] * 4 + ["....Z@....."] + ["." * 11] * 4
    among = ["." * 11] * 3 + ["....Z......", "....Z@.....", "....Z......"] + ["." * 11] * 3
    for rows, goes in ((alone, False), (among, True)):
        here = situation("\n".join(rows), facing=(-1, 0), health=7, wood_sword=1)
        better = Foresight(here.model).better(here, DO, hunts=True)
        assert (better in (2, 3, 4)) is goes, rows


def test_in_imagination_nobody_strikes_what_kills_who_kills_it() -> None:
    world = with_striking_cows(approaches=False)
    for health, action in ((2, NOOP), (7, DO)):
        here = situation("###\n#@C\n###", world, facing=(1, 0), health=health)
        (env,), (rules,) = imagined(here).record(), compile_rules(world)
        assert defensive_action(env, rules, False) == action, health
        assert defensive_action(env, rules, True) == action
