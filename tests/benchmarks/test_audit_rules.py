"""The audit of published rules, on rules of the test's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mars_logic.benchmarks.audit_rules import audit, main, read_scores, summary
from mars_logic.errors import InputError
from mars_logic.world.load import load_world

SCORES = {
    "0: Trees give coal and become a path.": 1.0,
    "1: Trees give wood.": 0.9,
    "2: Walking on water hurts the player.": 0.2,
    "4: Mining stone yields wood.": 1.0,
    "7: The player may lose health near certain blocks.": 0.5,
}


def test_rules_are_compared_with_the_truth_and_with_the_judge() -> None:
    found = audit(SCORES, load_world("terr_task"))
    assert [rule.facts is not None for rule in found] == [True, True, True, True, False]
    assert [rule.right for rule in found] == [True, False, True, False, False]
    assert [rule.right_but_for_chance for rule in found] == [True, False, True, True, False]
    numbers = summary(found)
    assert (numbers["rules"], numbers["read"], numbers["right"], numbers["hedged"]) == (5, 4, 2, 1)
    assert numbers["judge_accepts_wrong"] == numbers["judge_rejects_right"] == 1
    assert numbers["judge_mean_absolute_error"] == pytest.approx((0 + 0.9 + 0.8 + 0) / 4)


def test_the_numbers_are_printed_without_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scores.json"
    file.write_text(json.dumps(SCORES), encoding="utf-8")
    assert main([str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == summary(audit(SCORES, load_world("terr_task")))
    assert main([str(file)]) == 0
    assert "Trees" not in capsys.readouterr().out


@pytest.mark.parametrize("text", ["[1]", "{", '{"a": "b"}'])
def test_a_wrong_file_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "scores.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="allowed: a JSON object of rules"):
        read_scores(file)
    assert main([str(file)]) == 2
