"""A game of another domain as an environment, with Gymnasium's interface."""

from __future__ import annotations

import string
from abc import abstractmethod
from collections.abc import Mapping
from operator import index
from pathlib import Path
from typing import Any, Literal, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces

from mars_logic.domains.chance import Seeded
from mars_logic.domains.coded import coded_domain
from mars_logic.domains.game import Game
from mars_logic.domains.load import load_game
from mars_logic.domains.protocol import ActionError, GameOutcome, GameSimulator, Range
from mars_logic.envs.choices import choose, known, reset_options, the_rules

GameView = Literal["symbolic", "text"]
GameMode = Literal["ansi"]
_SEEDS = 2**31 - 1
"""Seeds drawn at random are 0 .. _SEEDS - 1."""


class SimulatorEnv(gymnasium.Env[Any, Any]):
    """An episode of a simulator. One that is over stays as it is until it is reset.

    Attributes:
        game: The rules.
        simulator: The simulator.
        actions: The names or forms of the actions.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 10}  # noqa: RUF012
    game: Game
    simulator: GameSimulator
    action_space: spaces.Space[Any]

    def __init__(self, observation: str, render_mode: str | None) -> None:
        self.render_mode = render_mode
        if render_mode is not None:
            choose("render_mode", render_mode, GameMode)
        self._words = choose("observation", observation, GameView) == "text"
        self._taken = -1

    @property
    def actions(self) -> tuple[str, ...]:
        """The names or forms of the actions."""
        return self.simulator.actions

    @property
    def manual(self) -> str:
        """What a player is told about the game before this episode.

        Raises:
            RuntimeError: There was no reset yet.
        """
        self._require_episode()
        return self.simulator.manual

    def _begin(self, seed: int | None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, of a seed that is drawn if none is given."""
        self._seed = int(self.np_random.integers(_SEEDS)) if seed is None else seed
        self._chance, self._taken = Seeded(self._seed), 0
        self.simulator.reset(self._chance)
        self._outcome = GameOutcome(0, False, self.simulator.score)
        return self._observation(), self._info()

    def _step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out an action of the game, unless the episode is over."""
        if self._over:
            outcome = self._outcome
            self._outcome = GameOutcome(
                0, outcome.done, outcome.score, outcome.completed, outcome.steps
            )
        else:
            self._outcome = self.simulator.step(action, self._chance)
            self._taken += 1
        terminated = self._terminated
        rest = float(self._outcome.reward), terminated, self._over and not terminated, self._info()
        return self._observation(), *rest

    def render(self) -> Any:
        """The observation in words, by the render mode; else None.

        Raises:
            RuntimeError: There was no reset yet.
        """
        self._require_episode()
        if self.render_mode == "ansi":
            return self.simulator.text()
        gymnasium.logger.warn("render() draws nothing: no render_mode was given to make()")
        return None

    @property
    def _over(self) -> bool:
        return self._outcome.done or self._taken >= self.game.length

    @property
    def _terminated(self) -> bool:
        return self._outcome.done

    def _require_episode(self) -> None:
        if self._taken < 0:
            raise RuntimeError("call reset first")

    @abstractmethod
    def _observation(self) -> Any:
        """What is seen now, in the observation space."""

    def _info(self) -> dict[str, Any]:
        outcome = self._outcome
        completed = {} if outcome.completed is None else {"completed": outcome.completed}
        told = {"manual": self.simulator.manual, "seed": self._seed}
        return {"score": outcome.score, **completed, **told}


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
