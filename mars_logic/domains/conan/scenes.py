"""Scenes: what a vandal left behind, and apart from it, what only the vandal knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mars_logic.data.checked import (
    Among,
    Anything,
    Between,
    CheckedRows,
    NamesWithCommas,
    Packed,
    RowColumn,
    Satisfying,
)
from mars_logic.domains.conan.codes import ACTIONS, CODES, ITEMS, OBJECTS
from mars_logic.domains.conan.questions.phrases import BRACKETS
from mars_logic.domains.conan.vandal.careful_play import OUTCOMES
from mars_logic.domains.conan.vandal.log import EVENT_DTYPE, MOST_EVENTS, Event, Why
from mars_logic.domains.conan.vandal.play import MOST_STEPS
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS, SURVIVING, TASKS, WEAPONS
from mars_logic.errors import InputError
from mars_logic.world.dialect import AREA
from mars_logic.world.load import load_world

SPLITS: Final = ((0, "train"), (8000, "val"), (9000, "test"))
"""The first scene of each split."""
MOST_SCENES: Final = 50_000
"""Scenes of a file: more than these take more memory than a file is read with."""
_NEEDS: Final = ("food", "drink", "energy")


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

_GRID: Final = (0, AREA - 1)
_EVENT_BOUNDS: Final = (
    (0, MOST_STEPS),  # step
    (0, len(Event) - 1),
    (-1, 127),  # what a code may be depends on the kind
    *(_GRID, _GRID),
    (0, len(Why) - 1),
    (-1, len(ITEMS) - 1),
)
_PACKED: Final = {
    "codes": Packed(np.uint8, (AREA, AREA), ((1, len(CODES) - 1),)),
    "objects": Packed(np.dtype("<i2"), (-1, 3), ((1, len(OBJECTS) - 1), _GRID, _GRID)),
    "actions": Packed(np.uint8, (-1,), ((0, len(ACTIONS) - 1),), MOST_STEPS),
    "trail": Packed(np.uint8, (-1, 2), (_GRID, _GRID), MOST_STEPS + 1),
    "events": Packed(EVENT_DTYPE, (-1,), _EVENT_BOUNDS, MOST_EVENTS),
    "needs": Packed(np.int8, (3,), ((0, 9),)),
}
"""Columns of bytes, and the arrays that they hold."""


def leaves_traces(world: str) -> bool:
    """Whether a world, by its name or file, is there and leaves traces."""
    try:
        return bool(load_world(world).vocabulary.traced)
    except InputError:
        return False


def _fits(row: Mapping[str, Any]) -> bool:
    """Whether the kind of vandal, its mode, its task and the corpus's tasks go together."""
    lives = row["mode"] == "survival"
    careful = row["vandal"] == "careful"
    few = row["tasks"] == len(TASKS)
    if lives:
        return bool(careful and row["task"] == SURVIVING and few)
    return row["task"] in ALL_TASKS[: row["tasks"]] and bool(careful or few)


def _apart(row: Mapping[str, Any]) -> bool:
    """Whether no two objects are on one cell."""
    cells = _PACKED["objects"].array(row["objects"])[:, 1:]
    return len(np.unique(cells, axis=0)) == len(cells)


def _ended(row: Mapping[str, Any]) -> bool:
    if row["mode"] == "survival":
        return bool(row["outcome"]) and row["dead"] == (row["outcome"] != "alive")
    return not (row["outcome"] or row["left_out"] or row["saved_by"])


def _logged(row: Mapping[str, Any]) -> bool:
    """Whether events mean something and are in order, no bracket closed that was not opened."""
    names = {
        Event.OPEN: len(row["brackets"].split(",")),
        Event.MAKE: len(ITEMS),
        Event.EAT: len(ITEMS),
        Event.KILL: len(OBJECTS),
    }
    opened, before, steps = 0, 0, len(row["actions"])
    events = _PACKED["events"].array(row["events"]).tolist()
    if not events and row["mode"] == "task":
        return False
    for step, kind, code, *_ in events:
        opened += {Event.OPEN: 1, Event.CLOSE: -1}.get(kind, 0)
        known = kind == Event.CLOSE or 0 <= code < names.get(Event(kind), len(CODES))
        if not (known and opened >= 0 and before <= step <= steps):
            return False
        before = step
    return True


