"""The one reader of Parquet files: bounds, schemas, and values as plain data."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mars_logic.data.parquet import MOST_VALUES, Parquet
from mars_logic.errors import InputError

WORDS = pa.list_(pa.field("element", pa.string()))
COUNTS = pa.map_(pa.string(), pa.int32())
SCHEMA = pa.schema(
    [
        pa.field("name", pa.string(), nullable=False),
        ("number", pa.int64()),
        ("share", pa.float64()),
        ("words", WORDS),
        ("counts", COUNTS),
    ]
)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.text(max_size=3),
            "number": st.none() | st.integers(-(2**63), 2**63 - 1),
            "share": st.none() | st.floats(allow_nan=False),
            "words": st.none() | st.lists(st.none() | st.text(max_size=3), max_size=3),
            "counts": st.none()
            | st.lists(st.tuples(st.text(max_size=3), st.none() | st.integers(0, 9)), max_size=3),
        }
    ),
    max_size=9,
)


def written(folder: Path, table: pa.Table, **how: Any) -> Path:
    path = folder / "table.parquet"
    pq.write_table(table, path, **how)
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [*Parquet.open(path, "a table").records(SCHEMA)]


@pytest.mark.slow
@given(ROWS, st.integers(1, 5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_what_was_written_is_read(tmp_path: Path, rows: list[dict[str, Any]], group: int) -> None:
    path = written(tmp_path, pa.Table.from_pylist(rows, SCHEMA), row_group_size=group)
    assert read(path) == rows
    table = Parquet.open(path, "a table").table(pa.schema([SCHEMA.field("name")]))
    assert table.column("name").to_pylist() == [row["name"] for row in rows]


def some(**columns: Any) -> pa.Table:
    fields = {
        "name": pa.array(["a", "b"]),
        "number": pa.array([1, 2]),
        "share": pa.array([0.5, None]),
        "words": pa.array([["x"], []], WORDS),
        "counts": pa.array([[("x", 1)], None], COUNTS),
    }
    return pa.table({k: v for k, v in (fields | columns).items() if v is not None})


def not_utf8() -> pa.Array:
    offsets = pa.array([0, 2, 4], pa.int32()).buffers()[1]
    return pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"\xff\xfe" * 2)])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"number": None}, "number: it is missing; allowed: one column of int64"),
        ({"number": pa.array(["1", "2"])}, "number: it is string; allowed: int64"),
        ({"number": pa.array([1.0, 2.0])}, "number: it is double; allowed: int64"),
        ({"name": pa.array(["a", None])}, "name: something is missing; allowed: a value in"),
        ({"name": not_utf8()}, "name: it holds text that is not UTF-8; allowed: a table"),
    ],
)
def test_columns_are_those_of_the_schema(
    tmp_path: Path, columns: dict[str, Any], message: str
) -> None:
    path = written(tmp_path, some(**columns))
    file = Parquet.open(path, "a table")
    for reading in (lambda: file.table(SCHEMA), lambda: [*file.records(SCHEMA)]):
        with pytest.raises(InputError) as caught:
            reading()
        assert str(caught.value).startswith(f"{path}:1: {message}")


def test_other_columns_do_not_matter_and_optional_ones_may_be_missing(tmp_path: Path) -> None:
    path = written(tmp_path, some(share=None, other=pa.array([[{"a": 1}], None])))
    found = [*Parquet.open(path, "a table").records(SCHEMA, optional=("share",))]
    assert [set(row) for row in found] == [{"name", "number", "words", "counts"}] * 2


def test_a_column_of_which_there_are_two_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, some().append_column("name", pa.array(["c", "d"])))
    with pytest.raises(InputError, match="name: there are 2 of this name"):
        read(path)


REPEATED = 30_000_000


def repeated_text(rows: int, text: str) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int32)), pa.array([text]))


@pytest.mark.parametrize("values", ["numbers", "texts", "lists"])
def test_a_small_file_of_many_values_is_refused_before_it_is_unpacked(
    tmp_path: Path, values: str
) -> None:
    if values == "numbers":
        column = pa.array(np.zeros(REPEATED, np.int64))
    elif values == "texts":
        column = repeated_text(REPEATED, "x")
    else:
        rows = MOST_VALUES // 100
        offsets = pa.array(np.arange(rows + 1, dtype=np.int32) * 200)
        column = pa.ListArray.from_arrays(offsets, repeated_text(rows * 200, "x"))
    path = written(tmp_path, pa.table({"column": column}), row_group_size=2**26)
    assert path.stat().st_size < 200_000
    kind = {"numbers": pa.int64(), "texts": pa.string(), "lists": WORDS}[values]
    before = pa.total_allocated_bytes()
    with pytest.raises(InputError, match=r"rows: .* MB or more in memory; allowed: at most"):
        next(Parquet.open(path, "a table").records(pa.schema([("column", kind)])))
    assert pa.total_allocated_bytes() <= before


def test_a_long_text_in_many_rows_is_kept_once(tmp_path: Path) -> None:
    path = written(tmp_path, pa.table({"name": repeated_text(5000, "x" * 1_000_000)}))
    rows = [*Parquet.open(path, "a table").records(pa.schema([("name", pa.string())]))]
    assert len(rows) == 5000 and len({id(row["name"]) for row in rows}) <= 2


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "text").write_bytes(b"PAR1" * 3)
    told = {"pipe": "not a regular file", "": "a folder", "none": "no such file", "loop": "links"}
    for name, problem in (told | {"text": "no Parquet file"}).items():
        with pytest.raises(InputError, match=problem):
            Parquet.open(tmp_path / name, "a table")
