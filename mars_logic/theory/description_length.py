"""The shortest of several descriptions of a rule, and what it leaves open."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mars_logic.theory.claims import Field
from mars_logic.world.uncertain import is_uncertain


class Fit(NamedTuple):
    """Values of fields that explain all that was seen.

    Attributes:
        bits: What they, and what was seen under them, take.
        values: The values; what the fit does not tell is missing.
    """

    bits: float
    values: Mapping[Field, Any]


def shortest(known: Mapping[Field, Any], fits: Iterable[Fit], change: float) -> dict[Field, Any]:
    """The values of the shortest fit that differ from the belief, or that it leaves open.

    An open field stays open if another value of it takes few bits more, by less than what says that
    a field differs from what was believed.

    Args:
        known: What is believed of each field.
        fits: What explains all.
        change: Bits that say that a field differs from what was believed.
    """
    best = Fit(math.inf, {})
    least: dict[tuple[Field, str], float] = {}
    for fit in fits:
        for name in known:
            value = name, str(fit.values.get(name))
            least[value] = min(fit.bits, least.get(value, math.inf))
        if fit.bits < best.bits:
            best = fit
    rivals = {
        name
        for (name, value), bits in least.items()
        if value != str(best.values.get(name)) and bits < best.bits + change
    }
    return {
        name: value
        for name, value in best.values.items()
        if known[name] != value and not (is_uncertain(known[name]) and name in rivals)
    }


def bits_of(known: Any, value: Any, among: int, change: float) -> float:
    """The bits of a value that is one of so many: none if it is what is believed."""
    if known == value:
        return 0.0
    return (0.0 if is_uncertain(known) else change) + math.log2(max(2, among))
