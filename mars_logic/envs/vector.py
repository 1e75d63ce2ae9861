"""Many environments at once, with Gymnasium's interface for them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from mars_logic.envs.choices import known, reset_options, the_world
from mars_logic.envs.env import EXTRAS, infos_of
from mars_logic.envs.game import BatchGame, Options, StepOutcome, WorldGame
from mars_logic.envs.rendering import RENDERING, Renderer
from mars_logic.errors import InputError
from mars_logic.sim.validation import positive
from mars_logic.world.theory import World

_OPTIONS = (
    "autoreset_mode",
    "threads",
    "reset_pool",
    "copy",
    "extras",
    "render_mode",
    "render_size",
)

Step = tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]
if TYPE_CHECKING:
    AnyVectorWrapper = VectorWrapper[Any, Any, Any, Any, NDArray[Any]]
else:
    AnyVectorWrapper = VectorWrapper  # which takes types since Gymnasium 1.4


class BatchVectorEnv(VectorEnv[Any, Any, NDArray[Any]]):
    """A batch of environments that one call steps.

    Attributes:
        actions: The names of the actions, in the order of their codes.
        game: What is played, with what it shows and what the last step brought.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012
    game: BatchGame

    def __init__(self, game: BatchGame, autoreset_mode: AutoresetMode | str) -> None:
        self.game, self.num_envs = game, game.n
        self._mode = _autoreset_mode(autoreset_mode)
        self.metadata = type(self).metadata | {"autoreset_mode": self._mode}
        self.actions = game.names
        self.single_action_space = gymnasium.spaces.Discrete(len(self.actions))
        self.single_observation_space = game.view.space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._everyone = np.ones(self.num_envs, np.bool_)
        self._over = ~self._everyone

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode in all environments, or in some.

        Args:
            seed: One for each environment, None where the next episode of the same seed shall
                begin; or a single one, from which environment i gets ``seed + i``. Without any,
                all go on with their next episodes; at first, seeds are drawn.
            options: ``episode`` (an integer or int[n]): which episode of the seed, as the games
                count them; ``reset_mask`` (bool[n]): which environments to reset.

        Returns:
            The observations, and what the kind of environment tells.

        Raises:
            InputError: There is no such option.
            ValueError: A seed or an option is of another type or shape, or out of range.
            RuntimeError: Only some are to be reset, and there was no reset of all yet.
        """
        given = reset_options(options, ("episode", "reset_mask"))
        seeds = self._seeds(seed)
        who = _reset_mask(given.get("reset_mask", self._everyone), self.num_envs)
        super().reset(seed=seed if isinstance(seed, int) else None)
        self.game.reset(seeds, lambda: self.np_random, given.get("episode"), who)
        self._over = self._over & ~who
        return self.game.view.all(self.game.seen), self._infos(self.game.outcome, who)

    def step(self, actions: ArrayLike) -> Step:
        """Carry out one action in each environment.

        Args:
            actions: Integers of shape (num_envs,), codes of the actions.

        Returns:
            Observations, rewards, whether players are dead, whether episodes have reached their
            length, and what the kind of environment tells.

        Raises:
            ValueError: An action is out of range, or the actions have another shape or type.
            RuntimeError: There was no reset yet.
            ResetNeeded: Autoreset is disabled, and an episode that is over was not reset.
        """
        game = self.game
        if self._mode is AutoresetMode.DISABLED and self._over.any():
            over = np.flatnonzero(self._over).tolist()
            raise gymnasium.error.ResetNeeded(f"reset the environments {over} first (reset_mask)")
        waiting = self._over if self._mode is AutoresetMode.NEXT_STEP else None
        outcome = game.step(actions, waiting)
        self._over = outcome.over
        told, final = outcome, {}
        if self._mode is AutoresetMode.SAME_STEP and self._over.any():
            told, final = outcome.forget(self._over), self._final(outcome)
            game.restart(self._over)
        return (
            game.view.all(game.seen),
            outcome.reward.copy(),
            outcome.terminated,
            outcome.truncated,
            self._infos(told, self._everyone) | final,
        )

    def replay(self, *played: NDArray[Any]) -> Any:
        """Play present episodes again, see ``BatchGame.replay``, and return the observations."""
        self.game.replay(*played)
        self._over = ~self._everyone
        return self.game.view.all(self.game.seen)

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[num_envs, number of actions]: False where an action has the same effect as noop."""
        return self.game.masks()

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int | np.integer) and not isinstance(seed, bool):
            return [int(seed) + env for env in range(self.num_envs)]
        if not isinstance(seed, Sequence | np.ndarray) or isinstance(seed, str):
            raise ValueError(f"seed must be an integer or a list of them, not {seed!r}")
        seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed must hold {self.num_envs} seeds, not {len(seeds)}")
        return seeds

    @abstractmethod
    def _infos(self, outcome: StepOutcome, who: NDArray[np.bool_]) -> dict[str, Any]:
        """The info of all environments, meant for some: bool[n]."""

    def _final(self, outcome: StepOutcome) -> dict[str, Any]:
        """The last observations and infos of episodes, before the next ones begin."""
        over = outcome.over
        observations = np.full(self.num_envs, None, object)
        for env in np.flatnonzero(over).tolist():
            observations[env] = self.game.view.one(self.game.seen, env)
        return {
            "final_obs": observations,
            "_final_obs": over,
            "final_info": self._infos(outcome, over),
            "_final_info": over.copy(),
        }


