"""Players of puzzles: they find out the rule, are told it, or act by what is seen alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from mars_logic.domains.chance import Seeded
from mars_logic.domains.protocol import seen_now
from mars_logic.domains.rulearn.domain import family_of
from mars_logic.domains.rulearn.episode import PuzzleAction
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.errors import InputError
from mars_logic.induction.inquiry import Experiments, Inquiry, any_likeliest
from mars_logic.induction.notebook import Entry
from mars_logic.play.agent import Episode


class IdeaPlayer:
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

    knows_state = False
    has_theory = True
    usual_prior: ClassVar[str] = "none"

    def __init__(
        self,
        theory: Puzzle,
        *,
        learn: bool = False,  # noqa: ARG002
        experiments: Experiments = "informative",
        revise: bool = True,
        trust_hints: bool = False,
        notes: bool = False,
    ) -> None:
        self._theory, self._experiments = theory, experiments
        self._revise, self._trust, self._notes = revise, trust_hints, notes
        self._inquiry: Inquiry[PuzzleAction, Any] | None = None
        self._last: PuzzleAction | None = None
        self._length = theory.length

    def begin(self, episode: Episode) -> None:
        """Start an episode."""
        start = seen_now(episode)
        self._length, self._last = episode.length, None
        self._space = family_of(self._theory).space.of(self._theory, start)
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

    def act(self, observation: Mapping[str, Any]) -> PuzzleAction:
        """The next action.

        Where nothing explains what was seen, it is any experiment, or else any action on offer.
        """
        assert self._inquiry
        if self._last is not None:
            self._inquiry.learn(self._last, observation)
        self._last = self._chosen(self._inquiry, observation)
        return self._last

    def _chosen(
        self, inquiry: Inquiry[PuzzleAction, Any], observation: Mapping[str, Any]
    ) -> PuzzleAction:
        if self._space.count or {"do": "submit"} in observation["available"]:
            return inquiry.choose(self._length - observation.get("steps", 0))
        untried = self._space.experiments()  # nothing explains what was seen
        found: PuzzleAction
        if untried:
            found = untried[self._draw(len(untried))]
        else:
            family = family_of(self._theory)
            found = family.random_action(self._theory, observation, self._chance)
        return found

    def end(self, episode: Episode) -> None:
        """Finish the episode."""
        shown = seen_now(episode)
        if self._inquiry and self._last is not None:
            solved = self._last.do == "submit" or bool(shown.get("correct"))
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

    def learned(self) -> Puzzle:
        """What is known now as a theory, the rest open.

        Raises:
            InputError: No hypothesis is left.
        """
        found: Puzzle = self._space.learned(self._theory)
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
