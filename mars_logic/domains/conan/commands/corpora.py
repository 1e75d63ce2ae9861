"""The commands that make Conan's scenes, the questions about them, and a detective's answers."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import (
    INTERRUPTED,
    Json,
    Processes,
    pipes_may_break,
    print_json,
    print_table,
    progress,
    say,
)
from mars_logic.errors import InputError
from mars_logic.system.interruptions import as_interruption

if TYPE_CHECKING:
    from mars_logic.domains.conan.blocks import BlockJob
    from mars_logic.domains.conan.scenes import FinishedScene


class Exploring(StrEnum):
    """Ways to explore a scene."""

    nearest = "nearest"
    curious = "curious"
    random = "random"
    all = "all"
    witness = "witness"


class WalkStart(StrEnum):
    """Where a detective starts."""

    centre = "centre"
    far = "far"


CorpusSeed = Annotated[
    int | None,
    typer.Option("--seed", min=0, max=2**31, help="Seed of a corpus of Conan's scenes."),
]
_MOST = 50_000
_SCORES = ("intent", "goal", "survival", "overall")


class VandalKind(StrEnum):
    """Kinds of vandals."""

    reference = "reference"
    careful = "careful"


class SceneMode(StrEnum):
    """What a vandal does."""

    task = "task"
    survival = "survival"


class Choices(StrEnum):
    """How choices are drawn."""

    standard = "standard"
    hard = "hard"
    balanced = "balanced"


class DetectiveKind(StrEnum):
    """Kinds of detectives."""

    afd = "afd"
    counts = "counts"
    prior = "prior"


Out = Annotated[Path, typer.Option("--out", "-o", help="The folder to write to.")]


def scenes(
    world: Annotated[str, typer.Argument(help="A Conan world: its name or file.")],
    out: Out,
    count: Annotated[
        int, typer.Option("--scenes", min=1, max=_MOST, help="How many scenes.")
    ] = 10_000,
    seed: CorpusSeed = 0,
    vandal: Annotated[
        VandalKind | None,
        typer.Option(
            help="reference: unharmed, as released (default for tasks); careful: can be hurt."
        ),
    ] = None,
    mode: Annotated[
        SceneMode,
        typer.Option(help="survival: a careful vandal without a task tries to stay alive."),
    ] = SceneMode.task,
    tasks: Annotated[
        int,
        typer.Option(
            help="Number of tasks; 60 with pairs of tasks, for a careful vandal.", metavar="25|60"
        ),
    ] = 25,
    processes: Processes = 1,
    as_json: Json = False,
) -> None:
    """Make scenes: a vandal leaves traces in a Conan world.

    The vandal plays until a task succeeds, in one world after the other; in survival, until its
    life ends as was drawn: alive, by a monster, thirst, hunger or exhaustion. Writes
    DIR/scenes.parquet: map, objects and figure of each scene, and apart from them, marked as
    privileged, the task, the plan and the log. An interrupted run goes on when it is run again.

    Example: mars-logic conan scenes conan --scenes 500 -o corpus
    """
    from mars_logic.domains.conan.corpus import CorpusSpec
    from mars_logic.domains.conan.jobs import scenes_job

    _require_conan(world)
    kind = vandal or (VandalKind.careful if mode == SceneMode.survival else VandalKind.reference)
    _require_together(kind, mode, tasks)
    spec = CorpusSpec(world, seed or 0, kind.value, mode.value, tasks)
    write_rows(out, scenes_job(spec, count), processes)
    _done(out, "scenes", count, as_json=as_json)


def questions(
    folder: Annotated[Path, typer.Argument(help="A folder with scenes.", metavar="DIR")],
    choices: Annotated[
        Choices,
        typer.Option(
            help="hard: with a task that leaves the same traces, if any. balanced: neither shares "
            "of answers nor words tell which choice is right."
        ),
    ] = Choices.standard,
    posterior: Annotated[
        bool,
        typer.Option("--posterior", help="Also write how far the traces determine each answer."),
    ] = False,
    processes: Processes = 1,
    as_json: Json = False,
) -> None:
    """Ask about scenes: questions with four choices each.

    Writes DIR/questions.parquet, and prints how well one would answer without looking: by shares
    of answers (prior), by shares among questions that are worded alike (template), and by words of
    questions and choices (words). With --posterior, a detective that sees everything judges each
    answer: DIR/posteriors.parquet.

    Example: mars-logic conan questions corpus
    """
    from mars_logic.domains.conan.detective.detecting import POSTERIORS
    from mars_logic.domains.conan.jobs import posteriors_job, questions_job
    from mars_logic.domains.conan.questions.shortcuts import shortcuts
    from mars_logic.domains.conan.questions.storage import read_questions

    job = questions_job(folder, choices.value)
    write_rows(folder, job, processes)
    if posterior:
        write_rows(folder, posteriors_job(folder), processes)
        POSTERIORS.read(folder / "posteriors.parquet")  # one that was there may be damaged
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
    heads = ("answered without looking", "category", "right", "questions")
    columns = ("by", "category", "right", "questions")
    print_table(heads, ([_cell(row[column]) for column in columns] for row in found))


def detect(
    folder: Annotated[
        Path, typer.Argument(help="A folder with scenes and questions.", metavar="DIR")
    ],
    out: Out,
    explorer: Annotated[
        str,
        typer.Option(
            help="How to explore: nearest, curious, random; policy:DIR: as mars-logic train "
            "learned; all: everything is seen at once; witness: what the vandal saw while it was "
            "at work, in order.",
            metavar="EXPLORER",
        ),
    ] = Exploring.curious.value,
    start: Annotated[
        WalkStart, typer.Option(help="far: at least 15 steps from every trace.")
    ] = WalkStart.far,
    steps: Annotated[int, typer.Option(min=0, max=5000, help="Steps of a walk, at most.")] = 500,
    detective: Annotated[
        DetectiveKind,
        typer.Option(
            help="afd: abduction and simulation; counts: abduction; prior: frequencies alone."
        ),
    ] = DetectiveKind.afd,
    count: Annotated[
        int, typer.Option("--scenes", min=1, max=_MOST, help="Only the first so many scenes.")
    ] = _MOST,
    checkpoints: Annotated[
        bool, typer.Option("--checkpoints", help="Ask after 0, 50, 100, 200, 300 steps, too.")
    ] = False,
    processes: Processes = 1,
    as_json: Json = False,
) -> None:
    """Explore scenes, and answer the questions about them.

    Writes DIR/detections.parquet, and prints how many answers are right beside published results.
    An interrupted run goes on when it is run again.

    Example: mars-logic conan detect corpus --explorer nearest --start centre -o detected
    """
    from mars_logic.domains.conan.detective.investigating import DetectionSpec
    from mars_logic.domains.conan.jobs import detections_job
    from mars_logic.domains.conan.questions.storage import read_questions

    require_explorer(explorer)
    spec = DetectionSpec(folder, explorer, start.value, steps, detective.value, checkpoints)
    spec = replace(spec, scenes=count)
    job = detections_job(spec)
    read_questions(folder)
    write_rows(out, job, processes)
    show_detections(out, as_json=as_json)


def require_explorer(name: str) -> None:
    """Refuse what is no way to explore.

    Raises:
        InputError: It is none.
    """
    from mars_logic.domains.conan.detective.summary import EXPLORERS, is_explorer
    from mars_logic.world.fields import nearest

    if not is_explorer(name):
        told = f"there is no explorer '{name}'{nearest(name, EXPLORERS)}"
        raise InputError(f"--explorer: {told}; allowed: {', '.join(EXPLORERS)} or policy:DIR")


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
    columns = ("name", *_SCORES, "scenes", "compares")
    heads = ("detective", *_SCORES, "scenes", "compares with, or has seen")
    print_table(heads, ([_cell(row.get(name)) for name in columns] for row in found["rows"]))
    if parts:
        _show_parts(found)
    for line in found["notes"]:
        print(line)


def write_rows(folder: Path, job: BlockJob, processes: int) -> None:
    """Write a file of rows in blocks, with a bar; an interrupted run goes on.

    Raises:
        typer.Exit: It was interrupted.
    """
    from mars_logic.compiled.cache_folders import warn_if_unwritable
    from mars_logic.domains.conan.blocks import write_blocks

    warn_if_unwritable()
    number = 0
    try:
        with (
            as_interruption(),
            pipes_may_break(),
            progress() as shown,
            closing(write_blocks(folder, job, processes)) as done,
        ):
            bar = shown.add_task(job.name, total=job.scenes)
            for number in done:
                shown.update(bar, completed=number)
    except KeyboardInterrupt:
        say(f"{job.name}: {number:,} of {job.scenes:,} scenes are done; the same command goes on")
        raise typer.Exit(INTERRUPTED) from None


def scene_of(file: Path, number: int) -> FinishedScene:
    """A scene of a folder or file.

    Raises:
        InputError: There is none of that number.
    """
    from mars_logic.domains.conan.scenes import count_scenes, read_scenes

    count = count_scenes(file)
    if number >= count:
        raise InputError(f"{file}:1: scene: there is no scene {number}; allowed: 0 to {count - 1}")
    return read_scenes(file, number, number + 1)[0]


def _done(out: Path, name: str, count: int, *, as_json: bool) -> None:
    place = out / f"{name}.parquet"
    if as_json:
        print_json({"schema": f"mars-logic conan {name} 1", "file": str(place), "scenes": count})
    else:
        print(f"{place}: {count:,} scenes")


def _require_together(vandal: VandalKind, mode: SceneMode, tasks: int) -> None:
    careful = vandal == VandalKind.careful
    if mode == SceneMode.survival and not careful:
        raise InputError("--vandal: reference: this vandal has no survival mode; allowed: careful")
    allowed = "25 or 60" if careful and mode == SceneMode.task else "25"
    if str(tasks) not in allowed.split(" or "):
        raise InputError(
            f"--tasks: {tasks} is not possible for this vandal and mode; allowed: {allowed}"
        )


def _require_conan(name: str) -> None:
    from mars_logic.world.load import load_world

    world = load_world(name)
    if not world.vocabulary.traced:
        raise InputError(f"{name}:1: dynamics: {world.dynamics} leaves no traces; allowed: conan")


def _show_parts(found: dict[str, Any]) -> None:
    """Print accuracies by task, and of determined and other questions."""
    for name, columns in (
        (
            "tasks",
            ("task", "goal", "among_all", "scenes", "published_trpo", "published_ideal"),
        ),
        ("determined", ("determined", "intent", "goal", "survival", "questions")),
    ):
        if found[name]:
            heads = (column.replace("_", " ") for column in columns)
            print_table(heads, ([_cell(row[column]) for column in columns] for row in found[name]))


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
