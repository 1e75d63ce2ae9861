"""Training runs in folders, as a report draws them; read without PyTorch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mars_logic.training import curve
from mars_logic.training.settings_file import CURVE, SETTINGS, read_settings
from mars_logic.views.report.training_curves import TrainedRun


def trained_runs(path: Path) -> list[TrainedRun]:
    """The run in a folder, or the runs in its folders; none if there is none.

    Raises:
        InputError: A file of a run is damaged.
    """
    if (path / SETTINGS).is_file():
        return [_run(path)]
    inside = sorted(path.iterdir()) if path.is_dir() else []
    return [_run(each) for each in inside if (each / SETTINGS).is_file()]


def _run(folder: Path) -> TrainedRun:
    plain = read_settings(folder).to_json()
    tuned = plain.pop("hyperparameters")
    world = Path(plain.pop("world")).stem
    for name in ("digest", "laws_digest"):
        plain.pop(name)
    rows = curve.read(folder / CURVE) if (folder / CURVE).exists() else []
    return TrainedRun(
        name=folder.resolve().name,
        world=world,
        settings={name: _text(value) for name, value in (plain | tuned).items()},
        steps=tuple(row.steps for row in rows),
        values={
            name: tuple(getattr(row, name) for row in rows)
            for name in curve.COLUMNS
            if name not in ("steps", "ended")
        },
    )


def _text(value: Any) -> str:
    if value is None:
        return ""
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
