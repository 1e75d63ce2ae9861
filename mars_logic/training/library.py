"""The algorithms of Stable-Baselines3 and sb3-contrib in our environments."""

from __future__ import annotations

import importlib
import io
import pickle
from typing import Any, Final

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import KVWriter, Logger
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor

from mars_logic.envs.stable_baselines import StableBaselinesEnvs
from mars_logic.training.batch import begin
from mars_logic.training.checkpoint import chance, restore_chance
from mars_logic.training.episode_log import EpisodeLog
from mars_logic.training.networks import features
from mars_logic.training.settings import Algorithm, Between, Settings

_CLASSES: Final[dict[Algorithm, tuple[str, str]]] = {
    "ppo": ("stable_baselines3", "PPO"),
    "dqn": ("stable_baselines3", "DQN"),
    "maskable_ppo": ("sb3_contrib", "MaskablePPO"),
    "recurrent_ppo": ("sb3_contrib", "RecurrentPPO"),
}


class Features(BaseFeaturesExtractor):  # type: ignore[misc]  # no types without the extra
    """The features of :func:`~mars_logic.training.networks.features` for Stable-Baselines3."""

    def __init__(self, observation_space: spaces.Space[Any], width: int = 256) -> None:
        """Make the layers.

        Args:
            observation_space: Codes or images, as they come.
            width: How many features.
        """
        super().__init__(observation_space, width)
        self.layers = features(observation_space, width)

    def forward(self, observations: Tensor) -> Tensor:
        """float32[n, width]."""
        return self.layers(observations)


def algorithm_class(algorithm: Algorithm) -> Any:
    """The library's class of an algorithm."""
    module, name = _CLASSES[algorithm]
    return getattr(importlib.import_module(module), name)


class LibraryLearner:
    """An algorithm of these libraries; see :class:`~mars_logic.training.learners.Trainer`."""

    def __init__(self, settings: Settings, envs: EpisodeLog, device: str) -> None:
        """Make the model, by the seed."""
        self._settings, self._envs, self._device = settings, envs, device
        self._adapted = StableBaselinesEnvs(envs)
        policy = {"recurrent_ppo": "MlpLstmPolicy"}.get(settings.algorithm, "MlpPolicy")
        self._model = algorithm_class(settings.algorithm)(
            policy, self._adapted, seed=settings.seed, device=device, **_arguments(settings)
        )
        self._losses: dict[str, float] = {}

    def start(self) -> None:
        """Begin anew."""
        self._follow(begin(self._envs, self._settings.seed))

    def _follow(self, observations: Any) -> None:
        self._model._last_obs = observations
        self._model._last_episode_starts = np.ones(self._envs.num_envs, bool)

    def train(self, steps: int, between: Between) -> None:
        """Train; see :class:`~mars_logic.training.learners.Trainer`."""
        model = self._model
        model.set_logger(Logger(None, [_Losses(self._losses)]))
        try:
            if model.num_timesteps < steps:
                left = steps - model.num_timesteps
                calls = _Calls(self, between)
                model.learn(left, callback=calls, log_interval=1, reset_num_timesteps=False)
            between(model.num_timesteps, self._losses)
        except _Stop:
            return

    @property
    def losses(self) -> dict[str, float]:
        """The last losses."""
        return self._losses

    def model(self) -> dict[str, Any]:
        """The library's own file of the model."""
        stream = io.BytesIO()
        self._model.save(stream)
        return {"library": _bytes(stream.getvalue())}

    def state(self) -> dict[str, Any]:
        """The model, the replay buffer and the global random generators."""
        model = self._model
        state = self.model() | {"chance": chance()}
        state["starts"] = torch.from_numpy(np.array(model._last_episode_starts))
        state["space"] = _bytes(pickle.dumps(model.action_space.np_random))
        if self._settings.algorithm == "dqn":
            state["buffer"] = _bytes(pickle.dumps(model.replay_buffer))
        return state

    def restore(self, state: dict[str, Any], observations: Any) -> None:
        """Continue."""
        loaded = algorithm_class(self._settings.algorithm).load(
            io.BytesIO(state["library"].numpy().tobytes()),
            env=self._adapted,
            device=self._device,
            force_reset=False,
        )
        if "buffer" in state:
            loaded.replay_buffer = pickle.loads(state["buffer"].numpy().tobytes())
        loaded.action_space._np_random = pickle.loads(state["space"].numpy().tobytes())
        self._model = loaded
        loaded._last_obs = observations
        loaded._last_episode_starts = state["starts"].numpy()
        restore_chance(state["chance"])


def _arguments(settings: Settings) -> dict[str, Any]:
    """What the library's class takes."""
    tuned = settings.hyperparameters
    policy: dict[str, Any] = {
        "features_extractor_class": Features,
        "features_extractor_kwargs": {"width": tuned.width},
        "net_arch": [tuned.width],
        "activation_fn": torch.nn.ReLU,
        "normalize_images": False,
    }
    shared = {
        "learning_rate": tuned.learning_rate,
        "batch_size": tuned.batch_size,
        "gamma": tuned.gamma,
        "policy_kwargs": policy,
    }
    if settings.algorithm == "dqn":
        return shared | {
            "buffer_size": tuned.buffer,
            "learning_starts": tuned.starts,
            "train_freq": tuned.n_steps,
            "gradient_steps": tuned.epochs,
            "target_update_interval": tuned.target_every,
            "exploration_fraction": tuned.explored,
        }
    if settings.algorithm == "recurrent_ppo":
        policy["lstm_hidden_size"] = tuned.width
    return shared | {
        "n_steps": tuned.n_steps,
        "n_epochs": tuned.epochs,
        "gae_lambda": tuned.gae_lambda,
        "clip_range": tuned.clip,
        "ent_coef": tuned.entropy,
        "vf_coef": tuned.value,
        "max_grad_norm": tuned.max_gradient,
    }


def _bytes(content: bytes) -> Tensor:
    return torch.frombuffer(bytearray(content), dtype=torch.uint8)


class _Stop(Exception):
    """Ends the library's loop between two updates."""


class _Calls(BaseCallback):  # type: ignore[misc]
    """Calls back between updates."""

    def __init__(self, learner: LibraryLearner, between: Between) -> None:
        super().__init__()
        self._learner, self._between = learner, between

    def _on_rollout_start(self) -> None:
        if not self._between(self.num_timesteps, self._learner.losses):
            raise _Stop

    def _on_step(self) -> bool:
        return True


class _Losses(KVWriter):  # type: ignore[misc]
    """Keeps what the library logs about training."""

    def __init__(self, kept: dict[str, float]) -> None:
        self._kept = kept

    def write(self, key_values: dict[str, Any], key_excluded: Any, step: int = 0) -> None:  # noqa: ARG002
        """Take down numbers."""
        for name, value in key_values.items():
            if name.startswith("train/") and isinstance(value, int | float | np.number):
                self._kept[name.removeprefix("train/")] = float(value)

    def close(self) -> None:
        """Nothing to close."""
