"""Whatever play unlocks was possible: random games never contradict a proof."""

from __future__ import annotations

import numpy as np
import pytest

from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.logic.regions import map_facts
from mars_logic.sim import Simulator, generate_map
from mars_logic.world import names
from tests.logic.mutants import mutant

STEPS = 400
GAMES = 4
BUSY = [names.ACTIONS.index("do")] * 12 + list(range(1, 5)) * 4 + list(range(len(names.ACTIONS)))
"""Actions to draw from: mostly moving about and doing things."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(16))
def test_nothing_impossible_is_unlocked(seed: int) -> None:
    world = mutant(seed)
    dice = np.random.default_rng(seed)
    simulator = Simulator(world, n=GAMES)
    simulator.reset(seed)
    for _ in range(STEPS):
        simulator.step(dice.choice(BUSY, GAMES))
    unlocked = simulator.achievements > 0
    anywhere = ReachabilityModel(world).at(OPTIMISTIC, "unlock")
    for game in range(GAMES):
        generated = generate_map(world, seed + game)
        reachability = ReachabilityModel(
            world, map_facts(generated.materials, list(generated.creatures))
        )
        done = {a for a, yes in zip(world.achievements, unlocked[game], strict=True) if yes}
        assert done <= reachability.at(OPTIMISTIC, "unlock")
        assert done <= anywhere
