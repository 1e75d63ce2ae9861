"""A report of one scene as a page: one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from mars_logic.domains.conan.questions.phrases import phrase
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.views.report.templates import PAGE, as_url, environment, icon, styles
from mars_logic.views.scenes.picture import Pixels
from mars_logic.views.scenes.walk_report import COLOURS, WalkReport

_FOLDER: Final = Path(__file__).parent / "page"
_STYLES: Final = (PAGE / "base.css", PAGE / "tables.css", _FOLDER / "scene.css")
_HEIGHT: Final = 12
"""Height of a bar in the units of its drawing."""


def report_page(report: WalkReport) -> str:
    """The page: maps, belief over time, questions, the plan believed, and what is refuted."""
    scene = report.scene
    answers = list(_answers(report))
    page: str = (
        environment(_FOLDER)
        .get_template("scene.html")
        .render(
            title=f"Scene {scene.number}: what happened here?",
            facts=_facts(report),
            icon=icon(),
            style=styles(_STYLES),
            maps=[(title, as_url(drawn)) for title, drawn in report.maps],
            legend=list(zip(report.names, COLOURS, strict=False)),
            bars=list(_bars(report)),
            answers=answers,
            right=sum(each.right for each in report.answers),
            deeds=report.deeds,
            refuted=report.refuted,
            truth=_truth(scene),
            version=version("mars-logic"),
        )
    )
    return page


def _facts(report: WalkReport) -> str:
    scene, spec = report.scene, report.spec
    where = "far from all traces" if spec.start == "far" else "at the centre"
    return (
        f"World {scene.world}, {scene.vandal} vandal, corpus seed {scene.corpus_seed}; explorer "
        f"{spec.explorer} starting {where}: {report.steps} steps, {report.traces:.0%} of the "
        "traces seen"
    )


def _truth(scene: FinishedScene) -> str:
    if scene.mode == "survival":
        return f"What no detective may read: {phrase(f'died_{scene.outcome}')}."
    return f"What no detective may read: the task was {phrase(scene.task)}."


def _bars(report: WalkReport) -> Iterator[dict[str, Any]]:
    """The parts of each moment's bar, from below."""
    for step, shares in zip(report.moments, report.shares, strict=True):
        tops = _HEIGHT * (1 - np.cumsum(shares))
        yield {
            "step": step,
            "parts": [
                {
                    "y": f"{max(top, 0):.3f}",
                    "height": f"{_HEIGHT * share:.3f}",
                    "colour": colour,
                    "told": f"step {step}: {name} {share:.3f}",
                }
                for name, share, top, colour in zip(
                    report.names, shares, tops, COLOURS, strict=False
                )
                if share > 0
            ],
        }


def _answers(report: WalkReport) -> Iterator[dict[str, str]]:
    for each in report.answers:
        question = each.question
        cell, box = question.subject.cell, question.subject.box
        x0, y0, x1, y1 = box or question.mask
        right = phrase(question.choices[question.answer])
        yield {
            "text": question.text,
            "where": f"({cell[0]}, {cell[1]})" if cell else f"({x0}, {y0}) to ({x1}, {y1})",
            "given": phrase(question.choices[each.chosen]),
            "mass": f"{each.masses[each.chosen]:.2f}",
            "verdict": "yes" if each.right else f"no: {right}",
        }


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
    _picture_bars(pen, (_GAP, height + _TITLE, width - 260), report.moments, report.shares)
    for row, name in enumerate(report.names):
        top = height + _TITLE + 26 * row
        pen.rectangle((width - 235, top, width - 221, top + 14), fill=COLOURS[row])
        pen.text((width - 213, top - 2), name, _INK, font)
    return np.asarray(page)


def _picture_bars(
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
