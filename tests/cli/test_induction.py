"""The commands that find out, check and score rules of puzzles, and their scoreboard."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic.domains import load_game_theory
from tests.cli.conftest import Run
from tests.paths import DATA, REPOSITORY

JOURNALS = REPOSITORY / "docs" / "results" / "rulearn"
RECORDINGS = {each.stem: each for each in (DATA / "rulearn").glob("*.jsonl")}


@pytest.mark.parametrize("name", ["re_r1_06", "fo_r5_19", "er_r1_20"])
def test_the_journals_of_the_documentation_are_made_so(run: Run, tmp_path: Path, name: str) -> None:
    journal = tmp_path / "journal.md"
    assert run("learn", f"rulearn/{name}", "--journal", journal).status == 0
    expected = (JOURNALS / f"{name}.md").read_text(encoding="utf-8")
    assert journal.read_text(encoding="utf-8") == expected


def test_learn_check_and_score(run: Run, tmp_path: Path) -> None:
    theory = tmp_path / "theory.yaml"
    found = run("learn", "rulearn/re_r1_11", "-o", theory, "--json")
    assert found.status == 0 and found.json["solved"]
    entries = found.json["journal"]
    assert len(entries) == len(found.json["actions"])
    assert {"abduction", "deduction", "experiment", "induction"} < set(entries[0])
    assert load_game_theory(theory).domain == "reactor"
    scored = run("score", theory, "rulearn/re_r1_11").out
    assert "equal on all" in scored or "first difference" in scored
    assert run("score", "rulearn/re_r1_11", "rulearn/re_r2_11").out.endswith("14,400 inputs\n")


def test_score_tells_the_first_difference(run: Run) -> None:
    found = run("score", "rulearn/re_r1_01", "rulearn/re_r1_06", "--json").json
    assert not found["equal"]
    assert found["difference"] == "A + B: the theory says AB, the truth BA"
    rooms = run("score", "rulearn/er_r1_01", "rulearn/er_r1_02", "--size", 2).out
    assert "all sets of up to 2 paintings" in rooms and "equal on all" in rooms
    functions = run("score", "rulearn/fo_r1_06", "rulearn/fo_r1_07").out
    assert "first difference, at input 1: parameter a" in functions


def test_check_finds_what_contradicts(run: Run) -> None:
    rooms = run("check", "rulearn/er_r1_01", RECORDINGS["escape_room"])
    assert rooms.status == 0 and rooms.out.count("supported") == 3
    found = run("check", "rulearn/re_r1_11", RECORDINGS["reactor"], "--json")
    assert found.status == 1 and found.json["contradicted"]
    (part,) = found.json["rules"]
    assert part["verdict"] == "contradicted"
    assert "react" in part["counterexamples"][0]["saw"]
    assert part["support"] > 0


def test_check_of_a_theory_with_open_fields(run: Run, tmp_path: Path) -> None:
    """What is open is contradicted by nothing; alternatives are, if none of them agrees."""
    theory = tmp_path / "theory.yaml"
    rule = "rule: {focus: color, focus_order: [blue], digits: [%s, unknown, unknown]}"
    oil = "{value: {count: {medium: oil, color: $focus}}, weight: 1}"
    right = f"{{one_of: [{{value: {{count: {{}}}}, weight: 1}}, {oil}]}}"
    wrong = (
        "{one_of: [{value: {count: {}}, weight: 1}, {value: {count: {color: green}}, weight: 1}]}"
    )
    rooms = "domain: escape_room\nrooms: [{name: Hall, paintings: [44]}]\ndoor: Hall\n"
    for digit, status, verdict in ((right, 0, "supported"), (wrong, 1, "contradicted")):
        theory.write_text(rooms + rule % digit, encoding="utf-8")
        found = run("check", theory, RECORDINGS["escape_room"], "--json")
        verdicts = [each["verdict"] for each in found.json["rules"]]
        assert (found.status, verdicts) == (status, [verdict, "untested", "untested"])
        assert [bool(each["decide"]) for each in found.json["rules"]] == [False, True, True]


def test_a_version_space_is_drawn(run: Run, tmp_path: Path) -> None:
    chart = tmp_path / "chart.png"
    assert run("learn", "rulearn/re_r1_06", "--chart", chart).status == 0
    assert chart.read_bytes().startswith(b"\x89PNG")
    assert run("learn", "rulearn/re_r1_06", "--chart", chart).status == 2, "it exists already"


def test_run_with_the_options_of_players(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "runs"
    names = "rulearn/fo_r1_06", "rulearn/er_r1_01"
    found = run("run", "idea", *names, "--episodes", 1, "--out", out, "--json").json
    assert all(each["completion"] == 1 for each in found["games"].values())
    kept = sorted(out.glob("*.json"))
    assert len(kept) == 2 and all(run("verify", each).status == 0 for each in kept)
    told = run("run", "idea", *names, "--episodes", 1, "--mode", "told", "--json").json
    assert told["agent"] == "told" and told["prior"] == "told"
    plain = run("run", "idea", *names, "--episodes", 1, "--experiments", "none")
    assert plain.status == 0 and "function_operator" in plain.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("learn", "rulearn/er_r1_01", "--mode", "guess"), "there is no mode 'guess'"),
        (("learn", "rulearn/er_r1_1"), "there is no such"),
        (("learn", "rulearn/er_r1_01", "--evaluate", 2), "--evaluate"),
        (("learn", "Hanoi3Disk"), "`learn` supports worlds, function_operator, "),
        (("learn", "default", "--trust-hints"), "--trust-hints"),
        (("learn", "default", "--chart", "c.png"), "--chart"),
        (("learn", "rulearn/er_r1_01", "--chart", "c.gif"), "unknown kind"),
        (("run", "baseline", "rulearn/er_r1_01", "--no-revise"), "--revise"),
        (("score", "rulearn/er_r1_01", "rulearn/re_r1_01"), "is about escape_room"),
        (("score", "rulearn/er_r1_01", "default"), "not both games"),
        (("check", "rulearn/er_r1_01", RECORDINGS["reactor"]), "no episode is about"),
        (("scoreboard", "chess", "-o", "board"), "no benchmark 'chess'"),
        (("scoreboard", "rulearn", "-o", "board", "--players", "me"), "no contestant 'me'"),
        (
            ("run", "idea", "rulearn/re_r1_01", "--option", "trust_hints=maybe"),
            "--option: trust_hints: 'maybe' is not possible; allowed: true, false",
        ),
        (
            ("run", "idea", "rulearn/re_r1_01", "--option", "experiments=foo"),
            "allowed: informative, random, none",
        ),
    ],
)
def test_bad_input(run: Run, arguments: tuple[object, ...], message: str) -> None:
    found = run(*arguments)
    assert found.status == 2 and message in found.err and "Traceback" not in found.err


def test_scoreboard_goes_on(run: Run, tmp_path: Path) -> None:
    common = "scoreboard", "rulearn", "-o", tmp_path, "--puzzles", "rulearn/er_r1_01"
    players = "--players", "idea", "--players", "baseline"
    assert run(*common, *players, "--seeds", 1, "--workers", 1).status == 0
    kept = (tmp_path / "episodes.jsonl").read_text(encoding="utf-8")
    assert len(kept.splitlines()) == 7  # six orders of the digits, and baseline
    found = run(*common, *players, "--seeds", 2, "--workers", 1, "--json").json
    assert len(found["episodes"]) == 9
    assert (tmp_path / "episodes.jsonl").read_text(encoding="utf-8").startswith(kept)
    assert run(*common, "--players", "told", "--seeds", 1, "--workers", 1).status == 0
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| **told** | ours |" in page  # all that the folder holds is in the tables
    assert "| GPT-4o, idea | csv | 50.3%" in page and "| **idea** | ours |" in page
    assert (tmp_path / "solved.png").read_bytes().startswith(b"\x89PNG")
    other = kept.replace("rulearn/er_r1_01", "rulearn/er_r1_0", 1)
    (tmp_path / "episodes.jsonl").write_text(other, encoding="utf-8")
    refused = run(*common, *players, "--seeds", 1, "--workers", 1)
    told = "episodes.jsonl:1: unit.puzzle: there is no puzzle 'rulearn/er_r1_0'"
    assert refused.status == 2 and told in refused.err
