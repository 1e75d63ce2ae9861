"""The command that lets a detective investigate Conan's scenes, and the tables of its answers."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from mars_logic.cli.conan_shared import Exploring, Out, Processes, WalkStart, write_rows
from mars_logic.cli.output import Json, console, print_json

_SCORES = ("intent", "goal", "survival", "overall")


class DetectiveKind(StrEnum):
    """Kinds of detectives."""

    afd = "afd"
    counts = "counts"
    prior = "prior"


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("detect")(detect)


def detect(
    folder: Annotated[
        Path, typer.Argument(help="A folder with scenes and questions.", metavar="DIR")
    ],
    out: Out,
    explorer: Annotated[
        Exploring, typer.Option(help="How to explore; all: everything is seen at once.")
    ] = Exploring.curious,
    start: Annotated[
        WalkStart, typer.Option(help="far: at least 15 steps from every trace.")
    ] = WalkStart.far,
    steps: Annotated[int, typer.Option(min=0, max=5000, help="The longest walk.")] = 500,
    detective: Annotated[
        DetectiveKind,
        typer.Option(help="afd: abduction and simulation; counts: abduction; prior: no look."),
    ] = DetectiveKind.afd,
    checkpoints: Annotated[
        bool, typer.Option("--checkpoints", help="Ask after 0, 50, 100, 200, 300 steps, too.")
    ] = False,
    processes: Processes = 1,
    as_json: Json = False,
) -> None:
    """Explore scenes, and answer the questions about them.

    Writes DIR/detections.parquet, and prints how many answers are right beside published results.
    An interrupted run goes on when it is run again.

    Example: mars-logic detect corpus --explorer nearest --start centre -o detected
    """
    from mars_logic.domains.conan.detective.investigating import DetectionSpec
    from mars_logic.domains.conan.jobs import detections_job
    from mars_logic.domains.conan.questions.storage import read_questions

    spec = DetectionSpec(folder, explorer.value, start.value, steps, detective.value, checkpoints)
    job = detections_job(spec)
    read_questions(folder)
    write_rows(out, job, processes)
    show_detections(out, as_json=as_json)


def show_detections(
    folder: Path, *, as_json: bool, lives: Path | None = None, parts: bool = False
) -> None:
    """Print the accuracies of a folder of detections.

    Args:
        folder: The folder.
        as_json: Whether to print JSON.
        lives: Another folder, about scenes of survival.
        parts: Whether to print accuracies by task and by determination, too.
    """
    from mars_logic.domains.conan.detective.summary import detection_summary

    found = detection_summary(folder, lives)
    if as_json:
        print_json({"schema": "mars-logic conan detections 1", **found})
        return
    from rich.table import Table

    table = Table("detective", *_SCORES, "scenes", box=None)
    for row in found["rows"]:
        scores = [_cell(row.get(name)) for name in _SCORES]
        table.add_row(row["name"], *scores, str(row["scenes"]))
    console().print(table)
    if parts:
        _show_parts(found)
    for line in found["notes"]:
        print(line)


def _show_parts(found: dict[str, Any]) -> None:
    """Print accuracies by task, and of determined and other questions."""
    from rich.table import Table

    for name, columns in (
        ("tasks", ("task", "goal", "among_all", "scenes")),
        ("determined", ("determined", "intent", "goal", "survival", "questions")),
    ):
        table = Table(*(column.replace("_", " ") for column in columns), box=None)
        for row in found[name]:
            table.add_row(*(_cell(row[column]) for column in columns))
        if found[name]:
            console().print(table)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
