"""A report of one scene as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from mars_logic.views.scenes.picture import Pixels
from mars_logic.views.scenes.walk_report import COLOURS, WalkReport

_INK, _PAPER = "#22262b", "#ffffff"
_GAP: Final = 24
_TITLE: Final = 28
_BARS: Final = 190


def report_picture(report: WalkReport) -> Pixels:
    """The maps of a report, and below them its belief over time: uint8[height, width, 3]."""
    widths = [max(drawn.shape[1], 420) for _, drawn in report.maps]
    width = sum(widths) + _GAP * (len(report.maps) + 1)
    height = max(drawn.shape[0] for _, drawn in report.maps) + _TITLE + 2 * _GAP
    page = Image.new("RGB", (width, height + _TITLE + _BARS + 2 * _GAP), _PAPER)
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(15)
    left = _GAP
    for (title, drawn), room in zip(report.maps, widths, strict=True):
        pen.text((left, _GAP / 2), title, _INK, font)
        page.paste(Image.fromarray(drawn), (left, _GAP // 2 + _TITLE))
        left += room + _GAP
    pen.text((_GAP, height), "Belief over time", _INK, font)
    _bars(pen, (_GAP, height + _TITLE, width - 260), report.moments, report.shares)
    for row, name in enumerate(report.names):
        top = height + _TITLE + 26 * row
        pen.rectangle((width - 235, top, width - 221, top + 14), fill=COLOURS[row])
        pen.text((width - 213, top - 2), name, _INK, font)
    return np.asarray(page)


def _bars(
    pen: ImageDraw.ImageDraw,
    where: tuple[int, int, int],
    moments: Sequence[int],
    shares: NDArray[np.float64],
) -> None:
    """A stacked bar for each moment, with its step below."""
    left, top, right = where
    room, font = (right - left) / len(moments), ImageFont.load_default(12)
    for number, (step, parts) in enumerate(zip(moments, shares, strict=True)):
        x, y = left + number * room, float(top + _BARS)
        for part, colour in zip(parts, COLOURS, strict=False):
            pen.rectangle((x, y - part * _BARS, x + room - 3, y), fill=colour)
            y -= part * _BARS
        pen.text((x + room / 2, top + _BARS + 12), str(step), _INK, font, anchor="mm")
