"""What lies around what is read off the ground that was seen."""

from __future__ import annotations

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.agents.inductive.terrain import REGIONS, Surroundings, findings, touches
from mars_logic.sim import Simulator
from mars_logic.world.rules import Neighbour
from mars_logic.world.theory import Theory

DEFAULT = load_world("default")
UNKNOWN = Theory.unknown("mars")


def seen(world: str, seeds: range) -> Surroundings:
    """The left halves of some maps."""
    found, simulator = Surroundings(), Simulator(load_world(world))
    for seed in seeds:
        simulator.reset(seed)
        ground = simulator.state().materials.copy()
        ground[32:] = 255
        found.add(ground)
    return found


@pytest.mark.parametrize("world", ["default", "terrain", "terr_surv", "terr_task", "all_three"])
def test_neighbour_rules_are_found(world: str) -> None:
    truth = load_world(world)
    found = {each.region: each for each in findings(DEFAULT, DEFAULT, seen(world, range(20, 24)))}
    for region in REGIONS:
        true, usual = truth.neighbour[region].material, DEFAULT.neighbour[region].material
        assert (region in found) == (true != usual), region
        if region in found:
            assert found[region].material == true
            assert 0 < found[region].times <= found[region].of


def test_what_is_open_is_found_too() -> None:
    found = findings(UNKNOWN, UNKNOWN, seen("default", range(30, 33)))
    assert {each.region: each.material for each in found} == {
        region: DEFAULT.neighbour[region].material for region in REGIONS
    }


def test_without_having_seen_anything_nothing_is_found() -> None:
    crafter = load_world("crafter")
    assert findings(DEFAULT, DEFAULT, Surroundings()) == []
    assert findings(crafter, crafter, seen("terrain", range(2))) == []


def test_what_was_found_by_mistake_is_given_up() -> None:
    wrong = DEFAULT.with_rules(Neighbour(subject="water", material="coal"))
    (found,) = findings(DEFAULT, wrong, seen("default", range(40, 43)))
    assert (found.region, found.material) == ("water", "sand")


def test_the_landscape() -> None:
    shares = touches()
    assert np.isclose(shares.sum(), 1) and (shares == shares.T).all() and (shares >= 0).all()
