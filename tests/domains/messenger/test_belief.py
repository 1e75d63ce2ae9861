"""The belief always holds the truth, and never rules out what happens."""

from __future__ import annotations

import numpy as np
import pytest

from mars_logic.domains import domain_of, load_game
from mars_logic.domains.chance import Seeded
from mars_logic.domains.messenger.belief import MessengerBelief
from mars_logic.domains.messenger.players import NamesPlayer, ReaderPlayer
from mars_logic.domains.messenger.readings import Readings
from mars_logic.domains.messenger.rules import (
    FIRST_THING,
    GOAL,
    HAS_MESSAGE,
    PLAYING,
    STATUS,
    THING_SIZE,
)
from mars_logic.domains.messenger.tracks import X_1, X_2
from mars_logic.domains.playing import play
from mars_logic.errors import InputError

CASES = [(level, view) for level in (2, 3) for view in ("grid", "text")]


def true_reading(readings, setup):
    names = [tuple(readings.names[place] for place in row) for row in readings.roles.tolist()]
    found = [
        i
        for i, (each, motions) in enumerate(zip(names, readings.motions.tolist(), strict=True))
        if each == setup.names and tuple(motions) == setup.motions
    ]
    (only,) = found
    return only


def half_cells(belief, role):
    """The probability of each half cell on which the thing of a role is."""
    found = {}
    for pair, weight in np.ndenumerate(belief._joint):
        if weight < 1e-12:
            continue
        name = belief.names[belief.readings.roles[pair[1], role]]
        track = belief.track(belief._starts[pair[0]], name, is_message=role == 1)
        motions = belief.readings.motions[pair[1]]
        if belief.level == 3 and role:
            parts = track.twin_weights(int(motions[role]), int(motions[role + 2]))
        else:
            first = track.weights * (track.rows[:, 0] == motions[role])
            parts = (first, np.zeros_like(first))
        total = parts[0].sum() + parts[1].sum()
        for weights, at in zip(parts, (X_1, X_2), strict=True):
            for row in np.flatnonzero(weights):
                x, y = track.rows[row, at : at + 2].tolist()
                if x >= 0:
                    found[x, y] = found.get((x, y), 0.0) + float(weight * weights[row] / total)
    return found


@pytest.mark.parametrize(("level", "view"), CASES)
def test_the_truth_stays_possible(level, view):
    game = load_game(f"MessengerL{level}@observation={view}")
    simulator = domain_of(game).simulator(game)
    random = np.random.default_rng(level)
    for seed in range(2):
        chance = Seeded(seed)
        simulator.reset(chance)
        belief = MessengerBelief(level, simulator.observe())
        setup = simulator.snapshot().setup
        truth = true_reading(belief.readings, setup)
        belief.update()
        while True:
            state = simulator.snapshot().numbers
            assert belief.readings.weights[truth] > 0
            assert belief.readings.weights.sum() == pytest.approx(1)
            at = FIRST_THING + THING_SIZE * GOAL
            assert half_cells(belief, 2).get((state[at], state[at + 1]), 0) > 0
            assert belief.agent == (state[0], state[1])
            action = int(random.integers(0, 5))
            outcome = simulator.step(action, chance)
            has = simulator.snapshot().numbers[HAS_MESSAGE]
            if outcome.done or (has and random.random() < 0.1):
                break
            belief.see(action, simulator.observe())


@pytest.mark.parametrize(("level", "view"), CASES)
def test_a_death_is_never_thought_impossible(level, view):
    """Of the states that are possible before a deadly step, some lead to the death that came."""
    from mars_logic.domains.messenger.kernels import step_many

    game = load_game(f"MessengerL{level}@observation={view}")
    simulator = domain_of(game).simulator(game)
    random = np.random.default_rng(7)
    deaths = 0
    for seed in range(16):
        chance = Seeded(seed)
        simulator.reset(chance)
        belief = MessengerBelief(level, simulator.observe())
        belief.update()
        for _ in range(game.length):
            action = int(random.integers(0, 5))
            outcome = simulator.step(action, chance)
            if not outcome.done:
                belief.see(action, simulator.observe())
                continue
            if outcome.reward < 0:
                deaths += 1
                states = belief.sample(400, random, decide=False)  # before the step
                rewards = np.zeros(len(states))
                draws = random.random((len(states), 5))
                step_many(states, level, np.full(len(states), action), draws, rewards)
                assert (states[:, STATUS] != PLAYING).any()
                assert (rewards < 0).any()
            break
    assert deaths > 4


def test_readings_that_watching_cannot_tell_apart_are_decided():
    readings = Readings.all(2, ("dog", "mage", "ship"))
    weights = np.random.default_rng(0).random(len(readings.weights))
    readings = readings.weighted(weights)
    decided = readings.decided()
    classes = readings.classes()
    assert decided.weights.sum() == pytest.approx(1)
    for each in np.unique(classes):
        here = classes == each
        assert (decided.weights[here] > 0).sum() == 1
        assert decided.weights[here].sum() == pytest.approx(readings.weights[here].sum())
        assert np.argmax(decided.weights * here) == np.argmax(readings.weights * here)


@pytest.mark.parametrize("view", ["grid", "text"])
def test_the_reader_wins(view):
    game = load_game(f"MessengerL3@assignments=all@observation={view}")
    simulator, player = domain_of(game).simulator(game), ReaderPlayer(game, rollouts=60)
    won = [play(simulator, player, seed, game.length).last.completed for seed in range(300, 310)]
    assert sum(won) >= 9
    assert play(simulator, player, 300, game.length) == play(simulator, player, 300, game.length)
    assert player.theory() and all(0 <= each <= 1.0001 for each in player.estimates().values())


def test_who_knows_names_alone():
    game = load_game("MessengerL2")
    simulator = domain_of(game).simulator(game)
    taught = NamesPlayer(game, rollouts=40)
    won = [play(simulator, taught, seed, game.length).last.completed for seed in range(8)]
    assert all(won)
    untaught = NamesPlayer(game, rollouts=40, lessons="none", learn=True)
    before = untaught.counts.copy()
    play(simulator, untaught, 1, game.length)
    assert untaught.counts.sum() == pytest.approx(before.sum() + 3)
    with pytest.raises(InputError, match="there is no split 'all'; allowed: train"):
        NamesPlayer(game, lessons="all")
    with pytest.raises(InputError, match="rollouts: 0 is out of range"):
        ReaderPlayer(game, rollouts=0)
