"""The page of results: one table, the machine, and plots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from mars_logic.errors import InputError
from mars_logic.files import write_atomically
from mars_logic.measure import plots
from mars_logic.measure.report import Report
from mars_logic.measure.table import markdown

PAGE = "README.md"
_MARK = "<!-- Made by mars-logic bench; changes are lost. -->"
_HOW = """\
A ratio says how many times better mars-logic is. All who are compared take turns in one process;
each round gives a ratio, and the table shows the median of the ratios and their quartiles. Work of
one thread is timed by the processor, so that other processes disturb it less. PyPI crafter has
numba for its noise, and draws no images where none are asked for.

What has no peer, as proofs and sampling, stands there in absolute numbers, median and quartiles,
beside its budget (`at least`; of times and sizes, at most). These depend on the machine and on what
else it was doing: see the load at the end.
"""
_QUICK = "**Some of these are from quick runs, which show only that the benchmarks work.**\n"


def require_own(folder: Path) -> None:
    """Make sure that a page in this folder was made by this module and may be replaced.

    Raises:
        InputError: It is someone else's.
    """
    page = folder / PAGE
    if page.exists() and not page.read_text(errors="replace").startswith(_MARK):
        raise InputError(
            f"{page}:1: not made by mars-logic bench; allowed: a folder without a page of this name"
        )


def save(reports: Sequence[Report], folder: Path) -> None:
    """Write the page and its plots."""
    figures = [
        ("ratios", "How many times faster", plots.ratios(reports)),
        ("budgets", "What part of the budgets is taken", plots.budgets(reports)),
    ]
    charts = [chart for report in reports for chart in report.result.charts]
    figures += [(chart.name, chart.title, plots.chart(chart)) for chart in charts]
    drawn = {name: (title, figure) for name, title, figure in figures if figure}
    for name, (_, figure) in drawn.items():
        write_atomically(folder / f"{name}.png", plots.as_png(figure))
    parts = [_MARK + "\n# Results\n", _HOW, markdown(reports)]
    if any(report.quick for report in reports):
        parts.append(_QUICK)
    parts += [f"![{title}]({name}.png)\n" for name, (title, _) in drawn.items()]
    parts += [f"{report.name}: {note}\n" for report in reports for note in report.result.notes]
    parts.append("## Machine\n")
    parts.append("".join(_machines(reports)))
    write_atomically(folder / PAGE, "\n".join(parts))


def _machines(reports: Iterable[Report]) -> Iterable[str]:
    """One line for each machine and day."""

    def facts(report: Report) -> str:
        about = {name: fact for name, fact in report.machine.items() if name != "load"}
        return ", ".join(f"{name} {fact}" for name, fact in about.items())

    for about, some in groupby(reports, facts):
        yield from _days(about, list(some))


def _days(about: str, reports: list[Report]) -> Iterable[str]:
    for date, some in groupby(reports, lambda report: report.date):
        loads = ", ".join(f"{report.name} {report.machine['load']}" for report in some)
        yield f"- {date}: {about}. Load when each began: {loads}.\n"
