"""Agents compared on the same maps: seeds that are hard for all do not blur the difference."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any, Final

import numpy as np

from mars_logic.errors import InputError
from mars_logic.experiments.rows import Row
from mars_logic.experiments.statistics import bootstrap_mean

_Map = tuple[str, int, int]


def paired(rows: Sequence[Row], baseline: str) -> list[dict[str, Any]]:
    """For each other agent and world, by how much its rewards exceed the baseline's.

    Only maps count that both played: the same world, seed and episode. The baseline's units are
    what is drawn for the interval, and counted as better, worse or equal.

    Args:
        rows: The episodes by which agents are judged.
        baseline: The label of the setting to compare with.

    Raises:
        InputError: There is no such setting.
    """
    labels = list(dict.fromkeys(row.agent for row in rows))
    if baseline not in labels:
        raise InputError(
            f"--baseline: there is no agent '{baseline}' here; allowed: {', '.join(labels)}"
        )
    worlds = list(dict.fromkeys(row.world_name for row in rows))
    rests: list[str | None] = [*worlds, None] if len(worlds) > 1 else [*worlds]
    found = []
    for label in labels:
        for world in rests if label != baseline else ():
            ours = _by_map(rows, label, world)
            theirs = _by_map(rows, baseline, world)
            if common := [place for place in theirs if place in ours]:
                told = _compared([(theirs[place], ours[place]) for place in common])
                found.append({"agent": label, "baseline": baseline, "world": world} | told)
    return found


YARDSTICKS: Final = ("oracle", "informed")
"""Agents that play by the true rules, by what they see: the whole map, or what a player sees."""


def to_yardstick(rows: Sequence[Row], name: str, learners: Set[str]) -> list[dict[str, Any]]:
    """Learners compared with an agent that plays by the true rules, as :func:`paired` does.

    Of the agents that do, those that see less are compared as well. Empty if it did not play.

    Args:
        rows: The episodes by which agents are judged.
        name: The agent, of :data:`YARDSTICKS`.
        learners: The labels of the settings that learned.
    """
    true = [row for row in rows if row.agent_name in YARDSTICKS and row.belief is None]
    yardstick = next((row.agent for row in true if row.agent_name == name), None)
    if yardstick is None:
        return []
    worse = YARDSTICKS[YARDSTICKS.index(name) + 1 :]
    others = {*learners, *(row.agent for row in true if row.agent_name in worse)}
    return paired([row for row in rows if row.agent in others or row.agent == yardstick], yardstick)


def _by_map(rows: Sequence[Row], label: str, world: str | None) -> dict[_Map, Row]:
    """The episodes of an agent in a world, or in all."""
    return {
        (row.world_digest, row.seed, row.episode): row
        for row in rows
        if row.agent == label and world in (row.world_name, None)
    }


def _compared(pairs: Sequence[tuple[Row, Row]]) -> dict[str, Any]:
    units: dict[str, list[float]] = {}
    for theirs, ours in pairs:
        units.setdefault(theirs.unit, []).append(ours.reward - theirs.reward)
    means = [float(np.mean(some)) for some in units.values()]
    # Rewards are multiples of a tenth; what is smaller comes of adding them up.
    signs = np.sign(np.round(means, 6))
    sums = np.array([sum(some) for some in units.values()])
    counts = np.array([len(some) for some in units.values()], float)
    return {
        "maps": len(pairs),
        "units": len(units),
        "ratio": _ratio(
            sum(ours.reward for _, ours in pairs), sum(theirs.reward for theirs, _ in pairs)
        ),
        "difference": {
            "mean": float(sums.sum() / counts.sum()),
            "interval": bootstrap_mean(sums, counts),
        },
        "better": int((signs > 0).sum()),
        "worse": int((signs < 0).sum()),
        "equal": int((signs == 0).sum()),
    }


def _ratio(ours: float, theirs: float) -> float | None:
    """Share of the baseline's reward; None where that is not above 0."""
    return ours / theirs if theirs > 1e-6 else None
