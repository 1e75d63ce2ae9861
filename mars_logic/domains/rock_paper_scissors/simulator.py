"""Plays rock, paper, scissors."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mars_logic.domains.base import StateSimulator
from mars_logic.domains.chance import Chance
from mars_logic.domains.protocol import GameOutcome, Observation, require_action
from mars_logic.domains.rock_paper_scissors import words
from mars_logic.domains.rock_paper_scissors.rules import MOVES, RockPaperScissors, payoff


@dataclass(frozen=True)
class RoundState:
    """Everything about an episode.

    Attributes:
        order: Which pair of probability and score, as the rules list them, each move has.
        best: The move with the largest expected reward; the first of them if several have it.
        rounds: Rounds so far.
        score: In how many of them the player made the best move.
        own: The player's last move; -1 before the first round.
        opponent: The opponent's.
        reward: The reward of the last round.
    """

    order: tuple[int, ...]
    best: int
    rounds: int = 0
    score: int = 0
    own: int = -1
    opponent: int = -1
    reward: int = 0


class RockPaperScissorsSimulator(StateSimulator[RockPaperScissors, RoundState]):
    """A game that is played."""

    actions = MOVES

    def _first(self) -> RoundState:
        return RoundState((0, 1, 2), 0)

    @property
    def probabilities(self) -> tuple[float, ...]:
        """How likely the opponent makes each move in this episode."""
        return tuple(self.game.moves[each].probability for each in self._state.order)

    @property
    def scores(self) -> tuple[int, ...]:
        """What winning with each move is worth in this episode."""
        return tuple(self.game.moves[each].score for each in self._state.order)

    @property
    def manual(self) -> str:
        """What a player is told."""
        return words.manual(self.game, self.scores)

    @property
    def score(self) -> int:
        """How often the player made the best move."""
        return self._state.score

    def reset(self, chance: Chance) -> None:
        """Deal the pairs of probability and score to the moves."""
        shuffled = self.game.order == "shuffled"
        self._state = RoundState(chance.order("order", 3) if shuffled else (0, 1, 2), 0)
        self._state = replace(self._state, best=best_move(self.probabilities, self.scores))

    def step(self, action: int, chance: Chance) -> GameOutcome:
        """Play a round.

        Raises:
            ActionError: There is no such move.
        """
        require_action(action, self.actions)
        state = self._state
        opponent = chance.weighted("opponent", self.probabilities)
        self._state = RoundState(
            order=state.order,
            best=state.best,
            rounds=state.rounds + 1,
            score=state.score + (action == state.best),
            own=action,
            opponent=opponent,
            reward=payoff(action, opponent, self.scores),
        )
        return GameOutcome(self._state.reward, False, self._state.score)

    def observe(self) -> Observation:
        """The last round, and what the moves are worth; 0 stands for no move."""
        state = self._state
        return {
            "rounds": state.rounds,
            "own": state.own + 1,
            "opponent": state.opponent + 1,
            "reward": state.reward,
            "scores": self.scores,
        }

    def text(self) -> str:
        """The last round in words."""
        return words.observation(self._state.own, self._state.opponent, self._state.reward)


def best_move(probabilities: tuple[float, ...], scores: tuple[int, ...]) -> int:
    """The move with the largest expected reward against an opponent; the first of equals."""
    expected = [
        sum(p * payoff(own, other, scores) for other, p in enumerate(probabilities))
        for own in range(len(MOVES))
    ]
    best = max(expected)
    return next(own for own, each in enumerate(expected) if each > best - 1e-9)
