"""Vector instructions, for the few loops that the compiler cannot vectorise by itself.

A loop of sixteen steps over two arrays stays scalar, because the compiler must assume that the
arrays overlap; and it never collects the results of comparisons as bits. The functions here say
what is meant, in the compiler's own terms. A processor with narrower registers takes several
instructions for one of them. Arrays are contiguous, and their bounds are not tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

LANES: Final = 16
"""Numbers in single precision of a vector: those of the widest registers there are."""
BYTES: Final = 64
"""Bytes of such a vector: places of which :func:`bits_near` tells."""

_FLOATS: Final = ir.VectorType(ir.FloatType(), LANES)
_COUNT: Final = ir.Constant(_FLOATS, [float(lane) for lane in range(LANES)])
_FUSED: Final = f"llvm.fmuladd.v{LANES}f32"
"""A product and a sum, rounded once where the processor can do that, else twice."""
_WORD: Final = ir.IntType(64)
_insert: Any = cgutils.get_or_insert_function  # numba has no types


class _Code:
    """Writes the instructions of one call."""

    def __init__(
        self, context: Any, builder: Any, signature: Any, arguments: Sequence[Any]
    ) -> None:
        self.builder = builder
        self.arguments = arguments
        self._context = context
        self._kinds = signature.args

    def place(self, array: int, index: Any, vector: ir.VectorType) -> Any:
        """Where a vector begins, in the array that is the argument of a number."""
        make = self._context.make_array(self._kinds[array])
        data = make(self._context, self.builder, self.arguments[array]).data
        start = self.builder.bitcast(data, vector.element.as_pointer())
        pointer = self.builder.gep(start, [index])
        return self.builder.bitcast(pointer, vector.as_pointer())

    def load(self, place: Any) -> Any:
        """A vector from a place that is aligned for its numbers alone."""
        lane = place.type.pointee.element
        return self.builder.load(place, align=4 if isinstance(lane, ir.FloatType) else 1)

    def filled(self, number: Any, vector: ir.VectorType) -> Any:
        """A vector of the same number in every lane."""
        empty = ir.Constant(vector, ir.Undefined)
        one = self.builder.insert_element(empty, number, ir.Constant(ir.IntType(32), 0))
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
        return self.builder.shuffle_vector(one, empty, lanes)

    def filled_byte(self, argument: int, vector: ir.VectorType) -> Any:
        """A vector of an argument, an integer that fits into a byte."""
        byte = self.builder.trunc(self.arguments[argument], ir.IntType(8))
        return self.filled(byte, vector)

    def first_lanes(self, argument: int, vector: ir.VectorType) -> Any:
        """Truths: whether a lane is among the first ones, as many as an argument says."""
        lanes = ir.Constant(vector, list(range(vector.count)))
        return self.builder.icmp_unsigned("<", lanes, self.filled_byte(argument, vector))

    def store_some(self, bytes_: Any, place: Any, chosen: Any) -> None:
        """Store the chosen bytes of a vector."""
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [bytes_.type, place.type, number, chosen.type])
        function = _insert(self.builder.module, kind, f"llvm.masked.store.v{LANES}i8.p0")
        self.builder.call(function, [bytes_, place, ir.Constant(number, 1), chosen])

    def bits(self, truths: Any) -> Any:
        """An integer of 64 bits: bit i for lane i."""
        bits = self.builder.bitcast(truths, ir.IntType(truths.type.count))
        return bits if bits.type.width == _WORD.width else self.builder.zext(bits, _WORD)


def _add_rows(
    _: Any,
    sums: Any,
    first: Any,
    stride: Any,
    factors: Any,
    start: Any,
    rows: Any,
    constant: Any,
    down: Any,
    along: Any,
) -> Any:
    del first, stride, start, rows, constant, down, along
    wide = [types.int64] * 2
    signature = types.void(sums, *wide, factors, *wide, *[types.float32] * 3)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        code = _Code(context, builder, signature, arguments)
        fused = _insert(builder.module, ir.FunctionType(_FLOATS, [_FLOATS] * 3), _FUSED)
        first = code.place(0, arguments[1], _FLOATS)
        factors = code.place(3, arguments[4], _FLOATS)
        constant, down, along = (code.filled(each, _FLOATS) for each in arguments[6:])
        line = builder.call(fused, [along, _COUNT, constant])
        before = builder.block
        loop, after = (builder.append_basic_block(name) for name in ("rows", "done"))
        builder.branch(loop)
        builder.position_at_end(loop)
        where, left = builder.phi(first.type), builder.phi(_WORD)
        height, its = builder.phi(factors.type), builder.phi(_FLOATS)
        added = builder.call(fused, [code.load(height), its, code.load(where)])
        builder.store(added, where, align=4)
        fewer = builder.sub(left, _WORD(1))
        floats = ir.FloatType().as_pointer()
        under = builder.gep(builder.bitcast(where, floats), [arguments[2]])
        steps = (
            (where, first, builder.bitcast(under, first.type)),
            (left, arguments[5], fewer),
            (height, factors, builder.gep(height, [_WORD(1)])),
            (its, line, builder.fadd(its, down)),
        )
        for value, begin, following in steps:
            value.add_incoming(begin, before)
            value.add_incoming(following, loop)
        builder.cbranch(builder.icmp_signed(">", fewer, _WORD(0)), loop, after)
        builder.position_at_end(after)
        return context.get_dummy_value()

    return signature, generate


def _bits_near(_: Any, xs: Any, ys: Any, first: Any, x: Any, y: Any, limit: Any) -> Any:
    del first, x, y, limit
    signature = types.int64(xs, ys, *[types.int64] * 4)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        code = _Code(context, builder, signature, arguments)
        vector = ir.VectorType(ir.IntType(8), BYTES)

        def distances(array: int, centre: int) -> Any:
            places = code.load(code.place(array, arguments[2], vector))
            ahead = builder.sub(places, code.filled_byte(centre, vector))
            behind = builder.neg(ahead)
            return builder.select(builder.icmp_signed(">", ahead, behind), ahead, behind)

        far = builder.add(distances(0, 3), distances(1, 4))
        return code.bits(builder.icmp_signed("<", far, code.filled_byte(5, vector)))

    return signature, generate


def _bits_equal(_: Any, bytes_: Any, first: Any, mask: Any, value: Any) -> Any:
    del first, mask, value
    signature = types.int64(bytes_, *[types.int64] * 3)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        code = _Code(context, builder, signature, arguments)
        vector = ir.VectorType(ir.IntType(8), LANES)
        found = code.load(code.place(0, arguments[1], vector))
        masked = builder.and_(found, code.filled_byte(2, vector))
        return code.bits(builder.icmp_unsigned("==", masked, code.filled_byte(3, vector)))

    return signature, generate


def _split(
    _: Any, bytes_: Any, first: Any, low: Any, high: Any, where: Any, count: Any, limit: Any
) -> Any:
    del first, where, count, limit
    wide = types.int64
    signature = types.int64(bytes_, wide, low, high, wide, wide, wide)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        code = _Code(context, builder, signature, arguments)
        vector = ir.VectorType(ir.IntType(8), LANES)
        found = code.load(code.place(0, arguments[1], vector))
        chosen = code.first_lanes(5, vector)
        halves = (
            builder.and_(found, ir.Constant(vector, [15] * LANES)),
            builder.lshr(found, ir.Constant(vector, [4] * LANES)),
        )
        for array, half in zip((2, 3), halves, strict=True):
            code.store_some(half, code.place(array, arguments[4], vector), chosen)
        large = builder.icmp_unsigned(">=", found, code.filled_byte(6, vector))
        return code.bits(builder.and_(large, chosen))

    return signature, generate


def _copy_some(_: Any, bytes_: Any, first: Any, copy: Any, where: Any, count: Any) -> Any:
    del first, where, count
    wide = types.int64
    signature = types.void(bytes_, wide, copy, wide, wide)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        code = _Code(context, builder, signature, arguments)
        vector = ir.VectorType(ir.IntType(8), LANES)
        found = code.load(code.place(0, arguments[1], vector))
        code.store_some(found, code.place(2, arguments[3], vector), code.first_lanes(4, vector))
        return context.get_dummy_value()

    return signature, generate


def _loud_words(_: Any, words: Any, first: Any, one: Any, other: Any) -> Any:
    del first, one, other
    signature = types.int64(words, *[types.int64] * 3)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        code = _Code(context, builder, signature, arguments)
        number = ir.IntType(32)
        vector = ir.VectorType(number, LANES)

        def constant(value: int) -> Any:
            return ir.Constant(vector, [value] * LANES)

        def mixed(word: Any, shift: Any, mask: int) -> Any:
            return builder.xor(word, builder.and_(shift, constant(mask)))

        word = code.load(code.place(0, arguments[1], vector))
        word = builder.xor(word, builder.lshr(word, constant(11)))
        word = mixed(word, builder.shl(word, constant(7)), 0x9D2C5680)
        word = mixed(word, builder.shl(word, constant(15)), 0xEFC60000)
        word = builder.lshr(builder.xor(word, builder.lshr(word, constant(18))), constant(5))
        limits = [code.filled(builder.trunc(each, number), vector) for each in arguments[2:]]
        lanes = ir.Constant(vector, [0, 0, LANES, 0] * (LANES // 4))
        limit = builder.shuffle_vector(*limits, lanes)
        loud = builder.icmp_unsigned(">=", word, limit)
        drawn = ir.Constant(loud.type, [1, 0] * (LANES // 2))
        return code.bits(builder.and_(loud, drawn))

    return signature, generate


def _fetch(_: Any, array: Any, byte: Any) -> Any:
    del byte
    signature = types.void(array, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        code = _Code(context, builder, signature, arguments)
        line = code.place(0, arguments[1], ir.VectorType(ir.IntType(8), 1))
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [line.type, *[number] * 3])
        function = _insert(builder.module, kind, "llvm.prefetch.p0")
        # To be written to, into the nearest cache, of data.
        builder.call(function, [line, *[ir.Constant(number, each) for each in (1, 3, 1)]])
        return context.get_dummy_value()

    return signature, generate


def _lowest_bit(_: Any, bits: Any) -> Any:
    del bits

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


def _count_bits(_: Any, bits: Any) -> Any:
    del bits

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


add_rows: Any = intrinsic(_add_rows)
"""``add_rows(sums, first, stride, factors, start, rows, constant, down, along)``.

