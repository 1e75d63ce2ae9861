"""Conversion between arrays and the columns of a Parquet table.

A view, 9 × 7 cells, is one value of 63 bytes, an inventory one of 16: lists of numbers would suit
some tools better, but take ten times as long to read. What has names is stored by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mars_logic.data.collection import Trajectories
from mars_logic.data.trajectory import DONE, HIDDEN, SEEN, Privileged, Views, freeze
from mars_logic.world.dialect import AREA, MAXIMUM
from mars_logic.world.fields import shown
from mars_logic.world.vocabulary import Vocabulary

Array = NDArray[Any]
"""Columns and rows of a map."""
_LARGE: Final = 1e9
"""No reward and no counter is larger: with this, sums of them stay finite and exact enough."""
DIRECTIONS: Final = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class Unfit(ValueError):
    """A column has wrong content; the message names it and the allowed content."""

    def __init__(self, found: str, allowed: str):
        super().__init__(f"{found}; allowed: {allowed}")
        self.found, self.allowed = found, allowed


@dataclass(frozen=True)
class Column:
    """One column of the table.

    Attributes:
        type: Its type in Arrow; what is stored by name is a dictionary of texts.
        encode: From an array of N rows.
        decode: To an array of N rows; raises :class:`Unfit`.
    """

    type: pa.DataType
    encode: Callable[[Array], pa.Array]
    decode: Callable[[pa.ChunkedArray], Array]


# --- Kinds of columns ----------------------------------------------------------------------------


def numbers(
    dtype: type[np.generic], least: float = -_LARGE, most: float = _LARGE, allowed: str = "a number"
) -> Column:
    """Numbers in a range, which none is that is not a number or infinite."""

    def decode(column: pa.ChunkedArray) -> Array:
        array: Array = column.to_numpy()
        if dtype is not np.bool_:
            wrong = array[~((array >= least) & (array <= most))]
            if len(wrong):
                raise Unfit(f"there is {wrong[0]:g}", allowed)
        return array

    return Column(pa.from_numpy_dtype(dtype), pa.array, decode)


def rewards() -> Column:
    """Numbers of which sums stay finite and exact enough."""
    return numbers(np.float64, allowed=f"numbers from {-_LARGE:g} to {_LARGE:g}")


def _cells(shape: tuple[int, ...], most: int) -> Column:
    """Bytes, so many in each row, none of them greater than the last code."""
    width = int(np.prod(shape))
    kind = pa.binary(width)

    def encode(array: Array) -> pa.Array:
        flat = np.ascontiguousarray(array)
        return pa.FixedSizeBinaryArray.from_buffers(kind, len(array), [None, pa.py_buffer(flat)])

    def decode(column: pa.ChunkedArray) -> Array:
        parts = [_bytes(chunk, width) for chunk in column.chunks] or [np.empty(0, np.uint8)]
        flat = parts[0] if len(parts) == 1 else np.concatenate(parts)
        if flat.max(initial=0) > most:
            raise Unfit(f"{flat.max()} is too large", f"0 to {most} in each byte")
        return flat.reshape(-1, *shape)

    return Column(kind, encode, decode)


def _bytes(chunk: pa.FixedSizeBinaryArray, width: int) -> NDArray[np.uint8]:
    start = chunk.offset * width
    data = np.frombuffer(chunk.buffers()[1], np.uint8) if len(chunk) else np.empty(0, np.uint8)
    return data[start : start + len(chunk) * width]


_TEXT: Final = pa.dictionary(pa.int32(), pa.string())


def text(codes: Array, texts: tuple[str, ...]) -> pa.Array:
    """A column of texts, given by their positions."""
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(texts, pa.string()))


def _looked_up(column: pa.ChunkedArray, meaning: Mapping[str, Any], dtype: type) -> Array:
    """The numbers for each text of a column."""
    parts = [np.empty((0, *np.shape(next(iter(meaning.values())))), dtype)]
    for chunk in column.chunks:
        held = chunk.dictionary.to_pylist()
        for each in held:
            if each not in meaning:
                raise Unfit(f"unknown {shown(each)}", ", ".join(meaning))
        if held:
            parts.append(
                np.array([meaning[each] for each in held], dtype).take(
                    chunk.indices.to_numpy(), axis=0
                )
            )
    return parts[1] if len(parts) == 2 else np.concatenate(parts)


def words(known: tuple[str, ...], dtype: type) -> Column:
    """Texts in the table, in arrays their places in ``known``."""
    codes = {each: code for code, each in enumerate(known)}
    return Column(
        _TEXT,
        lambda array: text(array, known),
        lambda column: _looked_up(column, codes, dtype),
    )


def _facing() -> Column:
    def encode(array: Array) -> pa.Array:
        x, y = array[:, 0], array[:, 1]
        return text(np.where(x != 0, x > 0, 2 + (y > 0)).astype(np.int32), tuple(DIRECTIONS))

    return Column(_TEXT, encode, lambda column: _looked_up(column, DIRECTIONS, np.int8))


_LIST: Final = pa.list_(pa.field("element", pa.string(), nullable=False))


def _unlocked(known: tuple[str, ...]) -> Column:
    """Names of achievements, mostly none."""
    codes = {each: code for code, each in enumerate(known)}

    def encode(array: Array) -> pa.Array:
        offsets = np.concatenate([[0], np.cumsum(array.sum(axis=1))]).astype(np.int32)
        values = pa.array([known[code] for code in np.nonzero(array)[1]], pa.string())
        return pa.ListArray.from_arrays(offsets, values, type=_LIST)

    def decode(column: pa.ChunkedArray) -> Array:
        flags = np.zeros((len(column), len(known)), np.bool_)
        if not len(column):
            return flags
        lengths = np.concatenate([np.diff(chunk.offsets.to_numpy()) for chunk in column.chunks])
        held = pa.chunked_array([chunk.flatten() for chunk in column.chunks])
        if held.null_count:
            raise Unfit("something is missing", "names alone")
        flags[np.repeat(np.arange(len(lengths)), lengths), _looked_up(held, codes, np.intp)] = True
        return flags

    return Column(_LIST, encode, decode)


# --- The table -----------------------------------------------------------------------------------


def _seen(names_of: Vocabulary) -> dict[str, Column]:
    return {
        "materials": _cells(SEEN["materials"][1], len(names_of.materials) - 1),
        "objects": _cells(SEEN["objects"][1], len(names_of.looks) - 1),
        "inventory": _cells((len(names_of.items),), MAXIMUM),
        "facing": _facing(),
        "sleeping": numbers(np.bool_),
        "daylight": numbers(np.float64, 0, 1, "numbers from 0 to 1"),
    }


_PLACES: Final = dict.fromkeys(("x", "y"), (0, AREA - 1, f"whole numbers from 0 to {AREA - 1}"))
_HIDDEN: Final[dict[str, Column]] = {
    name: numbers(dtype, *_PLACES.get(name, (-_LARGE, 2**32, "a number")))
    for name, (dtype, _) in HIDDEN.items()
}


def columns(names_of: Vocabulary, *, privileged: bool) -> dict[str, Column]:
    """The columns that hold arrays, in their order.

    Args:
        names_of: The vocabulary of all episodes.
        privileged: Whether privileged columns are among them.
    """
    seen = _seen(names_of)
    done = {
        "action": words(names_of.actions, np.uint8),
        "reward": rewards(),
        "unlocked": _unlocked(names_of.achievements),
        "terminated": numbers(np.bool_),
        "truncated": numbers(np.bool_),
    }
    hidden = _HIDDEN if privileged else {}
    return (
        {f"before_{name}": column for name, column in seen.items()}
        | done
        | {f"after_{name}": column for name, column in seen.items()}
        | {f"privileged_{name}": column for name, column in hidden.items()}
    )


def arrays_of(kept: Trajectories) -> dict[str, Array]:
    """The array of each column."""
    hidden = kept.privileged.arrays if kept.privileged is not None else {}
    return (
        {f"before_{name}": array for name, array in kept.before.arrays.items()}
        | kept.done_arrays
        | {f"after_{name}": array for name, array in kept.after.arrays.items()}
        | {f"privileged_{name}": array for name, array in hidden.items()}
    )


def parts_of(arrays: Mapping[str, Array]) -> dict[str, Any]:
    """The parts of a collection, from the array of each column."""

    def group(prefix: str, layout: Any) -> dict[str, Array]:
        return freeze({name: arrays[f"{prefix}_{name}"] for name in layout})

    privileged = any(name.startswith("privileged_") for name in arrays)
    return {
        "before": Views(**group("before", SEEN)),
        "after": Views(**group("after", SEEN)),
        "privileged": Privileged(**group("privileged", HIDDEN)) if privileged else None,
        **freeze({name: arrays[name] for name in DONE}),
    }
