"""Every reader with damaged contents of every file that it reads; the damages follow its format."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest
from _pytest.mark import ParameterSet

from tests.hostile import arrays, fresh, judge, material, tables
from tests.hostile.conftest import Try
from tests.hostile.formats import damages, format_of
from tests.hostile.kinds import ANY, REFUSED
from tests.hostile.material import INPUTS
from tests.hostile.server import Server
from tests.hostile.table import FOLDER_READERS, READERS, Reader

pytestmark = pytest.mark.long

_ALL: Final = (*READERS, *FOLDER_READERS)
_PARTS: Final = 16
_DRAWN: Final = 2


def _drawn() -> Iterator[ParameterSet]:
    """Every reader with every file that it reads."""
    for reader in _ALL:
        for part in material.parts(reader.kind):
            yield pytest.param(reader, part, id=f"{reader}-{reader.kind}-{part}")


@pytest.mark.parametrize(("reader", "part"), [*_drawn()])
def test_drawn_damages(reader: Reader, part: str, server: Server, valid: Path, place: Path) -> None:
    _require(reader.kind)
    for number in range(_DRAWN):
        _renew(valid, place)
        case = fresh.damaged(reader, part, Random(f"{reader} {part} {number}"), place)
        fresh.run(case, server, place)


def _swept() -> Iterator[ParameterSet]:
    """Every file of every kind, with the first of its readers and a part of all damages."""
    seen = set()
    for reader in _ALL:
        for part in material.parts(reader.kind):
            if part not in seen:
                seen.add(part)
                for share in range(_PARTS):
                    yield pytest.param(reader, part, share, id=f"{reader}-{part}-{share}")


@pytest.mark.parametrize(("reader", "part", "share"), [*_swept()])
def test_all_damages(
    reader: Reader, part: str, share: int, server: Server, valid: Path, place: Path
) -> None:
    _require(reader.kind)
    path, content = material.content(valid, part)
    wrong = {}
    for damage in [*damages(format_of(path.name), content)][share :: _PARTS * _thinned(part)]:
        _renew(valid, place)
        target = material.target(place, reader.kind, place / path.relative_to(valid))
        target.write_bytes(damage.make(Random(str(damage))))
        try:
            words = judge.words(reader, place / INPUTS[reader.kind], place)
            judge.run(server, place, words, ANY)
        except AssertionError as error:
            wrong[str(damage)] = str(error)
    assert not wrong, f"{[*wrong]}\n" + "\n\n".join(f"{n}:\n{told}" for n, told in wrong.items())


def _thinned(part: str) -> int:
    """Every how many damages one is tried: documents have thousands, of equal parts."""
    return 8 if format_of(part) in ("json", "jsonl", "yaml", "npz") else 1


def _require(kind: str) -> None:
    if kind in material.NEEDS:
        pytest.importorskip(material.NEEDS[kind])


def _renew(valid: Path, place: Path) -> None:
    shutil.rmtree(place)
    shutil.copytree(valid, place)


@pytest.mark.parametrize(
    ("kind", "make"),
    [
        ("trajectory", tables.huge_table),
        ("trajectory", tables.long_strings),
        ("recording", arrays.bomb),
        ("recording", arrays.pickled),
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
    for reader in [each for each in READERS if each.kind == kind][:2]:  # they share one reader
        attempt(reader, hostile, REFUSED)
        shutil.rmtree(place / "new", ignore_errors=True)
