"""Results that anyone may have written are refused with row and column, in bounds of memory."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mars_logic.errors import InputError
from mars_logic.experiments import results
from mars_logic.experiments.record import COLUMNS
from mars_logic.experiments.rows import MOST, is_table, read

GOOD: dict[str, Any] = {
    "unit": "default__random__s0",
    "number": 1,
    "agent": "random",
    "agent_name": "random",
    "options": "{}",
    "belief": None,
    "world": "default",
    "world_name": "default",
    "world_digest": "0",
    "dynamics": "mars",
    "seed": 0,
    "episode": 1,
    "phase": "play",
    "steps": 30,
    "reward": 1.5,
    "ended": "death",
    "unlocked": [("collect_wood", 3)],
    "unreachable": ["eat_plant"],
    "goals": None,
    "complete": False,
    "score": None,
    "normalised": None,
    "precision": None,
    "recall": None,
    "changes_recall": None,
    "revisions": None,
    "certificate": None,
    "seconds_per_decision": 0.1,
    "seconds": 1.0,
    "peak_memory_mib": 1.0,
}
NULL_ALLOWED = {
    "options", "belief", "goals", "precision", "recall", "changes_recall", "revisions",
    "certificate", "score", "normalised",
}  # fmt: skip
IN_GAME = {"dynamics": "bandits", "unlocked": [], "unreachable": [], "complete": None, "score": 9.0}


def written(path: Path, *rows: dict[str, Any]) -> Path:
    file = path / "results.parquet"
    pq.write_table(pa.Table.from_pylist([GOOD | row for row in rows], COLUMNS), file)
    return file


def refused(file: Path) -> str:
    with pytest.raises(InputError) as found:
        list(read(file))
    message = str(found.value)
    assert message.startswith(f"{file}:") and "; allowed: " in message and "\n" not in message
    return message.removeprefix(str(file)).partition("; allowed: ")[0]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    (row,) = read(written(tmp_path, {}))
    assert row.unlocked == {"collect_wood": 3} and row.unreachable == ("eat_plant",)
    assert row.complete is False and row.precision is None and row.options == "{}"
    texts = {id(each.agent) for each in read(written(tmp_path, *[{}] * 50))}
    assert len(texts) == 1, "equal texts are one"


@pytest.mark.parametrize("name", COLUMNS.names)
def test_columns_that_are_missing_null_or_of_another_type(tmp_path: Path, name: str) -> None:
    file = written(tmp_path, {}, {name: None})
    if name in NULL_ALLOWED:
        assert len([*read(file)]) == 2
    else:
        assert refused(file).startswith(f":2: {name}: this is null")
    table = pq.read_table(file)
    place = table.schema.get_field_index(name)
    for other in (pa.array([{"a": 1}] * 2), pa.array([b"\xff"] * 2), pa.nulls(2)):
        pq.write_table(table.set_column(place, name, other), file)
        assert refused(file).startswith(f":1: {name}: it is ")
    pq.write_table(table.add_column(0, name, table.column(name)), file)
    assert refused(file) == f":1: {name}: there are 2 of this name"
    pq.write_table(table.drop_columns([name]), file)
    if name in ("options", "belief", "goals", "certificate", "score", "normalised"):
        assert len([*read(file)]) == 2, "older results lack it"
    else:
        assert refused(file) == f":1: {name}: it is missing"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("reward", value) for value in (math.nan, math.inf, -math.inf, 1e308, -1e308)),
        *(("seconds", value) for value in (math.nan, -1.0, 1e308)),
        ("precision", math.nan),
        ("recall", 1.5),
        ("steps", 0),
        ("steps", -(2**31)),
        ("number", 0),
        ("episode", -1),
        ("seed", 2**62),
        ("revisions", -1),
        ("unit", "default__random"),
        ("unit", "default__random__s"),
        ("unit", "default__random__s" + "9" * 5000),
        ("unit", "../../elsewhere__random__s0"),
        ("unit", "d\x1b[2J__random__s0"),
        ("options", "[" * 9000),
        ("options", "[]"),
        ("options", "1" * 9000),
        ("phase", "sleep"),
        ("ended", ""),
        ("dynamics", "chess"),
        ("unlocked", [("fly", 3)]),
        ("unlocked", [("collect_wood", 31)]),
        ("unlocked", [("collect_wood", -1)]),
        ("unlocked", [("collect_wood", None)]),
        ("unlocked", [("eat_cow", 3)]),
        ("unreachable", ["fly"]),
        ("unreachable", [None]),
        ("agent", "x" * 20_000),
    ],
)
def test_values_that_cannot_be(tmp_path: Path, name: str, value: Any) -> None:
    assert refused(written(tmp_path, {}, {name: value})).startswith(f":2: {name}: ")


def test_a_row_of_a_game(tmp_path: Path) -> None:
    (row,) = read(written(tmp_path, IN_GAME))
    assert row.is_game and row.achievements == () and row.complete is None and row.score == 9
    assert refused(written(tmp_path, IN_GAME | {"score": None})) == ":1: score: this is null"
    reached = IN_GAME | {"unlocked": [("collect_wood", 3)]}
    assert "no achievement" in refused(written(tmp_path, reached))
    assert refused(written(tmp_path, IN_GAME | {"score": math.nan})).startswith(":1: score: ")


def test_text_that_is_no_utf_8(tmp_path: Path) -> None:
    file = written(tmp_path, {})
    table = pq.read_table(file)
    spoilt = pa.array([b"\xff\xfe"]).cast(pa.binary()).view(pa.string())
    pq.write_table(table.set_column(table.schema.get_field_index("agent"), "agent", spoilt), file)
    assert "UTF-8" in refused(file)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_damaged_bytes_are_refused_or_read(tmp_path: Path, data: st.DataObject) -> None:
    """Never another error, whatever bytes are changed, cut off or put in."""
    content = bytearray(written(tmp_path, {}, {"seed": 1}).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8))
    (file := tmp_path / "damaged.parquet").write_bytes(content)
    try:
        assert all(row.reward == row.reward for row in read(file))
    except InputError as error:
        assert "\n" not in str(error)
    is_table(file)


def bomb(path: Path, kind: str) -> Path:
    """A file of at most 2 MB that holds more than fits in memory."""
    file = path / "results.parquet"
    rows = 30_000_000 if kind == "rows" else 100_000
    none = pa.repeat(pa.scalar(0, pa.int32()), rows)
    inside = 20_000_000
    spoilt = {
        "text": {"agent": lambda: pa.DictionaryArray.from_arrays(none, ["x" * 1_000_000])},
        "lists": {
            "unreachable": lambda: pa.ListArray.from_arrays(
                pa.array([0, *[inside] * rows], pa.int32()),
                pa.DictionaryArray.from_arrays(
                    pa.repeat(pa.scalar(0, pa.int32()), inside), ["eat_plant"]
                ),
            )
        },
    }.get(kind, {})

    def column(name: str) -> pa.Array:
        if name in spoilt:
            return spoilt[name]()
        field = COLUMNS.field(name)
        if pa.types.is_nested(field.type):
            return pa.nulls(rows, field.type)
        return pa.repeat(pa.scalar(GOOD[name], field.type), rows)

    names = ["seed", "reward"] if kind == "rows" else COLUMNS.names
    table = pa.table({name: column(name) for name in names}).replace_schema_metadata(
        COLUMNS.metadata
    )
    pq.write_table(table, file, row_group_size=rows, compression="zstd", store_schema=False)
    return file


MEASURED = """
import re, sys
from pathlib import Path
from mars_logic.cli.main import main
try:
    main()
