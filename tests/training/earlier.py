"""Folders of training runs as the version before kept them, with pickles; and hostile ones."""

from __future__ import annotations

import base64
import io
import json
import pickle
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import torch

FOLDERS = Path(__file__).parent / "data" / "earlier_format.tar.xz"
"""A run of 96 steps of each algorithm: checkpoint, last model, settings, curve, world."""
TUNED = ("n_steps=8", "batch_size=8", "width=2", "starts=16", "buffer=40", "epochs=1")
STATED = ["--steps", "96", "--envs", "1", "--length", "20", *(f"--set={each}" for each in TUNED)]
"""The options that they were trained with."""


class CreatesFile:
    """A pickle of it creates a file when it is loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return open, (str(self.path), "w")


def unpack(place: Path, algorithm: str) -> Path:
    """The folder of a run of an algorithm."""
    with tarfile.open(FOLDERS) as archive:
        archive.extractall(place, [each for each in archive if each.name.startswith(algorithm)])
    return place / algorithm


def poison(folder: Path, mark: Path) -> None:
    """Replace every pickle in the files of a run by one that creates a file."""
    bad = pickle.dumps(CreatesFile(mark))
    for path in folder.glob("*.pt"):
        found = torch.load(path, weights_only=True)
        held = found["learner" if "learner" in found else "model"]
        if "library" in held:
            held["library"] = _tensor(_poisoned(held["library"].numpy().tobytes(), bad))
        held |= {name: _tensor(bad) for name in ("space", "buffer") if name in held}
        torch.save(found, path)


def _poisoned(content: bytes, bad: bytes) -> bytes:
    """A model of Stable-Baselines3 with other pickles."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(written, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            if name == "data":
                plain = json.loads(part)
                for value in plain.values():
                    if isinstance(value, dict) and ":serialized:" in value:
                        value[":serialized:"] = base64.b64encode(bad).decode()
                part = json.dumps(plain).encode()
            new.writestr(name, part)
    return written.getvalue()


def _tensor(content: bytes) -> torch.Tensor:
    return torch.frombuffer(bytearray(content), dtype=torch.uint8)
