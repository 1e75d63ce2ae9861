"""Optimal play of rock, paper, scissors.

The opponent's move is shown whatever one plays, so that nothing can be explored: what is best for
the next round by what was seen so far is optimal for the whole episode.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

import numpy as np

from mars_logic.domains.base import Value
from mars_logic.domains.memory import Array
from mars_logic.domains.rock_paper_scissors.beliefs import RoundBeliefs
from mars_logic.domains.rock_paper_scissors.rules import MOVES, RockPaperScissors, payoff
from mars_logic.errors import InputError

TIE: Final = 1e-9
"""Expected rewards that differ by no more are equal: what differs is rounding."""
MOST_ROUNDS: Final = 200
"""Rounds of the longest episode whose value is computed: the work grows with their third power."""
GREEDY: Final = (
    "The policy is greedy, and that is optimal: the opponent's move is shown whatever one plays, "
    "so nothing can be explored."
)


def payoffs(scores: tuple[int, ...]) -> Array:
    """float64[3, 3]: the reward of each own move against each of the opponent's."""
    moves = range(len(MOVES))
    return np.array([[payoff(own, other, scores) for other in moves] for own in moves], float)


def best_moves(chances: Array, scores: tuple[int, ...]) -> np.ndarray:
    """bool[many, 3]: the moves with the largest expected reward.

    Args:
        chances: float64[many, 3]: how likely the opponent makes each move.
        scores: What winning with each move is worth.
    """
    expected = chances @ payoffs(scores).T
    best: np.ndarray = expected >= expected.max(axis=1, keepdims=True) - TIE
    return best


def value_of(game: RockPaperScissors, theory: RockPaperScissors, told: str) -> Value:
    """The exact optimum of a game for who believes a theory, averaged over the orders.

    Raises:
        InputError: The episode is too long.
    """
    if game.length > MOST_ROUNDS:
        message = f"{game.length} rounds are too many to compute a value"
        raise InputError(f"{game.name}: length: {message}; allowed: at most {MOST_ROUNDS}")
    beliefs = RoundBeliefs(theory, game.length)
    own = RoundBeliefs(game, 0)
    listed = [(move.probability, move.score) for move in game.moves]
    orders = own.orders(tuple(score for _, score in listed))
    if game.order == "shuffled":
        orders = [order for scores in _shown(game) for order in own.orders(scores)]
    deals = [tuple(listed[each] for each in order) for order in orders]
    found: dict[tuple[tuple[float, int], ...], tuple[Array, tuple[str, ...]]] = {}
    for deal in deals:
        if deal not in found:
            found[deal] = _value(beliefs, deal, game.length)
    score, reward, expected = np.mean([found[deal][0] for deal in deals], axis=0).tolist()
    return Value(told, score, reward, expected, found[deals[0]][1], GREEDY)


def _shown(game: RockPaperScissors) -> list[tuple[int, ...]]:
    """The scores of the moves as they may be dealt, each once."""
    return sorted(set(itertools.permutations(move.score for move in game.moves)))


def _value(
    beliefs: RoundBeliefs, deal: tuple[tuple[float, int], ...], rounds: int
) -> tuple[Array, tuple[str, ...]]:
    """Score, reward, and the reward that is expected, in an episode with this deal."""
    scores = tuple(score for _, score in deal)
    truth = np.array([chance for chance, _ in deal])
    orders = beliefs.orders(scores)
    prior = beliefs.prior(orders)
    each = payoffs(scores) @ truth
    best = int(np.flatnonzero(each >= each.max() - TIE)[0])
    total = np.zeros(3)
    for counts, sequences, reach in _histories(truth, rounds):
        chances, seen = beliefs.predict(prior, orders, counts)
        moves = best_moves(chances, scores)
        shares = moves / moves.sum(axis=1, keepdims=True)
        expected = (chances @ payoffs(scores).T).max(axis=1)
        total += reach @ shares[:, best], reach @ shares @ each, (sequences * seen) @ expected
    return total, tuple(_first_moves(beliefs, scores))


def _histories(truth: Array, rounds: int) -> Iterator[tuple[Array, Array, Array]]:
    """For each number of rounds that may lie behind: what may have been seen.

    Yields:
        float64[many, 3], the counts of the moves; float64[many], the number of sequences with these
        counts; float64[many], the probability of the counts, given the opponent's probabilities.
    """
    sequences, reach = np.ones((1, 1)), np.ones((1, 1))
    for behind in range(rounds):
        first, second = np.nonzero(
            np.add.outer(np.arange(behind + 1), np.arange(behind + 1)) <= behind
        )
        counts = np.stack([first, second, behind - first - second], axis=1).astype(float)
        yield counts, sequences[first, second], reach[first, second]
        sequences = _one_more(sequences, np.ones(3))
        reach = _one_more(reach, truth)


def _one_more(layer: Array, weights: Array) -> Array:
    """A layer, by the counts of the first two moves, after one round more."""
    after = np.zeros((layer.shape[0] + 1, layer.shape[1] + 1))
    after[1:, :-1] += layer * weights[0]
    after[:-1, 1:] += layer * weights[1]
    after[:-1, :-1] += layer * weights[2]
    return after


def _first_moves(beliefs: RoundBeliefs, scores: tuple[int, ...]) -> Iterator[str]:
    """What the policy does first: at the start, and after one and two moves of the opponent."""
    orders = beliefs.orders(scores)
    prior = beliefs.prior(orders)
    histories = [(), *((a,) for a in range(3)), *((a, b) for a in range(3) for b in range(a, 3))]
    for history in histories:
        counts = np.array([[float(history.count(move)) for move in range(3)]])
        chances, seen = beliefs.predict(prior, orders, counts)
        if seen[0] > 0:
            best = np.flatnonzero(best_moves(chances, scores)[0])
            told = "at the start" if not history else " ".join(MOVES[move] for move in history)
            yield f"{told}: {' or '.join(MOVES[move] for move in best)}"
