"""The trajectory of an episode in a game: columns are those that the game's domain declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.display import number


@dataclass(frozen=True)
class GameAbout:
    """Where a trajectory comes from.

    Attributes:
        game: The name of the game, or the path it was loaded from.
        domain: The domain, which declares the columns.
        digest: The game's digest.
        seed: Decides all random outcomes.
        agent: The label of the player, with what it was told.
        versions: Of the tools that made it.
    """

    game: str
    domain: str
    digest: str
    seed: int
    agent: str
    versions: Mapping[str, str] = field(default_factory=dict)


class ObservationPart(NamedTuple):
    """A part of an observation: whole numbers in a range, or texts.

    Attributes:
        low: The smallest.
        high: The largest.
        size: How many there are; None for a bare number.
        texts: Texts that the numbers are places in; None if they are numbers. Such a part is bare.
    """

    low: int
    high: int
    size: int | None = None
    texts: tuple[str, ...] | None = None

    @classmethod
    def of_texts(cls, texts: tuple[str, ...]) -> ObservationPart:
        """A part that is one of these different texts."""
        return cls(0, len(texts) - 1, None, texts)


@dataclass(frozen=True, eq=False, repr=False)
class GameTrajectory:
    """One episode of T steps from its reset on.

    Attributes:
        about: Where it comes from.
        parts: The parts of an observation, by name.
        actions: The names of the actions; where actions are open, those that were taken.
        seen: For each part, what was seen at the reset and after each step: int64[T + 1], or
            int64[T + 1, size].
        action: int64[T]: the place of each action in ``actions``.
        reward: float64[T].
        terminated: bool[T]: the game was over after this step.
        truncated: bool[T]: the episode was broken off after this step, at its length.
        score: Privileged, since no player sees it: int64[T], or float64[T] where some are no
            whole numbers: the score after each step; None if it is left out.
        source: The file it was read from, or a name.
    """

    about: GameAbout
    parts: Mapping[str, ObservationPart]
    actions: tuple[str, ...]
    seen: Mapping[str, NDArray[np.int64]]
    action: NDArray[np.int64]
    reward: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    score: NDArray[np.int64] | NDArray[np.float64] | None = None
    source: str = ""

    def __len__(self) -> int:
        return len(self.action)

    def __repr__(self) -> str:
        about = f"{self.about.game}, seed {self.about.seed}, {self.about.agent}"
        return f"<GameTrajectory {about}: {number(len(self), 'transition')}>"
