"""Learners of action models beside ours, on the rules of the same worlds.

AMLGym's learners get the lifted form of a world (``export --to pddl-lifted``) without movement, and
transitions of it: traces, or a simulator to act in. Ours get as many steps of the game itself.

Run: ``python -m mars_logic.benchmarks.action_models SPEC -o OUT``
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, PositiveInt

from mars_logic.errors import InputError
from mars_logic.experiments.cells import table
from mars_logic.experiments.measurement.machine import machine
from mars_logic.logic.pddl import (
    PddlForm,
    domain_text,
    interactions_alone,
    planning_task,
    problem_text,
)
from mars_logic.logic.pddl.lifted import LiftedWriter
from mars_logic.logic.pddl.state import PlanState
from mars_logic.logic.pddl.walks import TRACE_LENGTH, random_walk, trace_of
from mars_logic.system.extras import install_hint
from mars_logic.system.files import write_atomically
from mars_logic.world.load import load_theory, load_world
from mars_logic.world.theory import World

from .learned_models import Accuracy, model_of, predicted, predicted_by_rules, read_model, syntactic
from .spec_files import spec_of
from .workers import answer_of

_WORKER: Final = Path(__file__).with_name("action_model_worker.py")
_PACKAGES: Final = ("amlgym", "n-sam", "olam", "information-gain-aml", "unified-planning")
_GROUND: Final = ("neighbour", "rename", "walk")
"""Families of rules about the ground, which nobody is judged by: movement is left out."""
PRIOR: Final = "rules of default"
OURS: Final = {"revise": ("revise", "default"), "learn-action-models": ("learn-action-models",)}
"""Our learners, with their commands; ``revise`` starts from ordinary rules."""
_FORM: Final = {"revise": (), "learn-action-models": ("--as", "theory")}
_ABOUT: Final = """\
Learners of action models from AMLGym get each world's abstract rules in the lifted form of
`export --to pddl-lifted`, without movement, and {transitions} transitions of it: SAM as traces of
random walks, OLAM and the information-gain agent by acting. Ours get {transitions} steps of the
game, of the oracle's play. `revise` starts from the rules of `default`, which a row shows as they
are; what `learn-action-models` leaves unknown is supposed to be as in Crafter. Each theory was
exported in the same form, on the true world's ground. Tables of rules for a goal have the actions
that can help to reach it, and ours are judged by these alone. OLAM and the information-gain agent,
which ground every action, get only these, and stop when they expect to learn nothing more.

*precision*, *recall*: of literals of preconditions and effects; *applies*: of ground actions in
{states} states of other walks; *effects*: of what those that apply by both change there. All are
means over actions, as AMLGym has them. *time*: processor seconds of learning, of ours with their
start; a learner of AMLGym is ended after {limit} of them, and its processes get {memory} GiB each.
"""
_EXPRESSED: Final = """\
## What differs, and what each cannot express

- **Prior knowledge.** AMLGym's learners are told each action's parameters: which items, materials
  and achievements take part in it, and that amounts are levels with known successors. They need not
  find that collecting iron has to do with a pickaxe. Ours are told the families of rules and names.
- **What a transition is.** One of the abstract level is an interaction; in 300 steps of the game
  most are movement, and many actions are never tried.
- **Chance.** The lifted form has an action for each outcome, so that the learners are told which
  outcome occurred. SAM, OLAM and the information-gain agent have no probabilities; `revise` and
  `learn-action-models` learn from outcomes as the game draws them.
- **Negative preconditions.** SAM keeps what never held as a negative precondition; the worlds have
  none, which costs it precision and is safe.
- **Amounts.** None of the three has numbers: levels of each amount are objects, and no count above
  the most that one action needs is told apart. The true model counts to 9.
- **Where and when.** No learner of AMLGym can say that a table must be *nearby*, that plants ripen,
  that creatures move and spawn, or what damage is; the abstract level has no cells. These are rules
  of `revise`.
- **Time.** OLAM takes the types of objects from what holds of them, and tries an object of unknown
  type as one of every type. So the export leaves out objects that nothing mentions and says the
  type of each other one; before it did, OLAM tried 15,972 ground actions for `collect_wood` in
  `terr_surv`, of which 6 are possible, and had no model of `make_stone_pickaxe` in 30 s. The
  information-gain agent lists every set of preconditions that its failures leave possible: 2²¹ for
  placing a table, whose parameters allow 21 atoms as OLAM counts them, and up to 2⁴² for a stone
  pickaxe. That is the algorithm's, not the export's. It gives up parts of its choices after two
  minutes of wall time each, goes on without them, and then finds nothing to try; such a model
  counts as failed.
