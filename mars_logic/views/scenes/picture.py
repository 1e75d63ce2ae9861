"""Pictures of scenes: finished maps, films of what a vandal did, and reports of detections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from mars_logic.domains.conan.codes import CODE, OBJECT, TRACES
from mars_logic.domains.conan.corpus import stage_for, states
from mars_logic.domains.conan.key_frames import FIRST_OBJECT, KeyFrames
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.sim.cells import parts_of
from mars_logic.sim.state import OBJECT_DTYPE, State
from mars_logic.views.traced import draw_map
from mars_logic.world.dialect import AREA
from mars_logic.world.vocabulary import Vocabulary

Pixels = NDArray[np.uint8]
Box = tuple[int, int, int, int]
"""Least x, least y, and the first x and y beyond."""

UNIT: Final = 16
"""Pixels of a cell."""
_MARGIN: Final = 4
_LEAST: Final = 16
"""Cells that a picture shows at least along each axis."""


def box_of(scene: FinishedScene) -> Box:
    """The part of the map with traces and the figure, with some cells around."""
    cells = np.argwhere(TRACES[scene.codes]).tolist()
    cells += [list(scene.figure), *scene.trail.tolist()]
    low, high = np.min(cells, 0) - _MARGIN, np.max(cells, 0) + _MARGIN + 1
    missing = np.maximum(_LEAST - (high - low), 0)
    low = np.maximum(low - missing // 2, 0)
    high = np.minimum(np.maximum(high, low + _LEAST), AREA)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def finished(scene: FinishedScene, box: Box, unit: int = UNIT) -> Pixels:
    """The finished map with the figure: uint8[height, width, 3]."""
    words = stage_for(scene.world, scene.vandal).world.vocabulary
    materials, marks = parts_of(words, scene.codes)
    objects = np.zeros(len(scene.objects), OBJECT_DTYPE)
    for column, name in enumerate(("kind", "x", "y")):
        objects[name] = scene.objects[:, column]
    objects["facing_x"] = 1  # what is drawn of an arrow; scenes do not keep where it flies
    state = still(materials, marks, objects, scene.figure)
    return cropped(draw_map(state, words, unit), box, unit)


def still(
    materials: Pixels, marks: Pixels, objects: NDArray[np.void], figure: tuple[int, int] | None
) -> State:
    """A state that is only drawn; the figure, if there is one, sleeps."""
    nothing = np.zeros(0, np.int16)
    return State(
        materials,
        objects,
        *(figure or (0, 0)),
        facing=(0, 1),
        sleeping=True,
        inventory=nothing,
        achievements=nothing,
        hunger=0,
        thirst=0,
        fatigue=0,
        recover=0,
        step=0,
        daylight=1,
        done=True,
        marks=marks,
        gone=figure is None,
    )


def cropped(picture: Pixels, box: Box, unit: int = UNIT) -> Pixels:
    """A part of a picture of the whole map."""
    x0, y0, x1, y1 = box
    return picture[y0 * unit : y1 * unit, x0 * unit : x1 * unit]


def film(scene: FinishedScene, unit: int = UNIT) -> Iterator[Pixels]:
    """Pictures of what the vandal did, one a step."""
    words, box = stage_for(scene.world, scene.vandal).world.vocabulary, box_of(scene)
    for state in states(scene):
        yield cropped(draw_map(state, words, unit), box, unit)


def with_line(
    picture: Pixels, cells: Sequence[Sequence[int]], box: Box, colour: str, unit: int = UNIT
) -> Pixels:
    """A picture with a path drawn over it, from a ring to a dot."""
    drawn = Image.fromarray(picture)
    pen = ImageDraw.Draw(drawn)
    points = [((x - box[0] + 0.5) * unit, (y - box[1] + 0.5) * unit) for x, y in cells]
    if len(points) > 1:
        pen.line(points, fill="white", width=4, joint="curve")
        pen.line(points, fill=colour, width=2, joint="curve")
    for (x, y), size, inside in ((points[0], 6, None), (points[-1], 5, colour)):
        pen.ellipse((x - size, y - size, x + size, y + size), fill=inside, outline=colour, width=2)
    return np.asarray(drawn)


def numbered(
    picture: Pixels, cells: Sequence[tuple[int, int]], box: Box, colour: str, unit: int = UNIT
) -> Pixels:
    """A picture with a number, from 1 on, on each of some cells."""
    drawn = Image.fromarray(picture)
    pen = ImageDraw.Draw(drawn)
    font = ImageFont.load_default(unit * 0.7)
    for number, (x, y) in enumerate(cells, 1):
        middle = (x - box[0] + 0.5) * unit, (y - box[1] + 0.5) * unit
        pen.text(
            middle, str(number), colour, font, anchor="mm", stroke_width=2, stroke_fill="white"
        )
    return np.asarray(drawn)


def shaded(
    picture: Pixels, seen_at: NDArray[np.int16], last: int, box: Box, unit: int = UNIT
) -> Pixels:
    """A picture in which cells that were seen early are blue, late ones red, unseen ones dark."""
    x0, y0, x1, y1 = box
    when = seen_at[x0:x1, y0:y1].T.astype(np.float64)
    share = np.clip(when / max(last, 1), 0, 1)[..., None]
    tint = (1 - share) * np.array([40, 90, 220.0]) + share * np.array([220, 60, 40.0])
    unseen = (when > last)[..., None]
    over = np.where(unseen, 0.0, tint).repeat(unit, 0).repeat(unit, 1)
    strength = np.where(unseen, 0.75, 0.3).repeat(unit, 0).repeat(unit, 1)
    mixed: Pixels = (picture * (1 - strength) + over * strength).astype(np.uint8)
    return mixed


_GROUND: Final = CODE["grass"]
"""What is drawn below an object, which hides the ground."""


def frame_pictures(scene: FinishedScene, frames: KeyFrames, unit: int = UNIT) -> Iterator[Pixels]:
    """One picture of each key frame: uint8[9 * unit, 9 * unit, 3], dark outside the map."""
    words = stage_for(scene.world, scene.vandal).world.vocabulary
    for cells in frames.cells:
        yield cells_drawn(cells, words, unit)


def cells_drawn(cells: NDArray[np.uint8], words: Vocabulary, unit: int) -> Pixels:
    """Cells of key frames (uint8[columns, rows]): uint8[rows * unit, columns * unit, 3]."""
    codes = np.where(cells > FIRST_OBJECT, _GROUND, cells)
    materials, marks = parts_of(words, codes)
    figures = np.argwhere(cells == FIRST_OBJECT + OBJECT["player"]).tolist()
    places = np.argwhere((cells > FIRST_OBJECT) & (cells != FIRST_OBJECT + OBJECT["player"]))
    objects = np.zeros(len(places), OBJECT_DTYPE)
    objects["kind"] = cells[tuple(places.T)] - FIRST_OBJECT
    objects["x"], objects["y"] = places.T
    objects["facing_x"] = 1  # what is drawn of an arrow
    figure = (figures[0][0], figures[0][1]) if figures else None
    return draw_map(still(materials, marks, objects, figure), words, unit)
