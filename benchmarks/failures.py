"""Failures of episodes by class: what ended the episode, and what the agent was doing then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from mars_logic.play.damage_log import cause_of_death
from mars_logic.play.episodes import Played
from mars_logic.world.theory import World

LATELY = 300
"""Out of time: the layer of most of so many last decisions is told."""


def layers(taken: Sequence[dict[str, Any]], steps: int) -> list[str]:
    """The layer of each decision of an episode, from the runs that ``DecisionLog`` takes down."""
    ends = [*(run["step"] for run in taken[1:]), steps + 1]
    found: list[str] = []
    for run, end in zip(taken, ends, strict=False):
        found += [run["layer"]] * (end - run["step"])
    return found


def failure(world: World, played: Played) -> str:
    """The class of a failure: ``out of time``, or ``died`` with the main cause of damage."""
    if played.ended != "death":
        return "out of time"
    cause = cause_of_death(world, played.seed, played.episode, played.actions)
    return f"died: {cause}"


def doing(layers: Sequence[str], *, died: bool) -> str:
    """The layer of the last decision of a player that died; else that of most of the last ones."""
    if not layers:
        return ""
    return layers[-1] if died else Counter(layers[-LATELY:]).most_common(1)[0][0]
