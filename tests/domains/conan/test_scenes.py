"""Scenes: the recorded episodes from task and seeds alone, corpora, and their files."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mars_logic import load_world
from mars_logic.domains.conan.blocks import write_blocks
from mars_logic.domains.conan.codes import ACTIONS, CODES, ITEMS, OBJECTS
from mars_logic.domains.conan.corpus import (
    CorpusSpec,
    draw_task,
    make_scene,
    stage_of,
    stream_of,
)
from mars_logic.domains.conan.jobs import scenes_job
from mars_logic.domains.conan.recipes import recipes_of
from mars_logic.domains.conan.scenes import FinishedScene, read_scenes, table_of
from mars_logic.domains.conan.vandal.log import Event
from mars_logic.domains.conan.vandal.stage import tables_of
from mars_logic.domains.conan.vandal.tasks import PRIOR
from mars_logic.errors import InputError
from tests.domains.conan.recorded import recordings
from tests.domains.conan.tables import PLACEABLE, RECIPES, WALKABLE

SPEC = CorpusSpec("conan", 77)


@cache
def few() -> list[FinishedScene]:
    return [make_scene(SPEC, number) for number in range(12)]


@pytest.mark.parametrize(
    "path", recordings("task", "fail"), ids=lambda path: getattr(path, "stem", None)
)
def test_recorded_episodes_are_played_from_task_and_seeds(path: Path) -> None:
    with np.load(path) as file:
        arrays = dict(file)
    meta = json.loads(bytes(arrays["meta_json"]).decode())
    stage = stage_of("conan")
    if meta["outcome"] == "done":
        played = stage.until_success(meta["task"], meta["seed"], meta["vandal_seed"])
        assert played and played.number == meta["attempt"]
    else:
        number = meta["attempt"]
        played = stage.attempt(meta["task"], meta["seed"], meta["vandal_seed"], number)
        assert not played.result["won"]
    result: Any = played.result
    steps, log = int(result["steps"]), result["log"]
    assert result["actions"][:steps].tolist() == arrays["action"].tolist()
    assert (result["codes"] == arrays["final_map"]).all()
    assert (result["trail"][: steps + 1] == arrays["pos"]).all()
    names = stage.programs.brackets
    brackets = [
        [
            int(e["step"]),
            names[e["code"]] if e["kind"] == Event.OPEN else "]",
            int(e["x"]),
            int(e["y"]),
        ]
        for e in log["events"][: log["size"]]
        if e["kind"] in (Event.OPEN, Event.CLOSE)
    ]
    assert brackets == meta["events"]


def test_the_world_file_states_the_rules_copied_by_hand() -> None:
    world = load_world("conan")
    assert recipes_of(world) == RECIPES
    tables = tables_of(world)[0]
    assert (tables["walkable"] == WALKABLE).all()
    stations = [CODES.index(name) for name in ("table", "furnace", "bed")]
    assert (tables["placeable"][stations] == PLACEABLE[stations]).all()
    words = world.vocabulary
    assert (words.items, words.actions) == (ITEMS, ACTIONS)
    assert words.objects == (*OBJECTS[:-1], "body")


@pytest.mark.slow
def test_tasks_are_distributed_as_published() -> None:
    """Table A5, by chi squared over 20,000 scenes: 24 degrees of freedom, 99.9 % at 51.2."""
    drawn = Counter(draw_task(stream_of(5, number, 3)) for number in range(20_000))
    expected = {task: 20_000 * share for task, share in PRIOR.items()}
    assert sum((drawn[task] - n) ** 2 / n for task, n in expected.items()) < 51.2


def test_a_scene_depends_on_its_number_alone() -> None:
    again = [make_scene(SPEC, number) for number in (7, 3)]
    assert table_of(again).equals(table_of([few()[7], few()[3]]))
    assert make_scene(CorpusSpec("conan", 78), 3).map_seed != few()[3].map_seed


def made(folder: Path, spec: CorpusSpec = SPEC, count: int = 12) -> list[int]:
    return [*write_blocks(folder, scenes_job(spec, count), 1)]


def test_a_file_gives_back_its_scenes(tmp_path: Path) -> None:
    assert made(tmp_path) == [0, 12]
    assert table_of(read_scenes(tmp_path)).equals(table_of(few()))
    first = (tmp_path / "scenes.parquet").read_bytes()
    assert made(tmp_path) == [12]
    (tmp_path / "scenes.parquet").unlink()
    assert made(tmp_path)[-1] == 12
    assert (tmp_path / "scenes.parquet").read_bytes() == first


@pytest.mark.parametrize(
    ("name", "spec", "count"),
    [("seed", CorpusSpec("conan", 78), 12), ("count", SPEC, 11)],
)
def test_a_file_that_was_made_from_something_else_is_refused(
    name: str, spec: CorpusSpec, count: int, tmp_path: Path
) -> None:
    made(tmp_path)
    with pytest.raises(InputError, match=f":1: {name}: results here were made from .*; allowed: "):
        made(tmp_path, spec, count)
    (tmp_path / "scenes.json").unlink()
    with pytest.raises(
        InputError, match="made_from: this was made from other scenes or with other options"
    ):
        made(tmp_path, spec, count)


def test_two_do_not_write_one_file(tmp_path: Path) -> None:
    first = write_blocks(tmp_path, scenes_job(SPEC, 12), 1)
    assert next(first) == 0
    with pytest.raises(InputError, match="another process is writing it"):
        made(tmp_path)
    assert [*first] == [12]


def test_privileged_columns_are_marked() -> None:
    metadata = table_of(few()).schema.metadata
    assert b"task" in metadata[b"privileged"].split(b",")
    assert b"codes" not in metadata[b"privileged"].split(b",")


@pytest.mark.parametrize(
    ("column", "value"),
    [("codes", b"\xff" * 4096), ("codes", b"x"), ("task", "get_rich"), ("trail", b"\x50" * 200)],
)
def test_values_that_no_scene_has_are_refused(column: str, value: Any, tmp_path: Path) -> None:
    table = table_of(few()[:2])
    place = table.schema.get_field_index(column)
    field = table.schema.field(column)
    wrong = table.set_column(place, field, pa.array([value] * 2, field.type))
    pq.write_table(wrong, tmp_path / "scenes.parquet")
    with pytest.raises(InputError, match=r"(codes|task|trail|actions): .*; allowed: "):
        read_scenes(tmp_path)
