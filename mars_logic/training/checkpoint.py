"""Files of a training run: models, checkpoints to continue from, and the settings.

Models and checkpoints are archives of arrays (``.npz``), with all other values as JSON in one of
them. No Python object is stored, so that no file can run code when it is read; the reader is
``array_files``'s, which needs no pickles, unlike PyTorch's (its ``weights_only`` had ways around it
in versions before 2.6). What is not packed cannot unpack to more than the file: that is the bound.
"""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mars_logic.system.array_files import read_arrays, write_arrays
from mars_logic.system.files import read_bytes, refusal, require_regular
from mars_logic.system.json_files import value_of
from mars_logic.training.settings_file import ALLOWED, CURVE, SETTINGS, require_schema

SCHEMA: Final = "mars-logic training 2"
CHECKPOINT: Final = "checkpoint.npz"
MODELS: Final = {"best": "best.npz", "last": "last.npz"}
FILES: Final = (SETTINGS, CURVE, *MODELS.values(), CHECKPOINT)
MOST: Final = 4_000_000_000
"""Bytes of a model or checkpoint."""
_VALUES: Final = "values_json"
_INSIDE: Final = "/"
"""Between the keys that lead to an array."""

Content = dict[str, Any]
"""Nested mappings with texts as keys; their values are arrays, or values of JSON's."""


def save(path: Path, content: Content) -> None:
    """Write content, whole or not at all.

    Raises:
        OSError: It cannot be written; what was there before is untouched.
    """
    arrays: dict[str, NDArray[Any]] = {}
    values = _without_arrays({"schema": SCHEMA, **content}, "", arrays)
    text = json.dumps(values, allow_nan=False)
    write_arrays(path, {_VALUES: np.frombuffer(text.encode(), np.uint8), **arrays})


def load(path: Path) -> Content:
    """Read what :func:`save` wrote.

    Raises:
        InputError: It is missing, damaged, no such file, too large, of another version, or an array
            holds numbers that are not finite.
    """
    require_regular(path, ALLOWED, MOST)
    arrays = read_arrays(path, None, path.stat().st_size, most_on_disk=MOST, allowed=ALLOWED)
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise refusal(path, f"{name} holds numbers that are not finite", ALLOWED)
    if _VALUES not in arrays or arrays[_VALUES].dtype != np.uint8:
        raise refusal(path, "it is no file of a training run", ALLOWED)
    values = value_of(arrays.pop(_VALUES).tobytes(), f"{path}:1", ALLOWED)
    require_schema(path, values, SCHEMA)
    for name, array in arrays.items():
        _put(path, values, name.split(_INSIDE), array)
    return {name: value for name, value in values.items() if name != "schema"}


def digest(path: Path) -> str:
    """A digest of a model's file: 8 hexadecimal digits.

    Raises:
        InputError: It is missing or not to be read.
    """
    return hashlib.sha256(read_bytes(path, ALLOWED, MOST)).hexdigest()[:8]


def remove_unfinished(folder: Path) -> None:
    """Remove what was being written in a folder when a training run was killed.

    Raises:
        OSError: It cannot be removed.
    """
    for name in FILES:
        for left in folder.glob(f".{name}.*"):
            left.unlink()


def arrays_of(tensors: dict[str, Tensor]) -> dict[str, NDArray[Any]]:
    """Tensors as arrays, to be saved."""
    return {name: each.detach().cpu().numpy() for name, each in tensors.items()}


def tensors_of(arrays: dict[str, NDArray[Any]]) -> dict[str, Tensor]:
    """Arrays as tensors, to be continued from.

    Raises:
        TypeError: There is no such tensor.
    """
    return {name: torch.from_numpy(np.array(each, order="C")) for name, each in arrays.items()}


def optimiser_state(optimiser: torch.optim.Optimizer) -> Content:
    """What an optimiser remembers of each parameter, by its number."""
    return {
        str(number): arrays_of(kept) for number, kept in optimiser.state_dict()["state"].items()
    }


def restore_optimiser(optimiser: torch.optim.Optimizer, state: Content) -> None:
    """Continue an optimiser; its settings stay.

    Raises:
        ValueError: The state is of other parameters.
    """
    own = optimiser.state_dict()
    shapes = [each.shape for group in optimiser.param_groups for each in group["params"]]
    found = {int(number): tensors_of(kept) for number, kept in state.items()}
    for number, kept in found.items():
        right = {"step": torch.Size(), "exp_avg": shapes[number], "exp_avg_sq": shapes[number]}
        if number < 0 or {name: each.shape for name, each in kept.items()} != right:
            raise ValueError("the state of the optimiser is of other parameters")
        if kept["step"] < 0 or (kept["exp_avg_sq"] < 0).any():
            raise ValueError("the state of the optimiser is not possible")
    optimiser.load_state_dict(own | {"state": found})


def chance() -> Content:
    """The state of the global random generators, which Stable-Baselines3 draws from."""
    version, inner, gauss = random.getstate()
    _, keys, place, has, cached = np.random.get_state(legacy=True)
    there = torch.cuda.is_available()
    return {
        "python": {"version": version, "state": np.array(inner, np.uint32), "gauss": gauss},
        "numpy": {
            "keys": np.asarray(keys),
            "place": int(place),
            "has_gauss": int(has),
            "gauss": float(cached),
        },
        "torch": torch.get_rng_state().numpy(),
        "cuda": {str(i): each.numpy() for i, each in enumerate(torch.cuda.get_rng_state_all())}
        if there
        else {},
    }


def restore_chance(state: Content) -> None:
    """Continue the global random generators.

    Raises:
        KeyError: A value is missing.
        TypeError: A value is of another type.
        ValueError: A value is not possible.
    """
    python, numpy = state["python"], state["numpy"]
    if not 0 <= numpy["place"] <= 624:  # numpy does not look
        raise ValueError("the place in the random numbers is not possible")
    random.setstate((python["version"], tuple(python["state"].tolist()), python["gauss"]))
    about = numpy["keys"], numpy["place"], numpy["has_gauss"], numpy["gauss"]
    np.random.set_state(("MT19937", *about))
    torch.set_rng_state(torch.from_numpy(state["torch"]))
    for number, each in state["cuda"].items():
        if int(number) < torch.cuda.device_count():
            torch.cuda.set_rng_state(torch.from_numpy(each), int(number))


def _without_arrays(content: Content, inside: str, arrays: dict[str, NDArray[Any]]) -> Content:
    """The content without arrays, which are taken down by their places."""
    kept: Content = {}
    for name, value in content.items():
        if isinstance(value, np.ndarray):
            arrays[inside + name] = value
        elif isinstance(value, dict):
            kept[name] = _without_arrays(value, f"{inside}{name}{_INSIDE}", arrays)
        else:
            kept[name] = value
    return kept


def _put(path: Path, values: Content, keys: list[str], array: NDArray[Any]) -> None:
    *outer, last = keys
    place: Any = values
    for key in outer:
        place = place.get(key) if isinstance(place, dict) else None
    if not isinstance(place, dict) or last in place:
        raise refusal(path, f"the array {'/'.join(keys)[:60]!r} is not expected", ALLOWED)
    place[last] = array
