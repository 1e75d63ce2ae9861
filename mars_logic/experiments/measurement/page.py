"""The page of results: one table, the machine, and plots."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from mars_logic.errors import InputError
from mars_logic.experiments import plots
from mars_logic.experiments.series import BenchmarkReport
from mars_logic.experiments.tables import folded, markdown
from mars_logic.system.files import read_bytes, write_atomically

PAGE = "README.md"
_MOST_BYTES = 5_000_000
_MARK = "<!-- Made by mars-logic bench; changes are lost. -->"
_HOW = """\
A ratio above 1 means that mars-logic is better. All candidates take turns in one process; each
round gives a ratio, and the table has the median of the ratios and their quartiles. Work of one
thread is timed in processor time, which depends less on other processes. PyPI crafter uses numba
for its noise, and draws images only where a benchmark needs them.

Benchmarks without a peer, such as proofs and sampling, have absolute numbers, median and quartiles,
and a budget (`at least`; for times and sizes, at most). These depend on the machine and its load:
see the end of the page.
"""
_QUICK = "**Some numbers are from quick runs, which only test that the benchmarks work.**\n"


def require_own(folder: Path) -> None:
    """Make sure that a page in this folder was made by this module and may be replaced.

    Raises:
        InputError: It is someone else's.
    """
    page = folder / PAGE
    if os.path.lexists(page) and not _is_ours(page):
        raise InputError(
            f"{page}:1: not made by mars-logic bench; allowed: a folder without a page of this name"
        )


def _is_ours(page: Path) -> bool:
    try:
        return read_bytes(page, "", _MOST_BYTES).startswith(_MARK.encode())
    except InputError:
        return False


def save(reports: Sequence[BenchmarkReport], folder: Path) -> None:
    """Write the page and its plots."""
    figures = [
        ("ratios", "Speed relative to PyPI crafter", plots.ratios(reports)),
        ("budgets", "Share of the budgets used", plots.budgets(reports)),
    ]
    charts = [chart for report in reports for chart in report.result.charts]
    figures += [(chart.name, chart.title, plots.chart(chart)) for chart in charts]
    drawn = {name: (title, figure) for name, title, figure in figures if figure}
    for name, (_, figure) in drawn.items():
        write_atomically(folder / f"{name}.png", plots.as_png(figure))
    pictures = {name: f"![{title}]({name}.png)\n" for name, (title, _) in drawn.items()}
    first = [pictures.pop("ratios")] if "ratios" in pictures else []
    parts = [_MARK + "\n# Results\n", *first, _HOW, markdown(reports)]
    if any(report.quick for report in reports):
        parts.append(_QUICK)
    if pictures:
        parts.append(folded("For development: budgets and growth", "\n".join(pictures.values())))
    parts += [f"{report.name}: {note}\n" for report in reports for note in report.result.notes]
    parts.append("## Machine\n")
    parts.append("".join(_machines(reports)))
    write_atomically(folder / PAGE, "\n".join(parts))


def _machines(reports: Iterable[BenchmarkReport]) -> Iterable[str]:
    """One line for each machine and day."""

    def facts(report: BenchmarkReport) -> str:
        about = {name: fact for name, fact in report.machine.items() if name != "load"}
        return ", ".join(f"{name} {fact}" for name, fact in about.items())

    for about, some in groupby(reports, facts):
        yield from _days(about, list(some))


def _days(about: str, reports: list[BenchmarkReport]) -> Iterable[str]:
    for date, some in groupby(reports, lambda report: report.date):
        loads = ", ".join(f"{report.name} {report.machine['load']}" for report in some)
        yield f"- {date}: {about}. Load at the start of each: {loads}.\n"
