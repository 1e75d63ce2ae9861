"""Candidate values of fields for revision: believed, usual, or suggested by evidence.

Evidence suggests values beyond the usual ones (``world.field_values``): the observed yields, the
ground on which a placement succeeded. Values are in order of preference.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations
from typing import Any

from mars_logic.theory import rate_tests
from mars_logic.theory.claims import Field
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.extremes import at_observed_rates, most_demanding, worked
from mars_logic.theory.signature_claims import holds_all, maybe_no_effect
from mars_logic.theory.signatures import Eating, Held, Making, Placing
from mars_logic.theory.yield_candidates import UNUSUAL, USUAL, yield_candidates
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.field_values import domain, stations_nearby
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from mars_logic.world.validate import FIXED_IN_CRAFTER
from mars_logic.world.vocabulary import Vocabulary

_USUAL_FIRST = ("requires", "nearby")
"""Fields for which evidence rarely shows more than an error of the believed value."""
_MOST_TOGETHER = 3

Suggested = dict[Field, list[Any]]


def candidates(
    belief: Theory,
    evidence: Evidence,
    fields: Iterable[Field],
    more: Mapping[Field, Iterable[Any]] | None = None,
) -> Suggested:
    """The values to choose from for each of some fields; those believed come first.

    They are complete: if any world explains the evidence, a world with candidate values does, whose
    other fields are as in the first one or explain the same (docs/theory.md, "Candidate values").

    Args:
        belief: What is believed.
        evidence: What was seen.
        fields: The fields.
        more: Further values of fields.
    """
    fields, more = list(fields), more or {}
    suggested = _suggested(belief, evidence, {rule for rule, _ in fields}, more)
    return {
        name: distinct((*_of(belief, name, suggested.get(name, [])), *more.get(name, ())))
        for name in fields
    }


def believed(belief: Theory, name: Field) -> tuple[Any, ...]:
    """The values that a theory gives a field; all usual ones if it is unknown."""
    value = getattr(belief[name[0]], name[1])
    if value is UNKNOWN:
        return domain(*name, belief.vocabulary)
    return value.values if isinstance(value, Alternatives) else (value,)


def _of(belief: Theory, name: Field, suggested: Iterable[Any]) -> list[Any]:
    found = [*believed(belief, name)]
    rule, words = belief[name[0]], belief.vocabulary
    if belief.dynamics == "crafter" and rule.family in FIXED_IN_CRAFTER:
        return found
    usual = domain(*name, words)
    new = [
        _checked(rule, name[1], value, words) for value in (*suggested, *_numbers(name[1], usual))
    ]
    more = (*usual, *new) if name[1] in _USUAL_FIRST else (*new, *usual)
    return distinct((*found, *more))


def _numbers(field: str, usual: Sequence[Any]) -> Iterable[int]:
    """All values of a field that holds a number, the usual ones and small ones first."""
    if isinstance(usual[0], bool) or not isinstance(usual[0], int):
        return ()
    least = 1 if field == "gives" else -MAXIMUM
    return (*usual, *sorted(range(least, MAXIMUM + 1), key=lambda points: (abs(points), points)))


def distinct(values: Iterable[Any]) -> list[Any]:
    """The first of each kind of values; the order of a mapping does not matter."""
    found: dict[Any, Any] = {}
    for value in values:
        key = frozenset(value.items()) if isinstance(value, Mapping) else value
        found.setdefault(key, value)
    return [*found.values()]


def _checked(rule: Rule, field: str, value: Any, words: Vocabulary) -> Any:
    return getattr(rule.with_fields({field: value}, words), field)


def _suggested(
    belief: Theory, evidence: Evidence, rules: Set[str], more: Mapping[Field, Iterable[Any]]
) -> Suggested:
    found: Suggested = defaultdict(list)
    for signature in evidence.signatures:
        suggest = _BY_KIND.get(type(signature))
        if suggest:
            for name, value in suggest(signature):
                if value not in found[name]:
                    found[name].append(value)
    words = evidence.words
    materials = [each for each in words.subjects["collect"] if f"collect.{each}" in rules]
    for material in materials:
        found[f"collect.{material}", "requires"] += [{item: 1} for item in words.holdable]
        found[f"collect.{material}", "requires"] += _together(evidence, material)
        found[f"collect.{material}", "yields"] += yield_candidates(
            rate_tests.attempts(evidence, material), material, words
        )
        found[f"collect.{material}", "spawns"] += _spawns(evidence, material)
    for tool in (each for each in words.subjects["make"] if f"make.{each}" in rules):
        found[f"make.{tool}", "nearby"] += _nearby(evidence, tool)
    for thing in (each for each in words.subjects["place"] if f"place.{each}" in rules):
        found[f"place.{thing}", "where"] += _where(belief, evidence, thing, found)
    for name, value in most_demanding(evidence):
        found[name].append(value)
    for material in materials:
        gate = (f"collect.{material}", "requires")
        requires = distinct((*found[gate], *believed(belief, gate), *more.get(gate, ())))
        for field in ("yields", "spawns"):
            chances = found[f"collect.{material}", field]
            chances += [*at_observed_rates(evidence, material, chances, requires)]
    return found


def _of_placing(signature: Placing) -> Iterator[tuple[Field, Any]]:
    if worked(signature):
        spent = _difference(signature.held_after, signature.held)
        yield (f"place.{signature.thing}", "uses"), spent


def _of_making(signature: Making) -> Iterator[tuple[Field, Any]]:
    """What was used up; of the tool itself, what was used up is not seen, but only the sum."""
    if signature.held != signature.held_after:
        spent = _difference(signature.held_after, signature.held)
        held = signature.held.amount(signature.tool)
        spent.pop(signature.tool, None)
        for amount in range(held + 1):
            yield (
                (f"make.{signature.tool}", "uses"),
                spent | ({signature.tool: amount} if amount else {}),
            )


def _of_eating(signature: Eating) -> Iterator[tuple[Field, Any]]:
    """What came in the place of what was eaten."""
    for item in _difference(signature.held, signature.held_after):
        yield (f"eat.{signature.item}", "leaves"), item


_BY_KIND: Mapping[type, Callable[[Any], Iterator[tuple[Field, Any]]]] = {
    Placing: _of_placing,
    Making: _of_making,
    Eating: _of_eating,
}


def _difference(less: Held, more: Held) -> dict[str, int]:
    """The items of which the second inventory has more than the first."""
    pairs = zip(less.items, less, more, strict=True)
    return {item: b - a for item, a, b in pairs if b > a}


def _where(belief: Theory, evidence: Evidence, thing: str, found: Suggested) -> Iterator[list[str]]:
    """The believed grounds and those on which it worked, without those on which it did not.

    Where it did not work, too little may have been held: so that depends on what is used. Wherever
    something did not work, any one of the other grounds may be right besides, or instead.
    """
    tries = [s for s in evidence.signatures if isinstance(s, Placing) and s.thing == thing]
    right = {s.material for s in tries if worked(s)}
    grounds_of = evidence.words.left
    uses = [*believed(belief, (f"place.{thing}", "uses")), *found[f"place.{thing}", "uses"]]
    for ground in believed(belief, (f"place.{thing}", "where")):
        for used in uses:
            failed = {s.material for s in tries if holds_all(s.held, used)} - right
            for wrong in (failed, set()):
                left = (right | set(ground)) - wrong
                others = [{m} for m in grounds_of if m not in left | wrong] if wrong else []
                for grounds in sorted((left, *(left | other for other in others)), key=_nowhere):
                    yield [m for m in evidence.words.materials if m in grounds]


def _nearby(evidence: Evidence, tool: str) -> Iterator[list[str]]:
    """Any stations, and any few materials that were nearby whenever the tool was made.

    A set of more materials is needed only if those always nearby are not needed one by one, but
    each of them where another was missing; see :func:`most_demanding` for all of them.
    """
    yield from stations_nearby(evidence.words)
    made = [
        frozenset(s.nearby)
        for s in evidence.signatures
        if isinstance(s, Making) and s.tool == tool and s.held != s.held_after
    ]
    always = [m for m in evidence.words.materials[1:] if made and all(m in near for near in made)]
    for size in range(1, _MOST_TOGETHER + 1):
        yield from map(list, combinations(always, size))


def _nowhere(grounds: Set[str]) -> bool:
    """That something can be placed nowhere comes last."""
    return not grounds


def _together(evidence: Evidence, material: str) -> list[dict[str, int]]:
    """The smallest sets of items that were held whenever something came, and never when not.

    None where one item alone, or nothing, explains as much.
    """
    tries = [s for s, _ in rate_tests.attempts(evidence, material)]
    came, failed = (
        [_items(s.held) for s in tries if maybe_no_effect(s) == vain] for vain in (False, True)
    )
    if not came or not failed:
        return []
    always = frozenset.intersection(*came)
    for size in range(_MOST_TOGETHER + 1):
        sets = combinations([item for item in evidence.words.holdable if item in always], size)
        found = [each for each in sets if not any(held.issuperset(each) for held in failed)]
        if found:
            return [dict.fromkeys(each, 1) for each in found if size > 1]
    return []


def _items(held: Held) -> frozenset[str]:
    return frozenset(item for item, n in held.named() if n)


def _spawns(evidence: Evidence, material: str) -> Iterator[dict[str, float]]:
    """The creatures that appeared, with usual or observed probabilities, the likeliest first."""
    tries = rate_tests.attempts(evidence, material)
    for creature in names.CREATURES:
        if any(s.appeared == creature for s, _ in tries):
            of = sum(seen.count for s, seen in tries if s.clear)
            times = sum(seen.count for s, seen in tries if s.clear and s.appeared == creature)
            rate = min(1.0, max(0.1, round(times / of, 1))) if of else USUAL[0]
            ordered = sorted(
                dict.fromkeys((*USUAL, rate)),
                key=lambda p: -rate_tests.log_likelihood(p, times, of) + UNUSUAL * (p not in USUAL),
            )
            yield from ({creature: p} for p in ordered)
