"""The command ``bench``: measures beside peers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mars_logic.cli.output import Json, console, make_folder, print_json, progress, say
from mars_logic.interruptions import held_back

if TYPE_CHECKING:
    from mars_logic.experiments.series import BenchmarkReport


def _names() -> list[str]:
    from mars_logic.experiments.measurement import suite

    return list(suite.names())


def bench(
    benchmarks: Annotated[
        list[str] | None,
        typer.Argument(
            help="What to measure; all by default.", metavar="[NAME...]", autocompletion=_names
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Keep results here, with a page of tables and plots."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Little of everything, to see that it runs.")
    ] = False,
    alone: Annotated[bool, typer.Option("--alone", help="Measure no peers.")] = False,
    as_json: Json = False,
) -> None:
    """Measure speed and memory beside other programs.

    Results are ratios with their spread. All take turns in one process, so that all meet the same
    noise. Proofs and sampling have no peer: their numbers are absolute, beside budgets. With --out,
    each benchmark's results are kept as soon as it is done, and the page shows all that lie there.
    Needs the package's extra "bench".

    Example: mars-logic bench steps resets --out results
    """
    from mars_logic.experiments.measurement import suite
    from mars_logic.experiments.measurement.interleaving import Bench

    names = suite.chosen(benchmarks or [])
    suite.require_packages(peers=not alone, plots=out is not None)
    if out:
        make_folder(out)
        suite.require_own(out)
    reports = []
    with progress() as shown:
        every = shown.add_task("benchmarks", total=len(names))
        current = shown.add_task("")
        for name in names:

            def tell(what: str, done: int, rounds: int, name: str = name) -> None:
                shown.update(current, description=f"{name}: {what}", completed=done, total=rounds)

            report = suite.run(name, Bench(quick, not alone, tell))
            reports.append(report)
            if out:
                with held_back():  # the page is of what lies there
                    suite.save(report, out)
            shown.advance(every)
    if as_json:
        documents = [suite.as_data(report) for report in reports]
        print_json({"schema": "mars-logic bench 1", "benchmarks": documents})
    else:
        _print_table(reports)


def _print_table(reports: list[BenchmarkReport]) -> None:
    from rich.table import Table

    from mars_logic.experiments.tables import HEAD, cells

    table = Table(*HEAD, box=None)
    for report in reports:
        for row in report.result.rows:
            table.add_row(*cells(row))
    console().print(table)
    for report in reports:
        for note in report.result.notes:
            say(f"{report.name}: {note}")
