"""Language models in the loop of RULEARN: with hypotheses (IDEA), without, and told the rule."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Final

from mars_logic.domains.players import BasePlayer
from mars_logic.domains.protocol import ActionError, seen_now
from mars_logic.domains.rulearn.domain import family_of
from mars_logic.domains.rulearn.episode import PuzzleAction, PuzzleOutcome, action_text
from mars_logic.domains.rulearn.language import SentenceError
from mars_logic.domains.rulearn.language_models.answers import (
    ChoiceAnswer,
    HypothesisAnswer,
    InputAnswer,
    RuleAnswer,
    StatedHypothesis,
    choice_answer,
    rule_answer,
)
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.reading import forms, rule_examples, rule_of_data, rule_schema
from mars_logic.domains.rulearn.space import SeenStep
from mars_logic.domains.rulearn.telling import outcome_text, scene_text
from mars_logic.errors import InputError
from mars_logic.language.answers import ModelAnswer
from mars_logic.language.session import AnswerCounts, LanguageSession, open_session, summed
from mars_logic.language.settings import LanguageSettings, stated_settings
from mars_logic.play.agent import Episode

_OFFERS: Final = {
    "evaluate": "evaluate function {function} at a number",
    "enter_code": "enter a code at the door",
    "pass": "go to {to}",
    "brute_force": "open the door with brute force",
    "react": "put one or two materials into the reactor",
    "submit": "submit the target",
    "hypothesise": "write a new hypothesis in the place of the old one",
}
INPUTS: Final = {
    "evaluate": "the number at which function {function} is evaluated: a decimal number, pi, or a "
    "number times pi",
    "enter_code": "the code",
    "react": "one or two materials of the storage, in order, such as A + B",
}
"""By the kind of an action: what belongs to it."""


class EpisodeMemory:
    """Everything that was observed: before the last hypothesis (permanent), and since (buffer).

    As in the reference, nothing is cut, and a new hypothesis moves the buffer to the other part.

    Args:
        start: What is visible before the first action.

    Attributes:
        start: The same.
        steps: The actions with what was seen of their outcomes.
        permanent: What was observed before the last hypothesis, in words.
        buffer: What was observed since.
    """

    def __init__(self, start: Mapping[str, Any]) -> None:
        self.start = start
        self.steps: list[SeenStep] = []
        self.permanent: list[str] = []
        self.buffer = ["\n".join(scene_text(start))] if scene_text(start) else []

    def add(self, action: PuzzleAction, shown: Mapping[str, Any]) -> None:
        """Keep what came of an action; a hypothesis is kept elsewhere."""
        self.steps.append((action, shown))
        if action.do != "hypothesise":
            outcome = PuzzleOutcome.of(shown["steps"], None, shown, {})
            self.buffer.append(f"{action_text(action)}\n{outcome_text(action, outcome)}")

    def hypothesis_written(self) -> None:
        """Move the buffer to the permanent part."""
        self.permanent += self.buffer
        self.buffer = []


def offered(available: list[Mapping[str, Any]], *, hypothesis: bool) -> list[dict[str, Any]]:
    """What a model may choose from.

    Args:
        available: The actions on offer.
        hypothesis: Whether a new hypothesis may be written.
    """
    return [*map(dict, available), *([{"do": "hypothesise"}] if hypothesis else [])]


def offer_text(offer: Mapping[str, Any]) -> str:
    """An action on offer, in words."""
    return _OFFERS[offer["do"]].format(**offer)


def action_of(offer: Mapping[str, Any], typed: str) -> PuzzleAction:
    """The action on offer with what was typed for it; what is typed is never evaluated."""
    typed = typed.strip().strip("[]\"'").strip()
    more: dict[str, Any] = {}
    if offer["do"] == "evaluate":
        more["input"] = typed
    elif offer["do"] == "enter_code":
        more["code"] = typed
    elif offer["do"] == "react":
        parts = typed.replace(",", "+").split("+")
        more["materials"] = [each.strip().strip("\"'") for each in parts]
    return PuzzleAction.read({**offer, **more})


MALFORMED: Final = PuzzleAction("malformed")
_MANUAL_END: Final = "\n\nActions:"


class LanguagePlayer(BasePlayer, ABC):
    """A player that asks a language model: a choice among actions, then the action's input.

    An answer that cannot be read costs a step and changes nothing, as in the reference. Each
    episode is a session of its own, so that kept episodes and exchanges fit together.

    Args:
        theory: What the manual tells, and for who is told it, the rule.
        learn: Of no effect: nothing outlives an episode.
        language: The model's settings.

    Attributes:
        name: As it is registered.
        opens: Opens a session; replaced where nothing is to be sent.
    """

    has_theory: ClassVar[bool] = True
    usual_prior: ClassVar[str] = "none"
    name: ClassVar[str]

    def __init__(
        self,
        theory: Puzzle,
        *,
        learn: bool = False,  # noqa: ARG002
        language: LanguageSettings | Mapping[str, Any] | None = None,
    ) -> None:
        self._theory = theory
        self._language = stated_settings(language)
        self._counts: list[AnswerCounts] = []
        self.opens: Callable[[str, LanguageSettings | None], LanguageSession] = open_session

    @property
    def counts(self) -> AnswerCounts:
        """The counts of questions, requests and tokens in all episodes."""
        return summed(self._counts)

    def begin(self, episode: Episode) -> None:
        """Start an episode.

        Raises:
            InputError: No model is named, or its settings are wrong.
        """
        named = f"{self._language.session}__s{episode.seed}"
        settings = self._language.model_copy(update={"session": named})
        self._session = self.opens(self.name, settings)
        self._counts.append(self._session.counts)
        self._session.place = replace(self._session.place, seed=episode.seed)
        self._manual = (episode.manual or "").partition(_MANUAL_END)[0]
        self._memory = EpisodeMemory(seen_now(episode))
        self._last: PuzzleAction | None = None

    def act(self, observation: Mapping[str, Any]) -> PuzzleAction:
        """Ask for the next action."""
        steps = observation.get("steps", 0)
        if self._last is not None:
            self._memory.add(self._last, {"steps": steps, **observation})
        self._session.place = replace(self._session.place, step=steps)
        self._last = self.choose(observation)
        return self._last

    @abstractmethod
    def choose(self, observation: Mapping[str, Any]) -> PuzzleAction:
        """The next action."""

    def _told(self) -> list[str]:
        """The rule, as far as it is told; nothing by default."""
        return []

    def _asked(self, role: str, form: type[Any], **values: Any) -> Any:
        """Ask a question with all that every prompt of a puzzle has."""
        common = {
            "manual": self._manual,
            "told": self._told(),
            "permanent": self._memory.permanent,
            "buffer": self._memory.buffer,
            "hypothesis": None,
        }
        found: ModelAnswer | None = self._session.ask(
            role, form, mend=False, **common | self._more() | values
        )
        return found

    def _more(self) -> dict[str, Any]:
        """Further values of prompts."""
        return {}

    def _chosen(self, observation: Mapping[str, Any], *, hypothesis: bool) -> PuzzleAction:
        """The action that the model chooses, ``hypothesise`` without a text included."""
        offers = offered(observation["available"], hypothesis=hypothesis)
        number = 1
        if len(offers) > 1:
            told = list(map(offer_text, offers))
            answer: ChoiceAnswer | None = self._asked(
                "puzzle_choice", choice_answer(len(offers)), offers=told
            )
            if answer is None:
                return MALFORMED
            number = answer.choice
        offer = offers[number - 1]
        if offer["do"] not in INPUTS:
            return action_of(offer, "")
        wanted = INPUTS[offer["do"]].format(**offer)
        typed: InputAnswer | None = self._asked(
            "puzzle_input", InputAnswer, offer=offer_text(offer), wanted=wanted
        )
        if typed is None:
            return MALFORMED
        try:
            return action_of(offer, typed.input)
        except ActionError:
            return MALFORMED


class BaselineLanguagePlayer(LanguagePlayer):
    """Acts on what was observed, without hypotheses."""

    name = "baseline_llm"

    def choose(self, observation: Mapping[str, Any]) -> PuzzleAction:
        """Ask for a choice."""
        return self._chosen(observation, hypothesis=False)


class ToldLanguagePlayer(BaselineLanguagePlayer):
    """Is told the rule, though not the values of parameters (deduction alone)."""

    name = "told_llm"
    usual_prior = "told"

    def begin(self, episode: Episode) -> None:
        """Start an episode.

        Raises:
            InputError: It is not told the rule.
        """
        if self._theory.uncertain:
            message = f"told_llm plays by a rule, and {self._theory.uncertain[0]} is open"
            raise InputError(f"{self._theory.name}: {message}; allowed: the prior told")
        super().begin(episode)

    def _told(self) -> list[str]:
        return family_of(self._theory).told_rule(self._theory)


class IdeaLanguagePlayer(LanguagePlayer):
    """Writes a hypothesis and a plan before anything else, and replaces them when it chooses to.

    One hypothesis is held at a time. Two are not written in a row except at the reactor; the
    seventeenth ends the episode.

    Attributes:
        held: The hypothesis and the plan that it holds; None before the first.
    """

    name = "idea_llm"

    def begin(self, episode: Episode) -> None:
        """Start an episode without a hypothesis."""
        super().begin(episode)
        self.held: HypothesisAnswer | None = None

    def theory(self) -> list[str]:
        """The hypothesis that it holds."""
        return self.held.hypothesis.splitlines() if self.held else []

    def choose(self, observation: Mapping[str, Any]) -> PuzzleAction:
        """Write a hypothesis first; then ask for a choice."""
        if self.held is None:
            return self._written()
        found = self._chosen(observation, hypothesis=self._may_write())
        return self._written() if found.do == "hypothesise" else found

    def _may_write(self) -> bool:
        """Whether a hypothesis may be written now."""
        again = self._last is not None and self._last.do == "hypothesise"
        return family_of(self._theory).simulated_by.twice or not again

    def _more(self) -> dict[str, Any]:
        examples = rule_examples(self._theory) if self._in_facts else forms(self._theory)
        return {
            "forms": examples,
            "hypothesis": self.held,
            "rule_form": self._language.rules,
            "schema": self._rule_schema if self._in_facts else "",
        }

    @property
    def _in_facts(self) -> bool:
        return self._language.rules == "facts"

    @cached_property
    def _rule_schema(self) -> str:
        return json.dumps(rule_schema(self._theory))

    def _written(self) -> PuzzleAction:
        """A hypothesis as an action; a step that is lost if the answer cannot be read."""
        answer = self._supposed()
        if answer is None:
            return MALFORMED
        self.held = answer
        self._memory.hypothesis_written()
        return PuzzleAction("hypothesise", text=answer.hypothesis)

    def _supposed(self) -> HypothesisAnswer | None:
        """The hypothesis that the model writes."""
        return self._proposed("puzzle_hypothesis")

    def _proposed(self, role: str, **values: Any) -> HypothesisAnswer | None:
        """A hypothesis that the model is asked for, in words."""
        if not self._in_facts:
            told: HypothesisAnswer | None = self._asked(role, HypothesisAnswer, **values)
            return told
        form = rule_answer(rule_schema(self._theory))
        found: RuleAnswer | None = self._asked(role, form, **values)
        if found is None:
            return None
        try:
            theory = rule_of_data(found.rule, self._theory)
        except SentenceError as error:
            told_rule, problem = [f"# {error.problem}"], error.problem
        else:
            told_rule, problem = family_of(theory).rules(theory), ""
        text = "\n".join((*told_rule, *(f"# {each}" for each in found.remarks)))
        return StatedHypothesis(hypothesis=text, plan=found.plan, problem=problem)
