"""The rules of rock, paper, scissors as data.

Source: SmartPlay, section on rock, paper, scissors, and its code. Its setting with different scores
cannot be constructed there; here it has the numbers that were meant.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Annotated, ClassVar, Final

from pydantic import AfterValidator

from mars_logic.domains.game import Game, Open, Ordering, Reward, list_of, options
from mars_logic.world.fields import Probability, invalid

MOVES: Final = ("rock", "paper", "scissors")
"""Each move beats the one before it, and the first beats the last."""
_ROUNDING: Final = 1e-9


class Move(Open):
    """One move.

    Attributes:
        probability: How likely the opponent makes it in a round.
        score: The reward of who wins with it, and what who loses to it pays.
    """

    stated = frozenset({"score"})

    probability: Probability
    score: Reward = 1


def possible(moves: tuple[Move, ...]) -> Iterator[tuple[tuple[float | None, ...], float]]:
    """The probabilities of the three moves that a theory allows, each with its weight.

    A probability of which nothing is known is None.
    """
    fields = [options(move.probability) or {None: 1.0} for move in moves]
    for choice in itertools.product(*(field.items() for field in fields)):
        numbers: tuple[float | None, ...] = tuple(number for number, _ in choice)
        total = sum(number for number in numbers if number is not None)
        exact = abs(total - 1) <= _ROUNDING
        if exact or (None in numbers and total < 1):
            weight = choice[0][1] * choice[1][1] * choice[2][1]
            yield numbers, weight


def _sum_to_one(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    if not any(True for _ in possible(moves)):
        raise invalid("the probabilities cannot sum to 1", "probabilities that sum to 1")
    return moves


class RockPaperScissors(Game):
    """A game against one opponent.

    Attributes:
        moves: Rock, paper, scissors.
        order: Whether the three pairs of probability and score are dealt to the moves at random
            before each episode.
    """

    domain: ClassVar[str] = "rock_paper_scissors"
    stated = Game.stated | {"moves"}

    moves: Annotated[
        tuple[Move, Move, Move],
        list_of(3, "three moves, such as {probability: 0.2, score: 1}"),
        AfterValidator(_sum_to_one),
    ]
    order: Ordering = "shuffled"


def payoff(own: int, other: int, scores: tuple[int, ...]) -> int:
    """The reward of a round.

    Args:
        own: The player's move.
        other: The opponent's.
        scores: What winning with each move is worth.
    """
    if own == other:
        return 0
    return scores[own] if (own - other) % 3 == 1 else -scores[other]
