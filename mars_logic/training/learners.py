"""Learning algorithms behind one interface: train step by step, save and continue."""

from __future__ import annotations

import importlib.util
from typing import Any, Protocol

import torch

from mars_logic.errors import InputError
from mars_logic.system.extras import install_hint
from mars_logic.training.batch import begin
from mars_logic.training.checkpoint import arrays_of
from mars_logic.training.episode_log import EpisodeLog
from mars_logic.training.networks import ActorCritic
from mars_logic.training.ppo import PPO
from mars_logic.training.settings import Between, Settings


class Trainer(Protocol):
    """An algorithm in its environments."""

    @property
    def steps(self) -> int:
        """Steps taken in all environments together."""
        ...

    def start(self) -> None:
        """Begin anew."""

    def train(self, steps: int, between: Between) -> None:
        """Train until so many steps in all are taken, or until ``between`` says no.

        ``between`` is called before the first update and after each one.
        """

    def model(self) -> dict[str, Any]:
        """What a policy needs to play: the content of a file, see ``checkpoint.save``."""
        ...

    def state(self) -> dict[str, Any]:
        """What is needed to continue, but for the environments, in the same form."""
        ...

    def restore(self, state: dict[str, Any], observations: Any) -> None:
        """Continue from a state, in environments that have been restored.

        Args:
            state: From :meth:`state`.
            observations: What is seen now.

        Raises:
            KeyError: A value is missing.
            TypeError: A value is of another type.
            ValueError: A value is not possible.
            RuntimeError: The state is of another model.
        """


def make_learner(settings: Settings, envs: EpisodeLog, device: str) -> Trainer:
    """The learner of a training run.

    Raises:
        InputError: Its library is not installed.
    """
    if settings.algorithm == "simple_ppo":
        return SimplePPO(settings, envs, device)
    needed = "stable_baselines3" if settings.algorithm in ("ppo", "dqn") else "sb3_contrib"
    if importlib.util.find_spec(needed) is None:
        raise InputError(
            f"--agent: {settings.algorithm} needs {needed}; "
            f"allowed: after {install_hint('rl')}, or --agent simple_ppo"
        )
    from mars_logic.training.library import LibraryLearner

    return LibraryLearner(settings, envs, device)


class SimplePPO:
    """The PPO of this project."""

    def __init__(self, settings: Settings, envs: EpisodeLog, device: str) -> None:
        """Make the network, by the seed."""
        self._settings, self._envs = settings, envs
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(settings.seed)
            width = settings.hyperparameters.width
            actions = envs.actions
            network = ActorCritic(envs.single_observation_space, actions, width)
        self._ppo = PPO(envs, network, settings.hyperparameters, settings.seed, device)

    @property
    def steps(self) -> int:
        """Steps taken in all environments together."""
        return self._ppo.steps

    def start(self) -> None:
        """Begin anew."""
        self._ppo.start(begin(self._envs, self._settings.seed))

    def train(self, steps: int, between: Between) -> None:
        """Train; see :class:`Trainer`."""
        losses: dict[str, float] = {}
        while between(self._ppo.steps, losses) and self._ppo.steps < steps:
            losses = self._ppo.update()

    def model(self) -> dict[str, Any]:
        """The weights."""
        return {"network": arrays_of(self._ppo.network.state_dict())}

    def state(self) -> dict[str, Any]:
        """Weights, optimiser and chance."""
        return self._ppo.state()

    def restore(self, state: dict[str, Any], observations: Any) -> None:
        """Continue."""
        self._ppo.restore(state)
        self._ppo.start(observations)
