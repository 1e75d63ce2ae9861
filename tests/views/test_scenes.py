"""Pictures of scenes: films end in the finished map, reports show what was seen and believed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from markupsafe import escape

from mars_logic.domains.conan.corpus import CorpusSpec, make_scene, stage_of, states
from mars_logic.domains.conan.detective.investigating import DetectionSpec
from mars_logic.sim.cells import cells_of
from mars_logic.views.scenes import picture, walk_report
from mars_logic.views.scenes.report_page import report_page, report_picture

KINDS = {
    "reference": CorpusSpec("conan", 12),
    "careful": CorpusSpec("conan", 12, "careful", "task", 60),
    "survival": CorpusSpec("conan", 12, "careful", "survival"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_an_episode_is_played_again_from_streams_and_actions(kind: str) -> None:
    for number in range(3):
        scene = make_scene(KINDS[kind], number)
        played = list(states(scene))
        last = played[-1]
        assert len(played) == scene.steps + 1
        assert [(each.x, each.y) for each in played] == [tuple(p) for p in scene.trail.tolist()]
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


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["reference", "survival"])
def test_a_report_is_drawn_and_written(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk_report, "MOMENTS", 3)
    scene = make_scene(KINDS[kind], 2)
    told = walk_report.walk_report(scene, DetectionSpec(Path(), "nearest", "centre", 40))
    drawn = report_picture(told)
    assert drawn.dtype == np.uint8
    assert drawn.ndim == 3
    assert len(np.unique(drawn.reshape(-1, 3), axis=0)) > 50
    assert told.shares.sum(1) == pytest.approx(np.ones(len(told.moments)))
    page = report_page(told)
    assert page.count("data:image/png") == len(told.maps) + 1  # and the icon
    assert page.count("<title>step") == int((told.shares > 0).sum())
    assert all(escape(each.question.text) in page for each in told.answers)
    assert all(escape(line) in page for line in (*told.deeds, *told.refuted))
    assert f"{sum(each.right for each in told.answers)} of {len(told.answers)}" in page
    assert bool(told.deeds) is bool(told.refuted) is (kind == "reference")


def test_unseen_cells_are_darker() -> None:
    ground = np.full((64, 64, 3), 200, np.uint8)
    seen_at = np.full((64, 64), 5, np.int16)
    seen_at[2:] = 100
    drawn = picture.shaded(ground, seen_at, 50, (0, 0, 4, 4), unit=16)
    assert drawn[:, 48:].max() < drawn[:, :16].max()
