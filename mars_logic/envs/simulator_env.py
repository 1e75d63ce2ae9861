"""What environments of games and of puzzles share: an episode of a simulator, step by step."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Literal

import gymnasium
from gymnasium import spaces

from mars_logic.domains.chance import Seeded
from mars_logic.domains.game import Game
from mars_logic.domains.protocol import GameOutcome, GameSimulator
from mars_logic.envs.choices import choose

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
