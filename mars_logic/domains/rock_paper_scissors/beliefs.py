"""What a player may believe of the opponent, from a theory and from what it saw."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

import numpy as np

from mars_logic.domains.game import options
from mars_logic.domains.memory import Array, EpisodePrior, Memory, unit_nodes
from mars_logic.domains.rock_paper_scissors.rules import MOVES, RockPaperScissors, possible

MOST_NODES: Final = 128
"""Points along each of two axes that stand for unknown probabilities, at most."""
_NO_CHANCE: Final = -1e30
"""The logarithm of no chance at all; finite, so that nothing times it is nothing."""

Order = tuple[int, ...]


class RoundBeliefs:
    """The opponent's probabilities as far as a theory and earlier episodes tell.

    Attributes:
        chances: float64[nodes, 3]: what the probabilities may be, in the order of the theory.
        memory: The posterior over the nodes.

    Args:
        theory: What is believed before the first episode.
        rounds: Rounds of a memory for which sums over unknown probabilities are exact.
    """

    def __init__(self, theory: RockPaperScissors, rounds: int) -> None:
        self.theory = theory
        parts = [(chances, weights) for chances, weights in _nodes(theory, rounds)]
        self.chances = np.concatenate([chances for chances, _ in parts])
        weights = np.concatenate([weights for _, weights in parts])
        self.memory = Memory(weights / weights.sum(), options(theory.order))
        with np.errstate(divide="ignore"):
            self._logs = np.maximum(np.log(self.chances), _NO_CHANCE)

    def orders(self, scores: tuple[int, ...]) -> list[Order]:
        """The orders in which the moves have these scores; the listed order first."""
        listed = [move.score for move in self.theory.moves]
        return [
            order
            for order in itertools.permutations(range(len(MOVES)))
            if tuple(listed[each] for each in order) == scores
        ]

    def prior(self, orders: list[Order]) -> EpisodePrior:
        """What to believe of an episode in which these orders are possible."""
        return self.memory.prior(listed=(0, 1, 2) in orders)

    def predict(
        self, prior: EpisodePrior, orders: list[Order], counts: Array
    ) -> tuple[Array, Array]:
        """What to expect of the opponent's next move.

        Args:
            prior: What was believed before the first round.
            orders: The possible orders.
            counts: float64[many, 3]: how often each move has been seen.

        Returns:
            float64[many, 3], the probability of each move; and float64[many], the probability of
            any one sequence of moves with these counts.
        """
        # Under other orders, the same counts of the listed pairs come up again and again.
        by_slot = np.stack([_by_slot(order, counts) for order in orders])
        rows, at = np.unique(by_slot.reshape(-1, len(MOVES)), axis=0, return_inverse=True)
        at = at.reshape(by_slot.shape[:2])
        logs = rows @ self._logs.T
        most = logs.max(axis=1)
        likely = np.exp(logs - most[:, None])
        highest = most[at].max(axis=0)
        scales = np.exp(most[at] - highest)
        total, moves = np.zeros(len(counts)), np.zeros((len(counts), len(MOVES)))
        each_order = likely @ self._columns(prior.shuffled / len(orders))
        as_listed = likely @ self._columns(prior.listed)
        for order, row, scale in zip(orders, at, scales, strict=True):
            found = each_order[row]
            if order == (0, 1, 2):
                found = found + as_listed[row]
            found = found * scale[:, None]
            total += found[:, 0]
            moves += found[:, 1:][:, order]
        certain = np.where(total > 0, total, 1.0)[:, None]
        moves = np.where(total[:, None] > 0, moves / certain, 1 / len(MOVES))
        return moves, total * np.exp(highest)

    def _columns(self, weights: Array) -> Array:
        """float64[nodes, 4]: the weights, and these times the probabilities of the moves."""
        found: Array = weights[:, None] * np.column_stack([np.ones(len(weights)), self.chances])
        return found

    def learn(self, scores: tuple[int, ...], counts: Array) -> None:
        """Take in an episode: float64[3], how often the opponent made each move."""
        orders = self.orders(scores)
        by_slot = np.stack([_by_slot(order, counts[None, :])[0] for order in orders])
        likely = np.exp(by_slot @ self._logs.T)
        self.memory.learn(list(likely), listed=(0, 1, 2) in orders)

    def sentences(self) -> list[str]:
        """What earlier episodes have taught."""
        told = self.memory.sentence()
        if not told:
            return []
        _, weights = self.memory.numbers
        often = np.sort(self.chances, axis=1)[:, ::-1]
        numbers = ", ".join(f"{each:.3f}" for each in weights @ often)
        return [told, f"If so, the opponent's probabilities are {numbers}."]


def _by_slot(order: Order, counts: Array) -> Array:
    """Counts of the moves, as counts of the listed pairs that lie at them."""
    found = np.empty_like(counts)
    found[:, order] = counts
    return found


def _nodes(theory: RockPaperScissors, rounds: int) -> Iterator[tuple[Array, Array]]:
    """The probabilities that a theory allows, with weights; the unknown ones share what is left."""
    size = min(MOST_NODES, rounds // 2 + 2)
    points, weights = unit_nodes(size)
    for numbers, weight in possible(theory.moves):
        open_places = [place for place, number in enumerate(numbers) if number is None]
        left = 1 - sum(number for number in numbers if number is not None)
        shares, share_weights = _shares(len(open_places), points, weights)
        chances = np.empty((len(shares), len(MOVES)))
        for place, number in enumerate(numbers):
            chances[:, place] = 0 if number is None else number
        for column, place in enumerate(open_places):
            chances[:, place] = left * shares[:, column]
        yield chances, weight * share_weights


def _shares(size: int, points: Array, weights: Array) -> tuple[Array, Array]:
    """Points of the simplex with so many parts, under the uniform distribution, and weights."""
    if size <= 1:
        return np.ones((1, max(1, size))), np.ones(1)
    if size == 2:
        return np.stack([points, 1 - points], axis=1), weights
    first, rest = (each.ravel() for each in np.meshgrid(points, points, indexing="ij"))
    shares = np.stack([first, (1 - first) * rest, (1 - first) * (1 - rest)], axis=1)
    return shares, np.outer(weights * 2 * (1 - points), weights).ravel()
