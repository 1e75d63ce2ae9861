"""Trajectories as files: a NumPy archive for each episode.

Only :func:`load` and :func:`save` know the format.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import (
    LAYOUT,
    SCHEMA,
    VERSION,
    About,
    Trajectory,
    assemble,
    columns,
)
from mars_logic.errors import InputError
from mars_logic.files import write_atomically
from mars_logic.world import names

_LARGEST: dict[str, int] = {
    "materials": len(names.MATERIALS) - 1,
    "objects": len(names.LOOKS) - 1,
    "inventory": 9,
    "action": len(names.ACTIONS) - 1,
}
_MAX_BYTES = 200_000_000
_ALLOWED = "a trajectory written by `mars-logic run --record`"


def file_name(about: About) -> str:
    """The name of a trajectory's file: world, agent, seed, and the episode if it is not the first.

    Example:
        >>> file_name(About("all_three", "", "mars", seed=3, agent="random"))
        'all_three__random__s3.npz'
    """
    world = Path(about.world).stem if "." in about.world else about.world
    later = f"e{about.episode}" if about.episode > 1 else ""
    return f"{world}__{about.agent}__s{about.seed}{later}.npz"


def save(trajectory: Trajectory, path: str | Path) -> None:
    """Write a trajectory, whole or not at all.

    Raises:
        OSError: The folder is missing or cannot be written to.
    """
    meta = {"schema": SCHEMA, "version": VERSION, **asdict(trajectory.about)}
    text = np.frombuffer(json.dumps(meta).encode(), np.uint8)
    buffer = io.BytesIO()
    arrays: dict[str, Any] = columns(trajectory)
    np.savez_compressed(buffer, meta=text, **arrays)
    write_atomically(Path(path), buffer.getvalue())


def load(path: str | Path) -> Trajectory:
    """Read a trajectory and check that it is complete and well formed.

    Raises:
        InputError: The file is missing, truncated, or no trajectory of a version known here.
    """
    path = Path(path)
    arrays = _read(path)
    about = _about(path, arrays)
    _check(path, arrays)
    kept = {name: arrays[name] for name in LAYOUT}
    return assemble(about, kept, source=str(path))


def _refusal(path: Path, field: str, message: str, allowed: str = _ALLOWED) -> InputError:
    return InputError(f"{path}:1: {field}: {message}; allowed: {allowed}")


def _read(path: Path) -> dict[str, NDArray[Any]]:
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise _refusal(path, "file", "this is not a regular file")
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise _refusal(path, "file", "the file is too large", f"at most {_MAX_BYTES:,} bytes")
        with path.open("rb") as stream:
            file = np.load(stream, allow_pickle=False)
            if not isinstance(file, np.lib.npyio.NpzFile):
                raise _refusal(path, "file", "this is a single array")
            with file:
                return {name: file[name] for name in file.files}
    except InputError:
        raise
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise _refusal(path, "file", what) from None
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error, MemoryError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise _refusal(path, "file", f"this is no readable archive ({reason})") from None
    except (NotImplementedError, RuntimeError, SyntaxError) as error:  # odd archives
        raise _refusal(path, "file", f"this is no readable archive ({error})") from None


def _about(path: Path, arrays: dict[str, NDArray[Any]]) -> About:
    if "meta" not in arrays:
        raise _refusal(path, "meta", "it is missing")
    try:
        meta = json.loads(arrays["meta"].tobytes().decode())
        schema, version = meta.pop("schema"), meta.pop("version")
    except (ValueError, KeyError, AttributeError, TypeError):
        raise _refusal(path, "meta", "this is not the description of a trajectory") from None
    if schema != SCHEMA:
        raise _refusal(path, "schema", f"this is {schema!r}", SCHEMA)
    if version != VERSION:
        raise _refusal(path, "version", f"this is version {version!r}", str(VERSION))
    return _checked(path, meta)


def _checked(path: Path, meta: dict[str, Any]) -> About:
    kinds = {
        "world": str,
        "digest": str,
        "dynamics": str,
        "seed": int,
        "episode": int,
        "agent": str,
        "versions": dict,
    }
    for name, kind in kinds.items():
        if type(meta.get(name)) is not kind:
            raise _refusal(path, name, f"{meta.get(name)!r} is not allowed", kind.__name__)
    if meta["episode"] < 1:
        raise _refusal(path, "episode", f"{meta['episode']} is not allowed", "1 or more")
    if meta["dynamics"] not in names.DYNAMICS:
        allowed = ", ".join(names.DYNAMICS)
        raise _refusal(path, "dynamics", f"unknown dynamics {meta['dynamics']!r}", allowed)
    return About(**{name: meta[name] for name in kinds})


def _check(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    missing = [name for name in LAYOUT if name not in arrays]
    if missing:
        raise _refusal(path, missing[0], "it is missing")
    steps = arrays["action"].shape[0] if arrays["action"].ndim else 0
    lengths: dict[int | str, int] = {"T": steps, "S": steps + 1}
    for name, (dtype, shape) in LAYOUT.items():
        array, wanted = arrays[name], tuple(lengths.get(n, n) for n in shape)
        if array.dtype != np.dtype(dtype) or array.shape != wanted:
            found = f"it is {array.dtype}{list(array.shape)}"
            raise _refusal(path, name, found, f"{np.dtype(dtype)}{list(wanted)}")
    for name, most in _LARGEST.items():
        if arrays[name].size and arrays[name].max() > most:
            raise _refusal(path, name, f"{arrays[name].max()} is too large", f"0 to {most}")
    facing = arrays["facing"].astype(np.int64)
    if not (np.abs(facing).sum(axis=1) == 1).all():
        raise _refusal(path, "facing", "not a direction", "(-1, 0), (1, 0), (0, -1), (0, 1)")
