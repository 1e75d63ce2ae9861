"""Units that were damaged are noticed, set aside as they are, and played again."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mars_logic.errors import InputError
from mars_logic.experiments import results
from mars_logic.experiments.folder import ResultsFolder
from mars_logic.experiments.layout import ABOUT, DAMAGED, RESULTS, ROWS, UNITS
from mars_logic.experiments.record import COLUMNS, TIMES
from mars_logic.experiments.spec import Spec
from mars_logic.experiments.work import carry_out
from tests.experiments.units import unit

ASKED = Spec.model_validate({"agents": ("random",), "worlds": ("default",), "seeds": [0, 1]})
ASKED_UNITS = [unit(seed) for seed in range(2)]
FIRST, SECOND = (each.name for each in ASKED_UNITS)
CERTIFICATE = "certificates/e1.json"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An experiment's folder with two units, which is copied to be damaged."""
    path = tmp_path_factory.mktemp("kept") / "out"
    play(path)
    return path


def play(path: Path) -> dict[str, tuple[Path, str]]:
    """What the command does; returns what was set aside."""
    with ResultsFolder(path) as folder:
        for each in folder.begin(ASKED, ASKED_UNITS):
            folder.keep(each, carry_out(each))
        assert folder.collect(ASKED_UNITS) == len(ASKED_UNITS)
    return folder.set_aside


def rows(path: Path) -> pa.Table:
    return pq.read_table(path / RESULTS).drop_columns([*TIMES])


