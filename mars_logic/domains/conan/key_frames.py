"""Key frames: the few views of a walk that show its traces, for models that read pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import OBJECT, TRACES
from mars_logic.domains.conan.corpus import stage_for, states
from mars_logic.domains.conan.detective.exploring import REACH
from mars_logic.domains.conan.detective.investigating import DetectionSpec, walk_through
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.sim.cells import cells_of
from mars_logic.world.dialect import AREA

MOST_FRAMES: Final = 30
"""Frames of a scene, as many as the published models are given."""
SIDE: Final = 2 * REACH + 1
"""Cells of a view along each axis."""
FIRST_OBJECT: Final = 41
"""What is added to the number of an object on a cell; it hides what the cell is."""


@dataclass(frozen=True)
class KeyFrames:
    """Views of one scene in the order of time.

    Attributes:
        steps: int16[n]: steps of the walk.
        places: uint8[n, 2]: columns and rows of the cells in the middle.
        cells: uint8[n, 9, 9], indexed [frame, x, y]: codes of cells, 41 + the number of an object
            where there is one, 0 outside the map.
    """

    steps: NDArray[np.int16]
    places: NDArray[np.uint8]
    cells: NDArray[np.uint8]


def key_frames(scene: FinishedScene, walk: DetectionSpec, most: int = MOST_FRAMES) -> KeyFrames:
    """The views that show most traces that no view before showed, and the last one.

    Args:
        scene: The scene.
        walk: How it is explored: with ``witness``, the views are the vandal's own.
        most: The greatest number of frames.
    """
    trail, maps = _walked(scene, walk)
    views = np.stack([_view(grid, x, y) for grid, (x, y) in zip(maps, trail, strict=True)])
    chosen = chosen_steps(_traces(views, trail), most)
    return KeyFrames(chosen.astype(np.int16), trail[chosen].astype(np.uint8), views[chosen])


def _walked(
    scene: FinishedScene, walk: DetectionSpec
) -> tuple[NDArray[np.int64], Iterator[NDArray[np.uint8]]]:
    """Where the explorer stood, and the map as it was at each step."""
    if walk.explorer == "witness":
        return scene.trail.astype(np.int64), _played(scene)
    trail = walk_through(walk, scene).trail.astype(np.int64)
    grid = np.where(scene.things > 0, FIRST_OBJECT + scene.things, scene.codes).astype(np.uint8)
    grid[scene.figure] = FIRST_OBJECT + OBJECT["player_bak" if scene.dead else "player"]
    return trail, iter([grid] * len(trail))


def _played(scene: FinishedScene) -> Iterator[NDArray[np.uint8]]:
    words = stage_for(scene.world, scene.vandal).world.vocabulary
    for state in states(scene):
        assert state.marks is not None
        grid = cells_of(words, state.materials, state.marks).copy()
        for kind, x, y in state.objects[["kind", "x", "y"]].tolist():
            grid[x, y] = FIRST_OBJECT + kind
        grid[state.x, state.y] = FIRST_OBJECT + OBJECT["player"]
        yield grid


def _view(grid: NDArray[np.uint8], x: int, y: int) -> NDArray[np.uint8]:
    """The 9 x 9 cells around a cell, 0 outside the map."""
    view: NDArray[np.uint8] = np.pad(grid, REACH)[x : x + SIDE, y : y + SIDE]
    return view


def _traces(views: NDArray[np.uint8], trail: NDArray[np.int64]) -> NDArray[np.bool_]:
    """bool[steps, 4096]: the cells with traces that each view shows."""
    shown = np.zeros((len(views), AREA * AREA), np.bool_)
    traced = (views < FIRST_OBJECT) & TRACES[np.minimum(views, FIRST_OBJECT)]
    step, i, j = np.nonzero(traced)
    x, y = trail[step, 0] + i - REACH, trail[step, 1] + j - REACH
    shown[step, x * AREA + y] = True
    return shown


def chosen_steps(shown: NDArray[np.bool_], most: int) -> NDArray[np.int64]:
    """Steps whose views together show most, in order: the last, then one after the other.

    Args:
        shown: bool[steps, cells]: what each view shows.
        most: The greatest number of steps. Where fewer show everything, the others are spread
            evenly over the walk.

    Returns:
        int64[n].
    """
    last = len(shown) - 1
    chosen = {last}
    left = shown & ~shown[last]
    while len(chosen) < most and left.any():
        best = int(left.sum(1).argmax())
        chosen.add(best)
        left &= ~shown[best]
    for step in np.linspace(0, last, most).round().astype(int).tolist():
        if len(chosen) < most:
            chosen.add(step)
    return np.array(sorted(chosen), np.int64)
