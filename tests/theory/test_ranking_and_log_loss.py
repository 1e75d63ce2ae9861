"""How well a theory foretells: ranks among made-up outcomes, and log-loss of probabilities."""

from __future__ import annotations

import math

import pytest

from mars_logic import bundled_worlds, load_world
from mars_logic.theory import rank, score
from mars_logic.theory.log_loss import log_loss
from mars_logic.theory.ranking import made_up
from mars_logic.world.rules import Collect
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN
from tests.theory.play import evidence

DEFAULT = load_world("default")


def grass(chance: float | None, sapling: int = 1) -> Collect:
    given = {"amount": sapling} if chance is None else {"amount": sapling, "probability": chance}
    return Collect(subject="grass", yields={"sapling": given}, leaves="grass")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["default", "all_three", "crafter"])
def test_the_truth_ranks_best(name: str) -> None:
    seen = evidence(name, 20)
    own = rank(load_world(name), seen)
    assert own.mrr is not None and own.mrr > 0.85 and own.outcomes > 300
    others = [
        rank(load_world(other), seen).mrr or 0
        for other in bundled_worlds()
        if load_world(other).dynamics == load_world(name).dynamics
        and load_world(other).digest != load_world(name).digest
    ]
    assert all(other < own.mrr + 0.01 for other in others)
    nothing = rank(Theory.unknown(seen.dynamics), seen)
    assert nothing.mrr is not None and nothing.mrr < 0.5


def test_made_up_outcomes_are_of_the_same_deed_and_were_not_seen() -> None:
    for signature in evidence("default", 20).signatures:
        rivals = [*made_up(signature)]
        assert signature not in rivals
        assert all(type(rival) is type(signature) for rival in rivals)


def test_a_probability_is_right_within_the_tolerance() -> None:
    truth = DEFAULT.with_rules(grass(0.5))
    for chance, right in ((0.5, True), (0.64, True), (0.36, True), (0.66, False), (None, False)):
        found = score(DEFAULT.with_rules(grass(chance)), truth)
        assert (found.overall.f1 == 1) is right, chance
    certain = DEFAULT.with_rules(grass(None))
    assert score(DEFAULT.with_rules(grass(0.9)), certain).overall.f1 == 1
    assert score(DEFAULT.with_rules(grass(0.8)), certain).overall.f1 != 1
    assert score(DEFAULT.with_rules(grass(0.5, 2)), truth).overall.f1 != 1


def test_what_the_prior_says_is_no_finding() -> None:
    """However near the true probability is."""
    prior, truth = DEFAULT.with_rules(grass(0.5)), DEFAULT.with_rules(grass(0.6))
    same = score(prior, truth, prior).changes
    assert same is not None and (same.claimed, same.true, same.right) == (0, 2, 0)
    learned = score(DEFAULT.with_rules(grass(0.62)), truth, prior).changes
    assert learned is not None and learned.f1 == 1


def test_log_loss() -> None:
    truth = Theory.from_world(DEFAULT.with_rules(grass(0.25)))
    entropy = -(0.25 * math.log(0.25) + 0.75 * math.log(0.75))
    assert log_loss(truth, truth).mean == pytest.approx(entropy)
    for stated, believed in ((0.5, 0.5), (None, 1 - 1e-6)):
        found = log_loss(truth.with_rules(grass(stated)), truth)
        loss = -(0.25 * math.log(believed) + 0.75 * math.log(1 - believed))
        assert (found.mean, found.least, found.of) == (
            pytest.approx(loss),
            pytest.approx(entropy),
            1,
        )
    plain = grass(0.25).model_dump()
    unknown = truth.with_rules(Collect(**plain | {"yields": UNKNOWN}))
    assert log_loss(unknown, truth).mean == pytest.approx(math.log(2))
    nothing = truth.with_rules(Collect(**plain | {"yields": {}}))
    assert log_loss(nothing, truth).mean == pytest.approx(-0.25 * math.log(1e-6), rel=1e-3)
    options = ({}, {"sapling": {"probability": 0.5}})
    either = {"one_of": [{"value": value, "weight": 1.0} for value in options]}
    assert log_loss(truth.with_rules(Collect(**plain | {"yields": either})), truth).mean == (
        pytest.approx(entropy)
    )
    assert log_loss(truth, DEFAULT.with_rules(grass(None))).mean is None