class WorldVectorEnv(BatchVectorEnv):
    """A batch of environments of one world; made by ``gymnasium.make_vec``.

    One compiled call steps all of them. The same seeds and actions give the same as single
    environments do, in any batch and with any number of threads.

    Infos are those of :func:`~mars_logic.envs.env.infos_of`.
    """

    metadata: dict[str, Any] = RENDERING | {"autoreset_mode": AutoresetMode.NEXT_STEP}
    game: WorldGame

    def __init__(
        self,
        world: World | str | Path | None = None,
        num_envs: int = 1,
        *,
        bundled: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        reset_pool: int = 0,
        copy: bool = True,
        extras: Sequence[str] = (),
        render_mode: str | None = None,
        render_size: Sequence[int] = (600, 600),
        **options: Unpack[Options],
    ) -> None:
        """Prepare the environments.

        Args:
            world: The rules: a world, the name of a bundled one, or the path of a file.
            num_envs: How many environments.
            bundled: In its stead, the name of a bundled world; what Gymnasium's names stand for.
            autoreset_mode: What happens when an episode is over, by Gymnasium's names:
                ``NextStep``: the next step resets and ignores the action; ``SameStep``: the step
                itself resets, and tells the last observation and info as ``final_obs`` and
                ``final_info``; ``Disabled``: it has to be reset with a ``reset_mask``.
            threads: How many threads step the environments; more than one pays for some hundreds
                of environments or more.
            reset_pool: Number of next episodes whose maps one more thread generates ahead;
                ``num_envs`` holds one for each environment.
            copy: Whether observations are new arrays each time. If not, the next call overwrites
                them, which saves time for large batches of images. All else is always new.
            extras: What infos hold besides: ``semantic`` (4 KiB an environment) and
                ``action_mask``.
            render_mode: ``rgb_array`` or ``ansi``.
            render_size: Width and height in pixels of what :meth:`render` draws.
            options: See :class:`~mars_logic.envs.game.Options`.

        Raises:
            InputError: An argument is none of what is allowed.
            ValueError: A number is out of range.
        """
        known("options", options, (*Options.__annotations__, *_OPTIONS))
        known("extras", extras, EXTRAS)
        game = WorldGame(
            the_world(world, bundled),
            positive("num_envs", num_envs),
            threads=threads,
            reuse=not copy,
            reset_pool=reset_pool,
            **options,
        )
        super().__init__(game, autoreset_mode)
        self._extras = tuple(extras)
        self._renderer = Renderer(render_mode, render_size)
        self.render_mode = render_mode

    def render(self) -> tuple[Any, ...] | None:
        """A picture, or coloured text, of each environment; None without a render mode."""
        if self.render_mode is None:
            self._renderer.draw(self.game.seen, 0)
            return None
        return tuple(self._renderer.draw(self.game.seen, env) for env in range(self.num_envs))

    def _infos(self, outcome: StepOutcome, who: NDArray[np.bool_]) -> dict[str, Any]:
        return infos_of(self.game, outcome, who, self._extras)


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        allowed = ", ".join(each.value for each in AutoresetMode)
        raise InputError(f"autoreset_mode: there is no {mode!r}; allowed: {allowed}") from None


def _reset_mask(mask: Any, n: int) -> NDArray[np.bool_]:
    """The mask, checked as Gymnasium's own vector environments check it."""
    if not (isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (n,)):
        raise InputError(f"options: reset_mask must be an array bool[{n}], not {mask!r}")
    if not mask.any():
        raise InputError("options: reset_mask must select at least one environment")
    return mask
