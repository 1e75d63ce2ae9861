"""Every reader of a file with every hostile kind of file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from _pytest.mark import ParameterSet

from tests.hostile.conftest import Try
from tests.hostile.formats import BINARY as BINARY_FORMATS
from tests.hostile.formats import format_of
from tests.hostile.kinds import ANY, BINARY, BROKEN, REFUSED, TEXT, VALID, Make
from tests.hostile.material import INPUTS
from tests.hostile.table import READERS, Reader

pytestmark = pytest.mark.long

_FOLDERS_TOO: Final = {"sentences", "document", "program", "certificate", "trajectory", "records"}
"""Kinds of files whose readers take folders of them as well."""


def _cases() -> Iterator[ParameterSet]:
    for reader in READERS:
        binary = format_of(INPUTS[reader.kind]) in BINARY_FORMATS
        for kinds, allowed in ((BROKEN, REFUSED), (VALID, ANY), (BINARY if binary else TEXT, ANY)):
            for name, make in kinds.items():
                yield pytest.param(
                    reader,
                    make,
                    ANY if name == "folder" and reader.kind in _FOLDERS_TOO else allowed,
                    id=f"{reader}-{reader.kind}-{name}",
                )


@pytest.mark.parametrize(("reader", "make", "allowed"), [*_cases()])
def test_a_file(
    reader: Reader, make: Make, allowed: frozenset[int], attempt: Try, place: Path
) -> None:
    """Nothing that a file says may be run."""
    path = place / INPUTS[reader.kind]
    valid = path.read_bytes()
    hostile = place / "hostile" / path.name
    hostile.parent.mkdir()
    attempt(reader, make(hostile, valid), allowed)
    assert not (place / "run").exists(), "a stranger's program was run"
