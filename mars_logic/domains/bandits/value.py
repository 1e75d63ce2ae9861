"""Optimal play of a two-armed bandit: dynamic programming over the counts of results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from mars_logic.domains.bandits.beliefs import MOST_PULLS, PullBeliefs, PullEvidence
from mars_logic.domains.bandits.rules import Bandit
from mars_logic.domains.base import Value
from mars_logic.domains.memory import Array
from mars_logic.errors import InputError

TIE: Final = 1e-9
"""Expected rewards that differ by no more are equal: what differs is rounding."""
Amounts = tuple[tuple[int, int], tuple[int, int]]
"""Of each machine, the reward of a pull that pays and of one that does not."""


@dataclass(frozen=True)
class Policy:
    """An optimal policy.

    Attributes:
        first: For each number of pulls t, float64[t + 1, t + 1, t + 1]: the probability of pulling
            the first machine, by its pulls, its pay-offs, and the pay-offs of the second; ½ where
            both are optimal.
        expected: The expected total reward, by the beliefs the policy was made for.
    """

    first: tuple[Array, ...]
    expected: float

    def at(self, first: tuple[int, int], second: tuple[int, int]) -> list[int]:
        """The optimal machines after (pulls, pay-offs) of each."""
        choice = self.first[first[0] + second[0]][first[0], first[1], second[1]]
        return [0, 1] if choice == 0.5 else [int(choice == 0)]


def optimal(evidence: PullEvidence, amounts: Amounts) -> Policy:
    """The policy with the largest expected total reward.

    Args:
        evidence: What the episode may bring.
        amounts: What the machines pay.
    """
    (win1, loss1), (win2, loss2) = amounts
    length = evidence.length
    value = np.zeros((length + 1,) * 3)
    first: list[Array] = []
    for pulls in reversed(range(length)):
        n1, w1, w2 = np.ogrid[: pulls + 1, : pulls + 1, : pulls + 1]
        n2 = pulls - n1
        p1, p2 = evidence.chances(n1, np.minimum(w1, n1), n2, np.minimum(w2, n2))
        pays = value[1:, 1:, :-1] + win1
        fails = value[1:, :-1, :-1] + loss1
        one = p1 * pays + (1 - p1) * fails
        two = p2 * (value[:-1, :-1, 1:] + win2) + (1 - p2) * (value[:-1, :-1, :-1] + loss2)
        first.append(np.where(np.abs(one - two) <= TIE, 0.5, np.where(one > two, 1.0, 0.0)))
        value = np.maximum(one, two)
    return Policy(tuple(reversed(first)), float(value[0, 0, 0]))


def expected(
    policy: Policy, chances: tuple[float, float], amounts: Amounts, best: int
) -> tuple[float, float]:
    """What a policy gets, exactly, from machines with these probabilities of paying.

    Returns:
        The expected number of pulls of the machine ``best``, and the expected total reward.
    """
    (p1, p2), ((win1, loss1), (win2, loss2)) = chances, amounts
    reach = np.ones((1, 1, 1))
    pulls = np.zeros(2)
    for first in policy.first:
        one, two = reach * first, reach * (1 - first)
        pulls += one.sum(), two.sum()
        reach = np.zeros(tuple(size + 1 for size in reach.shape))
        reach[1:, 1:, :-1] += one * p1
        reach[1:, :-1, :-1] += one * (1 - p1)
        reach[:-1, :-1, 1:] += two * p2
        reach[:-1, :-1, :-1] += two * (1 - p2)
    each = np.array([p1 * win1 + (1 - p1) * loss1, p2 * win2 + (1 - p2) * loss2])
    return float(pulls[best]), float(pulls @ each)


def require_plannable(theory: Bandit) -> None:
    """Refuse episodes that are too long to plan.

    Raises:
        InputError: The theory's length is beyond ``MOST_PULLS``.
    """
    if theory.length > MOST_PULLS:
        message = f"{theory.length} pulls are too many to plan exactly"
        raise InputError(f"{theory.name}: length: {message}; allowed: at most {MOST_PULLS}")


def value_of(game: Bandit, theory: Bandit, told: str) -> Value:
    """The exact optimum of a game for who believes a theory, averaged over the orders of the arms.

    Raises:
        InputError: The episode is too long to plan.
    """
    require_plannable(theory)
    beliefs = PullBeliefs(theory)
    orders = [(0, 1), (1, 0)] if game.order == "shuffled" else [(0, 1)]
    found = []
    policies: dict[Amounts, Policy] = {}
    for order in orders:
        one, two = (game.arms[each] for each in order)
        amounts = ((one.win, one.loss), (two.win, two.loss))
        if amounts not in policies:
            policies[amounts] = optimal(beliefs.evidence(amounts), amounts)
        policy = policies[amounts]
        chances = (one.probability, two.probability)
        best = int(two.expected > one.expected)
        found.append((*expected(policy, chances, amounts, best), policy.expected))
    score, reward, own = (sum(each) / len(found) for each in zip(*found, strict=True))
    moves = first_moves(next(iter(policies.values())))
    return Value(told, score, reward, own, moves, _note(game, own))


def _note(game: Bandit, expected_reward: float) -> str:
    """The expected number of pay-offs, where all pay the same."""
    (win, loss), other = ((arm.win, arm.loss) for arm in game.arms)
    if (win, loss) != other or win == loss:
        return ""
    payoffs = (expected_reward - loss * game.length) / (win - loss)
    return f"Before the first pull it expects {payoffs:.3f} pay-offs of {game.length}."


def first_moves(policy: Policy, depth: int = 4) -> tuple[str, ...]:
    """What the policy does in the first pulls, a sentence each; of equals it takes the first."""
    found: list[str] = []
    waiting: list[tuple[str, tuple[int, int], tuple[int, int]]] = [("", (0, 0), (0, 0))]
    while waiting:
        history, first, second = waiting.pop(0)
        pulls = first[0] + second[0]
        if pulls >= min(depth, len(policy.first)):
            continue
        best = policy.at(first, second)
        names = " or ".join(f"machine {each + 1}" for each in best)
        found.append(f"{history.strip() or 'at the start'}: {names}")
        for paid in (1, 0):
            told = f"{history} {best[0] + 1}{'+' if paid else '-'}"
            after = [first, second]
            n, w = after[best[0]]
            after[best[0]] = (n + 1, w + paid)
            waiting.append((told, after[0], after[1]))
    return tuple(found)
