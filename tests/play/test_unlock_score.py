"""SmartPlay's score of survival games: its definition; certificates cannot overstate it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.agents.random import RandomAgent
from mars_logic.play.certificate import certify, verify
from mars_logic.play.episodes import play
from mars_logic.play.unlock_score import (
    LENGTH,
    MARKS,
    smartplay_row,
    smartplay_score,
    smartplay_summary,
)
from mars_logic.sim import Simulator
from mars_logic.world.load import load_world

STEPS = st.integers(1, LENGTH)


def step_by_step(unlocked, steps, until):
    """The sum as the definition has it; the first step of the game is the reset's no-op."""
    total = count = 0
    for step in range(2, until + 1):
        if step - 1 > steps:
            break
        count += sum(at == step - 1 for at in unlocked.values())
        total += count
    return total


@given(st.lists(st.integers(1, 60), max_size=22), st.integers(0, 40), st.integers(1, 80))
def test_the_score_is_the_sum_over_steps(found, more, until):
    unlocked = {str(place): step for place, step in enumerate(found)}
    steps = max(found, default=0) + more
    assert smartplay_score(unlocked, steps, until) == step_by_step(unlocked, steps, until)


@given(st.lists(STEPS, min_size=1, max_size=22), STEPS)
def test_the_score_at_the_last_mark_is_the_score(found, steps):
    unlocked = {str(place): step for place, step in enumerate(found) if step <= steps}
    row = smartplay_row(unlocked, steps)
    at = [row["at"][str(mark)] for mark in MARKS]
    assert at == sorted(at) and at[-1] == row["score"]
    assert row["unlocked"] == len(unlocked)


def test_a_perfect_life():
    assert smartplay_score({str(n): 1 for n in range(22)}, LENGTH) == 22 * (LENGTH - 1)


def test_a_summary_needs_an_episode():
    with pytest.raises(ValueError, match="no episode"):
        smartplay_summary([])
    found = smartplay_summary([smartplay_row({"a": 1}, 3), smartplay_row({"a": 1}, LENGTH - 1)])
    assert found["alive"] == 0.5 and found["steps"]["mean"] == (3 + LENGTH - 1) / 2


def test_a_certificate_may_not_claim_another_score():
    world = load_world("crafter")
    played = play(RandomAgent(), Simulator(world), 0, world.achievements, limit=200)
    assert played.unlocked
    made = certify(played, world, "crafter", "random", smartplay=True)
    assert made.smartplay == step_by_step(played.unlocked, played.steps, LENGTH) > 0
    assert verify(made, world).valid
    more = made.model_copy(update={"smartplay": made.smartplay + 1})
    assert "SmartPlay's score" in verify(more, world).problems[0]
