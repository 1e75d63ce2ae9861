"""Rollouts: each of several actions followed into the same random futures of a believed state.

All futures of all actions are one compiled call. A future is played in one scratch record, from
which only the health that is left is read; no states are copied out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import kernel
from mars_logic.plan.defence import defensive_action
from mars_logic.sim.codes import HEALTH
from mars_logic.sim.daylight import daylight_table
from mars_logic.sim.imagined_state import stream_table
from mars_logic.sim.layout import FULL_CAPACITY
from mars_logic.sim.snapshot import with_capacity
from mars_logic.sim.step import has_room, step_env
from mars_logic.sim.tables import compile_rules
from mars_logic.world.dialect import LONGEST_EPISODE
from mars_logic.world.names import ACTIONS
from mars_logic.world.theory import World

STREAMS: Final = 256
"""Number of different random streams."""
_STRIDE: Final = 7
"""Distance of the streams of successive futures: successive steps share few futures."""
_NOOP: Final = ACTIONS.index("noop")


class RolloutBatch:
    """Plays futures of a believed world."""

    def __init__(self, world: World) -> None:
        """Compile the world's rules; episodes do not end by their length.

        Args:
            world: The believed world.
        """
        self._rules = compile_rules(world, LONGEST_EPISODE)
        self._daylight = daylight_table()

    def health(
        self,
        start: NDArray[np.void],
        actions: Sequence[int],
        steps: int,
        *,
        futures: int,
        flees: bool = False,
        idle: int = _NOOP,
    ) -> NDArray[np.int64]:
        """int64[actions, futures]: health that is left; the same column is the same random stream.

        Args:
            start: The state to begin in, of ``Imagined.record``; its step selects the streams.
            actions: Codes of the alternatives for the first step.
            steps: Length of each future, at least 1. After the first step the player only defends
                itself (:func:`mars_logic.plan.defence.defensive_action`).
            futures: Number of futures of each action.
            flees: Whether the player then moves away from attackers rather than strike back.
            idle: Its action while nothing attacks.
        """
        numbers = stream_numbers(int(start["step"][0]), futures)
        chosen = np.array(actions, np.int64)
        left = np.empty((len(chosen), futures), np.int64)
        rest = (steps, flees, idle, left)
        about = (stream_table(STREAMS), numbers, self._rules, self._daylight, chosen)
        if not _roll_out(start, *about, *rest):  # more things than usual: rarely
            _roll_out(with_capacity(start, FULL_CAPACITY), *about, *rest)
        return left


def stream_numbers(step: int, futures: int) -> NDArray[np.int64]:
    """int64[futures]: the random stream of each future of a decision at some step."""
    numbers: NDArray[np.int64] = (step + _STRIDE * np.arange(futures, dtype=np.int64)) % STREAMS
    return numbers


@kernel
def _roll_out(
    start: Any,
    streams: Any,
    numbers: Any,
    rules: Any,
    daylight: Any,
    actions: Any,
    steps: int,
    flees: bool,
    idle: int,
    left: Any,
) -> bool:
    """Fill ``left``; return whether the record had room for all things, else it is invalid.

    Args:
        start: One record of ``layout.env_dtype``.
        streams: Records of ``layout.STREAM_DTYPE``.
        numbers: int64[futures]: the stream of each future.
        rules: One record of ``tables.RULES_DTYPE``.
        daylight: float64[10001]: daylight by step.
        actions: int64[n]: the first action.
        steps: Steps in all.
        flees: Whether the player flees.
        idle: Its action while nothing attacks.
        left: int64[n, futures]: health after the last step.
    """
    scratch = start.copy()
    env = scratch[0]
    for i in range(len(actions)):
        for future in range(len(numbers)):
            scratch[0] = start[0]
            env.stream = streams[numbers[future]]
            action = actions[i]
            for _ in range(steps):
                if env.done:
                    break
                if not has_room(env, rules[0]):
                    return False
                step_env(env, rules[0], daylight[env.step + 1], action)
                action = defensive_action(env, rules[0], flees)
                if action == _NOOP:
                    action = idle
            left[i, future] = env.player.inventory[HEALTH]
    return True
