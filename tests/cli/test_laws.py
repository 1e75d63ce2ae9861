from __future__ import annotations

import json

import pytest

from mars_logic.theory.action_models import Records, write
from mars_logic.world.load import load_theory
from tests.cli.conftest import Run
from tests.theory.action_models.conftest import chosen, laws, tried

__all__ = ["chosen", "laws", "tried"]


@pytest.fixture
def file(chosen: Records, tmp_path):
    path = tmp_path / "records.json"
    path.write_text(write(chosen), encoding="utf-8")
    return path


@pytest.mark.slow
def test_words(run: Run, file) -> None:
    found = run("laws", "learn", file)
    assert found.status == 0
    assert "place_table: facing grass, path or sand with 2 wood.\n" in found.out
    assert "22 of 22 achievements were seen to be reached" in found.err


def test_the_truth_atom_by_atom(run: Run, file) -> None:
    found = run("laws", "learn", file, "--truth", "default")
    assert found.status == 0 and " task " in found.out
    assert "wrong: chance(collect(grass), sapling, 1, 100000)" in found.out
    document = run("laws", "learn", file, "--truth", "default", "--json").json
    assert document["schema"] == "mars-logic learn-laws 1"
    task = document["score"]["task"]
    assert task["claimed"] - task["right"] == len(document["score"]["wrong"])
    assert task["true"] - task["right"] == len(document["score"]["missing_of_the_task"])
    law = next(each for each in document["laws"] if each["goal"] == "make_stone_sword")
    (way,) = law["ways"]
    assert way["costs"] == {"wood": 1, "stone": 1} and way["brings"] == {"stone_sword": 1}
    assert way["certain"]["near table"] == 1


def test_files_written(run: Run, file, tmp_path) -> None:
    theory, source = tmp_path / "learned.yaml", tmp_path / "rewards.py"
    assert run("laws", "learn", file, "--as", "theory", "-o", theory).status == 0
    assert load_theory(theory).name == "learned"
    assert run("laws", "learn", file, "--as", "python", "-o", source).status == 0
    module: dict = {}
    exec(source.read_text(encoding="utf-8"), module)
    assert len(module["VALID"]) == len(module["ANYTHING"]) == 22
    refused = run("laws", "learn", file, "-o", source)
    assert refused.status == 2 and "--force" in refused.err
    assert run("laws", "learn", file, "-o", source, "--force").status == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--verify", "1"), "--verify: it needs a world"),
        (("--truth", "crafter"), "--truth: its dialect is crafter, that of the records mars"),
        (("--truth", "defualt"), "default"),
        (("-o", "no/such/folder.txt"), "no such folder"),
    ],
)
def test_bad_arguments(run: Run, file, arguments, message) -> None:
    found = run("laws", "learn", file, *arguments)
    assert found.status == 2 and message in found.err and not found.out


def test_bad_files(run: Run, tmp_path) -> None:
    path = tmp_path / "records.json"
    path.write_text(json.dumps([{"action": "dance"}]), encoding="utf-8")
    found = run("laws", "learn", path)
    assert found.status == 2 and "record 1: action: there is no action 'dance'" in found.err
    assert run("laws", "records", "default", "-o", path).status == 2, "the file exists"
    assert run("laws", "records", "nowhere", "-o", tmp_path / "new.json").status == 2
