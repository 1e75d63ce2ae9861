"""The one reader of Parquet files: bounded before anything is unpacked, and checked by a schema.

A Parquet file of some kilobytes can hold gigabytes: a value that is repeated takes no place in it.
So a file's footer is asked first how much its columns hold, texts stay dictionaries, and a file
that holds too much is refused, as is one whose columns are not those of the schema.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NoReturn

import pyarrow as pa
import pyarrow.parquet as pq

from mars_logic.data.footer import Chunk, chunks
from mars_logic.errors import InputError
from mars_logic.system.file_names import opened_natively
from mars_logic.system.files import require_regular

MOST_BYTES: Final = 400_000_000
"""Bytes that the columns read from one file may take in memory."""
MOST_VALUES: Final = 10_000_000
"""Values that the records read from one file may hold."""
_MOST_ON_DISK: Final = 4_000_000_000
_MOST_FOOTER: Final = 4_000_000
_BATCH: Final = 4096
_MAGIC: Final = b"PAR1"
_TAIL: Final = 8
"""Bytes at the end of a file: the length of its footer, and the magic word."""
_MANY_ROWS: Final = 2**16
"""Rows from which on several threads pay."""
_UNREADABLE: Final = (pa.ArrowException, OSError, ValueError, MemoryError)


@dataclass(frozen=True)
class Parquet:
    """A Parquet file, of which only the footer has been read.

    Attributes:
        path: The file.
        allowed: What it should be, for messages.
        footer: What it says of itself.
        chunks: How much it says to hold.
    """

    path: Path
    allowed: str
    footer: pq.FileMetaData
    chunks: tuple[Chunk, ...]

    @classmethod
    def open(cls, path: Path, allowed: str) -> Parquet:
        """Read a file's footer.

        Args:
            path: The file.
            allowed: What it should be, for messages.

        Raises:
            InputError: It is missing, no regular file, too large, or no Parquet file.
        """
        require_regular(path, allowed, _MOST_ON_DISK)
        try:
            held = tuple(chunks(_footer(path, allowed)))
            with opened_natively(path) as source:
                return cls(path, allowed, pq.read_metadata(source), held)
        except InputError:
            raise
        except _UNREADABLE as error:
            raise _not_whole(path, error, allowed) from None

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return int(self.footer.num_rows)

    @property
    def texts(self) -> dict[bytes, bytes]:
        """Its metadata, by key."""
        return dict(self.footer.metadata or {})

    def refuse(self, field: str, found: str, allowed: str = "") -> NoReturn:
        """Raise the error that something in it is wrong."""
        raise InputError(f"{self.path}:1: {field}: {found}; allowed: {allowed or self.allowed}")

    def table(self, schema: pa.Schema, optional: Collection[str] = ()) -> pa.Table:
        """Some columns; texts come as dictionaries, wherever they stand.

        Args:
            schema: The columns and their types; a field that is not nullable has a value in every
                row. Texts may be given as dictionaries.
            optional: Columns that may be missing from the file, and then are from the table.

        Raises:
            InputError: A column is missing, has another type, lacks a value, holds text that is
                not UTF-8, or all of them together are too large.
        """
        wanted = self._present(schema, optional)
        self._bound(wanted, MOST_BYTES)
        try:
            with opened_natively(self.path) as source:
                table = self._reader(source).read(wanted.names, use_threads=self.rows >= _MANY_ROWS)
        except _UNREADABLE as error:
            raise _not_whole(self.path, error, self.allowed) from None
        for field in wanted:
            self._require_values(field, table.column(field.name))
        return table

    def has(self, name: str) -> bool:
        """Whether there is a column of this name."""
        return bool(self._schema.get_all_field_indices(name))

    def require_columns(self, names: Collection[str]) -> None:
        """Refuse a file without some columns, or one in which they are too large together.

        Raises:
            InputError: It is.
        """
        for name in names:
            if not self.has(name):
                self.refuse(name, "it is missing", "a column of this name")
        self._bound(pa.schema([(name, pa.null()) for name in names]), MOST_BYTES)

    def column(self, name: str) -> pa.ChunkedArray:
        """A column of whatever type it has.

        Raises:
            InputError: It is missing, there are several of its name, it is too large, or its
                values are damaged.
        """
        if not self.has(name):
            self.refuse(name, "it is missing", "a column of this name")
        kind = self._schema.field(self._schema.get_all_field_indices(name)[0]).type
        field = pa.field(name, kind)
        return self.table(pa.schema([field])).column(name)

    def records(
        self, schema: pa.Schema, optional: Collection[str] = ()
    ) -> Iterator[dict[str, Any]]:
        """The rows in turn, each as plain data: maps are lists of pairs.

        Args:
            schema: As for :meth:`table`.
            optional: As for :meth:`table`.

        Raises:
            InputError: As for :meth:`table`.
        """
        wanted = self._present(schema, optional)
        self._bound(wanted, MOST_BYTES, MOST_VALUES)
        try:
            with opened_natively(self.path) as source:
                for batch in self._batches(self._reader(source), wanted.names):
                    for field in wanted:
                        self._require_values(field, batch.column(field.name))
                    columns = [_plain(batch.column(field.name)) for field in wanted]
                    for values in zip(*columns, strict=True):
                        yield dict(zip(wanted.names, values, strict=True))
        except InputError:
            raise
        except _UNREADABLE as error:
            raise _not_whole(self.path, error, self.allowed) from None

    @staticmethod
    def _batches(reader: pq.ParquetFile, names: list[str]) -> Iterator[pa.RecordBatch]:
        for number in range(reader.num_row_groups):
            yield from reader.iter_batches(_BATCH, [number], names, use_threads=False)

    def require_bounded(self) -> None:
        """Refuse a file whose columns, all together, are too large; for readers other than this.

        Raises:
            InputError: They are.
        """
        self._bound(self._schema, MOST_BYTES)

    # --- The schema -------------------------------------------------------------------------

    @cached_property
    def _schema(self) -> pa.Schema:
        try:
            return self.footer.schema.to_arrow_schema()
        except _UNREADABLE as error:
            raise _not_whole(self.path, error, self.allowed) from None

    def _present(self, schema: pa.Schema, optional: Collection[str]) -> pa.Schema:
        """The fields of a schema that the file has, with the types that they must have."""
        found = []
        for field in schema:
            places = self._schema.get_all_field_indices(field.name)
            if not places and field.name in optional:
                continue
            if len(places) != 1:
                times = "it is missing" if not places else f"there are {len(places)} of this name"
                self.refuse(field.name, times, f"one column of {undictionaried(field.type)}")
            held, wanted = self._schema.field(places[0]).type, field.type
            if undictionaried(held) != undictionaried(wanted):
                self.refuse(
                    field.name, f"it is {undictionaried(held)}", str(undictionaried(wanted))
                )
            found.append(field)
        return pa.schema(found)

    def _require_values(self, field: pa.Field, column: pa.ChunkedArray | pa.Array) -> None:
        try:
            column.validate(full=True)
        except pa.ArrowInvalid as error:
            is_text = "UTF8" in str(error)
            found = "it holds text that is not UTF-8" if is_text else "its values are damaged"
            self.refuse(field.name, found)
        if not field.nullable and column.null_count:
            self.refuse(field.name, "something is missing", "a value in every row")

    # --- How much it holds ------------------------------------------------------------------

    def _bound(self, schema: pa.Schema, most_bytes: int, most_values: int | None = None) -> None:
        """Refuse what does not fit into memory, by what the footer says."""
        names = set(schema.names)
        columns = map(self.footer.schema.column, range(len(self.footer.schema)))
        widths = {each.path: _width(each) for each in columns}
        size, values = 0, 0
        for chunk in self.chunks:
            if chunk.path.partition(".")[0] in names:
                width = widths.get(chunk.path, 0)
                # Values, offsets of lists, and, of texts, what a dictionary may hold.
                held = max(chunk.values, chunk.rows)
                size += held * max(width, 4) + (0 if width else chunk.unpacked)
                values += held
        if size > most_bytes or (most_values is not None and values > most_values):
            told = f"{self.rows:,} rows, which take {size / 1e6:,.0f} MB or more in memory"
            many = "" if most_values is None else f" and {most_values:,} values"
            self.refuse("rows", told, f"at most {most_bytes / 1e6:,.0f} MB{many} in a file")

    def _reader(self, source: pa.NativeFile) -> pq.ParquetFile:
        schema = self.footer.schema
        columns = [schema.column(number) for number in range(len(schema))]
        return pq.ParquetFile(
            source,
            metadata=self.footer,
            read_dictionary=[each.path for each in columns if each.physical_type == "BYTE_ARRAY"],
            pre_buffer=False,
            page_checksum_verification=True,
        )


def _footer(path: Path, allowed: str) -> bytes:
    """The footer of a file; one that would take hundreds of megabytes once read is refused."""
    with path.open("rb") as file:
        length = file.seek(0, os.SEEK_END)
        file.seek(max(0, length - _TAIL))
        tail = file.read(_TAIL)
        size = int.from_bytes(tail[:4], "little")
        if tail[4:] != _MAGIC or size > length - _TAIL:
            raise ValueError("its end is not that of a Parquet file")
        if size > _MOST_FOOTER:
            raise InputError(
                f"{path}:1: footer: it has {size:,} bytes; allowed: at most {_MOST_FOOTER:,}, "
                f"in {allowed}"
            )
        file.seek(length - _TAIL - size)
        return file.read(size)


def _not_whole(path: Path, error: Exception, allowed: str) -> InputError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    what = f"this is no Parquet file, or not a whole one ({reason})"
    return InputError(f"{path}:1: file: {what}; allowed: {allowed}")


def _width(column: pq.ColumnSchema) -> int:
    """Bytes of a value; 0 where these differ from value to value."""
    if column.physical_type == "FIXED_LEN_BYTE_ARRAY":
        return int(column.length)
    return {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 8, "FLOAT": 4, "DOUBLE": 8}.get(
        column.physical_type, 0
    )


def undictionaried(kind: pa.DataType) -> pa.DataType:
    """A type without dictionaries, which are a matter of how values are read."""
    if pa.types.is_dictionary(kind):
        return kind.value_type
    if pa.types.is_map(kind):
        return pa.map_(undictionaried(kind.key_type), undictionaried(kind.item_type))
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(undictionaried(kind.value_type)))
    return kind


def _plain(array: pa.Array) -> list[Any]:
    """The values of an array; equal texts are one object."""
    if pa.types.is_dictionary(array.type):
        texts = [*array.dictionary.to_pylist(), None]
        return [texts[-1 if code is None else code] for code in array.indices.to_pylist()]
    if pa.types.is_map(array.type):
        pairs = [*zip(_plain(array.keys), _plain(array.items), strict=True)]
        return _grouped(array, pairs)
    if pa.types.is_list(array.type):
        return _grouped(array, _plain(array.values))
    values: list[Any] = array.to_pylist()
    return values


def _grouped(array: pa.Array, values: list[Any]) -> list[Any]:
    """The lists that make up an array of lists or maps, given what all of them hold."""
    ends = array.offsets.to_pylist()
    found: list[Any] = [values[a:b] for a, b in pairwise(ends)]
    if array.null_count:
        present = array.is_valid().to_pylist()
        found = [each if here else None for each, here in zip(found, present, strict=True)]
    return found
