"""Networks: features of observations, and a policy and a value on top of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from torch import Tensor, nn

from mars_logic.compiled.kernel import kernel


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


class EmbeddingSum(nn.Module):  # type: ignore[misc]  # no types without the extra
    """Maps codes (int[n, length]) to the sum of their rows of a table (float32[n, width]).

    Code 0 stands for nothing and adds nothing.
    """

    def __init__(self, rows: int, width: int, present: int) -> None:
        """Make the table.

        Args:
            rows: The number of codes, 0 included.
            width: The width of an embedding.
            present: How many codes of an observation are typically not 0; the rows are drawn so
                that the variance of their sum is 2, as before a rectifier.
        """
        super().__init__()
        self.table = nn.Parameter(torch.randn(rows, width) * math.sqrt(2 / present))
        self.bias = nn.Parameter(torch.zeros(width))

    def forward(self, codes: Tensor) -> Tensor:
        """The sums."""
        if codes.device.type == "cpu":
            total: Tensor = _Sum.apply(self.table, codes.to(torch.int16))
        else:
            total = nn.functional.embedding_bag(codes.long(), self.table, mode="sum", padding_idx=0)
        return total + self.bias


class _Sum(torch.autograd.Function):  # type: ignore[misc]
    """The sum of rows, and its gradient."""

    @staticmethod
    def forward(ctx: Any, table: Tensor, codes: Tensor) -> Tensor:
        ctx.save_for_backward(codes)
        ctx.shape = table.shape
        out = np.zeros((len(codes), table.shape[1]), np.float32)
        _add_rows(table.detach().contiguous().numpy(), codes.numpy(), out)
        return torch.from_numpy(out)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        (codes,) = ctx.saved_tensors
        return _Spread.apply(gradient, codes, ctx.shape), None


class _Spread(torch.autograd.Function):  # type: ignore[misc]
    """The gradient of the sum, and its own, which TRPO asks for: it is linear."""

    @staticmethod
    def forward(ctx: Any, gradient: Tensor, codes: Tensor, shape: torch.Size) -> Tensor:
        ctx.save_for_backward(codes)
        out = np.zeros(shape, np.float32)
        _spread_rows(gradient.detach().contiguous().numpy(), codes.numpy(), out)
        return torch.from_numpy(out)

    @staticmethod
    def backward(ctx: Any, table: Tensor) -> tuple[Tensor, None, None]:
        (codes,) = ctx.saved_tensors
        return _Sum.apply(table, codes), None, None


@kernel
def _add_rows(table: Any, codes: Any, out: Any) -> None:
    for i in range(len(codes)):
        total = out[i]
        for k in range(codes.shape[1]):
            code = codes[i, k]
            if code != 0:
                row = table[code]
                for column in range(len(row)):
                    total[column] += row[column]


@kernel
def _spread_rows(gradient: Any, codes: Any, out: Any) -> None:
    for i in range(len(codes)):
        given = gradient[i]
        for k in range(codes.shape[1]):
            code = codes[i, k]
            if code != 0:
                row = out[code]
                for column in range(len(given)):
                    row[column] += given[column]
