"""A player of rock, paper, scissors that is optimal under its theory."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from mars_logic.domains.chance import Seeded
from mars_logic.domains.players import BasePlayer, one_of
from mars_logic.domains.protocol import Observation, require_theory_of, seen_now
from mars_logic.domains.rock_paper_scissors.beliefs import RoundBeliefs
from mars_logic.domains.rock_paper_scissors.rules import MOVES, RockPaperScissors
from mars_logic.domains.rock_paper_scissors.value import GREEDY, best_moves
from mars_logic.play.agent import Episode

_REMEMBERED = 124
"""Rounds of a memory for which a learner's sums are exact.

Beyond, points of unknown probabilities are one and a half standard deviations of the posterior
after 1000 rounds apart: sums are then right to a thousandth.
"""


class RoundBayesPlayer(BasePlayer):
    """Plays what has the largest expected reward in the next round.

    Args:
        theory: What is believed before the first episode.
        learn: Whether the theory outlives an episode; else each episode begins with it again.
    """

    has_theory: ClassVar[bool] = True

    def __init__(self, theory: RockPaperScissors, *, learn: bool = False) -> None:
        rounds = max(theory.length, _REMEMBERED) if learn else theory.length
        self._beliefs = RoundBeliefs(theory, rounds)
        self._learns = learn
        self._plans: dict[tuple[int, ...], dict[bytes, list[int]]] = {}
        self._counts = np.zeros(len(MOVES))

    def begin(self, episode: Episode) -> None:
        """Start an episode.

        Raises:
            InputError: The theory is about another game.
        """
        scores = seen_now(episode)["scores"]
        assert isinstance(scores, tuple)
        self._scores = scores
        self._orders = self._beliefs.orders(scores)
        require_theory_of(self._beliefs.theory, episode, fits=bool(self._orders))
        self._prior = self._beliefs.prior(self._orders)
        if self._learns:
            self._plans.clear()
        self._plan = self._plans.setdefault(scores, {})
        self._chance = Seeded(episode.seed, "bayes")
        self._counts = np.zeros(len(MOVES))

    def act(self, observation: Observation) -> int:
        """The best move; one of them at random if there are several."""
        self._take_in(observation)
        seen = self._counts.tobytes()
        if seen not in self._plan:
            best = best_moves(self._chances()[None, :], self._scores)[0]
            self._plan[seen] = np.flatnonzero(best).tolist()
        return one_of(self._plan[seen], self._chance)

    def end(self, episode: Episode) -> None:
        """Keep what the episode taught, if the theory outlives it."""
        self._take_in(seen_now(episode))
        if self._learns:
            self._beliefs.learn(self._scores, self._counts)

    def theory(self) -> list[str]:
        """What is believed of the opponent after what has been seen of it."""
        told = [
            f"{what} with probability {chance:.3f}: {int(count)} of {int(self._counts.sum())}."
            for (what, chance), count in zip(self.estimates().items(), self._counts, strict=True)
        ]
        learned = self._beliefs.sentences() if self._learns else []
        return [*told, *learned, GREEDY]

    def estimates(self) -> dict[str, float]:
        """How likely the opponent makes each move next."""
        return {
            f"The opponent plays {move}": float(chance)
            for move, chance in zip(MOVES, self._chances(), strict=True)
        }

    def _chances(self) -> np.ndarray:
        counts = self._counts[None, :]
        chances: np.ndarray = self._beliefs.predict(self._prior, self._orders, counts)[0][0]
        return chances

    def _take_in(self, observation: Observation) -> None:
        if observation["rounds"] != self._counts.sum():
            opponent = observation["opponent"]
            assert isinstance(opponent, int)
            self._counts[opponent - 1] += 1
