"""A trained policy, which chooses actions one observation at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from mars_logic.envs.detective import detective_actions
from mars_logic.envs.viewing import Codes, Image, View
from mars_logic.envs.walk_views import WalkCodes, WalkImage
from mars_logic.errors import InputError
from mars_logic.system.extras import install_hint
from mars_logic.system.files import refusal
from mars_logic.training import earlier_format
from mars_logic.training.checkpoint import Content, load, tensors_of
from mars_logic.training.networks import ActorCritic
from mars_logic.training.settings import ASKING, Settings
from mars_logic.world.names import ACTIONS

_VERSION: Final = "a model of this version of mars-logic and of its libraries"


def _seeing(settings: Settings) -> tuple[View, int]:
    """The view that a policy is shown, and the number of its actions."""
    codes = settings.observation == "symbolic"
    if asking := ASKING.get(settings.reward):
        return WalkCodes() if codes else WalkImage(), len(detective_actions(asking))
    return Codes() if codes else Image(1), len(ACTIONS)


class TrainedPolicy:
    """The probabilities of actions, by a model in the folder of a training run.

    Attributes:
        settings: Of the training run.
    """

    def __init__(self, path: Path, *, trust: bool = False) -> None:
        """Read a model.

        Args:
            path: The file, ``best.npz`` or ``last.npz``, or one of an earlier version.
            trust: Whether a file of an earlier version is read, which holds pickles.

        Raises:
            InputError: It is missing, damaged, of another version, not trusted, or its library is
                not installed.
        """
        found = earlier_format.load(path, trust) if earlier_format.is_earlier(path) else load(path)
        self._path = path
        try:
            self.settings = Settings.from_json(found["settings"], path)
            self._view, self._actions = _seeing(self.settings)
            self._load(found["model"])
        except (LookupError, TypeError, AttributeError, RuntimeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise refusal(path, "it is of another version", _VERSION) from None
        self.begin()

    def _load(self, model: Content) -> None:
        of_library = self.settings.algorithm != "simple_ppo"
        weights = tensors_of(model["policy" if of_library else "network"])
        width = self.settings.hyperparameters.width
        if width**2 > max(each.numel() for each in weights.values()):
            raise ValueError("such a width would take more memory than the file")
        network = self._network_of_library() if of_library else self._own_network(width)
        network.load_state_dict(weights)
        network.eval()
        self._network = network

    def _own_network(self, width: int) -> Any:
        return ActorCritic(self._view.space, self._actions, width)

    def _network_of_library(self) -> Any:
        try:
            from mars_logic.training.library import make_policy

            return make_policy(self.settings, self._view.space, self._actions)
        except ImportError as error:
            raise InputError(
                f"policy: this model needs {error.name}; allowed: after {install_hint('rl')}"
            ) from None

    def begin(self) -> None:
        """Begin an episode: a recurrent policy forgets."""
        self._state: Any = None

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def probabilities(
        self, observation: Any, mask: NDArray[np.bool_] | None = None
    ) -> NDArray[np.float64]:
        """The probability of each action: float64[number of actions].

        Args:
            observation: What is seen, with n = 1: an ``Observation``, or the walk of a detective.
            mask: bool[number of actions]: those allowed; for a policy trained with masks.

        Raises:
            InputError: The weights are so large that they give no probabilities.
        """
        seen = torch.from_numpy(np.ascontiguousarray(self._view.all(observation)))
        try:
            found = self._chances(seen, mask)[0].double().numpy()
        except ValueError:  # distributions of PyTorch refuse what are no numbers
            found = np.array([np.nan])
        total: float = found.sum()
        if not np.isfinite(total):
            raise refusal(self._path, "its weights give no probabilities", "a trained model")
        chances: NDArray[np.float64] = found / total
        return chances

    def _chances(self, seen: torch.Tensor, mask: NDArray[np.bool_] | None) -> torch.Tensor:
        """float32[1, 17]: proportional to the probabilities."""
        policy: Any = self._network
        match self.settings.algorithm:
            case "simple_ppo":
                return torch.softmax(policy(seen)[0], dim=-1)
            case "dqn":
                values = policy.q_net(seen)
                greedy = nn.functional.one_hot(values.argmax(1), self._actions)
                return 0.95 * greedy.float() + 0.05 / self._actions
            case "recurrent_ppo":
                return self._recurrent(policy, seen)
            case "maskable_ppo":
                told = None if mask is None else mask[None]
                return policy.get_distribution(seen, action_masks=told).distribution.probs
            case "ppo" | "trpo":
                return policy.get_distribution(seen).distribution.probs

    def _recurrent(self, policy: Any, seen: torch.Tensor) -> torch.Tensor:
        begins = torch.tensor([1.0 if self._state is None else 0.0])
        if self._state is None:
            zeros = torch.zeros(policy.lstm_hidden_state_shape[0], 1, policy.lstm_actor.hidden_size)
            self._state = (zeros, zeros.clone())
        distribution, self._state = policy.get_distribution(seen, self._state, begins)
        return distribution.distribution.probs
