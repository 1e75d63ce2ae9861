"""Many episodes of a bandit at once, for means and curves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.bandits.beliefs import PullBeliefs
from mars_logic.domains.bandits.rules import Bandit
from mars_logic.domains.bandits.value import Amounts, optimal

Counts = NDArray[np.int64]
Chooser = Callable[[Counts, np.random.Generator], NDArray[np.int64]]
"""Chooses machines, int64[episodes], after int64[episodes, 2, 2]: pulls and pay-offs of each."""

_BOTH: Final = 2


def random_pulls(counts: Counts, rng: np.random.Generator) -> NDArray[np.int64]:
    """Each machine with the same probability."""
    return rng.integers(_BOTH, size=len(counts))


def thompson(counts: Counts, rng: np.random.Generator) -> NDArray[np.int64]:
    """The machine that is better in a draw from the posterior, with Beta(1, 1) priors.

    Source: Thompson, "On the likelihood that one unknown probability exceeds another", 1933.
    """
    pulls, paid = counts[:, :, 0], counts[:, :, 1]
    drawn: NDArray[np.float64] = rng.beta(1 + paid, 1 + pulls - paid)
    return (drawn[:, 1] > drawn[:, 0]).astype(np.int64)


def bayes(theory: Bandit) -> Chooser:
    """The machine that is optimal by a theory, in which both arms pay the same amounts.

    Raises:
        ValueError: They do not.
    """
    first, second = ((arm.win, arm.loss) for arm in theory.arms)
    if first != second:
        raise ValueError("the arms pay different amounts")
    amounts: Amounts = (first, second)
    policy = optimal(PullBeliefs(theory).evidence(amounts), amounts)

    def choose(counts: Counts, rng: np.random.Generator) -> NDArray[np.int64]:
        (n1, w1), (n2, w2) = counts.transpose(1, 2, 0)
        layer = policy.first[int(n1[0] + n2[0])]
        second: NDArray[np.bool_] = rng.random(len(counts)) >= layer[n1, w1, w2]
        return second.astype(np.int64)

    return choose


def best_pulls(game: Bandit, choose: Chooser, episodes: int, seed: int) -> NDArray[np.bool_]:
    """bool[episodes, length]: which pulls were of the machine with the larger expected reward.

    The score of an episode is the number of them; regret is what the others cost.

    Args:
        game: The rules.
        choose: Who plays.
        episodes: How many episodes.
        seed: Decides everything.
    """
    rng = np.random.default_rng(seed)
    chances = np.array([arm.probability for arm in game.arms], float)
    expected = np.array([arm.expected for arm in game.arms])
    order = np.tile(np.arange(_BOTH), (episodes, 1))
    if game.order == "shuffled":
        order = rng.permuted(order, axis=1)
    best = np.argmax(expected[order], axis=1)
    counts = np.zeros((episodes, _BOTH, 2), np.int64)
    each = np.arange(episodes)
    found = np.zeros((episodes, game.length), np.bool_)
    for pull in range(game.length):
        machine = choose(counts, rng)
        paid = rng.random(episodes) < chances[order[each, machine]]
        counts[each, machine, 0] += 1
        counts[each, machine, 1] += paid
        found[:, pull] = machine == best
    return found
