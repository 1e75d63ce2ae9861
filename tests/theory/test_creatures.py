"""What is concluded from how creatures behave."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import pytest

from mars_logic import load_world
from mars_logic.sim import Scene, Simulator
from mars_logic.theory import check, movement_model, revise
from mars_logic.theory.movement_model import GAITS, Gait, log_likelihood, probabilities, refuted
from mars_logic.theory.signatures import Motion, Passage, Unharmed
from mars_logic.world import names
from mars_logic.world.rules import Creature
from mars_logic.world.theory import Theory, World
from tests.theory.play import evidence
from tests.theory.test_check import by_hand, empty, shown

CRAFTER, DEFAULT = load_world("crafter"), load_world("default")
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
    require_likely(world_of(**FIELDS[name]), "zombie", name, way)


@pytest.mark.parametrize("way", [(2, 0), (-1, 1), (0, -3), (2, -1), (4, 0), (0, 9), (5, -5)])
@pytest.mark.parametrize(
    ("being", "name"), [("cow", "walks"), ("zombie", "approaches"), ("skeleton", "shoots")]
)
def test_creatures_of_crafter_go_as_often_as_said(
    being: str, name: Gait, way: tuple[int, int]
) -> None:
    require_likely(CRAFTER, being, name, way)


def require_likely(world: World, being: str, name: Gait, way: tuple[int, int]) -> None:
    """A creature with the player in a direction goes as often to each side as is said."""
    simulator = Simulator(world)
    seen: Counter[int] = Counter()
    trials = 160
    for seed in range(trials):
        simulator.reset(seed)
        scene = Scene(simulator.snapshot()).clear("grass")
        x, y = 32 - way[0], 32 - way[1]
        simulator.restore(scene.put(being, x, y, health=5, reload=9).snapshot())
        simulator.step(0)
        (thing,) = simulator.state().objects
        steps = {(-1, 0): 0, (1, 0): 1, (0, -1): 2, (0, 1): 3, (0, 0): 4}
        seen[steps[int(thing["x"]) - x, int(thing["y"]) - y]] += 1
    for went, p in enumerate(probabilities(name, way, world.dynamics)):
        spread = math.sqrt(trials * p * (1 - p))
        assert abs(seen[went] - trials * p) <= 4.5 * spread, (went, p, seen)


def test_probabilities_sum_to_1() -> None:
    for name, dynamics in product(GAITS, names.DYNAMICS):
        for way in [(0, 3), (1, 1), (-7, 2)]:
            assert sum(probabilities(name, way, dynamics)) == pytest.approx(1)
            assert min(probabilities(name, way, dynamics)) >= 0


def test_what_never_goes_anywhere_is_concluded_after_a_while_only() -> None:
    def stayed(times: int) -> dict[tuple[tuple[int, int], int], int]:
        return {((2, 0), 4): times}

    assert refuted(stayed(5), "mars") == set()
    assert refuted(stayed(150), "mars") == {"walks", "approaches", "shoots"}
    assert refuted({((2, 0), 4): 60, ((2, 0), 0): 1}, "mars") >= {"stays"}
    stood = {((2, -1), 4): 1}
    assert refuted(stood, "mars") == {"approaches"}, "one that approaches has somewhere to go"
    assert refuted(stood, "crafter") == {"approaches", "shoots"}, "one that shoots steps back"
    assert log_likelihood({((2, 0), 0): 1}, "stays", "mars") == -math.inf


@pytest.mark.slow
def test_in_play() -> None:
    """The zombies of all_three stay where they are, those of default come."""
    seen = evidence("all_three", 60)
    assert "approaches" in refuted(movement_model.motions(seen)["zombie"], "mars")
    assert refuted(movement_model.motions(evidence("default", 40))["zombie"], "mars") >= {
        "stays",
        "walks",
    }
    report = check(DEFAULT, seen)
    assert any(
        conflict.did.startswith("watching a zombie")
        for conflict in report["creature.zombie"].conflicts
    )
    theory = revise(DEFAULT, seen).theory
    zombie = theory.creature["zombie"]
    way = movement_model.gait_of(zombie.walks, zombie.approaches, zombie.shoots)
    assert way not in refuted(movement_model.motions(seen)["zombie"], "mars")
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


# --- In crafter -----------------------------------------------------------------------------------


def test_how_creatures_go_is_judged_in_crafter() -> None:
    """Its rules are constants of the game; yet sentences may state others."""
    seen = evidence("crafter", 40)
    assert check(CRAFTER, seen).conflicts == ()
    for being, ways in (("cow", {"approaches": True}), ("zombie", {"approaches": False})):
        rule = CRAFTER.creature[being].model_copy(update=ways)
        report = check(Theory.from_world(CRAFTER).with_rules(rule), seen)
        assert [conflict.did for conflict in report[rule.id].conflicts] == [
            f"watching a {being} with room to go"
        ]


def test_a_cow_of_crafter_that_harms_no_one_refutes_its_attacks() -> None:
    scene = empty(CRAFTER).player(facing=(0, 1)).put("cow", 33, 32, health=3)
    for x, y in ((34, 32), (33, 31), (33, 33)):  # so that it stays beside the player
        scene.fill("water", x, y)
    seen = shown(by_hand(CRAFTER, *[0] * 7, scene=scene))
    biting = CRAFTER.creature["cow"].model_copy(
        update={"attacks": True, "attack_health_factor": -1}
    )
    report = check(Theory.from_world(CRAFTER).with_rules(biting), seen)
    assert report.conflicts[0].did == "standing beside a cow for six steps"
    assert check(CRAFTER, seen).conflicts == ()


def test_in_crafter_creatures_keep_off_what_kills() -> None:
    """What stands among lava goes nowhere, which tells nothing, though the player went there."""
    scene = empty(CRAFTER).put("cow", 30, 32, health=3).fill("lava", 33, 32)
    for x, y in ((29, 32), (31, 32), (30, 31), (30, 33)):
        scene.fill("lava", x, y)
    right = names.ACTIONS.index("move_right")
    seen = shown(by_hand(CRAFTER, 0, 0, right, scene=scene))
    assert {s.ground for s in seen.signatures if isinstance(s, Motion)} == {"lava"}
    assert Passage("lava", moved=True) in seen.signatures
    assert movement_model.motions(seen) == {}
