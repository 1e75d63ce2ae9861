"""The benchmark that verifies checking: it finds what is wrong, and nothing else."""

from __future__ import annotations

from pathlib import Path

from mars_logic import Theory, load_world
from mars_logic.benchmarks.verification import Job, _by_rule, verified
from mars_logic.benchmarks.verification_page import page
from mars_logic.theory import check
from tests.theory.play import evidence
from tests.theory.worlds import with_field, wrong_values


def test_a_small_verification(tmp_path: Path) -> None:
    job = Job("default", "default", 3000, 0, tmp_path / "default.json")
    result = verified(job)
    assert result.false == [] and sum(result.transitions.values()) >= 3000
    exercised, detected = (sum(each.values()) for each in (result.exercised, result.detected))
    assert exercised > 150 and exercised * 0.7 < detected <= exercised
    assert len(result.missed) == exercised - detected
    assert result.unseen > 0 and result.equal > 0
    assert verified(job) == result, "what was kept is not done again"
    document = {"results": [vars(result)], "level": 1e-6, "machine": {"cores": "2"}}
    assert "| default | 3," in page(document) and "such as" in page(document)


def test_what_speaks_of_a_rule_is_all_that_speaks_of_it() -> None:
    """Wrong values are judged by a part of the record; the whole of it says the same."""
    world, seen = load_world("default"), evidence("default", 60)
    parts = _by_rule(seen)
    for rule, name in (
        ("creature.cow", "approaches"),
        ("creature.skeleton", "shoots"),
        ("walk.sand", "health"),
        ("collect.tree", "leaves"),
        ("neighbour.player", "material"),
    ):
        for value in wrong_values(world, (rule, name)):
            wrong = with_field(Theory.from_world(world), (rule, name), value)
            whole = {conflict.fields for conflict in check(wrong, seen).conflicts}
            assert {conflict.fields for conflict in check(wrong, parts[rule]).conflicts} == whole
            assert whole, (rule, value)
