"""Many episodes of rock, paper, scissors at once, for means and curves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.memory import Array
from mars_logic.domains.rock_paper_scissors.beliefs import RoundBeliefs
from mars_logic.domains.rock_paper_scissors.rules import MOVES, RockPaperScissors
from mars_logic.domains.rock_paper_scissors.simulator import best_move
from mars_logic.domains.rock_paper_scissors.value import best_moves

Chooser = Callable[[Array, tuple[int, ...]], NDArray[np.bool_]]
"""The moves between which it chooses at random, bool[many, 3], after these counts of the opponent's
moves, float64[many, 3], where winning with the moves is worth so much."""


def bayes(theory: RockPaperScissors) -> Chooser:
    """The moves that are optimal by a theory."""
    beliefs = RoundBeliefs(theory, theory.length)

    def choose(counts: Array, scores: tuple[int, ...]) -> NDArray[np.bool_]:
        orders = beliefs.orders(scores)
        chances, _ = beliefs.predict(beliefs.prior(orders), orders, counts)
        return best_moves(chances, scores)

    return choose


def best_rounds(
    game: RockPaperScissors, choose: Chooser, episodes: int, seed: int
) -> NDArray[np.bool_]:
    """bool[episodes, length]: in which rounds the best move was made; a score is their number.

    Args:
        game: The rules.
        choose: Who plays.
        episodes: How many episodes.
        seed: Decides everything.
    """
    rng = np.random.default_rng(seed)
    order = np.tile(np.arange(len(MOVES)), (episodes, 1))
    if game.order == "shuffled":
        order = rng.permuted(order, axis=1)
    deals, which = np.unique(order, axis=0, return_inverse=True)
    parts = [
        (np.flatnonzero(which.ravel() == place), tuple(game.moves[each] for each in deal))
        for place, deal in enumerate(deals)
    ]
    found = np.zeros((episodes, game.length), np.bool_)
    for members, moves in parts:
        scores = tuple(move.score for move in moves)
        chances = tuple(move.probability for move in moves)
        best = best_move(chances, scores)
        steps = np.array(chances).cumsum()[:-1]
        counts = np.zeros((len(members), len(MOVES)))
        for behind in range(game.length):
            seen, at = np.unique(counts, axis=0, return_inverse=True)
            may = choose(seen, scores)[at.ravel()]
            own = np.argmax(np.where(may, rng.random(may.shape), -1.0), axis=1)
            found[members, behind] = own == best
            opponent = np.searchsorted(steps, rng.random(len(members)), side="right")
            counts[np.arange(len(members)), opponent] += 1
    return found
