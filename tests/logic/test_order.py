"""The search for an order: what is refused without a search has no order."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from mars_logic.logic.ground import Ground
from mars_logic.logic.order import Order
from mars_logic.logic.reachability_model import CAREFUL, ReachabilityModel
from mars_logic.logic.regions import facts_of
from mars_logic.sim import generate_map
from mars_logic.world.load import parse_theory
from tests.logic.mutants import mutant


def lacking(seed: int, *, mapped: bool) -> Iterator[Order]:
    """Random plans in a random world that are refused without a search."""
    world = mutant(seed)
    found = generate_map(world, seed)
    given = facts_of(world, found.materials, found.creatures) if mapped else None
    model = ReachabilityModel(world, given)
    ground, dice = Ground(model.relations, CAREFUL), random.Random(seed)
    rules = sorted({row[1] for row in model.relations["act"]})
    collecting = [f"collect({rule.subject})" for rule in world.collect.values()]
    for _ in range(150):
        drawn = [*dice.sample(rules, 3), *dice.sample(collecting, 1)]
        order = Order(ground, {(rule, "plain"): dice.randint(1, 2) for rule in drawn})
        if order._lacks_a_cell():
            yield order


@pytest.mark.parametrize("mapped", [False, True])
def test_plans_that_lack_a_cell_have_no_order(
    mapped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = [order for seed in range(6) for order in lacking(seed, mapped=mapped)]
    assert len(refused) > 20
    monkeypatch.setattr(Order, "_lacks_a_cell", lambda _: False)
    assert all(order.find() is None for order in refused)


TOOL_TWICE = """\
name: bows
base: default
adds: {items: [bow, feather], materials: [snare]}
make: {bow: {uses: {wood: 1}, nearby: []}}
place: {snare: {uses: {bow: 1}, where: [grass]}}
collect: {snare: {yields: {feather: 1}, leaves: grass}}
projectile: {arrow: {breaks: {}}}
shoot: {arrow: {requires: {bow: 1}, uses: {feather: 1}}}
"""


def test_a_tool_that_is_used_up_before_the_last_deed_is_made_again() -> None:
    """The fewest counts can be ordered; no others are tried."""
    world = parse_theory(TOOL_TWICE, "bows.yaml").to_world()
    model = ReachabilityModel(world)
    plan = model.fewest("shoot_arrow", "sure")
    assert plan is not None and plan["make(bow)", "plain"] == 2
    assert Order(Ground(model.relations, "sure"), plan).find() is not None
