"""Plans that are proved sure win under every sampled draw of the movers."""

from __future__ import annotations

import numpy as np
import pytest

from mars_logic.domains import domain_of, load_game
from mars_logic.domains.chance import Seeded
from mars_logic.domains.messenger.kernels import step_many
from mars_logic.domains.messenger.proofs import sure_win
from mars_logic.domains.messenger.rules import STATUS, WON
from mars_logic.errors import InputError


def start(game, seed):
    simulator = domain_of(game).simulator(game)
    simulator.reset(Seeded(seed))
    return simulator.snapshot().numbers


def replayed(numbers, level, plan, draws=2000):
    """bool[draws]: whether the plan wins, with other draws of the movers in each."""
    states = np.tile(np.array(numbers, np.int8), (draws, 1))
    random, rewards = np.random.default_rng(0), np.zeros(draws)
    for action in plan:
        uniforms = random.random((draws, 5))
        step_many(states, level, np.full(draws, action), uniforms, rewards)
    return states[:, STATUS] == WON


def test_level_1_is_always_won():
    game = load_game("MessengerL1@assignments=all")
    for seed in range(8):
        numbers = start(game, seed)
        found = sure_win(1, numbers, game.length)
        assert found.verdict == "sure win" and found.steps == 2
        assert replayed(numbers, 1, found.plan, 1).all()


@pytest.mark.slow
@pytest.mark.parametrize("motion", ["chaser", "fleeing", "immovable"])
def test_level_2_with_still_targets(motion):
    still = {"message_motion": "immovable", "goal_motion": "immovable", "enemy_motion": motion}
    game = load_game("MessengerL2").model_copy(update=still)
    for seed in range(2):
        numbers = start(game, seed)
        found = sure_win(2, numbers, 20)
        assert found.verdict == "sure win" and len(found.plan) == found.steps
        assert replayed(numbers, 2, found.plan).all()
        assert str(found).startswith(f"sure win in {found.steps}: ")


def test_too_few_steps_and_moving_targets():
    still = {"message_motion": "immovable", "goal_motion": "immovable"}
    numbers = start(load_game("MessengerL2").model_copy(update=still), 0)
    assert str(sure_win(2, numbers, 8)) == "no sure win found within 8 steps"
    moving = load_game("MessengerL2").model_copy(update={"goal_motion": "fleeing"})
    with pytest.raises(InputError, match=r"the (goal|message) is"):
        sure_win(2, start(moving, 0), 8)
