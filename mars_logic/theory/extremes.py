"""Candidate values that make a set of candidates complete.

With them, if any theory explains the evidence, one of candidate values does. A requirement explains
failures best if it is the strictest that all successes allow: all items held, and stations nearby,
in every certain success. A chance explains tries best if it equals the observed rate.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mars_logic.theory import rate_tests
from mars_logic.theory.claims import Field
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.signature_claims import maybe_no_effect
from mars_logic.theory.signatures import (
    Collecting,
    Held,
    Making,
    Placing,
)
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.vocabulary import Vocabulary

Suggestion = tuple[Field, Any]
"""A field, and a value that it may have."""
_DIGITS = 4
"""To which rates are rounded."""
_PLAUSIBLE = 1e-3
"""The highest level at which theories are tested anywhere."""


def most_demanding(evidence: Evidence) -> Iterator[Suggestion]:
    """The strictest requirements of actions, given their certain successes."""
    signatures, words = [*evidence.signatures], evidence.words
    for material in words.subjects["collect"]:
        mine = [s for s in signatures if isinstance(s, Collecting) and s.material == material]
        succeeded = [s.held for s in mine if not maybe_no_effect(s)]
        yield (f"collect.{material}", "requires"), _held_always(succeeded, words)
    for thing in words.subjects["place"]:
        placed = [s for s in signatures if isinstance(s, Placing) and s.thing == thing]
        where = {s.material for s in placed if worked(s)}
        yield (f"place.{thing}", "where"), [m for m in words.materials if m in where]
        if not where:
            yield (f"place.{thing}", "uses"), _held_always((), words)
    for tool in words.subjects["make"]:
        made = [s for s in signatures if isinstance(s, Making) and s.tool == tool]
        yield from _needed_to_make(tool, made, words)


def _needed_to_make(tool: str, tries: list[Making], words: Vocabulary) -> Iterator[Suggestion]:
    """All that was nearby whenever the tool was made."""
    rule = f"make.{tool}"
    came = [s for s in tries if s.held != s.held_after]
    if not came:
        yield (rule, "uses"), _held_always((), words)
        return
    always = set(words.materials).intersection(*(s.nearby for s in came))
    yield (rule, "nearby"), [m for m in words.materials if m in always]


def worked(signature: Placing) -> bool:
    """Whether something was surely placed."""
    there = signature.left == signature.thing != signature.material
    return signature.planted or there or signature.held != signature.held_after


def _held_always(held: Iterable[Held], words: Vocabulary) -> dict[str, int]:
    """The greatest amounts of which no less was ever held."""
    least = [min(each) for each in zip((MAXIMUM,) * len(words.holdable), *held, strict=True)]
    return {item: n for item, n in zip(words.holdable, least, strict=True) if n}


def at_observed_rates(
    evidence: Evidence, material: str, values: Iterable[Mapping[str, Any]], requires: Iterable[Any]
) -> Iterator[dict[str, Any]]:
    """Chances at the very rates at which things came, where no given chances are plausible.

    Args:
        evidence: What was seen.
        material: What was collected from.
        values: Values of ``yields`` or ``spawns``.
        requires: What collecting may need: it tells which tries succeeded.
    """
    kinds: dict[frozenset[tuple[str, Any]], list[Mapping[str, Any]]] = {}
    for value in values:
        if any(map(_is_chance, value.values())):
            kinds.setdefault(frozenset(map(_certain_part, value.items())), []).append(value)
    for tries in _distinct_successes(evidence, material, requires) if kinds else ():
        for given in kinds.values():
            chosen = [name for name in given[0] if _is_chance(given[0][name]) and name != "drink"]
            counts = {name: _count(tries, name, given[0]) for name in chosen}
            if not any(_plausible(value, counts) for value in given):
                rates = {name: round(times / of, _DIGITS) for name, (times, of) in counts.items()}
                left = round(1 - sum(rates.values()), _DIGITS)
                if _is_chance(given[0].get("drink")):
                    rates["drink"] = min(given[0]["drink"]["probability"], left)
                if all(0 < rate < 1 for rate in rates.values()) and left >= 0:
                    yield {
                        name: _at_rate(each, rates[name]) if name in rates else each
                        for name, each in given[0].items()
                    }


def _distinct_successes(
    evidence: Evidence, material: str, requires: Iterable[Any]
) -> list[rate_tests.Attempts]:
    tries = rate_tests.attempts(evidence, material)
    succeeded = (rate_tests.collected(tries, True, needed) for needed in requires)
    return [*{tuple(id(seen) for _, seen in found): found for found in succeeded}.values()]


def _certain_part(given: tuple[str, Any]) -> tuple[str, Any]:
    """An item with its amount, whatever its probability."""
    name, value = given
    if isinstance(value, Mapping):
        return name, (value["amount"],)
    return name, None if _is_chance(value) else value


def _is_chance(given: Any) -> bool:
    return isinstance(given, float | Mapping)


def _at_rate(given: Any, rate: float) -> Any:
    return {**given, "probability": rate} if isinstance(given, Mapping) else rate


def _plausible(value: Mapping[str, Any], counts: Mapping[str, tuple[int, int]]) -> bool:
    """Whether chances are not given up, nor close to it."""
    stated = {n: g["probability"] if isinstance(g, Mapping) else g for n, g in value.items()}
    evidence = (rate_tests.log_evidence(stated[name], *count) for name, count in counts.items())
    return sum(each for each in evidence if each > 0) <= -math.log(_PLAUSIBLE)


def _count(tries: rate_tests.Attempts, outcome: str, given: Mapping[str, Any]) -> tuple[int, int]:
    """How often something came, and of how many tries that tell."""
    if outcome in names.CREATURES:
        telling = [(s, seen.count) for s, seen in tries if s.clear]
    else:
        room = {n: g["amount"] for n, g in given.items() if _is_chance(g) and n not in names.VITALS}
        telling = [
            (s, seen.count)
            for s, seen in tries
            if all(s.held.amount(item) + n <= MAXIMUM for item, n in room.items())
        ]
    return (
        sum(count for s, count in telling if _came(s, outcome)),
        max(1, sum(count for _, count in telling)),
    )


def _came(signature: Collecting, outcome: str) -> bool:
    if outcome in names.CREATURES:
        return signature.appeared == outcome
    if outcome in names.VITALS:
        return bool(signature.got_drink)
    return signature.held_after.amount(outcome) > signature.held.amount(outcome)
