"""Induction from Reflection (Mars paper, Section 3.3), as published and with tested rules.

Rules are asked for as facts about single fields, of which each is read; or, as in the paper, in
sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from mars_logic.language.answers import FactsAnswer, RulesAnswer, facts_answer
from mars_logic.language.tokens import newest
from mars_logic.play.learner import BeliefReport
from mars_logic.world.words import cheat_sheet
from mars_logic.world.words.fact_data import fact_sheet

from .rule_library import (
    Objection,
    RuleLibrary,
    RuleProposal,
    TestedLibrary,
    proposed_in_facts,
    proposed_in_sentences,
)
from .skills import SUBGOAL_STEPS, SkillLibraryAgent

if TYPE_CHECKING:
    from mars_logic.data.trajectory import Trajectory
    from mars_logic.play.agent import Episode
    from mars_logic.theory.rulesets import Rules


MOST_REMARKS: Final = 20
"""Remarks that are kept; the oldest go."""


class IfrAgent(SkillLibraryAgent):
    """The Skill Library that reflects after each subgoal, and keeps the rules that it induces.

    Attributes:
        library: The rules.
        remarks: What the model said that facts cannot say, never tested; the newest.
    """

    name = "ifr"
    library_class: ClassVar[type[RuleLibrary]] = RuleLibrary

    def begin(self, episode: Episode) -> None:
        """Start with the rules and skills so far."""
        if self._episodes == 0:
            self.library = self.library_class()
            self.remarks: list[str] = []
            self._past: list[Trajectory] = []
        super().begin(episode)

    def end(self, episode: Episode) -> None:  # noqa: ARG002
        """Keep what was observed."""
        if self._notes is not None and self._learning:
            self._past.append(self._played)

    def tell(self) -> BeliefReport:
        """What the rules say, as a theory."""
        return BeliefReport(self.library.theory(self._episode.blank), (), ())

    def proposed(self) -> Rules:
        """All rules that were proposed so far, with what is known of them."""
        return self.library.document(self.name, self._episode.blank)

    def rules(self) -> list[str]:
        """The newest rules that fit into the limit of the history."""
        told = [*self.library.told(), *(f"{each} (not tested)" for each in self.remarks)]
        return newest(told, self._asking.settings.history_tokens)

    def subgoal_ended(self, subgoal: str, outcome: str, told: str) -> None:
        """Reflect on the subgoal's steps."""
        if self._learning and self._steps > self._begun:
            steps = self._history(self._begun, SUBGOAL_STEPS)
            self._induce(steps, told, subgoal=subgoal, outcome=outcome)

    def _induce(self, steps: list[str], told: str, *, subgoal: str, outcome: str) -> None:
        """Ask for rules; with a library that tests them, once more about those it objects to."""
        self._place()
        about = {"subgoal": subgoal, "outcome": outcome, "observation": told, "steps": steps}
        objections = self._asked("induce_rules", **about)
        if objections:
            self._asked("revise_rules", objections=objections)

    def _asked(self, role: str, **values: Any) -> list[Objection]:
        """Ask for rules and add them; what is wrong with them."""
        asked = self._common(sheet=self._sheet(), rule_form=self._asking.settings.rules, **values)
        if not self._in_facts:
            told = self._asking.ask(role, RulesAnswer, **asked)
            return self._add(proposed_in_sentences(told.rules)) if told else []
        found: FactsAnswer | None = self._asking.ask(role, facts_answer(self._words), **asked)
        if found is None:
            return []
        self.remarks = [*dict.fromkeys((*self.remarks, *found.remarks))][-MOST_REMARKS:]
        return self._add(proposed_in_facts(found.facts, self._words))

    def _add(self, proposed: list[RuleProposal]) -> list[Objection]:
        when = f"episode {self._episodes}, step {self._steps}"
        return self.library.add(proposed, [*self._past, self._played], when)

    def _sheet(self) -> str:
        """How rules are to be written; sentences that nobody reads may be of any form."""
        if self._in_facts:
            return fact_sheet(self._words)
        return cheat_sheet() if isinstance(self.library, TestedLibrary) else ""

    @property
    def _in_facts(self) -> bool:
        return self._asking.settings.rules == "facts"


class IfrVerifiedAgent(IfrAgent):
    """IfR in which each proposed rule is tested against all transitions seen so far.

    Contradicted rules go back to the model with a counterexample; untested ones are marked so, and
    supported ones carry the number of observations.
    """

    name = "ifr_verified"
    library_class = TestedLibrary
