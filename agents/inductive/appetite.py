"""When to eat something of which not all is known.

A vital has a most, so that a meal shows what it adds only to a player that lacks as much. So an
item is kept until the vital is low, if the episode is long enough for that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mars_logic.plan.observed_map import Status

from .information_gain import of_change
from .posterior import Posterior

_VITALS: Final = ("food", "drink")
_LOWEST: Final = 1
"""The least amount of a vital that takes no health."""


@dataclass(frozen=True)
class Meal:
    """An item whose effect on a vital is not known.

    Attributes:
        item: The item, which is held.
        vital: The vital.
        now: Whether to eat it now; else it is kept until more can be seen.
    """

    item: str
    vital: str
    now: bool


def next_meal(
    posterior: Posterior, status: Status, lasts: Mapping[str, int], left: int
) -> Meal | None:
    """What to eat now or to keep, to see what it does; None without anything of that kind.

    Args:
        posterior: The probabilities.
        status: What the player holds and lacks.
        lasts: By vital, the steps for which a point lasts.
        left: The steps that are left.
    """
    for item in posterior.words.subjects.get("eat", ()):
        for vital in _VITALS if status.amount(item) else ():
            weights = posterior.weights((f"eat.{item}", vital))
            if len(weights) <= 1:
                continue
            level = status.amount(vital)
            lower = range(_LOWEST, level)
            told = of_change(weights, level)
            more = [each for each in lower if of_change(weights, each) > told]
            if not more and told and level <= _LOWEST:
                return Meal(item, vital, now=True)
            best = max(more, key=lambda each: (of_change(weights, each), each), default=level)
            if best < level and (level - best) * lasts[vital] < left:
                return Meal(item, vital, now=False)
    return None
