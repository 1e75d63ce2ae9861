"""Wrong labels among records: which disagree, and which are likeliest wrong at a rate of noise.

At a rate r, each label is wrong with probability r. The labels that are taken to be wrong make the
sum of two description lengths smallest, by greedy search: that of the laws, and log((1 - r) / r)
for each wrong label. A condition takes the logarithm of the number of conditions, a target that of
the number of targets, an outcome that chance decides its negative log-likelihood besides.

Source: Quinlan and Rivest, Inferring decision trees using the minimum description length principle,
1989, for the trade of exceptions against rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.action_models import action_goals
from mars_logic.theory.action_models.bounds import reaches
from mars_logic.theory.action_models.learn import ActionModel, Conditions, evidence_on, law_of
from mars_logic.theory.action_models.records import SILENT, SUCCEEDED, Records
from mars_logic.theory.action_models.states import COLUMNS, TARGETS
from mars_logic.theory.rulesets.noise import HIGHEST

Noise = float | Literal["fit"]
Shown = Literal["succeeded", "failed"]
_FIRST: Final = 0.02
_ROUNDS: Final = 5
_FEW: Final = 3
"""Records that look alike, of which all labels are taken to be wrong together at most."""
_MOST_TRIED: Final = 300


@dataclass(frozen=True)
class Disagreement:
    """Records of which at least one is wrong, or whose outcome chance decides.

    Attributes:
        goal: What they are about.
        places: Where they stand.
        told: What they say.
        taken: What is taken to be true instead of a label; None if nothing is.
    """

    goal: str
    places: tuple[str, ...]
    told: str
    taken: Shown | None = None

    def __str__(self) -> str:
        taken = f"; taken to have {self.taken}" if self.taken else ""
        return f"{', '.join(self.places)}: {self.goal}: {self.told}{taken}"


def disagreements(records: Records, conditions: Conditions) -> Iterator[Disagreement]:
    """Labels that their own record contradicts, and records that contradict each other.

    The former count as no evidence. Of the latter, the first success of each goal is told that
    lacks what a failure had, with all such failures.
    """
    yield from _by_their_states(records)
    for goal in action_goals.goals(records.dynamics):
        told, amounts, target, good = evidence_on(records, goal, conditions)
        bad = np.flatnonzero(~good)
        for one in np.flatnonzero(good):
            same = bad[(target[bad] == target[one]) & reaches(amounts[bad], amounts[one])]
            if len(same):
                places = (told.place(int(one)), *(told.place(int(each)) for each in same))
                failed = "the other" if len(same) == 1 else f"the other {len(same)}"
                yield Disagreement(
                    goal, places, f"the first succeeded, {failed} failed with no less"
                )
                break


def _by_their_states(records: Records, *, taken: bool = False) -> Iterator[Disagreement]:
    for i, column in np.argwhere(records.disputed).tolist():
        goal = action_goals.goals(records.dynamics)[column]
        assert records.shown is not None, "what is disputed is shown"
        shown: Shown = "succeeded" if records.shown[i, column] == SUCCEEDED else "failed"
        label = "failed" if shown == "succeeded" else "succeeded"
        told = f"its label says that it {label}, its states that it {shown}"
        yield Disagreement(goal, (records.place(i),), told, shown if taken else None)


def corrected(
    records: Records, conditions: Conditions, noise: Noise
) -> tuple[Records, float, list[Disagreement]]:
    """The records with the labels that are likeliest wrong turned round.

    Args:
        records: The records.
        conditions: The amounts that conditions may use.
        noise: The rate of wrong labels, above 0 and below one half; ``fit`` estimates it.

    Returns:
        The records, the rate, and what was turned round.
    """
    rate = _FIRST if noise == "fit" else noise
    found, turned = _corrected(records, conditions, rate)
    for _ in range(_ROUNDS if noise == "fit" else 0):
        fitted = min((len(turned) + 0.5) / (int((found.outcome != SILENT).sum()) + 1), HIGHEST)
        if abs(fitted - rate) < rate / 10:
            break
        rate = fitted
        found, turned = _corrected(records, conditions, rate)
    return found, rate, turned


def _corrected(
    records: Records, conditions: Conditions, rate: float
) -> tuple[Records, list[Disagreement]]:
    outcome = records.outcome.copy()
    turned = [*_by_their_states(records, taken=True)]
    if records.shown is not None:
        outcome = np.where(records.disputed, records.shown, outcome)
    price = log((1 - rate) / rate)
    for column, goal in enumerate(action_goals.goals(records.dynamics)):
        now = replace(records, outcome=outcome)
        for i in _wrong(now, goal, conditions, price):
            outcome[i, column] = 1 - outcome[i, column]
            shown: Shown = "succeeded" if outcome[i, column] == SUCCEEDED else "failed"
            told = f"its label says that it {'failed' if shown == 'succeeded' else 'succeeded'}"
            turned.append(Disagreement(goal, (records.place(i),), told, shown))
    return replace(records, outcome=outcome), turned


def _wrong(records: Records, goal: str, conditions: Conditions, price: float) -> list[int]:
    """The records whose labels are likeliest wrong, by a greedy search."""
    column = action_goals.goals(records.dynamics).index(goal)
    rows = np.flatnonzero(records.of_goal(goal) != SILENT)
    outcome = records.outcome.copy()
    wrong: list[int] = []
    best = _length(law_of(replace(records, outcome=outcome), goal, conditions))
    while len(wrong) * 4 < len(rows):
        now = replace(records, outcome=outcome)
        tried: list[tuple[float, NDArray[np.int64]]] = []
        for some in _alike(now, goal, conditions):
            at = rows[some]
            outcome[at, column] = 1 - outcome[at, column]
            length = _length(law_of(replace(records, outcome=outcome), goal, conditions))
            outcome[at, column] = 1 - outcome[at, column]
            tried.append((length + price * len(at), at))
        least, at = min(tried, key=lambda each: each[0], default=(best, rows[:0]))
        if least >= best:
            break
        outcome[at, column] = 1 - outcome[at, column]
        best = least - price * len(at)
        wrong += at.tolist()
    return wrong


def _alike(records: Records, goal: str, conditions: Conditions) -> Sequence[NDArray[np.int64]]:
    """Few records that look alike and have one label, by their numbers among those of a goal.

    Where the states show what happened, they decide, so that the label is not in question.
    """
    told, amounts, target, good = evidence_on(records, goal, conditions)
    if told.shown is None:
        return []
    column = action_goals.goals(records.dynamics).index(goal)
    open_ = told.shown[:, column] == SILENT
    keys = np.column_stack([amounts, target, good, open_])
    _, inverse, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    few = np.flatnonzero(counts <= _FEW)[:_MOST_TRIED]
    alike = (np.flatnonzero(inverse.ravel() == kind) for kind in few)
    return [some for some in alike if open_[some[0]]]


def _length(law: ActionModel) -> float:
    """The description length of a law, and of the outcomes that it leaves to chance, in nats."""
    per_condition, per_target = log(len(COLUMNS)), log(len(TARGETS))
    length = 0.0
    for branch in law.branches:
        chosen = branch.bounds.chosen()
        length += per_target * max(1, len(branch.targets)) + per_condition * int((chosen > 0).sum())
        if branch.bounds.by_chance:
            length += per_condition - branch.bounds.fit(chosen)
    return length
