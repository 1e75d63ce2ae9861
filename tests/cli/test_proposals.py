"""Lines that cannot be read: proposed, confirmed by a person, and only then tested."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
import yaml

from mars_logic import load_world
from mars_logic.data import file_name, save
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from tests.cli.conftest import Run
from tests.paths import REPOSITORY
from tests.theory.play import Busy

RULES = """\
Sand can be walked on.
Table recipe: wood x2.
cows maybe poisonous
Zombies never leave you alone: as soon as they see you they come straight at you.
"""
TABLE = "Placing a table uses 2 wood."
NONE = "none of these"


class Keyboard(io.StringIO):
    """Standard input of a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("runs")
    _, trajectory = record(Busy(), Simulator(load_world("default")), 0, agent_name="busy")
    save(trajectory, found / file_name(trajectory.about))
    return found


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.txt"
    path.write_text(RULES, encoding="utf-8")
    return path


def judged(found: object) -> dict[str, str | None]:
    """The ids of the rules that were tested, with how their lines were taken."""
    return {each["id"]: each["taken"] for each in found.json["rules"]}  # type: ignore[attr-defined]


def test_proposals_are_told_and_not_tested(run: Run, rules: Path, play: Path) -> None:
    found = run("check", rules, play, "--json")
    assert found.status == 2 and judged(found) == {"walk.sand": None}
    told = {each["line"]: each["proposals"] for each in found.json["unreadable"]}
    assert told[2] == [TABLE] and told[3] == [] and len(told[4]) == 2
    shown = run("check", rules, play)
    assert f'do you mean: "{TABLE}"?' in shown.err and "the nearest form" in shown.err


def test_a_proposal_that_nothing_comes_near_is_taken_and_marked(
    run: Run, rules: Path, play: Path
) -> None:
    found = run("check", rules, play, "--accept-single", "--json")
    assert found.status == 2 and judged(found) == {"walk.sand": None, "place.table": "proposed"}
    assert {each["line"] for each in found.json["unreadable"]} == {3, 4}
    (table,) = [each for each in found.json["rules"] if each["id"] == "place.table"]
    assert table["source"] == f"{rules}:2" and table["text"] == TABLE
    shown = run("check", rules, play, "--accept-single", "--all")
    assert f"{table['verdict']} (proposed)" in shown.out


