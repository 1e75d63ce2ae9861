"""The rules of a two-armed bandit as data.

Source: SmartPlay, section on bandits, and its code, in which a pull that does not pay costs 1.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from mars_logic.domains.game import Game, Open, Ordering, Reward, list_of
from mars_logic.world.fields import Probability


class Arm(Open):
    """One machine.

    Attributes:
        probability: How likely a pull pays.
        win: The reward of a pull that pays.
        loss: The reward of a pull that does not.
    """

    stated = frozenset({"win", "loss"})

    probability: Probability
    win: Reward = 1
    loss: Reward = -1

    @property
    def expected(self) -> float:
        """The expected reward of a pull."""
        return self.probability * self.win + (1 - self.probability) * self.loss


class Bandit(Game):
    """A bandit with two machines.

    Attributes:
        arms: The machines.
        order: Whether the machines change places at random before each episode.
    """

    domain: ClassVar[str] = "bandits"
    stated = Game.stated | {"arms"}

    arms: Annotated[tuple[Arm, Arm], list_of(2, "two arms, such as {probability: 0.8}")]
    order: Ordering = "shuffled"
