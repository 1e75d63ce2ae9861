"""Laying tiles, which is most of what drawing is.

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


def _copy_chunk(typing: Any, target: Any, at: Any, source: Any, start: Any) -> Any:  # noqa: ARG001
    """The type and the code of ``copy_chunk(target, at, source, start)`` on flat uint8 arrays."""
    vector = ir.VectorType(ir.IntType(8), CHUNK)

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        def place(array: int) -> Any:
            data = context.make_array(signature.args[array])(context, builder, values[array]).data
            first = builder.gep(data, [values[array + 1]])
            return builder.bitcast(first, vector.as_pointer())

        builder.store(builder.load(place(2), align=1), place(0), align=1)
        return context.get_dummy_value()

    return types.void(target, types.intp, source, types.intp), code


copy_chunk: Any = numba.extending.intrinsic(_copy_chunk)


@kernel
def lay_tiles(
    tiles: Any, source: Any, width: int, height: int, target: Any, first: int, stride: int
) -> None:
    """Copy tiles into a picture, side by side.

    Args:
        tiles: int64[columns, rows]: which tile is to be where.
        source: uint8[...], flat: the tiles one after the other, each row by row.
        width: Of a tile, in bytes.
        height: Of a tile, in rows.
        target: uint8[...], flat: the picture.
        first: The place of the first tile's first byte in it.
        stride: Bytes from one row of the picture to the next.
    """
    last = width - CHUNK
    for column in range(tiles.shape[0]):
        for row in range(tiles.shape[1]):
            start = tiles[column, row] * width * height
            at = first + row * height * stride + column * width
            if last < 0:
                for _ in range(height):
                    for i in range(width):
                        target[at + i] = source[start + i]
                    at += stride
                    start += width
            elif last <= CHUNK:  # without an inner loop, as this is by far the most used size
                for _ in range(height):
                    copy_chunk(target, at, source, start)
                    copy_chunk(target, at + last, source, start + last)
                    at += stride
                    start += width
            else:
                for _ in range(height):
                    for i in range(0, last, CHUNK):
                        copy_chunk(target, at + i, source, start + i)
                    # It overlaps the one before, so that nothing beyond the row is touched.
                    copy_chunk(target, at + last, source, start + last)
                    at += stride
                    start += width
