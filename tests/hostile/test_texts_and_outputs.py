"""Text that is no path, and places where nothing can be written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest
from _pytest.mark import ParameterSet

from tests.hostile.conftest import Try
from tests.hostile.kinds import ANY, BROKEN, CONTROL, REFUSED
from tests.hostile.table import TEXTS, WRITERS, Reader

pytestmark = pytest.mark.long

_TEXTS: Final = {
    "empty": "",
    "control characters": CONTROL.replace("\x00", ""),
    "surrogates": os.fsdecode(b"\xff\xfe\x80"),
    "megabyte": "n" * 1_000_000,
    "numbers": "9" * 5_000,
    "brackets": "[bold]%s{0}%(x)s$HOME" * 3,
    "lines": "a\nb\r\nc",
}
_OUTPUTS: Final = {
    name: BROKEN[name]
    for name in (
        *("pipe", "socket", "device", "link to itself", "link to nothing", "noise"),
        *("long name", "long path"),
    )
}


def _pairs(readers: Sequence[Reader], names: Iterable[str]) -> Iterator[ParameterSet]:
    for reader in readers:
        for name in names:
            yield pytest.param(reader, name, id=f"{reader}-{name}")


@pytest.mark.parametrize(("reader", "text"), [*_pairs(TEXTS, _TEXTS)])
def test_a_text(reader: Reader, text: str, attempt: Try) -> None:
    free = reader.parameter == "title"
    attempt(reader, _TEXTS[text], ANY if free else REFUSED)


@pytest.mark.parametrize(("writer", "output"), [*_pairs(WRITERS, _OUTPUTS)])
def test_a_place_where_nothing_can_be_written(
    writer: Reader, output: str, attempt: Try, place: Path
) -> None:
    ending = writer.command.partition("@")[2].split(" ")[0]
    made = _OUTPUTS[output](place / f"taken{ending}", b"")
    before = os.lstat(made).st_ino if os.path.lexists(made) else None
    attempt(writer, str(made.relative_to(place)).removesuffix(ending), REFUSED)
    assert before == (os.lstat(made).st_ino if os.path.lexists(made) else None)


@pytest.mark.parametrize("writer", [w for w in WRITERS if w.kind == "file"], ids=str)
def test_a_file_in_no_folder_or_in_a_file(writer: Reader, attempt: Try, place: Path) -> None:
    (place / "taken").write_text("mine", encoding="utf-8")
    attempt(writer, "absent/new", REFUSED)
    attempt(writer, "taken/new", REFUSED)
