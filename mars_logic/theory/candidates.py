"""Candidate values of fields for revision: believed, usual, or suggested by evidence.

Evidence suggests values beyond the usual ones (``world.field_values``): the observed yields, the
ground on which a placement succeeded. Values are in order of preference.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from itertools import combinations, product
from typing import Any, Final

from mars_logic.theory import rate_tests
from mars_logic.theory.claims import Field
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.extremes import at_observed_rates, most_demanding, worked
from mars_logic.theory.health_candidates import points, unexplained_health
from mars_logic.theory.signature_claims import holds_all, maybe_no_effect
from mars_logic.theory.signatures import (
    ANY,
    Collecting,
    Held,
    Hitting,
    Making,
    Placing,
    Span,
    Tread,
)
from mars_logic.world import names
from mars_logic.world.dialect import EATEN_POINTS, MAXIMUM
from mars_logic.world.field_values import domain
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from mars_logic.world.validate import FIXED_IN_CRAFTER

USUAL: Final = (0.1, 0.5)
"""Probabilities that worlds are made with."""
_USUAL_FIRST = ("requires", "nearby")
"""Fields for which evidence rarely shows more than an error of the believed value."""
_UNUSUAL = 2.3
"""Gain in log-likelihood from which another probability is preferred."""
_STATIONS = ((), ("table",), ("furnace",), ("table", "furnace"))
_MOST_CHANCES = 3
_MOST_TOGETHER = 3

Suggested = dict[Field, list[Any]]


def candidates(belief: Theory, evidence: Evidence, fields: Iterable[Field]) -> Suggested:
    """The values to choose from for each of some fields; those believed come first."""
    fields = list(fields)
    suggested = _suggested(belief, evidence, {rule for rule, _ in fields})
    found = {name: _of(belief, name, suggested.get(name, [])) for name in fields}
    unexplained: Suggested = defaultdict(list)
    for name, value in dict.fromkeys(unexplained_health(evidence, _Usual(belief, found))):
        unexplained[name].append(value)
    for name in unexplained.keys() & found.keys():
        found[name] = _of(belief, name, (*suggested.get(name, ()), *unexplained[name]))
    return found


class _Usual(dict[Field, list[Any]]):
    """Candidate values of some fields, and of all others the usual ones."""

    def __init__(self, belief: Theory, found: Suggested) -> None:
        super().__init__(found)
        self._belief = belief

    def __missing__(self, name: Field) -> list[Any]:
        self[name] = _of(self._belief, name, ())
        return self[name]


def believed(belief: Theory, name: Field) -> tuple[Any, ...]:
    """The values that a theory gives a field; all usual ones if it is unknown."""
    value = getattr(belief[name[0]], name[1])
    if value is UNKNOWN:
        return domain(*name)
    return value.values if isinstance(value, Alternatives) else (value,)


def _of(belief: Theory, name: Field, suggested: Iterable[Any]) -> list[Any]:
    found = [*believed(belief, name)]
    rule = belief[name[0]]
    if belief.dynamics == "crafter" and rule.family in FIXED_IN_CRAFTER:
        return found
    new = [_checked(rule, name[1], value) for value in suggested]
    more = (*domain(*name), *new) if name[1] in _USUAL_FIRST else (*new, *domain(*name))
    return distinct((*found, *more))


def distinct(values: Iterable[Any]) -> list[Any]:
    """The first of each kind of values; the order of a mapping does not matter."""
    found: dict[Any, Any] = {}
    for value in values:
        key = frozenset(value.items()) if isinstance(value, Mapping) else value
        found.setdefault(key, value)
    return [*found.values()]


def _checked(rule: Rule, field: str, value: Any) -> Any:
    """A value as the rule holds it."""
    return getattr(type(rule).model_validate(rule.model_dump() | {field: value}), field)


def _suggested(belief: Theory, evidence: Evidence, rules: Set[str]) -> Suggested:
    found: Suggested = defaultdict(list)
    for signature in evidence.signatures:
        suggest = _BY_KIND.get(type(signature))
        if suggest:
            for name, value in suggest(signature):
                if value not in found[name]:
                    found[name].append(value)
    for material in (each for each in names.COLLECTABLE if f"collect.{each}" in rules):
        found[f"collect.{material}", "requires"] += [{item: 1} for item in names.HOLDABLE]
        found[f"collect.{material}", "requires"] += _together(evidence, material)
        found[f"collect.{material}", "yields"] += _yields(evidence, material)
        found[f"collect.{material}", "spawns"] += _spawns(evidence, material)
    for tool in names.TOOLS:
        found[f"make.{tool}", "nearby"] += map(list, _STATIONS)
    for thing in (each for each in names.PLACEABLE if f"place.{each}" in rules):
        found[f"place.{thing}", "where"] += _where(belief, evidence, thing, found)
    for name, value in most_demanding(evidence):
        found[name].append(value)
    for material in (each for each in names.COLLECTABLE if f"collect.{each}" in rules):
        requires = found[f"collect.{material}", "requires"]
        for field in ("yields", "spawns"):
            chances_ = found[f"collect.{material}", field]
            chances_ += [*at_observed_rates(evidence, material, chances_, requires)]
    return found


def _points(span: Span) -> int | None:
    """The change that was seen, if it was seen exactly."""
    return span[0] if span[0] == span[1] and abs(span[0]) <= MAXIMUM * 6 else None


def _of_tread(signature: Tread) -> Iterator[tuple[Field, Any]]:
    if signature.health.undisturbed and abs(points(signature.health)) <= MAXIMUM:
        yield (f"walk.{signature.ground}", "health"), points(signature.health)


def _least(span: Span) -> int | None:
    """The smallest certain change: the exact one, or the available bound."""
    least, most = span
    if most == ANY:
        return max(0, least)
    return min(0, most) if least == -ANY else _points(span)


def _of_hitting(signature: Hitting) -> Iterator[tuple[Field, Any]]:
    if signature.killed is False:
        return
    units = EATEN_POINTS["plant" if signature.being == "plant" else "creature"]
    changes = {"food": _least(signature.food), "drink": _least(signature.drink)}
    place = names.BEINGS.index(signature.being)
    alone = (*(n * (k != place) for k, n in enumerate(signature.health.near)),)
    if signature.health._replace(near=alone).undisturbed:
        changes["health"] = points(signature.health)
    for vital, change in changes.items():
        if change is not None:
            factor = math.ceil(abs(change) / units[vital])
            if factor <= MAXIMUM:
                name = (f"creature.{signature.being}", f"eaten_{vital}_factor")
                yield name, factor if change > 0 else -factor


def _of_collecting(signature: Collecting) -> Iterator[tuple[Field, Any]]:
    rule = f"drink.{signature.material}"
    if signature.material in names.LIQUIDS:
        for vital in ("drink", "food"):
            change = _least(getattr(signature, vital))
            if change is not None and abs(change) <= MAXIMUM:
                yield (rule, vital), change
                if vital == "drink" and signature.got_drink is not False and change > -MAXIMUM:
                    yield (rule, vital), change - 1  # the rest is what collecting yields
        health = signature.health
        if health and health.undisturbed and abs(points(health)) <= MAXIMUM:
            yield (rule, "health"), points(health)


def _of_placing(signature: Placing) -> Iterator[tuple[Field, Any]]:
    if worked(signature):
        spent = _difference(signature.held_after, signature.held)
        yield (f"place.{signature.thing}", "uses"), spent


def _of_making(signature: Making) -> Iterator[tuple[Field, Any]]:
    rule = f"make.{signature.tool}"
    spent = _difference(signature.held_after, signature.held)
    given = _difference(signature.held, signature.held_after)
    if spent:
        yield (rule, "uses"), spent
    if given.get(signature.tool):
        yield (rule, "gives"), given[signature.tool]


_BY_KIND: Mapping[type, Callable[[Any], Iterator[tuple[Field, Any]]]] = {
    Tread: _of_tread,
    Hitting: _of_hitting,
    Collecting: _of_collecting,
    Placing: _of_placing,
    Making: _of_making,
}


def _difference(less: Held, more: Held) -> dict[str, int]:
    """The items of which the second inventory has more than the first."""
    pairs = zip(names.HOLDABLE, less, more, strict=True)
    return {item: b - a for item, a, b in pairs if b > a}


def _where(belief: Theory, evidence: Evidence, thing: str, found: Suggested) -> Iterator[list[str]]:
    """The believed grounds and those on which it worked, without those on which it did not.

    Where it did not work, too little may have been held: so that depends on what is used. Wherever
    something did not work, any one of the other grounds may be right besides, or instead.
    """
    tries = [s for s in evidence.signatures if isinstance(s, Placing) and s.thing == thing]
    right = {s.material for s in tries if worked(s)}
    uses = [*believed(belief, (f"place.{thing}", "uses")), *found[f"place.{thing}", "uses"]]
    for ground in believed(belief, (f"place.{thing}", "where")):
        for used in uses:
            failed = {s.material for s in tries if holds_all(s.held, used)} - right
            for wrong in (failed, set()):
                left = (right | set(ground)) - wrong
                others = [{m} for m in names.NATURAL if m not in left | wrong] if wrong else []
                for grounds in sorted((left, *(left | other for other in others)), key=_nowhere):
                    yield [m for m in names.MATERIALS if m in grounds]


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
        sets = combinations([item for item in names.HOLDABLE if item in always], size)
        found = [each for each in sets if not any(held.issuperset(each) for held in failed)]
        if found:
            return [dict.fromkeys(each, 1) for each in found if size > 1]
    return []


def _items(held: Held) -> frozenset[str]:
    return frozenset(item for item, n in zip(names.HOLDABLE, held, strict=True) if n)


# --- What collecting gives ----------------------------------------------------------------------


def _gains(signature: Collecting) -> dict[str, int]:
    gains = _difference(signature.held, signature.held_after)
    return gains | {"drink": 1} if signature.got_drink else gains


def _yields(evidence: Evidence, material: str) -> list[dict[str, Any]]:
    """The observed yields, as certain ones and as chances, the most likely first."""
    tries = rate_tests.attempts(evidence, material)
    tries = [(s, seen) for s, seen in tries if not _cut_short(s)] or tries
    succeeded = [(s, seen) for s, seen in tries if not maybe_no_effect(s)]
    came: Counter[tuple[tuple[str, int], ...]] = Counter()
    for signature, seen in succeeded:
        came[tuple(_gains(signature).items())] += seen.count
    found: list[dict[str, Any]] = [dict(gains) for gains, _ in came.most_common()]
    if came:
        everything = sum(came.values()), sum(seen.count for _, seen in tries)
        found += _as_chances(came, everything)
    if material in names.LIQUIDS and any(s.got_drink is None for s, _ in succeeded):
        found += [{**yields, "drink": 1} for yields in found if "drink" not in yields]
    if evidence.dynamics == "crafter":
        found = [yields for yields in found if len(_probabilities(yields)) < 2]
    return [yields for yields in found if len(_probabilities(yields)) <= 1 or len(yields) <= 3]


def _cut_short(signature: Collecting) -> bool:
    """Whether more of something may have come than there was room for."""
    pairs = zip(signature.held, signature.held_after, strict=True)
    resources = [*pairs][: len(names.RESOURCES)]
    return any(before == MAXIMUM or before < after == MAXIMUM for before, after in resources)


def _probabilities(yields: Mapping[str, Any]) -> set[float]:
    return {given["probability"] for given in yields.values() if isinstance(given, dict)}


def _as_chances(
    came: Counter[tuple[tuple[str, int], ...]], totals: tuple[int, ...]
) -> Iterator[dict[str, Any]]:
    """Certain is what always came; the rest are chances, with usual or observed probabilities."""
    kinds = [dict(gains) for gains in came]
    always = {
        item: min(gains[item] for gains in kinds)
        for item in kinds[0]
        if all(item in gains for gains in kinds)
    }
    possible: tuple[dict[str, int], ...] = ({}, always)
    for certain in possible:
        extra: Counter[tuple[str, int]] = Counter()
        for gains, n in came.items():
            rest = [
                (item, amount) for item, amount in gains if (item, amount) not in certain.items()
            ]
            extra.update(dict.fromkeys(rest, n))
        items = [*certain, *(item for item, _ in extra)]
        if extra and len(extra) <= _MOST_CHANCES and len(set(items)) == len(items):
            yield from _with_probabilities(certain, extra, totals)


def _with_probabilities(
    certain: Mapping[str, int], extra: Counter[tuple[str, int]], totals: tuple[int, ...]
) -> Iterator[dict[str, Any]]:
    found: dict[tuple[float, ...], float] = {}
    of = totals[0]
    rates = [
        dict.fromkeys([*USUAL, *(min(0.9, max(0.1, round(n / total, 1))) for total in totals)])
        for n in extra.values()
    ]
    for chosen in product(*rates):
        none = of - sum(extra.values())
        if sum(chosen) <= 1 + 1e-9:
            fit = sum(
                rate_tests.log_likelihood(p, n, n)
                for p, n in zip(chosen, extra.values(), strict=True)
            )
            fit += rate_tests.log_likelihood(max(1e-3, 1 - sum(chosen)), max(0, none), max(0, none))
            found[chosen] = fit - _UNUSUAL * sum(p not in USUAL for p in chosen)
    for chosen in sorted(found, key=lambda each: -found[each]):
        yield {
            **certain,
            **{
                item: {"amount": amount, "probability": p}
                for (item, amount), p in zip(extra, chosen, strict=True)
            },
        }


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
                key=lambda p: (
                    -rate_tests.log_likelihood(p, times, of) + _UNUSUAL * (p not in USUAL)
                ),
            )
            yield from ({creature: p} for p in ordered)
