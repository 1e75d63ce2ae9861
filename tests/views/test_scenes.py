"""Pictures of scenes: films end in the finished map, reports show what was seen and believed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mars_logic.domains.conan.corpus import CorpusSpec, make_scene, stage_of
from mars_logic.domains.conan.detective.detecting import DetectionSpec
from mars_logic.sim.cells import cells_of
from mars_logic.views.scenes import picture, report

KINDS = {
    "reference": CorpusSpec("conan", 12),
    "careful": CorpusSpec("conan", 12, "careful", "task", 60),
    "survival": CorpusSpec("conan", 12, "careful", "survival"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_an_episode_is_played_again_from_streams_and_actions(kind: str) -> None:
    for number in range(3):
        scene = make_scene(KINDS[kind], number)
        states = list(picture.states(scene))
        last = states[-1]
        assert len(states) == scene.steps + 1
        assert [(each.x, each.y) for each in states] == [tuple(p) for p in scene.trail.tolist()]
        words = stage_of("conan").world.vocabulary
        assert (cells_of(words, last.materials, last.marks) == scene.codes).all()
        assert (last.inventory[0] <= 0) == scene.dead


def test_a_film_has_a_picture_a_step() -> None:
    scene = make_scene(KINDS["reference"], 1)
    pictures = list(picture.film(scene, unit=4))
    x0, y0, x1, y1 = picture.box_of(scene)
    assert len(pictures) == scene.steps + 1
    assert {each.shape for each in pictures} == {((y1 - y0) * 4, (x1 - x0) * 4, 3)}
    assert (pictures[0] != pictures[-1]).any()


@pytest.mark.parametrize("kind", ["reference", "survival"])
def test_a_report_is_drawn(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "MOMENTS", 3)
    scene = make_scene(KINDS[kind], 2)
    drawn = report.report(scene, DetectionSpec(Path(), "nearest", "centre", 40))
    assert drawn.dtype == np.uint8
    assert drawn.ndim == 3
    assert len(np.unique(drawn.reshape(-1, 3), axis=0)) > 50


def test_unseen_cells_are_darker() -> None:
    ground = np.full((64, 64, 3), 200, np.uint8)
    seen_at = np.full((64, 64), 5, np.int16)
    seen_at[2:] = 100
    drawn = picture.shaded(ground, seen_at, 50, (0, 0, 4, 4), unit=16)
    assert drawn[:, 48:].max() < drawn[:, :16].max()
