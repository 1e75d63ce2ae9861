"""Trajectories that other tools saved again, and arrays of one's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from mars_logic.data import Trajectories, from_arrays, load_all, save
from mars_logic.data.trajectory import SEEN
from mars_logic.errors import InputError
from mars_logic.world.problems import WorldWarning
from tests.data_layer.play import equal, recorded


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A file of two episodes."""
    path = tmp_path / "both.parquet"
    save([recorded(seed=1), recorded(seed=2)], path)
    return path


def _pandas(path: Path, out: Path) -> None:
    frame = pq.read_table(path).to_pandas()
    frame["mine"] = 1
    frame.sample(frac=1, random_state=0).to_parquet(out)


def _duckdb(path: Path, out: Path) -> None:
    query = f"copy (select *, 1 as mine from '{path}' order by step desc) to '{out}'"
    duckdb.sql(f"{query} (format parquet)")


def _pyarrow(path: Path, out: Path) -> None:
    pq.write_table(pq.read_table(path).replace_schema_metadata({}), out)


TOOLS: dict[str, Callable[[Path, Path], None]] = {
    "pandas": _pandas,
    "DuckDB": _duckdb,
    "pyarrow": _pyarrow,
}


def same(found: Trajectories, wanted: Trajectories) -> None:
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert one.about.seed == other.about.seed and one.about.digest == other.about.digest
        for name in SEEN:
            mine, theirs = getattr(one.views, name), getattr(other.views, name)
            np.testing.assert_array_equal(mine, theirs)
        for name in ("action", "reward", "unlocked", "terminated", "truncated"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize("tool", TOOLS)
def test_columns_suffice(tool: str, two: Path, tmp_path: Path) -> None:
    out = tmp_path / "again.parquet"
    TOOLS[tool](two, out)
    wanted = load_all(two)
    assert isinstance(wanted, Trajectories)
    found = load_all(out)
    assert isinstance(found, Trajectories)
    same(found, wanted)


def changed(path: Path, change: Callable[[pa.Table], pa.Table]) -> Path:
    out = path.parent / "changed.parquet"
    pq.write_table(change(pq.read_table(path)), out)
    return out


def test_whole_episodes_can_be_filtered_out_and_columns_left_out(two: Path) -> None:
    def one(table: pa.Table) -> pa.Table:
        return table.filter(pc.equal(table["seed"], 2)).drop(["agent", "episode"])

    found = load_all(changed(two, one))
    assert len(found) == 1 and found[0].about.seed == 2 and found[0].about.agent == ""


def test_rows_after_a_gap_are_left_out_and_told(two: Path) -> None:
    path = changed(two, lambda table: table.filter(pc.not_equal(table["step"], 3)))
    with pytest.warns(WorldWarning, match="rows are left out, since rows before them are missing"):
        found = load_all(path)
    assert isinstance(found, Trajectories)
    assert found.lengths.tolist() == [2, 2]
    late = changed(two, lambda table: table.filter(pc.greater(table["step"], 1)))
    with pytest.raises(InputError, match="step: no row is the first step of an episode"):
        load_all(late)


def _replaced(table: pa.Table, name: str, values: Any) -> pa.Table:
    plain = table.replace_schema_metadata({})
    return plain.set_column(plain.schema.get_field_index(name), name, values)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t: t.drop(["world"]), "world: it is missing"),
        (lambda t: t.drop(["step"]), "step: it is missing"),
        (lambda t: t.drop(["action"]), "action: it is missing"),
        (lambda t: t.drop(["after_inventory"]), "after_inventory: it is missing"),
        (lambda t: pa.concat_tables([t, t]), "step: step 1 of seed 1 is there twice"),
        (lambda t: _replaced(t, "world", pa.array(["nowhere"] * len(t))), "no bundled world"),
        (lambda t: _replaced(t, "step", pa.array(["one"] * len(t))), "step: it is string"),
        (lambda t: _replaced(t, "seed", pa.array([2**62] * len(t))), "seed: a number is out of"),
        (lambda t: _replaced(t, "action", pa.array([None] * len(t), pa.string())), "missing"),
        (lambda t: _replaced(t, "action", pa.array(["fly"] * len(t))), "action: unknown 'fly'"),
        (lambda t: _replaced(t, "unlocked", pa.array([1] * len(t))), "unlocked: it is int64"),
        (lambda t: _replaced(t, "before_objects", pa.array([b"x"] * len(t))), "before_objects"),
    ],
)
def test_what_is_missing_or_contradicts_itself_is_refused(
    change: Callable[[pa.Table], pa.Table], said: str, two: Path
) -> None:
    path = changed(two, lambda table: change(table.replace_schema_metadata({})))
    with pytest.raises(InputError) as error:
        load_all(path)
    assert said in str(error.value) and str(error.value).startswith(f"{path}:1: ")


def test_rows_of_another_moment_are_refused(two: Path) -> None:
    def swapped(table: pa.Table) -> pa.Table:
        values = table["before_inventory"].combine_chunks()
        moved = pa.array([*values.to_pylist()[1:], bytes([9] * 16)], values.type)
        return _replaced(table, "before_inventory", moved)

    with pytest.raises(InputError, match="it is not what is seen before the next transition"):
        list(load_all(changed(two, swapped)))


def test_arrays_make_a_trajectory() -> None:
    played = recorded()
    made = from_arrays(
        played.about.world,
        played.views.arrays,
        played.action.tolist(),
        played.reward,
        played.unlocked,
        terminated=bool(played.terminated[-1]),
        truncated=bool(played.truncated[-1]),
        seed=played.about.seed,
        episode=played.about.episode,
        agent=played.about.agent,
    )
    for name, array in made.views.arrays.items():
        np.testing.assert_array_equal(array, played.views.arrays[name])
    assert made.identity == played.identity and equal(made, made)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("materials", None, "materials: it is missing"),
        ("smell", [1], "smell: there is no such array"),
        ("objects", [[1]], "objects: its shape is (1, 1)"),
        ("inventory", 77, "inventory: 77 to 77; allowed: 0 to 9"),
        ("facing", 1, "facing: it holds other vectors than directions"),
        ("daylight", float("nan"), "daylight: it holds NaN or infinity"),
        ("sleeping", 0.5, "sleeping: it holds fractions"),
        ("sleeping", ["yes"], "sleeping: an array of"),
    ],
)
def test_arrays_that_are_refused(name: str, value: Any, said: str) -> None:
    played = recorded()
    arrays: dict[str, Any] = dict(played.views.arrays)
    if value is None:
        del arrays[name]
    else:
        shape = np.shape(arrays.get(name, 0))
        arrays[name] = np.full(shape, value) if np.ndim(value) == 0 else value
    with pytest.raises(InputError) as error:
        from_arrays("default", arrays, played.action, played.reward, played.unlocked)
    assert said in str(error.value)
