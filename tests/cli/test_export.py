from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.logic.pddl.interpreter import Game
from tests.paths import REPOSITORY


@pytest.mark.parametrize("target", ["pddl", "pddl-strips"])
def test_the_files_are_a_domain_and_a_problem(run: Run, target: str, tmp_path: Path) -> None:
    done = run("export", "default", "--to", target, "-o", tmp_path / "a" / "b")
    assert done.status == 0
    texts = [
        (tmp_path / "a" / "b" / f"{name}.pddl").read_text(encoding="utf-8")
        for name in ("domain", "problem")
    ]
    assert len(Game(*texts).goal) == 22
    assert (":numeric-fluents" in texts[0]) == (target == "pddl")


def test_a_world_for_learners_of_action_models(run: Run, tmp_path: Path) -> None:
    goal = "--goal", "make_wood_pickaxe"
    lifted = "export", "crafter", "--to", "pddl-lifted", *goal, "--traces", "2", "-o", tmp_path
    done = run(*lifted)
    assert done.status == 0 and "2 traces, random walks from seed 0 on" in done.out
    texts = [(tmp_path / f"{part}.pddl").read_text(encoding="utf-8") for part in DOMAIN]
    exported = Game(*texts)
    assert exported.goal == [("unlocked", "make_wood_pickaxe_goal")]
    trace = (tmp_path / "1_traj").read_text(encoding="utf-8")
    (first, *_) = re.findall(r"\(:action \((\w+)", trace)
    assert trace.count("(:action ") == 30 and first in exported.schemas
    (tmp_path / "domain.pddl").unlink()
    (tmp_path / "problem.pddl").unlink()
    assert "0_traj" in run(*lifted).err, "nothing is replaced unasked"


DOMAIN = "domain", "problem"


def test_a_world_in_rddl(run: Run, tmp_path: Path) -> None:
    done = run("export", "crafter", "--to", "rddl", "--goal", "collect_sapling", "-o", tmp_path)
    assert done.status == 0 and not [*tmp_path.glob("*.pddl")]
    domain, instance = ((tmp_path / f"{part}.rddl").read_text(encoding="utf-8") for part in DOMAIN)
    assert "luck_collect-grass_1 = Bernoulli(0.1);" in domain
    assert "held(@sapling) = 0;" in instance and "horizon = 10000;" in instance


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--to", "pddl", "--traces", "1"), "--traces: not with --to pddl"),
        (("--to", "rddl", "--map", "0", "--plan", "plan.pddl"), "--plan: not with --to rddl"),
        (("--to", "pddl-lifted", "--public"), "--public: not with --to pddl-lifted"),
    ],
)
def test_what_says_nothing_about_a_form_is_refused(
    run: Run, options: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    done = run("export", "crafter", *options, "-o", tmp_path / "out")
    assert done.status == 2 and said in done.err and not (tmp_path / "out").exists()


def test_goals_and_json(run: Run, tmp_path: Path) -> None:
    goals = ("--goal", "collect_coal", "--goal", "wake_up", "--luck", "sure")
    done = run("export", "default", "--to", "pddl", "-o", tmp_path, *goals, "--json")
    assert done.json["goal"] == ["collect_coal", "wake_up"]
    assert done.json["actions"]["collect-tree"] == {"rule": "collect.tree", "gain": None}
    assert "collect-grass-until-sapling" not in done.json["actions"], "that takes luck"
    texts = [
        Path(done.json["files"][name]).read_text(encoding="utf-8") for name in ("domain", "problem")
    ]
    assert Game(*texts).goal == [("unlocked", "collect_coal"), ("unlocked", "wake_up")]


def test_nothing_is_replaced_unasked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "problem.pddl").write_text("mine", encoding="utf-8")
    command = ("export", "default", "--to", "pddl", "-o", tmp_path)
    refused = run(*command)
    assert refused.status == 2
    assert "problem.pddl" in refused.err
    assert "--force" in refused.err
    assert (tmp_path / "problem.pddl").read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "domain.pddl").exists()
    assert run(*command, "--force").status == 0
    assert (tmp_path / "problem.pddl").read_text(encoding="utf-8") != "mine"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--goal", "collect_daimond"), "did you mean 'collect_diamond'"),
        (("--goal", "collect_sapling", "--luck", "sure"), "not proved reachable"),
    ],
)
def test_impossible_goals(run: Run, options: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = run("export", "default", "--to", "pddl", "-o", tmp_path / "new", *options)
    assert done.status == 2
    assert said in done.err
    assert not list(tmp_path.iterdir())


def test_a_file_is_no_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    done = run("export", "default", "--to", "pddl", "-o", tmp_path / "file")
    assert done.status == 2
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


@pytest.mark.slow
def test_play_becomes_a_plan_that_is_carried_out(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    assert run("plan", "default", "--seed", 1, "--length", 60, "-o", kept).status == 0
    goal = ("--goal", "collect_wood")
    done = run("export", kept, "--to", "pddl", "-o", tmp_path / "task", *goal, "--json")
    plan = Path(done.json["files"]["plan"])
    assert done.json["plan"]["interactions"] > 0
    command = ("verify", plan, "--world", "default", "--map", 1)
    (row,) = run(*command, "--json").json
    assert row["verdict"] == "valid" and row["done"] == row["interactions"]
    assert "collect_wood" in row["unlocked"] and "collect_wood" in row["unlocked_in_task"]
    plan.write_text("(place-table grass-cell)", encoding="utf-8")
    found = run(*command)
    assert found.status == 1
    assert "NOT VALID" in found.out and f"{plan}:" in found.out and "(held wood) is 0" in found.out


@pytest.mark.slow
def test_play_in_a_world_with_other_names_becomes_a_plan(run: Run, tmp_path: Path) -> None:
    world = REPOSITORY / "worlds" / "gallery" / "workshops.yaml"
    task, plan = tmp_path / "task", tmp_path / "plan.pddl"
    done = run("export", world, "--to", "pddl", "--map", 1, "-o", task, "--plan", plan)
    assert done.status == 0, done.err
    (row,) = run("verify", plan, "--world", world, "--map", 1, "--json").json
    assert row["verdict"] == "valid" and len(row["unlocked"]) == 10


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("export default --to pddl -o new --plan plan.pddl", "with --map SEED"),
        ("export kept.json --to pddl -o new --map 1", "--map: not with a certificate"),
        ("export default --to parquet -o new --plan plan.pddl", "--plan: not with --to parquet"),
        ("verify plan.pddl", "a plan does not name its world"),
        ("verify plan.pddl --world default", "--map: it is missing"),
        ("verify plan.pddl --map 1", "--world: it is missing"),
        ("verify plan.pddl --world default --map 1", "no such file"),
        ("verify empty", "it holds no certificate"),
    ],
)
def test_refused_plans(
    run: Run, command: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    found = run(*command.split())
    assert found.status == 2 and said in found.err
