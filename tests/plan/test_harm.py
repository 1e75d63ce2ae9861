"""What takes health, to who has little: ways that get worse before they heal."""

from __future__ import annotations

import pytest

from mars_logic import load_world
from mars_logic.plan.sources import nearest_healing, way_back
from mars_logic.plan.strength import Strength
from mars_logic.plan.survive import Survival
from mars_logic.world.rules import Walk
from mars_logic.world.world import World
from tests.plan.scenes import only, situation


def hurts_and_heals() -> World:
    """Sand hurts, path heals."""
    return load_world("default").with_rules(
        Walk(subject="sand", walkable=True, health=-1),
        Walk(subject="path", walkable=True, health=1),
    )


def test_ground_that_heals_comes_too_late_for_who_is_dead() -> None:
    rows = "@:::__"
    here = situation(rows, hurts_and_heals(), health=4)
    way = here.routes.reach(None, only(4, 0))
    assert (way.harm, way.worst) == (2, 3)
    assert nearest_healing(here) is None
    assert way_back(here) == 5
    assert nearest_healing(situation(rows, hurts_and_heals(), health=5)) is not None


def test_strength_is_gathered_for_the_worst_of_a_way() -> None:
    here = situation("@:::::___", hurts_and_heals(), health=6, ground="_")
    way = here.routes.reach(None, only(8, 0))
    assert (way.harm, way.worst) == (2, 5)
    assert Strength().gather(here, way.harm) is None
    assert Strength().gather(here, *way[2:]) is not None


@pytest.mark.parametrize(("health", "goes"), [(3, True), (2, False)])
def test_who_wastes_away_goes_no_way_that_it_does_not_survive(health: int, goes: bool) -> None:
    here = situation("@::__", hurts_and_heals(), health=health, food=0)
    found = Survival().needs(here)
    assert (found is not None) is goes