finally:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    print(int(re.search(r"VmHWM:\\s*(\\d+)", status)[1]) // 1024, file=sys.stderr)
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["rows", "text", "lists"])
def test_small_files_that_unpack_to_gigabytes(tmp_path: Path, kind: str) -> None:
    """Read in a process of its own, which tells the most memory that it had in use, in MiB."""
    file = bomb(tmp_path, kind)
    assert file.stat().st_size < 2_000_000
    process = subprocess.run(
        [sys.executable, "-c", MEASURED, "summarise", str(file)],
        capture_output=True, text=True, timeout=100, check=False,
    encoding="utf-8")  # fmt: skip
    told, peak = process.stderr.splitlines()
    assert process.returncode == 2 and told.startswith(f"{file}:1: "), told
    assert int(peak) < 1000


def test_millions_of_columns_and_endless_files(tmp_path: Path) -> None:
    many = pa.table({f"column{i}": [1] for i in range(20_000)}, metadata=COLUMNS.metadata)
    pq.write_table(many, tmp_path / "many.parquet")
    assert ":1: " in refused(tmp_path / "many.parquet")
    (tmp_path / "endless.parquet").symlink_to("/dev/zero")
    assert refused(tmp_path / "endless.parquet") == ":1: file: this is not a regular file"
    assert not is_table(tmp_path / "endless.parquet")


def test_episodes_that_are_told_twice(tmp_path: Path) -> None:
    file = written(tmp_path, {}, {})
    with pytest.raises(InputError, match=r"results.parquet:2: number: .* twice; allowed: "):
        results.read(file)
    assert MOST >= 100_000
