"""Recordings of the released playground, and the vandal replayed against their states."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import ACTIONS, ITEM, ITEMS
from mars_logic.domains.conan.vandal import reference
from mars_logic.domains.conan.vandal.log import Event, Why, note_deed
from mars_logic.domains.conan.vandal.programs import Programs, compile_programs
from mars_logic.domains.conan.vandal.tasks import TASKS
from tests.domains.conan.tables import PLACEABLE, RECIPES, WALKABLE
from tests.paths import DATA, SHARED

FOLDER = SHARED / "reference" / "systems" / "golden" / "conan"
BUNDLED = DATA / "conan"


def recordings(*kinds: str) -> list[Any]:
    """The bundled recordings of these kinds; others at hand take long, and are marked so."""
    bundled = {path.name for path in BUNDLED.glob("*.npz")}
    return [
        pytest.param(path, marks=() if path.name in bundled else pytest.mark.long)
        for path in sorted((FOLDER if FOLDER.is_dir() else BUNDLED).glob("*.npz"))
        if path.name.startswith(kinds)
    ]


@cache
def programs() -> Programs:
    return compile_programs(RECIPES, ACTIONS, ITEMS)


@dataclass
class Recording:
    """A recording with all of its states.

    Attributes:
        meta: What its file says of it.
        arrays: Its arrays.
        maps: uint8[64, 64] after each step, the first included.
        things: Objects by cell: uint8[64, 64] after each step.
    """

    meta: dict[str, Any]
    arrays: dict[str, NDArray[Any]]
    maps: list[NDArray[np.uint8]]
    things: list[NDArray[np.uint8]]


def read(path: Path) -> Recording:
    with np.load(path) as file:
        arrays = dict(file)
    meta = json.loads(bytes(arrays["meta_json"]).decode())
    codes = arrays["init_map"].copy()
    objects = {int(row[0]): row[1:4] for row in arrays["init_objects"]}
    maps, things = [], []
    for step in range(len(arrays["action"]) + 1):
        for _, x, y, code in _at(arrays["map_changes"], step):
            codes[x, y] = code
        for row in _at(arrays["obj_changes"], step):
            if row[2]:
                objects[int(row[1])] = row[2:5]
            else:
                objects.pop(int(row[1]), None)
        grid = np.zeros((64, 64), np.uint8)
        for kind, x, y in objects.values():
            grid[x, y] = kind
        maps.append(codes.copy())
        things.append(grid)
    return Recording(meta, arrays, maps, things)


def _at(changes: NDArray[np.int16], step: int) -> NDArray[np.int16]:
    rows: NDArray[np.int16] = changes[changes[:, 0] == step]
    return rows


class Replay:
    """The reference vandal, shown a recording's states in turn; its actions must be the recorded.

    Attributes:
        outcome: ``done`` or ``failed``.
        step: Steps taken.
    """

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.vandal = np.zeros(1, reference.VANDAL_DTYPE)[0]
        self.step = 0
        self.outcome = self._play()

    def events(self) -> list[list[Any]]:
        """Brackets as recordings write them."""
        names = programs().brackets
        return [
            [int(e["step"]), names[e["code"]] if e["kind"] == 0 else "]", int(e["x"]), int(e["y"])]
            for e in self.log
            if e["kind"] in (Event.OPEN, Event.CLOSE)
        ]

    @property
    def log(self) -> NDArray[np.void]:
        log = self.vandal["log"]
        events: NDArray[np.void] = log["events"][: log["size"]]
        return events

    def _play(self) -> str:
        meta, plans = self.recording.meta, programs()
        task = TASKS.index(meta["task"])
        first, draws = int(plans.first[task]), bool(plans.draws[task])
        reference.begin(self.vandal, meta["vandal_mt_seed"], first, draws, 32, 32)
        while self.step < len(self.recording.arrays["action"]):
            action = self._act()
            if action == reference.FAILED:
                return "failed"
            self._take(action, Why.PLANNED)
            for count in self._blocked(action):
                if count > reference.PATIENCE:
                    return "failed"
            if self._succeeded(task):
                reference.log_bracket(self.vandal, self.step, -1)
                return "done"
        return "failed"

    def _act(self) -> int:
        plans, arrays = programs(), self.recording.arrays
        return reference.act(
            self.vandal,
            *(plans.kind, plans.code, plans.action),
            *(self.recording.maps[self.step], self.recording.things[self.step]),
            *(WALKABLE, PLACEABLE),
            bool(arrays["inventory"][self.step, ITEM["wood_pickaxe"]]),
            self.step,
        )

    def _blocked(self, action: int) -> Iterator[int]:
        count = 0
        while tuple(self.recording.arrays["pos"][self.step]) != self._place():
            codes, things = self.recording.maps[self.step], self.recording.things[self.step]
            self._take(action, Why.WAY)
            count += 1
            yield count
            if reference.breaks_through(codes, things, *self._place()):
                self._take(reference.DO, Why.WAY)

    def _place(self) -> tuple[int, int]:
        return int(self.vandal["x"]), int(self.vandal["y"])

    def _take(self, action: int, why: Why) -> None:
        r, arrays, t = self.recording, self.recording.arrays, self.step
        assert action == arrays["action"][t], f"step {t}"
        (x, y), (dx, dy) = arrays["pos"][t].tolist(), arrays["facing"][t].tolist()
        self.step += 1
        inside = 0 <= x + dx < 64 and 0 <= y + dy < 64
        cell = (x + dx, y + dy) if inside else (x, y)
        note_deed(
            self.vandal["log"],
            *(t + 1, action, why, x, y, dx, dy),
            *(int(r.maps[t][cell]), int(r.things[t][cell]), int(r.maps[t + 1][cell])),
            *(arrays["inventory"][t], arrays["inventory"][t + 1]),
        )

    def _succeeded(self, task: int) -> bool:
        kind, what = programs().goal[task]
        arrays = self.recording.arrays
        if kind == 0:
            return bool(arrays["inventory"][self.step, what] > 0)
        near = np.argwhere(self.recording.maps[self.step] == what) - arrays["pos"][self.step]
        return bool((np.abs(near).sum(1) <= 3).any())
