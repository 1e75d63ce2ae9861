"""The commands about Conan's scenes: to make, show, ask about and investigate them."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import (
    Json,
    console,
    print_json,
    progress,
    require_ending,
    require_free,
    say_wrong,
)
from mars_logic.errors import InputError
from mars_logic.files import write_or_refuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mars_logic.domains.conan.detective.detecting import DetectionSpec
    from mars_logic.domains.conan.scenes import FinishedScene

_MOST = 1_000_000


class SceneForm(StrEnum):
    """Forms of a scene."""

    map = "map"
    log = "log"
    belief = "belief"
    film = "film"
    report = "report"


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


class Exploring(StrEnum):
    """Ways to explore a scene."""

    nearest = "nearest"
    curious = "curious"
    random = "random"
    all = "all"


class WalkStart(StrEnum):
    """Where a detective starts."""

    centre = "centre"
    far = "far"


class DetectiveKind(StrEnum):
    """Kinds of detectives."""

    afd = "afd"
    counts = "counts"
    prior = "prior"


Out = Annotated[Path, typer.Option("--out", "-o", help="The folder to write to.")]
Processes = Annotated[
    int, typer.Option(min=1, max=256, help="Processes; the files are the same with any number.")
]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command("scenes")(scenes)
    app.command("scene")(scene)
    app.command("questions")(questions)
    app.command("detect")(detect)
    app.command("ask-scene")(ask_scene)


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
    from mars_logic.domains.conan.corpus import CorpusSpec, scene_block, stage_of

    _require_conan(world)
    kind = vandal or (VandalKind.careful if mode == SceneMode.survival else VandalKind.reference)
    _require_together(kind, mode, tasks)
    spec = CorpusSpec(world, seed, kind.value, mode.value, tasks)
    stage = stage_of(world)
    about = {"world": world, "digest": stage.world.digest, "seed": seed, "vandal": spec.vandal}
    if kind == VandalKind.careful:
        about |= {"mode": spec.mode, "tasks": tasks}
    _write(out, "scenes", about, scene_block, spec, count, processes)
    _done(out, "scenes", count, as_json=as_json)


def scene(
    file: Annotated[Path, typer.Argument(help="A folder or file of scenes.")],
    number: Annotated[int, typer.Argument(min=0, help="The scene's number.")],
    form: Annotated[SceneForm, typer.Option("--as", help="What to show.")] = SceneForm.map,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="Of a film, the new file: .gif or .mp4; of a report: .png."
        ),
    ] = None,
    explorer: Annotated[
        Exploring, typer.Option(help="How a report's detective explores; not all.")
    ] = Exploring.nearest,
    start: Annotated[
        WalkStart, typer.Option(help="Where it starts; far: at least 15 steps from every trace.")
    ] = WalkStart.far,
    steps: Annotated[int, typer.Option(min=1, max=5000, help="Its longest walk.")] = 500,
    as_json: Json = False,
) -> None:
    """Show a scene: its map, its log in words, a belief, a film, or a report.

    The log tells what the vandal did and why; the belief is that of a detective who has seen
    everything, with what refutes other tasks. The film shows the vandal at work. The report is a
    picture of a detective's walk: what was seen when, the plan believed drawn on the map, and
    the belief over time.

    Example: mars-logic scene corpus 3 --as report -o report.png
    """
    from mars_logic.domains.conan import showing

    shown = _scene(file, number)
    if form in (SceneForm.film, SceneForm.report):
        _draw(shown, form, out, _walk(file, explorer, start, steps))
        if as_json:
            print_json(
                {
                    "schema": "mars-logic conan scene 1",
                    "scene": number,
                    "as": form.value,
                    "file": str(out),
                }
            )
        else:
            print(out)
        return
    if form == SceneForm.belief and shown.mode == "survival":
        raise InputError("--as: belief: it is about tasks; allowed: map, log, film or report")
    told = {
        SceneForm.map: showing.map_lines,
        SceneForm.log: showing.log_lines,
        SceneForm.belief: showing.belief_lines,
    }
    lines = list(told[form](shown))
    if as_json:
        print_json(
            {
                "schema": "mars-logic conan scene 1",
                "scene": number,
                "as": form.value,
                "lines": lines,
            }
        )
        return
    for line in lines:
        print(line)


def _walk(folder: Path, explorer: Exploring, start: WalkStart, steps: int) -> DetectionSpec:
    from mars_logic.domains.conan.detective.detecting import DetectionSpec

    if explorer == Exploring.all:
        raise InputError("--explorer: all: it does not walk; allowed: nearest, curious or random")
    return DetectionSpec(folder, explorer.value, start.value, steps)


def _draw(scene: FinishedScene, form: SceneForm, out: Path | None, walk: DetectionSpec) -> None:
    """Write a film or a report."""
    endings = (".gif", ".mp4") if form == SceneForm.film else (".png",)
    if out is None:
        raise InputError(f"--out: none; allowed: a file that ends in {' or '.join(endings)}")
    require_ending(out, endings)
    require_free(out, force=False)
    from mars_logic.views import film
    from mars_logic.views.scenes import picture, report

    if form == SceneForm.film:
        film.require_format(out)
        film.save(picture.film(scene), out)
        return
    from io import BytesIO

    from PIL import Image

    buffer = BytesIO()
    Image.fromarray(report.report(scene, walk)).save(buffer, "PNG", optimize=True)
    write_or_refuse(out, buffer.getvalue())


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
    from mars_logic.domains.conan.detective.determined import posterior_block
    from mars_logic.domains.conan.questions.shortcuts import shortcuts
    from mars_logic.domains.conan.questions.storage import (
        QuestionSpec,
        question_block,
        read_questions,
    )
    from mars_logic.domains.conan.scenes import count_scenes

    count = count_scenes(folder)
    about = {"choices": choices.value, "of": "scenes"}
    spec = QuestionSpec(folder, choices == Choices.hard)
    _write(folder, "questions", about, question_block, spec, count, processes)
    if posterior:
        _write(folder, "posteriors", about, posterior_block, folder, count, processes)
    asked = read_questions(folder)
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


def ask_scene(
    folder: Annotated[
        Path, typer.Argument(help="A folder with scenes and questions.", metavar="DIR")
    ],
    number: Annotated[int, typer.Argument(min=0, help="The scene's number.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Keep the answers in this new JSON file.")
    ] = None,
) -> None:
    """Answer the questions about a scene yourself.

    You see the 9 x 9 cells around you, as a detective does. Type keys of play, as many as you like
    in a line: w a s d to move, 1 to 4 to answer, q to leave.

    Example: mars-logic ask-scene corpus 3
    """
    from mars_logic.domains.conan.person import Investigation
    from mars_logic.domains.conan.questions.storage import read_questions
    from mars_logic.domains.conan.showing import LEGEND

    require_free(out, force=False)
    shown = _scene(folder, number)
    asked = read_questions(folder).get(number, ())
    investigation = Investigation(shown, asked)
    print(LEGEND)
    while not investigation.over:
        print("\n".join(investigation.lines()))
        line = sys.stdin.readline()
        for key in line.strip():
            if key == "q" or investigation.over:
                break
            if wrong := investigation.press(key):
                say_wrong(wrong)
        if not line or "q" in line:
            break
    print(f"{investigation.right} of {len(investigation.given)} right, {len(asked)} asked.")
    if out:
        write_or_refuse(out, json.dumps(investigation.record(), indent=1) + "\n")


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
    from mars_logic.domains.conan.detective.detecting import DetectionSpec, detection_block
    from mars_logic.domains.conan.questions.storage import read_questions
    from mars_logic.domains.conan.scenes import count_scenes

    count = count_scenes(folder)
    read_questions(folder)
    about = {
        "scenes_of": str(folder),
        "explorer": explorer.value,
        "start": start.value,
        "steps": steps,
        "detective": detective.value,
        "checkpoints": checkpoints,
    }
    spec = DetectionSpec(folder, explorer.value, start.value, steps, detective.value, checkpoints)
    _write(out, "detections", about, detection_block, spec, count, processes)
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


_SCORES = ("intent", "goal", "survival", "overall")


def _write(
    folder: Path,
    name: str,
    about: dict[str, Any],
    work: Any,
    given: Any,
    count: int,
    processes: int,
) -> None:
    from mars_logic.domains.conan.blocks import write_blocks

    done: Iterator[int] = write_blocks(folder, name, about, work, given, count, processes)
    with progress() as shown:
        bar = shown.add_task("scenes", total=count)
        for number in done:
            shown.update(bar, completed=number)


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


def _scene(file: Path, number: int) -> FinishedScene:
    from mars_logic.domains.conan.scenes import count_scenes, read_scenes

    count = count_scenes(file)
    if number >= count:
        raise InputError(f"{file}:1: scene: there is no scene {number}; allowed: 0 to {count - 1}")
    return read_scenes(file, number, number + 1)[0]
