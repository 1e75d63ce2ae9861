"""The 27-action variant of the game, in which `do` is split by its effect."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mars_logic.sim import validation
from mars_logic.sim.codes import DO, NOOP
from mars_logic.sim.effects import DO_EFFECTS
from mars_logic.sim.simulator import Simulator
from mars_logic.world import names

SPLIT_ACTIONS: Final = (*names.ACTIONS[:DO], *DO_EFFECTS, *names.ACTIONS[DO + 1 :])
"""The 27 actions of that paper, in its order: `do` is replaced by its effects."""
_FIRST_SPLIT = DO
_AFTER_SPLIT = DO + len(DO_EFFECTS)


def split_mask(simulator: Simulator) -> NDArray[np.bool_]:
    """Mask of effective actions among the 27: bool[n, 27], in ``SPLIT_ACTIONS``.

    Raises:
        RuntimeError: There was no reset yet.
    """
    plain = simulator.action_mask()
    effects = simulator.do_effects()[:, np.newaxis]
    parts = plain[:, DO : DO + 1] & (effects == np.arange(len(DO_EFFECTS)))
    return np.concatenate([plain[:, :DO], parts, plain[:, DO + 1 :]], axis=1)


def split_actions_to_plain(simulator: Simulator, actions: ArrayLike) -> NDArray[np.int64]:
    """Translate actions of the 27-action variant into those that ``Simulator.step`` takes.

    An effect that `do` lacks in the current state becomes noop. Translate right before the step:
    the effect of `do` depends on the state.

    Args:
        simulator: The environments of the actions.
        actions: Integers of shape (n,), codes of ``SPLIT_ACTIONS``; or one integer if n is 1.

    Returns:
        int64[n], codes of ``names.ACTIONS``.

    Raises:
        ValueError: An action is out of range, or the actions have another shape or type.
        RuntimeError: There was no reset yet.
    """
    split = validation.actions(actions, simulator.n, len(SPLIT_ACTIONS))
    is_effect = (split >= _FIRST_SPLIT) & (split < _AFTER_SPLIT)
    done = np.where(simulator.do_effects() == split - _FIRST_SPLIT, DO, NOOP)
    others = np.where(split < _FIRST_SPLIT, split, split - _AFTER_SPLIT + DO + 1)
    return np.where(is_effect, done, others)
