"""The worlds and games as Gymnasium environments.

Importing this package registers them, so that ``gymnasium.make("mars_logic/TaskDep-v0")`` finds
them; it imports neither numba nor the simulator, which come with the first environment made.

Example:
    >>> import gymnasium
    >>> import mars_logic.envs
    >>> env = gymnasium.make("mars_logic/TaskDep-v0", observation="symbolic", length=500)
    >>> observation, info = env.reset(seed=7)

The environments are in :mod:`mars_logic.envs.env` and :mod:`mars_logic.envs.vector`, those of games
in :mod:`mars_logic.envs.simulator_env`, of puzzles in :mod:`mars_logic.envs.family_env`, other
rewards in :mod:`mars_logic.envs.rewards`, and what Stable-Baselines3 needs in
:mod:`mars_logic.envs.stable_baselines`.
"""

from mars_logic.envs.registration import environment_id, register

__all__ = ["environment_id", "register"]

register()
