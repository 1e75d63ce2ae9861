"""The loop: suppose rules, plan by them, choose an experiment, observe, revise."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, Literal

from mars_logic.induction.notebook import (
    Abduction,
    Deduction,
    Entry,
    Experiment,
    Induction,
    Supposition,
)
from mars_logic.induction.protocol import A, H, Plan, VersionSpace, entropy

Experiments = Literal["informative", "random", "none"]
_TELLS: Final = 1e-9
"""Bits below which an outcome tells nothing."""
_WRITTEN: Final = 4
"""Hypotheses, and outcomes, that are written down for each step."""
_LISTED: Final = 1000
"""Hypotheses among which the likeliest ones are looked for."""


@dataclass(frozen=True)
class _Choice(Generic[A]):
    """An action and why it was chosen."""

    action: A
    reason: str
    plan: Plan[A]


class Inquiry(Generic[A, H]):
    """Finds out the rules of a game while it plays.

    Args:
        space: The hypotheses.
        draw: Draws a whole number below the one that it is given.
        experiments: ``informative``: of the actions with which the best plan may begin, the one
            that tells most; one of those that tell most is drawn. (A plan weighs experiments: there
            are only those that are worth their step.) ``random``: where that action would tell
            something, any action that does. ``none``: what the likeliest hypothesis says.
        notes: Whether a notebook is kept.

    Attributes:
        entries: The notebook.
        repeated: Actions that were taken again although nothing new could come of them.
    """

    def __init__(
        self,
        space: VersionSpace[A, H],
        draw: Callable[[int], int],
        *,
        experiments: Experiments = "informative",
        notes: bool = False,
    ) -> None:
        self._space, self._draw = space, draw
        self._experiments, self._notes = experiments, notes
        self.entries: list[Entry] = []
        self.repeated = 0
        self._taken: dict[A, Any] = {}

    def choose(self, steps_left: int) -> A:
        """The next action.

        Args:
            steps_left: Steps after which the game is lost.

        Raises:
            InputError: No hypothesis is left.
        """
        choice = self._chosen(steps_left)
        self.repeated += self._repeats(choice.action)
        if self._notes:
            self.entries.append(self._written(choice, steps_left))
        return choice.action

    def _chosen(self, steps_left: int) -> _Choice[A]:
        plan = self._space.plan(steps_left)
        if self._experiments == "none":
            return _Choice(self._space.attempt(), "likeliest", plan)
        fresh = [each for each in plan.actions if not self._repeats(each)] or list(plan.actions)
        action, bits = self._most_telling(fresh)
        if self._experiments == "random" and bits > _TELLS:
            return _Choice(self._any(action), "random", plan)
        return _Choice(action, "plan", plan)

    def _most_telling(self, actions: Sequence[A]) -> tuple[A, float]:
        bits = [self._space.information(each) for each in actions]
        best = [each for each, told in zip(actions, bits, strict=True) if told > max(bits) - _TELLS]
        return best[self._draw(len(best))] if len(best) > 1 else best[0], max(bits)

    def _any(self, action: A) -> A:
        """Any action that tells something, this one if there is none."""
        telling = [
            each for each in self._space.experiments() if self._space.information(each) > _TELLS
        ]
        return telling[self._draw(len(telling))] if telling else action

    def _repeats(self, action: A) -> bool:
        """Whether it is certain that an action brings what it brought before."""
        if action not in self._taken:
            return False
        predicted = self._space.predict(action)
        return len(predicted) == 1 and same(next(iter(predicted)), self._taken[action])

    def _written(self, choice: _Choice[A], steps_left: int) -> Entry:
        space = self._space
        predicted = sorted(space.predict(choice.action).items(), key=lambda each: -each[1])
        supposed = [
            Supposition(
                tuple(space.sentences(each)),
                weight,
                space.outcome_text(choice.action, space.expected(each, choice.action)),
            )
            for each, weight in space.hypotheses(_WRITTEN)
        ]
        return Entry(
            len(self.entries) + 1,
            Abduction(space.count, space.exact, space.widened, tuple(supposed)),
            Deduction(
                steps_left,
                tuple(map(space.action_text, choice.plan.actions)),
                choice.plan.steps,
                choice.plan.optimal,
            ),
            Experiment(
                space.action_text(choice.action),
                choice.reason,
                entropy(weight for _, weight in predicted),
                tuple(
                    (space.outcome_text(choice.action, outcome), weight)
                    for outcome, weight in predicted[:_WRITTEN]
                ),
            ),
        )

    def learn(self, action: A, shown: Mapping[str, Any], *, solved: bool = False) -> None:
        """Take in what came of an action.

        Args:
            action: The action.
            shown: What the player saw of its outcome.
            solved: Whether it solved the game.
        """
        seen = self._space.outcome(action, shown)
        self._taken[action] = seen
        if not self._notes:
            self._space.observe(action, shown)
            return
        before = self._space.count, self._space.widened
        predicted = self._space.predict(action)
        supposed = [
            self._space.expected(each, action) for each, _ in self._space.hypotheses(_WRITTEN)
        ]
        self._space.observe(action, shown)
        probability = next((p for each, p in predicted.items() if same(each, seen)), 0.0)
        refuted = [place for place, expected in enumerate(supposed) if not same(expected, seen)]
        self.entries[-1] = replace(
            self.entries[-1],
            induction=Induction(
                self._space.outcome_text(action, seen),
                solved,
                -math.log2(probability) + 0.0 if probability > 0 else None,
                tuple(refuted),
                max(0, before[0] - self._space.count),
                self._space.count,
                self._space.widened and not before[1],
                tuple(self._space.certain()),
            ),
        )


def any_likeliest(space: VersionSpace[A, H], draw: Callable[[int], int]) -> H:
    """One of the likeliest hypotheses, all with the same probability."""
    found = space.hypotheses(_LISTED)
    best = [each for each, weight in found if weight > found[0][1] * (1 - 1e-9)]
    return best[draw(len(best))]


def same(one: Any, other: Any) -> bool:
    """Whether two outcomes are the same, numbers but for rounding."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return bool(one == other)
