"""Players that find out the rule of a game by the loop of induction, or are told it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from mars_logic.domains.chance import Seeded
from mars_logic.domains.game import Game
from mars_logic.domains.players import BasePlayer
from mars_logic.domains.protocol import seen_now
from mars_logic.domains.registry import domain_of
from mars_logic.domains.space import GameSpace
from mars_logic.errors import InputError
from mars_logic.induction.inquiry import Experiments, Inquiry, any_likeliest
from mars_logic.induction.notebook import Entry
from mars_logic.play.agent import Episode


class IdeaPlayer(BasePlayer):
    """Supposes rules, plans by them, chooses experiments, and revises what it supposes.

    It reads what the manual tells and what is shown, and nothing else.

    Args:
        theory: What the manual tells; the rest is open.
        learn: Of no effect: nothing outlives an episode.
        experiments: How actions are chosen, see :class:`~mars_logic.induction.inquiry.Inquiry`.
        revise: Whether it revises: otherwise it keeps to the rule that it takes first.
        trust_hints: Whether reactions that it is told are taken for certain.
        notes: Whether to keep a notebook.
    """

    has_theory: ClassVar[bool] = True
    usual_prior: ClassVar[str] = "none"

    def __init__(
        self,
        theory: Game,
        *,
        learn: bool = False,  # noqa: ARG002
        experiments: Experiments = "informative",
        revise: bool = True,
        trust_hints: bool = False,
        notes: bool = False,
    ) -> None:
        self._theory, self._experiments = theory, experiments
        self._revise, self._trust, self._notes = revise, trust_hints, notes
        self._inquiry: Inquiry[Any, Any] | None = None
        self._last: Any = None
        self._length = theory.length

    def begin(self, episode: Episode) -> None:
        """Start an episode."""
        start = seen_now(episode)
        self._length, self._last, self._taken = episode.length, None, 0
        kind = domain_of(self._theory).version_space
        assert kind is not None
        self._space: GameSpace[Any, Any] = kind.of(self._theory, start)
        if self._trust:
            self._space.trust_hints()
        chance = Seeded(episode.seed, "player")
        self._chance = chance
        self._draw: Callable[[int], int] = lambda many: int(chance.uniform("choice") * many)
        self._settle()
        self._inquiry = Inquiry(
            self._space,
            self._draw,
            experiments=self._experiments,
            notes=self._notes,
        )

    def _settle(self) -> None:
        if not self._revise:
            self._space.settle(any_likeliest(self._space, self._draw))

    def act(self, observation: Mapping[str, Any]) -> Any:
        """The next action.

        Where nothing explains what was seen, it is any experiment, or else any action on offer.
        """
        assert self._inquiry
        if self._last is not None:
            self._inquiry.learn(self._last, observation)
        self._last = self._chosen(self._inquiry, observation)
        self._taken += 1
        return self._last

    def _chosen(self, inquiry: Inquiry[Any, Any], observation: Mapping[str, Any]) -> Any:
        if self._space.plans(observation):
            return inquiry.choose(self._length - observation.get("steps", self._taken))
        untried = self._space.experiments()  # nothing explains what was seen
        if untried:
            return untried[self._draw(len(untried))]
        domain = domain_of(self._theory)
        return domain.random_action(self._theory, observation, self._chance)

    def end(self, episode: Episode) -> None:
        """Finish the episode."""
        shown = seen_now(episode)
        if self._inquiry and self._last is not None:
            solved = self._space.solves(self._last, shown)
            self._inquiry.learn(self._last, shown, solved=solved)
        self._last = None

    @property
    def notebook(self) -> list[Entry]:
        """What was supposed, planned, tried and learned in the last episode."""
        return self._inquiry.entries if self._inquiry else []

    @property
    def repeated(self) -> int:
        """Actions of the last episode that were taken again though nothing new could come of it."""
        return self._inquiry.repeated if self._inquiry else 0

    def theory(self) -> list[str]:
        """What is certain now, in sentences."""
        return list(self._space.certain()) if self._inquiry else []

    def learned(self) -> Game:
        """What is known now as a theory, the rest open.

        Raises:
            InputError: No hypothesis is left.
        """
        found: Game = self._space.learned(self._theory)
        return found


class ToldPlayer(IdeaPlayer):
    """Is told the rule, though not the values of parameters, and plans by it.

    Args:
        theory: The puzzle.
        options: As :class:`IdeaPlayer`.
    """

    usual_prior = "told"

    def _settle(self) -> None:
        theory = self._theory
        if theory.uncertain:
            message = f"{theory.uncertain[0]} is open"
            raise InputError(f"{theory.name}: {message}; allowed: a puzzle without open fields")
        self._space.settle(self._space.rule(theory))
