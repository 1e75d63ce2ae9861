"""Goals: the achievements and moves that an action can reach."""

from __future__ import annotations

from typing import Final, Literal

from mars_logic.world.vocabulary import achievement_aliases, vocabulary

Kind = Literal["do", "place", "make", "sleep", "move"]

MOVE: Final = "move"
"""The goal of the four moves: to get to the next cell. All others are achievements."""


def goals(dynamics: str) -> tuple[str, ...]:
    """The 22 achievements of a dialect, and :data:`MOVE`."""
    return (*vocabulary(dynamics).achievements, MOVE)


def kind(goal: str) -> Kind:
    """The kind of action that a goal is reached by.

    Example:
        >>> kind("collect_iron"), kind("wake_up")
        ('do', 'sleep')
    """
    verb = goal.partition("_")[0]
    if verb == "place":
        return "place"
    if verb == "make":
        return "make"
    if verb == "move":
        return "move"
    return "sleep" if verb == "wake" else "do"


def action(goal: str) -> str:
    """The name (of ``names.ACTIONS``) of the action that an achievement is reached by.

    Example:
        >>> action("eat_plant"), action("make_iron_sword")
        ('do', 'make_iron_sword')
    """
    return goal if kind(goal) in ("place", "make") else kind(goal)


def subject(goal: str) -> str:
    """The subject of a goal: the item, the creature, the object or the tool."""
    return goal.partition("_")[2]


def alias(goal: str, dynamics: str) -> str:
    """A goal under the name that the dialect has for it, whichever name it is called by.

    ``sleep`` stands for ``wake_up``, which is reached by sleeping.

    Example:
        >>> alias("eat_cow", "mars"), alias("sleep", "mars"), alias("move_up", "crafter")
        ('kill_cow', 'wake_up', 'move')
    """
    if goal == "sleep":
        return "wake_up"
    if goal.startswith("move_"):
        return MOVE
    pairs = achievement_aliases()
    known = pairs if dynamics == "mars" else {mine: other for other, mine in pairs.items()}
    return known.get(goal, goal)
