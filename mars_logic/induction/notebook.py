"""The notebook of an inquiry, as data: what was supposed, planned, tried and learned, step by step.

The three phases are those of Peirce: abduction supposes rules that explain what was seen, deduction
derives what to do by them and what should come of it, induction revises them by what comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Supposition:
    """A hypothesis in a notebook.

    Attributes:
        sentences: The hypothesis.
        probability: Its probability.
        predicts: The outcome of the chosen action by it.
    """

    sentences: tuple[str, ...]
    probability: float
    predicts: str


@dataclass(frozen=True)
class Abduction:
    """What is possible.

    Attributes:
        count: The number of hypotheses that fit what was seen.
        exact: Whether the count is exact rather than an upper bound.
        widened: Whether the larger language is in use.
        hypotheses: The likeliest ones.
    """

    count: int
    exact: bool
    widened: bool
    hypotheses: tuple[Supposition, ...]


@dataclass(frozen=True)
class Deduction:
    """How to go on.

    Attributes:
        steps_left: Steps after which the game is lost.
        actions: The actions that the best plan may take next, in words.
        steps: The expected number of steps until the game is solved.
        optimal: Whether it is proved minimal under the present beliefs.
    """

    steps_left: int
    actions: tuple[str, ...]
    steps: float
    optimal: bool


@dataclass(frozen=True)
class Experiment:
    """The chosen action.

    Attributes:
        action: The action, in words.
        reason: ``plan``, ``random``, or ``likeliest`` (by the likeliest hypothesis alone).
        bits: The expected information of its outcome.
        outcomes: The likeliest outcomes, in words, with their probabilities.
    """

    action: str
    reason: str
    bits: float
    outcomes: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Induction:
    """What was learned.

    Attributes:
        seen: The outcome, in words.
        solved: Whether it solved the game.
        bits: The information of the outcome; None if it had been thought impossible.
        refuted: The places of the supposed hypotheses that predicted something else.
        excluded: The number of hypotheses that were excluded.
        left: The number of hypotheses that are left.
        widened: Whether nothing was left, so that a larger language was taken.
        certain: What is certain now, in sentences.
    """

    seen: str
    solved: bool
    bits: float | None
    refuted: tuple[int, ...]
    excluded: int
    left: int
    widened: bool
    certain: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """A step in a notebook.

    Attributes:
        number: The number of the action, from 1.
        abduction: What is possible.
        deduction: How to go on.
        experiment: The chosen action.
        induction: What was learned; None if the game was broken off.
    """

    number: int
    abduction: Abduction
    deduction: Deduction
    experiment: Experiment
    induction: Induction | None = None

    @property
    def data(self) -> dict[str, Any]:
        """The entry as JSON has it."""
        return asdict(self)


def told_entry(entry: Entry) -> list[str]:
    """An entry in lines of text."""
    supposed, planned, tried = entry.abduction, entry.deduction, entry.experiment
    bound = "" if supposed.exact else "at most "
    wider = ", in the larger language" if supposed.widened else ""
    lines = [
        f"Step {entry.number}",
        f"  Abduction: {bound}{_counted(supposed.count)} {_fit(supposed.count)} "
        f"what was seen{wider}.",
    ]
    for place, each in enumerate(supposed.hypotheses, 1):
        first, *rest = each.sentences
        lines.append(f"    H{place} {_chance(each.probability)}  {first}")
        lines += [f"{'':19}{sentence}" for sentence in rest]
        lines.append(f"{'':19}predicts: {each.predicts}")
    proved = "proved optimal" if planned.optimal else "not proved optimal"
    lines += [
        f"  Deduction: {planned.steps:.2f} further steps expected, {proved}; "
        f"{planned.steps_left} left. Next: {_some(planned.actions)}.",
        f"  Experiment: {tried.action} ({_REASONS[tried.reason]}), {tried.bits:.2f} bits expected.",
        *(f"    {_chance(chance)}  {outcome}" for outcome, chance in tried.outcomes),
    ]
    return lines + (_learned(entry.induction) if entry.induction else [])


_REASONS = {
    "plan": "part of the plan",
    "random": "chosen at random",
    "likeliest": "by the likeliest hypothesis",
}
_MOST_ACTIONS = 4
_RARE = 1e-4
"""Probabilities below this are told as one in so many."""


def _learned(found: Induction) -> list[str]:
    told = "thought impossible" if found.bits is None else f"{found.bits:.2f} bits"
    refuted = ", ".join(f"H{place + 1}" for place in found.refuted)
    lines = [
        f"  Induction: {found.seen} ({told})",
        f"    Excluded: {_counted(found.excluded)}{f', among them {refuted}' if refuted else ''}; "
        f"{found.left:,} left.",
    ]
    if found.solved:
        lines.append("    The game is solved.")
    if found.widened:
        lines.append("    A larger language is taken: it explains what was seen better.")
    if found.certain:
        lines.append("    Certain now:")
        lines += [f"      {sentence}" for sentence in found.certain]
    return lines


def _counted(many: int) -> str:
    return f"{many:,} hypothes{'i' if many == 1 else 'e'}s"


def _fit(many: int) -> str:
    return "fits" if many == 1 else "fit"


def _some(actions: tuple[str, ...]) -> str:
    more = len(actions) - _MOST_ACTIONS
    named = "; ".join(actions[:_MOST_ACTIONS])
    return f"{named}; {more} more as good" if more > 0 else named


def _chance(probability: float) -> str:
    """A probability, eleven characters wide."""
    rare = 0 < probability < _RARE
    return f"{f'1/{1 / probability:,.0f}' if rare else f'{probability:.2%}':>11}"


def version_space(entries: Sequence[Entry]) -> tuple[list[int], list[str]]:
    """How many hypotheses fit before the first step and after each but the winning one, in words.

    Args:
        entries: Of a notebook, at least one.
    """
    counts, labels = [entries[0].abduction.count], ["before the first step"]
    for entry in entries:
        if entry.induction is not None and not entry.induction.solved:
            action = entry.experiment.action
            counts.append(entry.induction.left)
            labels.append(
                f"{entry.number}. {action[0].upper()}{action[1:]}. {entry.induction.seen}"
            )
    return counts, labels
