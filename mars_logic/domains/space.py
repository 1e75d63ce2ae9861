"""What the version spaces of all domains share: hypotheses about a game, and what tests them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from mars_logic.errors import InputError
from mars_logic.induction.protocol import A, H, VersionSpace


@dataclass(frozen=True)
class SeenEpisode:
    """An episode.

    Attributes:
        place: Where it stands: a file, with a line if there are several in it.
        game: What was played.
        start: What was visible before the first action.
        steps: The actions, each with what the player saw of its outcome.
        values: Of a function operator, the values of its parameters in the end, if they are known.
    """

    place: str
    game: Any
    start: Mapping[str, Any]
    steps: tuple[tuple[Any, Mapping[str, Any]], ...]
    values: Mapping[str, int] | None = None


@dataclass(frozen=True)
class StepJudgement:
    """What a step of an episode says about a part of a theory of which something is known.

    Attributes:
        step: The step, from 0.
        part: The part's name.
        agrees: Whether a completion of the part predicts what was seen.
        told: The action and what was seen, in words.
    """

    step: int
    part: str
    agrees: bool
    told: str


class GameSpace(VersionSpace[A, H]):
    """All hypotheses about a game that fit what was seen.

    Attributes:
        exact: Whether the count is exact.
        widened: Whether a larger language is in use.
    """

    exact: bool = True
    widened: bool = False

    @classmethod
    @abstractmethod
    def of(cls, theory: Any, start: Mapping[str, Any]) -> Self:
        """All hypotheses about a game.

        Args:
            theory: What the manual tells; what is open in it is to be found out.
            start: What is visible before the first action.

        Raises:
            InputError: They are too many.
        """

    @staticmethod
    @abstractmethod
    def rule(theory: Any) -> Any:
        """The rule of a theory as a hypothesis; None if it is open."""

    @abstractmethod
    def learned(self, theory: Any) -> Any:
        """A theory with what is known of the rule.

        Raises:
            InputError: No hypothesis is left.
        """

    @abstractmethod
    def solves(self, action: A, shown: Mapping[str, Any]) -> bool:
        """Whether an action solved the game, by what the player saw of its outcome."""

    @staticmethod
    @abstractmethod
    def parts(theory: Any) -> Mapping[str, bool]:
        """The parts of a theory that are judged: whether nothing is known of a field of each."""

    @classmethod
    @abstractmethod
    def judged(cls, theory: Any, episode: SeenEpisode) -> Iterator[StepJudgement]:
        """What a kept episode says about the parts of a theory."""

    @classmethod
    def fits(cls, theory: Any, start: Mapping[str, Any]) -> bool:
        """Whether a game that begins so can be one that a theory is about."""
        return cls.of(theory, start).count > 0

    def plans(self, shown: Mapping[str, Any]) -> bool:  # noqa: ARG002
        """Whether there is a plan: not where no hypothesis explains what was seen."""
        return self.count > 0

    def trust_hints(self) -> None:
        """Take for certain what the player is told; by default that is nothing."""

    def _require_any(self) -> None:
        if not self.count:
            raise InputError("version space: no hypothesis is left; allowed: a larger language")
