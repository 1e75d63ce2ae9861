"""The witness: it sees what was done in order, and histories are laid over that."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from mars_logic.domains.conan.corpus import CorpusSpec, make_scene
from mars_logic.domains.conan.detective.answering import bundled_priors, masses
from mars_logic.domains.conan.detective.exploring import NEVER
from mars_logic.domains.conan.detective.investigating import detective_of, detective_seed
from mars_logic.domains.conan.detective.witnessing import laid_over, weighed_by, witnessed
from mars_logic.domains.conan.questions.answers import ANSWERS
from mars_logic.domains.conan.questions.history import History
from mars_logic.domains.conan.questions.storage import questions_of, scene_history
from mars_logic.domains.conan.questions.templates import templates
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.domains.conan.vandal.log import Why

SPECS = {
    "reference": CorpusSpec("conan", 61),
    "careful": CorpusSpec("conan", 61, "careful", "task", 60),
}
kinds = pytest.mark.parametrize("kind", SPECS)


@cache
def scenes(kind: str) -> list[FinishedScene]:
    return [make_scene(SPECS[kind], number) for number in range(15)]


def visible(history: History) -> list[tuple[str, int, tuple[int, int]]]:
    return [
        (each.key, each.step, each.cell)
        for each in history.deeds
        if each.kind in ("collect", "place", "kill") and each.why != Why.ARROW
    ]


@kinds
def test_what_leaves_a_trace_is_seen_when_it_is_done(kind: str) -> None:
    for scene in scenes(kind):
        seen = [(d.key, d.step, d.cell) for d in witnessed(scene).deeds if d.own]
        assert seen == visible(scene_history(scene))


@kinds
def test_the_last_view_of_each_cell_is_kept(kind: str) -> None:
    for scene in scenes(kind):
        episode = witnessed(scene)
        assert episode.evidence.figure == scene.figure
        x, y = scene.figure
        view = slice(max(x - 4, 0), x + 5), slice(max(y - 4, 0), y + 5)
        assert (episode.evidence.codes[view] == scene.codes[view]).all()
        assert ((episode.seen_at != NEVER) == episode.evidence.seen).all()


def test_what_comes_later_is_not_seen() -> None:
    scene = scenes("reference")[3]
    half = scene.steps // 2
    before, after = witnessed(scene, half), witnessed(scene)
    assert before.evidence.figure is None
    assert before.deeds == tuple(each for each in after.deeds if each.step <= half)
    assert (before.seen_at == np.where(after.seen_at <= half, after.seen_at, NEVER)).all()


@kinds
def test_the_truth_laid_over_what_was_seen_stays_the_truth(kind: str) -> None:
    """Of deeds that are seen nothing changes; what is hidden is fitted in where it can be."""
    same, asked = 0, 0
    for scene in scenes(kind):
        truth, episode = scene_history(scene), witnessed(scene)
        found = laid_over(truth, episode)
        assert visible(found) == visible(truth)
        for question in questions_of(scene):
            function = ANSWERS[templates()[question.template].answer]
            asked += 1
            same += function(found, question.subject) == question.choices[question.answer]
    assert same / asked > 0.97


@pytest.mark.slow
@kinds
def test_a_witness_knows_more_than_what_is_left(kind: str) -> None:
    """What came before and after a deed is seen, where traces alone leave it open."""
    right = {"witness": [], "traces": []}  # type: ignore[var-annotated]
    for scene in scenes(kind):
        episode = witnessed(scene)
        after = detective_of(*scene.suspect).posterior(episode.evidence, detective_seed(scene))
        priors = bundled_priors(*scene.suspect[1:])
        beliefs = {"witness": weighed_by(after, episode), "traces": after}
        assert beliefs["witness"].tasks.sum() == pytest.approx(1)
        for question in questions_of(scene):
            if question.template in ("I3", "I4", "I9"):
                for name, belief in beliefs.items():
                    mass = masses(question, belief, episode.evidence, priors)
                    right[name].append(int(mass.argmax()) == question.answer)
    assert np.mean(right["witness"]) > 0.9
    assert np.mean(right["witness"]) >= np.mean(right["traces"])
