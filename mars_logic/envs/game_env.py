"""A game of another domain as an environment, with Gymnasium's interface."""

from __future__ import annotations

import string
from collections.abc import Mapping
from operator import index
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np
from gymnasium import spaces

from mars_logic.domains.coded import coded_domain
from mars_logic.domains.game import Game
from mars_logic.domains.load import load_game
from mars_logic.domains.protocol import ActionError, Range
from mars_logic.envs.choices import known, reset_options, the_rules
from mars_logic.envs.simulator_env import GameView, SimulatorEnv


class GameEnv(SimulatorEnv):
    """A game; made by ``gymnasium.make("mars_logic/Hanoi3Disk-v0", ...)``.

    The reward is the game's. A game that is over terminates an episode, its length truncates it.
    """

    def __init__(
        self,
        game: Game | str | Path | None = None,
        *,
        bundled: str | None = None,
        observation: GameView = "symbolic",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Prepare the environment.

        Args:
            game: The rules: a game, the name of a bundled one, or the path of a file.
            bundled: In its stead, the name of a bundled game; what Gymnasium's names stand for.
            observation: ``symbolic``, numbers by name, or ``text``.
            render_mode: ``ansi``, the observation in words.
            options: None; others are refused by name.

        Raises:
            InputError: An argument is none of what is allowed, or a field of the game is open.
            WorldError: There is no such game, or its file is wrong.
        """
        known("options", options, ("observation", "render_mode"))
        super().__init__(observation, render_mode)
        self.game = the_rules(Game, load_game, game, bundled)
        domain = coded_domain(self.game)
        self.simulator = domain.simulator(self.game)
        self.action_space = spaces.Discrete(len(self.actions))
        self.observation_space = (
            spaces.Text(domain.text_limit(self.game), charset=string.printable)
            if self._words
            else spaces.Dict({name: _part(each) for name, each in domain.space(self.game).items()})
        )

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: Decides all random outcomes, as ``Seeded(seed)`` does anywhere else. Without one,
                a seed is drawn from those that follow from the last one given, if there was one.
            options: None.

        Returns:
            The observation, and what :meth:`step` describes.

        Raises:
            InputError: There is an option.
        """
        super().reset(seed=seed)
        reset_options(options, ())
        return self._begin(seed)

    def step(self, action: SupportsIndex) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out one action, given by its code.

        Returns:
            Observation, reward, whether the game is over, whether the episode has reached its
            length, and a dictionary with ``score``, that of SmartPlay so far; ``completed``,
            whether the goal is reached, in games that have one; ``manual``, what a player is told
            before the episode; and ``seed``, that of the episode.

        Raises:
            ActionError: There is no such action.
            RuntimeError: There was no reset yet.
        """
        self._require_episode()
        return self._step(self._code(action))

    def _code(self, action: SupportsIndex) -> int:
        try:
            code = index(action)
        except TypeError:
            code = -1
        if isinstance(action, bool) or code not in range(len(self.actions)):
            allowed = f"0 to {len(self.actions) - 1}"
            raise ActionError(f"action: {action!r} is not an action; allowed: {allowed}")
        return code

    def _observation(self) -> Any:
        if self._words:
            return self.simulator.text()
        return {
            name: np.array(value, np.int64) if isinstance(value, tuple) else np.int64(value)
            for name, value in self.simulator.observe().items()
        }


def _part(numbers: Range) -> spaces.Space[Any]:
    """The space of a part of an observation: exactly the numbers that it may hold."""
    many = numbers.high - numbers.low + 1
    if numbers.size is None:
        return spaces.Discrete(many, start=numbers.low)
    return spaces.MultiDiscrete([many] * numbers.size, start=[numbers.low] * numbers.size)
