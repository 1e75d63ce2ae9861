"""What a detective has seen of a finished scene, and counts of the traces in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import CODES, TRACES
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.world.dialect import AREA

VIEWS: Final = ("whole", "closed", "open")
"""Views of a scene. All cells were seen; or the figure, and everything around the traces that were
seen, so that more of them are not expected; or less, so that more of them are."""
NEAR: Final = 3
"""Distance from the figure within which a task of placing or killing succeeds."""


def with_neighbours(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Some cells of a map, and the eight around each."""
    padded = np.pad(cells, 1)
    found = np.zeros_like(cells)
    for dx in range(3):
        for dy in range(3):
            found |= padded[dx : dx + AREA, dy : dy + AREA]
    return found


@dataclass(frozen=True)
class SceneEvidence:
    """What is seen of a scene. Arrays are indexed [x, y].

    Attributes:
        codes: uint8[64, 64]: the finished map; what is not seen does not count.
        objects: uint8[64, 64]: objects.
        seen: bool[64, 64]: cells that were seen.
        figure: Where the vandal's figure stands, or None if it was not seen.
        dead: Whether the figure that was seen is dead.
    """

    codes: NDArray[np.uint8]
    objects: NDArray[np.uint8]
    seen: NDArray[np.bool_]
    figure: tuple[int, int] | None
    dead: bool = False

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Number of seen cells of each code."""
        counts = np.bincount(self.codes[self.seen], minlength=len(CODES)).tolist()
        return dict(zip(CODES, counts, strict=True))

    @cached_property
    def whole(self) -> bool:
        """Whether all cells were seen."""
        return bool(self.seen.all())

    @cached_property
    def view(self) -> str:
        """How far the trail was followed: one of :data:`VIEWS`."""
        if self.whole:
            return "whole"
        beside = with_neighbours(TRACES[self.codes] & self.seen)
        return "open" if self.figure is None or (beside & ~self.seen).any() else "closed"

    @cached_property
    def _around(self) -> NDArray[np.bool_]:
        if self.figure is None:
            return np.zeros((AREA, AREA), np.bool_)
        x, y = np.ogrid[:AREA, :AREA]
        near: NDArray[np.bool_] = np.abs(x - self.figure[0]) + np.abs(y - self.figure[1]) <= NEAR
        return near

    @cached_property
    def around(self) -> bool:
        """Whether all cells near the figure were seen."""
        return self.figure is not None and bool(self.seen[self._around].all())

    @cached_property
    def near(self) -> frozenset[str]:
        """Codes of seen cells near the figure."""
        found = np.flatnonzero(np.bincount(self.codes[self._around & self.seen]))
        return frozenset(CODES[code] for code in found)


def seen_of(scene: FinishedScene, seen: NDArray[np.bool_]) -> SceneEvidence:
    """What is known of a scene when some of its cells have been seen: bool[64, 64]."""
    figure = scene.figure if seen[scene.figure] else None
    return SceneEvidence(scene.codes, scene.things, seen, figure, scene.dead and figure is not None)


def first_view(scene: FinishedScene, start: tuple[int, int]) -> SceneEvidence:
    """What is seen from the first cell: the 9 x 9 view."""
    x, y = start
    seen = np.zeros((AREA, AREA), np.bool_)
    seen[max(x - 4, 0) : x + 5, max(y - 4, 0) : y + 5] = True
    return seen_of(scene, seen)


def everything(scene: FinishedScene) -> SceneEvidence:
    """What is known of a scene when all of it has been seen."""
    return seen_of(scene, np.ones((AREA, AREA), np.bool_))
