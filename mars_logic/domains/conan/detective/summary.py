"""Accuracies of detections, beside published results."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from mars_logic.data.parquet import Parquet
from mars_logic.domains.conan.detective.detecting import SCHEMA
from mars_logic.errors import InputError

_ALLOWED: Final = "a folder that `mars-logic detect` wrote"
PUBLISHED: Final = (
    ("published: Flamingo-Mini, TRPO explorer", 0.862, 0.433, 0.663),
    ("published: F-BiLM-DeBERTa, ideal explorer", 0.877, 0.718, 0.778),
)
"""Best published rows (Xu et al. 2023, tables 2 and 3): intent, goal, (2 I + G + S) / 4."""
CAVEAT: Final = (
    "Our rows are about own scenes of the same generator and own questions; the published ones are "
    "about the paper's, which were not released, and their overall counts survival questions. "
    "Our overall is (2 I + G) / 3."
)


def detection_summary(folder: Path) -> dict[str, Any]:
    """Accuracies of a folder of detections: rows with published ones beside, and notes.

    Raises:
        InputError: The folder holds no detections.
    """
    file = Parquet.open(folder / "detections.parquet", _ALLOWED)
    try:
        about = json.loads((folder / "detections.json").read_text("utf-8"))
        walked = about["explorer"] != "all"
        start = f", {about['start']}" if walked else ""
        name = f"{about['detective']}, {about['explorer']}{start}"
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(
            f"{folder}/detections.json:1: file: unreadable; allowed: {_ALLOWED}"
        ) from None
    rows = file.table(SCHEMA).to_pylist()
    by_step: defaultdict[Any, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        if row["last"]:
            by_step["the end"].append(row)
        else:
            by_step[row["step"]].append(row)
    ours = [
        {**_scores(each), "name": name if step == "the end" else f"{name}, after {step} steps"}
        for step, each in by_step.items()
    ]
    theirs = [
        {"name": label, "intent": i, "goal": g, "overall": o, "scenes": 1000}
        for label, i, g, o in PUBLISHED
    ]
    return {"rows": ours + theirs, "notes": _notes(by_step["the end"])}


def _scores(rows: list[dict[str, Any]]) -> dict[str, Any]:
    scores: dict[str, Any] = {"scenes": len({row["scene"] for row in rows})}
    for category in ("intent", "goal", "survival", "task"):
        right = [row["choice"] == row["answer"] for row in rows if row["category"] == category]
        scores[category] = float(np.mean(right)) if right else None
    both = scores["intent"] is not None and scores["goal"] is not None
    scores["overall"] = (2 * scores["intent"] + scores["goal"]) / 3 if both else None
    return scores


def _notes(rows: list[dict[str, Any]]) -> list[str]:
    tasks = [row for row in rows if row["category"] == "task"]
    if not tasks:
        return [CAVEAT]
    right = np.array([row["choice"] == row["answer"] for row in tasks])
    mass = np.array([row["mass"] for row in tasks])
    goals = [row for row in rows if row["category"] == "goal"]
    sure = [row["choice"] == row["answer"] for row in goals if row["mass"] >= 0.99]
    return [
        f"Task among all 25: {right.mean():.3f} right, where the detective expects "
        f"{mass.mean():.3f}; expected calibration error {calibration_error(mass, right):.3f}.",
        f"Goal where it is determined (0.99): {np.mean(sure) if sure else 0:.3f} of {len(sure)}.",
        f"Traces seen: {np.mean([row['traces'] for row in tasks]):.3f}, after "
        f"{np.mean([row['step'] for row in tasks]):.0f} steps.",
        CAVEAT,
    ]


def calibration_error(mass: Any, right: Any) -> float:
    """Expected calibration error over ten bins of equal width.

    Args:
        mass: float[n]: belief in each choice.
        right: bool[n]: whether it was right.
    """
    mass, right = np.asarray(mass), np.asarray(right)
    bins = np.minimum((mass * 10).astype(int), 9)
    parts = [
        abs(right[bins == i].mean() - mass[bins == i].mean()) * (bins == i).mean()
        for i in range(10)
        if (bins == i).any()
    ]
    return float(sum(parts))
