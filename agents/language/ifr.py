"""Induction from Reflection (Mars paper, Section 3.3), as published and with tested rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from mars_logic.language.answers import RulesAnswer
from mars_logic.language.tokens import newest
from mars_logic.play.learner import BeliefReport
from mars_logic.world.words import cheat_sheet

from .rule_library import Objection, RuleLibrary, TestedLibrary
from .skills import SUBGOAL_STEPS, SkillLibraryAgent

if TYPE_CHECKING:
    from mars_logic.data.trajectory import Trajectory
    from mars_logic.play.agent import Episode
    from mars_logic.theory.rulesets import Rules


class IfrAgent(SkillLibraryAgent):
    """The Skill Library that reflects after each subgoal, and keeps the rules that it induces.

    Attributes:
        library: The rules.
    """

    name = "ifr"
    library_class: ClassVar[type[RuleLibrary]] = RuleLibrary

    def begin(self, episode: Episode) -> None:
        """Start with the rules and skills so far."""
        if self._episodes == 0:
            self.library = self.library_class()
            self._past: list[Trajectory] = []
        super().begin(episode)

    def end(self, episode: Episode) -> None:  # noqa: ARG002
        """Keep what was observed."""
        if self._notes is not None and self._learning:
            self._past.append(self._played)

    def tell(self) -> BeliefReport:
        """What the rules say, as a theory."""
        return BeliefReport(self.library.theory(self._episode.dialect), (), ())

    def proposed(self) -> Rules:
        """All rules that were proposed so far, with what is known of them."""
        return self.library.document(self.name, self._episode.dialect)

    def rules(self) -> list[str]:
        """The newest rules that fit into the limit of the history."""
        return newest(self.library.told(), self._asking.settings.history_tokens)

    def subgoal_ended(self, subgoal: str, outcome: str, told: str) -> None:
        """Reflect on the subgoal's steps."""
        if self._learning and self._steps > self._begun:
            steps = self._history(self._begun, SUBGOAL_STEPS)
            self._induce(steps, told, subgoal=subgoal, outcome=outcome)

    def _induce(self, steps: list[str], told: str, *, subgoal: str, outcome: str) -> None:
        """Ask for rules; with a library that tests them, once more about those it objects to."""
        self._place()
        tested = isinstance(self.library, TestedLibrary)
        about = {"sentences": cheat_sheet() if tested else "", "observation": told}
        about |= {"subgoal": subgoal, "outcome": outcome}
        values = self._common(steps=steps, **about)
        answer = self._asking.ask("induce_rules", RulesAnswer, **values)
        if answer is None:
            return
        objections = self._add(answer.rules)
        if objections:
            values = self._common(objections=objections, sentences=cheat_sheet())
            answer = self._asking.ask("revise_rules", RulesAnswer, **values)
            if answer is not None:
                self._add(answer.rules)

    def _add(self, sentences: list[str]) -> list[Objection]:
        when = f"episode {self._episodes}, step {self._steps}"
        return self.library.add(sentences, [*self._past, self._played], when)


class IfrVerifiedAgent(IfrAgent):
    """IfR in which each proposed rule is tested against all transitions seen so far.

    Contradicted rules go back to the model with a counterexample; untested ones are marked so, and
    supported ones carry the number of observations.
    """

    name = "ifr_verified"
    library_class = TestedLibrary
