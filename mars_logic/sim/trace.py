"""Recorded episodes of the reference games: reading and checking the files.

A trace holds the actions of one episode and the state after each of them, as recorded from the
reference game; docs/simulator.md describes the arrays.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.errors import InputError
from mars_logic.sim.codes import AREA, NUM_ACHIEVEMENTS, NUM_ACTIONS, NUM_ITEMS, NUM_MATERIALS
from mars_logic.sim.seeds import SEED_LIMIT
from mars_logic.sim.state import OBJECT_DTYPE


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
        path: Where it was read from.
        world: The name of the bundled world.
        dynamics: ``crafter`` or ``mars``.
        seed: The seed of the environment.
        episode: Which episode of that seed.
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
        TraceError: The file is missing, is not such a file, or something in it is missing or has
            another type, shape or range than it must have.
    """
    path = Path(path)
    arrays = _read(path)
    meta = _meta(path, arrays)
    _check_arrays(path, arrays)
    _check_values(path, arrays)
    return Trace(
        path=path,
        world=WORLDS[meta["dialect"], meta["world"]],
        dynamics=meta["dialect"],
        seed=meta["seed"],
        episode=meta["episode"],
        arrays=arrays,
    )


_UNREADABLE = (
    *(ValueError, EOFError, KeyError, MemoryError, NotImplementedError),
    *(zipfile.BadZipFile, zlib.error),
)


def _read(path: Path) -> dict[str, NDArray[Any]]:
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise TraceError(f"{path}: not a regular file")
    try:
        with path.open("rb") as stream:
            file = np.load(stream, allow_pickle=False)
            if not isinstance(file, np.lib.npyio.NpzFile):
                raise TraceError(f"{path}: not a trace: a single array, not an .npz archive")
            with file:
                arrays = {name: file[name] for name in file.files}
        if not all(isinstance(array, np.ndarray) for array in arrays.values()):
            raise TraceError(f"{path}: not a trace: it holds something else than arrays")
        return arrays
    except FileNotFoundError:
        raise TraceError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise TraceError(f"{path}: a directory, not a trace") from None
    except TraceError:
        raise
    except OSError as error:
        raise TraceError(f"{path}: cannot be read: {error.strerror or error}") from None
    except _UNREADABLE as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        if not zipfile.is_zipfile(path):  # of which numpy says that one might trust it
            reason = "it is no archive, or not a whole one"
        raise TraceError(f"{path}: not a readable .npz file: {reason}") from None


def _meta(path: Path, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """The description of the episode, with its four entries that matter checked."""
    if "meta_json" not in arrays:
        raise TraceError(f"{path}: not a trace: there is no array meta_json")
    try:
        meta = json.loads(arrays["meta_json"].tobytes().decode())
    except (ValueError, RecursionError):
        raise TraceError(f"{path}: meta_json is not JSON") from None
    if not isinstance(meta, dict):
        raise TraceError(f"{path}: meta_json is not a JSON object")
    for key, kind in (("dialect", str), ("world", str), ("seed", int), ("episode", int)):
        if type(meta.get(key)) is not kind:
            wanted = "text" if kind is str else "a whole number"
            raise TraceError(f"{path}: meta_json: {key} must be {wanted}")
    if (meta["dialect"], meta["world"]) not in WORLDS:
        raise TraceError(f"{path}: unknown world {meta['world']!r} of {meta['dialect']!r}")
    if abs(meta["seed"]) >= SEED_LIMIT or not 1 <= meta["episode"] < 2**31:
        raise TraceError(f"{path}: meta_json: seed or episode is out of range")
    return meta


def _check_arrays(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    missing = [name for name in _ARRAYS if name not in arrays]
    if missing:
        raise TraceError(f"{path}: not a trace: there is no array {', '.join(missing)}")
    steps = arrays["action"].shape[0] if arrays["action"].ndim else 0
    lengths: dict[int | str | None, int] = {"T": steps, "S": steps + 1}
    for name, (dtype, shape) in _ARRAYS.items():
        array = arrays[name]
        if array.dtype != np.dtype(dtype):
            raise TraceError(f"{path}: {name} must be of type {np.dtype(dtype)}, not {array.dtype}")
        expected = tuple(lengths.get(n, n) for n in shape)
        if len(expected) != array.ndim or any(
            wanted not in (None, got) for wanted, got in zip(expected, array.shape, strict=True)
        ):
            wanted_shape = ", ".join("any" if n is None else str(n) for n in expected)
            raise TraceError(f"{path}: {name} must have shape ({wanted_shape}), not {array.shape}")
    if len(arrays["snap_maps"]) != len(arrays["snap_steps"]):
        raise TraceError(f"{path}: snap_maps and snap_steps differ in length")


def _check_values(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    """Check the values that are used as indices or codes."""
    steps = len(arrays["action"])
    number = np.iinfo(np.int16).max
    ranges = (
        ("action", arrays["action"], 0, NUM_ACTIONS - 1),
        ("init_map", arrays["init_map"], 0, NUM_MATERIALS - 1),
        ("map_changes: step", arrays["map_changes"][:, 0], 1, steps),
        ("map_changes: place", arrays["map_changes"][:, 1:3], 0, AREA - 1),
        ("map_changes: material", arrays["map_changes"][:, 3], 0, NUM_MATERIALS - 1),
        ("init_objects: index", arrays["init_objects"][:, 0], 1, number),
        ("obj_changes: step", arrays["obj_changes"][:, 0], 1, steps),
        ("obj_changes: index", arrays["obj_changes"][:, 1], 1, number),
        ("snap_steps", arrays["snap_steps"], 0, steps),
        ("snap_objects: step", arrays["snap_objects"][:, 0], 0, steps),
    )
    for name, values, least, most in ranges:
        if values.size and not (least <= values.min() and values.max() <= most):
            raise TraceError(f"{path}: {name} must be {least} to {most}")


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
        self._map_steps = arrays["map_changes"][:, 0]
        self._object_steps = arrays["obj_changes"][:, 0]

    def advance(self, step: int) -> None:
        """Apply the changes of one step."""
        for _, x, y, material in self.arrays["map_changes"][self._map_steps == step]:
            self.map[x, y] = material
        changes = self.arrays["obj_changes"][self._object_steps == step]
        self._objects[changes[:, 1]] = changes[:, 2:]

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The numbers of the living objects, in the order of creation."""
        return np.flatnonzero(self._objects[:, 0])

    @property
    def rows(self) -> Rows:
        """The living objects, in the order of creation."""
        return self._objects[self.numbers]
