"""The version space of the escape room: all ways to make a password that fit what was seen.

A hypothesis gives each digit a term. Digits are judged one by one, so each digit has terms of its
own that fit. A priori all terms of a digit are chosen by their lengths, or all digits together by
one scheme: a colour condition with a medium for each digit, or a medium with a colour for each.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.rulearn.door import digits_seen, judged, right_digits
from mars_logic.domains.rulearn.episode import PuzzleAction
from mars_logic.domains.rulearn.escape_room.rules import (
    ATTRIBUTES,
    DigitTerm,
    EscapeRoom,
    Painting,
    PasswordRule,
    paintings,
)
from mars_logic.domains.rulearn.escape_room.terms import (
    BITS,
    TermLanguage,
    count_term,
    plain_conditions,
    plain_terms,
    single_terms,
    stated,
    wide_terms,
)
from mars_logic.domains.rulearn.escape_room.words import password_sentences
from mars_logic.domains.rulearn.language import closed_sentences
from mars_logic.domains.rulearn.space import PuzzleSpace, one_of
from mars_logic.errors import InputError
from mars_logic.induction.protocol import Plan
from mars_logic.induction.steps import Limits, StepSearch
from mars_logic.world.uncertain import is_uncertain

Digits = tuple[DigitTerm, ...]
MOST_DIGITS: Final = 5
"""Digits of a password that a table can have axes for."""
_CODES: Final = 60
"""Codes that a plan considers, the likeliest ones."""
_DEPTH: Final = 2
"""Actions in a row that a plan weighs."""
_ROUNDING: Final = 1e-9
"""Differences between likelihoods that are errors of rounding."""
_LISTED: Final = 100
"""Terms that a theory lists for a digit, the likeliest ones."""
_SCHEME_WEIGHT: Final = 0.5
"""The probability a priori that one scheme makes all digits."""


@dataclass(frozen=True)
class _Evidence:
    """What the door said about a code while the hint named this value."""

    focus: str
    entered: str
    digits: tuple[bool, ...]


class EscapeSpace(PuzzleSpace[Digits]):
    """All passwords' rules that fit what was seen. It reads what a player is shown, nothing else.

    Args:
        visible: What is told at the start: ``room``, ``paintings``, the hint, ``available``.
        digits: The number of digits of the password, which the manual tells.

    Attributes:
        widened: Whether the larger language is in use: what was seen was likelier by it.
        focus: What the hint names now.
        rooms: The numbers of the paintings of each room that was seen.
        unseen: The rooms that were not gone to. What the door said is weighed when there are none.

    Raises:
        InputError: There are more than ``MOST_DIGITS`` digits.
    """

    def __init__(self, visible: Mapping[str, Any], *, digits: int = 3) -> None:
        if not 1 <= digits <= MOST_DIGITS:
            message = f"{digits} digits are too many for a version space"
            raise InputError(f"digits: {message}; allowed: 1 to {MOST_DIGITS}")
        self._size = digits
        self._attribute = next(each for each in ATTRIBUTES if f"hint_{each}" in visible)
        self.rooms: dict[str, tuple[int, ...]] = {}
        self._evidence: list[_Evidence] = []
        self.unseen: frozenset[str] = frozenset()
        self._settled = False
        self.focus = ""
        self._visit(visible)
        self._use(plain_terms(self._attribute))

    @classmethod
    def of(cls, theory: EscapeRoom, start: Mapping[str, Any]) -> EscapeSpace:
        """All rules of so many digits."""
        return cls(start, digits=len(theory.rule.digits))

    @staticmethod
    def rule(theory: EscapeRoom) -> Digits | None:
        """The digits."""
        digits = theory.rule.digits
        return None if any(map(is_uncertain, digits)) else digits

    def settle(self, rule: Digits) -> None:
        """Believe these terms, whatever is seen."""
        self._settled = True
        self._use(single_terms([(term, 0.0) for term in rule]))

    def _visit(self, shown: Mapping[str, Any]) -> None:
        self.rooms[shown["room"]] = tuple(shown["paintings"])
        self.focus = shown[f"hint_{self._attribute}"]
        offered = {each["to"] for each in shown.get("available", ()) if each["do"] == "pass"}
        self.unseen = frozenset(offered - set(self.rooms))

    def _use(self, language: TermLanguage) -> None:
        self._language, self._terms = language, language.terms
        weights = 2.0**-language.bits
        self._prior = weights / weights.sum()
        self._known: dict[str, NDArray[np.int64]] = {}
        self._schemes = () if self._settled else _schemes(language, self._attribute, self._size)
        self._update()

    def observe(self, action: PuzzleAction, shown: Mapping[str, Any]) -> None:
        """Keep the hypotheses that predict what was seen, of the language that explains it better.

        Args:
            action: An action.
            shown: What the player saw of its outcome.
        """
        if action.do == "enter_code" and shown["digits"] is not None:
            digits = tuple(shown["digits"])
            self._evidence.append(_Evidence(self.focus, shown["entered"], digits))
        if "room" in shown:
            self._visit(shown)
        self._known = {}
        self._update()
        if not self.widened and not self._settled:
            self._compare()

    def _compare(self) -> None:
        """Take up the larger language if by it, what was seen was likelier."""
        plain, mass = self._language, float(self.table.sum())
        self.widened = True
        self._use(wide_terms(self._attribute))
        if float(self.table.sum()) <= mass * (1 + _ROUNDING):
            self.widened = False
            self._use(plain)

    def _update(self) -> None:
        if self._settled:
            self._fits = np.eye(self._size, dtype=np.bool_)
            return
        self._fits = np.ones((self._size, len(self._terms)), dtype=np.bool_)
        for each in () if self.unseen else self._evidence:
            values = self._values(each.focus)
            for at, (digit, right) in enumerate(zip(each.entered, each.digits, strict=True)):
                self._fits[at] &= (values == int(digit)) == right

    def _paintings(self) -> list[Painting]:
        return [paintings()[each] for numbers in self.rooms.values() for each in numbers]

    def _values(self, focus: str) -> NDArray[np.int64]:
        """The digit of each term while the hint names this value, by the paintings seen so far."""
        if focus not in self._known:
            seen = self._paintings()
            self._known[focus] = self._language.values(seen, focus)
        return self._known[focus]

    @property
    def count(self) -> int:
        """The number of hypotheses, exactly."""
        return math.prod(int(each.sum()) for each in self._fits)

    def _fitting(self) -> list[tuple[tuple[int, ...], float]]:
        """The schemes that fit, with their weights."""
        share = _SCHEME_WEIGHT if self._schemes else 0.0
        return [
            (places, share * weight)
            for places, weight in self._schemes
            if all(self._fits[at, place] for at, place in enumerate(places))
        ]

    @property
    def _free(self) -> NDArray[np.float64]:
        """The weights of the terms of each digit, chosen one by one."""
        found = self._fits * self._prior
        found[0] *= 1 - _SCHEME_WEIGHT if self._schemes else 1.0
        return np.asarray(found)

    @property
    def table(self) -> NDArray[np.float64]:
        """The weight of the hypotheses with each code, by the hint now: an axis a digit."""
        values = self._values(self.focus)
        found = np.ones(())
        for weights in self._free:
            digits = np.bincount(values, weights=weights, minlength=10)
            found = np.multiply.outer(found, digits)
        found = np.array(found)
        for places, weight in self._fitting():
            found[tuple(int(values[each]) for each in places)] += weight
        return found

    def codes(self, most: int = 100) -> Mapping[str, float]:
        """The most likely codes by the hint now, with their probabilities."""
        table = self.table
        total = float(table.sum())
        order = np.argsort(-table, axis=None, kind="stable")[:most]
        chosen = [(int(each), float(table.flat[each])) for each in order if table.flat[each] > 0]
        return {f"{code:0{self._size}}": weight / total for code, weight in chosen}

    def predict(self, action: PuzzleAction) -> Mapping[Any, float]:
        """For each digit of a code whether it is right, with probabilities; None: wrong length."""
        digits = [int(each) for each in action.code if each in "0123456789"]
        if len(digits) != self._size:
            return {None: 1.0}
        table = self.table
        for axis, digit in enumerate(digits):
            right = np.take(table, [digit], axis=axis)
            wrong = table.sum(axis=axis, keepdims=True) - right
            table = np.concatenate([np.maximum(wrong, 0.0), right], axis=axis)
        total = float(table.sum())
        return {
            tuple(bool(each) for each in at): float(table[at]) / total
            for at in np.ndindex(table.shape)
            if table[at] > 1e-12 * total
        }

    def outcome(self, action: PuzzleAction, shown: Mapping[str, Any]) -> Any:
        """What was seen, as ``predict`` names outcomes."""
        return digits_seen(shown) if action.do == "enter_code" else None

    def expected(self, hypothesis: Digits, action: PuzzleAction) -> Any:
        """What the door says of a code by a hypothesis."""
        seen = self._paintings()
        values = (str(term.value(seen, self.focus) % 10) for term in hypothesis)
        return judged(action.code, "".join(values)).digits

    def experiments(self) -> list[PuzzleAction]:
        """The likeliest codes."""
        return [PuzzleAction("enter_code", code=code) for code in self.codes(_CODES)]

    def theory(self, order: Sequence[str]) -> PasswordRule:
        """What is known: a digit is open where several terms fit, that of the likeliest rule first.

        Args:
            order: The values that the hint names one after the other.

        Raises:
            InputError: No hypothesis is left.
        """
        self._require_any()
        found = []
        for share, best in zip(self._shares(), self.hypotheses(1)[0][0], strict=True):
            listed = self._listed(share, best)
            stated_terms = [self._terms[at].model_dump(mode="json") for at in listed]
            found.append(one_of(zip(stated_terms, share[listed], strict=True)))
        rule = {"focus": self._attribute, "focus_order": list(order), "digits": found}
        return PasswordRule.model_validate(rule)

    def _listed(self, share: NDArray[np.float64], best: DigitTerm) -> list[int]:
        """The places of the likeliest terms of a digit, one of them first."""
        order = np.argsort(-share, kind="stable")
        likely = [int(each) for each in order if share[each]][:_LISTED]
        place = self._terms.index(best)
        return [place, *(each for each in likely if each != place)]

    def _shares(self) -> NDArray[np.float64]:
        """For each digit the probability of each term."""
        free = self._free
        sums = free.sum(axis=1)
        whole = float(np.prod(sums))
        found = free * np.array([[whole / each if each else 0.0] for each in sums])
        for places, weight in self._fitting():
            for at, place in enumerate(places):
                found[at, place] += weight
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    def learned(self, theory: EscapeRoom) -> EscapeRoom:
        """A theory with the digits as far as they are known, and the paintings that were seen."""
        rooms = [
            room.model_copy(update={"paintings": self.rooms.get(room.name, room.paintings)})
            for room in theory.rooms
        ]
        rule = self.theory(theory.rule.focus_order)
        return theory.model_copy(update={"rule": rule, "rooms": tuple(rooms)})

    def sentences(self, hypothesis: Digits) -> list[str]:
        """The digits."""
        order = ATTRIBUTES[self._attribute][:1]
        rule = PasswordRule(focus=self._attribute, focus_order=order, digits=hypothesis)
        return password_sentences(rule)[1:]

    def certain(self) -> list[str]:
        """The digits that all hypotheses agree on, and the code if it is certain."""
        if not self.count:
            return []
        found = closed_sentences(password_sentences(self.theory((self.focus,)))[1:])
        codes = list(self.codes(2))
        if len(codes) == 1 and not self.unseen:
            found.append(f"The code is {codes[0]} while the hint names {self.focus}.")
        return found

    def attempt(self) -> PuzzleAction:
        """A room that was not seen, or the likeliest code."""
        if self.unseen:
            return PuzzleAction("pass", to=min(self.unseen))
        return PuzzleAction("enter_code", code=next(iter(self.codes(1))))

    def plan(self, steps_left: int) -> Plan[PuzzleAction]:
        """The rooms that were not seen, or the codes after which the fewest steps are expected.

        Raises:
            InputError: No hypothesis is left.
        """
        codes = self.codes(_CODES)
        self._require_any()
        actions = self.experiments()
        limits = Limits(steps_left - len(self.unseen), depth=_DEPTH)
        if self.unseen and limits.steps > 0:
            rooms = [PuzzleAction("pass", to=each) for each in sorted(self.unseen)]
            return Plan(tuple(rooms), float(len(rooms)))
        limits = Limits(steps_left, depth=_DEPTH)
        found = StepSearch(list(codes.values()), actions, right_digits, (), limits).plan()
        every = len(codes) < _CODES and not self.unseen
        return replace(found, optimal=found.optimal and every)

    def hypotheses(self, most: int) -> list[tuple[Digits, float]]:
        """Hypotheses with their probabilities, the likeliest first, at most so many."""
        total = float(self.table.sum())
        schemes: dict[tuple[int, ...], float] = {}
        for places, weight in self._fitting():
            schemes[places] = schemes.get(places, 0.0) + weight
        whole = {places: weight + self._weight(places) for places, weight in schemes.items()}
        first = sorted(whole.items(), key=lambda each: -each[1])
        others = ((places, weight) for places, weight in self._best() if places not in whole)
        merged = heapq.merge(first, others, key=lambda each: -each[1])
        return [
            (tuple(self._terms[each] for each in places), weight / total)
            for places, weight in itertools.islice(merged, most)
        ]

    def _weight(self, places: Sequence[int]) -> float:
        return math.prod(float(self._free[at, place]) for at, place in enumerate(places))

    def _best(self) -> Iterator[tuple[tuple[int, ...], float]]:
        """Terms chosen one by one, the likeliest first: a search by weight."""
        free = self._free
        orders = [
            [int(each) for each in np.argsort(-row, kind="stable") if row[each] > 0] for row in free
        ]
        if not all(orders):
            return
        start = (0,) * self._size
        waiting, known = [(-self._weight([each[0] for each in orders]), start)], {start}
        while waiting:
            weight, ranks = heapq.heappop(waiting)
            yield tuple(orders[at][rank] for at, rank in enumerate(ranks)), -weight
            for at, rank in enumerate(ranks):
                after = (*ranks[:at], rank + 1, *ranks[at + 1 :])
                if rank + 1 < len(orders[at]) and after not in known:
                    known.add(after)
                    places = [orders[axis][each] for axis, each in enumerate(after)]
                    heapq.heappush(waiting, (-self._weight(places), after))


@cache
def _schemes(
    language: TermLanguage, attribute: str, size: int
) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Schemes as places in the list of terms, with their probabilities, which sum to 1."""
    place = {term: at for at, term in enumerate(language.terms)}
    found: list[tuple[tuple[int, ...], float]] = []
    for varied, fixed in (("medium", "color"), ("color", "medium")):
        orders = list(itertools.permutations(ATTRIBUTES[varied], size))
        kind = BITS["given"] if varied == attribute else 0.0
        for condition, bits in plain_conditions(fixed, attribute).items():
            for order in orders:
                terms = [count_term(**{varied: each, fixed: stated(condition)}) for each in order]
                places = tuple(place[each] for each in terms)
                found.append((places, 2.0 ** -(kind + bits) / len(orders)))
    total = math.fsum(weight for _, weight in found)
    return tuple((places, weight / total) for places, weight in found)
