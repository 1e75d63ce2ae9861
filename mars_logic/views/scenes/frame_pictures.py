"""Key frames as pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import CODE, OBJECT
from mars_logic.domains.conan.corpus import stage_for
from mars_logic.domains.conan.key_frames import FIRST_OBJECT, KeyFrames
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.sim.cells import parts_of
from mars_logic.sim.state import OBJECT_DTYPE
from mars_logic.views.scenes.picture import UNIT, Pixels, still
from mars_logic.views.traced import draw_map
from mars_logic.world.vocabulary import Vocabulary

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
