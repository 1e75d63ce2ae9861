"""Laws of actions, learned from records: preconditions, costs and benefits of each goal.

Source: From Laws to Motivation, algorithms 2 and 3, with sets in the place of language models.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from mars_logic.system.display import number
from mars_logic.theory.action_models import action_goals
from mars_logic.theory.action_models.bounds import Amounts, Bounds, cover
from mars_logic.theory.action_models.effects import Effects
from mars_logic.theory.action_models.records import FAILED, SUCCEEDED, Records
from mars_logic.theory.action_models.states import COLUMNS, HELD, LACK, NEAR, TARGETS, States
from mars_logic.world import names

Conditions = Literal["usual", "all"]
"""Amounts that conditions may use: those in a world's rules for this kind of action, or all amounts
for all actions."""

ANY_TARGET: Final = -1
"""In place of a target: the faced cell is irrelevant."""


def _columns(*parts: slice) -> NDArray[np.bool_]:
    mask = np.zeros(len(COLUMNS), np.bool_)
    for part in parts:
        mask[part] = True
    return mask


_USUAL: Final[Mapping[action_goals.Kind, NDArray[np.bool_]]] = {
    "do": _columns(HELD),
    "place": _columns(HELD),
    "make": _columns(HELD, NEAR),
    "sleep": _columns(LACK),
    "move": _columns(),
}
_WITH_TARGET: Final = ("do", "place", "move")
_POOLED: Final = ("place", "move")
"""Kinds of actions that need the same on every target."""


@dataclass(frozen=True, eq=False)
class Disjunct:
    """One way to reach a goal: a set of targets with preconditions and effects.

    Attributes:
        targets: Codes of ``TARGETS`` on which it succeeded; empty if it does not matter.
        bounds: The bounds that agree with the records.
        effects: What was seen of it.
    """

    targets: tuple[int, ...]
    bounds: Bounds
    effects: Effects


@dataclass(frozen=True, eq=False, repr=False)
class ActionModel:
    """The learned action model of one goal.

    Attributes:
        goal: The goal.
        branches: The observed ways to reach it; each suffices.
        elsewhere: For each target on which nothing succeeded, the distinct amounts with which it
            was tried there: uint8[n, 28], and how often it was tried in all.
        tries: Records that say something of this goal.
        successes: Those that reached it.
    """

    goal: str
    branches: tuple[Disjunct, ...]
    elsewhere: Mapping[int, tuple[Amounts, int]]
    tries: int
    successes: int

    def __repr__(self) -> str:
        ways = number(len(self.branches), "way")
        return (
            f"<ActionModel {self.goal}: {ways}, {self.successes} of {self.tries} tries succeeded>"
        )

    @property
    def kind(self) -> action_goals.Kind:
        """The kind of its action."""
        return action_goals.kind(self.goal)

    @property
    def barred(self) -> tuple[int, ...]:
        """Refuted targets: it failed there with all that is needed elsewhere."""
        if self.kind not in _POOLED:
            return ()
        return tuple(
            target
            for target, (amounts, _) in sorted(self.elsewhere.items())
            if any(branch.bounds.sure(amounts).any() for branch in self.branches)
        )

    def sure(self, states: States) -> NDArray[np.bool_]:
        """bool[n]: where the action can succeed under every remaining hypothesis."""
        amounts, target = states.amounts(), states.target
        found = np.zeros(len(states), np.bool_)
        for branch in self.branches:
            found |= _on(branch, target) & branch.bounds.sure(amounts)
        return found & states.free

    def possible(self, states: States) -> NDArray[np.bool_]:
        """bool[n]: where it can succeed under at least one of them."""
        amounts, target = states.amounts(), states.target
        found = np.zeros(len(states), np.bool_)
        for branch in self.branches:
            found |= _on(branch, target) & branch.bounds.possible(amounts)
        if self.kind in _WITH_TARGET:
            known = np.isin(target, [t for branch in self.branches for t in branch.targets])
            found |= ~known & self._possible_elsewhere(amounts, target)
        elif not self.branches:
            found |= ~self._tried(amounts, *self.elsewhere.get(ANY_TARGET, (amounts[:0], 0)))
        return found & states.free

    def _possible_elsewhere(self, amounts: Amounts, target: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """bool[n]: whether it may succeed on targets on which it was never seen to."""
        pooled = self.kind in _POOLED and bool(self.branches)
        found = np.ones(len(amounts), np.bool_)
        if pooled:
            found = np.zeros(len(amounts), np.bool_)
            for branch in self.branches:
                found |= branch.bounds.possible(amounts)
        for code, tried in self.elsewhere.items():
            there = target == code
            if pooled:
                tops = [branch.bounds.top for branch in self.branches]
                capped = np.minimum(amounts[there], np.max(tops, axis=0))
            else:
                capped = amounts[there]
            found[there] &= ~self._tried(capped, *tried)
        return found

    @staticmethod
    def _tried(amounts: Amounts, failed: Amounts, _: int) -> NDArray[np.bool_]:
        """bool[n]: whether it failed with at least as much."""
        refuted = np.zeros(len(amounts), np.bool_)
        for failure in failed:
            refuted |= (failure >= amounts).all(axis=1)
        return refuted


def _on(branch: Disjunct, target: NDArray[np.uint8]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = np.isin(target, branch.targets)
    return found if branch.targets else np.ones(len(target), np.bool_)


@dataclass(frozen=True, eq=False, repr=False)
class ActionModels:
    """The laws of all goals of a dialect.

    Attributes:
        dynamics: The dialect.
        by_goal: A law for each of ``goals(dynamics)``, in that order.
        records: The records that they were learned from.
        conditions: The amounts that they may require.
    """

    dynamics: names.Dynamics
    by_goal: Mapping[str, ActionModel]
    records: Records
    conditions: Conditions = "usual"

    def __repr__(self) -> str:
        laws = number(len(self.by_goal), "law")
        return f"<ActionModels {self.dynamics}: {laws} from {number(len(self.records), 'record')}>"

    def __getitem__(self, goal: str) -> ActionModel:
        return self.by_goal[goal]

    @property
    def achievements(self) -> tuple[ActionModel, ...]:
        """The laws of the achievements, in the order of the dialect."""
        return tuple(law for law in self.by_goal.values() if law.goal != action_goals.MOVE)


def learn(records: Records, conditions: Conditions = "usual") -> ActionModels:
    """Learn the law of every goal.

    Args:
        records: What was seen.
        conditions: The amounts that conditions may use. ``all`` admits far more coincidences and
            therefore needs far more records.
    """
    found = {
        goal: law_of(records, goal, conditions) for goal in action_goals.goals(records.dynamics)
    }
    return ActionModels(records.dynamics, found, records, conditions)


def evidence_on(
    records: Records, goal: str, conditions: Conditions
) -> tuple[Records, Amounts, NDArray[np.int64], NDArray[np.bool_]]:
    """The records that say something of a goal.

    Returns:
        These n records; uint8[n, 28]: the amounts that conditions may be about; int64[n]: the
        targets; bool[n]: which succeeded.
    """
    outcome, kind = records.of_goal(goal), action_goals.kind(goal)
    told = np.flatnonzero((outcome == SUCCEEDED) | (outcome == FAILED))
    records, outcome = records[told], outcome[told]
    facing = records.before.ahead(records.action)
    amounts = facing.amounts()
    amounts[:, ~allowed(kind, conditions)] = 0
    target = facing.target if kind in _WITH_TARGET else np.full(len(told), ANY_TARGET)
    return records, amounts, target.astype(np.int64), outcome == SUCCEEDED


def law_of(records: Records, goal: str, conditions: Conditions) -> ActionModel:
    """The law of one goal."""
    kind = action_goals.kind(goal)
    records, amounts, target, good = evidence_on(records, goal, conditions)
    where = sorted(Counter(target[good].tolist()))
    groups = [where] if kind in _POOLED or kind not in _WITH_TARGET else [[each] for each in where]
    branches: list[Disjunct] = []
    for group in filter(None, groups):
        here = np.isin(target, group)
        known = () if group == [ANY_TARGET] else tuple(group)
        branches += _branches(records[here], known, amounts[here], good[here], kind)
    elsewhere = {
        int(code): (np.unique(amounts[target == code], axis=0), int((target == code).sum()))
        for code in np.unique(target)
        if code not in where
    }
    return ActionModel(goal, tuple(branches), elsewhere, len(good), int(good.sum()))


def allowed(kind: action_goals.Kind, conditions: Conditions) -> NDArray[np.bool_]:
    """bool[28]: the columns that conditions of a kind of action may be about."""
    return _columns(HELD, NEAR, LACK) if conditions == "all" else _USUAL[kind]


def takes_target(kind: action_goals.Kind) -> bool:
    """Whether it matters to a kind of action what is faced."""
    return kind in _WITH_TARGET


def _branches(
    records: Records,
    targets: tuple[int, ...],
    amounts: Amounts,
    good: NDArray[np.bool_],
    kind: action_goals.Kind,
) -> list[Disjunct]:
    """One branch, or several if no single set of conditions agrees with the records."""
    succeeded, failed = amounts[good], amounts[~good]
    lucky = _by_chance(succeeded, failed)
    groups = [np.ones(len(succeeded), np.bool_)] if lucky else cover(succeeded, failed)
    found = []
    for group in groups:
        effects = Effects.of(records[np.flatnonzero(good)[group]])
        floor = _used(effects) if kind in ("place", "make") else None
        found.append(Disjunct(targets, Bounds.of(succeeded[group], failed, floor), effects))
    return found


def _by_chance(succeeded: Amounts, failed: Amounts) -> bool:
    """Whether it failed once with no less than it succeeded with."""
    lowest = np.unique(succeeded, axis=0)
    return any((failure >= lowest).all(axis=1).any() for failure in np.unique(failed, axis=0))


def _used(effects: Effects) -> Amounts:
    """The amounts used up each time; they are preconditions."""
    floor = np.zeros(len(COLUMNS), np.uint8)
    for item, n in (effects.costs or {}).items():
        floor[names.HOLDABLE.index(item)] = n
    return floor


def target_names(targets: tuple[int, ...]) -> tuple[str, ...]:
    """The names of targets."""
    return tuple(TARGETS[code] for code in targets)
