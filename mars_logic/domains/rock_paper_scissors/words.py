"""Rock, paper, scissors in words."""

from __future__ import annotations

from typing import Any, Final

from mars_logic.domains.rock_paper_scissors.rules import MOVES, RockPaperScissors
from mars_logic.domains.telling import holding, value
from mars_logic.system.display import number

TEXT_LIMIT: Final = 120
"""Characters of the longest observation."""


def manual(game: RockPaperScissors, scores: tuple[int, ...]) -> str:
    """What a player is told before an episode: all but the opponent's probabilities."""
    lines = [
        "You play rock, paper, scissors against an opponent.",
        "Rock beats scissors, scissors beat paper, paper beats rock.",
        "The opponent draws each move with the same hidden probabilities, whatever you play.",
        *(
            f"Winning with {move} is worth {score}: the winner gets it, the loser pays it."
            for move, score in zip(MOVES, scores, strict=True)
        ),
        "Equal moves give nothing.",
        f"You play {number(game.length, 'round')}.",
        "Get as much reward as you can.",
        "",
        "Actions:",
        *(f"{place}. {name}" for place, name in enumerate(MOVES, 1)),
    ]
    return "\n".join(lines)


def result(own: int, opponent: int) -> str:
    """How a round ended for the player: won, lost or tied."""
    return ("tied", "won", "lost")[(own - opponent) % 3]


def observation(own: int, opponent: int, reward: int) -> str:
    """The last round; the moves are -1 before the first."""
    if own < 0:
        return "No round has been played yet."
    return (
        f"You played {MOVES[own]}, the opponent played {MOVES[opponent]}: you "
        f"{result(own, opponent)} and got a reward of {reward}."
    )


def rules(theory: RockPaperScissors) -> list[str]:
    """The rules, one sentence each."""
    order: dict[Any, str] = {
        "shuffled": "Each pair of probability and score goes to a move at random before each "
        "episode.",
        "fixed": "The opponent is the same in every episode.",
    }
    return [
        *(
            f"The opponent plays {name} with probability {value(move.probability)}; winning with "
            f"it is worth {move.score}."
            for name, move in zip(MOVES, theory.moves, strict=True)
        ),
        order.get(theory.order, f"What stays between episodes is {value(theory.order)}."),
        f"An episode has {number(theory.length, 'round')}.",
    ]


def facts(theory: RockPaperScissors) -> str:
    """The rules as facts."""
    lines = [f"length({theory.length})."]
    for place, (name, move) in enumerate(zip(MOVES, theory.moves, strict=True)):
        lines += [f"move({name}).", f"beats({name}, {MOVES[place - 1]})."]
        lines += [
            f"score({name}, {move.score}).",
            *holding(f"probability({name}", move.probability),
        ]
    return "\n".join([*lines, *holding("order(", theory.order)]) + "\n"
