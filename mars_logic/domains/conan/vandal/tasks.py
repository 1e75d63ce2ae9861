"""Tasks of the vandals, and their distribution."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

GOALS: Final = {
    "get": ("stone", "water", "wood", "diamond", "iron", "beef", "coal", "lava", "apple", "drink"),
    "defeat": ("cow", "skeleton", "zombie"),
    "make": (
        *("iron_pickaxe", "iron_sword", "stone_pickaxe", "stone_sword"),
        *("wood_pickaxe", "wood_sword", "steak", "bucket", "bed"),
    ),
    "place": ("furnace", "table", "bed"),
}
"""Objects of the tasks by type: 10 things to get, 3 to defeat, 9 to make, 3 to place."""

TASKS: Final = tuple(f"{kind}_{goal}" for kind, goals in GOALS.items() for goal in goals)
"""The 25 tasks of the release."""

PAIRS: Final = tuple(
    f"{first}+{second}"
    for first in ("defeat_cow", "defeat_zombie", "defeat_skeleton", "get_apple", "get_coal")
    for second in (
        *("place_bed", "place_furnace", "get_iron", "make_bucket"),
        *("get_water", "get_lava", "make_stone_pickaxe"),
    )
)
"""35 tasks of two parts in any order, of which none contains the other."""

ALL_TASKS: Final = (*TASKS, *PAIRS)
"""The 60 tasks."""

SURVIVING: Final = "survive"
"""The task of a vandal that only lives."""

PRIOR: Final = {
    f"{kind}_{goal}": 1 / len(GOALS) / len(goals) for kind, goals in GOALS.items() for goal in goals
}
"""Probability of each task: the type is drawn uniformly, then the task within its type."""


def prior_of(tasks: int) -> Mapping[str, float]:
    """Probability of each task of a corpus with 25 or 60."""
    if tasks == len(TASKS):
        return PRIOR
    alone = {task: share * len(TASKS) / tasks for task, share in PRIOR.items()}
    return {**alone, **dict.fromkeys(PAIRS, 1 / tasks)}


WEAPONS: Final = (
    *("none", "iron_pickaxe", "iron_sword", "stone_pickaxe"),
    *("stone_sword", "wood_pickaxe", "wood_sword"),
)
"""Weapons that are drawn before a creature is attacked, in the order of the draw R(7)."""

EQUIVALENT: Final = (
    ("make_wood_pickaxe", "make_wood_sword"),
    ("make_stone_pickaxe", "make_stone_sword"),
    ("make_iron_pickaxe", "make_iron_sword"),
    ("defeat_cow", "get_beef"),
)
"""Tasks of the reference vandal that leave the same traces."""


def parts_of_task(task: str) -> tuple[str, ...]:
    """The parts of a task: two of a pair, else itself."""
    return tuple(task.split("+"))


def split(task: str) -> tuple[str, str]:
    """Type and object of a task: ``make_wood_sword`` is ``make`` and ``wood_sword``."""
    kind, _, goal = task.partition("_")
    return kind, goal


def equivalents(task: str) -> tuple[str, ...]:
    """All tasks that leave the same traces as this one, itself included."""
    return next((group for group in EQUIVALENT if task in group), (task,))
