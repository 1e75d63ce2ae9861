"""The command ``scoreboard``: our players of a benchmark beside the published ones."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from mars_logic.cli.language_model import (
    Endpoint,
    ExchangesFolder,
    LanguageFile,
    ModelName,
    ReplayFolder,
    language_settings,
)
from mars_logic.cli.output import Json, make_folder, print_json, progress, say, write_answer
from mars_logic.errors import InputError

_BENCHMARKS = ("rulearn",)
_PUZZLES = ("rulearn/all",)


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("scoreboard")(scoreboard)


def scoreboard(
    benchmark: Annotated[str, typer.Argument(help="The benchmark: rulearn.", metavar="BENCHMARK")],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="Keep episodes and tables here; a later run goes on."),
    ],
    puzzles: Annotated[
        list[str] | None, typer.Option(help="Puzzles or sets of them; by default all.")
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Option(
            help="Contestants, such as idea; by default all, those that ask a language model if "
            "one is named."
        ),
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, max=100, help="Seeds of idea.")] = 5,
    orders: Annotated[
        bool,
        typer.Option("--orders/--no-orders", help="Escape rooms with digits in all six orders."),
    ] = True,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Processes.")] = 2,
    model: ModelName = None,
    endpoint: Endpoint = None,
    language: LanguageFile = None,
    exchanges: ExchangesFolder = None,
    replay: ReplayFolder = None,
    as_json: Json = False,
) -> None:
    """Play a benchmark and compare with published results.

    Written are README.md with the tables, solved.png with the share solved by step, and the
    episodes, a line each. Episodes that are there already are not played again.

    Players whose names end in _llm take part where a language model is named.

    Example: mars-logic scoreboard rulearn -o board --puzzles rulearn/reactor@round=1 --seeds 1
    """
    if benchmark not in _BENCHMARKS:
        allowed = ", ".join(_BENCHMARKS)
        raise InputError(f"scoreboard: there is no benchmark '{benchmark}'; allowed: {allowed}")

    from mars_logic.experiments.plots import as_png, chart
    from mars_logic.experiments.puzzle_runs import BY_NAME, CONTESTANTS, played_units, puzzle_units
    from mars_logic.experiments.puzzle_scoreboard import report, solved_chart
    from mars_logic.files import write_atomically

    settings = language_settings(
        *("scoreboard", language),
        asks=True,
        model=model,
        endpoint=endpoint,
        exchanges=exchanges,
        replay=replay,
    )
    asked = (settings.model or "") if settings else ""
    chosen = players or [each.name for each in CONTESTANTS if asked or not each.asks]
    if unknown := [each for each in chosen if each not in BY_NAME]:
        message = f"there is no contestant '{unknown[0]}'"
        raise InputError(f"--players: {message}; allowed: {', '.join(BY_NAME)}")
    contestants = [each for each in CONTESTANTS if each.name in chosen]
    for each in contestants:
        if each.asks and not asked:
            message = f"'{each.name}' needs a language model"
            raise InputError(f"--model: {message}; allowed: --model NAME, or other --players")
    units = puzzle_units(puzzles or _PUZZLES, contestants, seeds, orders=orders, model=asked)
    if not units:
        raise InputError("scoreboard: nobody plays any of these puzzles; allowed: other players")
    make_folder(out)
    start = time.perf_counter()
    with progress() as shown:
        bar = shown.add_task(benchmark, total=len(units))
        episodes = played_units(
            units, out, workers, lambda: shown.advance(bar), settings if asked else None
        )
    text = f"# Scoreboard of {benchmark}\n\n{_about(seeds)}\n\n{report(episodes)}"
    write_answer(out / "README.md", text)
    write_atomically(out / "solved.png", as_png(chart(solved_chart(episodes))))
    say(f"{len(units)} episodes, {time.perf_counter() - start:.0f} s with {workers} processes")
    if as_json:
        found: Any = [asdict(each) for each in episodes.values()]
        print_json({"schema": "mars-logic scoreboard 1", "benchmark": benchmark, "episodes": found})
    else:
        print(text)


def _about(seeds: int) -> str:
    return (
        "Made by `mars-logic scoreboard`. Shares are of puzzles solved, with Wilson intervals of "
        f"95 %; steps are means of solved puzzles, of idea over {seeds} seeds with intervals over "
        "seeds. The winning action is not counted. Published: the paper's first version, tables of "
        "the reference's repository (csv), and these with a right 12th code of an escape room "
        "counted as a solution; people had one step more. Ours: idea finds out the rule; told is "
        "given it; baseline supposes nothing."
    )
