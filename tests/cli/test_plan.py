from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from mars_logic import load_world
from mars_logic.experiments.runs import Run as Runs
from mars_logic.play.agent import load_agent
from mars_logic.play.certificate import LowerBound, load, verify
from tests.cli.conftest import Run

WORLD, SEED = "surv_task", 4


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of the oracle, played once for all tests."""
    path = tmp_path_factory.mktemp("plan") / "plan.json"
    Runs("oracle", load_agent("oracle"), load_world(WORLD), WORLD).episode(SEED, kept_at=path)
    return path


@pytest.fixture
def plan(run: Run, kept: Path) -> Callable[..., Any]:
    return lambda *options: run("plan", WORLD, "--seed", SEED, "-o", kept, *options)


@pytest.mark.slow
def test_what_was_unlocked_when(plan: Run, kept: Path) -> None:
    found = plan()
    assert found.status == 0, found.err
    certificate = load(kept)
    assert certificate.agent == "oracle" and certificate.seed == SEED
    first = f"oracle unlocked {len(certificate.unlocked)} of 22 achievements"
    assert first in found.out.splitlines()[0]
    lines = [line.split() for line in found.out.splitlines()]
    shown = {line[0]: int(line[1]) for line in lines if line[0] in certificate.unlocked}
    assert shown == certificate.unlocked
    assert [*shown.values()] == sorted(shown.values())


def test_json(plan: Run, kept: Path) -> None:
    document = plan("--json").json
    certificate = load(kept)
    assert document["schema"] == "mars-logic plan 1"
    assert document["world"] == {"name": WORLD, "digest": load_world(WORLD).digest}
    assert document["unlocked"] == certificate.unlocked and document["out"] == str(kept)
    assert document["unreachable"] == [] and document["explanation"] is None


@pytest.mark.slow
def test_the_plan_is_told(plan: Run, kept: Path) -> None:
    steps = plan("--explain", "--json").json["explanation"]["steps"]
    told: dict[str, int] = {}
    for line in steps:
        found = re.fullmatch(r"Steps? (\d+)(?: to (\d+))?, .*for the achievements? (.*)\.", line)
        if found:
            names = re.split(", | and ", found[3])
            told |= {name.replace(" ", "_"): int(found[2] or found[1]) for name in names}
    unlocked = load(kept).unlocked
    assert set(told) == set(unlocked)
    assert all(told[name] >= step for name, step in unlocked.items())
    assert steps[0] in " ".join(plan("--explain").out.split())


@pytest.mark.slow
def test_the_numbers_of_rollouts_are_told(plan: Run, run: Run) -> None:
    about = ("plan", "default", "--seed", 3, "--agent", "informed", "--length", 200)
    rollouts = run(*about, "--explain", "--json").json["rollouts"]
    assert rollouts["compared"] >= len(rollouts["changed"]) > 0
    for changed in rollouts["changed"]:
        options = {one["action"]: one for one in changed["compared"]["options"]}
        meant = changed["compared"]["options"][0]
        assert changed["taken"] in options and changed["taken"] != meant["action"]
        assert all(0 <= one["alive"] <= 1 for one in options.values())
    kept = plan("--explain")
    assert "Decisions by rollouts are known only of episodes" in " ".join(kept.out.split())
    assert plan("--explain", "--json").json["rollouts"] is None


@pytest.mark.slow
def test_a_film(plan: Run, tmp_path: Path) -> None:
    film = tmp_path / "film.gif"
    assert plan("--film", film).status == 0
    with Image.open(film) as pictures:
        assert pictures.n_frames > 100  # type: ignore[attr-defined]
        assert pictures.height > pictures.width, "step, action and achievement stand below"
    found = plan("--film", film)
    assert found.status == 2 and "--force" in found.err
    assert "unknown kind of film" in plan("--film", tmp_path / "film.avi").err


@pytest.mark.slow
def test_what_is_there_is_not_played_again_nor_replaced(run: Run, kept: Path) -> None:
    before = kept.read_bytes()
    for options in (("--seed", 5), ("--seed", SEED, "--episode", 2)):
        found = run("plan", WORLD, *options, "-o", kept)
        assert found.status == 2 and "another episode" in found.err
    assert kept.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--agent", "random"), "--agent: random does not know the rules; allowed: clairvoyant"),
        (("--agent", "orakel"), "did you mean 'oracle'?"),
        (("-o", "nowhere/plan.json"), "no such folder"),
    ],
)
def test_bad_input_is_one_line(run: Run, options: tuple[str, ...], message: str) -> None:
    found = run("plan", WORLD, *options)
    assert found.status == 2 and message in found.err and found.err.count("\n") == 1


def test_later_episodes_have_maps_of_their_own(tmp_path: Path) -> None:
    world = load_world("task_dep")
    run = Runs("random", load_agent("random"), world, "task_dep")
    found = run.episode(3, 2, kept_at=tmp_path / "two.json")
    assert load(tmp_path / "two.json").episode == 2
    assert verify(found.certificate, world).valid
    chances = [r.proof.achievements["eat_plant"].probability for r in (found, run.episode(3))]
    assert chances[0] != chances[1], "as many cells to try luck on, on two maps"


def test_a_lower_bound_becomes_part_of_the_certificate(tmp_path: Path) -> None:
    world, bound = load_world("default"), LowerBound(steps=1, method="something takes a step")
    run = Runs("random", load_agent("random"), world, "default", lower_bound=lambda *_: bound)
    found = run.episode(3, kept_at=tmp_path / "one.json")
    assert load(tmp_path / "one.json").lower_bound == bound
    assert verify(found.certificate, world).valid


def change_an_action(document: dict[str, Any]) -> None:
    step = document["unlocked"]["place_table"]
    document["actions"][step - 1] = 0


def claim_too_early(document: dict[str, Any]) -> None:
    last = max(document["unlocked"], key=document["unlocked"].get)
    document["unlocked"][last] -= 1


def take_another_world(document: dict[str, Any]) -> None:
    document["world"]["digest"] = load_world("default").digest


def take_another_world_by_name(document: dict[str, Any]) -> None:
    document["world"]["name"] = "default"


def bound_above(document: dict[str, Any]) -> None:
    document["lower_bound"] = {"steps": document["steps"] + 1, "method": "none"}


@pytest.mark.parametrize(
    "tamper",
    [
        change_an_action,
        claim_too_early,
        take_another_world,
        take_another_world_by_name,
        bound_above,
    ],
)
def test_verify_finds_any_tampering(
    run: Run, kept: Path, tmp_path: Path, tamper: Callable[[dict[str, Any]], None]
) -> None:
    document = json.loads(kept.read_text(encoding="utf-8"))
    (tmp_path / "same.json").write_text(json.dumps(document), encoding="utf-8")
    assert run("verify", tmp_path / "same.json").status == 0
    tamper(document)
    path = tmp_path / "tampered.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    found = run("verify", path, "--json")
    (row,) = found.json
    assert found.status == 1 and not row["valid"] and row["problems"]
    assert {"certificate", "valid", "unlocked", "reward"} <= set(row)
