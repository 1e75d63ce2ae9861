"""What earlier episodes teach about the hidden numbers of a game, and whether these stay.

A game has slots, each with hidden numbers. In an episode, the slots lie at positions: as listed, or
in a random order. Three things may be so from one episode to the next: the numbers are drawn anew,
they stay and their order is drawn anew, or numbers and order both stay. A theory that says nothing
of the order holds the three equally likely; Bayes' rule does the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

DRAWN_ANEW: Final = "drawn anew"
SHUFFLED: Final = "shuffled"
FIXED: Final = "fixed"
HYPOTHESES: Final = (DRAWN_ANEW, SHUFFLED, FIXED)


@dataclass(frozen=True)
class EpisodePrior:
    """What is believed of an episode before its first step; both arrays together sum to 1.

    Attributes:
        shuffled: float64[nodes]: the weight of all orders together, each as likely as the others.
        listed: float64[nodes]: the additional weight of the order in which the slots are listed.
    """

    shuffled: Array
    listed: Array


def unit_nodes(size: int) -> tuple[Array, Array]:
    """Points of [0, 1] and their weights, which integrate polynomials below degree 2 * size."""
    points, weights = np.polynomial.legendre.leggauss(size)
    return (points + 1) / 2, weights / 2


class Memory:
    """The posterior over numbers (as one of finitely many nodes) and over what stays.

    Args:
        weights: float64[nodes]: the prior of the numbers; sums to 1.
        order: The probabilities of ``shuffled`` and ``fixed``; None if nothing is known.
    """

    def __init__(self, weights: Array, order: Mapping[str, float] | None) -> None:
        self._prior = weights
        self._known = order or dict.fromkeys(HYPOTHESES, 1.0)
        self._forget()

    def _forget(self) -> None:
        self._numbers = dict.fromkeys(self._known, self._prior)
        self._log_probability = {each: float(np.log(p)) for each, p in self._known.items()}

    @property
    def probabilities(self) -> dict[str, float]:
        """How likely each hypothesis is; those that are ruled out from the start are left out."""
        logs = np.array(list(self._log_probability.values()))
        weights = np.exp(logs - logs.max())
        return dict(zip(self._log_probability, (weights / weights.sum()).tolist(), strict=True))

    @property
    def numbers(self) -> tuple[str, Array]:
        """The most likely hypothesis, and float64[nodes]: the posterior of the numbers under it."""
        found = self.probabilities
        best = max(found, key=lambda each: found[each])
        return best, self._numbers[best]

    def prior(self, *, listed: bool) -> EpisodePrior:
        """What to believe of the next episode.

        Args:
            listed: Whether the order as listed is possible, by what is shown of the positions.
        """
        probabilities = self.probabilities
        nothing = np.zeros_like(self._prior)
        parts = {
            each: probabilities.get(each, 0.0) * self._numbers.get(each, nothing)
            for each in HYPOTHESES
        }
        prior = EpisodePrior(
            parts[DRAWN_ANEW] + parts[SHUFFLED], parts[FIXED] if listed else nothing
        )
        total = prior.shuffled.sum() + prior.listed.sum()
        if total == 0:  # impossible by the theory: begin again with the numbers as they were
            return EpisodePrior(self._prior, nothing)
        return EpisodePrior(prior.shuffled / total, prior.listed / total)

    def learn(self, likelihoods: Sequence[Array], *, listed: bool) -> None:
        """Take in an episode.

        Args:
            likelihoods: For each order that is possible by what was shown, float64[nodes]: how
                likely the episode was; the order as listed first, if it is possible.
            listed: Whether it is.
        """
        any_order = np.mean(np.stack(list(likelihoods)), axis=0)
        as_listed = likelihoods[0] if listed else np.zeros_like(any_order)
        for each in tuple(self._numbers):
            posterior = self._numbers[each] * (as_listed if each == FIXED else any_order)
            evidence = float(posterior.sum())
            if evidence == 0:
                self._log_probability[each] = -np.inf
                continue
            self._log_probability[each] += float(np.log(evidence))
            if each != DRAWN_ANEW:
                self._numbers[each] = posterior / evidence
        if max(self._log_probability.values()) == -np.inf:  # the theory is refuted: back to it
            self._forget()

    def sentence(self) -> str:
        """What is believed of the numbers from one episode to the next."""
        found = dict.fromkeys(HYPOTHESES, 0.0) | self.probabilities
        if len(self._known) == 1:
            return ""
        stay = 1 - found[DRAWN_ANEW]
        return (
            f"The numbers are the same in every episode with probability {stay:.3f} "
            f"({found[SHUFFLED]:.3f} in a new order, {found[FIXED]:.3f} in the same order)."
        )
