from __future__ import annotations

from mars_logic.plan.routes import STEP
from mars_logic.plan.survive import cheaper_than_search, in_order, starts_search
from tests.plan.scenes import situation

MEADOW = "~....\n..@..\n....."
COW = (8.0 * STEP, 6.0, "creature.cow", 1)


def later(steps: int) -> tuple[float, float, str, int]:
    """A search for another cow."""
    return steps * STEP, 6.0, "search for cow", 1


def test_a_search_begins_the_sooner_the_longer_it_takes() -> None:
    def begins(steps: int, **about: int) -> list[int]:
        levels = range(10)
        return [
            level
            for level in levels
            if starts_search(
                situation(MEADOW, food=level, **about), "food", steps * STEP, 6, 900, weak=False
            )
        ]

    short, long = begins(20), begins(100)
    assert short == list(range(len(short))) and long == list(range(len(long)))
    assert 9 not in long and len(short) < len(long)
    assert len(begins(10, step=130)) > len(begins(10))  # the evening is near
    here = situation(MEADOW, food=3)
    assert not starts_search(
        here, "food", 60 * STEP, 6, 30, weak=False
    )  # it lasts to the plan's end
    assert not starts_search(here, "food", 60 * STEP, 6, 900, weak=True)


def test_what_may_be_gone_later_is_eaten_if_that_costs_less_than_a_search() -> None:
    here = situation(MEADOW, food=6)
    assert cheaper_than_search(here, "food", COW, later(60), 900)
    assert not cheaper_than_search(here, "food", COW, later(10), 900)
    assert not cheaper_than_search(situation(MEADOW, food=9), "food", COW, later(60), 900)
    assert not cheaper_than_search(
        here, "food", (8.0 * STEP, 6.0, "collect.water", 1), later(60), 900
    )
    assert not cheaper_than_search(here, "food", COW, None, 900)


def test_a_need_that_is_pursued_is_met_first_unless_the_other_would_be_too_late() -> None:
    near, far = (60.0, "drink", 10.0 * STEP, "water", 1), (50.0, "food", 40.0 * STEP, "cow", 2)
    here = situation(MEADOW, food=2, drink=3)
    assert in_order(here, [near, far], None)[0] == near
    assert in_order(here, [near, far], "food")[0] == far
    starving = situation(MEADOW, food=0, health=4)
    assert in_order(starving, [near, far], "drink")[0] == far
