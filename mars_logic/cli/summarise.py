"""The command ``summarise``: the results of an experiment."""

from __future__ import annotations

import csv
import io
import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import (
    Force,
    Json,
    console,
    print_json,
    require_ending,
    require_free,
    require_matplotlib,
    say_written,
    say_wrong,
    write_answer,
)
from mars_logic.domains.conan.commands.corpora import show_detections
from mars_logic.errors import InputError
from mars_logic.system.display import number
from mars_logic.system.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mars_logic.experiments.rows import Row
    from mars_logic.experiments.spec import Spec

_BY = "agent,world"
_ENDINGS = (".md", ".csv")


def summarise(
    results: Annotated[
        Path,
        typer.Argument(
            help="An experiment's folder or results.parquet, a folder of certificates or "
            "trajectories, or totals of crafter's Recorder (stats.jsonl).",
            metavar="DIR",
        ),
    ],
    by: Annotated[
        str, typer.Option(help="Group results by agent, world, or both.", metavar="NAMES")
    ] = _BY,
    baseline: Annotated[
        str | None,
        typer.Option(help="Compare the others with this agent, on the same maps.", metavar="LABEL"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Write a page (FILE.md), or a table (FILE.csv)."),
    ] = None,
    survival: Annotated[
        Path | None,
        typer.Option(
            help="For detections: a folder of those in survival scenes, to include.", metavar="DIR"
        ),
    ] = None,
    plots: Annotated[
        bool, typer.Option("--plots", help="Draw curves of learning, and scores in games.")
    ] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Sum up an experiment: reward, success rates, score.

    Intervals are of 95 %, from 5 runs on. Success rates have Wilson's intervals; rewards, score and
    differences those of a bootstrap over units. Agents that are given rules, map or future are
    marked so, learners with their prior. A page has published results beside one's own, where
    episodes are as many and as long. What is kept so far is summed up, also while the experiment is
    going on. Of episodes that lie in a folder as certificates, people's or agents', it is not known
    whether all was reached that could be, nor what they cost. Games have SmartPlay's scores, in a
    table of their own; of puzzles it is told how many were solved, and in how many steps. A folder
    of detect's gives its table again.

    Example: mars-logic summarise results --baseline oracle -o results.md
    """
    from mars_logic.experiments.learner_rules import kinds, mistakes
    from mars_logic.experiments.results import missing
    from mars_logic.experiments.summary import summary

    if (results / "detections.parquet").is_file():
        show_detections(results, as_json=as_json, lives=survival, parts=True)
        return
    if survival is not None:
        raise InputError(
            f"--survival: {results} holds no detections to count with; "
            "allowed: with a folder that `mars-logic conan detect` wrote"
        )
    names = _names(by)
    _require_sense(out, plots)
    require_free(out, force)
    rows = _episodes(results)
    if few := missing(results, rows):
        say_wrong(f"warning: {few[0]} of {few[1]} units are done; the others are not counted")
    found = summary(rows, names, baseline)
    found["kinds"] = kinds(results, rows) if results.is_dir() else []
    found["mistakes"] = mistakes(results, rows) if results.is_dir() else []
    if out and out.suffix == ".csv":
        write_answer(out, _csv(found))
    elif out:
        spec = _spec(results)
        commands = _commands(results, by, baseline, out, plots, spec is not None)
        programs = _programs(results)
        _write_page(found, rows, out, plots, force, commands, spec, programs)
    if as_json:
        print_json(found)
    elif out:
        say_written(out, number(len(rows), "episode"))
    else:
        _print(found, names)


def _episodes(path: Path) -> list[Row]:
    """The rows of an experiment, or what is known of episodes that lie loose in a folder."""
    from mars_logic.experiments.results import STATS, read
    from mars_logic.experiments.rows import is_table
    from mars_logic.views.report import source

    if source.is_experiment(path) or is_table(path) or path.suffix == STATS:
        return read(path)
    found = source.read(path)
    for line in found.left_out:
        say_wrong(f"warning: {line}; it is not counted")
    return found.episodes


def _names(by: str) -> list[str]:
    from mars_logic.experiments.summary import BY

    names = [name.strip() for name in by.split(",")]
    for name in names:
        if name not in BY or names.count(name) > 1:
            allowed = f"{', '.join(BY)}, each once"
            raise InputError(f"--by: '{name}' is nothing to group by; allowed: {allowed}")
    return names


def _require_sense(out: Path | None, plots: bool) -> None:
    if out:
        require_ending(out, _ENDINGS)
    if plots and not (out and out.suffix == ".md"):
        raise InputError("--plots: there is no page; allowed: with --out FILE.md")
    if plots:
        require_matplotlib("--plots")


def _commands(
    results: Path, by: str, baseline: str | None, out: Path, plots: bool, asked: bool
) -> list[str]:
    """The command that recreates the page, with file names instead of paths."""
    folder = results.resolve()
    parts = ["mars-logic", "summarise", folder.name]
    parts += ["--by", by] if by != _BY else []
    parts += ["--baseline", baseline] if baseline is not None else []
    parts += ["--plots"] if plots else []
    made = f"mars-logic experiment spec.yaml -o {shlex.quote(folder.name)}"
    return [*([made] if asked else []), shlex.join([*parts, "-o", out.name])]


def _spec(results: Path) -> Spec | None:
    """The experiment's specification; None if unknown."""
    from mars_logic.experiments.layout import SPEC
    from mars_logic.experiments.spec import read

    return read(results / SPEC) if (results / SPEC).is_file() else None


def _programs(results: Path) -> list[str]:
    """The versions of the program that made an experiment's units, as far as they were kept."""
    from mars_logic.experiments.layout import ABOUT, UNITS
    from mars_logic.experiments.whole import program

    units = sorted(file.parent for file in (results / UNITS).glob(f"[!.]*/{ABOUT}"))
    found = dict.fromkeys(program(unit) for unit in units)
    return [each or "of an unknown version" for each in found] if any(found) else []


def _told(row: dict[str, Any], given: dict[str, str]) -> dict[str, str]:
    """The privileged inputs of a result's agent, where results are grouped by agent."""
    return {"agent": row["agent"], "given": given[row["agent"]]} if "agent" in row else {}


def _csv(found: dict[str, Any]) -> str:
    from mars_logic.experiments.summary import flat

    games = [{k: v for k, v in row.items() if k != "curve"} for row in found["games"]]
    rows = [*found["results"], *games, *found["puzzles"]]
    lines = [_told(row, found["given"]) | flat(row) for row in rows]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(name for line in lines for name in line)))
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def _write_page(
    found: dict[str, Any],
    rows: list[Row],
    out: Path,
    plots: bool,
    force: bool,
    commands: list[str],
    spec: Spec | None,
    programs: list[str],
) -> None:
    from mars_logic.experiments.page import page

    pictures = {}
    if plots:
        for name, content in _pictures(found, rows):
            path = out.with_name(f"{out.stem}_{name}.png")
            require_free(path, force)
            pictures[name] = path.name
            write_atomically(path, content)
    data = out.with_suffix(".json")
    asked = spec.to_yaml() if spec else None
    text = page(found, commands, pictures, asked, programs, data.name, spec.name if spec else None)
    if f"]({data.name})" in text:
        require_free(data, force)
        write_atomically(data, json.dumps(found, indent=1) + "\n")
    write_answer(out, text)


