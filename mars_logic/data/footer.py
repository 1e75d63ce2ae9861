"""The sizes in the footer of a Parquet file.

Arrow's own view of a damaged footer may end the process, so it is not asked. A footer is one
structure in Thrift's compact protocol
(https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md), whose fields
https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift numbers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

_ROW_GROUPS, _COLUMNS, _ROWS, _METADATA = 4, 1, 3, 3
_PATH, _VALUES, _UNPACKED = 3, 5, 6
_DEPTH: Final = 16


@dataclass(frozen=True)
class Chunk:
    """The values of a column in a group of rows.

    Attributes:
        path: Names of the column and, in a list or a map, of what lies in it, joined by dots.
        rows: How many rows the group has.
        values: How many values, those in lists and maps included.
        unpacked: Bytes, without compression.
    """

    path: str
    rows: int
    values: int
    unpacked: int


def chunks(footer: bytes) -> list[Chunk]:
    """All that a footer tells of.

    Raises:
        ValueError: It is damaged.
    """
    try:
        groups = _Reader(footer).structure(0).get(_ROW_GROUPS, [])
        return [
            _chunk(each[_METADATA], group[_ROWS]) for group in groups for each in group[_COLUMNS]
        ]
    except (IndexError, KeyError, TypeError, AttributeError, struct.error) as error:
        raise ValueError("its footer is damaged") from error


def _chunk(metadata: dict[int, Any], rows: int) -> Chunk:
    names, values, unpacked = metadata[_PATH], metadata[_VALUES], metadata[_UNPACKED]
    if min(rows, values, unpacked) < 0:
        raise ValueError("its footer has a negative size")
    return Chunk(".".join(name.decode() for name in names), rows, values, unpacked)


class _Reader:
    """Reads values of the compact protocol one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def structure(self, depth: int) -> dict[int, Any]:
        """Its fields by their numbers."""
        if depth > _DEPTH:
            raise ValueError("its footer is nested too deep")
        found: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._integer()
            kind = head & 15
            found[number] = kind == 1 if kind in (1, 2) else self._value(kind, depth + 1)
        return found

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (1, 2, 3):  # in a list, true and false take a byte
            return self._byte()
        if kind in (4, 5, 6):
            return self._integer()
        if kind == 7:
            return struct.unpack("<d", self._bytes(8))[0]
        if kind == 8:
            return self._bytes(self._natural())
        if kind in (9, 10):
            return list(self._items(depth))
        if kind == 12:
            return self.structure(depth)
        raise ValueError("its footer is damaged")  # Parquet has no maps there

    def _items(self, depth: int) -> Iterator[Any]:
        head = self._byte()
        count = head >> 4 if head >> 4 < 15 else self._natural()
        return (self._value(head & 15, depth) for _ in range(count))

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _bytes(self, count: int) -> bytes:
        self._at += count
        found = self._data[self._at - count : self._at]
        if len(found) < count:
            raise IndexError
        return found

    def _natural(self) -> int:
        found = shift = 0
        while (part := self._byte()) & 128:
            found |= (part & 127) << shift
            shift += 7
            if shift > 63:
                raise ValueError("its footer is damaged")
        return found | part << shift

    def _integer(self) -> int:
        found = self._natural()
        return (found >> 1) ^ -(found & 1)
