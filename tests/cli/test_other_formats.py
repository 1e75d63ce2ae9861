"""Files of other programs come in, and records go out to other learners."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path
from random import Random

import clingo
import pandas as pd
import pytest

from mars_logic.data import load_all
from mars_logic.views.words import describe
from mars_logic.world.names import ACTIONS
from tests import others
from tests.cli.conftest import Run
from tests.hostile.damage import draw
from tests.hostile.formats import damages

needs_minari = pytest.mark.skipif(find_spec("minari") is None, reason="Minari is not installed")


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An episode of the oracle in the default world."""
    from mars_logic.data import file_name, save
    from mars_logic.play.agent import load_agent
    from mars_logic.play.recording import record
    from mars_logic.sim import Simulator
    from mars_logic.world.load import load_world

    found = tmp_path_factory.mktemp("play")
    simulator = Simulator(load_world("default"))
    _, trajectory = record(load_agent("oracle")(), simulator, 0, agent_name="oracle")
    save(trajectory, found / file_name(trajectory.about))
    return found


# --- In -------------------------------------------------------------------------------------------


def test_a_recorder_of_crafter_is_imported_and_checked(run: Run, tmp_path: Path) -> None:
    files = [others.recorded(tmp_path / str(seed), seed, 250) for seed in range(3)]
    done = run("import", *files, "-o", tmp_path / "play")
    assert done.status == 0 and "3 episodes" in done.out
    assert run("check", "crafter", tmp_path / "play").status == 0
    (tmp_path / "wrong.txt").write_text("Collecting from a tree yields 2 wood.\n", "utf-8")
    assert run("check", tmp_path / "wrong.txt", tmp_path / "play").status == 1
    asked = "violated(T) :- rewarded(T,R), R > 99.\n#show violated/1.\n"
    (tmp_path / "asks.lp").write_text(asked, encoding="utf-8")
    assert run("check", tmp_path / "asks.lp", tmp_path / "play").status == 0
    refused = run("import", files[0], "-o", tmp_path / "more", "--world", "default")
    assert refused.status == 2 and "default is another game" in refused.err


def test_totals_of_a_recorder_are_summed_up(run: Run, tmp_path: Path) -> None:
    for seed in range(2):
        others.recorded(tmp_path / "ppo", seed, 100)
    lines = (tmp_path / "ppo" / "stats.jsonl").read_text(encoding="utf-8").splitlines()
    totals = [json.loads(line) for line in lines]
    found = run("summarise", tmp_path / "ppo" / "stats.jsonl", "--json").json
    (row,) = found["results"]
    assert row["success"]["collect_diamond"]["step"] is None
    (tmp_path / "stats.jsonl").write_text("\n", encoding="utf-8")
    refused = run("summarise", tmp_path / "stats.jsonl")
    assert refused.status == 2 and "there is no episode" in refused.err
    assert row["agent"] == "ppo" and row["episodes"] == 2
    assert row["reward"]["mean"] == pytest.approx(sum(each["reward"] for each in totals) / 2)


