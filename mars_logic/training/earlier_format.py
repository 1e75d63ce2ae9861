"""Files of training runs as the version before kept them: pickles of PyTorch and others.

A pickle may run code when it is read. So such a file is read only where its reader is told to
trust it, and of a model only tensors and plain values are read. What they held in pickles alone are
the replay buffer and a random generator.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

import numpy as np
import torch

from mars_logic.sim.earlier_layout import dtype_of
from mars_logic.system.files import read_bytes, refusal
from mars_logic.training.checkpoint import (
    CHECKPOINT,
    MODELS,
    MOST,
    Content,
    arrays_of,
    save,
)
from mars_logic.training.curve import Point
from mars_logic.training.settings_file import ALLOWED

SCHEMA: Final = "mars-logic training 1"
SUFFIX: Final = ".pt"


def is_earlier(path: Path) -> bool:
    """Whether a file is of the version before."""
    return path.suffix == SUFFIX


def earlier_of(path: Path) -> Path:
    """Where the version before kept what stands in a file now."""
    return path.with_suffix(SUFFIX)


def require_trust(path: Path, trust: bool) -> None:
    """Refuse a file of the version before that is not trusted.

    Raises:
        InputError: It is one.
    """
    if is_earlier(path) and not trust:
        told = "this file of an earlier version holds pickles, which may run code"
        raise refusal(path, told, "--trust, if you trust its author")


def load(path: Path, trust: bool) -> Content:
    """The content of a model or checkpoint of the version before, as ``checkpoint.load`` gives it.

    The episodes that were under way are not part of it: of the environments only seeds and numbers
    of episodes are kept.

    Args:
        path: The file.
        trust: Whether the user says that it comes from somebody trusted.

    Raises:
        InputError: It is not trusted, missing, damaged or too large.
    """
    require_trust(path, trust)
    content = read_bytes(path, ALLOWED, MOST)
    try:
        found = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
        if found["schema"] != SCHEMA:
            raise ValueError("of another schema")
        return _checkpoint(found) if "learner" in found else _model(found)
    except Exception:  # the reader of damaged files fails in any way
        raise refusal(path, "it is damaged, or no file of a training run", ALLOWED) from None


def convert(folder: Path, trust: bool) -> bool:
    """Write the files of a run of the version before in the present format, beside them.

    Returns:
        Whether there were any that were not converted before.

    Raises:
        InputError: They are not trusted, or damaged; nothing is written.
    """
    found = {path: load(earlier_of(path), trust) for path in _unconverted(folder)}
    for path, content in found.items():
        save(path, content)
    return bool(found)


def _unconverted(folder: Path) -> Iterator[Path]:
    for name in (*MODELS.values(), CHECKPOINT):  # the checkpoint last: with it the run is there
        path = folder / name
        if os.path.lexists(earlier_of(path)) and not os.path.lexists(path):
            yield path


def _model(found: Content) -> Content:
    return {
        "steps": found["steps"],
        "settings": found["settings"],
        "model": _weights(found["model"])[0],
    }


def _checkpoint(found: Content) -> Content:
    kept = found["envs"]
    layout = int(kept["layout"]) if "layout" in kept else 1
    states = kept["envs"].numpy().view(dtype_of(layout, int(kept["capacity"]))).reshape(-1)
    best = found["best"]
    return {
        **{name: found[name] for name in ("steps", "every", "next")},
        "best": None if best == float("-inf") else best,
        "points": [asdict(Point(*row)) for row in found["points"]],
        "begin": {"seeds": states["seed"].copy(), "episodes": states["episode"] + 1},
        "learner": _learner(found["learner"]),
    }


def _learner(state: Content) -> Content:
    if "library" not in state:
        return {
            "network": arrays_of(state["network"]),
            "optimiser": _optimiser(state["optimiser"]),
            "chance": state["chance"].numpy(),
            "steps": state["steps"],
        }
    from mars_logic.training import library

    model, optimiser, plain = _weights(state)
    starts = state["starts"].numpy().astype(bool)
    generator = pickle.loads(state["space"].numpy().tobytes())  # noqa: S301 -- the user trusts the file
    found = {
        **model,
        "optimiser": optimiser,
        "counters": {"steps": plain["num_timesteps"], "updates": plain["_n_updates"]},
        "starts": np.ones_like(starts),
        "space": dict(generator.bit_generator.state),
        "chance": _chance(state["chance"]),
    }
    if "lstm_actor.weight_hh_l0" in model["policy"]:
        width = model["policy"]["lstm_actor.weight_hh_l0"].shape[1]
        none = np.zeros((1, len(starts), width), np.float32)
        found["memory"] = dict.fromkeys(library.OF_LSTM, none)
    if "buffer" in state:
        found["counters"] |= {"calls": plain["_n_calls"], "explored": plain["exploration_rate"]}
        buffer = pickle.loads(state["buffer"].numpy().tobytes())  # noqa: S301 -- the user trusts the file
        found["buffer"] = library.buffer_content(buffer)
    return found


def _weights(state: Content) -> tuple[Content, Content, Content]:
    """The weights, the state of the optimiser, and plain values of a model."""
    if "library" not in state:
        return {"network": arrays_of(state["network"])}, {}, {}
    with zipfile.ZipFile(io.BytesIO(state["library"].numpy().tobytes())) as archive:
        tensors, optimiser = (
            torch.load(io.BytesIO(archive.read(name)), map_location="cpu", weights_only=True)
            for name in ("policy.pth", "policy.optimizer.pth")
        )
        plain = json.loads(archive.read("data"))
    return {"policy": arrays_of(tensors)}, _optimiser(optimiser), plain


def _optimiser(state: Content) -> Content:
    return {str(number): arrays_of(kept) for number, kept in state["state"].items()}


def _chance(state: Content) -> Content:
    version, inner, gauss = state["python"]
    _, keys, place, has, cached = state["numpy"]
    return {
        "python": {"version": version, "state": np.array(inner, np.uint32), "gauss": gauss},
        "numpy": {
            "keys": keys.numpy().astype(np.uint32),
            "place": int(place),
            "has_gauss": int(has),
            "gauss": float(cached),
        },
        "torch": state["torch"].numpy(),
        "cuda": {},
    }
