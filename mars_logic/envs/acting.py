"""The actions of an environment: the game's 17, or 27, in which ``do`` is split by its effect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mars_logic.errors import InputError
from mars_logic.sim import Simulator
from mars_logic.sim.split_actions import SPLIT_ACTIONS, split_actions_to_plain, split_mask
from mars_logic.world.names import ACTIONS
from mars_logic.world.vocabulary import Vocabulary

Variant = Literal["plain", "split"]


@dataclass(frozen=True)
class ActionSet:
    """A set of actions.

    Attributes:
        names: Their names, in the order of their codes.
        plain: Translates codes of this set to those that the simulator takes. Raises ValueError
            for what is not in the set.
        masks: bool[n, number of actions]: False where an action would do just what noop does.
    """

    names: tuple[str, ...]
    plain: Callable[[Simulator, ArrayLike], ArrayLike]
    masks: Callable[[Simulator], NDArray[np.bool_]]


def _as_they_are(simulator: Simulator, actions: ArrayLike) -> ArrayLike:  # noqa: ARG001
    """Codes that the simulator takes; a function with a name, so that it can be pickled."""
    return actions


ACTION_SETS: Final[dict[Variant, ActionSet]] = {
    "plain": ActionSet(ACTIONS, _as_they_are, Simulator.action_mask),
    "split": ActionSet(SPLIT_ACTIONS, split_actions_to_plain, split_mask),
}
"""The sets in Crafter's vocabulary."""


@cache
def action_set(variant: Variant, words: Vocabulary) -> ActionSet:
    """A set of actions in a vocabulary.

    Raises:
        InputError: The split actions are asked for in another vocabulary than Crafter's.
    """
    if words.actions == ACTIONS:
        return ACTION_SETS[variant]
    if variant != "plain":
        message = f"the split actions are not known in {words.name}"
        raise InputError(f"actions: {message}; allowed: plain")
    return ActionSet(words.actions, _as_they_are, Simulator.action_mask)
