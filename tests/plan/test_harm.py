"""What takes health, to who has little: ways that get worse before they heal, and blows to come."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.plan.observed_map import KINDS
from mars_logic.plan.sources import nearest_healing, way_back
from mars_logic.plan.survive import Survival
from mars_logic.plan.world_model import DO
from mars_logic.world.rules import Creature, Walk
from mars_logic.world.theory import World
from tests.plan.scenes import at, only, situation


def hurts_and_heals() -> World:
    """Sand hurts, path heals."""
    return load_world("default").with_rules(
        Walk(subject="sand", walkable=True, health=-1),
        Walk(subject="path", walkable=True, health=1),
    )


def zombies(**about: Any) -> World:
    """A world in which zombies are something else."""
    world = load_world("default")
    changed = world.creature["zombie"].model_copy(update={"eatable": True, **about})
    assert isinstance(changed, Creature)
    return world.with_rules(changed)


def test_ground_that_heals_comes_too_late_for_who_is_dead() -> None:
    rows = "@:::__"
    here = situation(rows, hurts_and_heals(), health=4)
    way = here.routes.reach(None, only(4, 0))
    assert (way.harm, way.worst) == (2, 3)
    assert nearest_healing(here) is None
    assert way_back(here) == 5
    assert nearest_healing(situation(rows, hurts_and_heals(), health=5)) is not None


@pytest.mark.parametrize(("health", "goes"), [(3, True), (2, False)])
def test_who_wastes_away_goes_no_way_that_it_does_not_survive(health: int, goes: bool) -> None:
    here = situation("@::__", hurts_and_heals(), health=health, food=0)
    found = Survival().needs(here)
    assert (found is not None) is goes


def test_who_is_nearly_killed_pays_dearly_to_be_rid_of_what_stays_where_it_is() -> None:
    stays = zombies(eaten_food_factor=-1, approaches=False)
    for health, strikes in ((9, False), (5, True)):
        here = situation("@Z", stays, facing=(1, 0), health=health)
        assert (Survival().reflex(here) == ("fight zombie", DO)) is strikes


def test_what_comes_is_killed_if_that_takes_no_more_than_its_blow() -> None:
    for approaches in (True, False):
        harmful = zombies(eaten_health_factor=-1, approaches=approaches)
        for health in (3, 2):
            here = situation("@Z", harmful, facing=(1, 0), health=health)
            kind = KINDS.index("zombie")
            assert here.model.blow(kind) == -here.model.eat_effect(kind).health == 2
            strikes = Survival().reflex(here) == ("fight zombie", DO)
            assert strikes is (approaches and health > 2)


def test_a_way_over_what_has_to_be_killed_takes_what_that_takes_of_health() -> None:
    here = situation("@Z.", zombies(eaten_health_factor=-1), facing=(1, 0))
    there = np.zeros_like(here.free)
    there[at(2, 0)] = True
    assert here.routes.reach(None, there).harm == 2


def test_no_move_is_made_that_takes_all_health_that_is_left() -> None:
    world = hurts_and_heals()
    for rows, ground, action, kills in (
        ("@:", "_", 2, True),  # onto what hurts
        ("@_", ":", 2, False),
        ("@T", ":", 2, True),  # stopped where it hurts
        ("@T", "_", 2, False),
        ("@:", "_", DO, False),
    ):
        assert situation(rows, world, ground=ground, health=1).kills(action) is kills
        assert not situation(rows, world, ground=ground, health=2).kills(action)
