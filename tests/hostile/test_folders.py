"""Every reader of a folder, with what may lie in it beside what is valid, or instead."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pyarrow.parquet as pq
import pytest
from _pytest.mark import ParameterSet

from tests.hostile.conftest import Try
from tests.hostile.kinds import BROKEN, CONTROL, VALID
from tests.hostile.material import INPUTS, NEEDS, content, parts
from tests.hostile.table import FOLDER_READERS, Reader

pytestmark = pytest.mark.long

_BESIDE: Final = (
    "pipe",
    "socket",
    "device",
    "link to itself",
    "link to nothing",
    "noise",
    "folder",
)


def _loop(folder: Path, example: Path) -> None:  # noqa: ARG001
    (folder / "loop").symlink_to(folder.parent)
    (folder / "itself").symlink_to(folder)


def _deep(folder: Path, example: Path) -> None:  # noqa: ARG001
    for _ in range(200):
        folder /= "deep"
    folder.mkdir(parents=True)


def _many(folder: Path, example: Path) -> None:
    for number in range(500):
        (folder / f"empty{number}{example.suffix}").touch()


def _named(folder: Path, example: Path) -> None:
    for name in ("valid, oddly named", "valid, name no UTF-8", "valid, name with newlines"):
        VALID[name](folder / f"copy{example.suffix}", example.read_bytes())


def _only(name: str) -> Callable[[Path, Path], None]:
    def damage(folder: Path, example: Path) -> None:
        shutil.rmtree(folder)
        folder.mkdir()
        BROKEN[name](folder / f"hostile{example.suffix}", example.read_bytes())

    return damage


def _beside(name: str) -> Callable[[Path, Path], None]:
    def damage(folder: Path, example: Path) -> None:
        BROKEN[name](folder / f"hostile{example.suffix}", example.read_bytes())

    return damage


def _emptied(folder: Path, example: Path) -> None:  # noqa: ARG001
    shutil.rmtree(folder)
    folder.mkdir()


DAMAGES: Final[dict[str, Callable[[Path, Path], None]]] = {
    "loop": _loop,
    "deep folders": _deep,
    "many empty files": _many,
    "odd names": _named,
    "nothing": _emptied,
    **{f"{name} beside": _beside(name) for name in _BESIDE},
    **{f"{name} alone": _only(name) for name in ("pipe", "noise", "device")},
}


def _cases() -> Iterator[ParameterSet]:
    for reader in FOLDER_READERS:
        for damage in DAMAGES:
            yield pytest.param(reader, damage, id=f"{reader}-{reader.kind}-{damage}")


@pytest.mark.parametrize(("reader", "damage"), [*_cases()])
def test_a_folder(reader: Reader, damage: str, attempt: Try, place: Path) -> None:
    if reader.kind in NEEDS:
        pytest.importorskip(NEEDS[reader.kind])
    folder = place / INPUTS[reader.kind]
    example, _ = content(place, parts(reader.kind)[-1])
    outside = place / f"example{example.suffix}"
    shutil.copy(example, outside)
    DAMAGES[damage](folder, outside)
    attempt(reader, folder)


_EXPERIMENT: Final = next(
    r for r in FOLDER_READERS if r.parameter == "out" and r.kind == "experiment"
)
_UNIT: Final = "units/default__random__s0"


def _replaced(name: str, content: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        path = folder / name
        path.write_bytes(content(path.read_bytes()))

    return damage


def _columns_lost(folder: Path) -> None:
    path = folder / _UNIT / "episodes.parquet"
    pq.write_table(pq.read_table(path).select(["unit", "seed"]), path)


UNITS: Final[dict[str, Callable[[Path], None]]] = {
    "rows empty": _replaced(f"{_UNIT}/episodes.parquet", lambda _: b""),
    "rows cut off": _replaced(f"{_UNIT}/episodes.parquet", lambda valid: valid[: len(valid) // 2]),
    "rows foreign": _replaced(f"{_UNIT}/episodes.parquet", lambda _: CONTROL.encode()),
    "columns lost": _columns_lost,
    "rows missing": lambda folder: (folder / _UNIT / "episodes.parquet").unlink(),
    "identity empty": _replaced(f"{_UNIT}/unit.json", lambda _: b""),
    "identity a list": _replaced(f"{_UNIT}/unit.json", lambda _: b"[]"),
    "identity deep": _replaced(f"{_UNIT}/unit.json", lambda _: b"[" * 100_000),
    "identity missing": lambda folder: (folder / _UNIT / "unit.json").unlink(),
    "results cut off": _replaced("results.parquet", lambda valid: valid[:100]),
    "a pipe for rows": lambda folder: _pipe(folder / _UNIT / "episodes.parquet"),
}


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize("damage", UNITS)
def test_a_damaged_unit_is_set_aside_and_played_again(
    damage: str, attempt: Try, place: Path
) -> None:
    folder = place / "experiment"
    before = pq.read_table(folder / "results.parquet")
    UNITS[damage](folder)
    outcome = attempt(_EXPERIMENT, folder, frozenset({0}))
    if "results" not in damage:
        assert "default__random__s0" in outcome.err
    after = pq.read_table(folder / "results.parquet")
    measured = [n for n in before.column_names if "seconds" in n or "memory" in n]
    assert after.drop_columns(measured).equals(before.drop_columns(measured))
