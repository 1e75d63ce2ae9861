"""A batch of environments as Stable-Baselines3 wants it. Needs the extra ``rl``.

Example:
    >>> import gymnasium
    >>> import mars_logic.envs
    >>> from mars_logic.envs.stable_baselines import StableBaselinesEnvs
    >>> envs = gymnasium.make_vec(
    ...     "mars_logic/Crafter-v0", 8, observation="image", autoreset_mode="SameStep"
    ... )
    >>> StableBaselinesEnvs(envs).reset().shape
    (8, 64, 64, 3)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from mars_logic.errors import InputError


class StableBaselinesEnvs(VecEnv):  # type: ignore[misc]  # no types without the extra
    """Passes everything on to environments of ``gymnasium.make_vec``, without a loop over them.

    Stable-Baselines3 expects environments that begin the next episode within the step that ends
    one, and one dictionary of information for each. Only dictionaries of environments whose
    episode has just ended hold anything: ``terminal_observation``, ``TimeLimit.truncated``, and
    what :func:`~mars_logic.envs.env.infos_of` describes, such as ``achievements``.
    """

    def __init__(self, envs: VectorEnv[Any, Any, NDArray[Any]]) -> None:
        """Adapt environments.

        Args:
            envs: Made by ``gymnasium.make_vec(..., autoreset_mode="SameStep")``, with symbolic or
                image observations; wrapped or not.

        Raises:
            InputError: They reset at another time, or observe text.
        """
        mode = envs.metadata.get("autoreset_mode")
        if mode is not AutoresetMode.SAME_STEP:
            raise InputError(f"envs: autoreset_mode must be SameStep, not {mode}")
        if isinstance(envs.single_observation_space, spaces.Text):
            raise InputError("envs: observation must be symbolic or image, not text")
        self.envs = envs
        self._actions: NDArray[Any] | None = None
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> Any:
        """Begin an episode in all, with what ``seed`` and ``set_options`` were given, used once."""
        options = {name: [each[name] for each in self._options] for name in self._options[0]}
        observations, _ = self.envs.reset(seed=self._seeds, options=options)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: NDArray[Any]) -> None:
        """Remember the actions."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Carry them out."""
        observations, rewards, terminated, truncated, infos = self.envs.step(self._actions)
        dones = terminated | truncated
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for env in np.flatnonzero(dones).tolist():
            final = infos["final_info"].items()
            told[env] = {key: values[env] for key, values in final if not key.startswith("_")} | {
                "terminal_observation": infos["final_obs"][env],
                "TimeLimit.truncated": bool(truncated[env]),
            }
        return observations, rewards.astype(np.float32), dones, told

    def close(self) -> None:
        """Close the environments."""
        self.envs.close()

    def get_images(self) -> list[Any]:
        """A picture of each environment, if ``render_mode`` is ``rgb_array``."""
        return list(self.envs.render() or [])

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute, once for each environment: all share one."""
        return [getattr(self.envs.unwrapped, attr_name)] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:  # noqa: ARG002
        """Refused, since environments share all attributes."""
        raise AttributeError(f"{attr_name} cannot be set in some of the environments")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """The results of a method for each environment; for MaskablePPO's action masks."""
        results = getattr(self.envs.unwrapped, method_name)(*method_args, **method_kwargs)
        return [results[env] for env in self._chosen(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:  # noqa: ARG002
        """No: what wraps them wraps all of them at once."""
        return [False] * len(self._chosen(indices))

    def _chosen(self, indices: int | Iterable[int] | None) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        return [indices] if isinstance(indices, int) else list(indices)
