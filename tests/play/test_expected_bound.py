"""The bound on expected steps, against exact expectations and against play."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mars_logic import World, load_world
from mars_logic.play.expected_bound import expected_bound, until_killed
from mars_logic.sim import Simulator, generate_map
from mars_logic.world import names
from mars_logic.world.load import parse_theory
from tests.logic.mutants import changed

ISLAND = "base: default\nmap:\n  drawn: |\n    ...\n    .@.\n    ...\n"
EARLY = 40
"""Steps of a hunt by day."""
MOVES = {(-1, 0): "move_left", (1, 0): "move_right", (0, -1): "move_up", (0, 1): "move_down"}


@pytest.fixture(scope="module")
def island() -> World:
    """Nine cells of grass; each try gives a sapling with probability 1/2."""
    world = parse_theory(ISLAND, "island.yaml")
    assert isinstance(world, World)
    return world


def test_failed_tries_count_with_their_chance(island: World) -> None:
    """A try takes a step and succeeds with probability 1/2, whatever the player does."""
    for achievements, steps in (
        ({"collect_sapling"}, 2.0),
        ({"collect_sapling", "place_plant"}, 3.0),
        ({"eat_plant"}, 2 + 1 + 32),
        (set(), 0.0),
    ):
        found = expected_bound(island, 0, 1, achievements)
        assert found is not None
        assert found.steps == pytest.approx(steps, abs=1e-6)


def test_an_unknown_achievement_is_refused(island: World) -> None:
    with pytest.raises(ValueError, match=r"achievements must be of .*, not collect_gold"):
        expected_bound(island, 0, 1, {"collect_gold"})


def test_what_no_play_unlocks_has_no_bound(island: World) -> None:
    assert expected_bound(island, 0, 1, {"collect_diamond"}) is None


@pytest.mark.parametrize("name", ["default", "crafter", "all_three"])
def test_it_is_at_least_what_is_certain(name: str) -> None:
    world = load_world(name)
    found = expected_bound(world, 0, 1, world.achievements)
    assert found is None or found.steps >= found.certain > 0


def test_zombies_that_collecting_lets_appear_need_not_be_waited_for() -> None:
    world = load_world("default")
    assert getattr(expected_bound(world, 7, 1, {"kill_zombie"}), "zombie", None) == 124
    world = changed(world, "collect.tree", spawns={"zombie": 0.1})
    found = expected_bound(world, 7, 1, {"kill_zombie"})
    assert found is not None and found.zombie is None


def hunted(world: World, seed: int, most: int) -> int | None:
    """The step at which a player kills a zombie that walks straight to the nearest one."""
    simulator = Simulator(world)
    simulator.reset(seed)
    kill = world.achievements.index("kill_zombie")
    for step in range(1, most + 1):
        state = simulator.state()
        here = np.array((state.x, state.y))
        things = state.objects[state.objects["kind"] == names.OBJECTS.index("zombie")]
        zombies = [np.array((int(thing["x"]), int(thing["y"]))) for thing in things]
        action = "noop"
        if zombies:
            dx, dy = min((z - here for z in zombies), key=lambda gap: int(np.abs(gap).sum()))
            way = (int(np.sign(dx)), 0) if abs(dx) >= abs(dy) else (0, int(np.sign(dy)))
            beside = abs(dx) + abs(dy) == 1 and tuple(state.facing) == way
            action = "do" if beside else MOVES[way]
        simulator.step(names.ACTIONS.index(action))
        if simulator.unlocked[0, kill]:
            return step
    return None


def test_no_more_zombies_are_killed_before_dusk_than_the_bound_has() -> None:
    """Over many maps, by a player that does nothing else; and some are killed."""
    world = load_world("default")
    kills, expected, variance = 0, 0.0, 0.0
    for seed in range(60):
        found = generate_map(world, seed)
        zombies = [(x, y) for name, x, y in found.creatures if name == "zombie"]
        chance = 1 - until_killed(found.start, zombies, blows=5)[EARLY]
        kills += hunted(world, seed, EARLY) is not None
        expected, variance = expected + chance, variance + chance * (1 - chance)
    assert 0 < kills <= expected + 3 * math.sqrt(variance)
