"""One document for all rules that are proposed: written, read, diffed, validated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from mars_logic import load_world
from mars_logic.theory.rulesets import Rules
from mars_logic.theory.rulesets.artefact import load_rules, theory_of_rules
from tests.cli.conftest import Run
from tests.paths import DATA

WRONG = "name: wrong\nbase: all_three\ncollect:\n  iron: {leaves: path}\n"
MINE = """# mine
- A tree gives wood
- Cows do not attack.
- Cows glow in the night.
```lp
violated("never twice") :- did(T, do), faces(T, iron).
applicable("never twice", T) :- did(T, do).
```
"""


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An episode of the oracle in all_three."""
    from mars_logic.data import file_name, save
    from mars_logic.play.agent import load_agent
    from mars_logic.play.recording import record
    from mars_logic.sim import Simulator

    folder = tmp_path_factory.mktemp("play")
    simulator = Simulator(load_world("all_three"), length=120)
    _, trajectory = record(load_agent("oracle")(), simulator, 0, agent_name="oracle")
    save(trajectory, folder / file_name(trajectory.about))
    return folder


def read(path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("form", ["wrong.yaml", "mine.md"])
@pytest.mark.parametrize("ending", ["json", "yaml"])
def test_rules_that_are_read_again_are_judged_alike(
    run: Run, play: Path, tmp_path: Path, form: str, ending: str
) -> None:
    stated = tmp_path / form
    stated.write_text(WRONG if form == "wrong.yaml" else MINE, encoding="utf-8")
    first, second = (tmp_path / f"{name}.{ending}" for name in ("first", "second"))
    done = run("check", stated, play, "-o", first)
    again = run("check", first, play, "-o", second)
    assert done.status == again.status == 1 and again.out == done.out
    one, other = read(first), read(second)
    assert other.pop("rules_from") == str(first) and one.pop("rules_from") == str(stated)
    assert one == other
    assert run("diff", first, second).err == f"0 of {len(one['rules'])} rules differ\n"
    assert run("validate", first).status == 0
    schema = run("validate", "--schema", "rules").json
    Draft202012Validator(schema).validate(read(second))


def test_different_files_are_compared_and_told(run: Run, tmp_path: Path) -> None:
    sentences, said, whole = (tmp_path / name for name in ("s.txt", "said.json", "whole.json"))
    sentences.write_text("A tree yields wood\n", encoding="utf-8")
    assert run("score", sentences, "default", "-o", said).status == 0
    assert run("score", "default", "default", "-o", whole).status == 0
    assert run("diff", said, whole).err == "53 of 53 rules differ\n"
    for pair in ((said, "default"), ("default", said)):
        refused = run("diff", *pair)
        assert refused.status == 2 and len(refused.err.splitlines()) == 1
        assert f"'{said}' is a file of rules, and 'default' is none; allowed: " in refused.err
    page = tmp_path / "page.html"
    assert run("report", said, "-o", page).status == 0
    assert "A tree yields wood" in page.read_text(encoding="utf-8")


def test_a_counterexample_has_its_place(run: Run, play: Path, tmp_path: Path) -> None:
    wrong, out = tmp_path / "wrong.yaml", tmp_path / "rules.json"
    wrong.write_text(WRONG, encoding="utf-8")
    assert run("check", wrong, play, "-o", out).status == 1
    (rule,) = (each for each in load_rules(out).rules if each.id == "collect.iron")
    assert rule.verdict == "contradicted" and rule.states is not None
    assert rule.states["leaves"] == {"value": "path"}
    assert rule.counterexamples[0].trajectory == str(next(play.iterdir()))
    assert rule.counterexamples[0].step


def test_a_revision_keeps_how_rules_came_about(run: Run, play: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    assert run("revise", "default", play, "-o", first).status == 0
    rules = {each.id: each for each in load_rules(first).rules}
    iron = rules["collect.iron"]
    assert iron.by == "revise" and iron.verdict != "contradicted"
    assert iron.revisions[0].before.startswith("Collecting from iron needs a stone pickaxe")
    assert iron.revisions[0].after == iron.text and iron.revisions[0].step
    assert theory_of_rules(load_rules(first), first)["collect.iron"].leaves == "tree"
    again = run("revise", first, play, "-o", second)
    assert again.status == 0 and "0 of 52 rules changed" in again.err
    assert {each.id: each for each in load_rules(second).rules}["collect.iron"] == iron.model_copy(
        update={"source": str(first)}
    )
    changed = run("diff", first, second, "--json").json
    assert changed["rules"] == []


def test_scores_say_which_rules_are_right(run: Run, tmp_path: Path) -> None:
    sentences, out = tmp_path / "s.txt", tmp_path / "scored.yaml"
    sentences.write_text("A tree yields wood\nCows do not attack\n", encoding="utf-8")
    done = run("score", sentences, "all_three", "-o", out)
    assert done.status == 0
    rights = [each.right for each in load_rules(out).rules]
    assert rights.count(True) == rights.count(False) == 1
    again = run("score", out, "all_three")
    assert again.out.splitlines()[:5] == done.out.splitlines()[:5]


@pytest.mark.slow
def test_a_learner_tells_its_rules(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "learned.json"
    assert run("learn", "terrain", "--episodes", 1, "--length", 30, "-o", out).status == 0
    found = load_rules(out)
    assert found.made_by.startswith("mars-logic learn ")
    changed = [each for each in found.rules if each.revisions]
    assert changed and all(each.by == "learn" and each.when for each in changed)
    assert all(each.right is not None for each in found.rules)
    assert run("prove", "terrain").status == 0


def test_puzzles(run: Run, tmp_path: Path) -> None:
    recorded, out = DATA / "rulearn" / "reactor.jsonl", tmp_path / "rules.json"
    done = run("check", "rulearn/re_r1_11", recorded, "-o", out)
    again = run("check", out, recorded, "--json")
    assert done.status == again.status == 1
    assert again.json["rules"][0]["counterexamples"][0]["step"] == 10
    assert run("score", out, "rulearn/re_r1_11").out.startswith("compared: ")
    learned = tmp_path / "learned.json"
    assert run("learn", "rulearn/re_r1_11", "-o", learned).status == 0
    assert load_rules(learned).puzzle


def test_a_report_shows_rules_with_the_moments_against_them(
    run: Run, play: Path, tmp_path: Path
) -> None:
    wrong, folder = tmp_path / "wrong.yaml", tmp_path / "folder"
    wrong.write_text(WRONG, encoding="utf-8")
    folder.mkdir()
    (recorded,) = play.iterdir()
    (folder / recorded.name).write_bytes(recorded.read_bytes())
    assert run("check", wrong, folder, "-o", folder / "rules.json").status == 1
    assert run("report", folder, "-o", tmp_path / "page.html").status == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Rules in rules.json" in page
    assert "iron needs nothing, yields 1 iron and leaves a path" in page


def document(**changes: Any) -> dict[str, Any]:
    rule = {
        "id": "walk.sand",
        "text": "Sand can be walked on",
        "states": {"walkable": {"is": True}},
    }
    return {"schema": "mars-logic rules 1", "dynamics": "mars", "rules": [rule | changes]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "this is no file of rules"),
        ("{", "this is no file of rules"),
        ("[]", "this is no file of rules"),
        ({"schema": "mars-logic rules 2", "rules": []}, "this is no file of rules"),
        ({"schema": "mars-logic rules 1"}, "rules: this field is missing"),
        ({**document(), "rules": 3}, "3 is not a list"),
        ({**document(), "dynamics": "chess"}, "chess is no dialect"),
        ({**document(), "adds": {"materials": {"Copper!": {}}}}, "is no name"),
        ({**document(), "puzzle": {"domain": "chess"}}, "chess"),
        (document(states={"walkable": {"has": ["wood"]}}), "unknown key 'has'"),
        (document(id="collect.tree", states={"requires": {"has": {"wood": 3}}}), "is no element"),
        (document(states={"walkable": 3}), "3"),
        (document(id="collect.tree", states={"yields": {"lacks": [3]}}), "3 cannot be in it"),
        (document(states={"health": {"sign": 2}}), "unknown key 'sign'"),
        (document(id="walk.sad"), "did you mean 'walk.sand'"),
        (document(id="no.such"), "there is no rule 'no.such'"),
        (document(states={}), "no field is stated of walk.sand"),
        (document(states={"walkabel": {"value": True}}), "has no field 'walkabel'"),
        (document(states={"walkable": {"is": 7}}), "7"),
        (document(states={"walkable": {"was": 7}}), "unknown key 'was'"),
        (document(states={"walkable": {"value": "unknown"}}), "no field is stated of walk.sand"),
        (document(states={"walkable": {"has": {"wood": {"amount": 1}}}}), "walkable"),
        (document(states=None), "neither states nor a program"),
        (document(verdict="proved"), "verdict: 'proved' is not possible"),
        (document(support="many"), "support"),
        (document(contradicted=-1), "contradicted"),
        (document(colour="red"), "unknown field 'colour'"),
        (document(program="violated(", states=None), "program"),
        (document(confidence=3), "confidence"),
        (document(id="collect.tree", states={"yields": {"has": {"gold": {}}}}), "gold"),
    ],
)
def test_broken_documents_are_one_line(
    run: Run, play: Path, tmp_path: Path, content: Any, message: str
) -> None:
    path = tmp_path / "rules.json"
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    found = run("check", path, play)
    assert found.status == 2 and found.out == ""
    assert message in found.err and found.err.count("\n") == 1, found.err
    assert path.read_text(encoding="utf-8") == text


def test_rules_are_not_replaced_by_accident(run: Run, play: Path, tmp_path: Path) -> None:
    kept = tmp_path / "rules.json"
    kept.write_text("mine", encoding="utf-8")
    for command in (("check", "default", play), ("score", "default", "all_three")):
        assert "it exists already" in run(*command, "-o", kept).err
        assert "unknown kind '.txt'" in run(*command, "-o", tmp_path / "rules.txt").err
    assert kept.read_text(encoding="utf-8") == "mine"
    assert "allowed: world, rules" in run("validate", "--schema", "worlds").err


def test_the_document_prints_as_it_is_told() -> None:
    rules = Rules.model_validate_json(json.dumps(document(verdict="supported")))
    assert str(rules) == "walk.sand: supported, 0 against\n1 supported; 0 transitions"
    assert repr(rules) == "<Rules: 1 supported; 0 transitions>"


@pytest.mark.slow
def test_an_observation_that_noise_explains_contradicts_nothing(
    run: Run, play: Path, tmp_path: Path
) -> None:
    """One observation of many against a rule is named, and counts only without noise."""
    program = tmp_path / "rules.lp"
    program.write_text(
        'violated("once") :- unlocked(T, make_iron_pickaxe).\n'
        'applicable("once", T) :- transition(T).\n'
        'violated("often") :- moved(T).\napplicable("often", T) :- transition(T).\n',
        encoding="utf-8",
    )
    found = run("check", program, play, "--json")
    assert {each["id"]: each["verdict"] for each in found.json["rules"]} == {
        "once": "contradicted" if found.json["rules"][0]["contradicted"] else "supported",
        "often": "contradicted",
    }
    told = run("check", program, play).err
    for noise in ("0.05", "fit"):
        judged = run("check", program, play, "--noise", noise, "--json")
        rules = {each["id"]: each for each in judged.json["rules"]}
        assert rules["often"]["verdict"] == "contradicted" and judged.status == 1
        assert rules["once"]["verdict"] == "supported"
        assert 0 < judged.json["noise"] <= 0.05
    if found.json["rules"][0]["contradicted"]:
        assert "only one observation contradicts once" in told
        assert rules["once"]["as_noise"] == 1 and rules["once"]["contradicted"] == 0


@pytest.mark.parametrize("rate", ["0", "0.5", "-1", "nan", "some", "", "1e999"])
def test_rates_of_noise_that_are_none(run: Run, play: Path, rate: str) -> None:
    for command in (("check", "default", play), ("laws", "learn", play)):
        found = run(*command, "--noise", rate)
        assert found.status == 2 and found.out == ""
        assert (
            "--noise" in found.err
            and "allowed: a number above 0 and at most 0.4, or fit" in found.err
        )
