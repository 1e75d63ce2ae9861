"""From a spec to a page of results; queries in SQL; mistakes."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rich.console import Console

from mars_logic.cli import summarise
from mars_logic.experiments import cluster, page, published, results
from mars_logic.experiments.record import COLUMNS, together
from mars_logic.experiments.spec import read
from mars_logic.experiments.units import Unit
from mars_logic.experiments.work import Failure, attempt
from mars_logic.world.load import load_world
from tests.cli.conftest import Run
from tests.experiments.test_rows import GOOD
from tests.paths import REPOSITORY

SPEC = """\
agents: [random, {name: oracle}, {name: inductive, label: learner, learn: 1, evaluate: 1}]
worlds: [default, mine.yaml]
seeds: 4..4
length: 30
"""


@pytest.fixture
def at_hand(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Units are done in this process; those whose names are added fail."""
    failing: set[str] = set()

    def do(units: Iterable[Unit], _: int) -> Iterator[tuple[Unit, Any]]:
        for unit in units:
            failed = Failure("RuntimeError: no luck", "no luck") if unit.name in failing else None
            yield unit, failed or attempt(unit)

    monkeypatch.setattr(cluster, "in_processes", do)
    return failing


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "mine.yaml").write_text(
        "base: default\nwalk: {sand: {health: 1}}\n", encoding="utf-8"
    )
    (tmp_path / "spec.yaml").write_text(SPEC, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return "spec.yaml"


@pytest.mark.slow
@pytest.mark.usefixtures("at_hand")
def test_from_a_spec_to_a_page(
    run: Run, spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = run("experiment", spec, "-o", "out", "--json").json
    assert found == {
        "schema": "mars-logic experiment 1",
        "units": {"asked": 6, "done": 6, "now": 6},
        "failed": {},
        "set_aside": {},
        "results": "out/results.parquet",
    }
    certificates = sorted((tmp_path / "out" / "units").glob("mine*/certificates/*.json"))
    assert len(certificates) == 4
    assert run("verify", *certificates).status == 0, "the world is found from the certificate"
    assert run("summarise", "out").err == ""
    again = run("experiment", "out/spec.yaml", "-o", "out")
    assert again.out.startswith("out/results.parquet: 6 of 6 units are done, 0 of them now")

    summed = run("summarise", "out", "--json", "--baseline", "oracle").json
    assert summed["schema"] == "mars-logic summary 1"
    labels = [(row["agent"], row["world"], row["phase"]) for row in summed["results"]]
    assert labels[0] == ("random", "default", "play") and len(labels) == 6
    assert labels[-1] == ("learner", "mine", "evaluate")
    assert [pair["agent"] for pair in summed["paired"]] == ["random"] * 3
    assert [each["curve"][0]["episode"] for each in summed["learning"]] == [1, 1]
    told = run("summarise", "out/results.parquet", "--by", "agent").out
    assert "learner" in told and "mine" not in told
    assert run("summarise", "out", "-o", "r.md", "--plots").status == 0
    assert (
        "](r_recall.png)" in Path("r.md").read_text(encoding="utf-8")
        and Path("r_recall.png").is_file()
    )
    again = "mars-logic experiment spec.yaml -o out\nmars-logic summarise out --plots -o r.md\n"
    assert again in Path("r.md").read_text(encoding="utf-8")
    text = Path("r.md").read_text(encoding="utf-8")
    printed = text.partition("```yaml\n")[2].partition("```\n")[0]
    Path("out/printed.yaml").write_text(printed, encoding="utf-8")
    assert read(Path("out/printed.yaml")) == read(Path("out/spec.yaml"))
    refused = run("summarise", "out", "-o", "r.md")
    assert refused.status == 2 and "it exists already" in refused.err
    assert not Path("r.json").exists(), "no table is long"
    monkeypatch.setattr(page, "LONG", 3)
    assert run("summarise", "out", "-o", "r.md", "--force").status == 0
    assert json.loads(Path("r.json").read_bytes())["results"] == summed["results"]
    Path("r.md").unlink()
    assert "r.json:1: file: it exists already" in run("summarise", "out", "-o", "r.md").err
    assert not Path("r.md").exists()
    assert run("summarise", "out", "-o", "r.csv").status == 0
    lines = [*csv.DictReader(Path("r.csv").read_text(encoding="utf-8").splitlines())]
    rewards = [float(line["reward_mean"]) for line in lines]
    assert rewards == [row["reward"]["mean"] for row in summed["results"]]
    for query in queries(of_games=False):
        assert duckdb.sql(query).fetchall(), query


def queries(*, of_games: bool) -> list[str]:
    """Those of the page that are about games, or the others, about a folder called ``out``."""
    page = (REPOSITORY / "docs" / "experiments.md").read_text(encoding="utf-8")
    found = re.findall(r"^```sql\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(found) >= 3 and all("'results/results.parquet'" in query for query in found)
    asked = [query for query in found if ("avg(score)" in query) == of_games]
    assert asked
    return [query.replace("'results/results.parquet'", "'out/results.parquet'") for query in asked]


@pytest.mark.slow
def test_failures_are_told_and_tried_again(run: Run, spec: str, at_hand: set[str]) -> None:
    Path(spec).write_text(
        "agents: [random]\nworlds: [default]\nseeds: [0, 1]\nlength: 20\n", encoding="utf-8"
    )
    at_hand.add("default__random__s0")
    found = run("experiment", spec, "-o", "out")
    assert found.status == 1 and "1 of 2 units are done, 1 of them now" in found.out
    assert "failed: default__random__s0: RuntimeError: no luck\n" in found.out
    assert Path("out/failures/default__random__s0.txt").is_file()
    assert "1 of 2 units are done; the others are not counted" in run("summarise", "out").err
    at_hand.clear()
    assert "2 of 2 units are done, 1 of them now" in run("experiment", spec, "-o", "out").out
    assert not [*Path("out/failures").iterdir()]
    Path(spec).write_text(
        "agents: [random]\nworlds: [default]\nseeds: [0, 1]\nlength: 21\n", encoding="utf-8"
    )
    changed = run("experiment", spec, "-o", "out")
    assert changed.status == 2 and "default__random__s0 has length 20, not 21" in changed.err


@pytest.mark.slow
def test_certificates_of_anyone_are_summed_up(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for agent in ("random", "oracle"):
        run("run", agent, "default", "--episodes", 2, "--length", 30, "--out", "plays")
    Path("plays/notes.json").write_text("{}", encoding="utf-8")
    found = run("summarise", "plays", "--baseline", "random", "--json")
    assert "plays/notes.json: this is no certificate; it is not counted" in found.err
    told = json.loads(found.out)
    assert [(row["agent"], row["episodes"]) for row in told["results"]] == [
        ("oracle", 2),
        ("random", 2),
    ]
    assert all(row["complete"] is None and row["death"] is None for row in told["results"])
    assert told["cost"] is None and told["paired"][0]["maps"] == 2
    run("summarise", "plays", "-o", "plays.md")
    page = Path("plays.md").read_text(encoding="utf-8")
    assert "mars-logic summarise plays -o plays.md" in page and "## Cost" not in page
    assert "mars-logic experiment" not in page.partition("## Reproduction")[2]


def test_bad_arguments(run: Run, spec: str, tmp_path: Path) -> None:
    assert "no such file; allowed: a spec" in run("experiment", "none.yaml", "-o", "out").err
    for number, text in enumerate(("", "- a list", "agents: [")):
        Path(f"bad{number}.yaml").write_text(text, encoding="utf-8")
        found = run("experiment", f"bad{number}.yaml", "-o", "out")
        assert found.status == 2 and "allowed: a spec" in found.err
    both = run("experiment", spec, "-o", "out", "--workers", 2, "--scheduler", "tcp://x")
    assert both.status == 2 and "--workers: the cluster of --scheduler has its own" in both.err
    (tmp_path / "out").mkdir()
    assert "there is no episode; allowed: the folder of an" in run("summarise", "out").err
    assert "'seed' is nothing to group by" in run("summarise", "out", "--by", "seed").err
    assert "unknown kind '.txt'" in run("summarise", "out", "-o", "r.txt").err
    assert "--plots: there is no page" in run("summarise", "out", "--plots").err


@pytest.mark.slow
@pytest.mark.usefixtures("at_hand")
def test_games_beside_worlds(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    spec = tmp_path / "spec.yaml"
    both = "agents: [random, oracle]\nworlds: [Hanoi3Disk, default]\nseeds: 0..1\nlength: 30\n"
    spec.write_text(both, encoding="utf-8")
    assert run("experiment", spec, "-o", "out").out.startswith(
        "out/results.parquet: 8 of 8 units are done, 8 of them"
    )
    assert run("experiment", spec, "-o", "out").out.startswith(
        "out/results.parquet: 8 of 8 units are done, 0 of them"
    )
    found = run("summarise", "out", "--baseline", "random", "--json").json
    assert [row["world"] for row in found["results"]] == ["default"] * 2
    scores = {row["agent"]: row["score"]["mean"] for row in found["games"]}
    assert scores["oracle"] == 3 and 0 <= scores["random"] < 3
    assert {row["world"] for row in found["paired"]} == {"default", "Hanoi3Disk", None}
    assert run("summarise", "out", "-o", "r.md").status == 0
    page = (tmp_path / "r.md").read_text(encoding="utf-8")
    assert "## Games" in page and "| oracle (given rules, whole map) | Hanoi3Disk | 2 |" in page
    assert run("summarise", "out", "-o", "r.csv").status == 0
    lines = [*csv.DictReader(io.StringIO((tmp_path / "r.csv").read_text(encoding="utf-8")))]
    assert [line["score_mean"] for line in lines if line["world"] == "Hanoi3Disk"][-1] == "3.0"
    for query in queries(of_games=True):
        assert {name for _, name, *_ in duckdb.sql(query).fetchall()} == {"Hanoi3Disk"}
    assert run("report", "out", "-o", "r.html").out.startswith("r.html: 8 episodes, 8 to watch")

    spec.write_text(
        "agents: [random, {name: bayes, learn: 2}]\nworlds: [RockPaperScissorBasic]\nseeds: 0\n",
        encoding="utf-8",
    )
    assert run("experiment", spec, "-o", "games").status == 0
    shown = " ".join(run("summarise", "games").out.split())
    assert "bayes (prior: none)" in shown and "2 (learning)" in shown and "died" not in shown
    assert run("summarise", "games", "-o", "g.md", "--plots").status == 0
    page = (tmp_path / "g.md").read_text(encoding="utf-8")
    assert "## Learning in games" in page and "Success rates" not in page
    for name in ("games", "games_score", "games_reward"):
        assert f"](g_{name}.png)" in page
        assert Path(f"g_{name}.png").read_bytes().startswith(b"\x89PNG")
    assert run("report", "games", "-o", "g.html").out.startswith("g.html: 3 episodes, 3 to watch")


@pytest.mark.parametrize("name", ["small", "results", "sampled", "thinking"])
def test_specs_of_the_checkout(name: str) -> None:
    found = read(REPOSITORY / "benchmarks" / "specs" / f"{name}.yaml")
    assert {setting.evaluate for setting in found.agents} == {2}, "the same maps for all"


def test_the_results_page_has_nine_worlds() -> None:
    found = read(REPOSITORY / "benchmarks" / "specs" / "results.yaml")
    assert {where.world for where in found.worlds} == {*published.REWARDS, "crafter"}
    assert found.length is None, "episodes are as long as those of published results"
    labels = [setting.label for setting in found.agents]
    assert labels[:5] == ["random", "oracle", "informed", "learner", "no-prior"]


def test_a_narrow_terminal_leaves_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    narrow = Console(file=io.StringIO(), width=80)
    monkeypatch.setattr(summarise, "console", lambda: narrow)
    cells = (
        "0.0 ± 0.0 (0.0 to 0.0)",
        "0.0 (0.0 to 0.0)",
        "0% (0%–66%)",
        "0% (0%–66%)",
        "40 (40–40)",
    )
    monkeypatch.setattr(page, "main_rows", lambda *_: [("random", "default", "2", "2", *cells)])
    summarise._print(
        {"results": [], "games": [], "puzzles": [], "paired": [], "given": {}}, ["agent", "world"]
    )
    assert isinstance(narrow.file, io.StringIO)
    shown = narrow.file.getvalue()
    assert "…" not in shown and shown.count("(0%–66%)") == 2 and "episodes" in shown


@pytest.mark.slow
@pytest.mark.usefixtures("at_hand")
def test_another_belief_does_not_mix_with_what_is_done(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "agents: [{name: informed, belief: BELIEF}]\nworlds: [default]\nseeds: 0\nlength: 9\n"
    path = tmp_path / "spec.yaml"
    path.write_text(text.replace("BELIEF", "all_three"), encoding="utf-8")
    assert run("experiment", path, "-o", "out").status == 0
    assert run("experiment", path, "-o", "out").out.endswith(
        "1 of 1 units are done, 0 of them now\n"
    )
    path.write_text(text.replace("BELIEF", "default"), encoding="utf-8")
    other = run("experiment", path, "-o", "out")
    assert other.status == 2 and "default__informed__s0 has belief " in other.err
    found = run("summarise", "out", "--json").json
    assert found["given"] == {"informed": "given a belief"}
    assert "(given a belief)" in " ".join(run("summarise", "out").out.split())
    assert run("summarise", "out", "-o", "r.csv").status == 0
    (line,) = csv.DictReader(io.StringIO((tmp_path / "r.csv").read_text(encoding="utf-8")))
    assert (line["agent"], line["given"]) == ("informed", "given a belief")


def test_results_of_older_versions_are_read(tmp_path: Path) -> None:
    lacking = COLUMNS
    for name in ("belief", "goals"):
        lacking = lacking.remove(lacking.get_field_index(name))
    old = {name: GOOD[name] for name in lacking.names}
    table = pa.Table.from_pylist([old], lacking)
    pq.write_table(table, tmp_path / "results.parquet")
    (row,) = results.read(tmp_path / "results.parquet")
    assert row.belief is None and row.options == "{}"
    assert together([table]).schema.names == COLUMNS.names


def test_worlds_with_goals_of_their_own(run: Run, at_hand: set[str], tmp_path: Path) -> None:
    assert not at_hand
    worlds = [
        str(REPOSITORY / "worlds" / "gallery" / f"{name}.yaml") for name in ("copper", "rooms")
    ]
    about = {"agents": ["random"], "worlds": worlds, "seeds": "1..2", "length": 60}
    (tmp_path / "own.yaml").write_text(json.dumps(about), encoding="utf-8")
    done = run("experiment", tmp_path / "own.yaml", "-o", tmp_path / "own")
    assert done.status == 0, done.err
    found = run("summarise", tmp_path / "own", "--json").json["results"]
    goals = {tuple(each["success"]) for each in found}
    assert goals == {load_world(Path(world)).achievements for world in worlds}
    (both,) = run("summarise", tmp_path / "own", "--by", "agent", "--json").json["results"]
    assert {*both["success"]} == {name for names in goals for name in names}
    asked = run("experiment", tmp_path / "own.yaml", "-o", tmp_path / "own", "--json")
    assert asked.status == 0, "what is done is taken as it is"


def test_a_world_that_an_agent_cannot_play_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "hungry.yaml").write_text(
        "base: default\nconstants: {need: {food: {every: 9}}}\n", encoding="utf-8"
    )
    about = {
        "agents": [{"name": "inductive", "learn": 1}],
        "worlds": ["hungry.yaml"],
        "seeds": "1..1",
    }
    (tmp_path / "own.yaml").write_text(json.dumps(about), encoding="utf-8")
    refused = run("experiment", tmp_path / "own.yaml", "-o", tmp_path / "own")
    assert refused.status == 2 and "counts with the constants" in refused.err
