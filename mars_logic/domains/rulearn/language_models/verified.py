"""IDEA with hypotheses that are tested before they are held, and with a planner that acts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mars_logic.domains.chance import Seeded
from mars_logic.domains.rulearn.domain import family_of
from mars_logic.domains.rulearn.episode import PuzzleAction
from mars_logic.domains.rulearn.game_simulator import MOST_HYPOTHESES
from mars_logic.domains.rulearn.language import SentenceError
from mars_logic.domains.rulearn.language_models.answers import HypothesisAnswer, StatedHypothesis
from mars_logic.domains.rulearn.language_models.players import IdeaLanguagePlayer
from mars_logic.domains.rulearn.reading import read_rule
from mars_logic.domains.rulearn.space import contradiction
from mars_logic.play.agent import Episode

CORRECTIONS: Final = 2
"""How often a hypothesis goes back to the model before it is held as it is."""


class VerifiedIdeaPlayer(IdeaLanguagePlayer):
    """Each hypothesis is read as a theory and tested against all observations at once.

    One that cannot be read or is contradicted goes back with the reason, or with the first
    observation that contradicts it, without a step.
    """

    name = "idea_llm_verified"

    def _supposed(self) -> HypothesisAnswer | None:
        answer = super()._supposed()
        for _ in range(CORRECTIONS):
            objection = None if answer is None else self._objection(answer)
            if answer is None or objection is None:
                break
            corrected = self._proposed("puzzle_correction", proposed=answer, objection=objection)
            answer = corrected or answer
        return answer

    def _objection(self, answer: HypothesisAnswer) -> str | None:
        """The fault of a hypothesis, in a sentence; None if it has none."""
        if isinstance(answer, StatedHypothesis) and answer.problem:
            return f"It states no rule: {answer.problem}."
        try:
            theory = read_rule(answer.hypothesis, self._theory)
        except SentenceError as error:
            return f"It cannot be read: {error}."
        found = contradiction(theory, self._memory.start, self._memory.steps)
        return None if found is None else f"It is contradicted by an observation: {found}."


class PlannerIdeaPlayer(VerifiedIdeaPlayer):
    """The model proposes rules, and the planner acts by them.

    The planner plays by the rule that is held until an observation contradicts it; then the model
    is asked for another one. While no rule can be played by, actions are chosen at random.
    """

    name = "idea_llm_planner"

    def begin(self, episode: Episode) -> None:
        """Start an episode."""
        super().begin(episode)
        self._chance = Seeded(episode.seed, "player")
        self._length = episode.length

    def choose(self, observation: Mapping[str, Any]) -> PuzzleAction:
        """Write a hypothesis if there is none that can be played by; else act by it."""
        space = None if self.held is None else self._space(self.held)
        if space is None and self._hypotheses < MOST_HYPOTHESES and self._may_write():
            return self._written()
        family = family_of(self._theory)
        if space is None:
            found: PuzzleAction = family.random_action(self._theory, observation, self._chance)
            return found
        actions = space.plan(self._length - observation.get("steps", 0)).actions
        bits = [space.information(each) for each in actions]
        chosen: PuzzleAction = actions[bits.index(max(bits))]
        return chosen

    @property
    def _hypotheses(self) -> int:
        return sum(action.do == "hypothesise" for action, _ in self._memory.steps)

    def _may_write(self) -> bool:
        """Not twice in a row: the model would be asked the same."""
        return self._last is None or self._last.do != "hypothesise"

    def _objection(self, answer: HypothesisAnswer) -> str | None:
        found = super()._objection(answer)
        if found is not None or self._space(answer) is not None:
            return found
        return "It does not tell the whole rule, or one that the manual excludes."

    def _space(self, answer: HypothesisAnswer) -> Any:
        """The version space of a hypothesis that explains what was seen; None if there is none."""
        if super()._objection(answer) is not None:
            return None
        space = family_of(self._theory).version_space.of(self._theory, self._memory.start)
        rule = space.rule(read_rule(answer.hypothesis, self._theory))
        if rule is None:
            return None
        space.settle(rule)
        for action, shown in self._memory.steps:
            if action.do not in ("hypothesise", "malformed"):
                space.observe(action, shown)
        return space if space.count else None
