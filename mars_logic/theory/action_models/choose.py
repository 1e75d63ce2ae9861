"""Selects a few informative records among many, without knowledge of the rules."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.action_models import action_goals
from mars_logic.theory.action_models.learn import allowed
from mars_logic.theory.action_models.records import FAILED, SUCCEEDED, Records

Choice = Literal["diverse", "random"]
CHOICES: Final[tuple[Choice, ...]] = ("diverse", "random")


def choose(records: Records, per: int, choice: Choice = "diverse", seed: int = 0) -> Records:
    """Up to some successes and as many failures of each achievement; each tells of one goal alone.

    Args:
        records: The candidates; equal ones count once.
        per: How many successes, and how many failures, of each achievement.
        choice: ``diverse``: successes with few common conditions, and failures close to them, each
            with another deficit. ``random``: any.
        seed: For ``random``.
    """
    dice = np.random.default_rng(seed)
    parts = []
    for goal in action_goals.goals(records.dynamics):
        if goal == action_goals.MOVE:
            continue
        outcome = records.of_goal(goal)
        rows = {said: np.flatnonzero(outcome == said) for said in (SUCCEEDED, FAILED)}
        picked = (
            _random(rows, per, dice) if choice == "random" else _diverse(records, goal, rows, per)
        )
        part = records[picked].about(goal)
        parts.append(replace(part, chosen=np.ones(len(part), np.bool_)))
    return Records.join(parts)


Rows = dict[int, NDArray[np.int64]]


def _random(rows: Rows, per: int, dice: np.random.Generator) -> NDArray[np.int64]:
    some = [dice.permutation(each)[:per] for each in rows.values()]
    return np.concatenate(some)


def _diverse(records: Records, goal: str, rows: Rows, per: int) -> NDArray[np.int64]:
    told = np.concatenate([rows[SUCCEEDED], rows[FAILED]])
    amounts = records.before[told].amounts()
    amounts[:, ~allowed(action_goals.kind(goal), "usual")] = 0
    facing = action_goals.kind(goal) in ("do", "place")
    target = records.before[told].target if facing else np.zeros(len(told), np.uint8)
    features = np.column_stack([target, amounts])
    good = np.arange(len(told)) < len(rows[SUCCEEDED])
    first = np.zeros(len(told), np.bool_)
    for group in (good, ~good):
        where = np.flatnonzero(group)
        _, kept = np.unique(features[where], axis=0, return_index=True)
        first[where[kept]] = True
    good_rows, bad_rows = np.flatnonzero(first & good), np.flatnonzero(first & ~good)
    successes = good_rows[_little_in_common(features[good_rows], per)]
    failures = bad_rows[_near_misses(features[bad_rows], features[successes], per)]
    picked: NDArray[np.int64] = told[np.concatenate([successes, failures])]
    return picked


def _little_in_common(features: NDArray[np.uint8], per: int) -> NDArray[np.int64]:
    """Successes: each target, and then each time the one that leaves least in common."""
    picked: list[int] = []
    left = np.ones(len(features), np.bool_)
    common = np.full(features.shape[1] - 1, 255, np.int64)
    while left.any() and len(picked) < per:
        shared = np.minimum(features[:, 1:], common)
        used = np.isin(features[:, 0], features[picked, 0])
        # The last key counts most: a target that is new, few conditions in common, low ones.
        order = np.lexsort((shared.sum(axis=1), (shared > 0).sum(axis=1), used, ~left))
        picked.append(int(order[0]))
        left[picked[-1]] = False
        common = shared[picked[-1]].astype(np.int64)
    return np.array(picked, np.int64)


def _near_misses(
    features: NDArray[np.uint8], successes: NDArray[np.uint8], per: int
) -> NDArray[np.int64]:
    """Failures that lack little of a success, each lacking something else."""
    if not len(features) or not len(successes):
        return np.arange(min(per, len(features)))
    kinds: dict[tuple[int, ...], list[tuple[int, int]]] = defaultdict(list)
    for row, (target, *held) in enumerate(features.astype(np.int64)):
        lacking = successes[:, 1:] > np.array(held)
        aside = successes[:, 0] != target
        distance = lacking.sum(axis=1) + 2 * aside
        nearest = int(distance.argmin())
        what = tuple(np.flatnonzero(lacking[nearest]).tolist())
        elsewhere = int(target) if aside[nearest] else -1
        kinds[(elsewhere, *what)].append((int(distance[nearest]), row))
    kinds[(-1,)] = kinds[(-1,)][:1]  # no deficit: an example of a random failure
    queues = sorted((sorted(each) for each in kinds.values()), key=lambda each: each[:1])
    picked: list[int] = []
    while len(picked) < per and any(queues):
        for queue in filter(None, queues):
            if len(picked) < per:
                picked.append(queue.pop(0)[1])
    return np.array(picked, np.int64)
