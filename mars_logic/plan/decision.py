"""Decisions of the planner, with the rollouts that they rest on."""

from __future__ import annotations

from dataclasses import dataclass, field

from mars_logic.plan.foresight import Option


@dataclass(frozen=True, slots=True)
class Comparison:
    """Actions compared by rollouts.

    Attributes:
        options: What became of each, the intended one first.
        horizon: The steps of the rollouts.
        ahead: The steps that the plan still takes, as far as that can be told.
    """

    options: tuple[Option, ...]
    horizon: int
    ahead: int


@dataclass(frozen=True, slots=True)
class Decision:
    """The planner's next action, and its reason.

    Attributes:
        action: The code of the action.
        layer: ``foresight``, ``reflex``, ``needs``, ``rest``, ``plan``, ``explore`` or ``wait``.
        about: What it is about: a rule's id, or words.
        compared: The options that rollouts compared; None if there were no rollouts.
    """

    action: int
    layer: str
    about: str
    compared: Comparison | None = field(default=None, compare=False)
