"""Gates and chances judged together: joint likelihood of all tries of collecting from a material.

A gate determines which tries can succeed, a chance the share that does. After 176 failures without
an item and 23 successes in 60 tries with it, no chance makes "needs nothing" likely. A gate and a
chance are rejected together if the likelihood ratio of a mixture of all gates and chances to them
exceeds 1/level. The mixture is fixed in advance, so the test is anytime-valid.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.outcomes import Outcome
from mars_logic.theory.rate_tests import Attempts, has_room, held_chances, held_outcomes, which
from mars_logic.theory.signature_claims import collecting_gates
from mars_logic.theory.signatures import Collecting, Held

_UNEXPLAINED: Final = -1
"""The number of an outcome that a rule excludes whatever its gates,"""
_LEFT_OUT: Final = -2
"""and that of a try that does not tell what came."""
_UNIT: Final = math.log(2)
"""The weight of a gate halves with each item that it asks for, all items being equally likely, and
with each unit of an item: so all weights add up to less than 1."""


class GatedTries:
    """Tries of collecting from one material, under each of the gates that it may have."""

    def __init__(self, tries: Attempts, requires: Sequence[Mapping[str, int]]) -> None:
        """Find out which tries pass which gates.

        Args:
            tries: What was seen.
            requires: What collecting may need.
        """
        self._tries = [signature for signature, _ in tries]
        self._counts = np.array([seen.count for _, seen in tries], dtype=np.float64)
        gates = [collecting_gates(signature)[1][1] for signature in self._tries]
        passed = [[gate(needed) for gate in gates] for needed in requires]
        self._passed = np.array(passed, dtype=np.float64).reshape(len(requires), len(tries))
        items = len(self._tries[0].held if self._tries else Held.items)
        self._weights = -np.array([_length(needed, items) for needed in requires])
        self._vain = np.array([_came_to_nothing(each) for each in self._tries], dtype=np.bool_)

    def refuted(self, name: str, value: Any, dynamics: str, level: float) -> NDArray[np.bool_]:
        """Which gates are given up if ``yields`` or ``spawns`` has a value.

        Returns:
            One truth value for each of the gates.
        """
        kinds = self._yielded(value, dynamics) if name == "yields" else self._spawned(value)
        given_up = np.zeros(len(self._weights), dtype=np.bool_)
        for outcome, probabilities in kinds:
            given_up |= self._log_evidence(np.array(outcome), probabilities) > -math.log(level)
        return given_up

    def divided_by(self) -> int | None:
        """The number of the gate that best tells the tries that came to something from the rest.

        None if it is no gate, or nothing passes it, or everything does.
        """
        marginals = self._log_marginals(self._vain.astype(np.int64), 2)
        best = int(np.argmax(marginals))
        return best if 0 < self._passed[best].sum() < len(self._tries) else None

    def passing(self, gate: int) -> list[bool]:
        """Which tries pass a gate."""
        return [passed > 0 for passed in self._passed[gate].tolist()]

    def _yielded(
        self, yields: Mapping[Any, Any], dynamics: str
    ) -> Iterator[tuple[list[int], list[float]]]:
        """The number of each try's outcome, and all probabilities; none without chances."""
        stated = held_chances(yields)
        if stated:
            possible: list[Outcome] = held_outcomes(yields, dynamics)
            outcome = [
                which(each, possible) if has_room(each, stated) else _LEFT_OUT
                for each in self._tries
            ]
            yield outcome, [probability for _, probability in possible]

    def _spawned(self, spawns: Mapping[str, float]) -> Iterator[tuple[list[int], list[float]]]:
        """As ``_yielded``, for each creature."""
        for creature, probability in spawns.items():
            outcome = [
                int(each.appeared != creature) if each.clear else _LEFT_OUT for each in self._tries
            ]
            yield outcome, [probability, 1 - probability]

    def _log_evidence(
        self, outcome: NDArray[np.int64], probabilities: Sequence[float]
    ) -> NDArray[np.float64]:
        """For each gate: the logarithm of how much likelier the mixture makes what was seen.

        Tries that no chance explains have no part in it: claims of single tries exclude them.
        """
        marginals = self._log_marginals(outcome, len(probabilities))
        times = self._times(outcome, len(probabilities))
        with np.errstate(divide="ignore"):
            logarithms = np.log(np.array(probabilities))
        with np.errstate(invalid="ignore"):
            likelihood = np.where(times > 0, times * logarithms, 0.0).sum(axis=1)
        return np.asarray(np.logaddexp.reduce(marginals, initial=-math.inf) - likelihood)

    def _log_marginals(self, outcome: NDArray[np.int64], kinds: int) -> NDArray[np.float64]:
        """For each gate: its weight times the likelihood of what came, whatever the chances."""
        shut_out = (1 - self._passed) @ (self._counts * ((outcome >= 0) & ~self._vain))
        let_through = self._passed @ (self._counts * ((outcome == _UNEXPLAINED) & self._vain))
        marginals = self._weights + _log_jeffreys(self._times(outcome, kinds))
        marginals[(shut_out > 0) | (let_through > 0)] = -math.inf
        return marginals

    def _times(self, outcome: NDArray[np.int64], kinds: int) -> NDArray[np.float64]:
        """How often each outcome came of the tries that pass a gate; shape (gates, outcomes)."""
        came: NDArray[np.float64] = self._counts[:, None] * (outcome[:, None] == np.arange(kinds))
        return np.asarray(self._passed @ came)


def _length(needed: Mapping[str, int], items: int) -> float:
    """Minus the logarithm of a gate's weight, of so many items that may be asked for."""
    item = math.log(2 * items)
    return _UNIT + sum(item + _UNIT * amount for amount in needed.values())


def _came_to_nothing(signature: Collecting) -> bool:
    """Whether nothing is seen to have come."""
    return signature.held == signature.held_after and not signature.appeared


def _log_jeffreys(times: NDArray[np.float64]) -> NDArray[np.float64]:
    """The likelihood of outcomes under all probabilities, weighed by Dirichlet(1/2, …); rows."""
    kinds = times.shape[1]
    whole = math.lgamma(kinds / 2) - kinds * math.lgamma(0.5)
    return np.array(
        [
            whole + sum(math.lgamma(n + 0.5) for n in row) - math.lgamma(sum(row) + kinds / 2)
            for row in times.tolist()
        ]
    )
