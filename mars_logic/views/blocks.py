"""Copying short runs of bytes, which is most of what drawing is.

A loop over single bytes costs twenty times as much: the compiler cannot know that source and target
are not the same. So sixteen bytes are loaded and stored at once.
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
def copy_rows(
    target: Any, at: int, stride: int, source: Any, start: int, width: int, rows: int
) -> None:
    """Copy rows of bytes that lie one after the other in ``source``, from ``start`` on.

    Args:
        target: uint8[...], flat; row i goes to ``at + i * stride``.
        at: The place of the first byte.
        stride: Bytes from one row to the next in the target.
        source: uint8[...], flat.
        start: The place of the first byte.
        width: Bytes in a row.
        rows: How many.
    """
    last = width - CHUNK
    for _ in range(rows):
        if last < 0:
            for i in range(width):
                target[at + i] = source[start + i]
        else:
            i = 0
            while i < last:
                copy_chunk(target, at + i, source, start + i)
                i += CHUNK
            # The last chunk overlaps the one before, so that nothing beyond the row is touched.
            copy_chunk(target, at + last, source, start + last)
        at += stride
        start += width
