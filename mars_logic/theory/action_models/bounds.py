"""Lower bounds consistent with successes and failures: an exact version space.

A hypothesis is a vector of lower bounds ``b``: the action succeeds where ``x >= b`` in all columns.
Those that agree with the records are the ``b`` with ``floor <= b <= top`` that no failure reaches,
where ``top``, the strictest, is the minimum over all successes (the conditions true of all of
them), and ``floor`` holds a priori (used items must be held). The consequences of all and of some
hypotheses can therefore be computed without enumeration.

If an action fails in a state that dominates a successful one, no bounds explain the failure: the
outcome is random or depends on hidden state. Then failures refute nothing, and a condition is
accepted by its likelihood ratio.

Source: Mitchell, Version spaces, 1977; From Laws to Motivation, algorithm 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

Amounts = NDArray[np.uint8]

_CERTAIN: Final = log(1e6)
"""Gain in log-likelihood over chance from which a condition counts as certain."""
_GUESSED: Final = log(30.0)
"""Gain from which a condition is guessed: the logarithm of the number of conditions."""
_MOST_WAYS: Final = 200_000
"""Sets of columns that are tried for the smallest explanation, before one is merely small."""
_MOST_COMPARED: Final = 20_000_000
"""Comparisons with a failure in that search."""
_MOST_AMOUNT: Final = np.uint8(255)
_MOST_LOWEST: Final = 200
"""Successes without a lesser one, of which the smallest cover is searched."""
_LISTED: Final = 12
"""Bounds that are listed at most between the most general and the strictest."""


def reaches(amounts: Amounts, bounds: Amounts) -> NDArray[np.bool_]:
    """bool[n]: which of n amounts reach some bounds in every column; either may be several."""
    found = (amounts >= bounds).all(axis=1)
    return np.asarray(found, np.bool_)


def reached_by_any(rows: Amounts, bounds: Amounts) -> NDArray[np.bool_]:
    """bool[n]: which of n bounds some row reaches in every column."""
    found = np.zeros(len(bounds), np.bool_)
    for row in rows:
        found |= reaches(row, bounds)
    return found


@dataclass(frozen=True, eq=False)
class Bounds:
    """The version space of bounds consistent with some records.

    Attributes:
        top: uint8[columns]: the strictest bounds.
        floor: uint8[columns]: amounts certainly needed, independent of the failures.
        failures: uint8[m, columns]: the distinct amounts in failures that ``top`` excludes.
        successes: How many records succeeded.
        unlucky: Number of failures that satisfy ``top``.
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
        """Whether the outcome is random or depends on hidden state."""
        return self.unlucky > 0

    @property
    def rate(self) -> float:
        """The success rate where ``top`` is satisfied."""
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

    def corroborated(self) -> Amounts:
        """uint8[columns]: as :meth:`least`, of what two records show at least, each by itself."""
        if self.by_chance:
            return self.least()
        least = self.floor.copy()
        lacking = self.failures < self.top
        near = lacking.sum(axis=1) == 1
        for column in np.flatnonzero(lacking[near].any(axis=0)):
            rows = near & lacking[:, column]
            amounts = np.repeat(self.failures[rows, column], self.weights[rows])
            if len(amounts) > 1:
                least[column] = max(least[column], np.sort(amounts)[-2] + 1)
        return least

    def agrees(self, bounds: Amounts) -> bool:
        """Whether some bounds are among those that agree with the records."""
        within = (self.floor <= bounds).all() and (bounds <= self.top).all()
        if self.by_chance:
            return bool(within and (bounds >= self.least()).all())
        return bool(within and not reaches(self.failures, bounds).any())

    def sure(self, amounts: Amounts) -> NDArray[np.bool_]:
        """bool[n]: whether the action can succeed under every remaining hypothesis."""
        return reaches(amounts, self.top)

    def possible(self, amounts: Amounts) -> NDArray[np.bool_]:
        """bool[n]: whether it can succeed under at least one of them."""
        if self.by_chance:
            return reaches(amounts, self.least())
        best = np.minimum(amounts, self.top)
        enough = reaches(amounts, self.floor)
        return enough & ~reached_by_any(greatest(self.failures), best)

    def open_questions(self) -> list[dict[int, int]]:
        """Failures with several deficits, each as the bounds of which at least one is needed.

        Returns:
            Column to least bound; only those that follow from no other of them.
        """
        return [question for question, _ in self.weighed_questions()]

    def weighed_questions(self) -> list[tuple[dict[int, int], int]]:
        """Such questions, each with the number of records that raise it."""
        if self.by_chance:
            return []
        # What answers a failure with more of everything answers one with less.
        telling = greatest(self.failures[reaches(self.failures, self.least())])
        return [
            (
                {int(c): int(failure[c]) + 1 for c in np.flatnonzero(failure < self.top)},
                int(self.weights[reaches(self.failures, failure)].sum()),
            )
            for failure in telling
        ]

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
        answers = _smallest({frozenset(question) for question in questions})
        found: list[frozenset[int]] = []
        tried = 0
        for size in range(1, len(columns) + 1):
            for some in map(frozenset, combinations(columns, size)):
                tried += 1
                if tried > _MOST_WAYS:
                    if not found:
                        yield self._raised(_hitting(columns, answers))
                    return
                if any(smaller <= some for smaller in found):
                    continue
                if all(some & each for each in answers):
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
            best = max(raised, key=self.fit, default=bounds)
            if self.fit(best) - self.fit(bounds) <= _GUESSED:
                return bounds
            bounds = best

    def _with(self, bounds: Amounts, column: int) -> Amounts:
        raised = bounds.copy()
        below = self.failures[:, column][self.failures[:, column] < self.top[column]]
        raised[column] = int(below.max()) + 1 if len(below) else self.top[column]
        return raised

    def fit(self, bounds: Amounts) -> float:
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
            sure[column] = self.fit(bounds) - self.fit(without) >= _CERTAIN
        return sure