For each of at least one row r, and the LANES lanes i, it does ``sums[first + stride * r + i] +=
factors[start + LANES * r + i] * (constant + down * r + along * i)``; all numbers are float32, and
``down`` is added once a row.
"""
bits_near: Any = intrinsic(_bits_near)
"""``bits_near(xs, ys, first, x, y, limit)``: bits for BYTES places from the first on.

Bit i tells whether ``abs(xs[first + i] - x) + abs(ys[first + i] - y) < limit``. Coordinates are
int8 of at most 63, and the limit is at most 127.
"""
bits_equal: Any = intrinsic(_bits_equal)
"""``bits_equal(bytes, first, mask, value)``: bits for LANES bytes from the first on.

Bit i tells whether ``bytes[first + i] & mask == value``.
"""
split: Any = intrinsic(_split)
"""``split(bytes, first, low, high, where, count, limit)``: the two halves of up to LANES bytes.

It does ``low[where + i] = bytes[first + i] & 15`` and ``high[where + i] = bytes[first + i] >> 4``
for the first ``count`` i. Bit i of the result tells whether ``bytes[first + i] >= limit``.
"""
copy_some: Any = intrinsic(_copy_some)
"""``copy_some(bytes, first, copy, where, count)``: copy up to LANES bytes.

It does ``copy[where + i] = bytes[first + i]`` for the first ``count`` i.
"""
loud_words: Any = intrinsic(_loud_words)
"""``loud_words(words, first, one, other)``: bits for LANES words of MT19937's state.

Bit i tells whether the first 27 bits of the number that the word gives are at least ``one``, if i
is a multiple of 4, or ``other``, if it is 2 more; odd words are not asked for.
"""
fetch: Any = intrinsic(_fetch)
"""``fetch(array, byte)``: ask the memory for the line of a byte of an array, or beside it.

Nothing waits for it, and nothing happens where there is no memory.
"""
lowest_bit: Any = intrinsic(_lowest_bit)
"""``lowest_bit(bits)``: the number of the lowest bit that is set; 64 if there is none."""
count_bits: Any = intrinsic(_count_bits)
"""``count_bits(bits)``: how many bits are set."""
