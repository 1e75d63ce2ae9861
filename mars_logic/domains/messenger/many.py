"""Many environments of one game at once, in compiled steps."""

from __future__ import annotations

from operator import index

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mars_logic.domains.chance import Seeded
from mars_logic.domains.messenger.kernels import step_many
from mars_logic.domains.messenger.rules import (
    ACTIONS,
    PLAYING,
    STATE_SIZE,
    STATUS,
    THINGS,
    WON,
    Messenger,
    Setup,
)
from mars_logic.domains.messenger.simulator import MessengerSimulator


class MessengerBatch:
    """A batch of n environments; call :meth:`reset` before anything else.

    What is over stays as it is, with reward 0, until it is reset.

    Args:
        game: The rules.
        n: Number of environments.

    Raises:
        InputError: A field of the rules is open.
        ValueError: There are fewer than one.
    """

    def __init__(self, game: Messenger, n: int) -> None:
        if n < 1:
            raise ValueError(f"n is {n}; allowed: from 1")
        self._simulator = MessengerSimulator(game)
        self.game, self.n = game, n
        self.states: NDArray[np.int8] = np.zeros((n, STATE_SIZE), np.int8)
        self.setups: list[Setup] = []
        self._rewards = np.zeros(n)

    def reset(self, seeds: ArrayLike) -> None:
        """Begin an episode in each environment, the one that the simulator begins with this seed.

        Args:
            seeds: A whole number for each environment; they decide the beginnings, and together
                all that comes after.
        """
        each = [index(seed) for seed in np.asarray(seeds).tolist()]
        if len(each) != self.n:
            raise ValueError(f"there are {len(each)} seeds; allowed: {self.n}")
        self.setups = []
        for place, seed in enumerate(each):
            self._simulator.reset(Seeded(seed))
            state = self._simulator.snapshot()
            self.states[place] = state.numbers
            self.setups.append(state.setup)
        self._random = np.random.Generator(np.random.PCG64([abs(seed) for seed in each]))

    @property
    def done(self) -> NDArray[np.bool_]:
        """bool[n]: the episode is over."""
        return np.asarray(self.states[:, STATUS] != PLAYING)

    @property
    def won(self) -> NDArray[np.bool_]:
        """bool[n]: the message was delivered."""
        return np.asarray(self.states[:, STATUS] == WON)

    def step(
        self, actions: ArrayLike, uniforms: NDArray[np.float64] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Carry out a tick in each environment.

        Args:
            actions: Codes of the actions, of shape (n,).
            uniforms: float64[n, 5], in [0, 1): which of its options each mover takes; drawn if
                left out.

        Returns:
            float64[n], the rewards, and bool[n], whether each episode is over.

        Raises:
            ValueError: An action is out of range, or there are not n of them.
        """
        codes = np.asarray(actions, np.int64)
        if codes.shape != (self.n,) or not ((codes >= 0) & (codes < len(ACTIONS))).all():
            raise ValueError(f"actions: allowed: {self.n} numbers from 0 to {len(ACTIONS) - 1}")
        if uniforms is None:
            uniforms = self._random.random((self.n, THINGS))
        step_many(self.states, self.game.level, codes, uniforms, self._rewards)
        return self._rewards.copy(), self.done
