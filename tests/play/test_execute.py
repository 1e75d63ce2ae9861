"""Witnesses played on their maps."""

from __future__ import annotations

import pytest

from mars_logic import load_world
from mars_logic.experiments.proving import execute as play_all
from mars_logic.experiments.proving import prove
from mars_logic.logic.proof import Step
from mars_logic.play.certificate import verify
from mars_logic.play.execute import Executor, execute

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
    """A witness that does nothing useful ends nowhere: the executor makes no plans of its own."""
    found = execute(DEFAULT, "default", 7, "place_table", [Step("collect.tree", 1)], limit=120)
    assert found.certificate is None and found.steps is None
    assert found.reason is not None and "120 steps" in found.reason


def test_a_failure_names_the_step() -> None:
    witness = [Step("collect.diamond", 1)]  # without any of what it takes
    found = execute(DEFAULT, "default", 7, "collect_diamond", witness, limit=40)
    assert found.reason == "time ran out after 40 steps, at collect.diamond"


def test_only_proofs_about_a_map_are_played() -> None:
    with pytest.raises(ValueError, match="map"):
        play_all(DEFAULT, prove(DEFAULT))


def test_an_executor_has_to_be_told_the_rules() -> None:
    from mars_logic.play.agent import Episode

    with pytest.raises(ValueError, match="needs an episode with a world"):
        Executor("collect_wood", [Step("collect.tree", 1)]).begin(Episode(0, "mars", 10))


@pytest.mark.slow
def test_the_rate_of_success_over_maps() -> None:
    found = prove(load_world("terrain"), maps=4, played=True).achievements["kill_zombie"]
    assert found.estimate is not None and found.estimate.played is not None
    assert found.estimate.played.maps == 4
    assert 1 <= found.estimate.played.successes <= 4
