"""Curves over episodes or steps as SVG: dashes and marks tell them apart, not only colours."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from statistics import fmean
from typing import Final

_WIDTH: Final = 320
_HEIGHT: Final = 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 12, 12, 34
STYLES: Final = 6
"""Number of distinct line styles."""
_FEW: Final = 8
"""Marks of a curve whose values stand close together, and numbers below the horizontal axis."""
_LONG: Final = 10_000
"""Numbers from which on the vertical axis has them in thousands."""
_MARKS: Final = ("circle", "square", "diamond", "triangle", "cross", "ring")


@dataclass(frozen=True)
class Curve:
    """One line with a name; thin lines behind it are the runs of which it is the mean.

    Attributes:
        name: What it is.
        runs: The values of each run, one an episode; None where there is none.
        style: Number of its style, modulo :data:`STYLES`.
        at: Where the values stand on the horizontal axis, ascending; by default at 1, 2, 3…
    """

    name: str
    runs: tuple[tuple[float | None, ...], ...]
    style: int = 0
    at: tuple[float, ...] = ()

    @property
    def mean(self) -> list[float | None]:
        """The mean over the runs that reached each episode."""
        longest = max(map(len, self.runs), default=0)
        columns = [[run[i] for run in self.runs if i < len(run)] for i in range(longest)]
        known = [[value for value in column if value is not None] for column in columns]
        return [fmean(values) if values else None for values in known]


def chart(
    title: str,
    curves: Sequence[Curve],
    span: tuple[float, float] | None = None,
    unit: str = "",
    links: Sequence[str] = (),
    over: str = "",
) -> str:
    """Draw curves over episodes, over the steps of one, or over any other quantity.

    Args:
        title: What the values are.
        curves: The lines.
        span: The least and the largest value shown; by default what there is.
        unit: ``%`` to show shares as percentages.
        links: Where a click on each step leads; then the curves are over steps, from 0, and
            without marks.
        over: What the curves are over; by default episodes, or steps.
    """
    values = [v for curve in curves for run in curve.runs for v in run if v is not None]
    if not values:
        return ""
    frame = _Frame(*(span or _rounded(min(values), max(values))), _across(curves, bool(links)))
    over = over or ("step" if links else "episode")
    told = "; ".join(f"{curve.name}: {_told(curve, unit)}" for curve in curves)
    parts = [
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<title>{escape(title)} by {escape(over)}. {'' if links else escape(told)}</title>",
        *frame.axes(unit, over),
    ]
    for curve in curves:
        parts.append(f'<g class="curve style-{curve.style % STYLES}">')
        if len(curve.runs) > 1:
            parts += (frame.line(run, "run", curve.at) for run in curve.runs)
        parts.append(frame.line(curve.mean, "mean", curve.at))
        if not links:
            parts += frame.marks(curve, unit, over)
        parts.append("</g>")
    parts += frame.links(links, curves, unit)
    return "".join([*parts, "</svg>"])


def mark(number: int, x: float, y: float, told: str = "") -> str:
    """The mark of a line, around a point."""
    shape = _MARKS[number % len(_MARKS)]
    title = f"<title>{escape(told)}</title>" if told else ""
    paths = {
        "square": f"M{x - 3:g} {y - 3:g}h6v6h-6z",
        "diamond": f"M{x:g} {y - 4.5:g}l4.5 4.5l-4.5 4.5l-4.5 -4.5z",
        "triangle": f"M{x:g} {y - 4:g}l4 7h-8z",
        "cross": f"M{x - 3.5:g} {y - 3.5:g}l7 7m0 -7l-7 7",
    }
    if shape in paths:
        return f'<path class="mark" d="{paths[shape]}">{title}</path>'
    kind = "mark hollow" if shape == "ring" else "mark"
    return f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="3.5">{title}</circle>'


def _rounded(least: float, most: float) -> tuple[float, float]:
    """A span that holds these values, and 0."""
    step = _step(min(0.0, least), most)
    return math.floor(min(0.0, least) / step) * step, max(math.ceil(most / step) * step, step)


def _step(least: float, most: float) -> float:
    """A round distance between about four lines of a grid."""
    rough = max(most - least, 1e-9) / 4
    power: float = 10.0 ** math.floor(math.log10(rough))
    return next(power * each for each in (1, 2, 5, 10) if power * each >= rough)


def _told(curve: Curve, unit: str) -> str:
    """The values of a curve; of one with places of its own, which are many, the last."""
    values = curve.mean[-1:] if curve.at else curve.mean
    return ", ".join("none" if v is None else _number(v, unit) for v in values)


def _number(value: float, unit: str) -> str:
    if unit == "%":
        return f"{value:.0%}"
    return _short(value) if abs(value) >= _LONG else f"{value:.1f}".removesuffix(".0")


def _short(value: float) -> str:
    """A large number in few characters, such as 20k or 1.5M."""
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:g}"


@dataclass(frozen=True)
class _Across:
    """The horizontal axis.

    Attributes:
        first: The place of its left end.
        last: The place of its right end.
        shift: What is added to a place to get the number that is shown.
        ticks: The places with a number.
    """

    first: float
    last: float
    shift: int
    ticks: tuple[float, ...]


def _across(curves: Sequence[Curve], steps: bool) -> _Across:
    """The horizontal axis of curves: numbered from 1, over steps from 0, or by their places."""
    places = [place for curve in curves for place in curve.at]
    if places:
        step = _step(0, max(places))
        ticks = tuple(i * step for i in range(math.floor(max(places) / step + 1e-9) + 1))
        return _Across(0, max(places), 0, ticks)
    count = max(len(run) for curve in curves for run in curve.runs)
    every = max(1, round(_step(0, count - 1))) if steps else max(1, math.ceil(count / _FEW))
    return _Across(1, count, -1 if steps else 0, tuple(range(1, count + 1, every)))


class _Frame:
    """Coordinates of values in the drawing."""

    def __init__(self, low: float, high: float, across: _Across) -> None:
        self._low, self._high, self._across = low, high, across

    def _x(self, place: float) -> float:
        """The coordinate of a place on the horizontal axis."""
        first, last = self._across.first, self._across.last
        if first == last:
            return (_LEFT + _WIDTH - _RIGHT) / 2
        wide = _WIDTH - _LEFT - _RIGHT - 16
        return round(_LEFT + 8 + wide * (place - first) / (last - first), 1)

    def _y(self, value: float) -> float:
        share = (value - self._low) / (self._high - self._low)
        return round(_HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM), 1)

    def axes(self, unit: str, over: str) -> Iterator[str]:
        """The grid and its numbers."""
        step = _step(self._low, self._high)
        first, last = math.ceil(self._low / step - 1e-9), math.floor(self._high / step + 1e-9)
        for i in range(first, last + 1):
            value = i * step
            y = self._y(value)
            yield f'<path class="grid" d="M{_LEFT} {y:g}H{_WIDTH - _RIGHT}"/>'
            yield f'<text x="{_LEFT - 6}" y="{y + 4:g}" text-anchor="end">'
            yield f"{_number(value, unit)}</text>"
        for place in self._across.ticks:
            yield f'<text x="{self._x(place):g}" y="{_HEIGHT - _BOTTOM + 15}" text-anchor="middle">'
            yield f"{_short(place + self._across.shift)}</text>"
        middle = (_LEFT + _WIDTH - _RIGHT) / 2
        yield f'<text x="{middle:g}" y="{_HEIGHT - 4}" text-anchor="middle">{escape(over)}</text>'

    def line(self, values: Sequence[float | None], kind: str, at: Sequence[float] = ()) -> str:
        """A line through the values that there are."""
        path, pen = "", "M"
        for place, value in zip(at or range(1, len(values) + 1), values, strict=False):
            if value is None:
                pen = "M"
                continue
            path += f"{pen}{self._x(place):g} {self._y(value):g}"
            pen = "L"
        return f'<path class="{kind}" d="{path}"/>'

    def marks(self, curve: Curve, unit: str, over: str) -> Iterator[str]:
        """A mark at each value; at few of them where a curve has places of its own."""
        mean = curve.mean
        every = max(1, math.ceil(len(mean) / _FEW)) if curve.at else 1
        places = curve.at or range(1, len(mean) + 1)
        pairs = [*zip(places, mean, strict=False)]
        for place, value in pairs[every - 1 :: every]:
            if value is not None:
                told = f"{over} {place:,}: {_number(value, unit)}"
                yield mark(curve.style, self._x(place), self._y(value), told)

    def links(self, targets: Sequence[str], curves: Sequence[Curve], unit: str) -> Iterator[str]:
        """Over each step, a place to click on that tells its values."""
        half = (self._x(2) - self._x(1)) / 2 if len(targets) > 1 else 8.0
        for place, target in enumerate(targets):
            told = "; ".join(
                f"{curve.name}: {_number(value, unit)}"
                for curve in curves
                if place < len(curve.mean) and (value := curve.mean[place]) is not None
            )
            x, height = self._x(place + 1) - half, _HEIGHT - _TOP - _BOTTOM
            yield f'<a href="{escape(target)}" tabindex="-1">'
            yield f'<rect class="hit" x="{x:g}" y="{_TOP}" width="{2 * half:g}" height="{height}">'
            yield f"<title>step {place}: {escape(told)}</title></rect></a>"
