"""Expected numbers of steps until a game is solved: a search over experiments and solutions.

Cases are what may be true, each with the action that would solve the game. A test splits cases by
its outcome; so does an attempt to solve the game, which costs a step unless it is right.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic

from mars_logic.induction.protocol import A, Plan

_SLACK: Final = 1e-9
"""Differences between expected steps that are errors of rounding."""
_LOST: Final = 100.0
"""A game that is lost counts as so many steps, so that it is solved if it can be."""
Members = tuple[int, ...]


@dataclass(frozen=True)
class Test(Generic[A]):
    """An experiment.

    Attributes:
        action: The action.
        outcomes: What comes of it in each case.
    """

    __test__ = False

    action: A
    outcomes: Sequence[Hashable]


@dataclass(frozen=True)
class Limits:
    """How far a search looks, and what ends a game.

    Attributes:
        steps: Steps after which the game is lost.
        attempts: Wrong solutions after which the solution changes; None if it does not.
        changed: Expected steps after it has changed.
        depth: Actions in a row that are weighed.
        width: Solutions that are weighed in each situation, the likeliest ones.
    """

    steps: int
    attempts: int | None = None
    changed: float = 0.0
    depth: int = 3
    width: int = 8


@dataclass(frozen=True)
class _Draft(Generic[A]):
    """An action, before what follows is known.

    Attributes:
        bound: A lower bound of the expected steps.
        action: The action.
        groups: The cases after each outcome that does not solve the game, with the probability,
            and a lower bound of the steps from there on.
        tries: Whether it is an attempt to solve the game.
    """

    bound: float
    action: A
    groups: list[tuple[float, float, Members]]
    tries: bool


@dataclass(frozen=True)
class _Left:
    """What is left: steps, attempts and depth of the search."""

    steps: int
    attempts: int | None
    depth: int

    def after(self, *, tries: bool) -> _Left:
        attempts = None if self.attempts is None else self.attempts - tries
        return _Left(self.steps - 1, attempts, self.depth - 1)


class StepSearch(Generic[A]):
    """A search for the actions after which the fewest steps are expected.

    Args:
        weights: The weight of each case.
        solutions: The action that solves the game in each case.
        answer: What is seen if the first of two solutions is tried where the second is right.
        tests: All experiments.
        limits: How far to look.
    """

    def __init__(
        self,
        weights: Sequence[float],
        solutions: Sequence[A],
        answer: Callable[[A, A], Hashable],
        tests: Sequence[Test[A]],
        limits: Limits,
    ) -> None:
        self._actions = list(dict.fromkeys(solutions))
        places = {action: place for place, action in enumerate(self._actions)}
        self._solutions = [places[each] for each in solutions]
        self._weights, self._answer = weights, answer
        self._tests, self._limits = tests, limits
        self._answers: dict[int, list[Hashable]] = {}
        self._complete = True

    def plan(self) -> Plan[A]:
        """The best actions. The plan is optimal if the search left nothing out."""
        limits = self._limits
        self._complete = True
        everything = tuple(range(len(self._weights)))
        left = _Left(limits.steps, limits.attempts, limits.depth)
        values = dict(self._searched(everything, left))
        best = min(values.values())
        actions = tuple(each for each, value in values.items() if value <= best + _SLACK)
        return Plan(actions, best, self._complete)

    def _searched(self, members: Members, left: _Left) -> Iterator[tuple[A, float]]:
        """The expected steps of each action that may be best."""
        best = math.inf
        for draft in sorted(self._drafts(members), key=lambda each: each.bound):
            if draft.bound > best + _SLACK:
                return
            value = draft.bound
            for probability, least, group in draft.groups:
                if value > best + _SLACK:
                    break
                more = self._value(group, least, left, tries=draft.tries)
                value += probability * (more - least)
            else:
                best = min(best, value)
                yield draft.action, value

    def _value(self, members: Members, least: float, left: _Left, *, tries: bool) -> float:
        """The expected steps after an action that leaves these cases, at least so many."""
        if left.steps <= 1:
            return _LOST
        if tries and left.attempts == 1:
            return self._limits.changed
        if least == 0:
            return 0.0
        after = left.after(tries=tries)
        if after.depth <= 0:
            self._complete = False
            return least
        return min(value for _, value in self._searched(members, after))

    def _drafts(self, members: Members) -> Iterator[_Draft[A]]:
        total = self._weight(members)
        for test in self._tests:
            groups = _split(members, test.outcomes)
            if len(groups) > 1:
                yield self._draft(test.action, groups, total, tries=False)
        for solution in self._likeliest(members):
            wrong = [each for each in members if self._solutions[each] != solution]
            groups = _split(wrong, self._answered(solution))
            yield self._draft(self._actions[solution], groups, total, tries=True)

    def _answered(self, solution: int) -> list[Hashable]:
        """What is seen in each case if a solution is tried."""
        if solution not in self._answers:
            action = self._actions[solution]
            answers = [self._answer(action, each) for each in self._actions]
            self._answers[solution] = [answers[each] for each in self._solutions]
        return self._answers[solution]

    def _draft(self, action: A, groups: list[Members], total: float, *, tries: bool) -> _Draft[A]:
        weighed = [(self._weight(each) / total, self._least(each), each) for each in groups]
        bound = math.fsum(probability * (1 + least) for probability, least, _ in weighed)
        return _Draft(bound, action, weighed, tries)

    def _weight(self, members: Iterable[int]) -> float:
        return sum(self._weights[each] for each in members)

    def _by_solution(self, members: Members) -> dict[int, float]:
        found: dict[int, float] = {}
        for each in members:
            solution = self._solutions[each]
            found[solution] = found.get(solution, 0.0) + self._weights[each]
        return found

    def _least(self, members: Members) -> float:
        """A lower bound of the expected steps: one, unless the likeliest solution is right."""
        if len(members) == 1:
            return 0.0
        found = self._by_solution(members).values()
        return 1 - max(found) / sum(found) if len(found) > 1 else 0.0

    def _likeliest(self, members: Members) -> list[int]:
        found = self._by_solution(members)
        if len(found) > self._limits.width:
            self._complete = False
        return sorted(found, key=lambda each: -found[each])[: self._limits.width]


def _split(members: Iterable[int], outcomes: Sequence[Hashable]) -> list[Members]:
    """Cases with the same outcome together."""
    found: dict[Hashable, list[int]] = {}
    for each in members:
        found.setdefault(outcomes[each], []).append(each)
    return [tuple(each) for each in found.values()]
