"""Accuracy of a theory: precision and recall over atoms."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Any, Final

from mars_logic.system.display import html_table, percent
from mars_logic.theory.atoms import KINDS, Kind, atoms, kind_of, likelihood
from mars_logic.theory.log_loss import LogLoss, log_loss
from mars_logic.world.theory import Theory

TOLERANCE: Final = 0.15
"""Tolerance for a correct probability."""


@dataclass(frozen=True)
class Measure:
    """Counts of atoms, with precision, recall and F1.

    Attributes:
        right: How many are claimed and true.
        claimed: How many are claimed.
        true: How many are true.
    """

    right: int
    claimed: int
    true: int

    @classmethod
    def of(cls, claimed: Set[str], true: Set[str]) -> Measure:
        """Compare two sets."""
        return cls(len(claimed & true), len(claimed), len(true))

    @property
    def precision(self) -> float | None:
        """Precision; None without claims."""
        return self.right / self.claimed if self.claimed else None

    @property
    def recall(self) -> float | None:
        """Recall; None without true atoms."""
        return self.right / self.true if self.true else None

    @property
    def f1(self) -> float | None:
        """F1, the harmonic mean of precision and recall; None without any atoms."""
        total = self.claimed + self.true
        return 2 * self.right / total if total else None

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "right": self.right,
            "claimed": self.claimed,
            "true": self.true,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
        }


@dataclass(frozen=True, repr=False)
class Score:
    """A theory compared with the truth.

    ``print`` shows precision, recall and F1 by kind of rule; a notebook shows them as a table.

    Attributes:
        overall: Over all atoms. A probability is right if it differs from the true one by at most
            :data:`TOLERANCE`, and is 0 only where that is.
        by_kind: Over those of terrain, survival and task dependencies.
        changes: Over the differences from a prior: each atom in exactly one of prior and truth
            counts as one change. None without a prior.
        log_loss: The log-loss of the probabilities of random outcomes.
    """

    overall: Measure
    by_kind: dict[Kind, Measure]
    changes: Measure | None
    log_loss: LogLoss

    def __repr__(self) -> str:
        found = self.overall
        shares = f"precision {percent(found.precision)}, recall {percent(found.recall)}"
        return f"<Score: {shares} of {found.true} atoms>"

    def __str__(self) -> str:
        return "\n".join(
            f"{name:<14} precision {precision:>4}, recall {recall:>4}, F1 {f1:>4}"
            for name, precision, recall, f1 in self._rows()
        )

    def _repr_html_(self) -> str:
        return html_table(self._rows(), ("", "precision", "recall", "F1"))

    def _rows(self) -> Iterator[tuple[str, str, str, str]]:
        measures: list[tuple[str, Measure]] = [("all rules", self.overall), *self.by_kind.items()]
        measures += [("what differs", self.changes)] if self.changes else []
        for name, found in measures:
            yield name, percent(found.precision), percent(found.recall), percent(found.f1)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "overall": self.overall.to_json(),
            **{kind: measure.to_json() for kind, measure in self.by_kind.items()},
            "changes": self.changes.to_json() if self.changes else None,
            "log_loss": self.log_loss.to_json(),
        }


def score(theory: Theory, truth: Theory, prior: Theory | None = None) -> Score:
    """Compare a theory with the truth, atom by atom.

    Args:
        theory: The theory.
        truth: The true world.
        prior: The belief before any evidence.
    """
    asserted, (claimed, true) = atoms(theory), compared(theory, truth)
    changes = None
    if prior is not None:
        before = atoms(prior)
        # A probability that is still the prior's is no finding, however near the truth is.
        learned = (asserted & before) | _rounded(asserted - before, true)
        changes = Measure.of(learned ^ before, true ^ before)
    return Score(
        Measure.of(claimed, true), by_kind(claimed, true), changes, log_loss(theory, truth)
    )


def by_kind(claimed: Set[str], true: Set[str]) -> dict[Kind, Measure]:
    """Compare the atoms of terrain, survival and task dependencies, each kind by itself."""
    return {
        kind: Measure.of(
            {atom for atom in claimed if kind_of(atom) == kind},
            {atom for atom in true if kind_of(atom) == kind},
        )
        for kind in KINDS
    }


def compared(theory: Theory, truth: Theory) -> tuple[frozenset[str], frozenset[str]]:
    """The atoms that a theory asserts and those that are true.

    A probability that is right by :data:`TOLERANCE` is asserted as the true one.
    """
    true = atoms(truth)
    return _rounded(atoms(theory), true), true


def _rounded(claimed: Set[str], true: Set[str]) -> frozenset[str]:
    """The atoms claimed, with the true ones in the place of those that differ by little chance."""
    truths = {told.what: (told.probability, atom) for atom in true if (told := likelihood(atom))}

    def settled(atom: str) -> str:
        told = likelihood(atom)
        if told is None or told.what not in truths:
            return atom
        probability, truth = truths[told.what]
        return truth if abs(told.probability - probability) <= TOLERANCE + 1e-9 else atom

    return frozenset(map(settled, claimed))
