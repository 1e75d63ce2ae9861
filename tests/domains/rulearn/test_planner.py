"""Plans of reactions make their targets."""

from __future__ import annotations

import pytest

from mars_logic.domains import games_of, load_game
from mars_logic.domains.rulearn.reactor.planner import plan_reactions
from mars_logic.domains.rulearn.reactor.rules import products


@pytest.mark.parametrize("name", games_of("rulearn/reactor@round=1")[:15])
def test_planned_reactions_make_the_target(name):
    puzzle = load_game(name)
    plan = plan_reactions(puzzle.rule, puzzle.target, puzzle.raw)
    assert plan is not None and plan.minimal
    stored = set(puzzle.raw)
    for pair in plan.reactions:
        assert stored.issuperset(pair)
        stored |= set(products(puzzle.rule, *pair))
    assert puzzle.target in stored
