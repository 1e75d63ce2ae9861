"""Exact intervals and tests of shares: coverage is at least what it is called, for any sample size.

Bounds are found by bisection on sums of binomial probabilities; no approximation is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from mars_logic.experiments.statistics import Interval

CONFIDENCE: Final = 0.95
_HALVINGS: Final = 50
"""Halvings of [0, 1]: bounds are exact to the last digits of a float."""


def clopper_pearson(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """The exact interval of a share (Clopper and Pearson, 1934).

    Args:
        successes: Of how many trials it holds.
        trials: How many independent ones there are; without any, the interval is (0, 1).
        confidence: The least coverage.

    Raises:
        ValueError: There are more successes than trials, or fewer than 0.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials")
    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else _where(lambda p: _at_least(successes, trials, p) >= tail)
    high = (
        1.0
        if successes == trials
        else 1 - _where(lambda p: _at_least(trials - successes, trials, p) >= tail)
    )
    return low, high


def mcnemar(only_first: int, only_second: int) -> float:
    """The two-sided p-value of McNemar's exact test that two shares of pairs are equal.

    Args:
        only_first: Pairs in which only the first has the property.
        only_second: Pairs in which only the second has it.
    """
    discordant = only_first + only_second
    if discordant == 0:
        return 1.0
    return min(1.0, 2 * _at_least(max(only_first, only_second), discordant, 0.5))


def paired_difference(only_first: int, only_second: int, pairs: int) -> Interval:
    """An interval of the second share minus the first, over pairs; coverage is at least 95 %.

    The difference is ``d (2 s - 1)``: d is the share of discordant pairs, s the share of those in
    which only the second has the property. Each gets a Clopper-Pearson interval of 97.5 %, so
    both hold together with at least 95 %.

    Args:
        only_first: Pairs in which only the first has the property.
        only_second: Pairs in which only the second has it.
        pairs: How many independent pairs there are.

    Raises:
        ValueError: There are fewer pairs than discordant ones.
    """
    each = 1 - (1 - CONFIDENCE) / 2
    discordant = only_first + only_second
    few, many = clopper_pearson(discordant, pairs, each)
    low, high = (2 * s - 1 for s in clopper_pearson(only_second, discordant, each))
    return min(low * few, low * many), max(high * few, high * many)


def _where(holds: Callable[[float], bool]) -> float:
    """The probability from which on a condition holds."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _at_least(successes: int, trials: int, probability: float) -> float:
    """The probability of at least so many successes."""
    if successes <= 0:
        return 1.0
    if probability <= 0.0:
        return 0.0
    if probability >= 1.0:
        return 1.0
    log_p, log_q = math.log(probability), math.log1p(-probability)
    total = math.lgamma(trials + 1)
    return min(
        1.0,
        math.fsum(
            math.exp(
                total
                - math.lgamma(k + 1)
                - math.lgamma(trials - k + 1)
                + k * log_p
                + (trials - k) * log_q
            )
            for k in range(successes, trials + 1)
        ),
    )
