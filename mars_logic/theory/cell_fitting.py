"""Rules about cells, fitted to play, for revisions and learners.

Of the values of ``beside`` and ``timer`` that leave no cell of a material unexplained, those with
the shortest description are taken: bits for what differs from the belief, and for what was seen
under the chances stated. Candidates come from the belief and from the cells that changed.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product, repeat
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.cell_signatures import CellChange
from mars_logic.theory.check import check
from mars_logic.theory.claims import Field
from mars_logic.theory.description_length import Fit, bits_of, shortest
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.living_fitting import fitted_living
from mars_logic.theory.push_fitting import fitted_pushes
from mars_logic.theory.rate_tests import log_likelihood
from mars_logic.theory.shot_fitting import fitted_shots
from mars_logic.world.cell_rules import MOST_STEPS, TIMES
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import is_uncertain

Bools = NDArray[np.bool_]
_Cells = list[tuple[CellChange, int]]
_CONDITIONS: Final = ("becomes", "after", "when", "near")
"""The fields of a timer but its chance."""
_UNSEEN: Final = ""
"""A material beside cells that was never surely seen there."""
_STEPS: Final = 100
"""Chances are considered in steps of one by this."""


def fitted(theory: Theory, evidence: Evidence, level: float, change: float) -> dict[Field, Any]:
    """New values of rules about cells that are open or contradicted, where some explain all.

    Args:
        theory: What is believed.
        evidence: What was seen.
        level: As for ``check``.
        change: Bits that say that a field differs from what was believed.
    """
    cells: dict[str, _Cells] = defaultdict(list)
    for signature, seen in evidence.signatures.items() if evidence.words.wide else ():
        if isinstance(signature, CellChange):
            cells[signature.material].append((signature, seen.count))
    found = fitted_pushes(theory, evidence) | fitted_shots(theory, evidence, level)
    found |= fitted_living(theory, evidence, level, change)
    if not cells:
        return found
    only = evidence.of_kinds(CellChange)
    conflicts = check(theory, only, level, jointly=False).conflicts
    wrong = {rule for conflict in conflicts for rule in conflict.rules}
    for material, seen_cells in cells.items():
        stated = [theory.rule(f"{family}.{material}") for family in ("beside", "timer")]
        rules = [rule for rule in stated if rule]
        doubted = any(rule.uncertain_fields or rule.id in wrong for rule in rules)
        if doubted and any(cell.after != material for cell, _ in seen_cells):
            known = {(rule.id, n): getattr(rule, n) for rule in rules for n in rule.field_names()}
            fit = _Fit(seen_cells, known, change, evidence.words.materials)
            found |= fit.best()
    return found


class _Guess(NamedTuple):
    """Values of a rule's fields but its chance, and the bits that they take."""

    values: tuple[Any, ...]
    bits: float


class _Chance(NamedTuple):
    """A chance, and the bits that it and what was seen of it take; None: nothing tells it."""

    value: float | None
    bits: float


