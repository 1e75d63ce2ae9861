"""What is concluded from how creatures behave."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from mars_logic import load_world
from mars_logic.sim import Scene, Simulator
from mars_logic.theory import check, gait, revise
from mars_logic.theory.gait import GAITS, Gait, log_likelihood, probabilities, refuted
from mars_logic.theory.signatures import Unharmed
from mars_logic.world.rules import Creature
from mars_logic.world.world import World
from tests.theory.play import evidence
from tests.theory.test_check import by_hand, empty, shown

DEFAULT = load_world("default")
FIELDS: dict[Gait, dict[str, bool]] = {
    "shoots": {"shoots": True, "walks": True},
    "approaches": {"approaches": True, "walks": True},
    "walks": {"walks": True},
    "stays": {},
}


def world_of(**fields: object) -> World:
    return DEFAULT.with_rules(Creature(subject="zombie", eatable=False, **fields))


@pytest.mark.parametrize("name", GAITS)
@pytest.mark.parametrize("way", [(2, 0), (-1, 1), (2, -1), (4, 3), (0, 9), (5, -5)])
def test_creatures_go_as_often_as_said(name: Gait, way: tuple[int, int]) -> None:
    simulator = Simulator(world_of(**FIELDS[name]))
    seen: Counter[int] = Counter()
    trials = 160
    for seed in range(trials):
        simulator.reset(seed)
        scene = Scene(simulator.snapshot()).clear("grass")
        x, y = 32 - way[0], 32 - way[1]
        simulator.restore(scene.put("zombie", x, y, health=5, reload=9).snapshot())
        simulator.step(0)
        (thing,) = simulator.state().objects
        steps = {(-1, 0): 0, (1, 0): 1, (0, -1): 2, (0, 1): 3, (0, 0): 4}
        seen[steps[int(thing["x"]) - x, int(thing["y"]) - y]] += 1
    for went, p in enumerate(probabilities(name, way)):
        spread = math.sqrt(trials * p * (1 - p))
        assert abs(seen[went] - trials * p) <= 4.5 * spread, (went, p, seen)


def test_probabilities_sum_to_1() -> None:
    for name in GAITS:
        for way in [(0, 3), (1, 1), (-7, 2)]:
            assert sum(probabilities(name, way)) == pytest.approx(1)
            assert min(probabilities(name, way)) >= 0


def test_what_never_goes_anywhere_is_concluded_after_a_while_only() -> None:
    def stayed(times: int) -> dict[tuple[tuple[int, int], int], int]:
        return {((2, 0), 4): times}

    assert refuted(stayed(5)) == set()
    assert refuted(stayed(150)) == {"walks", "approaches", "shoots"}
    assert refuted({((2, 0), 4): 60, ((2, 0), 0): 1}) >= {"stays"}
    assert refuted({((2, -1), 4): 1}) == {"approaches"}, "one that approaches has somewhere to go"
    assert log_likelihood({((2, 0), 0): 1}, "stays") == -math.inf


def test_in_play() -> None:
    """The zombies of all_three stay where they are, those of default come."""
    seen = evidence("all_three", 60)
    assert "approaches" in refuted(gait.motions(seen)["zombie"])
    assert refuted(gait.motions(evidence("default", 40))["zombie"]) >= {"stays", "walks"}
    report = check(DEFAULT, seen)
    assert any(
        conflict.did.startswith("watching a zombie")
        for conflict in report["creature.zombie"].conflicts
    )
    theory = revise(DEFAULT, seen).theory
    zombie = theory.creature["zombie"]
    way = gait.gait_of(zombie.walks, zombie.approaches, zombie.shoots)
    assert way not in refuted(gait.motions(seen)["zombie"])
    assert check(theory, seen).conflicts == ()


def unharmed(world: World, steps: int, health: int = 5, **player: object) -> list[Unharmed]:
    scene = empty(world).put("zombie", 33, 32, health=5)
    scene.player(facing=(0, 1), inventory={"health": health}, **player)
    trajectory = by_hand(world, *[0] * steps, scene=scene)
    return [s for s in shown(trajectory).signatures if isinstance(s, Unharmed)]


def test_six_steps_beside_a_creature_tell_whether_it_attacks() -> None:
    peaceful = world_of()
    assert unharmed(peaceful, 5) == []
    assert unharmed(peaceful, 6) == [Unharmed("zombie", healing=True)]
    assert unharmed(peaceful, 6, health=9) == [Unharmed("zombie", healing=False)]
    biting = world_of(attacks=True, attack_health_factor=-1)
    assert unharmed(biting, 20) == []
    assert unharmed(world_of(attacks=True, attack_health_factor=1), 20) == []
    assert unharmed(world_of(attacks=True), 6) == [Unharmed("zombie", healing=True)]


def test_a_creature_that_attacks_no_one_refutes_its_attacks() -> None:
    peaceful, biting = world_of(), world_of(attacks=True, attack_health_factor=-1)
    scene = empty(peaceful).put("zombie", 33, 32, health=5).player(facing=(0, 1))
    seen = shown(by_hand(peaceful, *[0] * 7, scene=scene))
    report = check(biting, seen)
    assert report["creature.zombie"].verdict == "contradicted"
    assert report.conflicts[0].did == "standing beside a zombie for six steps"
    assert check(peaceful, seen).conflicts == ()
    healing = world_of(attacks=True, attack_health_factor=1)
    assert check(healing, seen).conflicts == (), "health was full"


def test_in_crafter_creatures_are_known() -> None:
    assert gait.motions(evidence("crafter")) == {}