def _pictures(found: dict[str, Any], rows: list[Row]) -> Iterator[tuple[str, bytes]]:
    """The pictures of a page by their names, as PNG."""
    from mars_logic.experiments import score_page
    from mars_logic.experiments.page import curves
    from mars_logic.experiments.plots import as_png, panels
    from mars_logic.experiments.summary import learning, scored, with_marks

    learned = with_marks(learning(rows, ["agent", "world"]), found["given"])
    for name, charts in curves(learned).items():
        yield name, as_png(panels(charts))
    if found["games"]:
        from mars_logic.experiments.plots import scores

        yield score_page.SCORES, as_png(scores(found["games"], scored(rows), found["given"]))
    games = with_marks(found["games"], found["given"])
    for name, charts in score_page.curves(games).items():
        yield name, as_png(panels(charts, across=2))


def _print(found: dict[str, Any], names: list[str]) -> None:
    from rich.table import Table

    from mars_logic.experiments import score_page
    from mars_logic.experiments.page import MAIN, PAIRED, main_rows, paired_rows
    from mars_logic.experiments.solved import PUZZLES, puzzle_rows
    from mars_logic.experiments.summary import with_marks

    found = with_marks(found, found["given"])
    tables = [
        ((*names, *MAIN), main_rows(found["results"], names)),
        (score_page.GAMES, score_page.rows(found["games"])),
        (PUZZLES, puzzle_rows(found["puzzles"])),
        (PAIRED, paired_rows(found["paired"])),
    ]
    for place, (head, rows) in enumerate(table for table in tables if table[1]):
        table = Table(box=None)
        for name, *cells in zip(head, *rows, strict=True):
            words = " ".join((name, *cells)).split()
            # A narrow terminal breaks lines between words, and leaves none out.
            table.add_column(name, min_width=max(map(len, words)), overflow="fold")
        for row in rows:
            table.add_row(*row)
        if place:
            console().print()
        console().print(table)
