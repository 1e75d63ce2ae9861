"""Files of trajectories: what is refused."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mars_logic.data import (
    Trajectories,
    files_in,
    load,
    load_all,
    save,
)
from mars_logic.errors import InputError
from tests.data_layer.play import equal, recorded

KEY = b"mars_logic"


def refused(path: Path) -> str:
    with pytest.raises(InputError) as error:
        load(path)
    assert str(error.value).startswith(f"{path}:1: ") and "; allowed: " in str(error.value)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_nothing_is_written_where_nothing_can_be(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        save(recorded(), tmp_path / "missing" / "one.parquet")


def test_what_cannot_be_saved(tmp_path: Path) -> None:
    path = tmp_path / "one.parquet"
    first = recorded()
    nothing = replace(
        first,
        views=first.views[:1],
        privileged=None,
        **{
            name: getattr(first, name)[:0]
            for name in ("action", "reward", "unlocked", "terminated", "truncated")
        },
    )
    with pytest.raises(ValueError, match="no transition"):
        save(nothing, path)
    other = replace(first, about=replace(first.about, dynamics="crafter"))
    with pytest.raises(ValueError, match="different dialects"):
        save([first, other], path)
    with pytest.raises(ValueError, match="no trajectory"):
        save([], path)
    assert not path.exists()


def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    save(recorded(), tmp_path / "whole.parquet")
    whole = (tmp_path / "whole.parquet").read_bytes()
    cut = tmp_path / "cut.parquet"
    for length in [*range(0, 60, 7), *range(60, len(whole), 97), len(whole) - 1]:
        cut.write_bytes(whole[:length])
        assert "file: this is no Parquet file, or not a whole one" in refused(cut)


def test_a_damaged_file_is_refused_or_means_the_same(tmp_path: Path) -> None:
    """Checksums notice what is damaged in the data; nothing may crash."""
    save(recorded(), tmp_path / "whole.parquet")
    whole = (tmp_path / "whole.parquet").read_bytes()
    path = tmp_path / "damaged.parquet"
    chance = random.Random(0)
    for _ in range(200):
        damaged = bytearray(whole)
        damaged[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        try:
            found = load(path)
        except InputError:
            continue
        assert equal(found, recorded())


def test_other_files_are_refused(tmp_path: Path) -> None:
    assert "no such file" in refused(tmp_path / "missing.parquet")
    assert "there is no trajectory" in refused(tmp_path)
    path = tmp_path / "other.parquet"
    path.write_text("{}", encoding="utf-8")
    assert "no Parquet file" in refused(path)
    np.savez(tmp_path / "old.npz", action=np.zeros(3))
    assert "no Parquet file" in refused(tmp_path / "old.npz")
    pq.write_table(pa.table({"action": [1, 2]}), path)
    assert "world: it is missing; allowed: a column of this name" in refused(path)


def test_dialects_are_not_mixed(tmp_path: Path) -> None:
    first = recorded()
    save(first, tmp_path / "a.parquet")
    other = replace(first, about=replace(first.about, dynamics="crafter"))
    save(other, tmp_path / "b.parquet")
    with pytest.raises(InputError, match=r"b.parquet:1: dynamics: this is play of crafter"):
        load_all(tmp_path)


def rewritten(path: Path, meta: dict[str, Any] | None = None, **changed: Any) -> Path:
    """A trajectory's file with something in it changed; None takes a column out."""
    save(recorded(), path)
    table = pq.read_table(path)
    about = json.loads(pq.read_metadata(path).metadata[KEY]) | (meta or {})
    for name, column in changed.items():
        position = table.schema.get_field_index(name)
        table = table.remove_column(position)
        if column is not None:
            table = table.add_column(position, name, column)
    with pq.ParquetWriter(path, table.schema, store_schema=False) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({KEY: json.dumps(about)})
    return path


def test_a_file_rewritten_by_another_tool_is_read(tmp_path: Path) -> None:
    assert equal(load(rewritten(tmp_path / "one.parquet")), recorded())


ORIGIN = {
    "world": "all_three",
    "digest": "",
    "dynamics": "mars",
    "agent": "script",
    "versions": {},
}


@pytest.mark.parametrize(
    ("meta", "message"),
    [
        ({"schema": "another"}, "schema: this is 'another'; allowed: 'mars-logic trajectories'"),
        ({"version": 2}, "version: this is version 2, written by a newer mars-logic; allowed: 1"),
        ({"version": 0}, "version: this is version 0; allowed: 1"),
        ({"version": "one"}, "mars_logic: this is not the description of trajectories"),
        (
            {"origins": [ORIGIN | {"dynamics": "chess"}]},
            "origins[0].dynamics: 'chess' is not possible",
        ),
        ({"origins": []}, "origins: a list is not possible; allowed: at least 1 of them"),
        ({"episodes": [[0, "one", 1, 9]]}, "episodes[0][1]: 'one' is not a whole number"),
        (
            {"episodes": [[0, 1, 0, 9]]},
            "episodes[0][2]: 0 is not possible; allowed: a number from 1",
        ),
        ({"episodes": [[1, 1, 1, 9]]}, "episodes: origin 1; allowed: 0 to 0"),
        (
            {"episodes": [[-1, 1, 1, 9]]},
            "episodes[0][0]: -1 is not possible; allowed: a number from 0",
        ),
    ],
)
def test_wrong_descriptions(tmp_path: Path, meta: dict[str, Any], message: str) -> None:
    assert message in refused(rewritten(tmp_path / "one.parquet", meta))


