"""The players of the benchmarks do what the measurements say that they do."""

from __future__ import annotations

import numpy as np
import pytest

from mars_logic.experiments.measurement.players import WINDOW, Crafter, Ours


def test_only_steps_of_the_living_count() -> None:
    batch = Ours(16, spread_out=0)
    ended = np.full(16, -1)
    steps = 300
    actions = batch._random.bit_generator.state  # the same actions again below
    lived, seconds = batch.window(steps)
    again = Ours(16, spread_out=0)
    again._random.bit_generator.state = actions
    for i, row in enumerate(again._actions(steps)):
        done = again.simulator.step(row).done
        ended[(ended < 0) & done] = i + 1
    expected = np.where(ended < 0, steps, ended).sum()
    assert lived == expected < 16 * steps  # somebody died
    assert (batch.done == (ended > 0)).all() and seconds > 0


def test_the_dead_begin_anew_between_windows() -> None:
    batch = Ours(16, spread_out=0)
    assert batch.steps(10) > 0
    assert (batch.simulator.episodes > 1).any()
    assert (batch.simulator.steps <= 10 * WINDOW).all()


def test_play_resets_at_once() -> None:
    batch = Ours(16, spread_out=0, observing=True)
    assert batch.play(400) > 0
    assert (batch.simulator.episodes > 1).any()
    assert not batch.simulator.snapshot().envs["done"].any()


def test_the_nursed_live_on() -> None:
    batch = Ours(8, spread_out=0)
    lived, _ = batch.nursed(600)
    assert 0.98 * 8 * 600 < lived <= 8 * 600  # lava kills until the next cure
    living = batch.living()
    assert living.n == (~batch.done).sum() and (living.steps == 600).all()


@pytest.mark.slow
def test_crafter_counts_its_steps_and_draws_nothing() -> None:
    games = Crafter(2, spread_out=0)
    lived, seconds = games.window(7)
    assert lived == 14 and seconds > 0
    assert [game._step for game in games.games] == [7, 7]
    assert games.games[0].step(0)[0] is None
    assert games.games[0].render().shape == (64, 64, 3)
    games.cure()
    assert games.games[0]._player.inventory["health"] == 9
    games.done[0] = True
    games.begin()
    assert [game._step for game in games.games] == [0, 7]
    assert games.steps(1) > 0 and games.play(5) > 0 and games.nursed(5)[0] == 10