- **Ours** know no action that is not of the game's families, and nothing conditional on two facts
  that no rule joins. *applies* of ours is told without levels, which follow from the amounts.
"""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LearningTask(_Part):
    """Rules to learn, those that help to reach a goal, and who learns them.

    Attributes:
        goal: Achievements; empty for all that are reachable.
        learners: Names of learners.
        worlds: Where; empty for all worlds.
    """

    goal: tuple[str, ...]
    learners: tuple[str, ...]
    worlds: tuple[str, ...] = ()


class ActionModelSpec(_Part):
    """The specification of a comparison; see ``benchmarks/specs/action_models.yaml``."""

    worlds: tuple[str, ...]
    tasks: tuple[LearningTask, ...]
    options: dict[str, dict[str, Any]]
    transitions: PositiveInt
    seed: PositiveInt
    tests: PositiveInt
    limit: PositiveInt
    memory: PositiveInt


@dataclass(frozen=True)
class LearnerResult:
    """What a learner made of a world.

    Attributes:
        world: The world.
        goal: What the rules that are learned are for; empty for all that is reachable.
        learner: The learner.
        transitions: How many it used.
        seconds: Processor time of learning; wall time if it was ended.
        told: Why there is no model; empty with one.
        syntactic: Accuracy of literals.
        applies: Of which actions apply.
        effects: Of what these change.
    """

    world: str
    goal: tuple[str, ...]
    learner: str
    transitions: int
    seconds: float
    told: str = ""
    syntactic: Accuracy | None = None
    applies: Accuracy | None = None
    effects: Accuracy | None = None


def read_spec(path: Path) -> ActionModelSpec:
    """The file that states what is measured.

    Raises:
        InputError: It cannot be read or holds a mistake.
    """
    return spec_of(path, ActionModelSpec)


def results(spec: ActionModelSpec, folder: Path) -> Iterator[LearnerResult]:
    """What each learner makes of each world, one after the other.

    Args:
        spec: The specification.
        folder: Where tasks, traces and models are kept.
    """
    for name in spec.worlds:
        theories = {PRIOR: (0, 0.0, load_world("default")), **_ours(spec, name, folder / name)}
        for task in (task for task in spec.tasks if name in (task.worlds or spec.worlds)):
            truth = LiftedWriter(interactions_alone(planning_task(load_world(name), task.goal)))
            first = spec.seed + spec.transitions // TRACE_LENGTH
            states = [*_states(truth, range(first, first + spec.tests))]
            for learner in task.learners:
                place = folder / "__".join((name, *task.goal, learner))
                told = _peer(spec, learner, truth, states, place)
                yield LearnerResult(name, task.goal, learner, *told)
            for learner, (used, seconds, world) in theories.items():
                found = _judged(world, truth, states)
                yield LearnerResult(name, task.goal, learner, used, seconds, "", *found)


_Told = tuple[Any, ...]
"""The attributes of a result from ``transitions`` on."""


def _states(truth: LiftedWriter, seeds: range) -> Iterator[PlanState]:
    """Three states of each walk."""
    for seed in seeds:
        state = PlanState(truth.task)
        for number, step in enumerate(random_walk(truth, TRACE_LENGTH, seed), 1):
            state.apply(step)
            truth.limit(state)
            if number % (TRACE_LENGTH // 3) == 0:
                yield state.copy()


def _peer(
    spec: ActionModelSpec, learner: str, truth: LiftedWriter, states: list[PlanState], folder: Path
) -> _Told:
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / "domain.pddl", domain_text(truth.task, PddlForm.lifted))
    write_atomically(folder / "problem.pddl", problem_text(truth.task, PddlForm.lifted))
    traces = spec.transitions // TRACE_LENGTH
    for number in range(traces):
        walk = random_walk(truth, TRACE_LENGTH, spec.seed + number)
        write_atomically(folder / f"{number}_traj", str(trace_of(truth, walk)))
    start, numbers = time.perf_counter(), (traces, spec.transitions, spec.seed)
    options = json.dumps(spec.options.get(learner, {}))
    limits = spec.limit, spec.memory * 2**30
    given = learner, options, *map(str, numbers + limits)
    answer = answer_of(_WORKER, given, folder, spec.limit)
    if isinstance(answer, str):
        return 0, time.perf_counter() - start, answer
    true = model_of(truth)
    model = read_model((folder / "model.pddl").read_text(encoding="utf-8"), true)
    told = [truth.atoms(state) for state in states]
    accuracies = predicted(model, true, truth.types_of(), told)
    return answer["transitions"], answer["seconds"], "", syntactic(model, true), *accuracies


def _ours(spec: ActionModelSpec, world: str, folder: Path) -> dict[str, tuple[int, float, World]]:
    """Our learners' theories, with the steps they were learned from and the time that took."""
    shutil.rmtree(folder, ignore_errors=True)
    play = ("run", "oracle", world, "--episodes", "1", "--seed", str(spec.seed))
    _mars_logic(*play, "--length", str(spec.transitions), "--record", str(folder / "play"))
    found = {}
    for learner, (command, *given) in OURS.items():
        theory, before = folder / f"{learner}.yaml", os.times()
        _mars_logic(command, *given, str(folder / "play"), *_FORM[learner], "-o", str(theory))
        after = os.times()
        seconds = after.children_user + after.children_system
        seconds -= before.children_user + before.children_system
        found[learner] = spec.transitions, seconds, load_theory(theory).most_likely()
    return found


