"""Every reader of a file with every hostile kind of file, as cases for two files of tests.

Two, since the tests of a file run one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest
from _pytest.mark import ParameterSet

from tests.hostile.conftest import Try
from tests.hostile.formats import BINARY as BINARY_FORMATS
from tests.hostile.formats import format_of
from tests.hostile.kinds import ANY, BINARY, BROKEN, REFUSED, TEXT, VALID, Make
from tests.hostile.material import INPUTS
from tests.hostile.table import Reader

_FOLDERS_TOO: Final = {"sentences", "document", "program", "certificate", "trajectory", "records"}
"""Kinds of files whose readers take folders of them as well."""
_PART: Final = 12


def cases(readers: Iterable[Reader]) -> Iterator[ParameterSet]:
    """Readers with all kinds; by default, of readers of one kind of file, one with all kinds.

    The others are tried with a twelfth of the kinds each, another from reader to reader.
    """
    seen: set[str] = set()
    for reader in readers:
        binary = format_of(INPUTS[reader.kind]) in BINARY_FORMATS
        first, number = reader.kind not in seen, len(seen)
        seen |= {reader.kind, str(reader)}
        for kinds, allowed in ((BROKEN, REFUSED), (VALID, ANY), (BINARY if binary else TEXT, ANY)):
            for place, (name, make) in enumerate(kinds.items()):
                default = first or place % _PART == number % _PART
                yield pytest.param(
                    reader,
                    make,
                    ANY if name == "folder" and reader.kind in _FOLDERS_TOO else allowed,
                    id=f"{reader}-{reader.kind}-{name}",
                    marks=() if default else pytest.mark.long,
                )


def check(reader: Reader, make: Make, allowed: frozenset[int], attempt: Try, place: Path) -> None:
    """Try a reader on a hostile file; nothing that the file says may be run."""
    path = place / INPUTS[reader.kind]
    valid = path.read_bytes()
    hostile = place / "hostile" / path.name
    hostile.parent.mkdir()
    attempt(reader, make(hostile, valid), allowed)
    assert not (place / "run").exists(), "a stranger's program was run"
