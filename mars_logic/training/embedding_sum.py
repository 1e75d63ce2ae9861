"""The sum of the embeddings of an observation's codes, as a layer of a network.

It equals a linear layer on the one-hot encoding of all codes, in a tenth of its time. On a
processor compiled loops do the work, since PyTorch's own layer (``EmbeddingBag``) sorts all codes
before it adds up gradients; on other devices PyTorch's is used.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from mars_logic.kernel import kernel


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
