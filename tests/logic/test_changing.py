"""Proofs about worlds in which what is placed grows, held against play."""

from __future__ import annotations

import pytest

from mars_logic import load_world
from mars_logic.experiments.proving import execute, prove
from mars_logic.sim import Simulator
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import World
from tests.paths import REPOSITORY

TEXT = """\
name: garden
base: default
length: 400
goals: [place_sprout, collect_grain, make_bread, eat_bread, collect_diamond]
map:
  drawn: |
    ##########
    #........#
    #..t.....#
    #....@...#
    #........#
    ##########
  legend: {"#": bedrock}
adds:
  materials: [bedrock, sprout, wheat]
  items: [seed, grain, bread]
collect:
  grass: {requires: {}, yields: {seed: 1}, leaves: path}
  wheat: {yields: {grain: 1}, leaves: grass}
place: {sprout: {uses: {seed: 1}, where: [grass]}}
make: {bread: {uses: {grain: 2}, nearby: [table]}}
eat: {bread: {food: 6}}
timer: {sprout: {becomes: wheat, after: 5, chance: 0.3}}
"""


def world_with(*changes: tuple[str, str]) -> World:
    text = TEXT
    for right, other in changes:
        assert right in text
        text = text.replace(right, other)
    found = parse_theory(text, "garden.yaml")
    assert isinstance(found, World)
    return found


def test_what_is_placed_and_grows_is_proved_and_the_witness_can_be_played() -> None:
    world = world_with()
    proof = prove(world)
    found = {name: (each.verdict, each.certainty) for name, each in proof.achievements.items()}
    by_luck = ("reachable", "almost_sure")
    assert found.pop("place_sprout") == ("reachable", "sure")
    assert found.pop("collect_diamond") == ("unknown", None)
    assert found == dict.fromkeys(("collect_grain", "make_bread", "eat_bread"), by_luck)
    assert proof.digest == world.digest and proof.world == world.name
    bread = proof.achievements["make_bread"].witness
    times = {step.rule: step.times for step in bread}
    expected = {"collect.grass": 2, "place.sprout": 2, "collect.wheat": 2, "make.bread": 1}
    assert times == expected
    assert "place.wheat" not in proof.rules and proof.rules["place.sprout"] == "reachable"
    played = execute(world, proof, achievements=["eat_bread"])
    assert played["eat_bread"].certificate is not None


def test_what_grows_in_any_case_takes_no_luck() -> None:
    proof = prove(world_with((", chance: 0.3", "")))
    assert proof.achievements["make_bread"].certainty == "sure"


@pytest.mark.parametrize(
    "change",
    [
        ("chance: 0.3", "chance: 0.3, near: [water]"),
        ("adds:", "walk: {sprout: {walkable: true}}\nadds:"),
        ("  wheat: {yields", "  sprout: {yields: {seed: 1}, leaves: grass}\n  wheat: {yields"),
        ("nearby: [table]", "nearby: [sprout]"),
        ("timer: {", "beside: {tree: {becomes: {sprout: grass}}}\ntimer: {"),
        ("timer: {", "push: {wheat: {onto: [grass], leaves: grass}}\ntimer: {"),
        ("timer: {", "timer: {wheat: {becomes: path}, "),
    ],
)
def test_where_it_matters_when_and_where_cells_change_nothing_is_proved(
    change: tuple[str, str],
) -> None:
    proof = prove(world_with(change))
    assert {each.verdict for each in proof.achievements.values()} == {"unknown"}
    assert all(each.reason for each in proof.achievements.values())


def test_cells_that_change_by_themselves_are_not_counted_on() -> None:
    """Walls become diamonds: that is not claimed, and neither is that it cannot be."""
    proof = prove(world_with(("timer: {", "timer: {bedrock: {becomes: diamond}, ")))
    assert proof.achievements["make_bread"].verdict == "reachable"
    assert proof.achievements["collect_diamond"].verdict == "unknown"


XLAND = ("hold", "neighbours", "chain", "distractors", "near")


def xland(name: str) -> str:
    path = REPOSITORY / "worlds" / "gallery" / f"xland_{name}.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 60
    return text


@pytest.mark.parametrize("name", XLAND)
def test_worlds_of_xland_minigrid_are_proved(name: str) -> None:
    world = parse_theory(xland(name), f"{name}.yaml").to_world()
    proof = prove(world)
    assert proof.all_reachable
    if name == "neighbours":  # the planner does not play it
        return
    played = execute(world, proof)
    assert all(each.certificate is not None for each in played.values())


def test_what_is_put_down_beside_its_partner_makes_the_product() -> None:
    world = parse_theory(xland("neighbours"), "neighbours.yaml").to_world()
    witness = prove(world).achievements["have_1_yellow_star"].witness
    rules = [step.rule for step in witness]
    assert rules == ["collect.red_ball", "place.put_ball", "collect.yellow_star"]
    simulator = Simulator(world)
    simulator.reset(1)
    there = "left left up do up right right place_put_ball right right do"
    rewards = [
        simulator.step(world.vocabulary.actions.index(action.replace("left", "move_left")))[0][0]
        for action in there.replace("right", "move_right").replace("up", "move_up").split()
    ]
    assert rewards[-1] == 1 and not any(rewards[:-1])


@pytest.mark.parametrize(
    "change",
    [
        ("W.b...s.W", "W.b.s.s.W"),  # one cell is beside both
        (
            "W.......W\n    W.b...s.W\n    W...@...W\n    W.......W",
            "W.....WsW\n    W.b...W.W\n    W...@...W\n    W......WW",  # no two cells to step back
        ),
        ("yellow_star, put_pyramid", "put_pyramid, put_pyramid"),
        ("{becomes: {blue_square: floor}}", "{becomes: {blue_square: floor}, chance: 0.5}"),
        ("{becomes: {blue_square: floor}}", "{becomes: {blue_square: wall}}"),
        ("put_ball: {becomes: red_ball}", "put_ball: {becomes: blue_square}"),
        ("put_ball: {becomes: red_ball}", "put_ball: {becomes: red_ball, after: 2}"),
        ("red_ball: {yields: {red_ball: 1}, leaves: floor}", "red_ball: {leaves: blue_square}"),
    ],
)
def test_productions_that_may_go_wrong_are_not_counted_on(change: tuple[str, str]) -> None:
    text = xland("neighbours")
    assert change[0] in text
    proof = prove(parse_theory(text.replace(*change), "neighbours.yaml").to_world())
    assert proof.achievements["have_1_yellow_star"].verdict == "unknown"


def test_the_farm_is_left_undecided_since_goats_graze() -> None:
    proof = prove(load_world(REPOSITORY / "worlds" / "gallery" / "farm.yaml"))
    assert {each.verdict for each in proof.achievements.values()} == {"unknown"}
