"""``check --play``: the inductive agent plays what recordings leave untested."""

from __future__ import annotations

from pathlib import Path

import pytest

import mars_logic
from mars_logic.errors import InputError
from mars_logic.play.agent import load_agent
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from mars_logic.theory.rulesets import check_rules, read_rules
from mars_logic.theory.rulesets.open_rules import theory_to_play_by, to_decide
from mars_logic.theory.rulesets.rule_report import Rules
from mars_logic.world.load import load_world
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN
from tests.cli.conftest import Run

STATED = """\
A wood pickaxe requires 4 wood and a table nearby.
Collecting stone requires a wood pickaxe.
"""


@pytest.fixture
def recorded(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert run("run", "random", "default", "--episodes", "1", "--record", "tried").status == 0
    return tmp_path / "tried"


def verdicts(found: Rules | dict) -> dict[str, str]:
    rules = found["rules"] if isinstance(found, dict) else found.to_json()["rules"]
    return {rule["id"]: rule["verdict"] for rule in rules}


def test_what_is_untested_is_open_and_what_is_contradicted_is_left_out() -> None:
    simulator = Simulator(load_world("default"))
    _, played = record(load_agent("random")(), simulator, seed=0, agent_name="random")
    tested = check_rules(read_rules(["default"], played.about.words), [played])
    decided = {each.id for each in to_decide(tested)}
    assert "make.wood_pickaxe" in decided
    assert not any(name.startswith("rename.") for name in decided), "no play shows it"

    stated = theory_to_play_by(tested, opened=False)
    assert stated["make.wood_pickaxe"] == load_world("default")["make.wood_pickaxe"]
    opened = theory_to_play_by(tested, opened=True)
    assert isinstance(opened, Theory)
    assert opened["make.wood_pickaxe"].uses is UNKNOWN
    assert opened["rename.grass"] == load_world("crafter")["rename.grass"]

    wrong = [
        each.model_copy(update={"verdict": "contradicted", "states": {"uses": {"value": {}}}})
        if each.id == "make.wood_pickaxe"
        else each
        for each in tested.rules
    ]
    without = theory_to_play_by(tested.model_copy(update={"rules": tuple(wrong)}), opened=True)
    assert without["make.wood_pickaxe"] == load_world("crafter")["make.wood_pickaxe"]


@pytest.mark.slow
def test_more_play_decides_more(run: Run, recorded: Path) -> None:
    before = run("check", "default", recorded)
    assert "rules could be decided by more play: --play N plays N episodes" in before.err
    few = verdicts(run("check", "default", recorded, "--json").json)
    more = run("check", "default", recorded, "--play", "1", "--record", "more", "--json")
    assert more.status == 0
    assert "inductive played" in more.err and "in 1 episode: see more" in more.err
    many = verdicts(more.json)
    supported = {name for name, verdict in few.items() if verdict == "supported"}
    assert supported < {name for name, verdict in many.items() if verdict == "supported"}
    assert verdicts(run("check", "default", recorded, "more", "--json").json) == many
    again = run("check", "default", recorded, "--play", "1", "--record", "more", "--json")
    assert verdicts(again.json) == many, "the same command plays the same episode"
    assert len(list(Path("more").iterdir())) == 1


@pytest.mark.slow
def test_wrong_rules_are_played_by_until_they_are_contradicted(run: Run, recorded: Path) -> None:
    Path("mine.txt").write_text(STATED, encoding="utf-8")
    found = run("check", "mine.txt", recorded, "--play", "2", "--json")
    told = verdicts(found.json)
    assert told["make.wood_pickaxe"] == "contradicted"
    assert told["collect.stone"] in ("supported", "undecided"), "it was tried"


def test_play_is_refused_where_it_cannot_be(run: Run, recorded: Path) -> None:
    alone = run("check", "default", recorded, "--record", "more")
    assert alone.status == 2 and "--record: nothing is played" in alone.err
    assert run("run", "random", "terrain", "--episodes", "1", "--record", "other").status == 0
    both = run("check", "default", recorded, "other", "--play", "1")
    assert both.status == 2 and "of several worlds; allowed: of one" in both.err
    Path("own.yaml").write_text(
        "base: default\nwalk: {sand: {walkable: false}}\n", encoding="utf-8"
    )
    own = ("run", "random", "own.yaml", "--episodes", "1", "--record", "played")
    assert run(*own).status == 0
    Path("own.yaml").write_text("base: default\n", encoding="utf-8")
    stale = run("check", "default", "played", "--play", "1")
    assert (
        stale.status == 2 and "its rules have changed since the recordings were made" in stale.err
    )
    Path("own.yaml").unlink()
    gone = run("check", "default", "played", "--play", "1")
    assert gone.status == 2 and "own.yaml" in gone.err


@pytest.mark.slow
def test_python_plays_on_as_the_command_does(run: Run, recorded: Path) -> None:
    rules = recorded.parent / "rules.txt"
    rules.write_text(STATED, encoding="utf-8")
    command = run("check", rules, recorded, "--play", 1, "--record", "more", "--json").json
    found = mars_logic.check(rules, recorded, play_on=1, record=recorded.parent / "again")
    assert verdicts(found.findings) == verdicts(command)
    assert "inductive played" in found.text and "in 1 episode" in found.text
    with pytest.raises(InputError, match="nothing is played"):
        mars_logic.check(rules, recorded, record="more")
    with pytest.raises(InputError, match="play_on: -1 is not possible"):
        mars_logic.check(rules, recorded, play_on=-1)
