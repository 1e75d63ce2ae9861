"""One vector instruction at a time, for the few loops that the compiler cannot vectorise by itself.

A loop of sixteen steps over two arrays stays scalar, because the compiler must assume that the
arrays overlap. ``add_products`` says what is meant. A processor with narrower registers takes
several instructions for it.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

LANES: Final = 16
"""Numbers in single precision of a vector: those of the widest registers there are."""

_VECTOR: Final = ir.VectorType(ir.FloatType(), LANES)
_COUNT: Final = ir.Constant(_VECTOR, [float(lane) for lane in range(LANES)])
_BYTES: Final = 4
_FUSED: Final = f"llvm.fmuladd.v{LANES}f32"
"""A product and a sum, rounded once where the processor can do that, else twice."""
_insert: Any = cgutils.get_or_insert_function  # numba has no types


def _add_products(
    _: Any, sums: Any, first: Any, factors: Any, start: Any, constant: Any, slope: Any
) -> Any:
    """What numba asks for: the types, and a function that generates the instructions."""
    del first, start, constant, slope
    signature = types.void(sums, types.int64, factors, types.int64, types.float32, types.float32)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def place(array: int, index: int) -> Any:
            kind = signature.args[array]
            data = context.make_array(kind)(context, builder, arguments[array]).data
            pointer = builder.gep(data, [arguments[index]])
            return builder.bitcast(pointer, _VECTOR.as_pointer())

        kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
        fused = _insert(builder.module, kind, _FUSED)
        where = place(0, 1)
        constants, slopes = (_filled(builder, arguments[number]) for number in (4, 5))
        line = builder.call(fused, [slopes, _COUNT, constants])
        products = [builder.load(place(2, 3), align=_BYTES), line]
        added = builder.call(fused, [*products, builder.load(where, align=_BYTES)])
        builder.store(added, where, align=_BYTES)
        return context.get_dummy_value()

    return signature, generate


add_products: Any = intrinsic(_add_products)
"""``add_products(sums, first, factors, start, constant, slope)``, in kernels.

It does ``sums[first + i] += factors[start + i] * (constant + slope * i)`` for the LANES lanes i.
Sums and factors are contiguous arrays of float32, whose bounds are not tested; constant and slope
are float32.
"""


def _filled(builder: Any, number: Any) -> Any:
    """A vector of the same number in every lane."""
    empty = ir.Constant(_VECTOR, ir.Undefined)
    one = builder.insert_element(empty, number, ir.Constant(ir.IntType(32), 0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, empty, lanes)
