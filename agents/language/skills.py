"""Skill Library (Mars paper, Section 3.2 and Appendix C): tasks, plans of subgoals, and skills."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mars_logic.language.answers import (
    ENDS,
    ActionAnswer,
    PlanAnswer,
    TextAnswer,
    action_answer,
    task_answer,
)
from mars_logic.play.learner import BeliefReport
from mars_logic.world.vocabulary import Vocabulary

from .agent import LanguageAgent

if TYPE_CHECKING:
    from mars_logic.play.agent import Episode
    from mars_logic.sim import Observation


SUBGOAL_STEPS: Final = 30
"""Steps after which a subgoal is given up; the paper does not state its number."""
REPLANS: Final = 2
"""How often a failed plan is replaced before the task is given up."""
_QUESTIONS: Final = 8
"""Questions before one action; then the player waits, so that no step takes forever."""
_SKILLS: Final = 200
_RETRIEVED: Final = 3


@dataclass(frozen=True)
class StoredSkill:
    """A plan that fulfilled a task.

    Attributes:
        task: The task.
        situation: Where and with what the player began.
        subgoals: The plan.
    """

    task: str
    situation: str
    subgoals: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.task} ({self.situation}): {'; '.join(self.subgoals)}"


class SkillStore:
    """Skills by task and situation; the oldest go when there are too many."""

    def __init__(self) -> None:
        self._skills: list[StoredSkill] = []

    def __len__(self) -> int:
        return len(self._skills)

    def add(self, skill: StoredSkill) -> None:
        """Keep a skill that is new."""
        if skill not in self._skills:
            self._skills = [*self._skills, skill][-_SKILLS:]

    def like(self, task: str, situation: str) -> list[StoredSkill]:
        """The skills that fit a task and a situation best."""
        texts = [f"{each.task} {each.task} {each.situation}" for each in self._skills]
        found = best_matches(f"{task} {situation}", texts, _RETRIEVED)
        return [self._skills[n] for n in found]


class SkillLibraryAgent(LanguageAgent):
    """Proposes tasks, plans subgoals, carries them out, explains failures, and keeps skills.

    A task is fulfilled when its achievement is unlocked or, later, what it collects or makes is
    gained; the model's opinion does not count.
    """

    name = "skill_library"

    def begin(self, episode: Episode) -> None:
        """Start without a task; skills and failed tasks are kept."""
        if self._episodes == 0:
            self._store = SkillStore()
            self._failed: list[str] = []
            self._learning = True
        super().begin(episode)
        self._task: str | None = None
        self._subgoals: list[str] = []
        self._reset_plan()

    def freeze(self) -> None:
        """Learn no more: neither skills nor, for those that induce rules, rules."""
        self._learning = False

    def tell(self) -> BeliefReport:
        """Beliefs about the rules: none where skills alone are learned."""
        return BeliefReport(self._episode.blank, (), ())

    def choose(self, told: str, observation: Observation) -> ActionAnswer | None:
        """Propose, plan and control until there is an action."""
        for _ in range(_QUESTIONS):
            if self._task is None:
                if not self._propose(told):
                    return None
            elif not self._subgoals:
                if not self._plan(told, observation):
                    self._give_up()
            elif self._steps - self._begun >= SUBGOAL_STEPS:
                self._finish("took too long", told)
            else:
                answer = self._control(told)
                if answer is None or answer.action in self._words.actions:
                    return answer
                self._finish(answer.action, told)
        return None

    def note(
        self, action: int, reward: float, unlocked: Iterable[str], done: bool, after: Observation
    ) -> None:
        """See what came of an action, and whether the task is fulfilled."""
        new = list(unlocked)
        super().note(action, reward, new, done, after)
        if self._task is None or not self._subgoals:
            return
        if self._task in new or self._gained(self._task, after):
            reached = tuple(self._subgoals[: self._at + 1])
            if self._learning:
                self._store.add(StoredSkill(self._task, self._situation, reached))
            self.subgoal_ended(self._subgoals[self._at], "succeeded", "")
            self._task = None
            self._reset_plan()

    def subgoal_ended(self, subgoal: str, outcome: str, told: str) -> None:
        """A subgoal ended: ``succeeded``, ``failed`` or ``took too long``.

        Args:
            subgoal: The subgoal.
            outcome: How it ended.
            told: What the player observes, in words; empty if it is after the last action.
        """

    def _propose(self, told: str) -> bool:
        tasks = self._words.achievements
        failed = list(dict.fromkeys(self._failed))
        values = self._common(observation=told, done=self._unlocked, failed=failed)
        answer = self._asking.ask("propose_task", task_answer(tasks), **values)
        if answer is None:
            return False
        self._task, self._plans, self._explanation = answer.task, 0, ""
        self._reset_plan()
        return True

    def _plan(self, told: str, observation: Observation) -> bool:
        assert self._task is not None
        if self._plans > REPLANS:
            return False
        self._plans += 1
        self._situation = _situation(observation, self._words)
        skills = [str(each) for each in self._store.like(self._task, self._situation)]
        about = {"task": self._task, "skills": skills, "explanation": self._explanation}
        about["placed"] = [a[6:] for a in self._words.actions if a.startswith("place_")]
        values = self._common(observation=told, **about)
        answer = self._asking.ask("plan_subgoals", PlanAnswer, **values)
        if answer is None:
            return False
        self._subgoals, self._at, self._begun = list(answer.subgoals), 0, self._steps
        self._first = self._steps
        self._held = observation.inventory[0].copy()
        return True

    def _control(self, told: str) -> ActionAnswer | None:
        about = {"subgoal": self._subgoals[self._at], "task": self._task}
        about |= {"spent": str(self._steps - self._begun)}
        values = self._common(observation=told, steps=self._history(self._begun), **about)
        return self._asking.ask("control", action_answer((*self._words.actions, *ENDS)), **values)

    def _finish(self, outcome: str, told: str) -> None:
        """Go on after a subgoal: to the next, or to another plan."""
        subgoal = self._subgoals[self._at]
        self.subgoal_ended(subgoal, outcome, told)
        self._begun = self._steps
        if outcome == "succeeded" and self._at + 1 < len(self._subgoals):
            self._at += 1
            return
        about = {"task": self._task, "subgoals": self._subgoals, "subgoal": subgoal}
        steps = self._history(self._first)
        values = self._common(observation=told, steps=steps, **about)
        answer = self._asking.ask("explain_failure", TextAnswer, **values)
        self._explanation = "" if answer is None else answer.text
        self._reset_plan()

    def _give_up(self) -> None:
        assert self._task is not None
        if self._learning:
            self._failed = [*self._failed, self._task][-len(self._words.actions) :]
        self._task = None
        self._reset_plan()

    def _reset_plan(self) -> None:
        self._subgoals = []
        self._at, self._begun, self._first = 0, self._steps, self._steps

    def _gained(self, task: str, after: Observation) -> bool:
        """Whether a task that was done before is done again: more of its item is held."""
        _, _, item = task.partition("_")
        if task not in self._unlocked or item not in self._words.items:
            return False
        place = self._words.items.index(item)
        return bool(after.inventory[0][place] > self._held[place])


def _situation(observation: Observation, words: Vocabulary) -> str:
    """Where the player is, and what it holds, in a few words."""
    amounts = dict(zip(words.items, observation.inventory[0].tolist(), strict=True))
    held = [f"{amount} {item}" for item in words.holdable if (amount := amounts[item])]
    codes = sorted({int(code) for code in observation.materials[0].flat} - {0})
    seen = ", ".join(words.materials[code] for code in codes)
    return f"sees {seen}; holds {', '.join(held) or 'nothing'}"


K1: Final = 1.5
B: Final = 0.75
"""The usual parameters of BM25 (Robertson and Zaragoza, 2009)."""


def best_matches(query: str, texts: Sequence[str], most: int) -> list[int]:
    """The positions of the texts that match a query best, best first, without those that do not.

    Args:
        query: Words.
        texts: The texts.
        most: How many at most.

    Example:
        >>> best_matches("wood", ["make a table of wood", "drink water", "wood"], 2)
        [2, 0]
    """
    bags = [Counter(_words(text)) for text in texts]
    sizes = [bag.total() for bag in bags]
    mean = sum(sizes) / len(sizes) if sizes else 1.0
    scores = [0.0] * len(texts)
    for word in set(_words(query)):
        within = sum(word in bag for bag in bags)
        weight = math.log(1 + (len(bags) - within + 0.5) / (within + 0.5))
        for n, bag in enumerate(bags):
            times = bag[word]
            spread = times + K1 * (1 - B + B * sizes[n] / mean) if mean else 1.0
            scores[n] += weight * times * (K1 + 1) / spread if times else 0.0
    ranked = sorted(range(len(texts)), key=lambda n: (-scores[n], n))
    return [n for n in ranked if scores[n] > 0][:most]


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower().replace("_", " "))
