"""Damages of the files about Conan's scenes: every column, with every kind of wrong value."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

TEXTS: Final = {
    "empty": "",
    "unknown": "nothing-like-this",
    "other case": "CONAN Task",
    "control": "a\x1b[31m\n\x00b",
    "a list": "food,,food",
    "path": "/dev/zero",
    "huge": "x" * 1_000_000,
}
NUMBERS: Final = {"nan": float("nan"), "infinite": float("inf"), "negative": -0.5, "above": 1.5}

FREE: Final = {
    *(("scenes.parquet", column, what) for column in ("outcome", "left_out", "saved_by")
      for what in ("empty",)),
    ("scenes.parquet", "objects", "empty"),  # nothing lives on the map
    ("survival", "events", "empty"),  # it did nothing
    ("questions.parquet", "name", "empty"),
    ("detections.parquet", "most_seen", "-1"),
}  # fmt: skip
"""Values that only look wrong: a file may hold them."""


def values(kind: pa.DataType, valid: Any) -> Iterator[tuple[str, Any]]:
    """Values of a column's type that no row has, each with a name."""
    yield "null", None
    if pa.types.is_integer(kind):
        limits = np.iinfo(kind.to_pandas_dtype())
        for number in {int(limits.min), -1, int(limits.max)} - ({-1} if limits.min == 0 else set()):
            if number != 0:
                yield str(number), number
    elif pa.types.is_floating(kind):
        yield from NUMBERS.items()
    elif pa.types.is_string(kind):
        yield from TEXTS.items()
    elif pa.types.is_binary(kind):
        yield "empty", b""
        yield "a byte less", valid[:-1]
        yield "a byte more", valid + b"\x01"
        yield "twice", valid * 2
        yield "all 255", b"\xff" * max(len(valid), 1)
        yield "all 127", b"\x7f" * max(len(valid), 1)


def in_columns(content: bytes, file: str) -> Iterator[tuple[str, str, bytes]]:
    """A file with one wrong value in its last row: the column, what is wrong, the content."""
    table = pq.read_table(io.BytesIO(content))
    for number, field in enumerate(table.schema):
        held = table.column(number).to_pylist()
        for what, value in values(field.type, held[-1]):
            mode = "survival" if survives(table) else "task"
            if {(file, field.name, what), (mode, field.name, what)} & FREE or value == held[-1]:
                continue
            column = pa.array([*held[:-1], value], field.type)
            changed = table.set_column(number, pa.field(field.name, field.type), column)
            yield field.name, what, parquet(changed)


def survives(table: pa.Table) -> bool:
    """Whether a table is about scenes of survival."""
    return "task" in table.column_names and "survive" in table.column("task").to_pylist()


def of_tables(content: bytes) -> Iterator[tuple[str, bytes]]:
    """A file with other columns, rows or metadata."""
    table = pq.read_table(io.BytesIO(content))
    for number, name in enumerate(table.column_names):
        yield f"without {name}", parquet(table.remove_column(number))
        text = pa.array(["x"] * table.num_rows)
        yield (
            f"{name} as text",
            parquet(table.set_column(number, f"{name}", text))
            if (table.schema.field(number).type != pa.string())
            else parquet(table.set_column(number, name, pa.array([1] * table.num_rows))),
        )
        yield f"{name} twice", parquet(table.append_column(name, table.column(number)))
    yield "no metadata", parquet(table.replace_schema_metadata({}))
    yield "no columns", parquet(table.select([]))
    yield "another table", parquet(pa.table({"a": [1, 2, 3]}))


def parquet(table: pa.Table) -> bytes:
    written = io.BytesIO()
    pq.write_table(table, written)
    return written.getvalue()


def _pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def _linked(to: str) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        path.unlink(missing_ok=True)
        path.symlink_to(to)

    return damage


def _holding(content: bytes) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        path.unlink(missing_ok=True)
        path.write_bytes(content)

    return damage


def _folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


FILES: Final[dict[str, Callable[[Path], None]]] = {
    "empty": _holding(b""),
    "noise": _holding(bytes(range(256)) * 40),
    "text": _holding(b"not what it should be"),
    "deep": _holding(b"[" * 100_000),
    "a list": _holding(b"[1, 2]"),
    "a number": _holding(b"7"),
    "no UTF-8": _holding(b"\xff\xfe{}"),
    "nothing in it": _holding(b"{}"),
    "NaN": _holding(b'{"scenes": NaN}'),
    "a pipe": _pipe,
    "a device": _linked("/dev/zero"),
    "a link to itself": lambda path: _linked(path.name)(path),
    "a link to nothing": _linked("nowhere"),
    "a folder": _folder,
}
"""What may lie in a file's place."""
