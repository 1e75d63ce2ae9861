"""Lower bounds are never above what a search or a play needs."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mars_logic import World, load_world
from mars_logic.agents.random import RandomAgent
from mars_logic.errors import InputError
from mars_logic.logic.solve import LimitReachedError
from mars_logic.play.bound import StepBounds, bounded, lower_bound, lower_bounds, passable
from mars_logic.play.certificate import certify, verify
from mars_logic.play.episodes import play
from mars_logic.sim import Scene, Simulator, generate_map
from mars_logic.world import names
from mars_logic.world.dump import to_yaml
from mars_logic.world.load import parse_theory
from mars_logic.world.vocabulary import CELL_FAMILIES
from tests.logic.exhaustive import DESERT, tamed
from tests.logic.mutants import NINE, changed, mutants
from tests.play.fuzz_bounds import compare_area, violations
from tests.play.optima import of_building, of_waiting
from tests.theory.own_kinds import Trier, own_kinds_world


def area_of(*rows: str) -> NDArray[np.uint8]:
    """A map in the desert, the player at its upper left, looking down."""
    letters = {"g": "grass", "t": "tree", "w": "water", "s": "stone", "p": "path", "d": DESERT}
    area = np.full((64, 64), names.MATERIALS.index(DESERT), np.uint8)
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            area[32 + x, 32 + y] = names.MATERIALS.index(letters[letter])
    return area


@pytest.fixture(scope="module")
def plain() -> World:
    """The default world without luck, where saplings come each time."""
    world = tamed(load_world("default"), random.Random(0))
    return changed(world, "collect.grass", yields={"sapling": {"amount": 1}})


@pytest.mark.parametrize("seed", range(6))
def test_never_above_an_exact_optimum(seed: int) -> None:
    tally: Counter[str] = Counter()
    assert not [*compare_area(seed, tally, most=150)]
    assert tally["optima to some set"] > 0


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(mutants(), st.integers(0, 2**32))
def test_never_above_an_optimum_of_a_mutant(world: World, seed: int) -> None:
    dice = random.Random(seed)
    world = tamed(world, dice)
    area = np.full((64, 64), names.MATERIALS.index(DESERT), np.uint8)
    for x in range(31, 34):
        for y in range(31, 34):
            area[x, y] = names.MATERIALS.index(dice.choice(names.NATURAL))
    found = of_building(world, area, most=100)
    assert not [*violations(StepBounds(world, area), found, Counter())]


@pytest.mark.slow
def test_sleep_is_bounded_exactly(plain: World) -> None:
    """Against all that can be done where there is nothing to do."""
    found = of_waiting(plain, area_of("p"), most=2500)
    assert found.steps[frozenset({"wake_up"})] == 43
    assert StepBounds(plain, area_of("p")).for_all({"wake_up"}) == 43


@pytest.mark.slow
def test_ripening_is_bounded_exactly(plain: World) -> None:
    """Against all that can be done with one sapling, with or without sleep."""
    world = changed(plain, "collect.grass", collectable=False)
    world = changed(world, "collect.tree", yields={"sapling": {"amount": 1}})
    area = area_of("g", "t")
    found = of_waiting(world, area, most=6000)
    bounds = StepBounds(world, area)
    for goal, steps in (({"eat_plant"}, 34), ({"eat_plant", "wake_up"}, 43)):
        assert min(n for done, n in found.steps.items() if goal <= done) == steps
        assert bounds.for_all(goal) == steps


@pytest.mark.parametrize("dynamics", ["crafter", "default"])
def test_nobody_wakes_up_rested_before_step_43(dynamics: str) -> None:
    simulator = Simulator(load_world(dynamics))
    simulator.reset(0)
    sleep = names.ACTIONS.index("sleep")
    wake_up = simulator.world.achievements.index("wake_up")
    steps = [0] * 31 + [sleep] * 12
    when = []
    for action in steps:
        simulator.step(action)
        when.append(bool(simulator.unlocked[0, wake_up]))
    assert when.index(True) + 1 == 43


def test_what_is_laid_serves_as_what_was_there(plain: World) -> None:
    """With a tree on the map, trees that are left by water still count for nothing more."""
    world = changed(plain, "collect.water", leaves="tree")
    bounds = StepBounds(world, area_of("g", "w"))
    assert bounds.for_all({"collect_drink", "collect_wood"}) == 2
    assert StepBounds(plain, area_of("gt", "w")).for_all({"collect_drink", "collect_wood"}) == 3


def test_stone_that_is_placed_is_stone_to_collect(plain: World) -> None:
    """Wood becomes stone by placing it: no stone has to be there, nor be walked to."""
    world = changed(plain, "place.stone", uses={"wood": 1}, where=["grass"])
    world = changed(world, "collect.stone", requires={})
    area = area_of("g", "t")
    found = of_building(world, area, most=100)
    assert found.steps[frozenset({"collect_wood", "place_stone", "collect_stone"})] == 3
    assert StepBounds(world, area).for_all({"collect_stone"}) == 3


def test_the_way_counts(plain: World) -> None:
    near = StepBounds(plain, area_of("pt", "t", "w")).for_all({"collect_wood", "collect_drink"})
    far = StepBounds(plain, area_of("p", "t", "p", "p", "p", "w"))
    assert near is not None and (far.for_all({"collect_wood", "collect_drink"}) or 0) == 6 > near


def test_no_way_and_no_achievement(plain: World) -> None:
    alone = area_of("g", "g", "d", "w")
    assert StepBounds(plain, alone).for_all({"collect_drink"}) is None
    assert StepBounds(plain, area_of("g")).for_any(10) is None
    assert StepBounds(plain, alone).for_all(()) == 0


def test_what_there_is_not(plain: World) -> None:
    bounds = StepBounds(plain, area_of("g"))
    with pytest.raises(ValueError, match=r"not collect_gold$"):
        bounds.for_all({"collect_gold", "collect_wood"})
    with pytest.raises(ValueError, match="0 to 22, not 23"):
        bounds.for_any(23)


def test_searches_that_are_given_up_bound_nothing(
    plain: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(*_: object) -> None:
        raise LimitReachedError

    monkeypatch.setattr("mars_logic.logic.relaxation.Relaxation.fewest", give_up)
    bounds = StepBounds(plain, area_of("gt", "w"))
    assert bounds.for_all({"collect_wood"}) == bounds.for_any(20) == 0
    assert bounds.for_all({"wake_up"}) == 43


def test_what_can_be_crossed_is_closed_under_collecting_and_placing(plain: World) -> None:
    assert {"grass", "tree", "stone", "water", "table"} <= passable(plain)
    assert DESERT not in passable(plain)
    walkable = {"walkable": False}
    for material in ("path", "grass", "sand", "lava"):
        plain = changed(plain, f"walk.{material}", **walkable)
    assert not passable(plain)


@pytest.mark.parametrize("name", NINE)
def test_a_play_takes_no_fewer_steps(name: str) -> None:
    world = load_world(name)
    simulator = Simulator(world)
    played = play(RandomAgent(), simulator, 3, world.achievements)
    certificate = bounded(certify(played, world, name, "random"), world)
    assert certificate.lower_bound is not None
    assert 0 < certificate.lower_bound.steps <= max(played.unlocked.values())
    assert verify(certificate, world).valid
    bounds = StepBounds(world, generate_map(world, 3).materials)
    for number, step in enumerate(sorted(played.unlocked.values())[:3], start=1):
        found = bounds.for_any(number)
        assert found is not None and found <= step


def test_blows_count_where_no_arrow_can_help(plain: World) -> None:
    """Three blows for a cow that stands still; where skeletons shoot, one may be enough."""
    assert StepBounds(plain, area_of("gg", "g")).for_all({"kill_cow"}) == 1
    for being in names.BEINGS:
        plain = changed(plain, f"creature.{being}", shoots=False, walks=False)
    simulator = Simulator(plain)
    simulator.reset(0)
    scene = Scene(simulator.snapshot()).clear(DESERT).fill("grass", 32, 32).fill("grass", 32, 33)
    scene.put("cow", 32, 33, health=3)
    simulator.restore(scene.player(at=(32, 32), facing=(0, 1)).snapshot())
    steps = 0
    while not simulator.unlocked[0, plain.achievements.index("kill_cow")]:
        simulator.step(names.ACTIONS.index("do"))
        steps += 1
    assert StepBounds(plain, area_of("g", "g")).for_all({"kill_cow"}) == steps == 3


def test_of_a_whole_map() -> None:
    world = load_world("default")
    found = lower_bounds(world, 0)
    assert found == lower_bounds(world, 0)
    assert found.reachable == world.achievements
    known = [step for step in found.steps if step is not None]
    assert known == sorted(known) and known[-1] == found.everything
    assert known[-1] > 70


@pytest.mark.parametrize("seed", range(4))
def test_a_play_takes_no_fewer_steps_where_creatures_and_needs_are_added(seed: int) -> None:
    """Harm and needs only hinder; what hunting yields, and the damage of tools, count."""
    usual = own_kinds_world(seed)
    stated = yaml.safe_load(to_yaml(usual))
    for family in (*CELL_FAMILIES, "walk"):
        stated.pop(family, None)
    for rule in stated.get("behaviour", {}).values():
        rule["cases"] = [case for case in rule["cases"] if case["act"] != "graze"] or [
            {"act": "stay"}
        ]
        rule.pop("grazes", None)
    stated.pop("creature", None)
    world = parse_theory(yaml.safe_dump(stated, sort_keys=False), "own.yaml").to_world()
    unlocked = 0
    for start in range(3):
        played = play(Trier(), Simulator(world), start, world.achievements)
        bound = lower_bound(world, start, 1, played.unlocked)
        assert bound is not None and bound.steps <= max(played.unlocked.values())
        unlocked += len(played.unlocked)
    assert unlocked > 2


def test_a_tool_against_a_creature_counts() -> None:
    """A spear takes all health of a wolf at once, though it is no weapon."""
    text = (
        "name: spears\nbase: default\nadds: {items: [spear], creatures: {wolf: {health: 9}}}\n"
        "hunt: {wolf: {damage: {spear: 9}}}\ncreature: {skeleton: {shoots: false}}\n"
        "collect: {grass: {requires: {}, yields: {spear: 1}, leaves: grass}}\n"
    )
    world = parse_theory(text, "spears.yaml").to_world()
    assert StepBounds(world, area_of("gg", "gg")).for_all({"kill_wolf"}) == 2
    bare = parse_theory(text.replace("damage: {spear: 9}", ""), "spears.yaml").to_world()
    assert StepBounds(bare, area_of("gg", "gg")).for_all({"kill_wolf"}) == 9


@pytest.mark.parametrize(
    ("rule", "stated"),
    [
        ("timer.sand", "timer: {sand: {becomes: grass}}"),
        ("shoot.arrow", "projectile: {arrow: {breaks: {}}}\nshoot: {arrow: {uses: {wood: 1}}}"),
    ],
)
def test_worlds_that_bounds_do_not_know(rule: str, stated: str) -> None:
    world = parse_theory(f"name: odd\nbase: default\n{stated}\n", "odd.yaml").to_world()
    assert lower_bound(world, 1, 1, ["collect_wood"]) is None
    with pytest.raises(InputError, match=f"takes no account of the rule {rule}; allowed"):
        lower_bounds(world, 1)
