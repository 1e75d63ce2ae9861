"""Scenes: what a vandal left behind, and apart from it, what only the vandal knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mars_logic.data.parquet import Parquet
from mars_logic.domains.conan.codes import CODES, ITEMS, OBJECTS
from mars_logic.domains.conan.vandal.careful_play import OUTCOMES
from mars_logic.domains.conan.vandal.log import EVENT_DTYPE, Event, Why
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS, SURVIVING, TASKS, WEAPONS
from mars_logic.world.dialect import AREA

SPLITS: Final = ((0, "train"), (8000, "val"), (9000, "test"))
"""The first scene of each split."""


@dataclass(frozen=True)
class FinishedScene:
    """A scene. What :data:`PRIVILEGED` lists, no detective may read.

    Attributes:
        number: Its number in the corpus.
        split: ``train``, ``val`` or ``test``.
        world: The world's name.
        codes: uint8[64, 64], indexed [x, y]: the map at the end.
        objects: int16[k, 3]: kind, x and y of each creature and arrow at the end.
        figure: Where the vandal stood.
        dead: Whether it died.
        task: The task; ``survive`` in survival scenes.
        weapon: The weapon that was drawn, ``none`` if none was.
        vandal: The kind of vandal.
        mode: ``task`` or ``survival``.
        tasks: How many tasks the corpus has, 25 or 60.
        corpus_seed: Seed of the corpus.
        map_seed: Seed of the world's stream.
        episode: Episode of that seed.
        vandal_seed: Seed of the vandal's stream.
        attempts: Worlds that were tried, this one included.
        actions: uint8[steps].
        trail: uint8[steps + 1, 2]: the vandal's positions.
        events: Records of ``log.EVENT_DTYPE``.
        brackets: Names of the brackets that events number.
        outcome: How survival ended, one of ``OUTCOMES``; empty in scenes of tasks.
        left_out: The need that the vandal never served, or empty.
        monsters: Whether zombies and skeletons lived on the map.
        saved_by: What would have kept it alive: needs, ``monsters`` (none about), comma-separated.
        needs: int8[3]: food, drink and energy at the beginning.
    """

    number: int
    split: str
    world: str
    codes: NDArray[np.uint8]
    objects: NDArray[np.int16]
    figure: tuple[int, int]
    dead: bool
    task: str
    weapon: str
    vandal: str
    mode: str
    corpus_seed: int
    map_seed: int
    episode: int
    vandal_seed: int
    attempts: int
    actions: NDArray[np.uint8]
    trail: NDArray[np.uint8]
    events: NDArray[np.void]
    brackets: tuple[str, ...]
    tasks: int = 25
    outcome: str = ""
    left_out: str = ""
    monsters: bool = True
    saved_by: str = ""
    needs: NDArray[np.int8] = field(default_factory=lambda: np.full(3, 9, np.int8))

    @property
    def suspect(self) -> tuple[str, str, int]:
        """What a detective is told of who may have been here: world, kind of vandal, tasks."""
        return self.world, self.vandal, self.tasks

    @property
    def steps(self) -> int:
        """The number of steps that the vandal took."""
        return len(self.actions)

    @cached_property
    def things(self) -> NDArray[np.uint8]:
        """Objects by cell, without the figure: uint8[64, 64]."""
        grid = np.zeros((AREA, AREA), np.uint8)
        grid[self.objects[:, 1], self.objects[:, 2]] = self.objects[:, 0]
        return grid


PRIVILEGED: Final = (
    *("task", "weapon", "corpus_seed", "map_seed", "episode", "vandal_seed"),
    *("attempts", "actions", "trail", "events", "brackets"),
    *("outcome", "left_out", "monsters", "saved_by", "needs"),
)
"""Columns that no detective may read."""

_BINARY: Final[dict[str, tuple[Any, tuple[int, ...]]]] = {
    "codes": (np.uint8, (AREA, AREA)),
    "objects": (np.dtype("<i2"), (-1, 3)),
    "actions": (np.uint8, (-1,)),
    "trail": (np.uint8, (-1, 2)),
    "events": (EVENT_DTYPE, (-1,)),
    "needs": (np.int8, (3,)),
}
"""Columns of bytes: the type and shape of what they hold."""

_ALLOWED: Final = "a file of scenes, as `mars-logic scenes` writes it"

SCHEMA: Final = pa.schema(
    [
        pa.field(name, kind, nullable=False)
        for name, kind in (
            ("number", pa.int32()),
            ("split", pa.string()),
            ("world", pa.string()),
            ("codes", pa.binary()),
            ("objects", pa.binary()),
            ("figure_x", pa.int16()),
            ("figure_y", pa.int16()),
            ("dead", pa.bool_()),
            ("task", pa.string()),
            ("weapon", pa.string()),
            ("vandal", pa.string()),
            ("mode", pa.string()),
            ("corpus_seed", pa.int64()),
            ("map_seed", pa.int64()),
            ("episode", pa.int32()),
            ("vandal_seed", pa.int64()),
            ("attempts", pa.int32()),
            ("actions", pa.binary()),
            ("trail", pa.binary()),
            ("events", pa.binary()),
            ("brackets", pa.string()),
            ("tasks", pa.int16()),
            ("outcome", pa.string()),
            ("left_out", pa.string()),
            ("monsters", pa.bool_()),
            ("saved_by", pa.string()),
            ("needs", pa.binary()),
        )
    ],
    metadata={"schema": "conan_scenes 2", "privileged": ",".join(PRIVILEGED)},
)
"""Columns of a file of scenes."""


def table_of(scenes: Iterable[FinishedScene]) -> pa.Table:
    """Scenes as a table of :data:`SCHEMA`."""
    rows = [_row(scene) for scene in scenes]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _row(scene: FinishedScene) -> dict[str, Any]:
    row = {each.name: getattr(scene, each.name) for each in fields(scene)}
    row["figure_x"], row["figure_y"] = row.pop("figure")
    row["brackets"] = ",".join(scene.brackets)
    for name in _BINARY:
        row[name] = np.ascontiguousarray(row[name]).tobytes()
    return row


def read_scenes(path: Path, first: int = 0, last: int | None = None) -> Sequence[FinishedScene]:
    """The scenes of a file, or of the file ``scenes.parquet`` of a folder.

    Args:
        path: The file or folder.
        first: The first row that is read.
        last: The row before which reading ends; by default all rows are read.

    Raises:
        InputError: It is missing or no file of scenes.
    """
    file = Parquet.open(path / "scenes.parquet" if path.is_dir() else path, _ALLOWED)
    if file.texts.get(b"schema") != SCHEMA.metadata[b"schema"]:
        file.refuse("schema", "this file holds no scenes")
    length = None if last is None else last - first
    rows = file.table(SCHEMA).slice(first, length).to_pylist()
    return [_scene(file, row) for row in rows]


def _scene(file: Parquet, row: dict[str, Any]) -> FinishedScene:
    row["figure"] = (row.pop("figure_x"), row.pop("figure_y"))
    row["brackets"] = tuple(row["brackets"].split(","))
    for name, (dtype, shape) in _BINARY.items():
        try:
            row[name] = np.frombuffer(row[name], dtype).reshape(shape)
        except ValueError:
            file.refuse(name, f"bytes of another length in scene {row['number']}")
    scene = FinishedScene(**row)
    if wrong := _wrong(scene):
        file.refuse(wrong, f"values out of range in scene {scene.number}")
    return scene


def _wrong(scene: FinishedScene) -> str | None:
    """The first column with a value that no scene has, or None."""
    events, known = scene.events, len(scene.brackets)
    fine = {
        "codes": (scene.codes < len(CODES)).all() and (scene.codes > 0).all(),
        "objects": _inside(scene.objects[:, 1:]) and _within(scene.objects[:, 0], 1, len(OBJECTS)),
        "figure_x, figure_y": _inside(np.array(scene.figure)),
        "task": scene.task in (*ALL_TASKS, SURVIVING),
        "weapon": scene.weapon in WEAPONS,
        "actions": len(scene.trail) == len(scene.actions) + 1,
        "trail": _inside(scene.trail),
        "tasks": scene.tasks in (len(TASKS), len(ALL_TASKS)),
        "events": all(_known(event, known) for event in events.tolist()),
        "outcome": scene.outcome in ("", *OUTCOMES),
        "left_out": scene.left_out in ("", "food", "drink", "energy"),
    }
    return next((name for name, holds in fine.items() if not holds), None)


def _known(event: tuple[int, ...], brackets: int) -> bool:
    """Whether an event's kind, code, reason and weapon mean something."""
    _, kind, code, x, y, why, weapon = event
    names = {
        Event.OPEN: brackets,
        Event.MAKE: len(ITEMS),
        Event.EAT: len(ITEMS),
        Event.KILL: len(OBJECTS),
    }
    if not (0 <= kind < len(Event) and 0 <= why < len(Why) and -1 <= weapon < len(ITEMS)):
        return False
    fits = kind == Event.CLOSE or 0 <= code < names.get(Event(kind), len(CODES))
    return fits and 0 <= x < AREA and 0 <= y < AREA


def _inside(cells: NDArray[Any]) -> bool:
    return _within(cells, 0, AREA)


def _within(values: NDArray[Any], least: int, most: int) -> bool:
    """Whether values are at least one bound and below another."""
    return bool(((values >= least) & (values < most)).all())


def split_of(number: int) -> str:
    """The split of a scene by its number; those from 10,000 on are for training."""
    if number >= 10_000:
        return "train"
    return next(name for first, name in reversed(SPLITS) if number >= first)


def count_scenes(path: Path) -> int:
    """The number of scenes of a file or folder.

    Raises:
        InputError: It is missing or no file of scenes.
    """
    return Parquet.open(path / "scenes.parquet" if path.is_dir() else path, _ALLOWED).rows
