"""Proofs about what is pushed, or put beside something, to make something; held against play."""

from __future__ import annotations

import pytest

from mars_logic.experiments.proving import prove
from mars_logic.logic.proof import verdict_words
from mars_logic.sim import Simulator
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import World

_ROWS = "\n".join("    #" + "." * 16 + "#" for _ in range(7))
TEXT = f"""\
name: meadow
base: default
length: 400
goals: [place_crate, place_dough, collect_gold, collect_bread, make_cake, collect_diamond]
map:
  drawn: |
    ##################
    #..........TTTTTT#
    #.@..............#
{_ROWS}
    ##################
  legend: {{"#": bedrock}}
adds:
  materials: [bedrock, crate, chest, oven, dough, loaf]
  items: [gold, bread, cake]
collect:
  chest: {{yields: {{gold: 1}}, leaves: grass}}
  loaf: {{yields: {{bread: 1}}, leaves: grass}}
place:
  crate: {{uses: {{wood: 1}}, where: [grass]}}
  oven: {{uses: {{wood: 2}}, where: [grass]}}
  dough: {{uses: {{sapling: 1}}, where: [grass]}}
make: {{cake: {{uses: {{bread: 1, gold: 2}}, nearby: [oven]}}}}
push: {{crate: {{onto: [grass, sand], leaves: grass, becomes: {{grass: chest}}}}}}
beside: {{dough: {{becomes: {{oven: loaf}}, chance: 0.5}}}}
"""


def world_with(*changes: tuple[str, str]) -> World:
    text = TEXT
    for right, other in changes:
        assert right in text
        text = text.replace(right, other)
    found = parse_theory(text, "meadow.yaml")
    assert isinstance(found, World)
    return found


def test_what_is_pushed_or_put_beside_something_is_proved() -> None:
    world = world_with()
    proof = prove(world)
    found = {name: (each.verdict, each.certainty) for name, each in proof.achievements.items()}
    assert found.pop("collect_diamond") == ("unknown", None)
    sure = dict.fromkeys(("place_crate", "collect_gold"), ("reachable", "sure"))
    by_luck = ("place_dough", "collect_bread", "make_cake")
    assert found == sure | dict.fromkeys(by_luck, ("reachable", "almost_sure"))
    gold = proof.achievements["collect_gold"]
    assert [(step.rule, step.times) for step in gold.witness] == [
        ("collect.tree", 1),
        ("place.crate", 1),
        ("collect.chest", 1),
    ]
    assert gold.fewest
    bread = proof.achievements["collect_bread"]
    rules = [step.rule for step in bread.witness]
    assert rules.index("place.oven") < rules.index("place.dough") < rules.index("collect.loaf")
    assert bread.at_least is None and "necessary" not in verdict_words(bread)
    assert proof.rules.keys() <= {rule.id for rule in world.rules()} | {"sleep"}


def test_it_can_be_played() -> None:
    """The moves on which the proof counts, from the corner of the meadow."""
    simulator = Simulator(world_with())
    simulator.reset(1)
    actions = simulator.world.vocabulary.actions
    names = simulator.world.achievements

    def play(moves: str) -> set[str]:
        for move in moves.split():
            way = f"move_{move}" if f"move_{move}" in actions else move
            simulator.step(actions.index(way))
        return {name for name, done in zip(names, simulator.unlocked[0], strict=True) if done}

    wood = "right " * 9 + "up do right up do right up do "
    assert "place_crate" in play(wood + "left " * 10 + "right place_crate")
    assert "collect_gold" not in play("noop")
    assert "collect_gold" in play("right do")
    play("down down left left right place_oven down left right")
    while "place_dough" not in play("do place_dough"):  # saplings are found by luck
        pass
    while "collect_bread" not in play("do"):
        pass


@pytest.mark.parametrize(
    "change",
    [
        ("crate: {onto", "oven: {onto: [grass], leaves: grass}, crate: {onto"),  # a station
        ("leaves: grass, becomes", "leaves: path, becomes"),  # the meadow is used up
        ("becomes: {grass: chest}", "becomes: {sand: chest}"),  # there is no sand
        ("chest: {yields: {gold: 1}, leaves: grass}", "chest: {yields: {gold: 1}, leaves: path}"),
        ("nearby: [oven]", "nearby: [oven, chest]"),
    ],
)
def test_what_may_go_wrong_is_not_counted_on(change: tuple[str, str]) -> None:
    assert prove(world_with(change)).achievements["make_cake"].verdict == "unknown"


@pytest.mark.parametrize(
    ("row", "rest"),
    [
        ("#....c.....TTTTTT#", _ROWS),  # a crate that nobody put there
        ("#....O.....TTTTTT#", _ROWS),  # and an oven
        ("#..........TTTTTT#", "    ##################"),  # little room
        ("#..........TTTTTT#", "    ##################\n" + _ROWS),  # room where nobody walks to
    ],
)
def test_it_takes_room_and_nothing_that_is_there_before(row: str, rest: str) -> None:
    legend = 'legend: {"#": bedrock'
    more = (_ROWS, rest), (legend, f"{legend}, c: crate, O: oven")
    proof = prove(world_with(("#..........TTTTTT#", row), *more))
    assert proof.achievements["make_cake"].verdict == "unknown"


@pytest.mark.parametrize(
    "change",
    [
        ("adds:", "walk: {crate: {walkable: true}}\nadds:"),
        ("crate: {uses: {wood: 1}, where: [grass]}", "table: {uses: {wood: 1}}"),
        ("loaf: {yields: {bread: 1}, leaves: grass}", "loaf: {yields: {bread: 1}, leaves: dough}"),
        ("beside: {dough", "timer: {dough: {becomes: loaf}}\nbeside: {dough"),
        ("beside: {dough", "beside: {tree: {becomes: {oven: path}}, dough"),
    ],
)
def test_where_cells_change_otherwise_nothing_is_proved(change: tuple[str, str]) -> None:
    dropped = [("place_crate, ", "")] if "table" in change[1] else []
    proof = prove(world_with(change, *dropped))
    assert {each.verdict for each in proof.achievements.values()} == {"unknown"}
