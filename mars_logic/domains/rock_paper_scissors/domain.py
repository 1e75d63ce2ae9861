"""Rock, paper, scissors as a domain."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, ClassVar

from mars_logic.domains.base import Value
from mars_logic.domains.coded import CodedDomain
from mars_logic.domains.protocol import GameSimulator, Range
from mars_logic.domains.rock_paper_scissors import words
from mars_logic.domains.rock_paper_scissors.rules import MOVES, Move, RockPaperScissors
from mars_logic.domains.rock_paper_scissors.simulator import RockPaperScissorsSimulator
from mars_logic.world.uncertain import UNKNOWN


class RockPaperScissorsDomain(CodedDomain[RockPaperScissors]):
    """Rock, paper, scissors."""

    name = "rock_paper_scissors"
    kind = RockPaperScissors
    actions = MOVES
    players: ClassVar[Mapping[str, str]] = {
        "random": "mars_logic.domains.players:RandomPlayer",
        "bayes": "mars_logic.domains.rock_paper_scissors.players:RoundBayesPlayer",
        "oracle": "mars_logic.domains.players:BestPlayer",
    }
    priors: ClassVar[Mapping[str, str]] = {
        "told": "the probabilities and scores, but not their order",
        "none": "the scores: all probabilities of the moves are equally likely",
    }

    def simulator(self, game: RockPaperScissors) -> RockPaperScissorsSimulator:
        """A game that is played."""
        return RockPaperScissorsSimulator(game)

    def rules(self, theory: RockPaperScissors) -> list[str]:
        """The rules in sentences."""
        return words.rules(theory)

    def facts(self, theory: RockPaperScissors) -> str:
        """The rules as facts."""
        return words.facts(theory)

    def space(self, game: RockPaperScissors) -> Mapping[str, Range]:
        """The last round, and what the moves are worth."""
        scores = [move.score for move in game.moves]
        most = max(abs(score) for score in scores)
        return {
            "rounds": Range(0, game.length),
            "own": Range(0, len(MOVES)),
            "opponent": Range(0, len(MOVES)),
            "reward": Range(-most, most),
            "scores": Range(min(scores), max(scores), len(MOVES)),
        }

    def text_limit(self, game: RockPaperScissors) -> int:  # noqa: ARG002
        """The longest observation in words."""
        return words.TEXT_LIMIT

    def untold(self, game: RockPaperScissors) -> RockPaperScissors:
        """The scores are told; probabilities are unknown, and so is what stays of them."""
        moves = [
            Move.model_validate(move.model_dump() | {"probability": UNKNOWN}) for move in game.moves
        ]
        return RockPaperScissors.model_validate(dict(game) | {"moves": moves, "order": UNKNOWN})

    def _value(self, game: RockPaperScissors, theory: RockPaperScissors, told: str) -> Value:
        from mars_logic.domains.rock_paper_scissors.value import value_of

        return value_of(game, theory, told)

    def setup_draws(self, game: RockPaperScissors, setup: Mapping[str, Any]) -> Mapping[str, Any]:
        """The order of the pairs of probability and score."""
        pairs = [(move.probability, move.score) for move in game.moves]
        try:
            shown = list(zip(setup["p"], setup["win_score"], strict=True))
        except (KeyError, TypeError, ValueError):
            return {}
        for order in itertools.permutations(range(len(MOVES))):
            if [pairs[each] for each in order] == shown:
                return {"order": order}
        return {}

    def setup_of(self, simulator: GameSimulator) -> Mapping[str, Any]:
        """The pairs as they are dealt."""
        assert isinstance(simulator, RockPaperScissorsSimulator)
        return {
            "p": list(simulator.probabilities),
            "win_score": list(simulator.scores),
            "best": simulator.snapshot().best,
        }

    def step_of(self, simulator: GameSimulator) -> Mapping[str, Any]:
        """The opponent's move, and how the round ended."""
        state = simulator.snapshot()
        return {"opponent": state.opponent, "result": words.result(state.own, state.opponent)}


DOMAIN = RockPaperScissorsDomain()