def test_results_of_rulearn_become_recordings_and_hypotheses(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "results.csv"
    told = "Ann whistled.<New Row>By turning on the reactor C"
    table.write_text(others.RESULTS.replace("By turning on the reactor A ", told + " ", 1), "utf-8")
    done = run("import", table, "-o", tmp_path / "wrong")
    assert done.status == 2 and "not those of the puzzle re_r1_01" in done.err, (
        "C and C is no CC there"
    )
    table.write_text(others.RESULTS.replace("You entered", "Ann whistled.<New Row>You entered"))
    done = run("import", table, "-o", tmp_path / "play")
    assert done.out.endswith("1 episodes of puzzles, 1 hypotheses\n")
    assert "not read: Ann whistled." in done.err
    (episode,) = (tmp_path / "play").glob("*.jsonl")
    recorded = json.loads(episode.read_text(encoding="utf-8"))
    assert [step["action"]["do"] for step in recorded["steps"]] == [
        *("react", "react", "hypothesise", "react")
    ]
    assert episode.with_suffix(".txt").read_text(encoding="utf-8").startswith("The products")
    assert run("check", "rulearn/re_r1_01", episode).status == 0
    assert run("check", "rulearn/re_r1_06", episode).status == 1, "another rule"


def test_a_table_that_pandas_joined_needs_only_its_columns(
    run: Run, play: Path, tmp_path: Path
) -> None:
    (source,) = play.iterdir()
    table = pd.read_parquet(source).drop(columns=["world", "seed"])
    notes = pd.DataFrame({"step": table["step"], "note": ["seen"] * len(table)})
    table.merge(notes, on="step").to_parquet(tmp_path / "joined.parquet")
    refused = run("import", tmp_path / "joined.parquet", "-o", tmp_path / "none")
    assert refused.status == 2 and "world: it is missing" in refused.err
    done = run("import", tmp_path / "joined.parquet", "--world", "default", "-o", tmp_path / "back")
    assert done.status == 0, done.err
    (episode,), (again,) = load_all(play), load_all(tmp_path / "back")
    assert (again.action == episode.action).all() and again.about.digest == episode.about.digest


@needs_minari
def test_a_data_set_of_minari_that_others_made(run: Run, play: Path, tmp_path: Path) -> None:
    assert run("export", play, "--to", "minari", "-o", tmp_path / "mine-v0").status == 0
    for path in (tmp_path / "mine-v0").rglob("*"):
        if path.suffix in (".json", ".parquet"):
            path.write_bytes(path.read_bytes().replace(b"mars_logic", b"their_tool"))
    refused = run("import", tmp_path / "mine-v0", "-o", tmp_path / "back")
    assert refused.status == 2 and "--world WORLD" in refused.err
    done = run("import", tmp_path / "mine-v0", "--world", "default", "-o", tmp_path / "back")
    assert done.status == 0, done.err
    (episode,), (again,) = load_all(play), load_all(tmp_path / "back")
    assert (again.action == episode.action).all() and "mars" in again.about.dynamics


def test_a_log_in_the_words_of_mars_tells_what_actions_need(
    run: Run, play: Path, tmp_path: Path
) -> None:
    (episode,) = load_all(play)
    views, words = episode.views, episode.about.words
    chosen = [*(ACTIONS[code] for code in episode.action), None]
    lines = [
        {
            "observation": describe(views, "mars", i, None, words),
            "action": action,
            "dynamics": "mars",
        }
        for i, action in enumerate(chosen)
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    told, seen = (
        run("laws", "learn", source, "--truth", "default", "--json").json for source in (log, play)
    )
    assert told["records"] == seen["records"] == len(episode)
    assert told["score"]["wrong"] == seen["score"]["wrong"]
    costs = {law["goal"]: law for law in told["laws"]}
    assert (
        costs["make_wood_pickaxe"]
        == {law["goal"]: law for law in seen["laws"]}["make_wood_pickaxe"]
    )
    lines[0]["observation"] = describe(views, "smartplay", 0, None, words)
    log.write_text(json.dumps(lines[0]) + "\n", encoding="utf-8")
    refused = run("laws", "learn", log)
    assert (
        refused.status == 2 and "is not read; allowed: an observation in the words" in refused.err
    )
    assert "not all that is in view" in run("import", log, "-o", tmp_path / "play").err


# --- Out, and back --------------------------------------------------------------------------------

_LEARNER = """
% The smallest conjunction that holds in all positive examples and in no negative one.
{ taken(P) : body_pred(P,1) } 4.
wrong(S) :- holds(P,S), 1 { taken(Q) : not holds(Q,S) }, example(S).
"""


def _learned(folder: Path, goal: str) -> str:
    """What a learner of single conjunctions finds for a task of Popper's, as Popper prints it."""
    exs, bk, bias = (
        (folder / f"{name}.pl").read_text(encoding="utf-8") for name in ("exs", "bk", "bias")
    )
    examples = re.findall(r"(pos|neg)\((\w+)\((\w+)\)\)\.\n", exs)
    facts = re.findall(r"(\w+)\((\w+)\)\.\n", bk)
    bodies = re.findall(r"body_pred\((\w+),1\)\.\n", bias)
    assert len(examples) == exs.count("\n") and len(facts) == bk.count("\n")
    assert f"head_pred({goal},1).\n" in bias and {head for _, head, _ in examples} == {goal}
    for text in (exs, bk, bias):
        clingo.Control().add("base", [], text)  # Prolog's facts are also those of logic programs
    program = [f"{kind}({state})." for kind, _, state in examples]
    program += [f"holds({name},{state})." for name, state in facts]
    program += [f"body({name})." for name in bodies]
    program += [
        "{ taken(P) : body(P) }.",
        "missed(S,P) :- taken(P), pos(S), not holds(P,S).",
        ":- missed(_,_).",
        "out(S) :- taken(P), neg(S), not holds(P,S).",
        ":- neg(S), not out(S).",
        "#minimize { 1,P : taken(P) }.",
        "#show taken/1.",
    ]
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "\n".join(program))
    control.ground([("base", [])])
    taken: list[str] = []
    with control.solve(yield_=True) as models:
        for model in models:
            taken = [str(each.arguments[0]) for each in model.symbols(shown=True)]
    body = ",".join(f"{name}(V0)" for name in sorted(taken))
    return f"{goal}(V0):- {body}.\n"


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records of the default world."""
    import subprocess
    import sys

    found = tmp_path_factory.mktemp("records") / "records.json"
    made = ["laws", "records", "default", "--per", "10", "--episodes", "3", "-o", str(found)]
    subprocess.run([sys.executable, "-m", "mars_logic", *made], check=True, capture_output=True)
    return found


def test_tasks_for_popper_hold_what_a_learner_needs(
    run: Run, records: Path, play: Path, tmp_path: Path
) -> None:
    goals = ("collect_iron", "collect_diamond", "make_stone_pickaxe", "collect_wood")
    asked = [option for goal in goals for option in ("--goal", goal)]
    done = run("export", records, "--to", "popper", *asked, "-o", tmp_path / "tasks")
    assert done.status == 0 and "4 tasks" in done.out and "12 files" in done.out
    found = "".join(_learned(tmp_path / "tasks" / goal, goal) for goal in goals)
    (tmp_path / "found.pl").write_text(found, encoding="utf-8")
    done = run("import", tmp_path / "found.pl", "--world", "default", "-o", tmp_path / "found.json")
    assert done.status == 0, done.err
    rules = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))["rules"]
    assert {each["id"] for each in rules} == {
        *("collect.iron", "collect.diamond", "make.stone_pickaxe", "collect.tree")
    }
    assert {each["by"] for each in rules} == {"Popper"}
    assert run("check", tmp_path / "found.json", play).status == 0
    told = run("score", tmp_path / "found.json", "default", "--json").json
    assert told


def test_popper_solves_a_task(run: Run, records: Path, tmp_path: Path) -> None:
    loop = pytest.importorskip("popper.loop", reason="Popper is not installed; PyPI has none")
    settings = pytest.importorskip("popper.util").Settings
    run("export", records, "--to", "popper", "--goal", "collect_iron", "-o", tmp_path / "tasks")
    program, *_ = loop.learn_solution(settings(kbpath=str(tmp_path / "tasks" / "collect_iron")))
    assert program is not None


def test_tasks_for_ilasp_are_in_its_grammar(run: Run, records: Path, tmp_path: Path) -> None:
    assert run("export", records, "--to", "ilasp", "-o", tmp_path / "tasks").status == 0
    atom = r"[a-z][a-zA-Z0-9_]*"
    facts = rf"\{{(?:{atom}\.(?: {atom}\.)*)?\}}"
    atoms = rf"\{{(?:{atom})?\}}"
    grammar = re.compile(
        rf"#pos\({atom}, {atoms}, {atoms}, {facts}\)\.|#modeh\({atom}\)\.|"
        rf"#modeb\(1, {atom}, \(positive\)\)\.|#max_penalty\(\d+\)\."
    )
    for path in (tmp_path / "tasks").iterdir():
        lines = path.read_text(encoding="utf-8").splitlines()
        assert all(grammar.fullmatch(line) for line in lines)
        assert sum(line == f"#modeh({path.stem})." for line in lines) == 1
        assert any("{}, {" in line for line in lines) and any("}, {}, {" in line for line in lines)


def test_traces_of_amlgym_go_out_and_come_back(run: Run, records: Path, tmp_path: Path) -> None:
    done = run("export", records, "--to", "amlgym", "-o", tmp_path / "traces")
    assert done.status == 0, done.err
    back = run("laws", "learn", tmp_path / "traces", "--json").json
    laws = {law["goal"]: law for law in back["laws"]}
    assert back["disagree"] == [] and back["dynamics"] == "mars"
    assert laws["make_stone_pickaxe"]["successes"] > 0
    if find_spec("unified_planning") is not None:
        from unified_planning.io import PDDLReader

        text = (tmp_path / "traces" / "domain.pddl").read_text(encoding="utf-8")
        problem = "(define (problem p) (:domain mars) (:init) (:goal (and)))"
        read = PDDLReader().parse_problem_string(text, problem)
        assert {action.name for action in read.actions} >= {"collect_iron", "make_iron_sword"}
    theirs = tmp_path / "blocks_traj"
    theirs.write_text(others.TRACE.replace("(collect_wood)", "(pick-up b1)"), encoding="utf-8")
    refused = run("laws", "learn", theirs)
    assert refused.status == 2 and "'pick-up b1' is no action of a world" in refused.err


@pytest.mark.parametrize(
    ("name", "text", "rules", "by"),
    [
        ("found.pl", others.CLAUSES, 3, "Popper"),
        (
            "found.las",
            "%% done\nplace_stone :- faces_sand; has_stone_1.\ncollect_wood :- faces_tree.\n",
            2,
            "ILASP",
        ),
        ("learned.pddl", others.DOMAIN, 2, "an action model learner"),
    ],
)
def test_what_other_learners_found_becomes_rules(
    run: Run, tmp_path: Path, name: str, text: str, rules: int, by: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    done = run("import", tmp_path / name, "--world", "default", "-o", tmp_path / "rules.yaml")
    assert done.out == f"{tmp_path}/rules.yaml: {rules} rules, not tested\n" and not done.err
    assert run("validate", "--schema", "rules", tmp_path / "rules.yaml").status in (0, 2)
    found = run(
        "import", tmp_path / name, "--world", "default", "-o", tmp_path / "b.json", "--json"
    )
    assert {each["by"] for each in found.json["rules"]} == {by}
    assert {each["verdict"] for each in found.json["rules"]} == {"untested"}


def test_two_clauses_about_placing_are_one_rule(run: Run, tmp_path: Path) -> None:
    (tmp_path / "found.pl").write_text(others.CLAUSES, encoding="utf-8")
    found = run(
        *(
            "import",
            tmp_path / "found.pl",
            "--world",
            "default",
            "-o",
            tmp_path / "r.json",
            "--json",
        )
    ).json
    (placing,) = [each for each in found["rules"] if each["id"] == "place.stone"]
    assert placing["states"]["where"] == {"is": ["water", "grass"]}
    assert placing["text"] == "Placing stone uses 1 stone and works on water or grass."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("collect_iron(A) :- not faces_iron(A).", "no clause of positive propositions"),
        ("collect_iron(A) :- faces_irn(A).", "'faces_irn' is no condition"),
        ("jump(A) :- faces_iron(A).", "'jump' is no goal"),
        ("kill_zombie(A) :- faces_zombie(A).", "no rule of a world says"),
        ("collect_iron(A :-", "no clause of positive propositions"),
        ("What shall I say?", "no clause of positive propositions"),
    ],
)
def test_a_clause_that_no_rule_says_is_told(run: Run, tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "found.pl").write_text(f"% heading\n{text}\n", encoding="utf-8")
    done = run("import", tmp_path / "found.pl", "--world", "default", "-o", tmp_path / "r.json")
    assert done.status == 2 and f"{tmp_path}/found.pl:2: clause: " in done.err
    assert told in done.err and not (tmp_path / "r.json").exists()


# --- Broken ---------------------------------------------------------------------------------------

_BROKEN = {
    "found.pl": (others.CLAUSES, ("import", "@", "--world", "default", "-o", "new.json")),
    "learned.pddl": (others.DOMAIN, ("import", "@", "--world", "default", "-o", "new.json")),
    "results.csv": (others.RESULTS, ("import", "@", "-o", "new")),
    "log.jsonl": (others.LOG, ("laws", "learn", "@", "-o", "new.json")),
    "wood.traj": (others.TRACE, ("laws", "learn", "@", "-o", "new.json")),
}


@pytest.mark.parametrize("seed", range(9))
@pytest.mark.parametrize("name", _BROKEN)
def test_broken_files_are_read_or_refused_in_lines_of_their_own(
    run: Run, name: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """45 damages, drawn anew for each format: no traceback, and nothing is written if refused."""
    monkeypatch.chdir(tmp_path)
    text, command = _BROKEN[name]
    form = "jsonl" if name.endswith("jsonl") else "text"
    random = Random(f"{name} {seed}")
    damage = draw(damages(form, text.encode()), random)
    (tmp_path / name).write_bytes(damage.make(random))
    done = run(*(name if part == "@" else part for part in command))
    assert done.status in (0, 2), damage
    assert "Traceback" not in done.err
    if done.status == 2:
        assert done.err.splitlines()[-1].startswith(f"{name}:") and "allowed: " in done.err, damage
        assert {path.name for path in tmp_path.iterdir()} == {name}
