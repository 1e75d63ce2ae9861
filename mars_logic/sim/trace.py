"""Recorded episodes of the reference games: reading and checking the files.

A trace holds the actions of one episode and the state after each of them, as recorded from the
reference game; docs/simulator.md describes the arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.errors import InputError
from mars_logic.sim.codes import (
    ARROW,
)
from mars_logic.sim.state import OBJECT_DTYPE
from mars_logic.system.array_files import read_arrays
from mars_logic.system.json_files import value_of
from mars_logic.world.dialect import AREA, LONGEST_EPISODE
from mars_logic.world.fields import shown
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.names import SEED_LIMIT
from mars_logic.world.vocabulary import Vocabulary, dialects, vocabulary

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

_OPTIONS: Final = ("boss", "other_agents", "footprints")
"""Variants that a recording with marks states."""

_COLUMNS: Final = OBJECT_DTYPE.names or ()
_FACING: Final = [_COLUMNS.index("facing_x"), _COLUMNS.index("facing_y")]
_OBJECT: Final = 1 + len(_COLUMNS)
"""Columns of an object: its number in the order of creation, then those of OBJECT_DTYPE."""
_BARE_OBJECT: Final = _OBJECT - 1
"""Columns of an object in recordings with marks, which lack the last one."""

Rows = NDArray[np.int32]
"""Objects, the player first, in the order of creation; columns as in OBJECT_DTYPE."""

# "T" stands for the number of steps, "S" for that of states (one more), None for any length.
_Shape = tuple[int | str | None, ...]
_Arrays = dict[str, tuple[type[np.generic], _Shape]]


def _arrays_of(words: Vocabulary) -> _Arrays:
    """Type and shape of each array in the recordings of a dialect."""
    columns = _BARE_OBJECT if words.traced else _OBJECT
    arrays: _Arrays = {
        "action": (np.uint8, ("T",)),
        "reward": (np.float64, ("T",)),
        "done": (np.uint8, ("T",)),
        "pos": (np.int16, ("S", 2)),
        "facing": (np.int8, ("S", 2)),
        "sleeping": (np.uint8, ("S",)),
        "inventory": (np.int16, ("S", len(words.items))),
        "achievements": (np.uint16, ("S", len(words.achievements))),
        "vitals": (np.float32, ("S", 4)),
        "map_hash": (np.uint64, ("S",)),
        "obj_hash": (np.uint64, ("S",)),
        "rng_peek": (np.uint32, ("S",)),
        "num_objects": (np.uint16, ("S",)),
        "init_map": (np.uint8, (AREA, AREA)),
        "init_objects": (np.int16, (None, columns)),
        "map_changes": (np.int16, (None, 4)),
        "obj_changes": (np.int16, (None, columns + 1)),
    }
    if words.traced:
        flags: _Arrays = dict.fromkeys(("on_bed", "boss"), (np.uint8, ("S",)))
        last: _Arrays = {
            "final_map": (np.uint8, (AREA, AREA)),
            "final_objects": (np.int16, (None, columns)),
        }
        return arrays | flags | last
    return arrays | {
        "daylight": (np.float64, ("S",)),
        "init_chunks": (np.int16, (None, 4)),
        "final_chunks": (np.int16, (None, 4)),
        "snap_steps": (np.int32, (None,)),
        "snap_maps": (np.uint8, (None, AREA, AREA)),
        "snap_objects": (np.int16, (None, columns + 1)),
    }


_ALL_ARRAYS: Final = (
    "meta_json",
    *{name for each in dialects() for name in _arrays_of(vocabulary(each))},
)


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """One recorded episode.

    Attributes:
        path: The file.
        world: The name of the bundled world.
        dynamics: The name of the dialect.
        seed: The seed of the environment.
        episode: Number of the episode of that seed.
        arrays: The recorded arrays by name. Recordings with marks have no daylight and chunks; the
            state at their end is their only snapshot.
        options: Variants of the world that are on or off (see ``trace_rules.OptionRule``), and
            ``footprints``.
        length: Steps in an episode, if not the dialect's.
    """

    path: Path
    world: str
    dynamics: str
    seed: int
    episode: int
    arrays: Mapping[str, NDArray[Any]]
    options: Mapping[str, bool] = FrozenMap({})
    length: int | None = None

    @property
    def words(self) -> Vocabulary:
        """The names of the dialect."""
        return vocabulary(self.dynamics)

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
        arrays = read_arrays(path, _ALL_ARRAYS, MOST_BYTES)
    except InputError as error:
        raise TraceError(str(error)) from None
    meta = _meta(path, arrays)
    words = vocabulary(meta["dialect"])
    _check_arrays(path, arrays, words)
    _check_steps(path, arrays, words, meta.get("length"))
    if words.traced:
        arrays = _as_others(arrays)
    _check_values(path, arrays, words)
    return Trace(
        path=path,
        world=meta["world"],
        dynamics=meta["dialect"],
        seed=meta["seed"],
        episode=meta["episode"],
        arrays=arrays,
        options=FrozenMap({name: meta[name] for name in _OPTIONS if name in meta}),
        length=meta.get("length"),
    )


def _as_others(arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Recordings with marks in the layout of the others: the last state is their snapshot."""

    def whole(rows: NDArray[Any]) -> NDArray[Any]:
        return np.pad(rows, ((0, 0), (0, 1)))

    steps = len(arrays["action"])
    last = whole(arrays["final_objects"])
    return arrays | {
        "init_objects": whole(arrays["init_objects"]),
        "obj_changes": whole(arrays["obj_changes"]),
        "snap_steps": np.array([steps], np.int32),
        "snap_maps": arrays["final_map"][np.newaxis],
        "snap_objects": np.insert(last, 0, steps, axis=1),
    }


