"""Which lower bounds agree with what succeeded and what failed: an exact version space.

A hypothesis is a vector of lower bounds ``b``: the action succeeds where ``x >= b`` in all columns.
Those that agree with the records are the ``b`` with ``floor <= b <= top`` that no failure reaches,
where ``top``, the strictest, is the minimum over all successes (the intersection of what is true of
them), and ``floor`` is what must hold anyway (nothing can be used up that is not held). So what
follows from all of them, and what from some, can be computed without listing them.

Where an action fails in a state in which nothing is less than in one where it succeeded, no bounds
can be the reason: then chance or something hidden decides, a failure refutes nothing, and a
condition is believed if it makes the records so much likelier that they cannot well be luck.

Source: Mitchell, Version spaces, 1977; From Laws to Motivation, algorithm 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

Amounts = NDArray[np.uint8]

_CERTAIN: Final = log(1e6)
"""By how much (in log-likelihood) a condition has to explain failures better than bad luck does, to
count as certain."""
_GUESSED: Final = log(30.0)
"""The same, to be guessed: there are about so many conditions to pick one from."""
_MOST_WAYS: Final = 200_000
"""Sets of columns that are tried for the smallest explanation, before one is merely small."""
_MOST_LOWEST: Final = 200
"""Successes without a lesser one, of which the smallest cover is searched."""
_LISTED: Final = 12
"""Bounds that are listed at most between the most general and the strictest."""


def reaches(amounts: Amounts, bounds: Amounts) -> NDArray[np.bool_]:
    """bool[n]: which of n amounts reach some bounds in every column; either may be several."""
    found = (amounts >= bounds).all(axis=1)
    return np.asarray(found, np.bool_)


@dataclass(frozen=True, eq=False)
class Bounds:
    """The bounds that agree with some records.

    Attributes:
        top: uint8[columns]: the strictest bounds.
        floor: uint8[columns]: what is certain to be needed, whatever the failures say.
        failures: uint8[m, columns]: the distinct amounts in failures that ``top`` excludes.
        successes: How many records succeeded.
        unlucky: How many failed with all that ``top`` asks for.
        weights: int64[m]: how many records each row of ``failures`` stands for.
    """

    top: Amounts
    floor: Amounts
    failures: Amounts
    weights: NDArray[np.int64]
    successes: int
    unlucky: int = 0

    @classmethod
    def of(cls, succeeded: Amounts, failed: Amounts, floor: Amounts | None = None) -> Bounds:
        """The bounds that agree with amounts in which an action succeeded and failed.

        Args:
            succeeded: uint8[n, columns], n at least 1.
            failed: uint8[m, columns].
            floor: uint8[columns]: what must be needed; by default nothing.
        """
        top = succeeded.min(axis=0)
        floor = np.zeros_like(top) if floor is None else np.minimum(floor, top)
        unlucky = reaches(failed, top)
        useful = failed[~unlucky & reaches(failed, floor)]
        rows, counts = np.unique(np.minimum(useful, top), axis=0, return_counts=True)
        return cls(top, floor, rows, counts, len(succeeded), int(unlucky.sum()))

    @property
    def by_chance(self) -> bool:
        """Whether chance, or something hidden, decides as well."""
        return self.unlucky > 0

    @property
    def rate(self) -> float:
        """The share of successes where all that may be needed is there."""
        return self.successes / (self.successes + self.unlucky)

    def least(self) -> Amounts:
        """uint8[columns]: the least that each column can need; what is above 0 is certain.

        By a near miss: a failure that lacks nothing but this column.
        """
        least = self.floor.copy()
        if self.by_chance:
            chosen = self.chosen()
            return np.maximum(least, np.where(self._sure_of(chosen), chosen, 0)).astype(np.uint8)
        lacking = self.failures < self.top
        for row in np.flatnonzero(lacking.sum(axis=1) == 1):
            column = int(lacking[row].argmax())
            least[column] = max(least[column], self.failures[row, column] + 1)
        return least

    def agrees(self, bounds: Amounts) -> bool:
        """Whether some bounds are among those that agree with the records."""
        within = (self.floor <= bounds).all() and (bounds <= self.top).all()
        if self.by_chance:
            return bool(within and (bounds >= self.least()).all())
        return bool(within and not reaches(self.failures, bounds).any())

    def sure(self, amounts: Amounts) -> NDArray[np.bool_]:
        """bool[n]: whether the action succeeds (or can) by every hypothesis left."""
        return reaches(amounts, self.top)

    def possible(self, amounts: Amounts) -> NDArray[np.bool_]:
        """bool[n]: whether it does by one of them at least."""
        if self.by_chance:
            return reaches(amounts, self.least())
        best = np.minimum(amounts, self.top)
        enough = reaches(amounts, self.floor)
        refuted = np.zeros(len(amounts), np.bool_)
        for failure in self.failures:
            refuted |= reaches(failure, best)
        return enough & ~refuted

    def open_questions(self) -> list[dict[int, int]]:
        """Failures that lack several things: at least one of these bounds is needed, for each.

        Returns:
            Column to least bound; only those that follow from no other of them.
        """
        if self.by_chance:
            return []
        least = self.least()
        asked = []
        for failure in self.failures:
            if (failure >= least).all():
                lacking = np.flatnonzero(failure < self.top)
                asked.append({int(column): int(failure[column]) + 1 for column in lacking})
        unique = [q for i, q in enumerate(asked) if q not in asked[:i]]
        return [q for q in unique if not any(_implies(other, q) for other in unique if other != q)]

    def chosen(self) -> Amounts:
        """uint8[columns]: the bounds with the fewest conditions (or, by chance, worth theirs)."""
        if self.by_chance:
            return self._worthwhile()
        return next(self.general())

    def general(self) -> Iterator[Amounts]:
        """The most general bounds, those with the fewest conditions first."""
        questions = self.open_questions()
        if not questions:
            yield self.least()
            return
        columns = sorted({column for question in questions for column in question})
        found: list[frozenset[int]] = []
        tried = 0
        for size in range(1, len(columns) + 1):
            for some in map(frozenset, combinations(columns, size)):
                tried += 1
                if tried > _MOST_WAYS:
                    if not found:
                        yield self._raised(_hitting(columns, questions))
                    return
                if any(smaller <= some for smaller in found):
                    continue
                if all(some & set(question) for question in questions):
                    found.append(some)
                    yield self._raised(some)

    def listed(self) -> list[Amounts]:
        """The boundary of what agrees: the most general bounds, and the strictest at the end."""
        if self.by_chance:
            found = [self.chosen()]
        else:
            found = [bounds for bounds, _ in zip(self.general(), range(_LISTED), strict=False)]
        if not any((bounds == self.top).all() for bounds in found):
            found.append(self.top)
        return found

    def _raised(self, columns: frozenset[int]) -> Amounts:
        """The least bounds in some columns, besides the certain ones, that exclude failures."""
        bounds, choice = self.least(), sorted(columns)
        lacking = (self.failures[:, choice] < self.top[choice]).sum(axis=1)
        for row in np.argsort(lacking, kind="stable"):  # those with the least choice first
            failure = self.failures[row]
            if (failure >= bounds).all():
                column = next(c for c in choice if failure[c] < self.top[c])
                bounds[column] = failure[column] + 1
        return bounds

    def _worthwhile(self) -> Amounts:
        """Conditions, each of which explains failures far better than bad luck."""
        bounds = self.floor.copy()
        while True:
            raised = [
                self._with(bounds, column) for column in np.flatnonzero(bounds < self.top).tolist()
            ]
            best = max(raised, key=self._fit, default=bounds)
            if self._fit(best) - self._fit(bounds) <= _GUESSED:
                return bounds
            bounds = best

    def _with(self, bounds: Amounts, column: int) -> Amounts:
        raised = bounds.copy()
        below = self.failures[:, column][self.failures[:, column] < self.top[column]]
        raised[column] = int(below.max()) + 1 if len(below) else self.top[column]
        return raised

    def _fit(self, bounds: Amounts) -> float:
        """The log-likelihood of the records, with the rate of success that fits best."""
        reach = reaches(self.failures, bounds)
        failed = self.unlucky + int(self.weights[reach].sum())
        rate = self.successes / (self.successes + failed)
        return self.successes * log(rate) + failed * log(1.0 - rate)

    def _sure_of(self, bounds: Amounts) -> NDArray[np.bool_]:
        """bool[columns]: conditions that are far likelier than not, given the others."""
        sure = np.zeros(len(bounds), np.bool_)
        for column in np.flatnonzero(bounds > self.floor):
            without = bounds.copy()
            without[column] = self.floor[column]
            sure[column] = self._fit(bounds) - self._fit(without) >= _CERTAIN
        return sure


def _hitting(columns: list[int], questions: list[dict[int, int]]) -> frozenset[int]:
    """Columns that meet every question, none of which can be spared; not always the fewest."""
    kept = set(columns)
    for column in columns:
        if all((kept - {column}) & set(question) for question in questions):
            kept.discard(column)
    return frozenset(kept)


def _implies(one: dict[int, int], other: dict[int, int]) -> bool:
    """Whether meeting the first question always meets the second."""
    return all(column in other and bound >= other[column] for column, bound in one.items())


def cover(succeeded: Amounts, failed: Amounts) -> list[NDArray[np.bool_]]:
    """Split successes into the fewest groups whose common bounds exclude every failure.

    Failures that reach a success in every column exclude nothing and are left out. The result is
    the smallest number of groups unless that would take too long to find; groups may overlap.

    Returns:
        bool[n] for each group: the successes that reach its bounds. One group if one will do.
    """
    distinct = np.unique(succeeded, axis=0)
    lowest = np.array([row for row in distinct if reaches(row, distinct).sum() == 1], np.uint8)
    unlucky = np.array([reaches(failure, lowest).any() for failure in failed], np.bool_)
    refuting = np.unique(failed[~unlucky], axis=0) if len(failed) else failed
    few = len(lowest) <= _MOST_LOWEST
    groups = _fewest(lowest, refuting) if few else _some(lowest, refuting)
    return [reaches(succeeded, bounds) for bounds in groups]


def _excludes(bounds: Amounts, refuting: Amounts) -> bool:
    return not reaches(refuting, bounds).any()


def _fewest(lowest: Amounts, refuting: Amounts) -> list[Amounts]:
    """The bounds of the fewest groups: depth first, with one group more each time."""
    work = 0

    def extend(groups: list[Amounts], at: int, most: int) -> list[Amounts] | None:
        nonlocal work
        work += 1
        if at == len(lowest) or work > _MOST_WAYS:
            return groups if at == len(lowest) else None
        for number, bounds in enumerate(groups):
            joined = np.minimum(bounds, lowest[at])
            if _excludes(joined, refuting):
                rest = [*groups[:number], joined, *groups[number + 1 :]]
                if found := extend(rest, at + 1, most):
                    return found
        return extend([*groups, lowest[at]], at + 1, most) if len(groups) < most else None

    for most in range(1, len(lowest) + 1):
        if found := extend([], 0, most):
            return found
        if work > _MOST_WAYS:
            break
    return _some(lowest, refuting)


def _some(lowest: Amounts, refuting: Amounts) -> list[Amounts]:
    """Few groups: each success joins the first group that it can."""
    groups: list[Amounts] = []
    for row in lowest:
        for number, bounds in enumerate(groups):
            joined = np.minimum(bounds, row)
            if _excludes(joined, refuting):
                groups[number] = joined
                break
        else:
            groups.append(row)
    return groups
