"""The command ``report``: a page with results and replays."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable, Sequence
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
_OTHERS = {"worlds": "world", "training_runs": "training run", "requests": "request"}
"""What a page may be about beside episodes, by the names in JSON."""


def report(
    source: Annotated[
        list[Path],
        typer.Argument(
            help="The folder of an experiment or of training runs; or certificates, trajectories, "
            "rules of check, exchanges with language models: folders or files; or world files.",
            metavar="DIR...",
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
    requests: Annotated[
        int,
        typer.Option(
            min=0,
            max=1_000_000,
            help="At most so many requests to language models are shown; each takes 1 to 4 kB.",
        ),
    ] = 300,
    language: Annotated[
        Path | None,
        typer.Option(help="Settings of the language model (YAML): its prices.", metavar="FILE"),
    ] = None,
    title: Annotated[
        str | None, typer.Option(help="Title of the report; by default the folder's name.")
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open the page in your browser.")] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Make a page of results that replays its episodes.

    It is one file, for any browser, offline. It has results beside published ones, learning curves,
    achievements, tech trees and proofs, rules with the moments for and against them, and a player
    for the first episodes of each agent in each world. Episodes of games are told step by step,
    with what a player with a theory believed; exchanges with language models are told request by
    request, with tokens and, given prices, cost.

    Example: mars-logic report results/first -o report.html
    """
    require_ending(out, _ENDINGS)
    require_free(out, force)
    document = write_report(source, out, replays, title, requests, language)
    if as_json:
        print_json({"schema": "mars-logic report 1", **document})
    else:
        print(told_report(document))
    if show and not webbrowser.open(out.resolve().as_uri()):
        say_wrong(f"warning: no browser was found; {out} can be opened in any")


def write_report(
    source: Sequence[Path],
    out: Path,
    replays: int,
    title: str | None,
    requests: int,
    language: Path | None,
) -> dict[str, Any]:
    """Write the page.

    Args:
        source: What it is about.
        out: The file.
        replays: How many episodes can be watched, at most.
        title: What to call it; None for the first folder's name.
        requests: How many requests to language models are shown, at most.
        language: A file of settings with prices of tokens.

    Returns:
        The file, its size in bytes, and how many episodes, worlds without play, training runs and
        requests it tells of, and how many episodes it replays.

    Raises:
        InputError: There is nothing to report, a file is wrong, or the page cannot be written.
    """
    from dataclasses import replace

    from mars_logic.language.settings import read_settings
    from mars_logic.training.trained import trained_runs
    from mars_logic.views.report import page
    from mars_logic.views.report import source as sources

    for each in source:
        if not each.exists():
            raise InputError(f"{each}:1: file: there is no such file; allowed: {sources.ALLOWED}")
    prices = read_settings(language).prices if language else None
    trained = [run for each in source for run in trained_runs(each)]
    material = sources.read(*source, trained=trained)
    for line in material.left_out:
        say_wrong(f"left out: {line}")
    if title is not None:
        material = replace(material, title=title)
    with progress() as bars:

        def begin(what: str, parts: int) -> Callable[[], None]:
            bar = bars.add_task(what, total=parts)
            return lambda: bars.advance(bar)

        made = page.report(material, replays, begin, requests=requests, prices=prices)
    write_answer(out, made)
    size, shown = out.stat().st_size, min(replays, len(material.kept) + len(material.games.kept))
    document = {"file": str(out), "bytes": size, "episodes": len(material.episodes)}
    others = len(material.own), len(material.trained), sum(map(len, material.sessions.values()))
    told = {key: count for key, count in zip(_OTHERS, others, strict=True) if count}
    return {**document, "replays": shown, **told}


def told_report(document: dict[str, Any]) -> str:
    """What was written, in one line."""
    from mars_logic.system.display import number

    parts = [number(document[key], what) for key, what in _OTHERS.items() if key in document]
    if document["episodes"] or not parts:
        watched = f"{document['replays']} to watch"
        parts = [number(document["episodes"], "episode"), watched, *parts]
    return f"{document['file']}: {', '.join(parts)}, {document['bytes'] / 1e6:.1f} MB"
