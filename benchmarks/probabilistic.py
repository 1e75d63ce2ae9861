"""Probabilistic planners of others on exported tasks, beside our expected counts.

Run: ``python -m mars_logic.benchmarks.probabilistic SPEC -o OUT``
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, PositiveInt

from mars_logic.errors import InputError
from mars_logic.experiments.cells import table
from mars_logic.experiments.measurement.machine import machine
from mars_logic.logic.pddl import (
    PddlForm,
    PlanningTask,
    domain_text,
    interactions_alone,
    planning_task,
    problem_text,
)
from mars_logic.system.extras import install_hint
from mars_logic.system.files import write_atomically
from mars_logic.world.load import load_world

from .expected_counts import optimal
from .spec_files import spec_of
from .workers import answer_of

WORKER: Final = Path(__file__).with_name("probabilistic_worker.py")
_PACKAGES: Final = ("scikit-decide", "pyRDDLGym", "pyRDDLGym-jax", "jax", "gymnasium")
_MODULES: Final = ("skdecide", "pyRDDLGym_jax")
_NORMAL: Final = 1.96
"""Standard errors of a 95 % interval."""
_ABOUT: Final = """\
Each task is a world's rules for a goal with the game's chances, without movement
(`export --to ppddl` and `--to rddl` have it with movement). *ours* is the fewest expected
interactions by value iteration over our model. Solvers of
[scikit-decide](https://airbus.github.io/scikit-decide) read PPDDL, JaxPlan of
[pyRDDLGym-jax](https://github.com/pyrddlgym-project/pyRDDLGym-jax) reads RDDL, and each plays its
policy in its own package's simulator of the task. *value* is what the solver tells of the start,
*played* the mean interactions of its episodes with a 95 % interval, *time* processor time with the
start: of solving, and of the episodes, which for JaxPlan have the solving in them. JaxPlan
optimises a straight-line plan by gradients again in each state, and has no value to tell. A solver
is ended after {limit} s of processor time.
"""
_FINDINGS: Final = """\
## What was found

- **Costs in scikit-decide.** `PPDDLDomain` takes the cost of a transition from the growth of
  `total-cost` between the two states that it keeps, and takes states as equal whatever their total
  cost. A try that changes nothing has the same state before and after, and so costs nothing: its
  solvers told 1.0 for `place_plant` in `crafter`. Here each action costs 1 instead, by a class
  derived from it.
- **JaxPlan** of pyRDDLGym-jax 3.1 with a deep reactive policy (`JaxDeepReactivePolicy`, one layer
  of 32, rollouts of 40 steps, 45 s) took no action at all in `place_plant`, in 20 episodes of 400
  steps each; so it plans in each state here.
- **pyRDDLGym-symbolic** 0.0.11 does not read the tasks: pyRDDLGym's grounder, which it needs, ends
  with `RDDLNotImplementedError: Free parameter <?arg1> outside the scope of a pvariable can not
  currently be grounded`. Our functions compare their parameter with an object, as RDDL allows.
- **Not tried.** PROST is not on PyPI, and pyRDDLGym-gurobi needs a licence for tasks of more than a
  trial's size.
"""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SolverSpec(_Part):
    """How a solver is run.

    Attributes:
        form: What it reads.
        episodes: How many it plays.
        options: Of its class.
    """

    form: PddlForm
    episodes: PositiveInt
    options: dict[str, Any]


class ProbabilisticTask(_Part):
    """A task, and which solvers get it."""

    world: str
    goal: str
    solvers: tuple[str, ...]


class ProbabilisticSpec(_Part):
    """The specification; see ``benchmarks/specs/probabilistic.yaml``."""

    tasks: tuple[ProbabilisticTask, ...]
    solvers: dict[str, SolverSpec]
    most: PositiveInt
    seed: PositiveInt
    limit: PositiveInt


@dataclass(frozen=True)
class PolicyResult:
    """What a solver made of a task.

    Attributes:
        world: The world.
        goal: The achievement.
        ours: The fewest expected interactions.
        solver: The solver.
        value: Expected interactions, as it tells them; None if it does not.
        costs: Interactions of each episode; None where the goal was not reached.
        seconds: Processor time of solving, and of playing.
        told: Why there is no policy; empty with one.
    """

    world: str
    goal: str
    ours: float
    solver: str
    value: float | None
    costs: tuple[float | None, ...]
    seconds: tuple[float, float]
    told: str = ""


def read_spec(path: Path) -> ProbabilisticSpec:
    """The file that states what is measured.

    Raises:
        InputError: It cannot be read or holds a mistake.
    """
    spec = spec_of(path, ProbabilisticSpec)
    for task in spec.tasks:
        for name in task.solvers:
            if name not in spec.solvers:
                allowed = ", ".join(spec.solvers)
                raise InputError(f"{path}: tasks: solver '{name}'; allowed: {allowed}")
    return spec


def results(spec: ProbabilisticSpec, folder: Path) -> Iterator[PolicyResult]:
    """What each solver makes of each task, one after the other.

    Args:
        spec: The specification.
        folder: Where tasks and what solvers print are kept.
    """
    for each in spec.tasks:
        task = chances_alone(each.world, each.goal)
        expected, _ = optimal(task)
        for name in each.solvers:
            about = each.world, each.goal, expected, name
            place = folder / "__".join((each.world, each.goal, name))
            found = solved(task, name, spec, place)
            if isinstance(found, str):
                yield PolicyResult(*about, None, (), (0.0, 0.0), found)
            else:
                seconds = found["seconds"], found["playing"]
                yield PolicyResult(*about, found["value"], tuple(found["costs"]), seconds)


def chances_alone(world: str, goal: str) -> PlanningTask:
    """A world's task for a goal, with chances and without movement."""
    return interactions_alone(planning_task(load_world(world), [goal], chances=True))


def solved(
    task: PlanningTask, name: str, spec: ProbabilisticSpec, folder: Path
) -> dict[str, Any] | str:
    """What a solver tells, or why it tells nothing."""
    how = spec.solvers[name]
    folder.mkdir(parents=True, exist_ok=True)
    ending = "rddl" if how.form is PddlForm.rddl else "pddl"
    for part, text in (("domain", domain_text), ("problem", problem_text)):
        write_atomically(folder / f"{part}.{ending}", text(task, how.form))
    numbers = how.episodes, spec.most, spec.seed, spec.limit
    given = name, json.dumps(how.options), *map(str, numbers)
    return answer_of(WORKER, given, folder, spec.limit)


def document(spec: ProbabilisticSpec, found: list[PolicyResult]) -> dict[str, Any]:
    """The results as one JSON document."""
    return {
        "schema": "mars-logic probabilistic planners 1",
        "spec": spec.model_dump(mode="json"),
        "machine": machine(),
        "versions": {package: version(package) for package in _PACKAGES},
        "results": [asdict(each) for each in found],
    }


def page(found: dict[str, Any], command: str) -> str:
    """The results as a page in Markdown."""
    parts = [f"# Probabilistic planners\n\nMade by `{command}`.\n"]
    parts.append(_ABOUT.format(**found["spec"]))
    head = ("world", "goal", "ours", "solver", "value", "played", "episodes", "time")
    parts.append(table(head, [_row(PolicyResult(**each)) for each in found["results"]]))
    parts.append(_FINDINGS)
    for title, facts in (("Versions", found["versions"]), ("Machine", found["machine"])):
        parts.append(f"{title}: {', '.join(f'{name} {fact}' for name, fact in facts.items())}.\n")
    return "\n".join(parts)


def _row(each: PolicyResult) -> list[str]:
    about = [each.world, each.goal, f"{each.ours:.3f}", each.solver]
    if each.told:
        return [*about, each.told, "", "", ""]
    value = "" if each.value is None else f"{each.value:.3f}"
    solving, playing = each.seconds
    time = f"{solving:.1f} s, {playing:.1f} s"
    return [*about, value, played(each.costs), f"{len(each.costs):,}", time]


def played(costs: tuple[float | None, ...]) -> str:
    """The mean cost of episodes with its interval, or how many reached the goal if not all did."""
    known = [cost for cost in costs if cost is not None]
    if len(known) < len(costs) or len(known) < 2:
        return f"{len(known)} of {len(costs)} reach the goal"
    half = _NORMAL * stdev(known) / len(known) ** 0.5
    return f"{fmean(known):.2f} ({fmean(known) - half:.2f}–{fmean(known) + half:.2f})"


def main(arguments: list[str] | None = None) -> None:
    """Measure, and write ``probabilistic.json`` and ``README.md``."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("spec", type=Path)
    parser.add_argument("-o", "--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    try:
        spec = read_spec(given.spec)
        for module in _MODULES:
            if find_spec(module) is None:
                told = f"the package '{module}' is not installed"
                raise InputError(f"probabilistic: {told}; allowed: first {install_hint('ppddl')}")
        found = []
        for each in results(spec, given.out / "work"):
            found.append(each)
            print(f"{each.world}, {each.solver}: {each.told or played(each.costs)}", flush=True)
    except InputError as error:
        parser.exit(2, f"{error}\n")
    kept = document(spec, found)
    command = f"python -m mars_logic.benchmarks.probabilistic {given.spec}"
    write_atomically(given.out / "probabilistic.json", json.dumps(kept) + "\n")
    write_atomically(given.out / "README.md", page(kept, command))


if __name__ == "__main__":
    main()