ROWS: Final = CheckedRows(
    "conan_scenes 2",
    (
        RowColumn("number", pa.int32(), Between(0, MOST_SCENES - 1)),
        RowColumn("split", pa.string(), Among(tuple(name for _, name in SPLITS))),
        RowColumn(
            "world", pa.string(), Satisfying(leaves_traces, "conan, or the file of a Conan world")
        ),
        RowColumn("codes", pa.binary(), _PACKED["codes"]),
        RowColumn("objects", pa.binary(), _PACKED["objects"]),
        RowColumn("figure_x", pa.int16(), Between(*_GRID)),
        RowColumn("figure_y", pa.int16(), Between(*_GRID)),
        RowColumn("dead", pa.bool_(), Anything()),
        RowColumn("task", pa.string(), Among((*ALL_TASKS, SURVIVING), "a task, or survive")),
        RowColumn("weapon", pa.string(), Among(WEAPONS)),
        RowColumn("vandal", pa.string(), Among(("reference", "careful"))),
        RowColumn("mode", pa.string(), Among(("task", "survival"))),
        RowColumn("corpus_seed", pa.int64(), Between(0, 2**31)),
        RowColumn("map_seed", pa.int64(), Between(0, 2**31)),
        RowColumn("episode", pa.int32(), Between(2, 2**31 - 2)),
        RowColumn("vandal_seed", pa.int64(), Between(0, 2**31)),
        RowColumn("attempts", pa.int32(), Between(1, 2**30 - 1)),
        RowColumn("actions", pa.binary(), _PACKED["actions"]),
        RowColumn("trail", pa.binary(), _PACKED["trail"]),
        RowColumn("events", pa.binary(), _PACKED["events"]),
        RowColumn(
            "brackets",
            pa.string(),
            NamesWithCommas(BRACKETS, "the parts of plans, such as get_wood"),
        ),
        RowColumn("tasks", pa.int16(), Among((len(TASKS), len(ALL_TASKS)))),
        RowColumn("outcome", pa.string(), Among(("", *OUTCOMES))),
        RowColumn("left_out", pa.string(), Among(("", *_NEEDS))),
        RowColumn("monsters", pa.bool_(), Anything()),
        RowColumn("saved_by", pa.string(), NamesWithCommas((*_NEEDS, "monsters"))),
        RowColumn("needs", pa.binary(), _PACKED["needs"]),
    ),
    "a file of scenes, as `mars-logic conan scenes` writes it",
    PRIVILEGED,
    {
        "split": lambda row: row["split"] == split_of(row["number"]),
        "vandal, mode, tasks, task": _fits,
        "episode, attempts": lambda row: row["episode"] == 2 * row["attempts"],
        "actions, trail": lambda row: len(row["trail"]) == 2 * (len(row["actions"]) + 1),
        "objects": _apart,
        "brackets": lambda row: bool(row["brackets"]),
        "events, actions": _logged,
        "outcome, dead, left_out, saved_by": _ended,
    },
)
"""Columns of a file of scenes."""
SCHEMA: Final = ROWS.schema


def table_of(scenes: Iterable[FinishedScene]) -> pa.Table:
    """Scenes as a table of :data:`SCHEMA`."""
    rows = [_row(scene) for scene in scenes]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _row(scene: FinishedScene) -> dict[str, Any]:
    row = {each.name: getattr(scene, each.name) for each in fields(scene)}
    row["figure_x"], row["figure_y"] = row.pop("figure")
    row["brackets"] = ",".join(scene.brackets)
    for name in _PACKED:
        row[name] = np.ascontiguousarray(row[name]).tobytes()
    return row


def scenes_file(path: Path) -> Path:
    """The file of scenes that a folder holds, or the file itself."""
    return path / "scenes.parquet" if path.is_dir() else path


def read_scenes(path: Path, first: int = 0, last: int | None = None) -> Sequence[FinishedScene]:
    """The scenes of a file, or of the file ``scenes.parquet`` of a folder.

    Args:
        path: The file or folder.
        first: The first row that is read.
        last: The row before which reading ends; by default all rows are read.

    Raises:
        InputError: It is missing or no file of scenes, or a value is none that a scene has.
    """
    file = scenes_file(path)
    rows = ROWS.read(file, first, last)
    for number, row in enumerate(rows, first):
        if row["number"] != number:
            told = f"row {number}: the scene {row['number']}"
            ROWS.open(file).refuse("number", told, "in each row the scene of its number")
    return [_scene(row) for row in rows]


def _scene(row: dict[str, Any]) -> FinishedScene:
    row["figure"] = (row.pop("figure_x"), row.pop("figure_y"))
    row["brackets"] = tuple(row["brackets"].split(","))
    return FinishedScene(**row | {name: each.array(row[name]) for name, each in _PACKED.items()})


def worlds_of(path: Path) -> dict[str, str]:
    """The worlds of the scenes of a file or folder, each with its digest as it is now.

    Raises:
        InputError: It is no file of scenes, or holds a world that is not there.
    """
    file = scenes_file(path)
    names = sorted({*ROWS.table(file)["world"].unique().to_pylist()})
    for name in names:
        if not leaves_traces(name):
            row = ROWS.table(file)["world"].to_pylist().index(name)
            ROWS.read(file, row, row + 1)  # refuses it
    return {name: load_world(name).digest for name in names}


def split_of(number: int) -> str:
    """The split of a scene by its number; those from 10,000 on are for training."""
    if number >= 10_000:
        return "train"
    return next(name for first, name in reversed(SPLITS) if number >= first)


def count_scenes(path: Path) -> int:
    """The number of scenes of a file or folder.

    Raises:
        InputError: It is missing, no file of scenes, or holds none.
    """
    file = ROWS.open(scenes_file(path))
    if not 0 < file.rows <= MOST_SCENES:
        file.refuse("rows", f"{file.rows:,} scenes", f"1 to {MOST_SCENES:,}")
    return file.rows
