"""Witnesses applied by the simulator, step by step, in scenes arranged for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from mars_logic import World, load_world
from mars_logic.experiments.proving import prove, replay
from mars_logic.logic import Step
from mars_logic.logic.proof import Proof
from mars_logic.logic.sampling import MadeUp, MadeUpSampler
from mars_logic.play.replay import Supply, WitnessReplay
from mars_logic.play.replay import replay as replay_witness
from mars_logic.world.load import bundled_worlds, parse_theory
from tests.paths import REPOSITORY

LIVING = MadeUp(9, 11, ("creatures", "needs", "timers"))
"""Worlds with added creatures, needs, and crops that grow by timers."""
SEED = 5
GALLERY = sorted((REPOSITORY / "worlds" / "gallery").glob("*.yaml"))


def failures(found: dict[str, WitnessReplay]) -> dict[str, str]:
    return {name: each.reason for name, each in found.items() if each.reason is not None}


def sampled(number: int) -> tuple[World, Proof]:
    drawn = MadeUpSampler(LIVING, partial(prove, map_seed=1)).draw(SEED, number, proved=True)
    assert drawn.proof is not None
    return drawn.world, drawn.proof


@pytest.mark.parametrize("number", [0, 1, 2, 7, 46])
def test_proofs_of_sampled_worlds_are_replayed(number: int) -> None:
    """Numbers 7 and 46 need two of a creature that comes out of what is collected alone."""
    world, proof = sampled(number)
    found = replay(world, proof)
    assert set(found) == set(world.achievements)
    assert failures(dict(found)) == {}


@pytest.mark.long
def test_all_proofs_of_two_hundred_sampled_worlds_are_replayed() -> None:
    failed = {}
    for number in range(200):
        world, proof = sampled(number)
        failed |= {
            (number, name): why for name, why in failures(dict(replay(world, proof))).items()
        }
    assert failed == {}


@pytest.mark.parametrize("number", [3, 160])
def test_no_step_of_a_shortest_witness_can_be_left_out(number: int) -> None:
    """The proof says that no plan has fewer interactions, and the simulator agrees."""
    world, proof = sampled(number)
    longest = max(
        (each for each in proof.achievements.values() if each.fewest),
        key=lambda verdict: verdict.interactions,
    )
    supply = Supply(Counter(dict.fromkeys(world.vocabulary.materials, 0)))
    supply.cells.update(_cells_of_the_map(world))
    for place, step in enumerate(longest.witness):
        fewer = [replace(step, times=step.times - 1)] if step.times > 1 else []
        steps = [*longest.witness[:place], *fewer, *longest.witness[place + 1 :]]
        found = replay_witness(world, longest.achievement, steps, supply)
        assert found.reason is not None, step


def _cells_of_the_map(world: World) -> dict[str, int]:
    from mars_logic.sim import generate_map

    codes = Counter(generate_map(world, 1).materials.ravel().tolist())
    return {world.vocabulary.materials[code]: number for code, number in codes.items()}


@pytest.mark.parametrize("map_seed", [None, 1])
@pytest.mark.parametrize("name", [*bundled_worlds()[:2], "all_three", "task_dep", "conan"])
def test_proofs_of_bundled_worlds_are_replayed(name: str, map_seed: int | None) -> None:
    world = load_world(name)
    found = replay(world, proof := prove(world, map_seed))
    reachable = [a for a, verdict in proof.achievements.items() if verdict.verdict == "reachable"]
    assert [*found] == reachable and len(reachable) > 20
    assert failures(dict(found)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_proofs_of_the_gallery_are_replayed(path: Path) -> None:
    """Among them worlds in which something is made by putting things down side by side."""
    world = load_world(path)
    assert failures(dict(replay(world, prove(world)))) == {}


DEFAULT_STEPS = [Step("collect.tree", 2), Step("place.table", 1)]


@pytest.mark.parametrize(
    ("steps", "goal", "applied", "said"),
    [
        (DEFAULT_STEPS, "place_table", 3, None),
        (DEFAULT_STEPS[1:], "place_table", 0, "place.table: 2 wood needed, 0 held"),
        ([*DEFAULT_STEPS, Step("make.wood_pickaxe", 1)], "place_table", 3, "1 wood needed, 0 held"),
        (DEFAULT_STEPS[:1], "place_table", 2, "all steps are applied, and place_table is not"),
        ([Step("collect.coal", 1)], "collect_coal", 0, "1 wood_pickaxe needed, 0 held"),
        ([Step("collect.coal", 6)], "collect_coal", 0, "step 1 of 6"),
        ([Step("creature.plant", 1)], "eat_plant", 0, "there is no plant"),
        ([Step("creature.skeleton", 1)], "kill_skeleton", 0, "there is no skeleton"),
        ([Step("collect.grass", 1, "sapling"), Step("place.plant", 1), Step("creature.plant", 1)],
         "eat_plant", 3, None),
        ([Step("sleep", 1)], "wake_up", 1, None),
        ([Step("collect.lava", 1)], "collect_coal", 0, "there is no lava"),
    ],
)  # fmt: skip
def test_what_fails_is_told_with_its_step(
    steps: Sequence[Step], goal: str, applied: int, said: str | None
) -> None:
    supply = Supply(Counter({"grass": 9, "tree": 5, "coal": 5}), Counter({"cow": 1}))
    found = replay_witness(load_world("default"), goal, steps, supply)
    assert found.applied == applied
    assert found.reason is None if said is None else said in (found.reason or "")


def test_a_supply_is_used_up_and_stays_as_given() -> None:
    supply = Supply(Counter({"stone": 1, "grass": 1, "tree": 5}), Counter({"cow": 1}))
    world = load_world("default")
    cows = replay_witness(world, "eat_cow", [Step("creature.cow", 2)], supply)
    assert cows == WitnessReplay(1, "step 2 of 2, creature.cow: there is no cow")
    pickaxe = [Step("collect.tree", 3), Step("place.table", 1), Step("make.wood_pickaxe", 1)]
    stones = replay_witness(world, "collect_stone", [*pickaxe, Step("collect.stone", 2)], supply)
    assert stones.reason == "step 7 of 7, collect.stone: there is no stone"
    assert supply == Supply(Counter({"stone": 1, "grass": 1, "tree": 5}), Counter({"cow": 1}))


NIGHT_CROP = """\
name: garden
base: default
goals: [collect_grain]
adds:
  materials: {sprout: {looks: plant}, ripe: {looks: plant}}
  items: [grain]
place: {sprout: {uses: {sapling: 1}, where: [grass]}}
timer: {sprout: {becomes: ripe, after: 20, chance: 0.5, when: night}}
collect: {ripe: {yields: {grain: 1}, leaves: grass}}
"""


def test_what_is_placed_grows_in_its_time() -> None:
    world = parse_theory(NIGHT_CROP, "garden.yaml")
    assert isinstance(world, World)
    steps = [Step("collect.grass", 1, "sapling"), Step("place.sprout", 1), Step("collect.ripe", 1)]
    supply = Supply(Counter({"grass": 9}))
    assert replay_witness(world, "collect_grain", steps, supply) == WitnessReplay(3)
    early = replay_witness(world, "collect_grain", [steps[0], steps[2]], supply)
    assert early == WitnessReplay(1, "step 2 of 2, collect.ripe: there is no ripe")
    never = NIGHT_CROP.replace("chance: 0.5", "chance: 0.0")
    barren = parse_theory(never, "garden.yaml")
    assert isinstance(barren, World)
    assert replay_witness(barren, "collect_grain", steps, supply).applied == 2
