"""Hypotheses about names that a world adds, and about what has to be nearby."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mars_logic import load_world
from mars_logic.agents.inductive.belief import Belief
from mars_logic.data import Trajectory
from mars_logic.experiments.learned import learn
from mars_logic.theory import check, revise
from mars_logic.world import names
from mars_logic.world.adds import Adds
from mars_logic.world.field_values import domain
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import Theory, World
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from tests.theory.own_worlds import ADDS, own_play, own_world
from tests.theory.test_check import by_hand, empty

DEFAULT = load_world("default")
CODE = names.ACTIONS.index("make_wood_pickaxe")
RULE = "make.wood_pickaxe"
NEAR_TREES = DEFAULT.with_rules(DEFAULT[RULE].with_fields({"nearby": ["tree"]}, DEFAULT.vocabulary))
BOTH = DEFAULT.with_rules(
    DEFAULT[RULE].with_fields({"nearby": ["tree", "sand"]}, DEFAULT.vocabulary)
)
OTHER_NAMES = {
    "ore": "zinc",
    "kiln": "aard",
    "slime": "moss",
    "gem": "pie",
    "brick": "ore",
    "hammer": "gem",
    "pie": "hammer",
}
"""What the added names are called instead, partly as others were called."""


def made_beside(world: World, *materials: str, seed: int = 0, ground: str = "grass") -> Trajectory:
    """A player with wood that makes a pickaxe, with some materials around it."""
    scene = empty(world, ground)
    for place, material in zip(((31, 31), (33, 33)), materials, strict=False):
        scene = scene.fill(material, *place)
    scene = scene.player(at=(32, 32), facing=(1, 0), inventory={"wood": 5})
    return by_hand(world, CODE, scene=scene, seed=seed)


def learned(world: World, *sites: tuple[str, ...]) -> Belief:
    """What is believed after tries beside these materials, on grass and then on a path."""
    belief, number = Belief.begin(DEFAULT), 0
    for ground in ("grass", "path"):
        for site in sites:
            number += 1
            belief.look(made_beside(world, *site, seed=number, ground=ground), number)
            belief._growing = None
    return belief


def nearby(theory: Theory) -> object:
    return theory.make["wood_pickaxe"].nearby


def test_of_a_name_that_was_never_met_nothing_is_claimed() -> None:
    """Neither that it can be walked on nor that it cannot: each is as probable."""
    world = own_world(0)
    told = Belief.begin(Theory.unknown("mars", world.adds), world.adds).told().theory
    for material in world.adds.material_names:
        assert told.walk[material].walkable is UNKNOWN
        assert told.walk[material].deadly is UNKNOWN


def test_what_stood_near_at_the_only_success_is_needed() -> None:
    belief = learned(NEAR_TREES, ("table",), ("table", "furnace"), (), ("tree",))
    assert nearby(belief.told().theory) == ("tree",)


def test_two_natural_materials_are_learned_together() -> None:
    alone = ((), ("table",), ("table", "furnace"), ("tree",), ("sand",))
    belief = learned(BOTH, *alone, ("tree", "sand"))
    assert nearby(belief.told().theory) == ("sand", "tree")


def test_nothing_is_claimed_where_no_stations_explain_all_tries() -> None:
    belief = learned(NEAR_TREES, ("table",), ("table", "furnace"), (), ("furnace",))
    assert nearby(belief.told().theory) is UNKNOWN


def test_a_revision_leaves_open_what_play_leaves_open() -> None:
    play = made_beside(NEAR_TREES, "tree")
    found = revise(DEFAULT, [play])
    after = nearby(found.theory)
    assert isinstance(after, Alternatives) and {(), ("tree",)} <= set(after.values)
    assert not check(found.theory, [play]).conflicts
    more = [made_beside(NEAR_TREES, seed=2), made_beside(NEAR_TREES, "tree", seed=3, ground="path")]
    assert nearby(revise(DEFAULT, [play, *more]).theory) == ("tree",)


def test_usual_stations_are_still_claimed() -> None:
    world = DEFAULT.with_rules(
        DEFAULT[RULE].with_fields({"nearby": ["table", "furnace"]}, DEFAULT.vocabulary)
    )
    play = [made_beside(world, "table"), made_beside(world, "table", "furnace", seed=2)]
    assert nearby(revise(DEFAULT, play).theory) == ("table", "furnace")


def renamed(adds: Adds) -> Adds:
    """The same with other names."""
    materials = tuple(replace(each, name=OTHER_NAMES[each.name]) for each in adds.materials)
    groups = (adds.items, adds.placed, adds.made, adds.eaten)
    return Adds(materials, *(tuple(OTHER_NAMES[name] for name in each) for each in groups))


def called(value: Any) -> Any:
    """Plain data with the other names in it."""
    if isinstance(value, dict):
        return {called(key): called(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [called(each) for each in value]
    return OTHER_NAMES.get(value, value) if isinstance(value, str) else value


def rules(theory: Theory, *, other: bool = False) -> dict[str, Any]:
    """The rules as plain data, by family and subject, with other names if asked for."""
    told = {(rule.family, rule.subject): rule.model_dump(mode="json") for rule in theory.rules()}
    if other:
        told = {(family, called(name)): called(each) for (family, name), each in told.items()}
    return {f"{family}.{name}": each for (family, name), each in told.items()}


def under_other_names(world: World) -> World:
    """A world whose added names are called otherwise."""
    adds = renamed(world.adds)
    words = DEFAULT.adding(adds).vocabulary
    kinds = {rule.family: type(rule) for rule in world.rules()}
    found = [
        kinds[rule.partition(".")[0]].model_validate(each, context=words)
        for rule, each in rules(world, other=True).items()
    ]
    return World.from_rules(world.dynamics, found, name=world.name, adds=adds)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_names_have_no_meaning(seed: int) -> None:
    worlds = own_world(seed), under_other_names(own_world(seed))
    plays = [own_play(world, 8) for world in worlds]
    verdicts = [
        [(rule.verdict, rule.consistent) for rule in check(*each).rules]
        for each in zip(worlds, plays, strict=True)
    ]
    assert verdicts[0] == verdicts[1]
    one, other = (revise(DEFAULT, play).theory for play in plays)
    assert rules(one, other=True) == rules(other)
    beliefs = []
    for world, play in zip(worlds, plays, strict=True):
        belief = Belief.begin(DEFAULT.adding(world.adds), world.adds)
        for number, episode in enumerate(play[:3], 1):
            belief.look(episode, number)
            belief._growing = None
        beliefs.append(belief)
    told = [belief.told().theory for belief in beliefs]
    assert rules(told[0], other=True) == rules(told[1])
    added = {*ADDS.material_names, *ADDS.items}
    blank = [rule for rule in DEFAULT.adding(ADDS).rules() if rule.subject in added]
    assert told[0].adds == ADDS and any(told[0][rule.id] != rule for rule in blank)


NEST = """\
name: nest
base: default
length: 60
goals: [collect_shell]
map:
  drawn: |
    ######
    #..e.#
    #.@ee#
    #..e.#
    ######
  legend: {"#": bedrock, e: egg}
