"""Candidate values of what collecting yields: all that explain what came, up to probabilities.

Everything that came has one amount, which may be more than there was room for, and is certain or a
chance. Whatever never came may be left out: it explains nothing. Points of drink are seen only as a
sum with the effect of a liquid, so every amount of them is a candidate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, Final

from mars_logic.theory import rate_tests
from mars_logic.theory.outcomes import Gain, possible_gains
from mars_logic.theory.signature_claims import Receipt, maybe_no_effect
from mars_logic.theory.signatures import Collecting
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.rules import Collect
from mars_logic.world.vocabulary import Vocabulary

USUAL: Final = (0.1, 0.5)
"""Probabilities that worlds are made with."""
UNUSUAL: Final = 2.3
"""Gain in log-likelihood from which another probability is preferred."""
_MOST_CHANCES: Final = 3
"""Chances of more items than these are taken at the observed rates alone."""
_DIGITS: Final = 4
_DRINK: Final = "drink"
_ANY_CHANCE: Final = 0.5
"""Probability of drink as a chance: no rate of it is judged, since a full stomach hides it."""

Tries = Sequence[tuple[Collecting, int]]
"""What was seen of collecting from a material, each with how often."""


def yield_candidates(
    tries: rate_tests.Attempts, material: str, words: Vocabulary
) -> list[dict[str, Any]]:
    """The yields of a material that explain what came of tries; the most likely first.

    Where none explains everything, those are among them that explain a part.

    Args:
        tries: What was seen.
        material: The material.
        words: The vocabulary; its dialect tells how chances of several items exclude each other.
    """
    came = [(s, seen.count) for s, seen in tries if not maybe_no_effect(s)]
    if not came:
        return []
    totals = sum(count for _, count in came), sum(seen.count for _, seen in tries)
    found = [
        each
        for amounts in _amounts(came, material)
        for certain in _certain(came, amounts)
        for each in _with_chances(came, certain, amounts, totals)
    ]
    seen = [*dict.fromkeys(signature for signature, _ in came)]
    explains = cache(lambda gains: all(Receipt(each, words.name).drinks(gains) for each in seen))
    right = [each for each in found if explains(_gains(each, material, words))]
    return right or found


def _amounts(came: Tries, material: str) -> Iterator[dict[str, int]]:
    """Amounts of everything that came; in liquids, also of drink, which need not have come."""
    possible: dict[str, Sequence[int]] = {}
    for place, item in enumerate(came[0][0].held.items):
        gains = {(s.held_after[place] - s.held[place], s.held_after[place]) for s, _ in came}
        gained = {gain for gain, _ in gains if gain > 0}
        if gained:
            exact = {gain for gain, after in gains if gain > 0 and after < MAXIMUM}
            possible[item] = sorted(exact) or range(max(gained), MAXIMUM + 1)
    is_liquid = material in names.LIQUIDS
    needed = any(s.got_drink if is_liquid else _got_drink(s) for s, _ in came)
    for chosen in product(*possible.values()):
        held = dict(zip(possible, chosen, strict=True))
        if not needed:
            yield held
        if needed or is_liquid:
            yield from ({**held, _DRINK: points} for points in range(1, MAXIMUM + 1))


def _got_drink(signature: Collecting) -> bool:
    """Whether drink surely came, if nothing but yields can be the cause."""
    return bool(signature.got_drink) or not signature.drink[0] <= 0 <= signature.drink[1]


def _certain(came: Tries, amounts: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    """Items that may be certain: each set of those that came every time; the largest first."""
    always = [item for item in amounts if all(_as_stated(s, item, amounts[item]) for s, _ in came)]
    for kept in product((True, False), repeat=len(always)):
        yield tuple(item for item, keep in zip(always, kept, strict=True) if keep)


def _as_stated(signature: Collecting, item: str, amount: int) -> bool:
    """Whether an item may have come for certain."""
    if item == _DRINK:
        return signature.got_drink is not False
    return signature.held_after.amount(item) == min(MAXIMUM, signature.held.amount(item) + amount)


def _with_chances(
    came: Tries, certain: Iterable[str], amounts: Mapping[str, int], totals: tuple[int, int]
) -> Iterator[dict[str, Any]]:
    """Yields of which some are certain and all others chances, with usual or observed rates."""
    sure = {item: amounts[item] for item in certain}
    chances = {item: amount for item, amount in amounts.items() if item not in sure}
    times = {item: _times(came, item) for item in chances if item != _DRINK}
    for rates in _rates(times, totals):
        left = 1 - sum(rates.values())
        if _DRINK in chances:
            rates = {_DRINK: min(_ANY_CHANCE, round(left, _DIGITS))} | rates
        if all(rate > 0 for rate in rates.values()):
            yield sure | {i: {"amount": chances[i], "probability": p} for i, p in rates.items()}


def _times(came: Tries, item: str) -> int:
    return sum(count for s, count in came if s.held_after.amount(item) > s.held.amount(item))


def _rates(times: Mapping[str, int], totals: tuple[int, int]) -> list[dict[str, float]]:
    """Probabilities of chances, the most likely first; at least those observed."""
    of = totals[0]
    observed = {item: int(n / of * 10**_DIGITS) / 10**_DIGITS for item, n in times.items()}
    possible = [observed] if sum(observed.values()) <= 1 else []  # more comes together than may
    if len(times) > _MOST_CHANCES:
        return possible
    usual = [
        dict.fromkeys([*USUAL, *(min(0.9, max(0.1, round(n / total, 1))) for total in totals)])
        for n in times.values()
    ]
    found: dict[tuple[float, ...], float] = {}
    for chosen in product(*usual):
        if sum(chosen) <= 1 + 1e-9:
            fit = sum(
                rate_tests.log_likelihood(p, n, n)
                for p, n in zip(chosen, times.values(), strict=True)
            )
            none = max(0, of - sum(times.values()))
            fit += rate_tests.log_likelihood(max(1e-3, 1 - sum(chosen)), none, none)
            found[chosen] = fit - UNUSUAL * sum(p not in USUAL for p in chosen)
    ordered = sorted(found, key=lambda each: -found[each])
    return [dict(zip(times, each, strict=True)) for each in ordered] or possible


def _gains(
    yields: Mapping[str, Any], material: str, words: Vocabulary
) -> frozenset[frozenset[Gain]]:
    """The sets of items that yields let come together."""
    rule = Collect.model_validate({"subject": material, "yields": yields}, context=words)
    return possible_gains(rule.yields, words.name)
