from __future__ import annotations

from dataclasses import replace

from mars_logic.plan.foresight import Foresight, imagined
from mars_logic.plan.ground import Situation
from mars_logic.plan.lore import DO, NOOP, SLEEP
from mars_logic.plan.seen import KINDS, Thing
from tests.plan.scenes import at, situation

ARROW = KINDS.index("arrow")


def with_arrow(here: Situation, column: int, row: int, facing: tuple[int, int]) -> Situation:
    """An arrow that flies somewhere."""
    arrow = Thing(ARROW, *at(column, row), facing=facing)
    return replace(here, seen=replace(here.seen, things=(*here.seen.things, arrow)))


def test_it_steps_out_of_the_way_of_an_arrow() -> None:
    calm = situation("........\n........\n........\n...@....\n........", health=5)
    here = with_arrow(calm, 0, 3, (1, 0))
    assert Foresight(here.lore).better(here, NOOP) in (3, 4)  # up or down


def test_an_arrow_that_flies_away_changes_nothing() -> None:
    here = with_arrow(situation("........\n...@....\n........"), 0, 1, (-1, 0))
    assert Foresight(here.lore).better(here, DO) is None


def test_nobody_goes_to_sleep_beside_a_zombie() -> None:
    here = situation(".....\n.@.Z.\n.....", energy=3)
    assert Foresight(here.lore).better(here, SLEEP) not in (None, SLEEP)
    alone = situation(".....\n.@...\n.....", energy=3)
    assert Foresight(alone.lore).better(alone, SLEEP) is None


def test_the_same_moment_is_judged_the_same() -> None:
    here = with_arrow(situation("........\n...@..Z.\n........", health=4), 0, 1, (1, 0))
    assert Foresight(here.lore).better(here, DO) == Foresight(here.lore).better(here, DO)


def test_cells_not_seen_cannot_be_entered_in_imagination() -> None:
    here = situation("@.")
    told = imagined(here)
    assert told.materials[at(0, 0)] != 0 and told.materials[at(0, 1)] == 0
