"""What a learner tries next where nothing is known of how things are placed and made."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.agents.inductive.belief import Belief
from mars_logic.agents.inductive.next_try import Try, next_try
from mars_logic.agents.inductive.supplies import Supplies
from mars_logic.agents.inductive.ways import Ways
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.observed_map import ObservedMap, Status
from mars_logic.plan.world_model import WorldModel
from mars_logic.sim import Simulator
from mars_logic.theory.signatures import Making, Placing, held_of
from tests.theory.own_worlds import ADDS, own_world
from tests.theory.test_check import empty

DEFAULT = load_world("default")
WORDS = own_world(0).vocabulary
HELD = held_of(WORDS.holdable)
COST = {"wood": 2.0, "sapling": 1.0, "stone": 9.0}
BESIDE = {(): 0.0, ("table",): 3.0, ("kiln",): 6.0, ("table", "kiln"): 8.0}
FACED = {"grass": 0.0, "sand": 4.0, "water": 5.0}
MAKES = ("make.brick", "make.hammer", "make.pie")


@dataclass
class Shop:
    """Supplies with stated costs."""

    held: Mapping[str, int] = field(default_factory=dict)
    cost: Mapping[str, float] = field(default_factory=lambda: COST)

    def item(self, item: str) -> float:
        return self.cost.get(item, math.inf)

    def fetching(self, amounts: Mapping[str, int]) -> float:
        lacking = {item: n - self.held.get(item, 0) for item, n in amounts.items()}
        return math.fsum(n * self.item(item) for item, n in lacking.items() if n > 0)

    def facing(self, material: str) -> float:
        return FACED.get(material, math.inf)

    def sites(self, materials: Any) -> Iterator[tuple[tuple[str, ...], float]]:
        yield from ((near, cost) for near, cost in BESIDE.items() if set(near) <= {*materials})


def blank() -> Belief:
    """The belief before anything was seen."""
    return Belief.begin(DEFAULT.adding(ADDS), ADDS)


def chosen(belief: Belief, shop: Any, rules: tuple[str, ...], left: float = 1000) -> Try:
    found = next_try(belief.posterior, rules, shop, left)
    assert found is not None
    return found


def fails(belief: Belief, rule: str, tried: Mapping[str, Any], held: Mapping[str, int]) -> None:
    """What was tried did nothing."""
    amounts = {**held, **{i: max(n, held.get(i, 0)) for i, n in tried["uses"].items()}}
    held_then = HELD(amounts.get(item, 0) for item in WORDS.holdable)
    family, _, subject = rule.partition(".")
    if family == "make":
        seen: Any = Making(subject, tried["nearby"], held_then, held_then)
    else:
        (ground,) = tried["where"]
        seen = Placing(subject, ground, held_then, ground, False, held_then)
    belief.posterior.see([seen])


@given(st.dictionaries(st.sampled_from(sorted(COST)), st.integers(1, 3)))
def test_what_failed_is_not_tried_again(held: dict[str, int]) -> None:
    belief, shop, before = blank(), Shop(held), set()
    for _ in range(12):
        found = chosen(belief, shop, (*MAKES, "place.kiln"))
        tried = found.fields[found.rule]
        assert found.works > 0
        key = (found.rule, tuple(sorted(tried["uses"].items())), found.near)
        assert key not in before
        before.add(key)
        fails(belief, found.rule, tried, held)


def test_all_open_rules_share_the_items() -> None:
    """A place is worth going to with more, the more may be made there."""
    alone, together = (chosen(blank(), Shop(), rules) for rules in (MAKES[:1], MAKES))
    assert together.works > 2 * alone.works
    assert together.cost == alone.cost
    assert together.closed == {f"make_{r[5:]}" for r in MAKES} - {together.opens}


def test_nothing_is_tried_with_what_cannot_be_had() -> None:
    shop = Shop(cost={"stone": 9.0})
    found = chosen(blank(), shop, MAKES)
    assert set(found.fields[found.rule]["uses"]) == {"stone"}
    assert chosen(blank(), Shop(cost={}), MAKES).rule == ""


def test_nothing_is_tried_for_which_no_time_is_left() -> None:
    cheapest = chosen(blank(), Shop(), MAKES)
    assert chosen(blank(), Shop(), MAKES, left=cheapest.cost).rule
    assert not chosen(blank(), Shop(), MAKES, left=0.5).rule


def test_a_ground_that_failed_makes_room_for_another() -> None:
    belief, shop = blank(), Shop({"wood": 1}, {})
    grounds = []
    for _ in FACED:
        found = chosen(belief, shop, ("place.kiln",))
        grounds.append(found.near)
        fails(belief, "place.kiln", found.fields["place.kiln"], shop.held)
    assert grounds == [(ground,) for ground in FACED]


def test_the_plan_is_for_one_try_and_the_goals_that_hinge_on_none() -> None:
    belief = blank()
    found = chosen(belief, Shop(), MAKES)
    world = belief.practical(found)
    assert dict(world[found.rule].uses) == dict(found.fields[found.rule]["uses"])
    goals = [name for name in world.achievements if name not in found.closed]
    assert world.pursuing(goals).achievements == tuple(goals)


def around(**held: int) -> Supplies:
    """On a meadow with a tree, and a table beside a stone, by Crafter's rules."""
    belief = blank()
    world = belief.practical()
    scene = (
        empty(world)
        .fill("tree", 36, 32)
        .fill("stone", 32, 36)
        .fill("table", 33, 36)
        .fill("water", 28, 32)
    )
    scene = scene.player(at=(32, 32), facing=(1, 0), inventory=held)
    simulator = Simulator(world)
    simulator.restore(scene.snapshot())
    state, words = simulator.state(), world.vocabulary
    seen = ObservedMap.from_state(state, world.dynamics)
    status = Status.from_state(state, words.achievements, words.items)
    ways = Ways(BeliefState(WorldModel(world), seen, status), belief.posterior)
    return Supplies(ways, belief.theory)


def test_items_cost_what_all_that_they_take_costs() -> None:
    bare, equipped = around(), around(wood_pickaxe=1)
    assert 4 <= bare.item("wood") < 5, "three steps, turns that may be needed, and collecting"
    assert bare.item("wood_pickaxe") > bare.item("wood") + bare.beside(("table",))
    assert bare.item("stone") > bare.item("wood_pickaxe") > equipped.item("stone")
    assert math.isinf(bare.item("iron")) and math.isinf(bare.item("brick"))
    assert (
        bare.fetching({"wood": 2}) == 2 * bare.item("wood")
        and around(wood=2).fetching({"wood": 2}) == 0
    )


def test_places_are_those_that_stand_or_can_be_placed() -> None:
    sites = dict(around(wood=1).sites(("table", "tree", "stone", "water", "furnace", "iron")))
    assert sites[()] == 0 < sites["table",] < sites["furnace",]
    assert sites["table", "stone"] == around().beside(("table", "stone"))
    assert ("tree", "water") not in sites, "they stand apart, and neither can be placed there"
    assert ("tree", "stone") in sites, "stone can"
    assert ("iron",) not in sites


def test_an_item_that_was_had_costs_the_steps_that_it_took() -> None:
    supplies = around()
    later = Supplies(supplies.ways, supplies.theory, {"iron": 300, "wood": 200})
    assert (later.item("iron"), later.item("wood")) == (300, supplies.item("wood"))