def test_what_is_left_in_a_file_of_proposals_is_confirmed(
    run: Run, rules: Path, play: Path, tmp_path: Path
) -> None:
    file = tmp_path / "means.yaml"
    assert run("check", rules, play, "--propose", file).status == 2
    held = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert [each["line"] for each in held["lines"]] == [2, 3, 4]
    assert [each["means"][0] for each in held["lines"]] == [NONE] * 3
    untouched = run("check", rules, play, "--confirmed", file, "--json")
    assert untouched.status == 2 and judged(untouched) == {"walk.sand": None}
    again = run("check", rules, play, "--propose", file)
    assert again.status == 2 and "--force" in again.err

    table, cows, zombies = held["lines"]
    table["means"] = [TABLE]
    cows["means"] = []
    zombies["means"] = ["Zombies do not attack, and they chase the player."]  # in other words
    file.write_text(yaml.safe_dump(held), encoding="utf-8")
    found = run("check", rules, play, "--confirmed", file, "--json")
    assert judged(found) == {
        "walk.sand": None,
        "place.table": "confirmed",
        "creature.zombie": "confirmed",
    }
    assert [each["line"] for each in found.json["unreadable"]] == [3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lines: 3\n", "lines: this is no list of lines"),
        ("rules: []\n", "lines: this is no list of lines"),
        ("lines: [1]\n", "lines[0]: this is no entry"),
        ("lines:\n- {line: 2, text: 'x', means: []}\n", "no unread line of the rules is so"),
        (
            "lines:\n- line: 3\n  text: cows maybe poisonous\n  means: [Sand burns you maybe.]\n",
            'lines[0].means[0]: cannot read "burns you maybe"',
        ),
        (
            "lines:\n- line: 3\n  text: cows maybe poisonous\n  means: [a, b]\n",
            "lines[0].means: 2 sentences are left",
        ),
        ("lines:\n- {line: 3, text: cows maybe poisonous, means: 7}\n", "this is no list"),
    ],
)
def test_a_wrong_file_of_proposals(
    run: Run, rules: Path, play: Path, tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "means.yaml"
    file.write_text(text, encoding="utf-8")
    found = run("check", rules, play, "--confirmed", file)
    assert found.status == 2 and found.out == "" and f"{file}:" in found.err
    assert message in found.err and "; allowed: " in found.err


def test_a_person_is_asked_line_by_line(
    run: Run, rules: Path, play: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Keyboard("9\n1\n2\n"))
    found = run("check", rules, play, "--confirm", "--json")
    assert "Do you mean:" in found.err and f"1. {TABLE}" in found.err
    assert judged(found) == {
        "walk.sand": None,
        "place.table": "confirmed",
        "creature.zombie": "confirmed",
    }
    monkeypatch.setattr(sys, "stdin", Keyboard("\n0\n"))
    found = run("check", rules, play, "--confirm", "--json")
    assert judged(found) == {"walk.sand": None}


def test_a_language_model_chooses_and_its_choice_is_marked(
    run: Run, rules: Path, play: Path, tmp_path: Path
) -> None:
    pytest.importorskip("openai")
    chosen = '{"thought": "it is the recipe", "action": "A"}'
    answers = [
        {"when": "The line: Table recipe", "say": [chosen]},
        {"when": "The line: Zombies", "say": ["I do not know.", "Action: none"]},
    ]
    script, settings = tmp_path / "script.yaml", tmp_path / "model.yaml"
    script.write_text(yaml.safe_dump({"answers": answers}), encoding="utf-8")
    about = {"model": f"scripted:{script}", "exchanges": str(tmp_path / "exchanges")}
    settings.write_text(yaml.safe_dump(about), encoding="utf-8")
    found = run("check", rules, play, "--language", settings, "--json")
    assert judged(found) == {"walk.sand": None, "place.table": "chosen by model"}
    assert [each["line"] for each in found.json["unreadable"]] == [3, 4]
    assert "3 requests" in found.err and "unreadable: 0 of 2" in found.err
    told = run("check", rules, play, "--all", "--accept-single", "--language", settings)
    assert "(proposed)" in told.out, "what is taken already is not asked"
    settings.write_text("temperature: 0\n", encoding="utf-8")
    refused = run("check", rules, play, "--language", settings)
    assert refused.status == 2 and f"{settings}:1: model: it is missing" in refused.err


def test_where_nothing_can_be_confirmed(
    run: Run, rules: Path, play: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    found = run("check", rules, play, "--confirm")
    assert found.status == 2 and "--confirm: there is no terminal to ask on" in found.err
    rules.write_text("Sand can be walked on.\n", encoding="utf-8")
    found = run("check", rules, play, "--propose", tmp_path / "means.yaml")
    assert found.status == 2 and "--propose: every line is read" in found.err
    found = run("check", "rulearn/re_r1_01", "tests", "--accept-single")
    assert found.status == 2 and "a theory has no unread line" in found.err


def test_a_taken_line_changes_no_verdict_on_another(run: Run, rules: Path, play: Path) -> None:
    rules.write_text("Placing a table works on grass.\nTable: wood x9.\n", encoding="utf-8")
    plain = run("check", rules, play, "--json").json["rules"][0]
    found = run("check", rules, play, "--accept-single", "--json").json["rules"]
    assert plain in found and len(found) == 2


def test_lines_about_names_that_a_world_adds(run: Run, tmp_path: Path) -> None:
    world = load_world(REPOSITORY / "worlds" / "gallery" / "copper.yaml")
    _, trajectory = record(Busy(), Simulator(world), 0, agent_name="busy")
    seen = tmp_path / file_name(trajectory.about)
    save(trajectory, seen)
    notes = tmp_path / "notes.txt"
    notes.write_text("Copper: stone pick tier.\ncopper, hm\n", encoding="utf-8")
    found = run("check", notes, seen, "--accept-single", "--json")
    assert found.status == 2 and judged(found) == {"collect.copper": "proposed"}
    chosen = tmp_path / "chosen.yaml"
    assert run("check", notes, seen, "--propose", chosen).status == 2
    told = yaml.safe_load(chosen.read_text(encoding="utf-8"))
    for each in told["lines"]:
        each["means"] = each["means"][1:2]
    chosen.write_text(yaml.safe_dump(told), encoding="utf-8")
    found = run("check", notes, seen, "--confirmed", chosen, "--json")
    assert judged(found) == {"collect.copper": "confirmed"}
