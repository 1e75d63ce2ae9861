"""Training runs of a table: worlds x settings x seeds, resumable; results as a page and curves.

Usage: python -m mars_logic.benchmarks.training_table benchmarks/specs/training/rewards.yaml -o DIR
           [--workers N] [--scheduler ADDRESS] [--steps N] [--seeds N]

Needs the extras `rl` and `bench`. Each run is `mars-logic train` in a folder of its own in DIR; the
same command goes on where it was interrupted, and trains nothing twice. --scheduler works on a Dask
cluster that shares this file system. --steps and --seeds make a smaller table of the same spec.
Writes DIR/README.md, DIR/results.json and DIR/curves.png: means over the seeds of the last row of
each curve, with 95 % bootstrap intervals where there are several, and the steps at which a score
was first reached. A spec's `published` maps headings of further columns to values by world or
setting, and its `drawn` names the column of curves that the picture shows.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import yaml

from mars_logic.errors import InputError
from mars_logic.experiments.statistics import bootstrap_mean
from mars_logic.system.file_names import path_named
from mars_logic.system.files import write_atomically
from mars_logic.training import curve
from mars_logic.training.curve import Point
from mars_logic.training.settings_file import CURVE

from .training_page import DRAWN, draw, page

SCORES: Final = (5.0, 10.0)
"""Scores in percent of which the table tells after how many steps they were reached."""


@dataclass(frozen=True)
class TrainingJob:
    """One training run.

    Attributes:
        world: Where.
        label: Of the setting.
        seed: Of the run.
        arguments: Of ``mars-logic train``, without the folder.
    """

    world: str
    label: str
    seed: int
    arguments: tuple[str, ...]

    @property
    def folder(self) -> str:
        """The name of its folder."""
        return f"{self.world}__{self.label}__s{self.seed}"


def read(path: Path, steps: str | None = None, seeds: int | None = None) -> list[TrainingJob]:
    """The runs of a spec: a mapping with ``worlds``, ``seeds``, ``steps``, ``settings``.

    Args:
        path: The spec; each of ``settings`` maps a label to options of ``mars-logic train``, which
            may hold steps of its own. Files of records are looked for beside it.
        steps: Instead of its steps.
        seeds: Only the first so many seeds.

    Raises:
        InputError: A field is missing or of another kind.
    """
    plain = yaml.safe_load(path.read_text(encoding="utf-8"))
    kinds = {"worlds": list, "seeds": list, "steps": str, "settings": dict}
    for name, kind in kinds.items():
        if not isinstance(plain, dict) or not isinstance(plain.get(name), kind):
            raise InputError(f"{path}:1: {name}: it is missing or wrong; allowed: {kind.__name__}")
    return [
        TrainingJob(
            *(world, label, seed),
            _arguments({"steps": plain["steps"], **options}, path.parent, steps, seed),
        )
        for seed in plain["seeds"][:seeds]
        for world in plain["worlds"]
        for label, options in plain["settings"].items()
    ]


def drawn(path: Path) -> str:
    """The column of curves that a spec wants to see: ``reward`` if it names none.

    Raises:
        InputError: There is no such column.
    """
    name = str(yaml.safe_load(path.read_text("utf-8")).get("drawn", "reward"))
    if name not in DRAWN:
        raise InputError(f"{path}:1: drawn: {name}; allowed: {', '.join(DRAWN)}")
    return name


def published(path: Path) -> dict[str, dict[str, float]]:
    """What a spec says of published rewards or scores: by the heading of a column, then by row."""
    found: dict[str, dict[str, float]] = yaml.safe_load(path.read_text("utf-8")).get(
        "published", {}
    )
    return found


def _arguments(
    options: dict[str, Any], beside: Path, steps: str | None, seed: int
) -> tuple[str, ...]:
    words: list[str] = []
    for name, value in (options | ({"steps": steps} if steps else {})).items():
        for each in value if isinstance(value, list) else [value]:
            beside_it = beside / str(each)
            text = str(beside_it.resolve()) if name == "laws" and beside_it.exists() else str(each)
            words += [f"--{name}", text]
    return (*words, "--seed", str(seed))


def carry_out(job: TrainingJob, out: str) -> int:
    """Do a run, in a process of its own; its exit status."""
    folder = Path(out) / path_named(job.folder)
    command = [sys.executable, "-m", "mars_logic", "train", job.world, "-o", str(folder)]
    with (Path(out) / f"{job.folder}.log").open("w", encoding="utf-8") as log:
        done = subprocess.run([*command, *job.arguments], stdout=log, stderr=log, check=False)
    return done.returncode


def _all(jobs: list[TrainingJob], out: Path, workers: int, scheduler: str | None) -> Iterator[int]:
    if scheduler is not None:
        distributed: Any = importlib.import_module("distributed")
        with distributed.Client(scheduler) as client:
            yield from client.gather(client.map(carry_out, jobs, out=str(out.resolve())))
        return
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(lambda job: carry_out(job, str(out)), jobs)


def first_reached(points: list[Point], score: float) -> int | None:
    """The steps of the first row of a curve with at least a score."""
    return next((point.steps for point in points if point.score >= score), None)


def summary(jobs: list[TrainingJob], out: Path) -> list[dict[str, Any]]:
    """A row for each world and setting of which some run has a curve."""
    rows = []
    for world, label in dict.fromkeys((job.world, job.label) for job in jobs):
        mine = [job for job in jobs if (job.world, job.label) == (world, label)]
        files = [out / path_named(job.folder) / CURVE for job in mine]
        curves = [found for file in files if file.exists() and (found := curve.read(file))]
        if not curves:
            continue
        row: dict[str, Any] = {"world": world, "setting": label, "seeds": len(curves)}
        row["steps"] = [points[-1].steps for points in curves]
        for name in ("reward", "score", "unlocked"):
            values = np.array([getattr(points[-1], name) for points in curves])
            interval = bootstrap_mean(values, np.ones(len(values))) if len(values) > 1 else None
            row[name] = {"mean": float(values.mean()), "interval": interval}
        for score in SCORES:
            row[f"steps to {score:g} %"] = [first_reached(points, score) for points in curves]
        row["curves"] = [[(p.steps, p.reward, p.score) for p in points] for points in curves]
        rows.append(row)
    return rows


def main() -> None:
    """Train what is missing, and write the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("spec", type=Path)
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--scheduler")
    parser.add_argument("--steps")
    parser.add_argument("--seeds", type=int)
    given = parser.parse_args()
    jobs = read(given.spec, given.steps, given.seeds)
    given.out.mkdir(parents=True, exist_ok=True)
    failed = [
        job.folder
        for job, status in zip(
            jobs, _all(jobs, given.out, given.workers, given.scheduler), strict=True
        )
        if status
    ]
    rows = summary(jobs, given.out)
    if rows:
        smaller = "".join(
            f" --{name} {value}" for name in ("steps", "seeds") if (value := getattr(given, name))
        )
        command = f"python -m mars_logic.benchmarks.training_table {given.spec} -o DIR{smaller}"
        shown = drawn(given.spec)
        draw(rows, given.out / "curves.png", shown)
        write_atomically(given.out / "results.json", json.dumps(rows, indent=1) + "\n")
        text = page(rows, command, published(given.spec), DRAWN[shown])
        write_atomically(given.out / "README.md", text)
    for name in failed:
        print(f"failed: {name}; see {given.out / name}.log", file=sys.stderr)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
