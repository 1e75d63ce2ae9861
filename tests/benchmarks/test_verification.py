"""The benchmark that verifies checking: it finds what is wrong, and nothing else."""

from __future__ import annotations

from pathlib import Path

from mars_logic.benchmarks.verification import Job, verified
from mars_logic.benchmarks.verification_page import page


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