adds:
  materials: [bedrock, egg]
  items: [shell]
  creatures: {imp: {}}
collect:
  egg: {yields: {shell: 1}, leaves: egg, spawns: {imp: 1.0}}
"""


def test_added_creatures_may_appear_where_something_is_collected() -> None:
    """Without such a hypothesis nothing explained the play, and learning ended in a traceback."""
    world = parse_theory(NEST, "nest.yaml").to_world()
    assert {"imp": 0.1} in domain("collect.egg", "spawns", world.vocabulary)
    learned = learn(world, 1, seed=1, length=30)
    assert set(learned.theory.collect["egg"].spawns) == {"imp"}


CHANGING = """
name: changing
base: default
dynamics: mars
length: 60
map:
  drawn: |
    #########
    #..rr...#
    #..@r...#
    #..rr...#
    #########
  legend: {r: rock}
adds:
  materials:
    rock: {looks: ore}
    rubble: {looks: ground}
    bud: {looks: plant}
    hut: {looks: station}
  items: [pebble]
goals: [collect_pebble, place_hut]
walk: {rubble: {walkable: true}}
collect: {rock: {yields: {pebble: 1}, leaves: rubble}}
place: {hut: {uses: {pebble: 9}, where: [grass]}}
timer: {bud: {becomes: hut, after: 90}}
"""


@pytest.fixture(scope="module")
def changing() -> Theory:
    """The learner's claims after an episode that collects rocks and places no hut."""
    return learn(parse_theory(CHANGING, "changing.yaml").to_world(), 1, seed=1, length=60).theory


def test_what_is_left_is_not_taken_for_something_that_changed_at_once(changing: Theory) -> None:
    """Rock might leave a bud which becomes rubble before it is seen; that is less probable."""
    assert changing.collect["rock"].leaves == "rubble"


def test_no_ground_is_claimed_of_what_was_never_placed(changing: Theory) -> None:
    assert changing.place["hut"].where is UNKNOWN