def _judged(
    world: World, truth: LiftedWriter, states: list[PlanState]
) -> tuple[Accuracy, Accuracy, Accuracy]:
    learnt = (rule for rule in world.rules() if rule.id.partition(".")[0] not in _GROUND)
    mixed = truth.task.world.with_rules(*learnt)
    learned = LiftedWriter(interactions_alone(planning_task(mixed)))
    literals = syntactic(model_of(learned), model_of(truth))
    return literals, *predicted_by_rules(learned, truth, states)


def _mars_logic(*arguments: str) -> None:
    command = [sys.executable, "-m", "mars_logic", *arguments]
    ran = subprocess.run(command, check=False, capture_output=True, encoding="utf-8")
    if ran.returncode:
        raise InputError(f"{' '.join(arguments)}: {ran.stderr.strip()}")


def document(spec: ActionModelSpec, found: list[LearnerResult]) -> dict[str, Any]:
    """The results as one JSON document."""
    return {
        "schema": "mars-logic action models 1",
        "spec": spec.model_dump(),
        "machine": machine(),
        "versions": {package: version(package) for package in _PACKAGES},
        "results": [asdict(each) for each in found],
    }


def page(spec: ActionModelSpec, found: dict[str, Any], command: str) -> str:
    """The results as a page in Markdown."""
    parts = [f"# Learners of action models\n\nMade by `{command}`.\n"]
    parts.append(_ABOUT.format(**found["spec"] | {"states": 3 * spec.tests}))
    head = ("learner", "transitions", "precision", "recall", "applies", "effects", "time")
    for world in spec.worlds:
        for task in (task for task in spec.tasks if world in (task.worlds or spec.worlds)):
            some = [each for each in found["results"] if each["world"] == world]
            rows = [_row(each) for each in some if tuple(each["goal"]) == task.goal]
            title = f"{world}: rules for {', '.join(task.goal)}" if task.goal else world
            parts += [f"## {title}\n", table(head, rows)]
    parts.append(_EXPRESSED)
    for title, facts in (("Versions", found["versions"]), ("Machine", found["machine"])):
        parts.append(f"{title}: {', '.join(f'{name} {fact}' for name, fact in facts.items())}.\n")
    return "\n".join(parts)


def _row(each: dict[str, Any]) -> list[str]:
    if each["told"]:
        return [each["learner"], "", each["told"], "", "", "", ""]
    literals, *others = (each[name] for name in ("syntactic", "applies", "effects"))
    cells = [f"{literals[name]:.2f}" for name in ("precision", "recall")]
    cells += [f"{pair['precision']:.2f}, {pair['recall']:.2f}" for pair in others]
    return [each["learner"], str(each["transitions"]), *cells, f"{each['seconds']:.1f} s"]


def main(arguments: list[str] | None = None) -> None:
    """Measure, and write ``action_models.json`` and ``README.md``."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("spec", type=Path)
    parser.add_argument("-o", "--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    try:
        spec = read_spec(given.spec)
        if find_spec("amlgym") is None:
            told = "the package 'amlgym' is not installed"
            raise InputError(f"action_models: {told}; allowed: first {install_hint('amlgym')}")
        found = []
        for each in results(spec, given.out / "work"):
            found.append(each)
            print(f"{each.world}, {each.learner}: {each.told or each.syntactic}", flush=True)
    except InputError as error:
        parser.exit(2, f"{error}\n")
    kept = document(spec, found)
    command = f"python -m mars_logic.benchmarks.action_models {given.spec}"
    write_atomically(given.out / "action_models.json", json.dumps(kept, indent=1) + "\n")
    write_atomically(given.out / "README.md", page(spec, kept, command))


if __name__ == "__main__":
    main()
