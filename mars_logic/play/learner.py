"""Reports of a learning agent: its belief, revisions and experiments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mars_logic.theory import Change
from mars_logic.world.theory import Theory


@dataclass(frozen=True)
class Hypothesis:
    """A hypothesis about a field, with its prediction.

    Attributes:
        value: A value of the field in question.
        probability: Of that value.
        predicts: The observation that it predicts.
    """

    value: str
    probability: float
    predicts: str


@dataclass(frozen=True)
class Trial:
    """An experiment that was made.

    Attributes:
        episode: Which episode it was, from 1.
        step: Which step of it, from 1.
        rule: The rule that it was about.
        field: The field of which least was known.
        setting: What was done, in words.
        hypotheses: The most probable one, and the most probable that predicts something else.
        bits: The information that it was expected to give.
        outcome: What was seen; None if nothing of it could be.
    """

    episode: int
    step: int
    rule: str
    field: str
    setting: str
    hypotheses: tuple[Hypothesis, ...]
    bits: float
    outcome: str | None = None


@dataclass(frozen=True)
class RevisionEvent:
    """A moment at which the belief had to change.

    Attributes:
        episode: Which episode it was, from 1.
        step: After how many steps of it.
        changes: The rules that changed, each with what was seen.
    """

    episode: int
    step: int
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class BeliefReport:
    """A learner's report on its belief.

    Attributes:
        theory: The values with a posterior above 1/2; other fields are unknown.
        surprises: When its belief changed.
        trials: The experiments that it made.
        confidence: The posterior probability of the values that the theory states, by rule and
            field; of fields that the learner does not weigh, none.
        inexpressible: The fields of which no value that the learner considers explains what was
            seen, each with that in words; they are unknown in the theory.
    """

    theory: Theory
    surprises: tuple[RevisionEvent, ...]
    trials: tuple[Trial, ...]
    confidence: Mapping[tuple[str, str], float] = field(default_factory=dict)
    inexpressible: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
