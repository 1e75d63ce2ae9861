"""The engine: one environment and a batch do the same, and nothing leaves the grid."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.domains import domain_of, load_game
from mars_logic.domains.chance import Seeded
from mars_logic.domains.messenger.kernels import options, step_many, touches
from mars_logic.domains.messenger.many import MessengerBatch
from mars_logic.domains.messenger.rules import (
    AGENT_X,
    AGENT_Y,
    CHASER,
    DEAD,
    FIRST_THING,
    FLEEING,
    LARGEST,
    NAMES,
    PLAYING,
    STATUS,
    THING_SIZE,
    THINGS,
    assignments,
    motion_combinations,
)
from mars_logic.domains.messenger.views import grid
from mars_logic.domains.protocol import ActionError

LEVELS = pytest.mark.parametrize("level", [1, 2, 3])
HALF = st.integers(0, LARGEST)


class Listed:
    """A seeded source of chance that remembers what it gave, by name."""

    def __init__(self, seed):
        self._stream, self.given = Seeded(seed), {}

    def uniform(self, name):
        self.given[name] = self._stream.uniform(name)
        return self.given[name]

    def order(self, name, size):
        return self._stream.order(name, size)

    def weighted(self, name, weights):
        return self._stream.weighted(name, weights)


def test_the_published_games():
    assert [len(assignments(split)) for split in ("train", "val", "test", "all")] == [
        44,
        32,
        32,
        1320,
    ]
    assert not set(assignments("val")) & set(assignments("test"))
    assert {name for game in assignments("test") for name in game} == set(NAMES)
    assert [len(motion_combinations(2)), len(motion_combinations(2, "different"))] == [27, 6]
    assert len(motion_combinations(3)) == 18


@LEVELS
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**9), actions=st.lists(st.integers(0, 4), max_size=60))
def test_one_environment_and_a_batch_agree(level, seed, actions):
    game = load_game(f"MessengerL{level}@assignments=all")
    simulator, chance = domain_of(game).simulator(game), Listed(seed)
    simulator.reset(chance)
    batch = MessengerBatch(game, 2)
    batch.reset([seed, seed])
    assert batch.setups[1] == simulator.snapshot().setup
    names = [f"moves of {slot}" for slot in ("enemy", "message", "goal", "decoy_message")]
    names.append("moves of decoy_goal")
    for action in actions:
        if simulator.snapshot().numbers[STATUS] != PLAYING:
            with pytest.raises(ActionError, match="the episode is over"):
                simulator.step(action, chance)
            before = batch.states.copy()
            rewards, done = batch.step([action] * 2)
            assert not rewards.any() and done.all() and (batch.states == before).all()
            return
        chance.given.clear()
        outcome = simulator.step(action, chance)
        uniforms = np.tile([chance.given.get(name, 0.0) for name in names], (2, 1))
        rewards, done = batch.step([action] * 2, uniforms)
        assert tuple(batch.states[1].tolist()) == simulator.snapshot().numbers
        assert rewards[0] == outcome.reward and done[0] == outcome.done
        assert batch.won[0] == outcome.completed


@LEVELS
def test_nothing_leaves_the_grid(level):
    batch = MessengerBatch(load_game(f"MessengerL{level}"), 200)
    batch.reset(range(200))
    random = np.random.default_rng(level)
    for _ in range(80):
        batch.step(random.integers(0, 5, 200))
        at = [AGENT_X, AGENT_Y]
        for thing in range(THINGS):
            at += [FIRST_THING + THING_SIZE * thing, FIRST_THING + THING_SIZE * thing + 1]
        assert (batch.states[:, at] >= 0).all() and (batch.states[:, at] <= LARGEST).all()
    assert batch.done.any()


@settings(max_examples=300, deadline=None)
@given(HALF, HALF, HALF, HALF)
def test_options_are_those_that_change_the_distance(ax, ay, x, y):
    steps = [(0, -1), (-1, 0), (0, 1), (1, 0)]  # north, west, south, east
    after = [abs(x + dx - ax) + abs(y + dy - ay) for dx, dy in steps]
    now = abs(x - ax) + abs(y - ay)
    nearer = [each < now for each in after]
    for motion, wanted in ((CHASER, nearer), (FLEEING, [each > now for each in after])):
        wanted = wanted if any(wanted) else [True] * 4
        mask = options(ax, ay, x, y, motion)
        assert [bool(mask >> i & 1) for i in range(4)] == wanted
    assert touches(ax, ay, x, y) == (abs(ax - x) <= 1 and abs(ay - y) <= 1)


def test_two_deadly_things_pay_twice():
    state = np.zeros((1, 24), np.int8)
    state[0, :2] = 8, 8
    for thing in range(THINGS):
        state[0, FIRST_THING + 4 * thing : FIRST_THING + 4 * thing + 4] = 0, 0, 1, 2
    for thing in (0, 3):
        state[0, FIRST_THING + 4 * thing : FIRST_THING + 4 * thing + 2] = 9, 8
    rewards = np.zeros(1)
    step_many(state, 3, np.array([4]), np.zeros((1, 5)), rewards)
    assert rewards[0] == -2 and state[0, STATUS] == DEAD


def test_the_grid_shows_all_things():
    game = load_game("messenger/l3")
    simulator = domain_of(game).simulator(game)
    simulator.reset(Seeded(4))
    shown = grid(simulator.observe())
    assert shown.shape == (10, 10, 6) and (shown > 0).sum() == 6
    assert (shown[:, :, 5] == 15).sum() == 1
    ids = sorted(shown[:, :, :5][shown[:, :, :5] > 0].tolist())
    assert len(set(ids)) == 3  # the enemy's name once, the others twice


def test_wrong_batches():
    game = load_game("MessengerL2")
    with pytest.raises(ValueError, match="allowed: from 1"):
        MessengerBatch(game, 0)
    batch = MessengerBatch(game, 2)
    with pytest.raises(ValueError, match="allowed: 2"):
        batch.reset([1])
    batch.reset([1, 2])
    with pytest.raises(ValueError, match="numbers from 0 to 4"):
        batch.step([5, 0])
