"""Probabilities other than the usual ones, and what differs in them alone."""

from __future__ import annotations

import pytest

from mars_logic import load_world
from mars_logic.agents.inductive.belief import Belief
from mars_logic.agents.inductive.rates import pooled, variants
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import Collect, Yield
from tests.theory.play import Busy
from tests.theory.play import play as record

DEFAULT = load_world("default")


def saplings(probability: float) -> FrozenMap[str, Yield]:
    return FrozenMap({"sapling": Yield(amount=1, probability=probability)})


def test_variants_differ_in_the_probability_alone() -> None:
    found = [*variants(saplings(0.5))]
    assert saplings(0.5) in found and saplings(0.3) in found and len(found) == 9
    assert [*variants(FrozenMap({"cow": 0.1}))][1] == {"cow": 0.2}
    assert not [*variants(FrozenMap({"wood": Yield(amount=2)}))], "nothing comes by chance"
    two = {item: Yield(amount=1, probability=0.5) for item in ("wood", "diamond")}
    assert not [*variants(FrozenMap(two))], "which of the two differs cannot be told"


def test_what_differs_in_probabilities_alone_is_put_together() -> None:
    none = FrozenMap[str, Yield]({})
    weights = {none: 0.4, saplings(0.3): 0.35, saplings(0.5): 0.25}
    assert pooled(weights) == (saplings(0.3), pytest.approx(0.6))
    amounts = {FrozenMap({"wood": 1}): 0.4, FrozenMap({"wood": 2}): 0.6}
    assert pooled(amounts) == (FrozenMap({"wood": 2}), 0.6), "amounts are no probabilities"


def test_a_probability_that_no_world_usually_has_is_believed() -> None:
    truth = DEFAULT.with_rules(Collect(subject="grass", leaves="grass", yields=saplings(0.3)))
    belief = Belief.begin(DEFAULT)
    for number, trajectory in enumerate(record(truth, range(6), Busy()), 1):
        belief.look(trajectory, number)
        belief._growing = None
    told = belief.told().theory.collect["grass"].yields
    assert abs(told["sapling"].probability - 0.3) <= 0.15