def _wrong(path: Path, field: str, found: str, allowed: str) -> TraceError:
    return TraceError(f"{path}:1: {field}: {found}; allowed: {allowed}")


def _meta(path: Path, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """The description of the episode, with its four relevant entries checked."""
    if "meta_json" not in arrays:
        raise _wrong(path, "meta_json", "there is no such array", "a description in JSON")
    try:
        meta = value_of(arrays["meta_json"].tobytes(), f"{path}:1", "a description in JSON")
    except InputError as error:
        raise TraceError(str(error).replace(": file: ", ": meta_json: ", 1)) from None
    if not isinstance(meta, dict):
        raise _wrong(path, "meta_json", "this is not a JSON object", "a description in JSON")
    if meta.get("game") in dialects() and vocabulary(meta["game"]).traced:
        meta |= {"dialect": meta["game"], "world": meta["game"]}
        options = tuple((name, bool) for name in _OPTIONS)
        _require_kinds(path, meta, (("seed", int), ("episode", int), ("length", int), *options))
    else:
        for name in ("length", *_OPTIONS):
            meta.pop(name, None)
        keys = (("dialect", str), ("world", str), ("seed", int), ("episode", int))
        _require_kinds(path, meta, keys)
        if (meta["dialect"], meta["world"]) not in WORLDS:
            found = f"unknown world {shown(meta['world'])} of {shown(meta['dialect'])}"
            allowed = ", ".join(f"{world} of {dialect}" for dialect, world in WORLDS)
            raise _wrong(path, "meta_json: world", found, allowed)
        meta["world"] = WORLDS[meta["dialect"], meta["world"]]
    for key, least, most in (("seed", 1 - SEED_LIMIT, SEED_LIMIT - 1), ("episode", 1, 2**31 - 1)):
        if not least <= meta[key] <= most:
            raise _wrong(path, f"meta_json: {key}", "it is out of range", f"{least} to {most}")
    return meta


def _require_kinds(path: Path, meta: dict[str, Any], keys: tuple[tuple[str, type], ...]) -> None:
    wanted = {str: "text", int: "a whole number", bool: "true, false"}
    for key, kind in keys:
        if type(meta.get(key)) is not kind:
            raise _wrong(path, f"meta_json: {key}", f"{shown(meta.get(key))}", wanted[kind])


def _check_arrays(path: Path, arrays: dict[str, NDArray[Any]], words: Vocabulary) -> None:
    wanted_arrays = _arrays_of(words)
    missing = [name for name in wanted_arrays if name not in arrays]
    if missing:
        raise _wrong(path, missing[0], "there is no such array", ", ".join(wanted_arrays))
    steps = arrays["action"].shape[0] if arrays["action"].ndim else 0
    lengths: dict[int | str | None, int] = {"T": steps, "S": steps + 1}
    for name, (dtype, shape) in wanted_arrays.items():
        array = arrays[name]
        if array.dtype != np.dtype(dtype):
            raise _wrong(path, name, f"its type is {array.dtype}", str(np.dtype(dtype)))
        expected = tuple(lengths.get(n, n) for n in shape)
        if len(expected) != array.ndim or any(
            wanted not in (None, got) for wanted, got in zip(expected, array.shape, strict=True)
        ):
            wanted_shape = ", ".join("any" if n is None else str(n) for n in expected)
            raise _wrong(path, name, f"its shape is {array.shape}", f"({wanted_shape})")
    if not words.traced and len(arrays["snap_maps"]) != len(arrays["snap_steps"]):
        raise _wrong(path, "snap_maps", "its length is not that of snap_steps", "one length")


def _check_steps(
    path: Path, arrays: dict[str, NDArray[Any]], words: Vocabulary, length: int | None
) -> None:
    steps = len(arrays["action"])
    if length is not None and not 1 <= length <= LONGEST_EPISODE:
        raise _wrong(path, "meta_json: length", str(length), f"1 to {LONGEST_EPISODE}")
    most = length or words.length
    if steps > most:
        allowed = f"at most {most}, as an episode of {words.name}"
        raise _wrong(path, "action", f"there are {steps:,} steps", allowed)


def _check_values(path: Path, arrays: dict[str, NDArray[Any]], words: Vocabulary) -> None:
    """Check the values used as indices or codes, and refuse NaN."""
    steps = len(arrays["action"])
    codes = len(words.cells or words.materials) - 1
    number = np.iinfo(np.int16).max
    kinds = len(words.objects) - 1
    objects = {
        "init_objects": arrays["init_objects"][:, 1:],
        "obj_changes": arrays["obj_changes"][:, 2:],
        "snap_objects": arrays["snap_objects"][:, 2:],
    }
    ranges: list[tuple[str, NDArray[Any], float, float]] = [
        ("action", arrays["action"], 0, len(words.actions) - 1),
        ("reward", arrays["reward"], -1e9, 1e9),
        ("pos", arrays["pos"], 0, AREA - 1),
        ("facing", arrays["facing"], -1, 1),
        ("vitals", arrays["vitals"], -1e9, 1e9),
        ("daylight", arrays.get("daylight", np.zeros(0)), 0, 1),
        ("init_map", arrays["init_map"], 0, codes),
        ("snap_maps", arrays["snap_maps"], 0, codes),
        ("map_changes: step", arrays["map_changes"][:, 0], 1, steps),
        ("map_changes: place", arrays["map_changes"][:, 1:3], 0, AREA - 1),
        ("map_changes: material", arrays["map_changes"][:, 3], 0, codes),
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
            raise _wrong(path, f"{name}: facing", "an arrow has no direction", allowed)


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
        self.words = trace.words
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
