"""What a player may believe of the pay-off probabilities, from a theory and from what it saw."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from mars_logic.domains.bandits.rules import Bandit
from mars_logic.domains.game import options
from mars_logic.domains.memory import Array, Memory, unit_nodes

NODES: Final = 100
"""Points that stand for an unknown probability; with them, sums are exact up to 199 pulls an arm.

Beyond that, as in a memory of many episodes, they are as far apart as one standard deviation of the
posterior after 1000 pulls.
"""
MOST_PULLS: Final = 100
"""Pulls of the longest episode that is planned: the work grows with their fourth power."""


@dataclass(frozen=True)
class PullEvidence:
    """How likely what may be seen in an episode is, before the episode.

    Attributes:
        table: float64[states, states]: the probability of any one sequence of results with n pulls
            and w pay-offs of the first machine, and likewise of the second; a state is (n, w).
        length: Pulls of the episode.
    """

    table: Array
    length: int

    @staticmethod
    def index(pulls: np.ndarray | int, paid: np.ndarray | int) -> np.ndarray:
        """The number of a state of one machine."""
        n = np.asarray(pulls)
        return np.asarray(n * (n + 1) // 2 + paid)

    def chances(self, n1: Array, w1: Array, n2: Array, w2: Array) -> tuple[Array, Array]:
        """How likely the next pull of each machine pays; 0 where what was seen is impossible."""
        a, b = self.index(n1, w1), self.index(n2, w2)
        seen = self.table[a, b]
        possible = np.where(seen > 0, seen, 1.0)
        first = self.table[self.index(n1 + 1, w1 + 1), b]
        second = self.table[a, self.index(n2 + 1, w2 + 1)]
        return np.where(seen > 0, first / possible, 0), np.where(seen > 0, second / possible, 0)


class PullBeliefs:
    """The pay-off probabilities as far as a theory and earlier episodes tell.

    Args:
        theory: What is believed before the first episode.
    """

    def __init__(self, theory: Bandit) -> None:
        self.theory = theory
        slots = [_nodes(arm.probability) for arm in theory.arms]
        self.nodes = tuple(nodes for nodes, _ in slots)
        self.memory = Memory(np.outer(slots[0][1], slots[1][1]).ravel(), options(theory.order))

    @property
    def _shape(self) -> tuple[int, int]:
        return self.nodes[0].size, self.nodes[1].size

    @cached_property
    def _rows(self) -> tuple[Array, Array]:
        """For each arm, float64[nodes, states]: how likely one sequence of results is."""
        size = self.theory.length + 1
        pulls = np.repeat(np.arange(size), np.arange(size) + 1)
        paid = np.concatenate([np.arange(n + 1) for n in range(size)])
        first, second = (_likelihood(nodes, pulls, paid) for nodes in self.nodes)
        return first, second

    def orders(self, amounts: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
        """The orders in which the arms pay these amounts (win, loss); the listed order first."""
        arms = [(arm.win, arm.loss) for arm in self.theory.arms]
        return [o for o in ((0, 1), (1, 0)) if tuple(arms[each] for each in o) == amounts]

    def evidence(self, amounts: tuple[tuple[int, int], ...]) -> PullEvidence:
        """What the episode may bring, given what the machines pay."""
        orders = self.orders(amounts)
        prior = self.memory.prior(listed=(0, 1) in orders)
        first, second = self._rows
        size = first.shape[1]
        table = np.zeros((size, size))
        for order in orders:
            weights = prior.shuffled / len(orders)
            if order == (0, 1):
                table += first.T @ (weights + prior.listed).reshape(self._shape) @ second
            else:
                table += second.T @ weights.reshape(self._shape).T @ first
        return PullEvidence(table, self.theory.length)

    def learn(
        self, amounts: tuple[tuple[int, int], ...], seen: tuple[tuple[int, int], tuple[int, int]]
    ) -> None:
        """Take in an episode: of each machine, pulls and how many paid."""
        orders = self.orders(amounts)
        found = []
        for order in orders:
            rows: list[Array] = [np.empty(0)] * 2
            for place, arm in enumerate(order):
                pulls, paid = (np.array([each]) for each in seen[place])
                rows[arm] = _likelihood(self.nodes[arm], pulls, paid)[:, 0]
            found.append(np.outer(*rows).ravel())
        self.memory.learn(found, listed=(0, 1) in orders)

    def sentences(self) -> list[str]:
        """What earlier episodes have taught."""
        told = self.memory.sentence()
        if not told:
            return []
        _, weights = self.memory.numbers
        joint = weights.reshape(self._shape)
        better = (joint * np.maximum.outer(*self.nodes)).sum()
        worse = (joint * np.minimum.outer(*self.nodes)).sum()
        return [told, f"If so, one arm pays with {better:.3f}, the other with {worse:.3f}."]


def _nodes(field: object) -> tuple[Array, Array]:
    """The values that a probability may have, and their weights."""
    known = options(field)
    if known is None:
        return unit_nodes(NODES)
    return np.array(list(known), float), np.array(list(known.values()), float)


def _likelihood(nodes: Array, pulls: np.ndarray, paid: np.ndarray) -> Array:
    """float64[nodes, states]: the probability of one sequence of results in each state."""
    p = nodes[:, None]
    result: Array = p**paid * (1 - p) ** (pulls - paid)
    return result
