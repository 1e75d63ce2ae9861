"""The command ``language schema``: what models are asked to follow."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from mars_logic.domains import domain_of, games_of, load_game
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.reading import read_rule, rule_examples, rule_of_data, rule_schema
from tests.cli.conftest import Run, run

__all__ = ["run"]


@pytest.mark.parametrize(
    "name", ["default", "conan", "worlds/gallery/copper.yaml", "rulearn/er_r1_01"]
)
def test_it_is_a_schema(name: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    found = run("language", "schema", name)
    assert found.status == 0, found.err
    jsonschema.Draft202012Validator.check_schema(json.loads(found.out))
    assert ("copper" in found.out) is ("copper" in name)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nowhere", "there is no bundled world"),
        (
            "Hanoi3Disk",
            "`language schema` supports worlds, function_operator, escape_room, reactor, not hanoi",
        ),
        ("\0", "this is no file name"),
        ("x" * 5000 + ".yaml", "file name too long"),
    ],
)
def test_mistakes_are_one_line(name: str, told: str, run: Run) -> None:
    found = run("language", "schema", name)
    assert found.status == 2 and told in found.err and len(found.err.splitlines()) == 1


@pytest.mark.parametrize("family", ["function_operator", "escape_room", "reactor"])
def test_every_rule_is_of_the_schema_and_is_told_and_read_back(family: str) -> None:
    for name in games_of(f"rulearn/{family}"):
        puzzle = load_game(name)
        assert isinstance(puzzle, Puzzle)
        untold = domain_of(puzzle).untold(puzzle)
        rule = puzzle.model_dump(mode="json")[puzzle.rule_field]
        theory = rule_of_data(rule, untold)
        assert read_rule("\n".join(domain_of(puzzle).rules(theory)), untold) == theory
        if not isinstance(rule, int):  # a number stands for a rule of the reference
            jsonschema.validate(rule, rule_schema(puzzle))
    assert rule_examples(untold)
