"""Learned action models beside true ones: what is counted, and what is refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mars_logic import load_world
from mars_logic.benchmarks import action_models
from mars_logic.benchmarks.action_models import read_spec
from mars_logic.benchmarks.learned_models import (
    Accuracy,
    model_of,
    predicted,
    predicted_by_rules,
    read_model,
    syntactic,
)
from mars_logic.errors import InputError
from mars_logic.logic.pddl import PddlForm, domain_text, interactions_alone, planning_task
from mars_logic.logic.pddl.lifted import LiftedWriter
from mars_logic.logic.pddl.state import PlanState
from mars_logic.logic.pddl.walks import random_walk
from mars_logic.world.theory import World
from tests.paths import REPOSITORY

PERFECT = Accuracy(1.0, 1.0)
SPEC = REPOSITORY / "benchmarks" / "specs" / "action_models.yaml"


def writer(world: World, goal: str = "make_stone_pickaxe") -> LiftedWriter:
    return LiftedWriter(interactions_alone(planning_task(world, [goal])))


def states(of: LiftedWriter) -> list[PlanState]:
    found, state = [], PlanState(of.task)
    for step in random_walk(of, 30, 5):
        found.append(state.copy())
        state.apply(step)
        of.limit(state)
    return found


def text_without(text: str, action: str, atom: str) -> str:
    """A domain without an atom in the precondition of an action."""
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if line.endswith(f"(:action {action}"))
    assert atom in lines[at + 2]
    lines[at + 2] = lines[at + 2].replace(atom, "")
    return "\n".join(lines)


def test_the_true_model_is_read_and_perfect() -> None:
    truth = writer(load_world("crafter"))
    true = model_of(truth)
    text = domain_text(truth.task, PddlForm.lifted)
    assert read_model(text, true) == true
    assert syntactic(true, true) == PERFECT
    told = [truth.atoms(state) for state in states(truth)]
    assert predicted(true, true, truth.types_of(), told) == (PERFECT, PERFECT)
    assert predicted_by_rules(truth, truth, states(truth)) == (PERFECT, PERFECT)


def test_a_missing_precondition_costs_recall_and_lets_more_apply() -> None:
    truth = writer(load_world("crafter"))
    true, text = model_of(truth), domain_text(truth.task, PddlForm.lifted)
    need = "(wood_pickaxe_at_least_1 ?wood_pickaxe_before)"
    wrong = text_without(text, "collect_stone", need)
    model = read_model(wrong, true)
    literals = syntactic(model, true)
    assert literals.precision == 1 and literals.recall < 1
    told = [truth.atoms(state) for state in states(truth)]
    applies, effects = predicted(model, true, truth.types_of(), told)
    assert applies.precision < 1 and applies.recall == 1 and effects == PERFECT


def test_a_wrong_rule_is_judged_as_one() -> None:
    truth = writer(load_world("crafter"))
    rule = load_world("crafter").make["stone_pickaxe"]
    dearer = rule.with_fields({"uses": {"wood": 2, "stone": 1}}, truth.task.world.vocabulary)
    learned = writer(truth.task.world.with_rules(dearer))
    applies, _ = predicted_by_rules(learned, truth, states(truth))
    assert applies.recall < 1
    assert syntactic(model_of(learned), model_of(truth)).recall < 1


@pytest.mark.parametrize("text", ["(define", "(define (domain a) (:action b :parameters ()))"])
def test_what_is_no_model_of_the_task_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="allowed"):
        read_model(text, model_of(writer(load_world("crafter"))))


def test_the_spec_is_read_and_mistakes_are_told(tmp_path: Path) -> None:
    assert len(read_spec(SPEC).worlds) == 3
    wrong = tmp_path / "spec.yaml"
    wrong.write_text(SPEC.read_text(encoding="utf-8").replace("limit: 120", "limit: -1"))
    with pytest.raises(InputError, match=r"spec.yaml: limit"):
        read_spec(wrong)


def test_without_the_extra_one_line_says_how_to_install_it(tmp_path: Path) -> None:
    (tmp_path / "amlgym.py").write_text("", encoding="utf-8")
    code = (
        "import importlib.util as u, sys; real = u.find_spec;"
        "u.find_spec = lambda name, *a: None if name == 'amlgym' else real(name, *a);"
        "from mars_logic.benchmarks.action_models import main;"
        f"main([{str(SPEC)!r}, '-o', {str(tmp_path)!r}])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, encoding="utf-8"
    )
    assert ran.returncode == 2 and "[amlgym]" in ran.stderr and ran.stderr.count("\n") == 1


@pytest.mark.filterwarnings("ignore")
def test_literals_are_counted_as_by_amlgym(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    metrics = pytest.importorskip("amlgym.metrics", exc_type=ImportError)
    truth = writer(load_world("crafter"))
    text = domain_text(truth.task, PddlForm.lifted)
    wrong = text_without(text, "make_stone_pickaxe", "(found ?table_cell)")
    wrong = re.sub(r"\(not \(wood_is \?wood_before\)\)", "(wood_full ?wood_before)", wrong, count=1)
    paths = [tmp_path / "learned.pddl", tmp_path / "true.pddl"]
    for path, said in zip(paths, (wrong, text), strict=True):
        path.write_text(said, encoding="utf-8")
    true = model_of(truth)
    ours = syntactic(read_model(wrong, true), true)
    files = tuple(map(str, paths))
    theirs = metrics.syntactic_precision(*files), metrics.syntactic_recall(*files)
    assert tuple(map(float, (one["mean"] for one in theirs))) == pytest.approx(
        (ours.precision, ours.recall), abs=0.0051
    )


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_sam_is_measured(tmp_path: Path) -> None:
    pytest.importorskip("amlgym", exc_type=ImportError)
    spec = tmp_path / "spec.yaml"
    spec.write_text(
        "worlds: [terr_surv]\ntasks:\n  - {goal: [make_wood_pickaxe], learners: [SAM]}\n"
        "options: {}\ntransitions: 60\nseed: 1\ntests: 2\nlimit: 60\nmemory: 3\n",
        encoding="utf-8",
    )
    action_models.main([str(spec), "-o", str(tmp_path / "out")])
    kept = json.loads((tmp_path / "out" / "action_models.json").read_text(encoding="utf-8"))
    by = {each["learner"]: each for each in kept["results"]}
    assert list(by) == ["SAM", "rules of default", *action_models.OURS]
    assert by["SAM"]["told"] == "" and by["SAM"]["applies"]["precision"] == 1  # it is safe
    page = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "terr_surv: rules for make_wood_pickaxe" in page and "| SAM | 60 |" in page
