"""Finite chances: observed successes beside their expectation."""

from __future__ import annotations

import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mars_logic.play.interactions import Interaction, deeds

if TYPE_CHECKING:
    from mars_logic.experiments.runs import EpisodeResult
    from mars_logic.logic.proof import Draws
    from mars_logic.world.theory import World

_NORMAL_95 = 1.96
"""So many standard deviations on either side hold 95 % of a normal distribution."""


@dataclass(frozen=True)
class Hope:
    """Expected and observed success of a finite chance, for one achievement in one episode.

    Attributes:
        reached: Whether the achievement was reached.
        at_most: No way to reach it succeeds with a higher probability on this map.
        chance: Of each try; None if the luck cannot be counted in tries.
        wanted: How often luck has to come.
        tries: How often it was tried, until it had come so often.
        came: Whether it came so often.
    """

    reached: bool
    at_most: float
    chance: float | None = None
    wanted: int = 1
    tries: int = 0
    came: bool = False


def hopes(result: EpisodeResult, world: World) -> dict[str, Hope]:
    """For each achievement that is reachable by a finite chance only on an episode's map."""
    found: dict[str, Hope] = {}
    done: list[Interaction] | None = None
    for name, verdict in result.proof.achievements.items():
        if verdict.certainty != "finite_chance":
            continue
        reached = name in result.certificate.unlocked
        at_most = verdict.probability.high if verdict.probability else 1.0
        draws = verdict.probability.draws if verdict.probability else None
        if draws is None or f"collect_{draws.gain}" not in world.achievements:
            found[name] = Hope(reached, at_most)
            continue
        if done is None:
            kept = result.certificate
            done = list(deeds(world, kept.seed, kept.episode, kept.actions))
        found[name] = Hope(reached, at_most, draws.chance, draws.wanted, *_tries(done, draws))
    return found


def _tries(done: Sequence[Interaction], draws: Draws) -> tuple[int, bool]:
    """How often luck was tried until it had come often enough, and whether it had."""
    tries = [f"collect_{draws.gain}" in deed.counted for deed in done if deed.rule == draws.rule]
    hits = [number for number, hit in enumerate(tries, start=1) if hit]
    came = len(hits) >= draws.wanted
    return (hits[draws.wanted - 1] if came else len(tries)), came


def expectation(some: Sequence[Hope]) -> dict[str, Any]:
    """The rate of one achievement over episodes, and the rate to expect from the tries made.

    What is expected is the share of episodes in which luck comes; see :func:`expected_share`.
    Episodes with the same chance of a try, and the same number of times that luck has to come, are
    looked at together. With fair luck the rate lies in the interval in 95 % of all cases, at least:
    it spreads no more than if each episode succeeded independently with the probability expected
    (normal approximation), and the interval reaches up to what would be expected if series of tries
    that luck ended had gone on without end.

    Raises:
        ValueError: There is no episode.
    """
    n = len(some)
    found: dict[str, Any] = {
        "episodes": n,
        "rate": statistics.fmean(hope.reached for hope in some),
        "expected": None,
        "interval": None,
        "at_most": statistics.fmean(hope.at_most for hope in some),
    }
    alike: defaultdict[tuple[float, int], list[tuple[int, bool]]] = defaultdict(list)
    for hope in some:
        if hope.chance is None:
            return found
        alike[hope.chance, hope.wanted].append((hope.tries, hope.came))
    shares = [(len(tries), *expected_share(tries, *luck)) for luck, tries in alike.items()]
    low, low_margin = _mean((size, share) for size, share, _ in shares)
    high, high_margin = _mean((size, most) for size, _, most in shares)
    found["expected"] = low
    found["interval"] = [max(0.0, low - low_margin), min(1.0, high + high_margin)]
    return found


def _mean(shares: Iterable[tuple[int, float]]) -> tuple[float, float]:
    """The mean of the episodes' probabilities of success, and how far their rate may be from it."""
    sized = [*shares]
    n = sum(size for size, _ in sized)
    variance = sum(size * share * (1 - share) for size, share in sized) / n**2
    mean = sum(size * share for size, share in sized) / n
    return min(1.0, mean), _NORMAL_95 * math.sqrt(max(0.0, variance))


def expected_share(
    series: Sequence[tuple[int, bool]], chance: float, wanted: int
) -> tuple[float, float]:
    """In what share of episodes luck is to be expected, from series of tries that it cut short.

    An episode that was lucky would have gone on trying, had it not been, and nobody saw for how
    long. So 1 − (1 − p)^tries falls short; and the number of tries times p, of which the mean is
    right, may be above 1. (No estimate that looks at one episode alone is right in the mean, lies
    from 0 to 1, and is not just whether that episode was lucky.) But of all episodes that had made
    k tries and still waited for luck, some share made another one. By the product of these shares
    one gets G(k), the probability that an episode makes k tries if luck does not end them before:
    the product-limit estimator of Kaplan and Meier (1958), for which luck is what censors. Luck
    comes with the k-th try with the known probability f(k) (negative binomial), so that

        expected = Σ_k G(k) f(k) <= Σ_k f(k) <= 1.

    Where luck has to come once, this is the chain rule of probability with shares put in for
    conditional probabilities, and so consistent, whatever makes an episode end; a player may well
    give up for having had no luck. Where it has to come more often, it is presumed that those who
    have had some of it go on as often as those who have had none.

    Args:
        series: Of each episode: the tries that were made until luck had come, and whether it had.
        chance: Of each try.
        wanted: How often luck has to come.

    Returns:
        The share, if nobody tries more often than the longest series shows (Efron's convention);
        and if all those go on without end of which luck alone ended the longest.

    Raises:
        ValueError: There is no episode.
    """
    if not series:
        raise ValueError("there is no episode")
    ended = Counter(series)
    waiting, going, share, soon = len(series), 1.0, 0.0, 0.0
    for k in range(1, max(tries for tries, _ in series) + 1):
        trying = waiting - ended[k - 1, False]
        going *= trying / waiting
        first = _comes_with(k, chance, wanted)
        share, soon = share + going * first, soon + first
        waiting = trying - ended[k, True]
    rest = 0.0 if waiting else going * (1 - soon)
    return min(1.0, share), min(1.0, max(share, share + rest))


def _comes_with(k: int, chance: float, wanted: int) -> float:
    """The probability that luck comes for the last time wanted with the k-th try."""
    if k < wanted:
        return 0.0
    return math.comb(k - 1, wanted - 1) * chance**wanted * (1 - chance) ** (k - wanted)
