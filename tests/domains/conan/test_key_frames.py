"""Key frames: they show what the walk saw, as it was seen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mars_logic.domains.conan.codes import OBJECT, TRACES
from mars_logic.domains.conan.corpus import CorpusSpec, make_scene
from mars_logic.domains.conan.detective.investigating import DetectionSpec, walk_through
from mars_logic.domains.conan.key_frames import (
    FIRST_OBJECT,
    MOST_FRAMES,
    KeyFrames,
    chosen_steps,
    key_frames,
)
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.views.scenes.picture import frame_pictures


def test_steps_that_show_most_are_chosen() -> None:
    shown = np.zeros((50, 12), np.bool_)
    shown[7, :6] = shown[8, :5] = True
    shown[20, 5:9] = True
    shown[49, 11] = True
    assert chosen_steps(shown, 3).tolist() == [7, 20, 49]
    spread = chosen_steps(shown, 10)
    assert {7, 20, 49} <= {*spread.tolist()}
    assert len(spread) == 10
    assert (np.diff(spread) > 0).all()
    assert chosen_steps(shown[:4], 10).tolist() == [0, 1, 2, 3]


@pytest.fixture(scope="module")
def scene() -> FinishedScene:
    return make_scene(CorpusSpec("conan", 12), 3)


def cells_shown(frames: KeyFrames) -> set[tuple[int, int]]:
    """Cells with traces that some frame shows."""
    found = set()
    for (x, y), cells in zip(frames.places.tolist(), frames.cells, strict=True):
        for i, j in np.argwhere((cells < FIRST_OBJECT) & (cells > 0)).tolist():
            if TRACES[cells[i, j]]:
                found.add((x + i - 4, y + j - 4))
    return found


def test_frames_of_a_walk_show_all_traces_that_it_saw(scene: FinishedScene) -> None:
    spec = DetectionSpec(Path(), "nearest")
    frames, walk = key_frames(scene, spec), walk_through(spec, scene)
    assert len(frames.steps) == min(MOST_FRAMES, walk.steps + 1)
    assert (frames.places == walk.trail[frames.steps]).all()
    seen = np.argwhere(TRACES[scene.codes] & (walk.seen_at <= walk.steps)).tolist()
    hidden = {tuple(cell) for cell in scene.objects[:, 1:].tolist()} | {scene.figure}
    assert {tuple(cell) for cell in seen} - hidden == cells_shown(frames)
    figure = FIRST_OBJECT + OBJECT["player"]
    assert (frames.cells == figure).any()


def test_frames_of_a_witness_have_the_vandal_in_the_middle(scene: FinishedScene) -> None:
    frames = key_frames(scene, DetectionSpec(Path(), "witness"))
    assert (frames.cells[:, 4, 4] == FIRST_OBJECT + OBJECT["player"]).all()
    assert (frames.places == scene.trail[frames.steps]).all()
    assert frames.steps[-1] == scene.steps
    first, last = frames.cells[0], frames.cells[-1]
    assert not TRACES[first[first < FIRST_OBJECT]].any() or frames.steps[0] > 0
    assert TRACES[last[last < FIRST_OBJECT]].any()


def test_a_picture_shows_the_cells_of_a_frame(scene: FinishedScene) -> None:
    frames = key_frames(scene, DetectionSpec(Path(), "nearest"), most=4)
    outside = frames.cells.copy()
    outside[:, :3] = 0
    cut = KeyFrames(frames.steps, frames.places, outside)
    whole, black = list(frame_pictures(scene, frames)), list(frame_pictures(scene, cut))
    assert [each.shape for each in whole] == [(144, 144, 3)] * 4
    for one, other in zip(whole, black, strict=True):
        void = np.tile(other[:16, :16], (9, 3, 1))
        assert (other[:, :48] == void).all(), "outside the map all cells look alike"
        assert (one[:, 48:] == other[:, 48:]).all()
        assert (one[:, :48] != other[:, :48]).any(2).mean() > 0.5
