"""The probabilities that a theory states, with what was seen of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mars_logic.theory import rate_tests
from mars_logic.theory.cell_claims import CellOutcome
from mars_logic.theory.cell_signatures import CellChange
from mars_logic.theory.claims import Field
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.rate_tests import Rate
from mars_logic.world.cell_rules import Beside, Timer
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory

_Cells = list[tuple[CellChange, int]]
"""Signatures of one material, with how often each was seen."""


class StatedRate(NamedTuple):
    """A probability that a rule states.

    Attributes:
        about: The field that states it.
        blamed: Fields of which one is wrong if it is.
        did: What was done or watched, in words.
        rate: How often it came.
    """

    about: Field
    blamed: tuple[Field, ...]
    did: str
    rate: Rate


def stated_rates(evidence: Evidence, theory: Theory) -> Iterator[StatedRate]:
    """Those of rules that are certain: of collecting, and of cells that change by themselves."""
    for material in evidence.words.subjects["collect"]:
        yield from _of_collecting(evidence, theory, material)
    if not evidence.words.wide:
        return
    cells: dict[str, _Cells] = defaultdict(list)
    for signature, seen in evidence.signatures.items():
        if isinstance(signature, CellChange):
            cells[signature.material].append((signature, seen.count))
    for material, found in cells.items():
        yield from _of_cells(found, theory, material)


def _of_collecting(evidence: Evidence, theory: Theory, material: str) -> Iterator[StatedRate]:
    rule = theory.collect[material]
    if {"collectable", "requires"} & set(rule.uncertain_fields):
        return
    successes = rate_tests.collected(
        rate_tests.attempts(evidence, material), rule.collectable, rule.requires
    )
    rates: dict[str, Iterable[Rate]] = {}
    if "yields" not in rule.uncertain_fields:
        rates["yields"] = rate_tests.yield_rates(successes, rule.yields, theory.dynamics)
    if "spawns" not in rule.uncertain_fields:
        rates["spawns"] = rate_tests.spawn_rates(successes, rule.spawns)
    for name, stated in rates.items():
        blamed = tuple((rule.id, each) for each in ("collectable", "requires", name))
        for rate in stated:
            did = f"collecting from {material}, {rate.what} with {rate.probability:.3g}"
            yield StatedRate((rule.id, name), blamed, did, rate)


def _of_cells(found: _Cells, theory: Theory, material: str) -> Iterator[StatedRate]:
    """How often cells changed that had to, but for a chance.

    Left out is what another rule may have done as well, as far as was known before the step.
    """
    beside, timer = theory.rule(f"beside.{material}"), theory.rule(f"timer.{material}")
    if any(rule and rule.uncertain_fields for rule in (beside, timer)):
        return
    others = beside.becomes if isinstance(beside, Beside) else {}
    if material in others.values() or not {type(beside), type(timer)} & {Beside, Timer}:
        return
    outcomes = [(CellOutcome(seen), count) for seen, count in found]
    alike = isinstance(timer, Timer) and timer.becomes in others.values()
    if isinstance(beside, Beside) and beside.chance < 1 and not alike:
        tried = [each for each in outcomes if each[0].trigger(others)]
        came = [n for cell, n in tried if cell.seen.after in cell.by_others(others)]
        yield _stated(beside, beside.chance, sum(came), sum(n for _, n in tried))
    if isinstance(timer, Timer) and timer.chance < 1 and timer.becomes != material:
        due = timer.after, timer.when, timer.near
        tried = [
            (cell, n) for cell, n in outcomes if cell.is_due(*due) and not cell.may_have(others)
        ]
        came = [n for cell, n in tried if cell.seen.after == timer.becomes]
        yield _stated(timer, timer.chance, sum(came), sum(n for _, n in tried))


def _stated(rule: Rule, chance: float, times: int, of: int) -> StatedRate:
    blamed = tuple((rule.id, name) for name in rule.field_names())
    did = f"watching {rule.subject}, a change with {chance:.3g}"
    return StatedRate((rule.id, "chance"), blamed, did, Rate("change", chance, times, of))
