"""Results as a table, in Markdown and for a terminal."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from html import escape
from math import floor, log10
from typing import Final

from mars_logic.experiments.series import BenchmarkReport, BenchmarkRow, Spread
from mars_logic.system.printable import escaped

HEAD = ("quantity", "mars-logic", "peer", "ratio (quartiles)", "at least", "aim", "reached")
_SCALES = {
    "1/s": ((1e6, "M/s"), (1e3, "k/s"), (1.0, "/s")),
    "s": ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")),
}
"""Names of a unit by the size of the number."""


def number(value: float) -> str:
    """At most three significant digits, without an exponent: 0.0123, 4.5, 78.9, 1,230."""
    if value == 0:
        return "0"
    digits = 2 - floor(log10(abs(value)))
    shown = f"{round(value, digits):,.{max(0, digits)}f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def amount(value: float, unit: str) -> str:
    """A number with its unit."""
    scales = _SCALES.get(unit, ((1.0, unit),))
    scale, name = next((pair for pair in scales if value >= pair[0]), scales[-1])
    return f"{number(value / scale)}{'' if name in ('', '×') else ' '}{name}"


def cells(row: BenchmarkRow) -> tuple[str, ...]:
    """The texts of one line of the table, under :data:`HEAD`."""
    ours = amount(row.ours.median, row.unit)
    if row.ratio is None:
        ours = _with_quartiles(row.ours, row.unit)
    peer = f"{amount(row.peer.median, row.unit)} ({row.peer_name})" if row.peer else ""
    ratio = _with_quartiles(row.ratio, "×") if row.ratio else ""
    return (row.quantity, ours, peer, ratio, *_goal(row), row.verdict)


def _with_quartiles(spread: Spread, unit: str) -> str:
    low, middle, high = (amount(value, unit) for value in dataclasses.astuple(spread))
    return middle if low == high else f"{middle} ({low}–{high})"


def _goal(row: BenchmarkRow) -> tuple[str, str]:
    if row.goal is None:
        return "", ""
    unit = "×" if row.goal.of == "ratio" else row.unit
    least, aim = row.goal.least, row.goal.aim
    return amount(least, unit), "" if aim is None else amount(aim, unit)


def markdown(reports: Iterable[BenchmarkReport]) -> str:
    """All rows as one table."""
    return in_markdown(HEAD, (cells(row) for report in reports for row in report.result.rows))


_MARKUP: Final = str.maketrans(
    {sign: f"\\{sign}" for sign in "\\`|[]"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
)


def plain(text: str) -> str:
    """A name as literal Markdown text in one line."""
    return escaped(" ".join(text.split())).translate(_MARKUP)


def fenced(text: str, language: str = "") -> str:
    """A block of code in Markdown; no line of the text can end it."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{escaped(text).rstrip()}\n{fence}\n"


def in_markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def folded(title: str, text: str) -> str:
    """A part of a page in Markdown that is unfolded by a click on its title."""
    summary = f"<summary>{escape(title, quote=False)}</summary>"
    return f'<details markdown="1">\n{summary}\n\n{text}\n</details>\n'
