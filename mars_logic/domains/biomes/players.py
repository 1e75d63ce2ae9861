"""Players of biome navigation that do not look: straight on, and in a spiral."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

from mars_logic.domains.biomes.blocks import FACINGS
from mars_logic.domains.biomes.rules import BiomeNavigation
from mars_logic.domains.chance import Seeded
from mars_logic.domains.players import BasePlayer
from mars_logic.domains.protocol import Observation
from mars_logic.play.agent import Episode

STUCK: Final = 3
"""Blocks; who gets less far is held up."""
_ARM: Final = 10
"""Actions of the first two arms of a spiral, and by how many every second arm is longer."""


class HeadingPlayer(BasePlayer, ABC):
    """Keeps to a heading that it chooses; where it is held up, it goes around.

    Args:
        theory: The rules.
        learn: Means nothing: there is nothing to learn.
    """

    def __init__(self, theory: BiomeNavigation, *, learn: bool = False) -> None:  # noqa: ARG002
        self._game = theory

    def begin(self, episode: Episode) -> None:
        """Start an episode."""
        self._chance = Seeded(episode.seed, "heading")
        self._heading = int(self._chance.uniform("heading") * len(FACINGS))
        self._before: tuple[int, int] | None = None
        self._aside = 0

    def act(self, observation: Observation) -> int:
        """Go on, or aside after an action that did not get far."""
        here = _place(observation)
        held_up = self._before is not None and steps_apart(here, self._before) < STUCK
        self._before = here
        heading = self.heading()
        if held_up:
            self._aside = 1 if self._chance.uniform("side") < 0.5 else 3
            return (heading + self._aside) % len(FACINGS)
        return heading

    @abstractmethod
    def heading(self) -> int:
        """Where to go next; called once for each action."""


class StraightPlayer(HeadingPlayer):
    """Goes in one direction, drawn at the start."""

    def heading(self) -> int:
        """Always the same."""
        return self._heading


class SpiralPlayer(HeadingPlayer):
    """Goes around the start in arms that get longer, which are about 120 blocks apart."""

    def begin(self, episode: Episode) -> None:
        """Start with the first arm."""
        super().begin(episode)
        self._left, self._arms = _ARM, 0

    def heading(self) -> int:
        """That of the arm."""
        if self._left == 0:
            self._arms += 1
            self._left = _ARM * (1 + self._arms // 2)
            self._heading = (self._heading + 1) % len(FACINGS)
        self._left -= 1
        return self._heading


def _place(observation: Observation) -> tuple[int, int]:
    x, z = observation["x"], observation["z"]
    assert isinstance(x, int) and isinstance(z, int)
    return x, z


def steps_apart(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Blocks along x and along z."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
