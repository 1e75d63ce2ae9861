"""Mixing of tiles in the light of an hour: many bytes at once, in sixteen bits each.

The compiler would mix number by number, since it cannot know that source and target do not overlap.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba.extending
import numpy as np
from llvmlite import ir
from numba import types

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.views.blocks import CHUNK
from mars_logic.world.dialect import VIEW_WIDTH

FULL: Final = 256
"""A share of 1, in the whole numbers that colours are mixed with."""
SHIFT: Final = 8
"""The bits of a share."""


class Noise(NamedTuple):
    """The noise that an image is hidden behind.

    Attributes:
        noisy: The share of noise where it hides most, in 256ths.
        hidden: uint8[...]: how much noise hides of each byte of the view, in 256ths of ``noisy``.
        noise: uint8[...]: the noise.
        noise_from: The place in it of the view's first byte.
    """

    noisy: int
    hidden: Any
    noise: Any
    noise_from: int


class _Code:
    """Writes the instructions of one call, on vectors of so many bytes."""

    def __init__(
        self, count: int, context: Any, builder: Any, signature: Any, arguments: Any
    ) -> None:
        self.builder, self.arguments = builder, arguments
        self._context, self._kinds = context, signature.args
        self.bytes = ir.VectorType(ir.IntType(8), count)
        self.wide = ir.VectorType(ir.IntType(16), count)

    def place(self, array: int, index: int, vector: ir.VectorType) -> Any:
        """Where the vector begins, in an argument, at the index that is another."""
        make = self._context.make_array(self._kinds[array])
        data = make(self._context, self.builder, self.arguments[array]).data
        first = self.builder.gep(data, [self.arguments[index]])
        return self.builder.bitcast(first, vector.as_pointer())

    def load(self, array: int, index: int) -> Any:
        """The bytes there, as numbers of sixteen bits."""
        return self.builder.zext(
            self.builder.load(self.place(array, index, self.bytes), align=1), self.wide
        )

    def filled(self, argument: int) -> Any:
        """A vector of the same number in every lane."""
        number = self.builder.trunc(self.arguments[argument], ir.IntType(16))
        empty = ir.Constant(self.wide, ir.Undefined)
        one = self.builder.insert_element(empty, number, ir.Constant(ir.IntType(32), 0))
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), self.wide.count), [0] * self.wide.count)
        return self.builder.shuffle_vector(one, empty, lanes)

    def constant(self, number: int) -> Any:
        """A vector of a constant."""
        return ir.Constant(self.wide, [number] * self.wide.count)


def _mixer(count: int) -> Any:
    """A function of so many bytes of an image: see :func:`_mix_byte`."""

    def mix(
        typing: Any,  # noqa: ARG001
        target: Any,
        at: Any,  # noqa: ARG001
        lit: Any,
        night: Any,
        start: Any,  # noqa: ARG001
        hidden: Any,
        noise: Any,
        noise_from: Any,  # noqa: ARG001
        noisy: Any,  # noqa: ARG001
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = _Code(count, context, builder, signature, arguments)
            shift = code.constant(SHIFT)
            hidden = builder.lshr(builder.mul(code.load(5, 1), code.filled(8)), shift)
            # The difference may be negative; modulo 2**16 the sum is right all the same.
            behind = builder.mul(builder.sub(code.load(6, 7), code.load(3, 4)), hidden)
            mixed = builder.add(builder.load(code.place(2, 4, code.wide), align=2), behind)
            narrow = builder.trunc(builder.lshr(mixed, shift), code.bytes)
            builder.store(narrow, code.place(0, 1, code.bytes), align=1)
            return context.get_dummy_value()

        wide = types.int64
        arrays = (target, wide, lit, night, wide, hidden, noise, wide)
        return types.void(*arrays, wide), generate

    return numba.extending.intrinsic(mix)


_mix_one: Any = _mixer(CHUNK)
_mix_two: Any = _mixer(2 * CHUNK)


@kernel
def mix_tiles(
    tiles: Any,
    lit: Any,
    night: Any,
    width: int,
    height: int,
    target: Any,
    first: int,
    stride: int,
    behind: Noise,
) -> None:
    """Lay tiles into a view as :func:`~mars_logic.views.blocks.lay_tiles` does, in some behind.

    Args:
        tiles: int64[rows, VIEW_WIDTH]: which tile is to be where.
        lit: uint16[...], flat: the tiles in this light without noise, of :func:`fade`, with more
            bytes as there.
        night: uint8[...], flat: the tiles by night.
        width: Of a tile, in bytes.
        height: Of a tile, in rows.
        target: uint8[...], flat: the view.
        first: The place of the first tile's first byte in it.
        stride: Bytes from one row of the view to the next.
        behind: The noise.
    """
    noisy, hidden, noise, noise_from = behind
    size, rest, last = width * height, width - CHUNK, VIEW_WIDTH - 1
    for row in range(tiles.shape[0]):
        for line in range(height):
            at = first + (row * height + line) * stride
            offset = line * width
            if rest < 0:
                for column in range(last + 1):
                    start = tiles[row, column] * size + offset
                    for i in range(width):
                        _mix_byte(target, at + i, lit, night, start + i, behind)
                    at += width
            else:
                if rest <= CHUNK:
                    for column in range(last):
                        start = tiles[row, column] * size + offset
                        noise_at = noise_from + at
                        _mix_two(target, at, lit, night, start, hidden, noise, noise_at, noisy)
                        at += width
                for column in range(last if rest <= CHUNK else 0, last + 1):
                    start = tiles[row, column] * size + offset
                    for i in range(0, rest, CHUNK):
                        places = target, at + i, lit, night, start + i
                        _mix_one(*places, hidden, noise, noise_from + at + i, noisy)
                    places = target, at + rest, lit, night, start + rest
                    _mix_one(*places, hidden, noise, noise_from + at + rest, noisy)
                    at += width


@inline_kernel
def _mix_byte(target: Any, at: int, lit: Any, night: Any, start: int, behind: Noise) -> None:
    hidden = (int(behind.hidden[at]) * behind.noisy) >> SHIFT
    difference = int(behind.noise[behind.noise_from + at]) - int(night[start])
    target[at] = np.uint8((int(lit[start]) + difference * hidden) >> SHIFT)


@kernel
def fade(lit: Any, day: Any, night: Any, share: int, shift: int) -> None:
    """Mix two looks of a tile.

    Args:
        lit: uint8[bytes] or uint16[bytes]: to be filled.
        day: uint8[bytes]: by day.
        night: uint8[bytes]: by night.
        share: That of the night, in 256ths.
        shift: 8 for the colours; 0 for 256 times them, into which noise is then mixed exactly.
    """
    kept = FULL - share
    for i in range(len(lit)):
        lit[i] = (int(day[i]) * kept + int(night[i]) * share) >> shift
