"""Witnesses played on their maps."""

from __future__ import annotations

import pytest

from mars_logic import load_world
from mars_logic.experiments.proving import execute as play_all
from mars_logic.experiments.proving import prove
from mars_logic.logic.proof import Step
from mars_logic.play.certificate import verify
from mars_logic.play.execute import execute

DEFAULT = load_world("default")


def test_witnesses_of_a_map_are_played() -> None:
    proof = prove(DEFAULT, 7)
    goals = ("collect_coal", "place_table", "make_wood_pickaxe")
    calls = []
    found = play_all(DEFAULT, proof, achievements=goals, progress=lambda: calls.append(1))
    assert set(found) == set(goals) and len(calls) == 3
    for achievement, execution in found.items():
        assert execution.certificate is not None and execution.reason is None
        assert execution.steps is not None
        assert execution.certificate.unlocked[achievement] == execution.steps
        assert verify(execution.certificate, DEFAULT).valid
        assert execution.steps >= proof.achievements[achievement].interactions


def test_the_witness_is_followed() -> None:
    """A witness that does nothing useful ends nowhere: nothing else is planned."""
    found = execute(DEFAULT, "default", 7, "place_table", [Step("collect.tree", 1)], limit=120)
    assert found.certificate is None and found.steps is None
    assert found.reason is not None and found.reason.startswith("the episode ended at step 120")


def test_a_failure_names_the_step() -> None:
    witness = [Step("collect.diamond", 1)]  # without any of what it takes
    found = execute(DEFAULT, "default", 7, "collect_diamond", witness, limit=40)
    assert found.reason == "the episode ended at step 40, at collect.diamond"


def test_only_proofs_about_a_map_are_played() -> None:
    with pytest.raises(ValueError, match="map"):
        play_all(DEFAULT, prove(DEFAULT))


def test_steps_are_done_in_their_order() -> None:
    """The table comes first, though a tree is nearer once there is wood for it."""
    steps = [Step("collect.tree", 2), Step("place.table", 1), Step("collect.tree", 1)]
    found = execute(
        DEFAULT, "default", 7, "make_wood_pickaxe", [*steps, Step("make.wood_pickaxe", 1)]
    )
    assert found.certificate is not None
    reached = found.certificate.unlocked
    assert [*reached] == ["collect_wood", "place_table", "make_wood_pickaxe"]


@pytest.mark.slow
def test_the_rate_of_success_over_maps() -> None:
    found = prove(load_world("terrain"), maps=4, played=True).achievements["kill_zombie"]
    assert found.estimate is not None and found.estimate.played is not None
    assert found.estimate.played.maps == 4
    assert 1 <= found.estimate.played.successes <= 4
