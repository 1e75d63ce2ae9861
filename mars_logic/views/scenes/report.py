"""A report of one scene as a picture: what was seen when, the plan believed, belief over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from mars_logic.domains.conan.detective.detecting import (
    DetectionSpec,
    detective_of,
    detective_seed,
    walk_through,
)
from mars_logic.domains.conan.detective.evidence import SceneEvidence, seen_of
from mars_logic.domains.conan.detective.posterior import PlanPosterior
from mars_logic.domains.conan.detective.surviving import bundled_survival
from mars_logic.domains.conan.questions.history import Cell
from mars_logic.domains.conan.questions.phrases import phrase
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS
from mars_logic.views.scenes import picture
from mars_logic.views.scenes.picture import Box, Pixels

MOMENTS: Final = 25
"""Moments at which the belief is shown, at most."""
_COLOURS: Final = ("#1f6fb4", "#d9822b", "#2f9e55", "#b0413e", "#7a5ea8", "#8a8f98")
_INK, _PAPER = "#22262b", "#ffffff"
_GAP: Final = 24
_TITLE: Final = 28
_BARS: Final = 190


def report(scene: FinishedScene, spec: DetectionSpec) -> Pixels:
    """The report of a detective's walk through a scene: uint8[height, width, 3].

    Args:
        scene: The scene.
        spec: How it is explored; not ``all``.
    """
    walk = walk_through(spec, scene)
    last = walk.steps
    moments = sorted({round(last * i / (MOMENTS - 1)) for i in range(MOMENTS)})
    evidence = [seen_of(scene, walk.seen_at <= step) for step in moments]
    box = _around(picture.box_of(scene), walk.trail)
    ground = picture.finished(scene, box)
    when = picture.shaded(ground, walk.seen_at, last, box)
    when = picture.with_line(when, walk.trail.tolist(), box, "#202020")
    maps = [(f"Seen when: blue first, red last, after {last} steps", when)]
    if scene.mode == "survival":
        names, shares = _outcomes(evidence)
    else:
        posteriors = [_posterior(scene, each) for each in evidence]
        names, shares = _tasks(posteriors)
        maps.append(_believed(posteriors[-1], ground, box))
    return _composed(maps, moments, names, shares)


def _posterior(scene: FinishedScene, evidence: SceneEvidence) -> PlanPosterior:
    return detective_of(*scene.suspect).posterior(evidence, detective_seed(scene))


def _around(box: Box, trail: NDArray[np.uint8]) -> Box:
    """A box that also holds a walk."""
    low, high = np.minimum(box[:2], trail.min(0)), np.maximum(box[2:], trail.max(0).astype(int) + 1)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _tasks(posteriors: Sequence[PlanPosterior]) -> tuple[list[str], NDArray[np.float64]]:
    """Names and probabilities over time of the five tasks believed most, and of all others."""
    tasks = np.array([each.tasks for each in posteriors])
    rank = tasks[-1] + 0.01 * tasks.mean(0)
    top = np.argsort(-rank, kind="stable")[: len(_COLOURS) - 1]
    shares = tasks[:, top]
    names = [phrase(ALL_TASKS[task]) for task in top]
    return [*names, "others"], np.c_[shares, 1 - shares.sum(1)]


def _outcomes(evidence: Sequence[SceneEvidence]) -> tuple[list[str], NDArray[np.float64]]:
    """Names and probabilities over time of how a life ended."""
    model = bundled_survival()
    return [phrase(each) for each in model.answers["outcome"]], np.array(
        [model.shares("outcome", each, None) for each in evidence]
    )


def _believed(posterior: PlanPosterior, ground: Pixels, box: Box) -> tuple[str, Pixels]:
    """The likeliest simulated vandal's way and deeds over the finished map."""
    number = int(posterior.weights.argmax())
    _, history = posterior.believed[0]
    drawn = picture.with_line(ground, history.trail.tolist(), box, "#e0218a")
    cells: list[Cell] = [deed.cell for deed in history.deeds if deed.kind != "drink"]
    task, weapon = posterior.plans[int(posterior.results["plan"][number])]
    armed = "" if weapon == "none" else f" with a {weapon.replace('_', ' ')}"
    title = f"The plan believed: {phrase(task)}{armed}; deeds in order"
    return title, picture.numbered(drawn, cells, box, "#e0218a")


def _composed(
    maps: Sequence[tuple[str, Pixels]],
    moments: Sequence[int],
    names: Sequence[str],
    shares: NDArray[np.float64],
) -> Pixels:
    widths = [max(drawn.shape[1], 420) for _, drawn in maps]
    width = sum(widths) + _GAP * (len(maps) + 1)
    height = max(drawn.shape[0] for _, drawn in maps) + _TITLE + 2 * _GAP
    page = Image.new("RGB", (width, height + _TITLE + _BARS + 2 * _GAP), _PAPER)
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(15)
    left = _GAP
    for (title, drawn), room in zip(maps, widths, strict=True):
        pen.text((left, _GAP / 2), title, _INK, font)
        page.paste(Image.fromarray(drawn), (left, _GAP // 2 + _TITLE))
        left += room + _GAP
    pen.text((_GAP, height), "Belief over time", _INK, font)
    _bars(pen, (_GAP, height + _TITLE, width - 260), moments, shares)
    for row, name in enumerate(names):
        top = height + _TITLE + 26 * row
        pen.rectangle((width - 235, top, width - 221, top + 14), fill=_COLOURS[row])
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
        for part, colour in zip(parts, _COLOURS, strict=False):
            pen.rectangle((x, y - part * _BARS, x + room - 3, y), fill=colour)
            y -= part * _BARS
        pen.text((x + room / 2, top + _BARS + 12), str(step), _INK, font, anchor="mm")
