"""Plays a two-armed bandit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mars_logic.domains.bandits import words
from mars_logic.domains.bandits.rules import Arm, Bandit
from mars_logic.domains.base import StateSimulator
from mars_logic.domains.chance import Chance
from mars_logic.domains.protocol import GameOutcome, Observation, require_action


@dataclass(frozen=True)
class BanditState:
    """Everything about an episode.

    Attributes:
        order: Which arm of the rules each machine is.
        best: The machine with the larger expected reward; the first if both have the same.
        pulls: Pulls so far.
        score: How many of them were pulls of the best machine.
        machine: The machine pulled last, from 0; -1 before the first pull.
        draw: The number drawn in the last pull; it paid if that was below the probability.
        paid: Whether the last pull paid.
        reward: The reward of the last pull.
    """

    order: tuple[int, ...]
    best: int
    pulls: int = 0
    score: int = 0
    machine: int = -1
    draw: float = 0.0
    paid: bool = False
    reward: int = 0


class BanditSimulator(StateSimulator[Bandit, BanditState]):
    """A bandit that is played."""

    actions = words.ACTIONS

    def _first(self) -> BanditState:
        return BanditState((0, 1), 0)

    @property
    def arms(self) -> tuple[Arm, Arm]:
        """The machines in the places they have in this episode."""
        first, second = self._state.order
        return self.game.arms[first], self.game.arms[second]

    @property
    def manual(self) -> str:
        """What a player is told."""
        return words.manual(self.game, self.arms)

    @property
    def score(self) -> int:
        """Pulls of the best machine so far."""
        return self._state.score

    def reset(self, chance: Chance) -> None:
        """Put the machines in place."""
        shuffled = self.game.order == "shuffled"
        self._state = BanditState(chance.order("order", 2) if shuffled else (0, 1), 0)
        first, second = self.arms
        self._state = replace(self._state, best=int(second.expected > first.expected))

    def step(self, action: int, chance: Chance) -> GameOutcome:
        """Pull a machine.

        Raises:
            ActionError: There is no such machine.
        """
        require_action(action, self.actions)
        state, arm = self._state, self.arms[action]
        draw = chance.uniform("u")
        paid = draw < arm.probability
        self._state = BanditState(
            order=state.order,
            best=state.best,
            pulls=state.pulls + 1,
            score=state.score + (action == state.best),
            machine=action,
            draw=draw,
            paid=paid,
            reward=arm.win if paid else arm.loss,
        )
        return GameOutcome(self._state.reward, False, self._state.score)

    def observe(self) -> Observation:
        """The last pull, and what the machines pay."""
        state = self._state
        return {
            "pulls": state.pulls,
            "machine": state.machine + 1,
            "paid": int(state.paid),
            "reward": state.reward,
            "wins": tuple(arm.win for arm in self.arms),
            "losses": tuple(arm.loss for arm in self.arms),
        }

    def text(self) -> str:
        """The last pull in words."""
        return words.observation(self._state.machine, self._state.reward)
