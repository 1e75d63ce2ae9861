"""Files of rows whose columns say, as data, which values they may have.

A file of a schema is read here and nowhere else: its columns and their types (``data.parquet``),
then every value of the rows that are read, then what must hold between values of one row.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final, NoReturn, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mars_logic.data.parquet import Parquet
from mars_logic.system.printable import in_one_line

MADE_FROM: Final = b"made_from"
"""Key of the metadata that tells what a file was made from; see ``kept``."""
_SHOWN: Final = 60


class Values(Protocol):
    """Which values a column may have."""

    @property
    def allowed(self) -> str:
        """The values in words, for messages."""

    def holds(self, value: Any) -> bool:
        """Whether a value, which is of the column's type, is one of them."""


@dataclass(frozen=True)
class Anything:
    """Every value of the column's type."""

    allowed: str = "any value"

    def holds(self, value: Any) -> bool:  # noqa: ARG002
        """True."""
        return True


@dataclass(frozen=True)
class Among:
    """One of some texts or numbers.

    Attributes:
        names: The texts or numbers.
        what: What they are, for messages; by default they are listed.
    """

    names: Collection[Any]
    what: str = ""

    @property
    def allowed(self) -> str:
        """The names, or what they are."""
        return self.what or ", ".join(str(name) or "nothing" for name in self.names)

    def holds(self, value: Any) -> bool:
        """Whether it is one of the names."""
        return value in self.names


@dataclass(frozen=True)
class Between:
    """Numbers within bounds, which are included; no NaN."""

    least: float
    most: float

    @property
    def allowed(self) -> str:
        """The bounds."""
        return f"{self.least:,} to {self.most:,}"

    def holds(self, value: Any) -> bool:
        """Whether it is within the bounds."""
        return bool(self.least <= value <= self.most)


@dataclass(frozen=True)
class NamesWithCommas:
    """Different names with commas between them."""

    names: Collection[str]
    what: str = ""

    @property
    def allowed(self) -> str:
        """The names, or what they are."""
        return f"some of {self.what or ', '.join(self.names)}, each once, with commas"

    def holds(self, value: Any) -> bool:
        """Whether it is such a list."""
        parts = value.split(",") if value else []
        return len({*parts}) == len(parts) and all(each in self.names for each in parts)


@dataclass(frozen=True)
class Words:
    """Text of some length that can be printed."""

    most: int = 300

    @property
    def allowed(self) -> str:
        """The length."""
        return f"text of 1 to {self.most:,} characters that can be printed"

    def holds(self, value: Any) -> bool:
        """Whether it is such a text."""
        return 0 < len(value) <= self.most and bool(value.isprintable())


@dataclass(frozen=True)
class Satisfying:
    """Texts for which a function holds."""

    test: Callable[[str], bool]
    allowed: str

    def holds(self, value: Any) -> bool:
        """Whether the function holds."""
        return self.test(value)


@dataclass(frozen=True)
class Packed:
    """Bytes that hold an array.

    Attributes:
        dtype: Its type.
        shape: Its shape; a first length of -1 is any length.
        bounds: Least and greatest of all values, or of each of those along the last axis, or of
            each field of records.
        most: The greatest length of the first axis.
    """

    dtype: Any
    shape: tuple[int, ...]
    bounds: tuple[tuple[int, int], ...]
    most: int = 10_000

    @property
    def allowed(self) -> str:
        """Type, shape and bounds."""
        size = " × ".join(f"at most {self.most:,}" if n < 0 else str(n) for n in self.shape)
        bounds = ", ".join(f"{a} to {b}" for a, b in dict.fromkeys(self.bounds))
        return f"{size} values of {np.dtype(self.dtype).itemsize} bytes, each {bounds}"

    def array(self, value: bytes) -> NDArray[Any]:
        """The array; ValueError if the bytes have another length."""
        found: NDArray[Any] = np.frombuffer(value, self.dtype).reshape(self.shape)
        return found

    def holds(self, value: Any) -> bool:
        """Whether the bytes hold such an array, with values within the bounds."""
        try:
            array = self.array(value)
        except ValueError:
            return False
        names = array.dtype.names
        columns = [array[name] for name in names] if names else [array]
        if not names and len(self.bounds) > 1:
            columns = [array[..., number] for number in range(array.shape[-1])]
        within = (
            bool(((each >= least) & (each <= most)).all())
            for each, (least, most) in zip(columns, self.bounds, strict=True)
        )
        return len(array) <= self.most and all(within)


@dataclass(frozen=True)
class RowColumn:
    """A column: its name, its Arrow type, and its values."""

    name: str
    type: pa.DataType
    values: Values


