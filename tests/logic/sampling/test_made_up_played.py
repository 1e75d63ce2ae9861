"""What worlds of made-up names say of pushing and of putting beside, played on their maps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from mars_logic.experiments.proving import prove
from mars_logic.logic.sampling import MadeUp, MadeUpSampler
from mars_logic.sim import Simulator
from mars_logic.sim.snapshot import Snapshot, copy_envs
from mars_logic.sim.state import materials_of
from mars_logic.world.theory import World

MAP_SEED = 1
LONGEST_WAIT = 200
"""Steps in which what has a chance of a fifth a step has happened."""


def _meadow(cells: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """The corners of rectangles of such cells, four wide and two high."""
    for x, y in np.argwhere(cells):
        if cells[x : x + 4, y : y + 2].sum() == 8:
            yield int(x), int(y)


def _arranged(world: World, placed: str, partner: str | None) -> bool:
    """Whether the moves that a proof counts on make something that is then collected."""
    words = world.vocabulary
    simulator = Simulator(world)
    simulator.reset(MAP_SEED)
    envs = copy_envs(simulator.snapshot().envs)
    env = envs[0]
    rule = world.push.get(placed) or world.beside[placed]
    product = next(iter(rule.becomes.values()))
    ground = world.collect[product].leaves
    x, y = next(_meadow(materials_of(env) == words.materials.index(ground)))
    env["player"]["x"], env["player"]["y"] = x, y
    for name in filter(None, (partner, placed)):
        for item, amount in world.place[name].uses.items():
            env["player"]["inventory"][words.items.index(item)] += amount
    simulator.restore(Snapshot(envs))

    def act(*actions: str) -> None:
        for action in actions:
            simulator.step(words.actions.index(action))

    if partner is None:
        act("move_right", f"place_{placed}", "move_right")
    else:
        act("move_right", f"place_{partner}", "move_down", "move_left", "move_right")
        act(f"place_{placed}")
    (fruit,) = world.collect[product].yields
    goal = world.achievements.index(f"collect_{fruit}")
    for _ in range(LONGEST_WAIT):
        act("do")
        if simulator.unlocked[0][goal]:
            env = simulator.snapshot().envs[0]
            return bool(env["player"]["inventory"][words.items.index(fruit)] == 1)
    return False


@pytest.mark.parametrize("number", range(4))
def test_what_is_pushed_or_put_beside_a_station_becomes_what_is_collected(number: int) -> None:
    world = MadeUpSampler(MadeUp(12, 14, ("beside", "push"))).draw(number, 0).world
    assert len(world.push) == len(world.beside) == 2
    for placed, rule in world.beside.items():
        (partner,) = rule.becomes
        assert _arranged(world, placed, partner)
    for placed in world.push:
        assert _arranged(world, placed, None)


def test_witnesses_name_what_is_placed_and_no_rule_that_is_not_there() -> None:
    world = MadeUpSampler(MadeUp(9, 9, ("beside", "push"))).draw(3, 0).world
    proof = prove(world, map_seed=MAP_SEED)
    known = {rule.id for rule in world.rules()} | {"sleep"}
    for each in proof.achievements.values():
        assert {step.rule for step in each.witness} <= known
    ((placed, rule),) = world.beside.items()
    ((partner, product),) = rule.becomes.items()
    (fruit,) = world.collect[product].yields
    rules = [step.rule for step in proof.achievements[f"collect_{fruit}"].witness]
    assert rules.index(f"place.{partner}") < rules.index(f"place.{placed}")
    assert rules[-1] == f"collect.{product}"
