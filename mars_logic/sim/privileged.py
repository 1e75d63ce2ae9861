"""Hidden parts of the players' state, which observations omit."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mars_logic.compiled.kernel import kernel
from mars_logic.sim.stream import peek_word

HIDDEN_DTYPE: Final = np.dtype(
    [
        ("x", np.uint8),
        ("y", np.uint8),
        ("hunger", np.float32),
        ("thirst", np.float32),
        ("fatigue", np.float32),
        ("recover", np.float32),
        ("random_word", np.uint32),
    ],
    align=True,
)
"""A player's place and needs, as in ``state.State``, and the next word of its random stream."""


@kernel
def hidden_batch(envs: Any, out: Any, first: int) -> None:
    """Fill records of :data:`HIDDEN_DTYPE` from number ``first`` on, one for each environment."""
    for i in range(len(envs)):
        env, record = envs[i], out[first + i]
        player = env.player
        record.x = player.x
        record.y = player.y
        record.hunger = player.hunger
        record.thirst = player.thirst
        record.fatigue = player.fatigue
        record.recover = player.recover
        record.random_word = peek_word(env.stream)