def rewrite(file: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    pq.write_table(change(pq.read_table(file)), file)


def cut(file: Path, part: float = 0.5) -> None:
    file.write_bytes(file.read_bytes()[: int(part * file.stat().st_size)])


def replace(file: Path, make: Callable[[Path], object]) -> None:
    shutil.rmtree(file) if file.is_dir() else file.unlink()
    make(file)


def swap(unit: Path) -> None:
    """The whole of another unit in the place of this one."""
    replace(unit, lambda place: shutil.copytree(place.parent / SECOND, place))


DAMAGES: dict[str, Callable[[Path], object]] = {
    "rows cut off": lambda unit: cut(unit / ROWS),
    "rows empty": lambda unit: (unit / ROWS).write_bytes(b""),
    "rows missing": lambda unit: (unit / ROWS).unlink(),
    "rows of another unit": lambda unit: shutil.copy(unit.parent / SECOND / ROWS, unit / ROWS),
    "rows of something else": lambda unit: rewrite(unit / ROWS, lambda _: pa.table({"a": [1]})),
    "a column missing": lambda unit: rewrite(unit / ROWS, lambda t: t.drop_columns(["reward"])),
    "a column of nulls": lambda unit: rewrite(
        unit / ROWS, lambda t: t.set_column(0, COLUMNS.field("unit"), pa.nulls(1, pa.string()))
    ),
    "a column of texts": lambda unit: rewrite(
        unit / ROWS, lambda t: t.set_column(14, "reward", pa.array(["1"]))
    ),
    "no rows": lambda unit: rewrite(unit / ROWS, lambda t: t.slice(0, 0)),
    "rows doubled": lambda unit: rewrite(unit / ROWS, lambda t: pa.concat_tables([t, t])),
    "rows are a pipe": lambda unit: replace(unit / ROWS, os.mkfifo),
    "rows are a folder": lambda unit: replace(unit / ROWS, os.mkdir),
    "rows never end": lambda unit: replace(unit / ROWS, lambda f: f.symlink_to("/dev/zero")),
    "rows lead to themselves": lambda unit: replace(unit / ROWS, lambda f: f.symlink_to(f)),
    "description cut off": lambda unit: cut(unit / ABOUT),
    "description missing": lambda unit: (unit / ABOUT).unlink(),
    "description of nothing": lambda unit: (unit / ABOUT).write_text("{}", encoding="utf-8"),
    "description nested": lambda unit: (unit / ABOUT).write_text("[" * 100_000, encoding="utf-8"),
    "description no text": lambda unit: (unit / ABOUT).write_bytes(b"\xff\xfe"),
    "description a pipe": lambda unit: replace(unit / ABOUT, os.mkfifo),
    "a certificate cut off": lambda unit: cut(unit / CERTIFICATE, 0.9),
    "a certificate missing": lambda unit: (unit / CERTIFICATE).unlink(),
    "a certificate a pipe": lambda unit: replace(unit / CERTIFICATE, os.mkfifo),
    "another unit": swap,
    "nothing in it": lambda unit: replace(unit, os.mkdir),
    "a file": lambda unit: replace(unit, lambda place: place.write_text("mine", encoding="utf-8")),
    "a pipe": lambda unit: replace(unit, os.mkfifo),
    "a link to itself": lambda unit: replace(unit, lambda place: place.symlink_to(place)),
    "a dangling link": lambda unit: replace(unit, lambda place: place.symlink_to("nowhere")),
}


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_unit_is_set_aside_and_played_again(
    kept: Path, tmp_path: Path, damage: str
) -> None:
    path = tmp_path / "out"
    shutil.copytree(kept, path)
    DAMAGES[damage](path / UNITS / FIRST)
    found = os.lstat(path / UNITS / FIRST)
    before = (path / UNITS / SECOND).stat().st_mtime_ns
    aside = play(path)
    assert [*aside] == [FIRST], "it is named"
    place, why = aside[FIRST]
    assert place == path / DAMAGED / FIRST and str(path / UNITS / FIRST) in why
    assert os.lstat(place).st_ino == found.st_ino, "it is what lay there"
    assert (path / UNITS / SECOND).stat().st_mtime_ns == before, "what is whole is not touched"
    assert rows(path).equals(rows(kept))
    for file in (path / UNITS / FIRST).rglob("*"):
        if file.is_file() and file.name != ROWS:
            assert file.read_bytes() == (kept / file.relative_to(path)).read_bytes()
    assert play(path) == {}, "all is whole now"


def test_what_was_set_aside_is_never_overwritten(kept: Path, tmp_path: Path) -> None:
    path = tmp_path / "out"
    shutil.copytree(kept, path)
    for number in range(3):
        (path / UNITS / FIRST / ROWS).write_text(f"damage {number}", encoding="utf-8")
        play(path)
    found = {
        place.name: (place / ROWS).read_text(encoding="utf-8")
        for place in (path / DAMAGED).iterdir()
    }
    assert found == {FIRST: "damage 0", f"{FIRST}.2": "damage 1", f"{FIRST}.3": "damage 2"}


def test_units_of_earlier_versions_are_whole(kept: Path, tmp_path: Path) -> None:
    """Those that do not hold the digests of their files."""
    path = tmp_path / "out"
    shutil.copytree(kept, path)
    about = path / UNITS / FIRST / ABOUT
    document = json.loads(about.read_text(encoding="utf-8"))
    assert [*document.pop("files")] == [CERTIFICATE]
    about.write_text(json.dumps(document), encoding="utf-8")
    assert play(path) == {}
    (path / UNITS / FIRST / CERTIFICATE).unlink()
    assert [*play(path)] == [FIRST]


def test_what_is_no_unit_is_left_alone(kept: Path, tmp_path: Path) -> None:
    path = tmp_path / "out"
    shutil.copytree(kept, path)
    (path / UNITS / "notes").mkdir()
    (path / UNITS / "mine.txt").write_text("mine", encoding="utf-8")
    os.mkfifo(path / UNITS / "pipe")
    assert play(path) == {}
    assert (path / UNITS / "mine.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("damage", ["rows cut off", "a column of nulls", "rows are a pipe"])
def test_a_damaged_unit_is_not_summed_up(kept: Path, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "out"
    shutil.copytree(kept, path)
    DAMAGES[damage](path / UNITS / FIRST)
    with pytest.raises(InputError, match=f"{FIRST}/{ROWS}:1: "):
        results.read(path)