def greatest(rows: Amounts) -> Amounts:
    """The distinct rows that no other row reaches in every column, in their order."""
    kept = np.zeros(len(rows), np.bool_)
    found = np.empty_like(rows)
    count = 0
    # A row is reached only by rows of a greater sum, or by its equals, of which the first is kept.
    for number in np.argsort(-rows.sum(axis=1, dtype=np.int64), kind="stable"):
        if not reaches(found[:count], rows[number]).any():
            kept[number] = True
            found[count] = rows[number]
            count += 1
    return rows[kept]


def _smallest(sets: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """The sets of which no other is a part."""
    found: list[frozenset[int]] = []
    for each in sorted(sets, key=lambda one: (len(one), sorted(one))):
        if not any(smaller <= each for smaller in found):
            found.append(each)
    return found


def _hitting(columns: list[int], answers: list[frozenset[int]]) -> frozenset[int]:
    """Columns that are in each of some sets, none of which can be spared; not always the fewest."""
    kept = set(columns)
    for column in columns:
        if all((kept - {column}) & each for each in answers):
            kept.discard(column)
    return frozenset(kept)


def cover(succeeded: Amounts, failed: Amounts) -> list[NDArray[np.bool_]]:
    """Split successes into the fewest groups whose common bounds exclude every failure.

    Failures that reach a success in every column exclude nothing and are left out. The result is
    the smallest number of groups unless that would take too long to find; groups may overlap.

    Returns:
        bool[n] for each group: the successes that reach its bounds. One group if one will do.
    """
    distinct = np.unique(succeeded, axis=0)
    lowest = _MOST_AMOUNT - greatest(_MOST_AMOUNT - distinct)
    # More than any success has makes no failure more telling.
    failed = np.unique(np.minimum(failed, lowest.max(axis=0)), axis=0)
    unlucky = np.zeros(len(failed), np.bool_)
    for row in lowest:
        unlucky |= reaches(failed, row)
    refuting = greatest(failed[~unlucky])
    few = len(lowest) <= _MOST_LOWEST
    groups = _fewest(lowest, refuting) if few else _some(lowest, refuting)
    return [reaches(succeeded, bounds) for bounds in groups]


def _excludes(bounds: Amounts, refuting: Amounts) -> bool:
    return not reaches(refuting, bounds).any()


def _fewest(lowest: Amounts, refuting: Amounts) -> list[Amounts]:
    """The bounds of the fewest groups: depth first, with one group more each time."""
    work, compared = 0, 0

    def extend(groups: list[Amounts], at: int, most: int) -> list[Amounts] | None:
        nonlocal work, compared
        work += 1
        if at == len(lowest) or work > _MOST_WAYS or compared > _MOST_COMPARED:
            return groups if at == len(lowest) else None
        compared += len(groups) * len(refuting)
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
        if work > _MOST_WAYS or compared > _MOST_COMPARED:
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
