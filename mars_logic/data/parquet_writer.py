"""The one writer of Parquet files of trajectories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

_ROW_GROUP: Final = 2**20
_PAGE: Final = 2**22
"""Bytes of a page; four times the usual size is read a little faster."""
_REPEATED: Final = ("seed", "episode")
"""Columns of numbers of which few differ."""


def as_bytes(columns: Mapping[str, pa.Array], metadata: Mapping[str, str]) -> pa.Buffer:
    """A table as the content of a file.

    Args:
        columns: By their names, in order; one of them is ``step``. No value is missing.
        metadata: Of the table, beside them.
    """
    fields = [pa.field(name, array.type, nullable=False) for name, array in columns.items()]
    table = pa.table(list(columns.values()), schema=pa.schema(fields))
    texts = [name for name, array in columns.items() if pa.types.is_dictionary(array.type)]
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(
        sink,
        table.schema,
        compression="zstd",
        compression_level=5,
        data_page_size=_PAGE,
        use_dictionary=[*texts, *(name for name in _REPEATED if name in columns)],
        # Statistics and Arrow's own copy of the schema would double the size of short episodes.
        write_statistics=False,
        store_schema=False,
        column_encoding={"step": "DELTA_BINARY_PACKED"},
        write_page_checksum=True,
    ) as writer:
        writer.write_table(table, row_group_size=_ROW_GROUP)
        writer.add_key_value_metadata(dict(metadata))
    return sink.getvalue()
