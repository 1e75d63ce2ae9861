"""Recorded episodes of the reference games: reading and checking the files.

A trace holds the actions of one episode and the state after each of them, as recorded from the
reference game; docs/simulator.md describes the arrays.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.errors import InputError
from mars_logic.sim.archive import read_arrays
from mars_logic.sim.codes import (
    ARROW,
    NUM_ACHIEVEMENTS,
    NUM_ACTIONS,
    NUM_ITEMS,
    NUM_MATERIALS,
    OBJECTS,
)
from mars_logic.sim.state import OBJECT_DTYPE
from mars_logic.world.dialect import AREA, DIALECTS
from mars_logic.world.fields import shown
from mars_logic.world.names import SEED_LIMIT

MOST_BYTES: Final = 64_000_000
"""Maximum size of all arrays of a trace, in bytes; the longest episodes need about ten million."""


class TraceError(InputError):
    """A file is not a trace; the message is one line that names the file."""


WORLDS = {
    ("crafter", "default"): "crafter",
    ("mars", "default"): "default",
    ("mars", "world_terr"): "terrain",
    ("mars", "world_npc"): "survival",
    ("mars", "world_ach"): "task_dep",
    ("mars", "world_terr_npc"): "terr_surv",
    ("mars", "world_terr_ach"): "terr_task",
    ("mars", "world_npc_ach"): "surv_task",
    ("mars", "world_terr_npc_ach"): "all_three",
}
"""The bundled world of each dialect and released name."""

_COLUMNS: Final = OBJECT_DTYPE.names or ()
_FACING: Final = [_COLUMNS.index("facing_x"), _COLUMNS.index("facing_y")]
_OBJECT: Final = 1 + len(_COLUMNS)
"""Columns of an object: its number in the order of creation, then those of OBJECT_DTYPE."""

Rows = NDArray[np.int32]
"""Objects, the player first, in the order of creation; columns as in OBJECT_DTYPE."""

# "T" stands for the number of steps, "S" for that of states (one more), None for any length.
_Shape = tuple[int | str | None, ...]
_ARRAYS: dict[str, tuple[type[np.generic], _Shape]] = {
    "action": (np.uint8, ("T",)),
    "reward": (np.float64, ("T",)),
    "done": (np.uint8, ("T",)),
    "pos": (np.int16, ("S", 2)),
    "facing": (np.int8, ("S", 2)),
    "sleeping": (np.uint8, ("S",)),
    "inventory": (np.int16, ("S", NUM_ITEMS)),
    "achievements": (np.uint16, ("S", NUM_ACHIEVEMENTS)),
    "vitals": (np.float32, ("S", 4)),
    "daylight": (np.float64, ("S",)),
    "map_hash": (np.uint64, ("S",)),
    "obj_hash": (np.uint64, ("S",)),
    "rng_peek": (np.uint32, ("S",)),
    "num_objects": (np.uint16, ("S",)),
    "init_map": (np.uint8, (AREA, AREA)),
    "init_objects": (np.int16, (None, _OBJECT)),
    "init_chunks": (np.int16, (None, 4)),
    "final_chunks": (np.int16, (None, 4)),
    "snap_steps": (np.int32, (None,)),
    "snap_maps": (np.uint8, (None, AREA, AREA)),
    "snap_objects": (np.int16, (None, _OBJECT + 1)),
    "map_changes": (np.int16, (None, 4)),
    "obj_changes": (np.int16, (None, _OBJECT + 1)),
}


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """One recorded episode.

    Attributes:
        path: The file.
        world: The name of the bundled world.
        dynamics: ``crafter`` or ``mars``.
        seed: The seed of the environment.
        episode: Number of the episode of that seed.
        arrays: The recorded arrays by name.
    """

    path: Path
    world: str
    dynamics: str
    seed: int
    episode: int
    arrays: Mapping[str, NDArray[Any]]

    @property
    def steps(self) -> int:
        """The number of recorded steps."""
        return len(self.arrays["action"])


def load_trace(path: str | PathLike[str]) -> Trace:
    """Read a trace (``.npz``) and check that it is complete and well formed.

    Raises:
        TraceError: The file is missing, is not such a file, is too large, or an array is missing or
            has a wrong type, shape or range.
    """
    path = Path(path)
    try:
        arrays = read_arrays(path, ("meta_json", *_ARRAYS), MOST_BYTES)
    except InputError as error:
        raise TraceError(str(error)) from None
    meta = _meta(path, arrays)
    _check_arrays(path, arrays)
    _check_steps(path, arrays, meta["dialect"])
    _check_values(path, arrays)
    return Trace(
        path=path,
        world=WORLDS[meta["dialect"], meta["world"]],
        dynamics=meta["dialect"],
        seed=meta["seed"],
        episode=meta["episode"],
        arrays=arrays,
    )


def _wrong(path: Path, field: str, found: str, allowed: str) -> TraceError:
    return TraceError(f"{path}:1: {field}: {found}; allowed: {allowed}")


def _meta(path: Path, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """The description of the episode, with its four relevant entries checked."""
    if "meta_json" not in arrays:
        raise _wrong(path, "meta_json", "there is no such array", "a description in JSON")
    try:
        meta = json.loads(arrays["meta_json"].tobytes().decode())
    except (ValueError, RecursionError):
        raise _wrong(path, "meta_json", "this is not JSON", "a description in JSON") from None
    if not isinstance(meta, dict):
        raise _wrong(path, "meta_json", "this is not a JSON object", "a description in JSON")
    for key, kind in (("dialect", str), ("world", str), ("seed", int), ("episode", int)):
        if type(meta.get(key)) is not kind:
            wanted = "text" if kind is str else "a whole number"
            raise _wrong(path, f"meta_json: {key}", f"{shown(meta.get(key))}", wanted)
    if (meta["dialect"], meta["world"]) not in WORLDS:
        found = f"unknown world {shown(meta['world'])} of {shown(meta['dialect'])}"
        allowed = ", ".join(f"{world} of {dialect}" for dialect, world in WORLDS)
        raise _wrong(path, "meta_json: world", found, allowed)
    for key, least, most in (("seed", 1 - SEED_LIMIT, SEED_LIMIT - 1), ("episode", 1, 2**31 - 1)):
        if not least <= meta[key] <= most:
            raise _wrong(path, f"meta_json: {key}", "it is out of range", f"{least} to {most}")
    return meta


def _check_arrays(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    missing = [name for name in _ARRAYS if name not in arrays]
    if missing:
        raise _wrong(path, missing[0], "there is no such array", ", ".join(_ARRAYS))
    steps = arrays["action"].shape[0] if arrays["action"].ndim else 0
    lengths: dict[int | str | None, int] = {"T": steps, "S": steps + 1}
    for name, (dtype, shape) in _ARRAYS.items():
        array = arrays[name]
        if array.dtype != np.dtype(dtype):
            raise _wrong(path, name, f"its type is {array.dtype}", str(np.dtype(dtype)))
        expected = tuple(lengths.get(n, n) for n in shape)
        if len(expected) != array.ndim or any(
            wanted not in (None, got) for wanted, got in zip(expected, array.shape, strict=True)
        ):
            wanted_shape = ", ".join("any" if n is None else str(n) for n in expected)
            raise _wrong(path, name, f"its shape is {array.shape}", f"({wanted_shape})")
    if len(arrays["snap_maps"]) != len(arrays["snap_steps"]):
        raise _wrong(path, "snap_maps", "its length is not that of snap_steps", "one length")


def _check_steps(path: Path, arrays: dict[str, NDArray[Any]], dialect: str) -> None:
    steps = len(arrays["action"])
    if steps > DIALECTS[dialect].length:
        allowed = f"at most {DIALECTS[dialect].length}, as an episode of {dialect}"
        raise _wrong(path, "action", f"there are {steps:,} steps", allowed)


def _check_values(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    """Check the values used as indices or codes, and refuse NaN."""
    steps = len(arrays["action"])
    number = np.iinfo(np.int16).max
    kinds = len(OBJECTS) - 1
    objects = {
        "init_objects": arrays["init_objects"][:, 1:],
        "obj_changes": arrays["obj_changes"][:, 2:],
        "snap_objects": arrays["snap_objects"][:, 2:],
    }
    ranges: list[tuple[str, NDArray[Any], float, float]] = [
        ("action", arrays["action"], 0, NUM_ACTIONS - 1),
        ("reward", arrays["reward"], -1e9, 1e9),
        ("pos", arrays["pos"], 0, AREA - 1),
        ("facing", arrays["facing"], -1, 1),
        ("vitals", arrays["vitals"], -1e9, 1e9),
        ("daylight", arrays["daylight"], 0, 1),
        ("init_map", arrays["init_map"], 0, NUM_MATERIALS - 1),
        ("snap_maps", arrays["snap_maps"], 0, NUM_MATERIALS - 1),
        ("map_changes: step", arrays["map_changes"][:, 0], 1, steps),
        ("map_changes: place", arrays["map_changes"][:, 1:3], 0, AREA - 1),
        ("map_changes: material", arrays["map_changes"][:, 3], 0, NUM_MATERIALS - 1),
        ("init_objects: index", arrays["init_objects"][:, 0], 1, number),
        ("obj_changes: step", arrays["obj_changes"][:, 0], 1, steps),
        ("obj_changes: index", arrays["obj_changes"][:, 1], 1, number),
        ("snap_steps", arrays["snap_steps"], 0, steps),
        ("snap_objects: step", arrays["snap_objects"][:, 0], 0, steps),
    ]
    for name, rows in objects.items():
        ranges += [
            (f"{name}: kind", rows[:, 0], 0, kinds),
            (f"{name}: place", rows[:, 1:3], 0, AREA - 1),
        ]
    for name, values, least, most in ranges:
        # Written so that NaN is out of every range.
        if values.size and not (least <= values.min() and values.max() <= most):
            found = f"{values.min():g} to {values.max():g}"
            raise _wrong(path, name, found, f"{least:g} to {most:g}")
    for name, rows in objects.items():
        arrows = rows[rows[:, 0] == ARROW]
        if (np.abs(arrows[:, _FACING]).sum(axis=1) != 1).any():
            allowed = "one step left, right, up or down"
            raise _wrong(path, f"{name}: facing", "an arrow flies nowhere", allowed)


class ByStep:
    """Rows indexed by step.

    Args:
        steps: int[n]: the step of each row.
        rows: The n rows.
    """

    def __init__(self, steps: NDArray[Any], rows: NDArray[Any]) -> None:
        order = np.argsort(steps, kind="stable")
        self._steps, self._rows = steps[order], rows[order]

    def __getitem__(self, step: int) -> NDArray[Any]:
        """The rows of a step, in their order."""
        begin, end = np.searchsorted(self._steps, (step, step + 1))
        return self._rows[begin:end]


class TraceState:
    """The map and the objects of a trace, rebuilt step by step from the recorded changes.

    Attributes:
        map: uint8[64, 64], indexed [x, y]: material codes.
    """

    def __init__(self, trace: Trace) -> None:
        arrays = trace.arrays
        self.arrays = arrays
        self.dynamics = trace.dynamics
        self.map = arrays["init_map"].copy()
        numbers = np.concatenate([arrays["init_objects"][:, 0], arrays["obj_changes"][:, 1]])
        self._objects = np.zeros((int(numbers.max(initial=0)) + 1, len(_COLUMNS)), np.int32)
        self._objects[arrays["init_objects"][:, 0]] = arrays["init_objects"][:, 1:]
        self._map_changes = ByStep(arrays["map_changes"][:, 0], arrays["map_changes"][:, 1:])
        snapshots = arrays["snap_objects"]
        self._snapshots = ByStep(snapshots[:, 0], snapshots[:, 2:])
        self._changes = ByStep(arrays["obj_changes"][:, 0], arrays["obj_changes"][:, 1:])

    def advance(self, step: int) -> None:
        """Apply the changes of one step."""
        for x, y, material in self._map_changes[step]:
            self.map[x, y] = material
        changes = self._changes[step]
        self._objects[changes[:, 0]] = changes[:, 1:]

    def snapshot(self, step: int) -> NDArray[np.int16]:
        """The objects of a step's snapshot; empty without a snapshot."""
        return self._snapshots[step]

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The numbers of the living objects, in the order of creation."""
        return np.flatnonzero(self._objects[:, 0])

    @property
    def rows(self) -> Rows:
        """The living objects, in the order of creation."""
        return self._objects[self.numbers]
