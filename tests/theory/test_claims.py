"""The two readings of a claim agree: the judgement of a theory, and the options of a revision."""

from __future__ import annotations

from random import Random

import pytest

from mars_logic import load_world
from mars_logic.theory.candidates import candidates
from mars_logic.theory.claims import Disjunction, Field, Option
from mars_logic.theory.hits import HitKind, endings, explanations
from mars_logic.theory.outcomes import outcomes
from mars_logic.theory.signature_claims import signature_claims
from mars_logic.world.rules import Collect
from tests.theory.play import evidence
from tests.theory.worlds import fields


@pytest.mark.parametrize("name", ["all_three", "surv_task", "crafter"])
def test_options_are_all_ways_to_meet_a_claim(name: str) -> None:
    seen, world, random = evidence(name), load_world(name), Random(1)
    values = candidates(world, seen, fields(world))
    checked = 0
    for signature in list(seen.signatures)[::3]:
        for claim in signature_claims(signature, seen.dynamics):
            options = list(claim.options(values))
            for _ in range(20):
                chosen: dict[Field, object] = {f: random.choice(values[f]) for f in claim.reads}
                by_options = any(holds(option, chosen) for option in options)
                judged = claim.judge(lambda f, chosen=chosen: (chosen[f],))  # type: ignore[misc]
                assert by_options == judged.holds
                checked += 1
    assert checked > 1000


def holds(option: Option, chosen: dict[Field, object]) -> bool:
    return all(
        any(holds(each, chosen) for each in part.options)
        if isinstance(part, Disjunction)
        else chosen[part[0]] in part[1]
        for part in option
    )


def test_hits_in_any_order() -> None:
    assert endings([5], []) == {5}
    assert endings([5], [(-2,), (-2,)]) == {5, 3, 1}
    assert endings([1], [(-2,), (2,)]) == {1, 0, 3, 2}, "none falls below 0 on the way"
    assert endings([9], [(2,)]) == {9}
    assert endings([9], [(2,), (-7,)]) == {9, 2, 4}


def test_nothing_is_concluded_from_a_crowd() -> None:
    """With too many kinds of hits to try all points, any health counts as explained."""
    points = tuple(p for p in range(-18, 19, 2) if p)
    one = explanations(frozenset({9}), 4, (HitKind(points, 1),))
    assert one == (), "an odd loss by even points"
    crowd = [HitKind(points, 2)] * 4 + [HitKind(points, 4, is_arrow=True)] * 4
    assert explanations(frozenset({9}), 4, tuple(crowd)) == ((),)


def test_outcomes_of_both_dialects() -> None:
    rule = Collect(
        subject="stone",
        yields={
            "coal": 2,
            "wood": {"amount": 1, "probability": 0.25},
            "stone": {"amount": 3, "probability": 0.5},
        },
    )
    mars = {tuple(gains.items()): p for gains, p in outcomes(rule.yields, "mars")}
    assert mars == {
        (("coal", 2), ("wood", 1)): 0.25,
        (("coal", 2), ("stone", 3)): 0.5,
        (("coal", 2),): 0.25,
    }
    crafter = {frozenset(gains): p for gains, p in outcomes(rule.yields, "crafter")}
    assert crafter == {
        frozenset({"coal", "wood", "stone"}): 0.25,
        frozenset({"coal", "stone"}): 0.25,
        frozenset({"coal"}): 0.5,
    }
    assert [p for _, p in outcomes({}, "mars")] == [1.0]
