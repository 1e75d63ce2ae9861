"""Networks: features of observations, and a policy and a value on top of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from torch import Tensor, nn

from mars_logic.training.embedding_sum import EmbeddingSum


def features(space: spaces.Space[Any], width: int) -> nn.Module:
    """Maps observations of a space, as they come, to ``width`` features.

    Codes are embedded and summed, about half of them not being 0; images go through the three
    convolutions of Mnih et al. 2015; vectors through a linear layer.
    """
    assert isinstance(space, spaces.Box)
    if space.dtype == np.int16:
        rows, present = int(space.high.max()) + 1, space.shape[0] // 2
        return nn.Sequential(EmbeddingSum(rows, width, present), nn.ReLU())
    if len(space.shape) == 3:
        return _Convolutions(space.shape, width)
    return nn.Sequential(_linear(int(np.prod(space.shape)), width, np.sqrt(2)), nn.Tanh())


class _Convolutions(nn.Module):  # type: ignore[misc]  # no types without the extra
    """Features of images, uint8[n, height, width, channels]."""

    def __init__(self, shape: tuple[int, ...], width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(shape[2], 32, 8, stride=4),
            nn.ReLU(),
            nn.Conv2d(32, 64, 4, stride=2),
            nn.ReLU(),
            nn.Conv2d(64, 64, 3, stride=1),
            nn.ReLU(),
            nn.Flatten(),
        )
        with torch.no_grad():
            size = self.layers(torch.zeros(1, shape[2], *shape[:2])).shape[1]
        self.last = nn.Sequential(_linear(size, width, np.sqrt(2)), nn.ReLU())

    def forward(self, images: Tensor) -> Tensor:
        """The features."""
        pixels = images.permute(0, 3, 1, 2).float() / 255
        return self.last(self.layers(pixels))


class ActorCritic(nn.Module):  # type: ignore[misc]
    """Logits of the actions and the value of a state, on shared features."""

    def __init__(self, space: spaces.Space[Any], actions: int, width: int) -> None:
        """Make the layers.

        Args:
            space: The space of one observation.
            actions: The number of actions.
            width: The width of the hidden layers.
        """
        super().__init__()
        self.features = features(space, width)
        self.hidden = nn.Sequential(_linear(width, width, np.sqrt(2)), nn.ReLU())
        self.policy = _linear(width, actions, 0.01)
        self.value = _linear(width, 1, 1.0)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """float32[n, actions] and float32[n]."""
        found = self.hidden(self.features(observations))
        return self.policy(found), self.value(found).squeeze(-1)


def _linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    """A linear layer with orthogonal weights."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer
