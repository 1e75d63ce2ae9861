"""The fewest expected steps to open a door, by exhaustive search over what is possible."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]
Mass = Fraction | int
"""Expected steps times the weight of what is possible."""

MOST_STATES: Final = 200_000
"""States of knowledge that are looked at before a search gives up."""
_NO_LIMIT: Final = 10**15
_MARGIN: Final = Fraction(1, 10**6)
"""Less than two masses differ by, if they differ."""
_MOST_CELLS: Final = 4_000_000
"""Codes times possible codes that are compared at once."""


@dataclass(frozen=True)
class DoorBelief:
    """What may be true, and what tests and codes say of it.

    Attributes:
        weights: int64[hypotheses]: how likely each is, in relation to the others.
        codes: int64[phases, hypotheses, digits]: the code of each in each phase. A phase ends with
            its last attempt.
        tests: int64[tests, hypotheses]: the outcome of each test; a test is a step.
        attempts: Wrong codes in a phase.
        afterwards: Steps that are expected at least after the last phase.
    """

    weights: Indices
    codes: Indices
    tests: Indices
    attempts: int
    afterwards: Fraction


@dataclass(frozen=True)
class DoorOptimum:
    """The optimum of a search.

    Attributes:
        steps: Expected steps of an optimal policy, the code that opens the door not counted; a
            lower bound of them unless ``exact``.
        searched: Whether the search came to its end.
        exact: Whether it did, and the policy stays within the phases.
        tests: The tests that are optimal at first.
        codes: Codes that are optimal at first.
    """

    steps: Fraction
    searched: bool
    exact: bool
    tests: tuple[int, ...]
    codes: tuple[tuple[int, ...], ...]


class _TooManyStatesError(Exception):
    """The search was given up."""


@dataclass(frozen=True)
class _Found:
    """What is known of a state or an action.

    Attributes:
        mass: The optimum, or a bound of it.
        solved: Whether it is the optimum.
        exact: Whether the policy stays within the phases.
    """

    mass: Mass
    solved: bool
    exact: bool


@dataclass(frozen=True)
class _Action:
    """An action with a bound of its mass: a test, or a code."""

    bound: Mass
    test: int = -1
    code: tuple[int, ...] = ()


class DoorSearch:
    """Exhaustive search with bounds: of an action all outcomes, of a state all useful actions.

    All weights are whole numbers, so that nothing is rounded.

    Args:
        belief: What is possible.
        most: States that are looked at before it gives up.
    """

    def __init__(self, belief: DoorBelief, most: int = MOST_STATES) -> None:
        self._belief = belief
        self._most = most
        self._known: dict[tuple[bytes, int, int], _Found] = {}

    def optimum(self) -> DoorOptimum:
        """The optimum; after too many states, what one step ahead shows: a bound."""
        everything = np.arange(len(self._belief.weights), dtype=np.int64)
        total = int(self._belief.weights.sum())
        codes = self._belief.codes[0]
        if (codes == codes[0]).all():
            return DoorOptimum(Fraction(0), True, True, (), (tuple(map(int, codes[0])),))
        actions = self._actions(everything, 0, 0)
        best: list[tuple[_Found, _Action]] = []
        try:
            for each in actions:
                least = best[0][0].mass if best else _NO_LIMIT
                if each.bound > least:
                    break
                found = self._played(everything, 0, 0, each, least + _MARGIN)
                if found.solved and found.mass <= least:
                    best = [*(best if found.mass == least else []), (found, each)]
        except _TooManyStatesError:
            return DoorOptimum(Fraction(actions[0].bound) / total, False, False, (), ())
        return DoorOptimum(
            Fraction(best[0][0].mass) / total,
            True,
            any(found.exact for found, _ in best),
            tuple(each.test for _, each in best if not each.code),
            tuple(each.code for _, each in best if each.code),
        )

    def _search(self, held: Indices, phase: int, failures: int, limit: Mass) -> _Found:
        """The smallest mass from a state, or a bound of it that is no smaller than a limit.

        Args:
            held: The hypotheses that are left.
            phase: The phase.
            failures: Wrong codes in it.
            limit: A mass from which on nothing more has to be known.
        """
        if phase == len(self._belief.codes):
            return self._after(held)
        codes = self._belief.codes[phase][held]
        if (codes == codes[0]).all():
            return _Found(0, True, True)
        key = (held.tobytes(), phase, failures)
        known = self._known.get(key)
        if known is not None and (known.solved or known.mass >= limit):
            return known
        if len(self._known) >= self._most:
            raise _TooManyStatesError
        self._known[key] = found = self._best(held, phase, failures, limit)
        return found

    def _best(self, held: Indices, phase: int, failures: int, limit: Mass) -> _Found:
        best = _Found(limit, False, False)
        for action in self._actions(held, phase, failures):
            if action.bound >= best.mass:
                break
            found = self._played(held, phase, failures, action, best.mass)
            if found.solved and found.mass < best.mass:
                best = found
        return best

    def _after(self, held: Indices) -> _Found:
        """What comes when the last phase has ended."""
        weight = int(self._belief.weights[held].sum())
        return _Found(weight * self._belief.afterwards, True, False)

    def _actions(self, held: Indices, phase: int, failures: int) -> list[_Action]:
        """Tests that tell something, and codes, those with the smallest bound first."""
        total = int(self._belief.weights[held].sum())
        found = list(self._codes(held, phase, last=failures + 1 == self._belief.attempts))
        for test, outcomes in enumerate(self._belief.tests[:, held]):
            if (outcomes == outcomes[0]).all():
                continue
            classes = (held[outcomes == each] for each in np.unique(outcomes))
            later = sum(self._least(each, phase) for each in classes)
            found.append(_Action(total + later, test))
        return sorted(found, key=lambda each: (each.bound, bool(each.code)))

    def _least(self, held: Indices, phase: int) -> int:
        """A bound: the weight of all codes but the likeliest, since each other action is a step."""
        _, places = np.unique(self._belief.codes[phase][held], axis=0, return_inverse=True)
        weights = np.bincount(places.ravel(), weights=self._belief.weights[held])
        return int(weights.sum() - weights.max())

    def _codes(self, held: Indices, phase: int, *, last: bool) -> Iterator[_Action]:
        """All codes of possible digits with bounds; of the last attempt, what comes is not bounded.

        A digit that is right under no hypothesis tells less than one that may be.
        """
        possible, places = np.unique(self._belief.codes[phase][held], axis=0, return_inverse=True)
        weights = np.bincount(places.ravel(), weights=self._belief.weights[held]).astype(np.int64)
        digits = [np.unique(column) for column in possible.T]
        guesses = np.array(list(itertools.product(*digits)), dtype=np.int64)
        size = max(1, _MOST_CELLS // len(possible))
        for begin in range(0, len(guesses), size):
            part = guesses[begin : begin + size]
            for guess, bound in zip(part, _bounds(part, possible, weights, last=last), strict=True):
                yield _Action(int(bound), code=tuple(map(int, guess)))

    def _played(
        self, held: Indices, phase: int, failures: int, action: _Action, limit: Mass
    ) -> _Found:
        """An action and the optimum after each outcome, or a bound no smaller than a limit."""
        if action.code:
            right = self._belief.codes[phase][held] == np.array(action.code)
            outcomes = right @ (1 << np.arange(right.shape[1]))
            opened = right.all(axis=1)
            held, outcomes = held[~opened], outcomes[~opened]
            ended = failures + 1 == self._belief.attempts
            then = (phase + 1, 0) if ended else (phase, failures + 1)
        else:
            outcomes, then = self._belief.tests[action.test][held], (phase, failures)
        mass, exact = action.bound, True
        for outcome in np.unique(outcomes):
            left = held[outcomes == outcome]
            least = self._least(left, phase) if then[0] == phase else 0
            found = self._search(left, *then, limit - mass + least)
            mass, exact = mass + found.mass - least, exact and found.exact
            if mass >= limit:
                return _Found(mass, False, False)
        return _Found(mass, True, exact)


def _bounds(guesses: Indices, possible: Indices, weights: Indices, *, last: bool) -> Indices:
    """For each guess the weight of the wrong outcomes, and of all but the likeliest code in each.

    Args:
        guesses: int64[guesses, digits].
        possible: int64[codes, digits].
        weights: int64[codes].
        last: Leave out what is in the outcomes.
    """
    places = 1 << np.arange(possible.shape[1])
    outcomes = (guesses[:, None, :] == possible[None, :, :]) @ places
    right = outcomes == places.sum()
    found = (weights * ~right).sum(axis=1)
    for each in () if last else range(1 << possible.shape[1]):
        inside = np.where(outcomes == each, weights, 0)
        found += inside.sum(axis=1) - inside.max(axis=1)
    return np.asarray(found, dtype=np.int64)
