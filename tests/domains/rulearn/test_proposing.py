"""Proposals for sentences about puzzles: how often what is meant is proposed, and when alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.domains.rulearn.proposing import proposer_about, rule_proposals
from tests.cli.conftest import Run, run
from tests.domains.rulearn.test_contract import DATA, INSERTED, untold
from tests.paths import REPOSITORY

__all__ = ["run"]
FILE = REPOSITORY / "tests" / "data" / "proposed" / "puzzles.yaml"
LINES: dict[str, list[list[Any]]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
ALONE = [
    (name, line)
    for name, rows in LINES.items()
    for line, _ in rows
    if any(each.alone for each in rule_proposals(line, untold(name)))
]


@pytest.mark.parametrize("name", LINES)
def test_what_is_meant_is_proposed(name: str) -> None:
    """Of 7 lines about each puzzle, all 7 have the right proposal first."""
    about = untold(name)
    proposer = proposer_about(about)
    for line, meant in LINES[name]:
        told = proposer.proposals(line)
        assert [each.sentence for each in told[:1]] == ([meant] if meant else []), line
        for each in told:
            proposer.require_read(each.sentence)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(ALONE), st.sampled_from(INSERTED[:-3]), st.integers(0, 20))
def test_words_anywhere_keep_a_proposal_from_being_taken_alone(
    told: tuple[str, str], words: str, place: int
) -> None:
    name, line = told
    said = line.split(" ")
    place %= len(said) + 1
    more = " ".join((*said[:place], words, *said[place:]))
    was = [each.sentence for each in rule_proposals(line, untold(name)) if each.alone]
    now = [each.sentence for each in rule_proposals(more, untold(name)) if each.alone]
    assert now != was and (not now or " not " in now[0]), more


def test_check_asks_what_sentences_about_a_puzzle_mean(run: Run, tmp_path: Path) -> None:
    rules, chosen = tmp_path / "notes.txt", tmp_path / "chosen.yaml"
    first = "Digit 1 is the number of paintings whose color is yellow."
    rules.write_text("first digit, yellow ones\nNobody knows.\n", encoding="utf-8")
    seen = DATA / "escape_room.jsonl"
    told = run("check", rules, seen, "--json")
    assert told.json["unreadable"][0]["proposals"][0] == first and told.status == 2
    assert {each["taken"] for each in told.json["rules"]} == {None}
    alone = run("check", rules, seen, "--accept-single", "--json")
    assert [each["taken"] for each in alone.json["rules"]] == ["proposed", None, None]
    assert alone.status == 1 and alone.json["rules"][0]["verdict"] == "contradicted"
    assert run("check", rules, seen, "--propose", chosen).status == 2
    lines = yaml.safe_load(chosen.read_text(encoding="utf-8"))
    lines["lines"][0]["means"] = [first]
    lines["lines"][1]["means"] = ["Digit 2 is the number of green paintings."]
    chosen.write_text(yaml.safe_dump(lines), encoding="utf-8")
    confirmed = run("check", rules, seen, "--confirmed", chosen, "--json")
    assert [each["taken"] for each in confirmed.json["rules"]] == ["confirmed", "confirmed", None]
    assert confirmed.json["unreadable"] == []
    chosen.write_text(yaml.safe_dump(lines).replace("green paintings", "what"), encoding="utf-8")
    assert run("check", rules, seen, "--confirmed", chosen).status == 2