Together = Mapping[str, Callable[[Mapping[str, Any]], bool]]
"""What must hold within a row, by the names of the columns that are wrong where it does not."""


@dataclass(frozen=True, eq=False)
class CheckedRows:
    """The schema of a file of rows, with which its values are checked on reading.

    Attributes:
        name: The schema's name, in the file's metadata.
        columns: Its columns.
        privileged: Columns that those may not read who are asked about the rows.
        together: Conditions between the values of a row.
        allowed: What a file of it is, for messages.
    """

    name: str
    columns: tuple[RowColumn, ...]
    allowed: str
    privileged: tuple[str, ...] = ()
    together: Together = field(default_factory=dict)

    @cached_property
    def schema(self) -> pa.Schema:
        """Names and types; no value may be missing."""
        metadata = {"schema": self.name}
        if self.privileged:
            metadata["privileged"] = ",".join(self.privileged)
        fields = [pa.field(each.name, each.type, nullable=False) for each in self.columns]
        return pa.schema(fields, metadata=metadata)

    def open(self, path: Path) -> Parquet:
        """A file of which only the footer was read.

        Raises:
            InputError: It is missing, no Parquet file, or one of another schema.
        """
        file = Parquet.open(path, self.allowed)
        if file.texts.get(b"schema") != self.name.encode():
            file.refuse("schema", "the file is of another schema, or of none")
        return file

    def table(self, path: Path) -> pa.Table:
        """All rows, with the types of the columns checked, and not the values.

        Raises:
            InputError: The file cannot be read, or has other columns.
        """
        self.open(path)  # for its messages
        about = path.stat()
        return _table(self, path, (about.st_ino, about.st_mtime_ns, about.st_size))

    def read(
        self, path: Path, first: int = 0, last: int | None = None, among: Any = None
    ) -> list[dict[str, Any]]:
        """Rows as plain data, all values checked.

        Args:
            path: The file.
            first: The first row that is read.
            last: The row before which reading ends; by default all are read.
            among: bool[rows]: which rows are read, instead of from the first to the last.

        Raises:
            InputError: The file cannot be read, has other columns, or a value that none may have.
        """
        table = self.table(path)
        numbers = np.arange(table.num_rows)
        numbers = numbers[first:last] if among is None else numbers[among]
        return self.checked(path, table.take(pa.array(numbers)), numbers)

    def checked(
        self, path: Path, table: pa.Table, numbers: NDArray[np.int64] | None = None
    ) -> list[dict[str, Any]]:
        """The rows of a table as plain data, all values checked.

        Args:
            path: The file that it came from.
            table: Its columns have the types of the schema, or dictionaries of them.
            numbers: int64[rows]: their numbers in the file; by default from 0.

        Raises:
            InputError: A value is none that the column may have.
        """
        at = np.arange(table.num_rows) if numbers is None else numbers
        found: dict[str, list[Any]] = {}
        for column in self.columns:
            coded = table.column(column.name).combine_chunks().dictionary_encode()
            codes, values = coded.indices.to_numpy(), coded.dictionary.to_pylist()
            used = {*np.unique(codes).tolist()}
            wrong = [code for code in used if not column.values.holds(values[code])]
            if wrong:
                row = int(np.isin(codes, wrong).argmax())
                value, where = values[codes[row]], int(at[row])
                self._refuse(path, column.name, where, value, column.values.allowed)
            found[column.name] = [values[code] for code in codes.tolist()]
        rows = [dict(zip(found, each, strict=True)) for each in zip(*found.values(), strict=True)]
        for number, row_ in zip(at.tolist(), rows, strict=True):
            for names, holds in self.together.items():
                if not holds(row_):
                    told = "these values contradict each other"
                    self._refuse(path, names, number, None, self.allowed, told)
        return rows

    def _refuse(
        self, path: Path, name: str, row: int, value: Any, allowed: str, told: str = ""
    ) -> NoReturn:
        Parquet.open(path, self.allowed).refuse(
            name, f"row {row}: {told or _shown(value)}", allowed
        )


@lru_cache(maxsize=4)
def _table(rows: CheckedRows, path: Path, version: tuple[int, int, int]) -> pa.Table:  # noqa: ARG001
    """The table of a file, kept while the file is the same: blocks of it are read by turns."""
    return rows.open(path).table(rows.schema)


def _shown(value: Any) -> str:
    """A value in few words."""
    if isinstance(value, bytes):
        return f"{len(value):,} bytes of other values or of another length"
    text = in_one_line(value) if isinstance(value, str) else str(value)
    quoted = f"'{text[:_SHOWN]}'" if isinstance(value, str) else text
    return quoted if len(text) <= _SHOWN else f"{quoted[: _SHOWN + 1]}…"
