"""A trained policy, which chooses actions one observation at a time."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from mars_logic.envs.viewing import Codes, Image, View
from mars_logic.errors import InputError
from mars_logic.extras import install_hint
from mars_logic.files import refusal
from mars_logic.sim import Observation
from mars_logic.training import checkpoint
from mars_logic.training.networks import ActorCritic
from mars_logic.training.settings import Settings
from mars_logic.world.names import ACTIONS

_VERSION: Final = "a model of this version of mars-logic and of its libraries"


class TrainedPolicy:
    """The probabilities of actions, by a model in the folder of a training run.

    Attributes:
        settings: Of the training run.
    """

    def __init__(self, path: Path) -> None:
        """Read a model.

        Args:
            path: The file, ``best.pt`` or ``last.pt``.

        Raises:
            InputError: It is missing, damaged, of another version, or its library is not installed.
        """
        found = checkpoint.load(path)
        try:
            self.settings = Settings.from_json(found["settings"])
            self._view: View = Codes() if self.settings.observation == "symbolic" else Image(1)
            self._load(found["model"])
        except (KeyError, TypeError, AttributeError, RuntimeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise refusal(path, "it is of another version", _VERSION) from None
        self.begin()

    def _load(self, model: dict[str, Any]) -> None:
        if self.settings.algorithm == "simple_ppo":
            width = self.settings.hyperparameters.width
            self._network = ActorCritic(self._view.space, len(ACTIONS), width)
            self._network.load_state_dict(model["network"])
            self._network.eval()
            return
        try:
            from mars_logic.training.library import algorithm_class

            made = algorithm_class(self.settings.algorithm)
        except ImportError as error:
            raise InputError(
                f"policy: this model needs {error.name}; allowed: after {install_hint('rl')}"
            ) from None
        stream = io.BytesIO(model["library"].numpy().tobytes())
        self._library = made.load(stream, device="cpu")

    def begin(self) -> None:
        """Begin an episode: a recurrent policy forgets."""
        self._state: Any = None

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def probabilities(
        self, observation: Observation, mask: NDArray[np.bool_] | None = None
    ) -> NDArray[np.float64]:
        """The probability of each action: float64[17].

        Args:
            observation: What is seen, with n = 1.
            mask: bool[17]: which actions are allowed; for a policy trained with masks.
        """
        seen = torch.from_numpy(np.ascontiguousarray(self._view.all(observation)))
        algorithm = self.settings.algorithm
        if algorithm == "simple_ppo":
            return _normal(torch.softmax(self._network(seen)[0], dim=-1))
        policy = self._library.policy
        policy.set_training_mode(False)
        if algorithm == "dqn":
            values = policy.q_net(seen)[0].numpy()
            greedy = np.zeros(len(ACTIONS))
            greedy[values.argmax()] = 1.0
            return 0.95 * greedy + 0.05 / len(ACTIONS)
        if algorithm == "recurrent_ppo":
            return self._recurrent(policy, seen)
        if algorithm == "maskable_ppo":
            told = None if mask is None else mask[None]
            return _normal(policy.get_distribution(seen, action_masks=told).distribution.probs)
        return _normal(policy.get_distribution(seen).distribution.probs)

    def _recurrent(self, policy: Any, seen: torch.Tensor) -> NDArray[np.float64]:
        begins = torch.tensor([1.0 if self._state is None else 0.0])
        if self._state is None:
            zeros = torch.zeros(policy.lstm_hidden_state_shape[0], 1, policy.lstm_actor.hidden_size)
            self._state = (zeros, zeros.clone())
        distribution, self._state = policy.get_distribution(seen, self._state, begins)
        return _normal(distribution.distribution.probs)


def _normal(probabilities: torch.Tensor) -> NDArray[np.float64]:
    found = probabilities[0].double().numpy()
    total: NDArray[np.float64] = found / found.sum()
    return total
