"""The peer of the benchmark of checking does what it is said to do."""

from __future__ import annotations

import pytest

from mars_logic import load_world
from mars_logic.benchmarks.checking import COLLECTING, contradicting, play, shown
from mars_logic.logic.facts import facts
from mars_logic.theory import check
from mars_logic.world.rules import Collect
from mars_logic.world.theory import World


@pytest.mark.slow
def test_both_find_the_same() -> None:
    truth = load_world("default")
    trajectories = [*play(truth, 10, 0)]
    seen = "\n".join(f"{f}." for i, each in enumerate(trajectories) for f in shown(each, i))

    def against(world: World) -> int:
        return len(contradicting(facts(world) + COLLECTING + seen))

    assert "faced" in seen and against(truth) == 0
    wrong = 0
    for material in ("grass", "tree"):
        for change in ({"leaves": "sand"}, {"yields": {"iron": 2}}, {"collectable": False}):
            rule = truth.collect[material]
            world = truth.with_rules(Collect.model_validate(rule.model_dump() | change))
            report = check(world, trajectories)
            assert bool(report[rule.id].conflicts) == (against(world) > 0), (material, change)
            wrong += against(world) > 0
    assert wrong >= 4