def test_wrong_columns(tmp_path: Path) -> None:
    steps = len(recorded())
    path = tmp_path / "one.parquet"

    def after(**changed: Any) -> str:
        return refused(rewritten(path, **changed))

    assert "action: it is missing" in after(action=None)
    assert "reward: it is string" in after(reward=pa.array(["1"] * steps))
    assert "privileged_x: it is missing" in after(privileged_x=None)
    assert "action: unknown 'fly'; allowed: noop, " in after(action=pa.array(["fly"] * steps))
    assert "before_facing: unknown 'north'; allowed: left, right, up, down" in after(
        before_facing=pa.array(["north"] * steps)
    )
    nothing = pa.array([None] * steps, pa.float64())
    assert "reward: something is missing" in after(reward=nothing)
    cells = pa.array([bytes([13] * 63)] * steps, pa.binary(63))
    assert "after_materials: 13 is too large; allowed: 0 to 12" in after(after_materials=cells)
    short = pa.array([bytes(62)] * steps, pa.binary(62))
    assert "before_objects: it is fixed_size_binary[62]" in after(before_objects=short)
    element = pa.field("element", pa.string(), nullable=False)
    flight = pa.array([["fly"]] * steps, pa.list_(element))
    assert "unlocked: unknown 'fly'" in after(unlocked=flight)


# --- Killed at any moment -------------------------------------------------------------------------

WRITER = """
import sys
from pathlib import Path
from mars_logic.data import load, save
one, folder = load(sys.argv[1]), Path(sys.argv[2])
for i in range(100000):
    save(one, folder / f"{i}.parquet")
    print(i, flush=True)
"""


@pytest.mark.slow
def test_a_killed_writer_leaves_whole_files(tmp_path: Path) -> None:
    save(recorded(), tmp_path / "one.parquet")
    chance = random.Random(1)
    for turn in range(3):
        folder = tmp_path / str(turn)
        folder.mkdir()
        arguments = [sys.executable, "-c", WRITER, tmp_path / "one.parquet", folder]
        with subprocess.Popen(
            arguments, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        ) as process:
            assert process.stdout
            process.stdout.readline()
            time.sleep(chance.uniform(0, 0.2))
            process.kill()
            told = [0, *map(int, process.stdout.read().split())]
        files = files_in(folder)
        assert len(files) in (told[-1] + 1, told[-1] + 2)
        found = load_all(folder)
        assert isinstance(found, Trajectories)
        assert all(equal(each, recorded()) for each in found[::10])


def damaged(path: Path, column: str, value: Any) -> None:
    """Put a value into the middle of a column."""
    table = pq.read_table(path)
    kind, values = table.schema.field(column).type, table.column(column).to_pylist()
    values[len(values) // 2] = value
    place = table.schema.get_field_index(column)
    changed = table.set_column(place, pa.field(column, kind), pa.array(values, kind))
    pq.write_table(changed.replace_schema_metadata(table.schema.metadata), path)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("reward", float("nan"), "reward: there is nan; allowed: numbers from"),
        ("reward", float("-inf"), "reward: there is -inf"),
        ("reward", 1e308, "reward: there is 1e\\+308"),
        ("before_daylight", 1.5, "before_daylight: there is 1.5; allowed: numbers from 0 to 1"),
        ("privileged_hunger", float("nan"), "privileged_hunger: there is nan"),
        ("privileged_x", 64, "privileged_x: there is 64; allowed: whole numbers from 0 to 63"),
        ("before_objects", b"\xff" * 63, "before_objects: 255 is too large"),
        ("action", "", "action: unknown ''; allowed: noop"),
        ("action", "x" * 9999, "action: unknown 'xxx.*[.]{3}'; allowed: noop"),
        ("action", None, "action: something is missing"),
        ("unlocked", ["swim"], "unlocked: unknown 'swim'"),
    ],
)
def test_numbers_and_names_out_of_range_are_refused(
    tmp_path: Path, column: str, value: Any, message: str
) -> None:
    path = tmp_path / "a.parquet"
    save(recorded(), path)
    damaged(path, column, value)
    with pytest.raises(InputError, match=f"^{path}:1: {message}"):
        load(path)


@pytest.mark.parametrize("episode", [(0, 10**30, 1), (0, 2**61, 1), (0, 1, 2**31), (0, 1, 0)])
def test_seeds_and_episodes_out_of_range_are_refused(
    tmp_path: Path, episode: tuple[int, int, int]
) -> None:
    path = tmp_path / "a.parquet"
    save(recorded(), path)
    table = pq.read_table(path)
    about = json.loads(table.schema.metadata[KEY])
    about["episodes"] = [[*episode, len(table)]]
    pq.write_table(table.replace_schema_metadata({KEY: json.dumps(about)}), path)
    with pytest.raises(InputError, match=r"episodes\[0\]\[[12]\]: \d+ is not possible"):
        load(path)


def test_no_more_is_written_to_a_file_than_is_read_from_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mars_logic.data.parquet.MOST_BYTES", 10_000)
    with pytest.raises(InputError, match=r"rows: .* transitions are too many for one file"):
        save(recorded(), tmp_path / "a.parquet")
    assert not [*tmp_path.iterdir()]
