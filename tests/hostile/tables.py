"""Damages of tables in Parquet."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.hostile import documents
from tests.hostile.damage import Damage
from tests.hostile.kinds import CONTROL

_HUGE: Final = 30_000_000


def of_parquet(valid: bytes) -> Iterator[Damage]:
    """A table with other columns, values, rows, sizes or metadata."""
    table = pq.read_table(io.BytesIO(valid))
    yield from _columns(table)
    yield from _metadata(table)
    yield from _sizes(table)


def _damage(what: str, where: str, make: Callable[[Random], pa.Table]) -> Damage:
    return Damage(what, where, lambda random: written(make(random)))


def _columns(table: pa.Table) -> Iterator[Damage]:
    for number, name in enumerate(table.column_names):

        def replaced(column: pa.Array, n: int = number, name: str = name) -> pa.Table:
            return table.set_column(n, pa.field(name, column.type), column)

        yield _damage("column missing", name, lambda _, n=number: table.remove_column(n))  # type: ignore[misc]
        yield _damage(
            "column of another name",
            name,
            lambda _, n=number: table.rename_columns(  # type: ignore[misc]
                [f"{each}x" if k == n else each for k, each in enumerate(table.column_names)]
            ),
        )
        column = table.column(number)
        for what, make in _others(column.type, table.num_rows):
            yield _damage(what, name, lambda _, m=make, r=replaced: r(m()))  # type: ignore[misc]
        yield _damage(
            "one value of another row",
            name,
            lambda random, c=column, r=replaced: r(_mixed(c, random)),  # type: ignore[misc]
        )
        yield _damage(
            "one value null",
            name,
            lambda random, c=column, r=replaced: r(_with_null(c, random)),  # type: ignore[misc]
        )


def _mixed(column: pa.ChunkedArray, random: Random) -> pa.Array:
    order = [*range(len(column))]
    if order:
        order[random.randrange(len(order))] = random.randrange(len(order))
    return column.combine_chunks().take(pa.array(order, pa.int64()))


def _with_null(column: pa.ChunkedArray, random: Random) -> pa.Array:
    order: list[int | None] = [*range(len(column))]
    if order:
        order[random.randrange(len(order))] = None
    return column.combine_chunks().take(pa.array(order, pa.int64()))


def _others(kind: Any, rows: int) -> Iterator[tuple[str, Callable[[], pa.Array]]]:
    """Other values for a column."""
    yield "column null", lambda: pa.nulls(rows, kind)
    yield "column as text", lambda: pa.array([CONTROL] * rows)
    yield "column as lists", lambda: pa.array([[1, 2]] * rows)
    yield "column as objects", lambda: pa.array([{"a": 1}] * rows)
    yield "column as truth", lambda: pa.array([True] * rows)
    if pa.types.is_integer(kind):
        limits = np.iinfo(kind.to_pandas_dtype())
        for what, number in (("least", limits.min), ("most", limits.max)):
            yield f"column {what}", lambda n=number: pa.array([n] * rows, kind)  # type: ignore[misc]
        yield "column as fractions", lambda: pa.array([0.5] * rows)
    elif pa.types.is_floating(kind):
        most = 1e308 if kind == pa.float64() else 3e38
        for number in (float("nan"), float("inf"), -1.0, most):
            yield f"column {number}", lambda n=number: pa.array([n] * rows, kind)  # type: ignore[misc]
    elif pa.types.is_fixed_size_binary(kind):
        width = kind.byte_width
        yield "column bytes 255", lambda: pa.array([b"\xff" * width] * rows, kind)
        yield "column as bytes", lambda: pa.array([b""] * rows, pa.binary())
    elif pa.types.is_string(kind):
        yield "column of control characters", lambda: pa.array([CONTROL] * rows)
        yield "column of huge texts", lambda: pa.array(["x" * 100_000] * min(rows, 100))
        yield "column not UTF-8", lambda: _no_utf_8(rows)
    elif pa.types.is_list(kind):
        yield "column of empty lists", lambda: pa.array([[]] * rows, kind)
        if kind.value_field.nullable:
            yield "column of lists of null", lambda: pa.array([[None]] * rows, kind)


def _no_utf_8(rows: int) -> pa.Array:
    places = pa.py_buffer(np.arange(0, 2 * rows + 1, 2, np.int32))
    return pa.Array.from_buffers(
        pa.string(), rows, [None, places, pa.py_buffer(b"\xff\xfe" * rows)]
    )


def _metadata(table: pa.Table) -> Iterator[Damage]:
    told = table.schema.metadata or {}
    yield _damage("no metadata", "", lambda _: table.replace_schema_metadata({}))
    for key, value in told.items():
        others: dict[str, Callable[[Random], bytes]] = {
            "empty": lambda _: b"",
            "not UTF-8": lambda _: b"\xff\xfe",
            "text": lambda _: CONTROL.encode(),
            "deep": lambda _: b"[" * 100_000,
            "a list": lambda _: b"[1]",
            "half": lambda _, value=value: value[: len(value) // 2],  # type: ignore[misc]
        }
        if value[:1] in (b"{", b"["):
            others["damaged"] = lambda random, v=value: documents.changed(v, random)  # type: ignore[misc]
        for what, make in others.items():
            yield _damage(
                f"metadata {what}",
                key.decode(),
                lambda random, key=key, make=make: table.replace_schema_metadata(  # type: ignore[misc]
                    told | {key: make(random)}
                ),
            )


def _sizes(table: pa.Table) -> Iterator[Damage]:
    rows = table.num_rows
    for what, make in {
        "no rows": lambda: table.slice(0, 0),
        "no columns": lambda: table.select([]),
        "a row missing": lambda: table.slice(1),
        "rows twice": lambda: pa.concat_tables([table, table]),
        "rows reversed": lambda: table.take(pa.array([*range(rows)][::-1], pa.int64())),
        "a column twice": lambda: table.append_column(table.schema.field(0), table.column(0)),
        "1,000 more columns": lambda: _wide(table),
        "another table": lambda: pa.table({"a": [1, 2, 3]}),
    }.items():
        yield _damage(what, "", lambda _, make=make: make())  # type: ignore[misc]


def _wide(table: pa.Table) -> pa.Table:
    more = pa.array([CONTROL] * table.num_rows)
    names = [*table.column_names, *(f"c{n}\x1b[31m" for n in range(1000))]
    wide = pa.table([*table.columns, *[more] * 1000], names)
    return wide.replace_schema_metadata(table.schema.metadata)


def written(table: pa.Table) -> bytes:
    """The file of a table."""
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()


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
    path.write_bytes(written(one.set_column(number, field, text)))
