"""Copying of tiles, the main cost of drawing.

A loop over single bytes costs twenty times as much as this: the compiler cannot know that source
and target do not overlap. So sixteen bytes are loaded and stored at once.
"""

from __future__ import annotations

from typing import Any, Final

import numba.extending
from llvmlite import ir
from numba import types

from mars_logic.compiled.kernel import kernel
from mars_logic.world.dialect import VIEW_WIDTH

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
        tiles: int64[rows, VIEW_WIDTH]: which tile is to be where.
        source: uint8[...], flat: the tiles one after the other, each row by row, and at least
            ``2 * CHUNK`` more bytes of any value.
        width: Of a tile, in bytes.
        height: Of a tile, in rows.
        target: uint8[...], flat: the picture.
        first: The place of the first tile's first byte in it.
        stride: Bytes from one row of the picture to the next.
    """
    size, rest, last = width * height, width - CHUNK, VIEW_WIDTH - 1
    for row in range(tiles.shape[0]):
        for line in range(height):
            at = first + (row * height + line) * stride
            offset = line * width
            if rest < 0:
                for column in range(last + 1):
                    start = tiles[row, column] * size + offset
                    for i in range(width):
                        target[at + i] = source[start + i]
                    at += width
            else:
                if rest <= CHUNK:
                    # The neighbour to the right overwrites the bytes beyond a tile.
                    for column in range(last):
                        copy_two(target, at, source, tiles[row, column] * size + offset)
                        at += width
                for column in range(last if rest <= CHUNK else 0, last + 1):
                    start = tiles[row, column] * size + offset
                    for i in range(0, rest, CHUNK):
                        copy_one(target, at + i, source, start + i)
                    # It overlaps the one before, so that nothing beyond the tile is touched.
                    copy_one(target, at + rest, source, start + rest)
                    at += width
