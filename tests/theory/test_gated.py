"""Gates and chances judged together, by all tries of collecting from a material."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import product
from math import exp
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import Theory, World, load_world
from mars_logic.theory import Evidence, consequences
from mars_logic.theory.evidence import Occurrence, SeenSignature
from mars_logic.theory.gated import GatedTries
from mars_logic.theory.joint import JointModel
from mars_logic.theory.rate_tests import LEVEL, Attempts
from mars_logic.theory.signatures import Collecting, Held
from mars_logic.world import names
from mars_logic.world.rules import Collect
from tests.theory.play import play

REQUIRES, YIELDS = ("collect.grass", "requires"), ("collect.grass", "yields")
GATES: list[dict[str, int]] = [{}, {"wood": 1}, {"wood": 2}, {"stone": 1}, {"wood": 1, "coal": 1}]


def held(**amounts: int) -> Held:
    return Held(amounts.get(item, 0) for item in names.HOLDABLE)


def attempt(amounts: dict[str, int], came: bool) -> Collecting:
    """Collecting from grass, of which a sapling came or not."""
    after = held(**amounts, sapling=came)
    return Collecting(
        "grass", held(**amounts), "grass", after, (0, 0), (0, 0), False, "", True, None
    )


def attempts(counts: dict[Collecting, int]) -> Attempts:
    return [
        (each, SeenSignature(Occurrence("", 0), count)) for each, count in counts.items() if count
    ]


def yields(probability: float) -> Mapping[Any, Any]:
    rule = Collect(
        subject="grass",
        collectable=True,
        requires={},
        yields={"sapling": {"amount": 1, "probability": probability}},
        leaves="grass",
        spawns={},
    )
    return rule.yields


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from([{}, {"wood": 1}, {"wood": 3}, {"stone": 1}]), min_size=1, max_size=7),
    st.sampled_from(range(len(GATES))),
    st.sampled_from([0.1, 0.5, 0.9]),
)
def test_what_is_true_is_given_up_with_at_most_the_levels_probability(
    tried: list[dict[str, int]], gate: int, probability: float
) -> None:
    """The expected ratio of the mixture to the truth is at most 1, by all that may come."""
    passing = [all(each.get(i, 0) >= n for i, n in GATES[gate].items()) for each in tried]
    expected = 0.0
    for came in product(*((False, True) if passes else (False,) for passes in passing)):
        counts = Counter(attempt(a, c) for a, c in zip(tried, came, strict=True))
        gated = GatedTries(attempts(counts), GATES)
        chance = [probability if c else 1 - probability for c in came]
        likelihood = np.prod([p for p, passes in zip(chance, passing, strict=True) if passes])
        (kinds,) = gated._yielded(yields(probability), "mars")
        ratio = exp(gated._log_evidence(np.array(kinds[0]), kinds[1])[gate])
        expected += float(likelihood) * ratio
    assert expected <= 1 + 1e-9


@pytest.mark.parametrize(
    ("without", "with_", "given_up"),
    [((0, 176), (23, 60), True), ((0, 20), (2, 7), False), ((17, 176), (6, 60), False)],
)
def test_nothing_without_and_much_with_an_item_refutes_that_it_is_not_needed(
    without: tuple[int, int], with_: tuple[int, int], given_up: bool
) -> None:
    counts = {
        attempt(amounts, came): times if came else of - times
        for amounts, (times, of) in (({}, without), ({"wood": 1}, with_))
        for came in (False, True)
    }
    gated = GatedTries(attempts(counts), GATES)
    refuted = [gated.refuted("yields", yields(p), "mars", LEVEL)[0] for p in (0.1, 0.2, 0.4)]
    assert all(refuted) == given_up
    needs_wood = gated.refuted("yields", yields(0.4), "mars", LEVEL)[1]
    assert not needs_wood
    assert gated.divided_by() == (1 if given_up else None)


@pytest.fixture(scope="module")
def needing_wood() -> Evidence:
    """Play in a world where grass yields saplings to who holds wood only."""
    rules = {rule.id: rule for rule in load_world("default").rules()}
    grass = rules["collect.grass"].model_dump()
    grass |= {"requires": {"wood": 1}, "yields": {"sapling": {"amount": 1, "probability": 0.4}}}
    rules["collect.grass"] = Collect.model_validate(grass)
    world = World.from_rules("mars", [*rules.values()], name="needing_wood")
    return Evidence.of(play(world, range(8)))


@pytest.mark.slow
def test_a_gate_is_judged_although_the_chances_are_open(needing_wood: Evidence) -> None:
    for claim, possible in (({}, False), ({"wood": 1}, True), ({"wood_pickaxe": 1}, False)):
        judged = JointModel(needing_wood, [{REQUIRES: (claim,)}]).judge({REQUIRES: (claim,)})
        assert judged.excluded == (not possible), claim
    nothing = JointModel(needing_wood, [{REQUIRES: ({},)}]).judge({REQUIRES: ({},)})
    all_tries = next(each for each in nothing.excluded_by if each.where is None)
    assert "holding 1 wood: " in all_tries.saw and "; without 1 wood: nothing" in all_tries.saw
    left = consequences(Theory.unknown("mars"), needing_wood).fields[REQUIRES].possible
    assert {"wood": 1} in left and {} not in left
