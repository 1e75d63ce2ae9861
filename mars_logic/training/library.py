"""The algorithms of Stable-Baselines3 and sb3-contrib in our environments."""

from __future__ import annotations

import importlib
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
from mars_logic.training.checkpoint import (
    Content,
    arrays_of,
    chance,
    optimiser_state,
    restore_chance,
    restore_optimiser,
    tensors_of,
)
from mars_logic.training.episode_log import EpisodeLog, require_like
from mars_logic.training.networks import features
from mars_logic.training.settings import Algorithm, Between, Settings

_CLASSES: Final[dict[Algorithm, tuple[str, str]]] = {
    "ppo": ("stable_baselines3", "PPO"),
    "dqn": ("stable_baselines3", "DQN"),
    "maskable_ppo": ("sb3_contrib", "MaskablePPO"),
    "recurrent_ppo": ("sb3_contrib", "RecurrentPPO"),
    "trpo": ("sb3_contrib", "TRPO"),
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


def make_policy(settings: Settings, space: spaces.Space[Any], actions: int) -> Any:
    """The library's policy of a model, without the rest of it; for play."""
    made = algorithm_class(settings.algorithm).policy_aliases[_policy_name(settings)]
    return made(space, spaces.Discrete(actions), lambda _: 0.0, **_of_policy(settings))


class LibraryLearner:
    """An algorithm of these libraries; see :class:`~mars_logic.training.learners.Trainer`."""

    def __init__(self, settings: Settings, envs: EpisodeLog, device: str) -> None:
        """Make the model, by the seed."""
        self._settings, self._envs = settings, envs
        self._adapted = StableBaselinesEnvs(envs)
        self._model = algorithm_class(settings.algorithm)(
            *(_policy_name(settings), self._adapted),
            seed=settings.seed,
            device=device,
            **_arguments(settings),
        )
        self._losses: dict[str, float] = {}

    @property
    def steps(self) -> int:
        """Steps taken in all environments together."""
        return int(self._model.num_timesteps)

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

    def model(self) -> Content:
        """The weights."""
        return {"policy": arrays_of(self._model.policy.state_dict())}

    def state(self) -> Content:
        """Weights, optimiser, counters, the replay buffer and all random generators."""
        model = self._model
        state: Content = self.model() | {
            "optimiser": optimiser_state(model.policy.optimizer),
            "counters": {name: getattr(model, own) for name, own in self._counted().items()},
            "starts": np.array(model._last_episode_starts, bool),
            "space": _generator_state(model.action_space.np_random),
            "chance": chance(),
        }
        if self._settings.algorithm == "recurrent_ppo":
            state["memory"] = arrays_of(dict(zip(OF_LSTM, _tensors_of_lstm(model), strict=True)))
        if self._settings.algorithm == "dqn":
            state["buffer"] = buffer_content(model.replay_buffer)
        return state

    def restore(self, state: Content, observations: Any) -> None:
        """Continue."""
        model = self._model
        model.policy.load_state_dict(tensors_of(state["policy"]))
        restore_optimiser(model.policy.optimizer, state["optimiser"])
        for name, own in self._counted().items():
            setattr(model, own, _count(name, state["counters"][name], getattr(model, own)))
        require_like(state, {"starts": np.empty(self._envs.num_envs, bool)})
        model._last_episode_starts, model._last_obs = state["starts"], observations
        model.action_space.np_random.bit_generator.state = state["space"]
        if self._settings.algorithm == "recurrent_ppo":
            _restore_lstm(model, state["memory"])
        if self._settings.algorithm == "dqn":
            _restore_buffer(model.replay_buffer, state["buffer"], int(model.action_space.n))
        restore_chance(state["chance"])

    def _counted(self) -> dict[str, str]:
        return _COUNTED | (_COUNTED_BY_DQN if self._settings.algorithm == "dqn" else {})


_COUNTED: Final = {"steps": "num_timesteps", "updates": "_n_updates"}
_COUNTED_BY_DQN: Final = {"calls": "_n_calls", "explored": "exploration_rate"}
"""What a model counts: names in checkpoints, and the library's."""
OF_LSTM: Final = ("policy_hidden", "policy_cell", "value_hidden", "value_cell")
"""The memory of a recurrent model: float32[layers, n, width] each."""
_OF_BUFFER: Final = (
    *("observations", "next_observations", "actions", "rewards", "dones", "timeouts"),
)


def _count(name: str, value: Any, own: float) -> Any:
    most = 1 if isinstance(own, float) else 2**62
    if type(value) is not type(own) or not 0 <= value <= most:
        raise ValueError(f"{name} is not possible")
    return value


def _tensors_of_lstm(model: Any) -> tuple[Tensor, ...]:
    states = model._last_lstm_states
    return *states.pi, *states.vf


def _restore_lstm(model: Any, memory: Content) -> None:
    own = _tensors_of_lstm(model)
    require_like(memory, arrays_of(dict(zip(OF_LSTM, own, strict=True))))
    for mine, name in zip(own, OF_LSTM, strict=True):
        mine.copy_(torch.from_numpy(memory[name]))


def buffer_content(buffer: Any) -> Content:
    """What a replay buffer of the library holds."""
    rows = buffer.buffer_size if buffer.full else buffer.pos
    kept: Content = {name: getattr(buffer, name)[:rows] for name in _OF_BUFFER}
    return kept | {"pos": buffer.pos, "full": buffer.full}


def _restore_buffer(buffer: Any, kept: Content, most: int) -> None:
    pos, full = kept["pos"], kept["full"]
    if type(full) is not bool or type(pos) is not int or not 0 <= pos < buffer.buffer_size:
        raise ValueError("the place in the replay buffer is not possible")
    rows = buffer.buffer_size if full else pos
    require_like(kept, {name: getattr(buffer, name)[:rows] for name in _OF_BUFFER})
    if not 0 <= kept["actions"].min(initial=0) <= kept["actions"].max(initial=0) < most:
        raise ValueError("an action in the replay buffer is not possible")
    for name in _OF_BUFFER:
        getattr(buffer, name)[:rows] = kept[name]
    buffer.pos, buffer.full = pos, full


def _generator_state(generator: np.random.Generator) -> Content:
    """The state of a generator of PCG64: numbers alone."""
    return dict(generator.bit_generator.state)


def _policy_name(settings: Settings) -> str:
    return "MlpLstmPolicy" if settings.algorithm == "recurrent_ppo" else "MlpPolicy"


def _of_policy(settings: Settings) -> dict[str, Any]:
    """What the library's class of policies takes."""
    width = settings.hyperparameters.width
    recurrent = {"lstm_hidden_size": width} if settings.algorithm == "recurrent_ppo" else {}
    return recurrent | {
        "features_extractor_class": Features,
        "features_extractor_kwargs": {"width": width},
        "net_arch": [width],
        "activation_fn": torch.nn.ReLU,
        "normalize_images": False,
    }


def _arguments(settings: Settings) -> dict[str, Any]:
    """What the library's class takes."""
    tuned = settings.hyperparameters
    shared = {
        "learning_rate": tuned.learning_rate,
        "batch_size": tuned.batch_size,
        "gamma": tuned.gamma,
        "policy_kwargs": _of_policy(settings),
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
    shared |= {"n_steps": tuned.n_steps, "gae_lambda": tuned.gae_lambda}
    if settings.algorithm == "trpo":
        return shared | {"target_kl": tuned.kl, "n_critic_updates": tuned.epochs}
    return shared | {
        "n_epochs": tuned.epochs,
        "clip_range": tuned.clip,
        "ent_coef": tuned.entropy,
        "vf_coef": tuned.value,
        "max_grad_norm": tuned.max_gradient,
    }


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
