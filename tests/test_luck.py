from __future__ import annotations

import random

import pytest

from mars_logic import load_world
from mars_logic.agents.random import RandomAgent
from mars_logic.luck import Hope, expectation, hopes
from mars_logic.plan.deeds import deeds
from mars_logic.runs import Run
from mars_logic.world.rules import Collect

CHANCE = 0.004
SEEDS = (0, 15, 19)
# Each cell of grass can be tried once for a sapling.
FINITE = load_world("default").with_rules(
    Collect.model_validate(
        {
            "subject": "grass",
            "yields": {"sapling": {"amount": 1, "probability": CHANCE}},
            "leaves": "sand",
        }
    )
)


def tried(chance: float, cells: int, wanted: int, source: random.Random) -> Hope:
    """Somebody tries until luck has come often enough, or there is nothing left to try."""
    hits = tries = 0
    while hits < wanted and tries < cells:
        tries += 1
        hits += source.random() < chance
    return Hope(hits >= wanted, 1.0, chance, wanted, tries)


@pytest.mark.parametrize("cells", [1, 3, 30])
def test_the_expectation_holds_for_whoever_stops_when_luck_has_come(cells: int) -> None:
    source = random.Random(0)
    inside = 0
    for _ in range(300):
        found = expectation([tried(0.1, cells, 1, source) for _ in range(200)])
        low, high = found["interval"]
        inside += low <= found["rate"] <= high
    assert 0.92 <= inside / 300 <= 0.98


def test_luck_that_cannot_be_counted_has_no_expectation() -> None:
    found = expectation([Hope(True, 1.0), tried(0.5, 3, 1, random.Random(1))])
    assert found["rate"] > 0 and found["expected"] is None and found["interval"] is None


def test_no_episode() -> None:
    with pytest.raises(ValueError):
        expectation([])


def test_tries_are_counted_until_luck_has_come() -> None:
    run = Run("random", RandomAgent, FINITE, "finite")
    reached = {run.add(seed).certificate.unlocked.get("collect_sapling", 0) > 0 for seed in SEEDS}
    assert reached == {True, False}, "the seeds are chosen for both"
    for result in run.results:
        hope = hopes(result, FINITE)["collect_sapling"]
        kept = result.certificate
        end = kept.unlocked.get("collect_sapling", kept.steps)
        done = deeds(FINITE, kept.seed, 1, kept.actions[:end])
        assert hope.tries == sum(deed.rule == "collect.grass" for deed in done) > 0
        assert (hope.chance, hope.wanted) == (CHANCE, 1)
        assert hope.reached == ("collect_sapling" in kept.unlocked)
        assert 0.9 < hope.at_most <= 1
