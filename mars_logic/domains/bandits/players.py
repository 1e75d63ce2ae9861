"""A player of bandits that is optimal under its theory."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from mars_logic.domains.bandits.beliefs import PullBeliefs, PullEvidence
from mars_logic.domains.bandits.rules import Bandit
from mars_logic.domains.bandits.value import Amounts, Policy, optimal, require_plannable
from mars_logic.domains.chance import Seeded
from mars_logic.domains.players import BasePlayer, one_of
from mars_logic.domains.protocol import Observation, require_theory_of, seen_now
from mars_logic.play.agent import Episode
from mars_logic.system.display import number


class BanditBayesPlayer(BasePlayer):
    """Pulls what has the largest expected total reward to the end of the episode.

    Args:
        theory: What is believed before the first episode.
        learn: Whether the theory outlives an episode; else each episode begins with it again.

    Raises:
        InputError: The episodes are too long to plan.
    """

    has_theory: ClassVar[bool] = True

    def __init__(self, theory: Bandit, *, learn: bool = False) -> None:
        require_plannable(theory)
        self._beliefs = PullBeliefs(theory)
        self._learns = learn
        self._plans: dict[Amounts, tuple[PullEvidence, Policy]] = {}
        self._seen = [(0, 0), (0, 0)]

    def begin(self, episode: Episode) -> None:
        """Plan the episode.

        Raises:
            InputError: The theory is about another game.
        """
        self._amounts = _amounts(seen_now(episode))
        fits = bool(self._beliefs.orders(self._amounts))
        require_theory_of(self._beliefs.theory, episode, fits=fits)
        self._chance = Seeded(episode.seed, "bayes")
        self._seen, self._pulls = [(0, 0), (0, 0)], 0
        if self._learns:
            self._plans.clear()
        if self._amounts not in self._plans:
            evidence = self._beliefs.evidence(self._amounts)
            self._plans[self._amounts] = evidence, optimal(evidence, self._amounts)

    def act(self, observation: Observation) -> int:
        """The optimal machine; one of them at random if both are."""
        self._take_in(observation)
        return one_of(self._plans[self._amounts][1].at(*self._seen), self._chance)

    def end(self, episode: Episode) -> None:
        """Keep what the episode taught, if the theory outlives it."""
        self._take_in(seen_now(episode))
        if self._learns:
            first, second = self._seen
            self._beliefs.learn(self._amounts, (first, second))

    def theory(self) -> list[str]:
        """What is believed of the machines after what has been seen of them."""
        told = [
            f"{what} with probability {chance:.3f}: {w} of {number(n, 'pull')} paid."
            for (what, chance), (n, w) in zip(self.estimates().items(), self._seen, strict=False)
        ]
        return told + (self._beliefs.sentences() if self._learns else [])

    def estimates(self) -> dict[str, float]:
        """How likely the next pull of each machine pays; none after the last."""
        evidence, _ = self._plans[self._amounts]
        (n1, w1), (n2, w2) = self._seen
        if n1 + n2 == evidence.length:
            return {}
        chances = evidence.chances(*map(np.asarray, (n1, w1, n2, w2)))
        return {f"Machine {place} pays": float(chance) for place, chance in enumerate(chances, 1)}

    def _take_in(self, observation: Observation) -> None:
        if observation["pulls"] == self._pulls:
            return
        self._pulls += 1
        machine, paid = observation["machine"], observation["paid"]
        assert isinstance(machine, int) and isinstance(paid, int)
        pulls, payoffs = self._seen[machine - 1]
        self._seen[machine - 1] = (pulls + 1, payoffs + paid)


def _amounts(observation: Observation) -> Amounts:
    wins, losses = observation["wins"], observation["losses"]
    assert isinstance(wins, tuple) and isinstance(losses, tuple)
    return (wins[0], losses[0]), (wins[1], losses[1])
