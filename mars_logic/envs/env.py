"""One environment, with Gymnasium's interface."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from itertools import compress
from pathlib import Path
from typing import Any, Final, SupportsInt, Unpack

import gymnasium
import numpy as np
from numpy.typing import NDArray

from mars_logic.envs.choices import known, reset_options, the_world
from mars_logic.envs.game import BatchGame, Options, StepOutcome, WorldGame
from mars_logic.envs.rendering import RENDERING, Renderer
from mars_logic.world.theory import World


class BatchEnv(gymnasium.Env[Any, Any]):
    """One environment: a batch of one. An episode that is over stays as it is until it is reset.

    Attributes:
        actions: The names of the actions, in the order of their codes.
        game: What is played, with what it shows and what the last step brought.
    """

    game: BatchGame

    def __init__(self, game: BatchGame) -> None:
        self.game = game
        self.actions = game.names
        self.action_space = gymnasium.spaces.Discrete(len(self.actions))
        self.observation_space = game.view.space

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: The seed, as the games take it: its first episode begins. Without one, the next
                episode of the same seed begins; if there was none yet, a seed is drawn.
            options: ``{"episode": k}`` for the k-th episode of the seed, as the games count them.

        Returns:
            The observation, and what the kind of environment tells.

        Raises:
            InputError: There is no such option.
            ValueError: The episode is not a positive integer.
        """
        super().reset(seed=seed)
        given = reset_options(options, ("episode",))
        self.game.reset([seed], lambda: self.np_random, given.get("episode"))
        return self._observation(), self._info()

    def step(self, action: SupportsInt) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out one action, given by its code.

        Returns:
            Observation, reward, whether the game has ended the episode, whether it has reached its
            length, and what the kind of environment tells.

        Raises:
            ValueError: There is no such action.
            RuntimeError: There was no reset yet.
        """
        outcome = self.game.step(np.asarray(action))
        return (
            self._observation(),
            float(outcome.reward[0]),
            bool(outcome.terminated[0]),
            bool(outcome.truncated[0]),
            self._info(),
        )

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[number of actions]: False where an action has the same effect as noop.

        The name is the one that MaskablePPO of sb3-contrib asks for.
        """
        masks: NDArray[np.bool_] = self.game.masks()[0]
        return masks

    def _observation(self) -> Any:
        return self.game.view.one(self.game.seen, 0)

    @abstractmethod
    def _info(self) -> dict[str, Any]:
        """What is told beside an observation."""


class WorldEnv(BatchEnv):
    """A world to act in; made by ``gymnasium.make("mars_logic/TaskDep-v0", ...)``.

    The reward is Crafter's: a tenth of the change of health, plus 1 if an achievement was reached
    for the first time in the episode. Death terminates an episode, its length truncates it. Infos
    are those of :func:`~mars_logic.envs.env.info_of`.
    """

    metadata: dict[str, Any] = dict(RENDERING)  # noqa: RUF012
    game: WorldGame

    def __init__(
        self,
        world: World | str | Path | None = None,
        *,
        bundled: str | None = None,
        render_mode: str | None = None,
        render_size: Sequence[int] = (600, 600),
        **options: Unpack[Options],
    ) -> None:
        """Prepare the environment.

        Args:
            world: The rules: a world, the name of a bundled one, or the path of a file.
            bundled: In its stead, the name of a bundled world; what Gymnasium's names stand for.
            render_mode: ``rgb_array`` or ``ansi``.
            render_size: Width and height in pixels of what :meth:`render` draws.
            options: See :class:`~mars_logic.envs.game.Options`.

        Raises:
            InputError: An argument is none of what is allowed.
            ValueError: The length is out of range.
        """
        known("options", options, (*Options.__annotations__, "render_mode", "render_size"))
        super().__init__(WorldGame(the_world(world, bundled), 1, **options))
        words = self.game.simulator.world.vocabulary
        self._renderer = Renderer(render_mode, render_size, words)
        self.render_mode = render_mode

    def render(self) -> Any:
        """A picture (uint8[height, width, 3]) or coloured text, by the render mode; else None."""
        return self._renderer.draw(self.game.seen, 0)

    def _info(self) -> dict[str, Any]:
        return info_of(self.game)


EXTRAS: Final = ("semantic", "action_mask")
"""Optional keys of a batch's info, which cost time or memory."""


def info_of(game: WorldGame) -> dict[str, Any]:
    """What the only environment of a game tells, under Crafter's names where it has some.

    ``inventory`` and ``achievements`` hold numbers by name; ``unlocked`` the names of what was
    reached for the first time in the step; ``player_pos`` int16[2]; ``semantic`` uint8[64, 64],
    see ``Simulator.semantic``; ``discount`` 0 if the player is dead and else 1; ``reward`` that of
    Crafter; ``action_mask`` int8[number of actions].
    """
    simulator, outcome = game.simulator, game.outcome
    names, items = simulator.world.achievements, simulator.world.vocabulary.items
    return {
        "inventory": dict(zip(items, game.seen.inventory[0].tolist(), strict=True)),
        "achievements": dict(zip(names, simulator.achievements[0].tolist(), strict=True)),
        "unlocked": list(compress(names, outcome.unlocked[0].tolist())),
        "player_pos": simulator.positions[0],
        "semantic": simulator.semantic()[0],
        "discount": 1.0 - float(outcome.terminated[0]),
        "reward": float(outcome.reward[0]),
        "action_mask": game.masks()[0].astype(np.int8),
    }


def infos_of(
    game: WorldGame, outcome: StepOutcome, who: NDArray[np.bool_], extras: Collection[str] = ()
) -> dict[str, Any]:
    """The info of all environments of a game: arrays, whose first index is the environment.

    By Gymnasium's convention each key has a second, with an underscore before it, that tells which
    environments it is meant for.

    Args:
        game: The environments.
        outcome: What the last step brought them, or the reset.
        who: bool[n]: those that it is meant for.
        extras: Which of :data:`EXTRAS` to tell.
    """
    simulator = game.simulator
    infos: dict[str, Any] = {
        "inventory": game.seen.inventory.copy(),
        "achievements": simulator.achievements,
        "unlocked": outcome.unlocked.copy(),
        "player_pos": simulator.positions,
        "discount": 1.0 - outcome.terminated,
        "reward": outcome.reward.copy(),
    }
    if "semantic" in extras:
        infos["semantic"] = simulator.semantic()
    if "action_mask" in extras:
        infos["action_mask"] = game.masks().astype(np.int8)
    return infos | {f"_{key}": who.copy() for key in infos}
