"""Every reader of documents, tables and arrays, with contents that cannot be."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.hostile import contents
from tests.hostile.conftest import Try
from tests.hostile.kinds import REFUSED
from tests.hostile.material import INPUTS
from tests.hostile.table import READERS, Reader

Changes = Callable[[bytes], Iterator[tuple[str, bytes]]]
_BY_KIND: Final[dict[str, tuple[Changes, ...]]] = {
    "certificate": (contents.changed_json,),
    "game certificate": (contents.changed_json,),
    "records": (contents.changed_json,),
    "trajectory": (contents.changed_tables, contents.changed_columns),
    "recording": (contents.changed_arrays,),
}
_PARTS: Final = 16
_READERS: Final = [reader for reader in READERS if reader.kind in _BY_KIND]
CASES = [
    pytest.param(
        reader,
        part,
        id=f"{reader}-{reader.kind}-{part}",
        marks=() if part == number % _PARTS else pytest.mark.long,
    )
    for number, reader in enumerate(_READERS)
    for part in range(_PARTS)
]
"""By default another sixteenth for each reader: what they share is tried with nearly everything."""


@pytest.mark.parametrize(("reader", "part"), CASES)
def test_contents(reader: Reader, part: int, attempt: Try, place: Path) -> None:
    path = place / INPUTS[reader.kind]
    valid = path.read_bytes()
    cases = [case for changes in _BY_KIND[reader.kind] for case in changes(valid)]
    wrong = {}
    for name, content in cases[part::_PARTS]:
        path.write_bytes(content)
        try:
            attempt(reader, path)
        except AssertionError as error:
            wrong[name] = str(error)
    assert not wrong, f"{[*wrong]}\n" + "\n\n".join(f"{n}:\n{told}" for n, told in wrong.items())


@pytest.mark.parametrize(
    ("kind", "make"),
    [
        ("trajectory", contents.huge_table),
        ("trajectory", contents.long_strings),
        ("recording", contents.bomb),
        ("recording", contents.pickled),
    ],
)
def test_what_unpacks_to_gigabytes_is_refused(
    kind: str, make: Callable[[Path, bytes], None], attempt: Try, place: Path
) -> None:
    path = place / INPUTS[kind]
    valid = path.read_bytes()
    hostile = place / f"hostile{path.suffix}"
    make(hostile, valid)
    assert hostile.stat().st_size < 50 << 20
    for reader in [each for each in _READERS if each.kind == kind][:2]:  # they share one reader
        attempt(reader, hostile, REFUSED)
        shutil.rmtree(place / "new", ignore_errors=True)
