"""Files that are well formed, with contents that cannot be: JSON documents, tables, arrays."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile.kinds import CONTROL

VALUES: Final[dict[str, Any]] = {
    "null": None,
    "negative": -1,
    "huge": 2**70,
    "infinite": float("inf"),
    "text": CONTROL,
    "list": [None],
    "object": {CONTROL: {}},
}
"""Values of no use to any field, or nearly any."""
_HUGE: Final = 30_000_000


def changed_json(valid: bytes) -> Iterator[tuple[str, bytes]]:
    """A JSON document with each of its fields, and of fields in them, missing or of no use."""
    document = json.loads(valid)
    for place in _places(document):
        yield f"{'.'.join(map(str, place))} missing", _json(_without(document, place))
        for name, value in VALUES.items():
            yield f"{'.'.join(map(str, place))} {name}", _json(_with(document, place, value))


def _places(document: Any) -> Iterator[tuple[str | int, ...]]:
    """The places of fields, at most two deep; of lists, their first elements."""
    for name in _names(document):
        yield (name,)
        for inner in _names(document[name]):
            yield (name, inner)


def _names(value: Any) -> list[str | int]:
    if isinstance(value, dict):
        return [*value]
    return [0] if isinstance(value, list) and value else []


def _with(document: Any, place: tuple[str | int, ...], value: Any) -> Any:
    copy = json.loads(json.dumps(document))
    inner = copy
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = value
    return copy


def _without(document: Any, place: tuple[str | int, ...]) -> Any:
    copy = _with(document, place, None)
    inner = copy
    for name in place[:-1]:
        inner = inner[name]
    del inner[place[-1]]
    return copy


def _json(document: Any) -> bytes:
    return json.dumps(document).encode()


# --- Tables --------------------------------------------------------------------------------------


def changed_columns(valid: bytes) -> Iterator[tuple[str, bytes]]:
    """A table with each of its columns missing, null, of another type, or of wrong values."""
    table = pq.read_table(io.BytesIO(valid))
    for number, name in enumerate(table.column_names):
        yield f"{name} missing", _parquet(table.remove_column(number))
        for what, column in _columns(table.column(number), table.num_rows):
            field = pa.field(name, column.type)
            yield f"{name} {what}", _parquet(table.set_column(number, field, column))


def _columns(column: pa.ChunkedArray, rows: int) -> Iterator[tuple[str, pa.Array]]:
    kind = column.type
    yield "null", pa.nulls(rows, kind)
    yield "as text", pa.array([CONTROL] * rows)
    if pa.types.is_integer(kind):
        least, most = (np.iinfo(kind.to_pandas_dtype()).min, np.iinfo(kind.to_pandas_dtype()).max)
        yield "least", pa.array([least] * rows, kind)
        yield "most", pa.array([most] * rows, kind)
    elif pa.types.is_floating(kind):
        for number in (float("nan"), float("inf"), 1e308 if kind == pa.float64() else 3e38):
            yield str(number), pa.array([number] * rows, kind)
    elif pa.types.is_fixed_size_binary(kind):
        yield "bytes 255", pa.array([b"\xff" * kind.byte_width] * rows, kind)
        yield "as bytes", pa.array([b""] * rows, pa.binary())
    elif pa.types.is_string(kind):
        yield (
            "not UTF-8",
            pa.Array.from_buffers(
                pa.string(),
                rows,
                [
                    None,
                    pa.py_buffer(np.arange(0, 2 * rows + 1, 2, np.int32)),
                    pa.py_buffer(b"\xff\xfe" * rows),
                ],
            ),
        )


def changed_tables(valid: bytes) -> Iterator[tuple[str, bytes]]:
    """A table with other metadata, rows or sizes."""
    table = pq.read_table(io.BytesIO(valid))
    told = table.schema.metadata or {}
    yield "no metadata", _parquet(table.replace_schema_metadata({}))
    for key, value in told.items():
        for what, other in (
            ("empty", b""),
            ("not UTF-8", b"\xff\xfe"),
            ("text", CONTROL.encode()),
            ("deep", b"[" * 100_000),
            ("a list", b"[1]"),
            ("half", value[: len(value) // 2]),
        ):
            yield f"metadata {what}", _parquet(table.replace_schema_metadata({key: other}))
        if value.startswith(b"{"):
            for what, document in changed_json(value):
                if what.count(".") == 0:
                    yield (
                        f"metadata {what}",
                        _parquet(table.replace_schema_metadata({key: document})),
                    )
    yield "no rows", _parquet(table.slice(0, 0))
    yield "no columns", _parquet(table.select([]))
    yield "rows twice", _parquet(pa.concat_tables([table, table]))
    yield "rows reversed", _parquet(table.take(list(range(table.num_rows))[::-1]))
    yield "a column twice", _parquet(table.append_column(table.schema.field(0), table.column(0)))
    yield (
        "1,000 more columns",
        _parquet(
            pa.table(
                [*table.columns, *[pa.array([CONTROL] * table.num_rows)] * 1000],
                [*table.column_names, *(f"c{n}\x1b[31m" for n in range(1000))],
            ).replace_schema_metadata(told)
        ),
    )
    yield "another table", _parquet(pa.table({"a": [1, 2, 3]}))


def huge_table(path: Path, valid: bytes) -> None:
    """One row 30 million times, in one group: some kilobytes that unpack to gigabytes."""
    table = pq.read_table(io.BytesIO(valid)).slice(0, 1)
    columns = []
    for column in table.columns:
        value = column.combine_chunks()
        indices = pa.array(np.zeros(_HUGE, np.int32))
        small = pa.types.is_string(value.type) or pa.types.is_fixed_size_binary(value.type)
        columns.append(
            pa.DictionaryArray.from_arrays(indices, value) if small else _repeated(value, _HUGE)
        )
    names = table.column_names
    schema = pa.schema(
        [pa.field(n, c.type) for n, c in zip(names, columns, strict=True)],
        metadata=table.schema.metadata,
    )
    pq.write_table(pa.table(columns, schema=schema), path, row_group_size=_HUGE)


def _repeated(value: pa.Array, times: int) -> pa.Array:
    if pa.types.is_nested(value.type):
        return pa.nulls(times, value.type)
    return pa.repeat(value[0], times)


def long_strings(path: Path, valid: bytes) -> None:
    """A table whose strings take gigabytes, each row the same megabyte."""
    table = pq.read_table(io.BytesIO(valid))
    number = next(n for n, field in enumerate(table.schema) if pa.types.is_string(field.type))
    rows = 4000
    one = table.take([0] * rows)
    text = pa.DictionaryArray.from_arrays(
        pa.array(np.zeros(rows, np.int32)), pa.array(["x" * 1_000_000])
    )
    field = pa.field(table.column_names[number], text.type)
    path.write_bytes(_parquet(one.set_column(number, field, text)))


def _parquet(table: pa.Table) -> bytes:
    written = io.BytesIO()
    pq.write_table(table, written)
    return written.getvalue()


# --- Arrays --------------------------------------------------------------------------------------


def changed_arrays(valid: bytes) -> Iterator[tuple[str, bytes]]:
    """A recording with each of its arrays missing, empty, or of another type or shape."""
    with np.load(io.BytesIO(valid)) as found:
        arrays = {name: found[name] for name in found.files}
    for name, array in arrays.items():
        yield f"{name} missing", _npz({n: a for n, a in arrays.items() if n != name})
        yield f"{name} empty", _npz(arrays | {name: array[:0]})
        yield f"{name} as text", _npz(arrays | {name: np.array([CONTROL])})
        yield f"{name} as numbers", _npz(arrays | {name: np.full(array.shape, np.nan)})
        yield f"{name} flat", _npz(arrays | {name: array.ravel()[:1]})
        yield f"{name} extreme", _npz(arrays | {name: _extreme(array)})


def _extreme(array: Any) -> Any:
    if array.dtype.kind in "iu":
        return np.full_like(array, np.iinfo(array.dtype).max)
    return np.full_like(array, np.inf)


def bomb(path: Path, valid: bytes) -> None:
    """A recording of some megabytes with an array that unpacks to two gigabytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        with zipfile.ZipFile(io.BytesIO(valid)) as old:
            for name in old.namelist():
                if name != "init_map.npy":
                    out.writestr(name, old.read(name))
        with out.open("init_map.npy", "w", force_zip64=True) as member:
            header = {"descr": "|u1", "fortran_order": False, "shape": (2_000_000_000,)}
            np.lib.format.write_array_header_2_0(member, header)
            zeros = bytes(1 << 24)
            for _ in range(2_000_000_000 >> 24):
                member.write(zeros)


def pickled(path: Path, valid: bytes) -> None:
    """A recording with an array of Python objects."""
    with np.load(io.BytesIO(valid)) as found:
        arrays = {name: found[name] for name in found.files}
    np.savez(path, allow_pickle=True, **(arrays | {"action": np.array([{}], object)}))


def _npz(arrays: dict[str, Any]) -> bytes:
    written = io.BytesIO()
    np.savez_compressed(written, **arrays)
    return written.getvalue()
