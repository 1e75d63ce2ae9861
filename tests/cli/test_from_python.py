"""Commands as functions find and print what the commands do."""

from __future__ import annotations

from pathlib import Path

import pytest

import mars_logic
from mars_logic.data import load
from mars_logic.errors import InputError
from tests.cli.conftest import Run


@pytest.fixture
def play(run: Run, tmp_path: Path) -> Path:
    kept = ("--record", tmp_path / "play", "--out", tmp_path / "kept")
    assert run("run", "random", "default", "--episodes", 1, "--length", 80, *kept).status == 0
    return tmp_path


def test_check(run: Run, play: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run("check", "terrain", play / "play", "--all")
    found = mars_logic.check("terrain", play / "play", every=True)
    assert found.good == (done.status == 0)
    assert str(found).splitlines()[:-1] == done.out.splitlines()
    assert str(found).splitlines()[-1] == done.err.splitlines()[-1]
    (file,) = (play / "play").iterdir()
    same = mars_logic.check("terrain", [load(file)], every=True)
    assert [rule.verdict for rule in same.findings.rules] == [
        rule.verdict for rule in found.findings.rules
    ]
    assert capsys.readouterr() == ("", "")
    with pytest.raises(InputError, match="there is none"):
        mars_logic.check("terrain", [])


def test_check_tells_unread_lines(play: Path) -> None:
    rules = play / "rules.txt"
    rules.write_text("Cows do not attack.\nCows glow in the night.\n", encoding="utf-8")
    found = mars_logic.check(rules, play / "play")
    assert not found.good and "1 unreadable line" in str(found)
    assert f"{rules}:2" in str(found)


def test_verify(run: Run, play: Path) -> None:
    found = mars_logic.verify(play / "kept")
    assert found.good and str(found) == run("verify", play / "kept").out.rstrip()
    assert found.rows[0]["valid"] and repr(found).startswith("<VerifyAnswer: ")
    with pytest.raises(InputError, match="no such file"):
        mars_logic.verify([play / "nothing.json"])


@pytest.mark.parametrize("achievement", ["collect_wood", "make_iron_sword"])
def test_explain(run: Run, achievement: str, tmp_path: Path) -> None:
    world = tmp_path / "mine.yaml"
    world.write_text("base: default\ncollect: {iron: {collectable: false}}\n", encoding="utf-8")
    done = run("explain", world, achievement)
    found = mars_logic.explain(str(world), achievement)
    assert found.good == (done.status == 0) == (found.explanation is None)
    assert str(found).splitlines()[1:] == done.out.rstrip().splitlines()[1:]
    with pytest.raises(InputError, match="did you mean 'collect_wood'"):
        mars_logic.explain("default", "collect_wod")


def test_sampled_worlds_of_made_up_names(tmp_path: Path) -> None:
    found = mars_logic.sample(tmp_path, vocabulary=9, rules=12, change="push,projectiles", count=1)
    assert found.good and "15 of 15 achievements reachable" in str(found)
    world = mars_logic.load_world(tmp_path / "sample_0_0.yaml")
    assert len(world.push) == len(world.shoot) == 1
