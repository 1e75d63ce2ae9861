"""What is true of players and cannot be seen by them."""

from __future__ import annotations

from typing import Any

from mars_logic.kernel import kernel
from mars_logic.sim.stream import peek_word


@kernel
def hidden_batch(
    envs: Any,
    x: Any,
    y: Any,
    hunger: Any,
    thirst: Any,
    fatigue: Any,
    recover: Any,
    random_word: Any,
) -> None:
    """Fill arrays with the place, the needs and the next random word of each environment."""
    for i in range(len(envs)):
        env = envs[i]
        player = env.player
        x[i] = player.x
        y[i] = player.y
        hunger[i] = player.hunger
        thirst[i] = player.thirst
        fatigue[i] = player.fatigue
        recover[i] = player.recover
        random_word[i] = peek_word(env.stream)