class _Fit:
    """The search for the rules of one material."""

    def __init__(
        self, cells: _Cells, known: Mapping[Field, Any], change: float, order: Sequence[str]
    ) -> None:
        seen, counts = zip(*cells, strict=True)
        self.material = seen[0].material
        self.known, self.change, self.order = known, change, order
        self.after = np.array([cell.after for cell in seen])
        self.least = np.array([cell.age[0] for cell in seen])
        self.most = np.array([cell.age[1] for cell in seen])
        self.night = np.array([cell.night for cell in seen])
        self.unsure = np.array([cell.unsure for cell in seen])
        self.count = np.array(counts)
        self.beside = {
            name: np.array([name in cell.beside for cell in seen])
            for name in order[1:]  # without the void around the map
            if any(name in cell.beside for cell in seen)
        }
        self.changed: Bools = self.after != self.material
        self.became = sorted({*self.after[self.changed].tolist()}, key=order.index)

    def best(self) -> dict[Field, Any]:
        """The values that differ from the belief, or that it leaves open; none if none will do."""
        guesses = product(self._besides(), self._timers())
        fits = (fit for guess in guesses if (fit := self._explained(*guess)) is not None)
        return shortest(self.known, fits, self.change)

    def _explained(self, beside: _Guess, timer: _Guess) -> Fit | None:
        """Two guesses with the values of all fields; None if a cell is unexplained."""
        turns: Mapping[str, str] = beside.values[0]
        becomes, after, when, near = timer.values
        sure, product_of = self._triggered(turns)
        maybe = sure | (self.unsure & bool(turns))
        by_others = np.isin(self.after, [*turns.values()]) & self.unsure
        by_others |= sure & (self.after == product_of)
        timely = (
            np.ones(len(sure), np.bool_) if when == "always" else self.night == (when == "night")
        )
        close = self._among(near) if near else np.ones(len(sure), np.bool_)
        due = timely & close & (self.least + 1 >= after) & (becomes != "")
        may_be_due = timely & (close | self.unsure) & (self.most + 1 >= after) & (becomes != "")
        by_timer = may_be_due & (self.after == becomes)
        if (self.changed & ~by_others & ~by_timer).any():
            return None
        first = self._chance("beside", sure, by_others)
        second = self._chance("timer", due & ~maybe, self.after == becomes)
        told_turns = turns if turns and _UNSEEN not in turns else None
        values = self._values("beside", {"becomes": told_turns, "chance": first.value})
        if becomes:
            told = dict(zip(_CONDITIONS, timer.values, strict=True)) | {"chance": second.value}
            values |= self._values("timer", told)
        bits = beside.bits + timer.bits + first.bits * bool(turns) + second.bits * bool(becomes)
        return Fit(bits, values)

    def _values(self, family: str, told: Mapping[str, Any]) -> dict[Field, Any]:
        named = {(f"{family}.{self.material}", name): value for name, value in told.items()}
        return {name: v for name, v in named.items() if name in self.known and v is not None}

    def _triggered(self, turns: Mapping[str, str]) -> tuple[Bools, NDArray[np.str_]]:
        """Which surely have a material beside them that changes them, and into what."""
        sure = np.zeros(len(self.count), np.bool_)
        becomes = np.full(len(sure), self.material, dtype=object)
        for name, value in turns.items():
            new = self._among((name,)) & ~sure
            becomes[new] = value
            sure |= new
        return sure, becomes.astype(str)

    def _among(self, names: Iterable[str]) -> Bools:
        """Which surely have one of some materials beside them."""
        found = np.zeros(len(self.count), np.bool_)
        for name in names:
            if name in self.beside:
                found |= self.beside[name]
        return found

    def _chance(self, family: str, tried: Bools, came: Bools) -> _Chance:
        """The chance that, with what was seen of it, takes the fewest bits."""
        known: Any = self.known.get((f"{family}.{self.material}", "chance"))
        of, times = int(self.count[tried].sum()), int(self.count[tried & came].sum())
        open_ = known is None or is_uncertain(known)
        if not of:
            return _Chance(None if open_ else known, 0.0)
        nearest = min(max(round(_STEPS * times / of), 1), _STEPS - 1) / _STEPS
        new = 0.0 if open_ else self.change
        costs = {1.0: new + 1, nearest: new + math.log2(_STEPS)}
        costs |= {} if open_ else {known: 0.0}
        found = (
            _Chance(chance, bits - log_likelihood(chance, times, of) / math.log(2))
            for chance, bits in costs.items()
        )
        return min(found, key=lambda chance: chance.bits)

    def _besides(self) -> Iterator[_Guess]:
        """Materials beside cells that may change them: the belief, and what differs by little."""
        field = f"beside.{self.material}", "becomes"
        known: Any = self.known.get(field)
        open_ = known is None or is_uncertain(known)
        found: list[dict[str, str]] = [{} if open_ else dict(known)]
        if field in self.known:
            base = found[0]
            found += [{**base, name: value} for name in self.beside for value in self.became]
            found += [
                {n: v for n, v in base.items() if n != name} for name in base if len(base) > 1
            ]
            found += [
                {**{n: v for n, v in base.items() if n != name}, new: base[name]}
                for name in base
                for new in self.beside
            ]
            found += self._covers()
            found += [{_UNSEEN: value} for value in self.became if open_]
        new = 0.0 if open_ else self.change
        for turns in found:
            ordered = {name: turns[name] for name in (_UNSEEN, *self.order) if name in turns}
            more = (len(self.order) - 1).bit_length() * len({*turns.items()} - {*found[0].items()})
            yield _Guess((ordered,), (new if turns != found[0] else 0.0) + 2 * more)

    def _covers(self) -> Iterator[dict[str, str]]:
        """For each thing that cells became, the fewest materials that were beside all of them."""
        found: dict[str, str] = {}
        for value in self.became:
            left = (self.after == value) & ~self.unsure
            while left.any():
                best = max(self.beside, key=lambda name: self._gain(name, left), default=None)
                if best is None or not (self.beside[best] & left).any():
                    break
                found[best] = value
                left &= ~self.beside[best]
        yield found

    def _gain(self, name: str, left: Bools) -> float:
        """The share of changes among cells beside a material, weighted by their number."""
        near = self.beside[name]
        explained = float(self.count[near & left].sum())
        return explained * explained / max(1.0, float(self.count[near].sum()))

    def _timers(self) -> Iterator[_Guess]:
        """Timers: the belief, and any other values that cells which changed suggest."""
        known = [self.known.get((f"timer.{self.material}", name)) for name in _CONDITIONS]
        if (f"timer.{self.material}", "becomes") not in self.known:
            yield _Guess(("", 1, "always", ()), 0.0)
            return
        if is_uncertain(known[0]):
            yield _Guess(("", 1, "always", ()), 0.0)
        changed = [name for name, beside in self.beside.items() if (beside & self.changed).any()]
        for becomes in self._with(known[0], self.became):
            soonest = self.most[self.after == becomes].min(initial=MOST_STEPS) + 1
            latest = self.least[~self.changed].max(initial=0) + 2
            ages = [int(age) for age in (1, soonest, soonest - 1, latest) if 1 <= age <= MOST_STEPS]
            rest = (
                self._with(known[1], ages),
                self._with(known[2], TIMES),
                self._with(known[3], [(), *((name,) for name in changed)]),
            )
            sizes = (len(self.became), *map(len, rest))
            for after, when, near in product(*rest):
                values = becomes, after, when, near
                yield _Guess(values, sum(map(bits_of, known, values, sizes, repeat(self.change))))

    def _with(self, known: Any, values: Iterable[Any]) -> list[Any]:
        """What is believed, if anything is, then other values."""
        return [*dict.fromkeys(([] if is_uncertain(known) else [known]) + [*values])]
