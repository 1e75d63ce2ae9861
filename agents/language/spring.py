"""SPRING: questions that build on each other, with one of three contexts.

The contexts are those of the paper *From Laws to Motivation* (Table 1).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from mars_logic.errors import InputError
from mars_logic.language.answers import ActionAnswer, TextAnswer, action_answer
from mars_logic.language.settings import LanguageSettings
from mars_logic.language.tokens import safe
from mars_logic.system.files import read_text
from mars_logic.world.load import load_world
from mars_logic.world.words import manual

from .agent import LanguageAgent

if TYPE_CHECKING:
    from mars_logic.sim import Observation

ContextSource = Literal["actions", "experience", "paper"]
MAX_BYTES: Final = 200_000
_CONTEXT: Final = 12_000
"""Characters of a context."""

_GIVEN: Final = {"paper": "given Crafter's rules", "experience": "given laws"}

QUESTIONS: Final[tuple[tuple[str, tuple[int, ...]], ...]] = (
    ("Which things are in view, and which of them can be reached or acted on soon?", ()),
    ("For each of these things: what does acting on it need, and what does it give?", (0,)),
    ("Which of these needs are met by what the player holds, and which are not?", (0, 1)),
    ("How urgent are health, food, drink, energy and danger?", ()),
    ("Which three tasks are most worth doing next?", (2, 3)),
    ("For each of these tasks: what does it need, and what of that is missing?", (1, 4)),
    ("Which one of them comes first, given the dangers?", (3, 5)),
    ("By which steps is it done from here, and which is the first that is not done yet?", (6,)),
    ("Which action is that now?", (3, 7)),
)
"""Each question with the earlier ones whose answers it is shown; the last asks for the action."""


class SpringAgent(LanguageAgent):
    """At each step nine questions in the order of their dependencies; the last gives the action."""

    name = "spring"

    def __init__(
        self,
        language: LanguageSettings | None = None,
        context: ContextSource = "actions",
        laws: str | None = None,
    ) -> None:
        """Prepare.

        Args:
            language: The model's settings.
            context: Information on the game besides the actions: nothing (``actions``); laws that
                were learned from records (``experience``); or the rules of Crafter in words, in
                place of the text of its paper (``paper``).
            laws: The file of these laws, as ``learn-action-models`` prints or writes them.

        Raises:
            InputError: There is no such context, or the file is missing or not needed.
        """
        super().__init__(language)
        if context not in get_args(ContextSource):
            allowed = ", ".join(get_args(ContextSource))
            raise InputError(f"spring: context: there is no '{context}'; allowed: {allowed}")
        if (context == "experience") != (laws is not None):
            told = "a file of laws and context=experience need each other"
            raise InputError(f"spring: laws: {told}; allowed: both or neither")
        self._context = _context(context, laws)

    @staticmethod
    def given(options: Mapping[str, Any]) -> str:
        """What a context tells of the rules, in words; empty for the names of actions."""
        return _GIVEN.get(str(options.get("context", "actions")), "")

    def choose(self, told: str, observation: Observation) -> ActionAnswer | None:  # noqa: ARG002
        """Ask all questions; an answer that cannot be read is left out."""
        answers: dict[int, str] = {}
        context = self._context or (
            f"The actions are {', '.join(self._words.actions)}; nothing else is known of the game."
        )
        common = self._common(observation=told, steps=self._history(), context=context)
        form = action_answer(self._words.actions)
        for number, (question, before) in enumerate(QUESTIONS):
            answered = [
                {"question": QUESTIONS[n][0], "answer": answers[n]} for n in before if n in answers
            ]
            about: dict[str, Any] = {"question": question, "answered": answered}
            about["last"] = number == len(QUESTIONS) - 1
            if about["last"]:
                return self._asking.ask("spring_question", form, **common, **about)
            answer = self._asking.ask("spring_question", TextAnswer, **common, **about)
            if answer is not None:
                answers[number] = answer.text
        raise AssertionError("the last question gives an action")


def _context(source: ContextSource, laws: str | None) -> str:
    if source == "experience":
        text = read_text(Path(laws or ""), "laws in words, as learn-action-models tells", MAX_BYTES)
        return safe(text.strip(), _CONTEXT)
    if source == "paper":
        return safe(manual(load_world("crafter")), _CONTEXT)
    return ""
