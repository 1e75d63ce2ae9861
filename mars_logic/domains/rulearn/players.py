"""Players of puzzles: they find out the rule, are told it, or act by what is seen alone."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from mars_logic.domains.chance import Seeded
from mars_logic.domains.protocol import seen_now
from mars_logic.domains.rulearn.domain import family_of
from mars_logic.domains.rulearn.episode import PuzzleAction
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.errors import InputError
from mars_logic.induction.inquiry import Experiments, Inquiry, any_likeliest
from mars_logic.induction.notebook import Entry
from mars_logic.play.agent import Episode

_MOST_TRIES: Final = 1000


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


class BaselinePlayer:
    """Keeps digits that were right and drops those that were wrong; tries new reactions.

    At a door it enters codes that what the door said allows. At the reactor it puts together parts
    of the target in ways that were not tried.

    Args:
        theory: What the manual tells.
        learn: Of no effect: nothing outlives an episode.
    """

    knows_state = False
    has_theory = False

    def __init__(self, theory: Puzzle, *, learn: bool = False) -> None:  # noqa: ARG002
        self._theory = theory
        self.repeated = 0

    def begin(self, episode: Episode) -> None:
        """Start an episode."""
        self._chance = Seeded(episode.seed, "player")
        self._start = seen_now(episode)
        self._tried: set[tuple[str, ...]] = set()
        self._last: PuzzleAction | None = None
        self._forget()

    def _forget(self) -> None:
        """Allow all digits everywhere."""
        size, low, high, _ = self._theory.code_shape
        self._allowed = [list(range(low, high + 1)) for _ in range(size)]

    def act(self, observation: Mapping[str, Any]) -> PuzzleAction:
        """The next action."""
        if any(each["do"] == "submit" for each in observation["available"]):
            return PuzzleAction("submit")
        if "storage" in observation:
            return self._reaction(observation)
        if observation.get("changed"):
            self._forget()
        elif self._last:
            self._note(observation)
        self._last = PuzzleAction("enter_code", code=self._code())
        return self._last

    def end(self, episode: Episode) -> None:
        """Finish the episode."""

    def theory(self) -> list[str]:
        """Nothing: it has no theory."""
        return []

    def _note(self, shown: Mapping[str, Any]) -> None:
        digits = zip(shown["entered"], shown["digits"], strict=True)
        for at, (digit, right) in enumerate(digits):
            kept = [each for each in self._allowed[at] if (each == int(digit)) == right]
            self._allowed[at] = kept

    def _code(self) -> str:
        distinct = self._theory.code_shape.distinct
        for _ in range(_MOST_TRIES):
            found = [each[self._draw(len(each))] for each in self._allowed]
            if not distinct or len(set(found)) == len(found):
                break
        return "".join(map(str, found))

    def _reaction(self, shown: Mapping[str, Any]) -> PuzzleAction:
        target, storage = self._start["target"], shown["storage"]
        untried = [pair for pair in itertools.product(storage, repeat=2) if pair not in self._tried]
        parts = [
            pair
            for pair in untried
            if all(each in target for each in pair) and len("".join(pair)) <= len(target)
        ]
        longest = max((len("".join(pair)) for pair in parts), default=0)
        best = [pair for pair in parts if len("".join(pair)) == longest] or untried
        chosen = best[self._draw(len(best))]
        self._tried.add(chosen)
        return PuzzleAction("react", materials=chosen)

    def _draw(self, many: int) -> int:
        return int(self._chance.uniform("choice") * many)
