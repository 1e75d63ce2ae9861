"""Sizes in the footer of a Parquet file: as Arrow tells them, and never the end of the process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.data.footer import Chunk, chunks
from mars_logic.data.parquet import Parquet
from mars_logic.errors import InputError


def footer(content: bytes) -> bytes:
    length = int.from_bytes(content[-8:-4], "little")
    return content[-8 - length : -8]


def table(rows: int) -> pa.Table:
    return pa.table(
        {
            "number": [*range(rows)],
            "text": [f"row {row % 3}" for row in range(rows)],
            "list": [["a"] * (row % 4) for row in range(rows)],
            "map": pa.array(
                [[("k", row)] for row in range(rows)], pa.map_(pa.string(), pa.int32())
            ),
        }
    )


@pytest.mark.parametrize("rows", [0, 1, 100])
@pytest.mark.parametrize("compression", ["none", "zstd", "snappy"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_sizes_are_those_of_arrow(
    tmp_path: Path, rows: int, compression: str, version: str
) -> None:
    file = tmp_path / "a.parquet"
    how = {"row_group_size": 40, "compression": compression, "data_page_version": version}
    pq.write_table(table(rows), file, **how)
    known = pq.read_metadata(file)
    groups = [known.row_group(number) for number in range(known.num_row_groups)]
    expected = [
        Chunk(each.path_in_schema, group.num_rows, each.num_values, each.total_uncompressed_size)
        for group in groups
        for each in map(group.column, range(group.num_columns))
    ]
    assert chunks(footer(file.read_bytes())) == expected


@given(st.binary(max_size=200))
def test_any_bytes_are_a_footer_or_refused(data: bytes) -> None:
    try:
        chunks(data)
    except ValueError:
        return


def spoil(file: Path, seed: int) -> None:
    """Change some bytes of a file's footer."""
    random = Random(seed)
    pq.write_table(table(random.choice([1, 3, 40])), file)
    content = bytearray(file.read_bytes())
    first = len(content) - 8 - len(footer(bytes(content)))
    for _ in range(random.randint(1, 6)):
        content[random.randrange(first, len(content))] = random.randrange(256)
    file.write_bytes(content)


def read_spoilt(file: Path, seeds: range) -> None:
    wanted = pa.schema([("number", pa.int64()), ("list", pa.list_(pa.string()))])
    for seed in seeds:
        spoil(file, seed)
        try:
            list(Parquet.open(file, "a table").records(wanted))
        except InputError:
            continue


@pytest.mark.slow
def test_damaged_footers_do_not_end_the_process(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; "
        "from tests.data_layer.test_footer import read_spoilt; "
        "read_spoilt(Path(sys.argv[1]), range(400))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "a.parquet")]
    ended = subprocess.run(
        command, capture_output=True, text=True, timeout=100, check=False, encoding="utf-8"
    )
    assert ended.returncode == 0, ended.stderr
