"""Files of a training run: models, checkpoints to continue from, and the settings.

Everything but the algorithms of Stable-Baselines3 is stored without Python objects, and read by
PyTorch's reader that makes none. Models of Stable-Baselines3 are in that library's own format,
which may run code when it is loaded: load only those of people you trust.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from mars_logic.errors import InputError
from mars_logic.files import read_bytes, read_text, refusal, write_atomically
from mars_logic.training.settings import Settings

SCHEMA: Final = "mars-logic training 1"
SETTINGS: Final = "training.json"
CHECKPOINT: Final = "checkpoint.pt"
CURVE: Final = "curve.csv"
MODELS: Final = {"best": "best.pt", "last": "last.pt"}
_MOST: Final = 4_000_000_000
_ALLOWED: Final = "a file that mars-logic train wrote"


def save(path: Path, content: dict[str, Any]) -> None:
    """Write nested dictionaries of tensors, numbers and texts, whole or not at all.

    Raises:
        OSError: It cannot be written; what was there before is untouched.
    """
    stream = io.BytesIO()
    torch.save({"schema": SCHEMA, **content}, stream)
    write_atomically(path, stream.getvalue())


def load(path: Path) -> dict[str, Any]:
    """Read what :func:`save` wrote.

    Raises:
        InputError: It is missing, damaged, no such file, or of another version.
    """
    stream = io.BytesIO(read_bytes(path, _ALLOWED, _MOST))
    try:
        found = torch.load(stream, map_location="cpu", weights_only=True)
    except Exception:  # the reader of damaged files fails in any way
        raise refusal(path, "it is damaged, or no file of a training run", _ALLOWED) from None
    if not isinstance(found, dict) or "schema" not in found:
        raise refusal(path, "it is no file of a training run", _ALLOWED)
    if found["schema"] != SCHEMA:
        raise InputError(f"{path}:1: schema: {found['schema']!r}; allowed: '{SCHEMA}'")
    return found


def digest(path: Path) -> str:
    """A digest of a model's file: 8 hexadecimal digits.

    Raises:
        InputError: It is missing or not to be read.
    """
    return hashlib.sha256(read_bytes(path, _ALLOWED, _MOST)).hexdigest()[:8]


def write_settings(folder: Path, settings: Settings) -> None:
    """Write the settings of a run into its folder."""
    document = {"schema": SCHEMA, **settings.to_json()}
    write_atomically(folder / SETTINGS, json.dumps(document, indent=2) + "\n")


def read_settings(folder: Path) -> Settings:
    """The settings of the run in a folder.

    Raises:
        InputError: The file is missing, damaged, or of another version.
    """
    path = folder / SETTINGS
    text = read_text(
        path, "the settings of a training run, in the folder of its results", 1_000_000
    )
    try:
        plain = json.loads(text)
        found = plain.pop("schema")
    except (ValueError, KeyError, AttributeError, RecursionError):
        raise refusal(path, "these are no settings of a training run", _ALLOWED) from None
    if found != SCHEMA:
        raise InputError(f"{path}:1: schema: {found!r}; allowed: '{SCHEMA}'")
    try:
        return Settings.from_json(plain)
    except (TypeError, KeyError, AttributeError):
        raise refusal(path, "settings are missing or unknown", _ALLOWED) from None


def as_tensors(arrays: dict[str, NDArray[Any]]) -> dict[str, torch.Tensor]:
    """Arrays as tensors, to be saved."""
    return {name: torch.from_numpy(np.array(each)) for name, each in arrays.items()}


def as_arrays(tensors: dict[str, torch.Tensor]) -> dict[str, NDArray[Any]]:
    """Tensors as arrays, to be continued from."""
    return {name: each.numpy() for name, each in tensors.items()}


def chance() -> dict[str, Any]:
    """The state of the global random generators, which Stable-Baselines3 draws from."""
    version, inner, gauss = random.getstate()
    kind, keys, place, has, cached = np.random.get_state(legacy=True)
    return {
        "python": [version, list(inner), gauss],
        "numpy": [kind, torch.from_numpy(np.asarray(keys).astype(np.int64)), place, has, cached],
        "torch": torch.get_rng_state(),
    }


def restore_chance(state: dict[str, Any]) -> None:
    """Continue the global random generators."""
    version, inner, gauss = state["python"]
    random.setstate((version, tuple(inner), gauss))
    kind, keys, place, has, cached = state["numpy"]
    np.random.set_state((kind, keys.numpy().astype(np.uint32), place, has, cached))
    torch.set_rng_state(state["torch"])
