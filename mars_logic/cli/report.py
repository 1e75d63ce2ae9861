"""The command ``report``: a page with results and replays."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from mars_logic.cli.output import (
    Force,
    Json,
    print_json,
    progress,
    require_ending,
    require_free,
    say_wrong,
    write_answer,
)
from mars_logic.errors import InputError

_ENDINGS = (".html", ".htm")


def report(
    source: Annotated[
        Path,
        typer.Argument(
            help="The folder of an experiment; or certificates, trajectories or rules: a folder, "
            "or a file.",
            metavar="DIR",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write, in HTML.")],
    replays: Annotated[
        int,
        typer.Option(
            min=0,
            max=1_000_000,
            help="At most so many episodes can be watched; each takes 15 to 60 kB.",
        ),
    ] = 60,
    title: Annotated[
        str | None, typer.Option(help="What to call the report; by default as the folder.")
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open the page in your browser.")] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Make a page of results that replays its episodes.

    It is one file, for any browser, offline. It has results beside published ones, learning curves,
    achievements, tech trees, rules with what speaks for and against them, and a player for the
    first episodes of each agent in each world. Episodes of games are told step by step, with what
    a player with a theory believed.

    Example: mars-logic report results/first -o report.html
    """
    require_ending(out, _ENDINGS)
    require_free(out, force)
    document = write_report(source, out, replays, title)
    if as_json:
        print_json({"schema": "mars-logic report 1", **document})
    else:
        print(told_report(document))
    if show and not webbrowser.open(out.resolve().as_uri()):
        say_wrong(f"warning: no browser was found; {out} can be opened in any")


def write_report(source: Path, out: Path, replays: int, title: str | None) -> dict[str, Any]:
    """Write the page.

    Args:
        source: What it is about.
        out: The file.
        replays: How many episodes can be watched, at most.
        title: What to call it; None for the folder's name.

    Returns:
        The file, its size in bytes, and how many episodes it tells of and replays.

    Raises:
        InputError: There is nothing to report, a file is wrong, or the page cannot be written.
    """
    from dataclasses import replace

    from mars_logic.views.report import page
    from mars_logic.views.report import source as sources

    if not source.exists():
        raise InputError(f"{source}:1: file: there is no such file; allowed: {sources.ALLOWED}")
    material = sources.read(source)
    for each in material.left_out:
        say_wrong(f"left out: {each}")
    if title is not None:
        material = replace(material, title=title)
    with progress() as bars:

        def begin(what: str, parts: int) -> Callable[[], None]:
            bar = bars.add_task(what, total=parts)
            return lambda: bars.advance(bar)

        made = page.report(material, replays, begin)
    write_answer(out, made)
    size, shown = out.stat().st_size, min(replays, len(material.kept) + len(material.games.kept))
    document = {"file": str(out), "bytes": size, "episodes": len(material.episodes)}
    return {**document, "replays": shown}


def told_report(document: dict[str, Any]) -> str:
    """What was written, in one line."""
    from mars_logic.display import number

    episodes = number(document["episodes"], "episode")
    size = document["bytes"] / 1e6
    return f"{document['file']}: {episodes}, {document['replays']} to watch, {size:.1f} MB"
