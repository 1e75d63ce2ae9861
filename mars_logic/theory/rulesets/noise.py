"""Verdicts on rules where some of what is observed is wrong.

Where k of n transitions contradict a rule, noise at a rate explains them unless so many are
unlikely: the verdict stays contradicted where a binomial variable of n tries at that rate reaches k
with a probability below one in a thousand.
"""

from __future__ import annotations

from math import exp, lgamma, log, log1p
from typing import Final, Literal

from mars_logic.theory.rulesets.rule_report import RuleFinding, Rules

_LEVEL: Final = 1e-3
HIGHEST: Final = 0.4
"""The highest rate of noise: at one half, observations say nothing."""
_ROUNDS: Final = 50


def with_noise(rules: Rules, noise: float | Literal["fit"]) -> Rules:
    """The rules with the verdicts that a rate of noise leaves.

    Args:
        rules: Rules that were tested.
        noise: The rate, above 0 and to 0.4; ``fit`` estimates it from the rules that it leaves.
    """
    rate = _fitted(rules) if noise == "fit" else noise
    told = tuple(_judged(each, rate) for each in rules.rules)
    return rules.model_copy(update={"rules": told, "noise": rate})


def _fitted(rules: Rules) -> float:
    """The share of contradictions among the rules that noise at this share explains."""
    tried = [each for each in rules.rules if each.applicable]
    rate = 1 / (2 + sum(each.applicable or 0 for each in tried))
    for _ in range(_ROUNDS):
        kept = [each for each in tried if explained(each, rate)]
        against = sum(each.contradicted for each in kept)
        # The estimate is Jeffreys', which is above 0.
        after = (against + 0.5) / (sum(each.applicable or 0 for each in kept) + 1)
        if after <= rate:
            break
        rate = min(after, HIGHEST)
    return rate


def explained(rule: RuleFinding, rate: float) -> bool:
    """Whether noise at a rate explains all that speaks against a rule."""
    tries = max(rule.applicable or 0, rule.contradicted)
    return _tail(rule.contradicted, tries, rate) >= _LEVEL


def _judged(rule: RuleFinding, rate: float) -> RuleFinding:
    if rule.verdict not in ("contradicted", "undecided") or not rule.contradicted:
        return rule
    if not explained(rule, rate):
        return rule.model_copy(update={"verdict": "contradicted"})
    speaks = (rule.consistent or 0) > rule.contradicted
    changes = {"verdict": "supported" if speaks else "undecided", "contradicted": 0}
    return rule.model_copy(update={**changes, "as_noise": rule.contradicted})


def _tail(k: int, n: int, rate: float) -> float:
    """The probability that of n events of this rate at least k happen."""
    return min(1.0, sum(exp(_log_of(i, n, rate)) for i in range(k, n + 1))) if k else 1.0


def _log_of(k: int, n: int, rate: float) -> float:
    ways = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
    return ways + k * log(rate) + (n - k) * log1p(-rate)
