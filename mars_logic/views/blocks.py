"""Copying of tiles, the main cost of drawing.

A loop over single bytes costs twenty times as much as this: the compiler cannot know that source
and target do not overlap. So sixteen bytes are loaded and stored at once.
"""

from __future__ import annotations

from typing import Any, Final

import numba.extending
from llvmlite import ir
from numba import types

from mars_logic.kernel import kernel

CHUNK: Final = 16
"""Bytes that are copied at once."""


def _copier(count: int) -> Any:
    """A function ``copy(target, at, source, start)`` on flat uint8 arrays, for so many bytes."""
    vector = ir.VectorType(ir.IntType(8), count)

    def copy(typing: Any, target: Any, at: Any, source: Any, start: Any) -> Any:  # noqa: ARG001
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            def place(which: int) -> Any:
                array = context.make_array(signature.args[which])
                data = array(context, builder, values[which]).data
                first = builder.gep(data, [values[which + 1]])
                return builder.bitcast(first, vector.as_pointer())

            builder.store(builder.load(place(2), align=1), place(0), align=1)
            return context.get_dummy_value()

        return types.void(target, types.intp, source, types.intp), code

    return numba.extending.intrinsic(copy)


copy_one: Any = _copier(CHUNK)
copy_two: Any = _copier(2 * CHUNK)


@kernel
def lay_tiles(
    tiles: Any, source: Any, width: int, height: int, target: Any, first: int, stride: int
) -> None:
    """Copy tiles into a picture, side by side.

    Args:
        tiles: int64[rows, columns]: which tile is to be where.
        source: uint8[...], flat: the tiles one after the other, each row by row, and at least
            ``2 * CHUNK`` more bytes of any value.
        width: Of a tile, in bytes.
        height: Of a tile, in rows.
        target: uint8[...], flat: the picture.
        first: The place of the first tile's first byte in it.
        stride: Bytes from one row of the picture to the next.
    """
    rest = width - CHUNK
    for row in range(tiles.shape[0]):
        for column in range(tiles.shape[1]):
            start = tiles[row, column] * width * height
            at = first + row * height * stride + column * width
            if rest < 0:
                for _ in range(height):
                    for i in range(width):
                        target[at + i] = source[start + i]
                    at += stride
                    start += width
            elif rest <= CHUNK and column < tiles.shape[1] - 1:
                # What is written beyond the tile is overwritten by its neighbour to the right.
                for _ in range(height):
                    copy_two(target, at, source, start)
                    at += stride
                    start += width
            else:
                for _ in range(height):
                    for i in range(0, rest, CHUNK):
                        copy_one(target, at + i, source, start + i)
                    # It overlaps the one before, so that nothing beyond the tile is touched.
                    copy_one(target, at + rest, source, start + rest)
                    at += stride
                    start += width
