"""The environment beside PyPI's Crafter, as a user of either would see them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.conformance.test_crafter_live import (  # noqa: F401
    crafter,
    patched,
    script,
)


@pytest.mark.parametrize("seed", range(6))
def test_the_same_seed_gives_what_crafter_gives(seed, make):
    theirs, env = crafter.Env(seed=seed), make("Crafter")
    actions = script(np.random.default_rng(seed))
    theirs.reset()
    env.reset(seed=seed)
    np.testing.assert_array_equal(env.game.simulator.semantic()[0], theirs._sem_view())
    for action in actions:
        _, reward, done, expected = theirs.step(action)
        _, own, terminated, truncated, info = env.step(action)
        assert (own, terminated or truncated) == (reward, done)
        assert {key: info[key] for key in ("inventory", "achievements", "discount", "reward")} == {
            key: expected[key] for key in ("inventory", "achievements", "discount", "reward")
        }
        np.testing.assert_array_equal(info["semantic"], expected["semantic"])
        np.testing.assert_array_equal(info["player_pos"], expected["player_pos"])
        if done:
            theirs.reset()
            env.reset()  # the next episode of the same seed, as Crafter's next reset
