"""The commands on puzzles: lists, what is told, runs, certificates, play, recordings, mistakes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mars_logic.cli.play import GameSession, play_on, resume
from mars_logic.data import load
from mars_logic.domains import games_of, load_game
from mars_logic.domains.certificates import PlayerReference, certify_game
from mars_logic.domains.rulearn.reactor.rules import products
from mars_logic.domains.runs import certificate_path
from tests.cli.conftest import Run
from tests.domains.texts import parse_game_theory
from tests.paths import DATA, REPOSITORY, SHARED

REACTOR, ROOM, FUNCTIONS = "rulearn/re_r1_06", "rulearn/er_r1_15", "rulearn/fo_r1_20"
PUZZLES = (REACTOR, ROOM, FUNCTIONS)
RECORDINGS = sorted((DATA / "rulearn").glob("*.jsonl"))
OWN = "domain: reactor\ntarget: ACB\nrule: 3\n"


def test_worlds_lists_sets_and_at_wish_each_puzzle(run: Run) -> None:
    found = run("worlds")
    assert all(name in found.out for name in ("rulearn/reactor", "rulearn/all", "300"))
    assert REACTOR not in found.out and REACTOR in run("worlds", "--all").out
    document = run("worlds", "--json").json
    sizes = {row["name"]: row["games"] for row in document["sets"]}
    assert sizes == {
        "rulearn/function_operator": 100,
        "rulearn/escape_room": 100,
        "rulearn/reactor": 100,
        "rulearn/all": 300,
    }
    rows = run("worlds", "--all", "--json").json["games"]
    assert [row["name"] for row in rows[-300:]] == list(games_of("rulearn/all"))


@pytest.mark.parametrize("name", PUZZLES)
def test_show_tells_what_a_player_is_told(run: Run, name: str) -> None:
    puzzle = load_game(name)
    words, solved = run("show", name).out, run("show", name, "--solution").out
    assert solved.startswith(words) and "You have 15 steps." in words
    secret = {
        REACTOR: "the second input followed by the first input",
        ROOM: "the number of paintings whose medium is oil",
        FUNCTIONS: "Parameter a is 2.",
    }[name]
    assert secret not in words and secret in solved
    told = run("show", name, "--as", "yaml").out
    assert "unknown" in told
    whole = run("show", name, "--as", "yaml", "--solution").out
    assert whole == puzzle.to_yaml()
    facts = run("show", name, "--as", "facts").out
    more = run("show", name, "--as", "facts", "--solution").out
    assert len(more) > len(facts) or name == FUNCTIONS
    hidden = {REACTOR: "case(1)", ROOM: "hangs(", FUNCTIONS: 'value("a", 2)'}[name]
    assert hidden in more and hidden not in facts
    assert run("show", name, "--json").json["domain"] == puzzle.domain


def test_what_is_shown_can_be_loaded(run: Run, tmp_path: Path) -> None:
    for name in PUZZLES:
        path = tmp_path / "again.yaml"
        assert run("show", name, "--as", "yaml", "-o", path, "--force").status == 0
        assert run("validate", path).err.startswith(f"{path}: valid: a theory, ")
        assert run("show", path).out.startswith("- ")
        run("show", name, "--as", "yaml", "--solution", "-o", path, "--force")
        assert load_game(path) == load_game(name)


def test_variants_are_chosen_by_options_or_in_the_name(run: Run) -> None:
    assert "It is said" in run("show", REACTOR).out
    without = run("show", REACTOR, "--hints", "none")
    assert "It is said" not in without.out
    assert without.out == run("show", f"{REACTOR}@hints=none").out
    assert "brute force" not in run("show", ROOM, "--dialect", "mended").out
    found = run("diff", REACTOR, f"{REACTOR}@dialect=mended")
    assert (found.status, found.out) == (0, "dialect\n  - faithful\n  + mended\n")


def test_run_sums_up_by_family(run: Run) -> None:
    found = run("run", "random", "rulearn/all@round=2", ROOM, "--episodes", 2, "--json").json
    families = found["families"]
    assert {name: row["puzzles"] for name, row in families.items()} == {
        "function_operator": 20,
        "escape_room": 21,
        "reactor": 20,
    }
    assert sum(row["episodes"] for row in families.values()) == 2 * 61 == 2 * len(found["games"])
    for name, row in families.items():
        episodes = [
            episode
            for game in found["games"].values()
            if game["domain"] == name
            for episode in game["episodes"]
        ]
        assert row["solved"]["rate"] == sum(each["completed"] for each in episodes) / len(episodes)
        low, high = row["solved"]["interval"]
        assert low <= row["solved"]["rate"] <= high
    table = run("run", "random", "rulearn/all@round=2", ROOM, "--episodes", 2).out
    assert all(family in table for family in families) and "95 % interval" in table


def test_certificates_replay_and_are_not_played_again(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    options = ("--episodes", 2, "--hints", "schematic", "--out", folder)
    first = run("run", "random", REACTOR, *options, "--json").json
    kept = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert sorted(path.name for path in kept) == [
        f"rulearn_re_r1_06_hints_schematic__random__s{seed}.json" for seed in (0, 1)
    ]
    assert run("run", "random", REACTOR, *options, "--json").json == first
    assert all(path.stat().st_mtime_ns == time for path, time in kept.items())
    found = run("verify", *kept)
    assert found.status == 0 and f"valid, {REACTOR}@hints=schematic, 15 steps" in found.out


@pytest.fixture
def certificate(run: Run, tmp_path: Path) -> Path:
    folder = tmp_path / "certified"
    assert run("run", "random", FUNCTIONS, "--episodes", 1, "--out", folder).status == 0
    (path,) = folder.iterdir()
    return path


def changed(path: Path, change: Any) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    path.write_text(json.dumps(document), encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda held: held.update(steps=3), "it claims 3 steps and has 15 that count"),
        (lambda held: held.update(score=1), "it claims a score of 1, and the replay gave 0"),
        (
            lambda held: held["actions"].__setitem__(2, {"do": "submit"}),
            "step 3: action: submit is not on offer; allowed: enter_code, evaluate 1, ",
        ),
        (
            lambda held: held["actions"].__setitem__(0, {"do": "react", "materials": "A"}),
            "step 1: action: materials: 'A' is not possible; allowed: a list of texts",
        ),
        (
            lambda held: held["actions"].__setitem__(0, 3),
            "step 1: action: 3 is not an action; allowed: a mapping with 'do'",
        ),
        (
            lambda held: held["actions"].append({"do": "malformed"}),
            "the episode is over after step 15",
        ),
    ],
)
def test_verify_finds_tampering(run: Run, certificate: Path, change: Any, problem: str) -> None:
    changed(certificate, change)
    found = run("verify", certificate)
    assert found.status == 1 and f"  {problem}" in found.out


def test_a_damaged_certificate_is_one_message(run: Run, certificate: Path) -> None:
    changed(certificate, lambda held: held["actions"].__setitem__(0, "react A"))
    found = run("verify", certificate)
    assert found.status == 2 and len(found.err.splitlines()) == 1
    assert found.err.startswith(f"{certificate}:1: actions[0]: 'react A' is not an action; allowed")


def test_a_person_types_actions(tmp_path: Path, run: Run) -> None:
    puzzle = load_game("rulearn/fo_r1_03")
    session = GameSession(puzzle, 0)
    shown: list[str] = []
    typed = [
        "evaluate function 1 at 1/2",
        "evaluate function 1 at --2",
        "jump",
        "evaluate function 7 at 1",
        "enter code a=1",
        "",
    ]
    answers = iter([f"{each}\n" if each else "" for each in typed])
    play_on(session, shown.append, lambda _: next(answers))
    assert session.steps == 3 and not session.over
    start, half, minus, jump, seventh, code = shown
    assert "1. enter code CODE" in start and start.endswith("Nothing has been tried yet.")
    assert half.startswith("The input is not valid") and minus.startswith("The input is not valid")
    assert jump.startswith("'jump' is no action; allowed: evaluate function NUMBER at INPUT, ")
    assert "evaluate 7" in seventh and "is not on offer; allowed: enter_code, evaluate 1" in seventh
    assert code.startswith("The code is wrong: 1 is wrong.")
    human = PlayerReference(name="human")
    path = certificate_path(tmp_path, puzzle, human, 0)
    made = certify_game(session.played(), puzzle, puzzle.name, 0, human)
    path.write_text(made.model_dump_json(by_alias=True), encoding="utf-8")
    assert run("verify", path).status == 0
    resumed = GameSession(puzzle, 0)
    resume(resumed, path)
    assert resumed.simulator.snapshot() == session.simulator.snapshot()
    play_on(resumed, shown.append, lambda _: "enter code 2\n")
    assert resumed.over and resumed.outcome.completed and resumed.steps == 3
    assert "The code 2 is right.\nThe puzzle is solved." in shown[-2]


def test_conform(run: Run, tmp_path: Path) -> None:
    found = run("conform", *RECORDINGS, DATA / "smartplay" / "rps.jsonl")
    assert found.status == 0 and found.out.startswith("4 of 4 recordings of games agree; ")
    (row,) = run("conform", RECORDINGS[2], "--json").json["recordings"]
    assert row["settings"] == {"reactor": 4} and row["difference"] is None
    path = tmp_path / "changed.jsonl"
    lines = RECORDINGS[2].read_text(encoding="utf-8").splitlines()
    episode = json.loads(lines[1])
    episode["steps"][1]["outcome"]["steps"] += 1
    path.write_text(f"{lines[0]}\n{json.dumps(episode)}\n", encoding="utf-8")
    found = run("conform", path)
    assert found.status == 1
    place = f"{path}:2: episode {episode['id']}, step 1: outcome.steps: recorded "
    assert found.out.startswith(place)
    (row,) = run("conform", path, "--json").json["recordings"]
    assert (row["difference"]["step"], row["difference"]["field"]) == (1, "outcome.steps")


ALL = SHARED / "reference" / "systems" / "golden" / "rulearn"


@pytest.mark.skipif(not ALL.exists(), reason="the full set of recordings is not at hand")
def test_conform_with_all_recordings(run: Run) -> None:
    found = run("conform", *sorted(ALL.glob("*.jsonl")))
    assert found.out == "3 of 3 recordings of games agree; 360 episodes, 3,998 steps compared\n"


def test_validate_warns_where_a_parameter_cancels(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    terms = "[{param: a, coef: 3, basis: x}, {param: a, coef: 3, basis: -x}, %s]"
    text = "domain: function_operator\nfunctions: [" + terms + "]\n"
    path.write_text(text % "{param: b, coef: 2, basis: x^2}", encoding="utf-8")
    found = run("validate", path, "--json")
    warning = "functions: the terms of parameter a cancel at every x"
    assert found.status == 0 and found.err.startswith(f"{path}: warning: {warning}")
    assert found.json["files"][0]["warnings"][0].startswith(warning)
    path.write_text(text % "{param: a, coef: 3, basis: sin(x)}", encoding="utf-8")
    assert "warning" not in run("validate", path).err
    assert not any("warning" in run("validate", name).err for name in games_of("rulearn/all")[:9])


WRONG = [
    (("show", "rulearn/fo_r1_21"), "rulearn/fo_r1_21:1: game: there is no such game, did you mean"),
    (("show", "rulearn/reactor"), "rulearn/reactor:1: game: this is a set of games; allowed: "),
    (("show", REACTOR, "--hints", "all"), f"{REACTOR}@hints=all: hints: there is no 'all'"),
    (("show", ROOM, "--hints", "none"), "there is no variant by 'hints'; allowed: dialect"),
    (
        ("show", "default", "--dialect", "mended"),
        "default@dialect=mended: a world has no variants; allowed: default",
    ),
    (("show", "default", "--solution"), "--solution: this is no puzzle; allowed: a puzzle"),
    (("show", "Hanoi3Disk", "--solution"), "--solution: this is no puzzle; allowed: a puzzle"),
    (("show", REACTOR, "--as", "tree"), "--as: a game has no tree; allowed: words, yaml, facts"),
    (("diff", REACTOR, ROOM), "belongs to reactor, 'rulearn/er_r1_15' to escape_room; allowed: "),
    (("run", "random", "rulearn/all@round=9"), "round: there is no round '9'; allowed: 1, 2, "),
    (("run", "bayes", REACTOR), "reactor has no player 'bayes'; allowed: idea, told"),
    (
        ("run", "random", REACTOR, "--learn"),
        "'random' has no theory of rulearn/re_r1_06; allowed: ",
    ),
    (("run", "random", REACTOR, "default"), "is a game, and 'default' is a world; allowed: "),
    (("run", "random", REACTOR, "--length", 3), "--length: this option does not apply here"),
]


@pytest.mark.parametrize(("words", "message"), WRONG, ids=[" ".join(map(str, w)) for w, _ in WRONG])
def test_what_is_wrong_is_one_line(run: Run, words: tuple[object, ...], message: str) -> None:
    found = run(*words)
    assert (found.status, found.out) == (2, "")
    assert message in found.err and len(found.err.splitlines()) == 1 and "; allowed: " in found.err


def test_a_wrong_file_is_one_line_for_each_mistake(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(OWN + "hints: [{inputs: [A], products: [B]}]\n", encoding="utf-8")
    for command in (("show",), ("validate",), ("run", "random")):
        found = run(*command, path)
        assert found.status == 2 and len(found.err.splitlines()) == 1
        assert found.err.startswith(f"{path}:4: hints[0].inputs: ")
    path.write_text(OWN.replace("3", "unknown"), encoding="utf-8")
    assert run("validate", path).status == 0
    found = run("run", "random", path)
    assert found.err.startswith(f"{path}:3: rule: a game must be fully known; allowed: ")
    path.write_text(OWN, encoding="utf-8")
    found = run("run", "random", path, "--belief", "Hanoi3Disk")
    assert found.status == 2 and "; allowed: " in found.err


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["random"])
def test_experiments_take_sets(run: Run, tmp_path: Path, agent: str) -> None:
    spec, out = tmp_path / "spec.yaml", tmp_path / "out"
    sets = '["rulearn/reactor@round=1", "rulearn/er_r1_01@dialect=mended"]'
    spec.write_text(f"agents: [{agent}]\nworlds: {sets}\nseeds: 0\n", encoding="utf-8")
    assert run("experiment", spec, "-o", out, "--workers", 1).status == 0
    rows = run("summarise", out, "--json").json["puzzles"]
    assert [(row["domain"], row["puzzles"], row["episodes"]) for row in rows] == [
        ("escape_room", 1, 1),
        ("reactor", 20, 20),
    ]
    certificates = [*out.glob("units/*/certificates/*.json")]
    assert len(certificates) == 21 and run("verify", *certificates).status == 0
    again = run("experiment", spec, "-o", out, "--workers", 1, "--json").json
    assert again["units"] == {"asked": 21, "done": 21, "now": 0}


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("worlds: [rulearn/reactors]", ":2: worlds[0]: rulearn/reactors:1: game: there is no such"),
        ('worlds: ["rulearn/all@round=7"]', ":2: worlds[0]: rulearn/all@round=7: round: there is"),
        ("worlds: [rulearn/re_r1_01]\nlength: 0", ":3: length: "),
    ],
)
def test_specs_that_are_wrong(run: Run, tmp_path: Path, spec: str, message: str) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(f"agents: [random]\n{spec}\nseeds: 0\n", encoding="utf-8")
    found = run("experiment", path, "-o", tmp_path / "out")
    assert found.status == 2 and found.err.startswith(f"{path}{message}")
    assert len(found.err.splitlines()) == 1 and "; allowed: " in found.err


def test_the_page_is_what_a_person_sees() -> None:
    """The dialogue on the page about puzzles, answer by answer."""
    page = (REPOSITORY / "docs" / "rulearn.md").read_text(encoding="utf-8")
    dialogue, *_ = re.findall(r"^```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    typed = re.findall(r"^Action, or q to stop: (.*)$", dialogue, re.MULTILINE)
    told: list[str] = []

    def ask(question: str) -> str:
        answer = typed.pop(0)
        told.append(f"{question}{answer}\n")
        return f"{answer}\n"

    session = GameSession(load_game(REACTOR), 0)
    play_on(session, lambda text: told.append(f"{text}\n\n"), ask)
    assert session.outcome.completed and session.steps == 2
    assert "".join(told[1:]) == f"{dialogue}\n"


def test_the_puzzle_on_the_page_is_the_third_rule() -> None:
    page = (REPOSITORY / "docs" / "rulearn.md").read_text(encoding="utf-8")
    stated = re.findall(r"^```yaml\n(domain: reactor\n.*?)^```", page, re.MULTILINE | re.DOTALL)[0]
    puzzle = parse_game_theory(stated, "page.yaml")
    inputs = [u + v for u in ("", "A", "BC", "ABC") for v in ("D", "EF")]
    released = load_game("rulearn/re_r1_11")
    for u in inputs:
        for v in inputs:
            assert products(puzzle.rule, u, v) == products(released.rule, u, v)


def test_episodes_of_puzzles_are_recorded(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "new"
    assert run("run", "random", REACTOR, "--episodes", 1, "--record", kept, "--public").status == 0
    (path,) = kept.glob("*.parquet")
    found = load(path)
    assert found.score is None and json.loads(found.actions[0])["do"] == "react"
    assert run("report", path, "-o", tmp_path / "r.html").out.endswith("1 to watch, 0.1 MB\n")


def test_a_rule_beyond_the_languages_is_played_to_the_end(run: Run) -> None:
    found = run("run", "idea", DATA / "rulearn_own" / "unexplained.yaml", "--episodes", 1)
    assert found.status == 0 and "escape_room" in found.out


def test_sentences_are_not_tested_against_numbers_for_training(run: Run, tmp_path: Path) -> None:
    rules, seen = tmp_path / "rules.txt", tmp_path / "seen"
    rules.write_text("The first digit is the number of yellow paintings.\n", encoding="utf-8")
    played = ("run", "random", "rulearn/er_r1_01", "--episodes", 1)
    assert run(*played, "--record", seen).status == 0
    found = run("check", rules, seen)
    assert found.status == 2 and "trajectories of games; allowed: certificates" in found.err
