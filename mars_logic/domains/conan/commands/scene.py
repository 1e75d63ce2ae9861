"""The commands that show one of Conan's scenes, and ask a person about it."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mars_logic.cli.output import (
    Json,
    print_json,
    require_ending,
    require_free,
    say_written,
    say_wrong,
)
from mars_logic.domains.conan.commands.corpora import Exploring, WalkStart, scene_of
from mars_logic.errors import InputError
from mars_logic.system.files import write_or_refuse

if TYPE_CHECKING:
    from mars_logic.domains.conan.detective.investigating import DetectionSpec
    from mars_logic.domains.conan.scenes import FinishedScene


class SceneForm(StrEnum):
    """Forms of a scene."""

    map = "map"
    log = "log"
    belief = "belief"
    film = "film"
    report = "report"


_ENDINGS = {SceneForm.film: (".gif", ".mp4"), SceneForm.report: (".html", ".png")}


def scene(
    file: Annotated[Path, typer.Argument(help="A folder or file of scenes.")],
    number: Annotated[int, typer.Argument(min=0, help="The scene's number.")],
    form: Annotated[SceneForm, typer.Option("--as", help="What to show.")] = SceneForm.map,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="Of a film, the new file: .gif or .mp4; of a report: .html or .png."
        ),
    ] = None,
    explorer: Annotated[
        Exploring, typer.Option(help="How a report's detective walks.")
    ] = Exploring.nearest,
    start: Annotated[
        WalkStart, typer.Option(help="Where it starts; far: at least 15 steps from every trace.")
    ] = WalkStart.far,
    steps: Annotated[int, typer.Option(min=1, max=5000, help="Steps of its walk, at most.")] = 500,
    as_json: Json = False,
) -> None:
    """Show a scene: its map, log, belief, film or report.

    The log tells what the vandal did and why; the belief is that of a detective who has seen
    everything, with what refutes other tasks. The film shows the vandal at work. The report is a
    page or a picture of a detective's walk: what was seen when, the plan believed drawn on the map,
    and the belief over time; a page also tells its answers, and what it refuted.

    Example: mars-logic conan scene corpus 3 --as report -o report.html
    """
    from mars_logic.domains.conan import showing

    shown = scene_of(file, number)
    about = {"schema": "mars-logic conan scene 1", "scene": number, "as": form.value}
    if form in (SceneForm.film, SceneForm.report):
        _draw(shown, form, out, _walk(file, explorer, start, steps))
        if as_json:
            print_json(about | {"file": str(out)})
        else:
            print(f"{out}: the {form.value} of scene {number}")
        return
    if form == SceneForm.belief and shown.mode == "survival":
        raise InputError(
            "--as: belief: survival scenes have no task; allowed: map, log, film or report"
        )
    told = {
        SceneForm.map: showing.map_lines,
        SceneForm.log: showing.log_lines,
        SceneForm.belief: showing.belief_lines,
    }
    lines = list(told[form](shown))
    if as_json:
        print_json(about | {"lines": lines})
        return
    for line in lines:
        print(line)


def _walk(folder: Path, explorer: Exploring, start: WalkStart, steps: int) -> DetectionSpec:
    from mars_logic.domains.conan.detective.investigating import DetectionSpec

    if explorer in (Exploring.all, Exploring.witness):
        told = f"--explorer: {explorer.value}: this explorer does not move"
        raise InputError(f"{told}; allowed: nearest, curious or random")
    return DetectionSpec(folder, explorer.value, start.value, steps)


def _draw(scene: FinishedScene, form: SceneForm, out: Path | None, walk: DetectionSpec) -> None:
    """Write a film or a report."""
    endings = _ENDINGS[form]
    if out is None:
        raise InputError(
            f"--out: it is missing; allowed: a file that ends in {' or '.join(endings)}"
        )
    require_ending(out, endings)
    require_free(out, force=False)
    if form == SceneForm.film:
        from mars_logic.views import film
        from mars_logic.views.scenes import picture

        film.require_format(out)
        film.save(picture.film(scene), out)
        return
    from mars_logic.views.scenes.walk_report import walk_report

    report = walk_report(scene, walk)
    if out.suffix == ".html":
        from mars_logic.views.scenes.report_page import report_page

        write_or_refuse(out, report_page(report))
        return
    from mars_logic.views.png import png
    from mars_logic.views.scenes.report_page import report_picture

    write_or_refuse(out, png(report_picture(report)))


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

    Example: mars-logic conan ask corpus 3
    """
    from mars_logic.domains.conan.jobs import require_questions_about
    from mars_logic.domains.conan.person import Investigation
    from mars_logic.domains.conan.questions.storage import read_questions
    from mars_logic.domains.conan.showing import LEGEND

    require_free(out, force=False)
    shown = scene_of(folder, number)
    require_questions_about(folder)
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
        say_written(out, f"{len(investigation.given)} answers")
