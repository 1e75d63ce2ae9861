"""The commands that make Conan's scenes and the questions about them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mars_logic.cli.conan_shared import Out, Processes, write_rows
from mars_logic.cli.output import Json, console, print_json
from mars_logic.errors import InputError

_MOST = 50_000


class VandalKind(StrEnum):
    """Kinds of vandals."""

    reference = "reference"
    careful = "careful"


class SceneMode(StrEnum):
    """What a vandal does."""

    task = "task"
    survival = "survival"


class Choices(StrEnum):
    """Choices of Goal questions."""

    standard = "standard"
    hard = "hard"


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command("scenes")(scenes)
    app.command("questions")(questions)


def scenes(
    world: Annotated[str, typer.Argument(help="A Conan world: its name or file.")],
    out: Out,
    count: Annotated[
        int, typer.Option("--scenes", min=1, max=_MOST, help="How many scenes.")
    ] = 10_000,
    seed: Annotated[int, typer.Option(min=0, max=2**31, help="Seed of the corpus.")] = 0,
    vandal: Annotated[
        VandalKind | None,
        typer.Option(help="reference: as released (the default for tasks); careful: can be hurt."),
    ] = None,
    mode: Annotated[
        SceneMode, typer.Option(help="survival: a careful vandal lives without a task.")
    ] = SceneMode.task,
    tasks: Annotated[
        int, typer.Option(help="25, or, of a careful vandal, 60: also pairs.", metavar="25|60")
    ] = 25,
    processes: Processes = 1,
    as_json: Json = False,
) -> None:
    """Make scenes: a vandal leaves traces in a Conan world.

    The vandal plays until a task succeeds, in one world after the other; in survival, until its
    life ends as was drawn: alive, by a monster, thirst, hunger or exhaustion. Writes
    DIR/scenes.parquet: map, objects and figure of each scene, and apart from them, marked as
    privileged, the task, the plan and the log. An interrupted run goes on when it is run again.

    Example: mars-logic scenes conan --scenes 500 -o corpus
    """
    from mars_logic.domains.conan.corpus import CorpusSpec
    from mars_logic.domains.conan.jobs import scenes_job

    _require_conan(world)
    kind = vandal or (VandalKind.careful if mode == SceneMode.survival else VandalKind.reference)
    _require_together(kind, mode, tasks)
    spec = CorpusSpec(world, seed, kind.value, mode.value, tasks)
    write_rows(out, scenes_job(spec, count), processes)
    _done(out, "scenes", count, as_json=as_json)


def questions(
    folder: Annotated[Path, typer.Argument(help="A folder with scenes.", metavar="DIR")],
    choices: Annotated[
        Choices, typer.Option(help="hard: with a task that leaves the same traces, if any.")
    ] = Choices.standard,
    posterior: Annotated[
        bool,
        typer.Option("--posterior", help="Also write how far the traces determine each answer."),
    ] = False,
    processes: Processes = 1,
    as_json: Json = False,
) -> None:
    """Ask about scenes: questions with four choices each.

    Writes DIR/questions.parquet, and prints how well one would answer without looking: by the
    shares of answers alone, and by the words of the choices alone. With --posterior, a detective
    that sees everything judges each answer: DIR/posteriors.parquet.

    Example: mars-logic questions corpus
    """
    from mars_logic.domains.conan.jobs import posteriors_job, questions_job
    from mars_logic.domains.conan.questions.shortcuts import shortcuts
    from mars_logic.domains.conan.questions.storage import read_questions

    job = questions_job(folder, hard=choices == Choices.hard)
    write_rows(folder, job, processes)
    if posterior:
        write_rows(folder, posteriors_job(folder), processes)
    count, asked = job.scenes, read_questions(folder)
    found = shortcuts(asked)
    total = sum(map(len, asked.values()))
    if as_json:
        print_json(
            {
                "schema": "mars-logic conan questions 1",
                "questions": total,
                "scenes": count,
                "shortcuts": found,
            }
        )
        return
    print(f"{folder / 'questions.parquet'}: {total:,} questions about {count:,} scenes")
    from rich.table import Table

    table = Table("answered without looking", "category", "right", "questions", box=None)
    for row in found:
        table.add_row(row["by"], row["category"], f"{row['right']:.3f}", str(row["questions"]))
    console().print(table)


def _done(out: Path, name: str, count: int, *, as_json: bool) -> None:
    place = out / f"{name}.parquet"
    if as_json:
        print_json({"schema": f"mars-logic conan {name} 1", "file": str(place), "scenes": count})
    else:
        print(f"{place}: {count:,} scenes")


def _require_together(vandal: VandalKind, mode: SceneMode, tasks: int) -> None:
    careful = vandal == VandalKind.careful
    if mode == SceneMode.survival and not careful:
        raise InputError("--vandal: reference: it does not live without a task; allowed: careful")
    allowed = "25 or 60" if careful and mode == SceneMode.task else "25"
    if str(tasks) not in allowed.split(" or "):
        raise InputError(f"--tasks: {tasks} of a vandal as given; allowed: {allowed}")


def _require_conan(name: str) -> None:
    from mars_logic.world.load import load_world

    world = load_world(name)
    if not world.vocabulary.traced:
        raise InputError(f"{name}:1: dynamics: {world.dynamics} leaves no traces; allowed: conan")
