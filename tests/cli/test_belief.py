"""The option --belief: agents that play by given rules, or start from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic.play.certificate import load
from mars_logic.world.load import load_theory, load_world
from tests.cli.conftest import Run
from tests.paths import REPOSITORY

BELIEF = "name: mine\nbase: all_three\ncollect: {iron: {requires: unknown}}\n"


@pytest.fixture
def belief(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(BELIEF, encoding="utf-8")
    return path


@pytest.mark.slow
def test_run_informed(run: Run, tmp_path: Path) -> None:
    arguments = ("run", "informed", "default", "--episodes", 1, "--length", 40, "--out", tmp_path)
    found = run(*arguments, "--json").json
    assert (found["agent"], found["belief"], found["given"]) == ("informed", None, "given rules")
    assert "informed (given rules)" in run(*arguments).out.splitlines()
    kept = tmp_path / "default__informed__s0.json"
    assert load(kept).agent == "informed" and load(kept).belief is None
    assert run("verify", kept).status == 0
    assert run(*arguments, "--json").json == found, "taken from the folder"


@pytest.mark.long
def test_run_keeps_episodes_of_different_beliefs_apart(
    run: Run, belief: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    common = ("run", "informed", "all_three", "--episodes", 1, "--length", 30, "--out", out)
    recorded = ("--record", tmp_path / "seen")
    found = run(*common, "--belief", belief, *recorded, "--json")
    theory = load_theory(belief)
    assert found.status == 0 and found.json["belief"] == theory.digest
    name = f"informed_with_belief_{theory.digest[:8]}"
    (kept,) = out.glob("*.json")
    assert load(kept).belief == theory.digest and load(kept).agent == name
    assert kept.name == f"all_three__{name}__s0.json"
    assert (tmp_path / "seen" / f"all_three__{name}__s0.parquet").is_file()
    assert run(*common, "--belief", "default").status == 0
    assert run(*common).status == 0
    assert len([*out.glob("*.json")]) == 3
    kept.write_text(
        kept.read_text(encoding="utf-8").replace(theory.digest, "0" * 64), encoding="utf-8"
    )
    other = run(*common, "--belief", belief)
    assert other.status == 2 and "this is another episode" in other.err
    summed = run("summarise", out, "--json").json
    assert summed["given"][name] == "given a belief"
    assert summed["given"]["informed"] == "given rules"
    assert "(given a belief)" in run("summarise", out, "--by", "agent").out.replace("\n", " ")


@pytest.mark.slow
def test_plan_under_a_belief(run: Run, belief: Path, tmp_path: Path) -> None:
    kept = tmp_path / "plan.json"
    common = ("plan", "all_three", "--length", 40, "-o", kept, "--belief")
    found = run(*common, belief, "--json").json
    digest = load_theory(belief).digest
    assert found["belief"] == digest and found["agent"].startswith("informed_with_belief_")
    assert load(kept).belief == digest and run("verify", kept).status == 0
    other = run(*common, "all_three")
    assert other.status == 2 and "this is another episode" in other.err
    assert (
        run("plan", "all_three", "--length", 10, "--agent", "informed", "--json").json["agent"]
        == "informed"
    )


@pytest.mark.long
def test_learn_from_a_belief(run: Run) -> None:
    common = ("learn", "all_three", "--episodes", 1, "--length", 60, "--json")
    found = run(*common, "--belief", "all_three").json
    assert (found["prior"], found["belief"]) == (None, load_world("all_three").digest)
    assert found["scores"]["precision"] == found["scores"]["recall"] == 1.0
    assert found["revisions"] == [], "nothing contradicts the truth"
    usual = run(*common).json
    assert (usual["prior"], usual["belief"]) == ("crafter", None)
    assert usual["scores"]["recall"] < 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("run", "random", "default"),
            "the agent 'random' takes no belief; allowed: inductive, inf",
        ),
        (
            ("run", "oracle", "default"),
            "the agent 'oracle' takes no belief; allowed: inductive, inf",
        ),
        (("plan", "default", "--agent", "clairvoyant"), "the agent 'clairvoyant' takes no belief"),
        (
            ("run", "informed", "default", "crafter"),
            "mine.yaml:1: dynamics: this belief is about m",
        ),
        (("plan", "crafter"), "mine.yaml:1: dynamics: this belief is about mars; allowed: crafter"),
        (
            ("learn", "crafter"),
            "mine.yaml:1: dynamics: this belief is about mars; allowed: crafter",
        ),
        (
            ("learn", "default", "--prior", "none"),
            "--prior, --belief: they exclude each other; allowed: ",
        ),
    ],
)
def test_what_is_no_belief_for_this(
    run: Run, belief: Path, arguments: tuple[str, ...], told: str
) -> None:
    found = run(*arguments, "--belief", belief)
    assert found.status == 2 and told in found.err and found.out == ""
    assert len(found.err.splitlines()) == 1


def test_a_belief_that_is_wrong_is_refused_with_its_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text("base: default\ncollect:\n  tree: {yeilds: {wood: 2}}\n", encoding="utf-8")
    for command in (("run", "informed"), ("plan",), ("learn",)):
        found = run(*command, "default", "--belief", path)
        assert found.status == 2 and "bad.yaml:3: collect.tree.yeilds: unknown field" in found.err
    missing = run("run", "informed", "default", "--belief", "defualt")
    assert missing.status == 2 and "did you mean 'default'" in missing.err


def test_a_belief_about_other_names_is_refused(run: Run, tmp_path: Path) -> None:
    copper = str(REPOSITORY / "worlds" / "gallery" / "copper.yaml")
    more = run("run", "informed", "default", "--episodes", 1, "--belief", copper)
    assert more.status == 2
    assert "copper.yaml:1: adds: this belief is also about brick, copper, copper_" in more.err
    assert "allowed: the names of default, which is played" in more.err
    lacking = run("plan", copper, "--length", 5, "--belief", "default")
    assert lacking.status == 2 and "this belief is not about brick, copper" in lacking.err
    learner = ("run", "inductive", "default", "--episodes", 1, "--length", 5)
    assert run(*learner, "--belief", copper).status == 0, "a learner takes the names that it meets"
    spec = tmp_path / "spec.yaml"
    spec.write_text(
        f"agents: [{{name: informed, belief: {copper}}}]\nworlds: [default]\nseeds: 0\n",
        encoding="utf-8",
    )
    refused = run("experiment", spec, "-o", tmp_path / "out", "--workers", 1)
    assert refused.status == 2 and "this belief is also about" in refused.err
