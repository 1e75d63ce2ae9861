"""Planners of the field and our own on exported planning tasks: solved, length, time, optimal."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mars_logic.errors import InputError
from mars_logic.experiments.cells import table
from mars_logic.logic.pddl import (
    PddlForm,
    PlanningTask,
    domain_text,
    interactions_alone,
    planning_task,
    problem_text,
)
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.logic.solve import LimitReachedError
from mars_logic.logic.witness import Witnesses
from mars_logic.system.extras import install_hint
from mars_logic.system.files import read_bytes, write_atomically
from mars_logic.world.fields import nearest
from mars_logic.world.load import load_world
from mars_logic.world.mistakes import refusal
from mars_logic.world.theory import World

from .probabilistic import WORKER
from .workers import answer_of

GOALS: Final = ("make_iron_pickaxe", "collect_diamond")
LEVEL: Final = "finite_chance"
SCHEMA: Final = "mars-logic planning tasks 2"
_MOST_BYTES: Final = 10_000_000
_OPTIMAL: Final = "astar(lmcut(),pruning=stubborn_sets_simple())"
_GREEDY: Final = "let(hff,ff(),lazy_greedy([hff],preferred=[hff]))"
_LRTDP: Final = {"epsilon": 1e-6, "continuous_planning": False}
_PACKAGES: Final = ("clingo", "unified-planning", "up-fast-downward", "up-enhsp", "scikit-decide")
_ABOUT: Final = """\
Each cell: interactions of the plan and seconds of wall time; *optimal* if the planner proved that
no plan has fewer. Movement costs nothing. *clingo* is our own: it counts how often each rule is
applied, and orders that. *Fast Downward* reads the classical form, with A* and LM-cut, or greedily
with the FF heuristic; *ENHSP* reads the numeric form, with its default search. Chance is
determinised for these, and every plan was read back as interactions. *LRTDP*, of scikit-decide
with its h_max heuristic, reads the form with the game's chances (PPDDL), without movement. Its
solutions are policies, and its number is expected interactions: each try of a rule whose yield is
left to chance counts, where the others count one for all tries. The machine had other work, as its
load tells: times are rough.
"""


@dataclass(frozen=True)
class TaskResult:
    """What an engine made of a task.

    Attributes:
        engine: The engine.
        world: The world.
        goal: The achievement to unlock.
        interactions: Of its plan, or expected of its policy; None without one.
        seconds: Of wall time, with reading the task.
        optimal: Whether it proved that no plan has fewer.
        told: Why there is no plan; empty with one.
    """

    engine: str
    world: str
    goal: str
    interactions: float | None
    seconds: float
    optimal: bool
    told: str = ""


class _Run(BaseModel):
    model_config = ConfigDict(extra="forbid")

    command: str
    limit: float
    machine: dict[str, str]
    versions: dict[str, str]
    results: list[TaskResult]


class _Document(BaseModel):
    """The file of results.

    Attributes:
        name: Its schema; the file has it as ``schema``.
        runs: The runs, oldest first.
    """

    model_config = ConfigDict(extra="forbid", serialize_by_alias=True)

    name: Literal["mars-logic planning tasks 2"] = Field(alias="schema")
    runs: list[_Run]


Found = tuple[float | None, bool, str]
"""Interactions, whether they are proved fewest, and why there is no plan."""


def _clingo(world: World, task: PlanningTask, _: float) -> Found:
    (goal,) = task.goal
    try:
        witness = Witnesses(ReachabilityModel(world)).find(goal, LEVEL)
    except LimitReachedError as limit:
        return None, False, str(limit)
    if witness is None:
        return None, False, "no plan"
    length = sum(step.times for step in witness.steps)
    return length, length == witness.at_least, ""


def _planner(
    task: PlanningTask, limit: float, name: str, form: PddlForm, search: str | None, optimal: bool
) -> Found:
    """The plan of a planner of unified-planning."""
    from unified_planning.engines.results import PlanGenerationResultStatus as Status
    from unified_planning.exceptions import UPException
    from unified_planning.io import PDDLReader
    from unified_planning.shortcuts import OneshotPlanner, get_environment

    get_environment().credits_stream = None
    parameters = {"fast_downward_search_config": search} if search else {}
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{part}.pddl" for part in ("domain", "problem")]
        for path, text in zip(paths, (domain_text, problem_text), strict=True):
            write_atomically(path, text(task, form))
        problem = PDDLReader().parse_problem(*map(str, paths))
        try:
            with OneshotPlanner(name=name, params=parameters) as planner:
                found = planner.solve(problem, timeout=limit)
        except UPException as error:
            return None, False, type(error).__name__
    if found.plan is None:
        late = found.status in {Status.TIMEOUT, Status.MEMOUT, Status.INTERNAL_ERROR}
        return None, False, "limit" if late else "no plan"
    steps = task.steps(str(action) for action in found.plan.actions)
    return sum(step.times for step in steps), optimal, ""


def _fast_downward(search: str, *, optimal: bool) -> Callable[[World, PlanningTask, float], Found]:
    name = "fast-downward"
    return lambda _, task, limit: _planner(task, limit, name, PddlForm.strips, search, optimal)


def _enhsp(_: World, task: PlanningTask, limit: float) -> Found:
    return _planner(task, limit, "enhsp", PddlForm.numeric, None, False)


def _lrtdp(world: World, task: PlanningTask, limit: float) -> Found:
    """The expected interactions of a policy of scikit-decide's."""
    drawn = interactions_alone(planning_task(world, task.goal, chances=True))
    with TemporaryDirectory() as folder:
        for part, text in (("domain", domain_text), ("problem", problem_text)):
            write_atomically(Path(folder) / f"{part}.pddl", text(drawn, PddlForm.probabilistic))
        numbers = *("0", "1", "1"), str(ceil(limit))  # it plays no episodes
        given = "LRTDP", json.dumps(_LRTDP | {"heuristic": "HMax"}), *numbers
        found = answer_of(WORKER, given, Path(folder), limit, wait=limit)
    if isinstance(found, str):
        return None, False, "limit" if found.startswith("none in") else found
    return found["value"], True, ""


ENGINES: Final[dict[str, Callable[[World, PlanningTask, float], Found]]] = {
    "clingo": _clingo,
    "Fast Downward, A*": _fast_downward(_OPTIMAL, optimal=True),
    "Fast Downward, greedy": _fast_downward(_GREEDY, optimal=False),
    "ENHSP": _enhsp,
    "LRTDP": _lrtdp,
}


def available() -> list[str]:
    """The engines that are installed.

    Raises:
        InputError: unified-planning is missing.
    """
    if find_spec("unified_planning") is None:
        told = "the package 'unified-planning' is not installed"
        raise InputError(f"bench tasks: {told}; allowed: first {install_hint('pddl')}")
    there = {
        "Fast Downward": find_spec("up_fast_downward") is not None,
        "ENHSP": find_spec("up_enhsp") is not None and shutil.which("java") is not None,
        "LRTDP": find_spec("skdecide") is not None,
    }
    return [name for name in ENGINES if there.get(name.partition(",")[0], True)]


def chosen(names: Sequence[str] | None) -> list[str]:
    """The installed engines, or those of these names.

    Raises:
        InputError: One is not known or not installed, or unified-planning is missing.
    """
    there = available()
    for name in names or ():
        if name not in there:
            hint, allowed = nearest(name, there), "; ".join(there)
            raise InputError(f"--engine: '{name}' is not installed{hint}; allowed: {allowed}")
    return [name for name in there if not names or name in names]


def require_goals(world: str, goals: Sequence[str]) -> None:
    """Refuse goals that a world has not.

    Raises:
        InputError: One is no achievement of it.
    """
    known = load_world(world).achievements
    for goal in goals:
        if goal not in known:
            told = f"{world} has no achievement '{goal}'{nearest(goal, known)}"
            raise InputError(f"--goal: {told}; allowed: {', '.join(known)}")


def results(
    worlds: Sequence[str], goals: Sequence[str], engines: Sequence[str], limit: float
) -> Iterator[TaskResult]:
    """What each engine makes of each task, one after the other."""
    for name in worlds:
        world = load_world(name)
        for goal in goals:
            try:
                task = planning_task(world, [goal], LEVEL)
            except InputError:
                told = "proved unreachable"
                yield from (TaskResult(e, name, goal, None, 0, False, told) for e in engines)
                continue
            for engine in engines:
                start = time.perf_counter()
                length, optimal, told = ENGINES[engine](world, task, limit)
                seconds = time.perf_counter() - start
                yield TaskResult(engine, name, goal, length, seconds, optimal, told)


def versions() -> dict[str, str]:
    """The versions of the engines' packages."""
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def document(
    found: Sequence[TaskResult],
    limit: float,
    command: str,
    machine: dict[str, str],
    earlier: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The results as one JSON document.

    Args:
        found: The results of a run.
        limit: Its limit, in seconds.
        command: It, in words.
        machine: Where it was made.
        earlier: The document of earlier runs; what was not measured again stays.
    """
    again = {(each.engine, each.world, each.goal) for each in found}
    runs = []
    for run in earlier["runs"] if earlier else ():
        kept = [r for r in run["results"] if (r["engine"], r["world"], r["goal"]) not in again]
        runs += [{**run, "results": kept}] if kept else []
    here = {"command": command, "limit": limit, "machine": machine, "versions": versions()}
    runs.append({**here, "results": [asdict(each) for each in found]})
    return {"schema": SCHEMA, "runs": runs}


def read_document(path: Path) -> dict[str, Any] | None:
    """The document of earlier runs; None if there is none.

    Raises:
        InputError: The file holds something else.
    """
    if not path.exists():
        return None
    try:
        found = _Document.model_validate_json(read_bytes(path, "JSON", _MOST_BYTES))
    except ValidationError as error:
        raise refusal(path, error, f"results of `bench tasks`: '{SCHEMA}'") from None
    return found.model_dump()


def page(found: dict[str, Any]) -> str:
    """The results as a page in Markdown."""
    rows = [TaskResult(**each) for run in found["runs"] for each in run["results"]]
    engines = [engine for engine in ENGINES if any(each.engine == engine for each in rows)]
    parts = ["# Planners on exported tasks\n", _ABOUT]
    for goal in dict.fromkeys(each.goal for each in rows):
        of = {(each.world, each.engine): each for each in rows if each.goal == goal}
        worlds = list(dict.fromkeys(world for world, _ in of))
        lines = [[world, *(_cell(of.get((world, name))) for name in engines)] for world in worlds]
        parts += [f"## {goal}\n", table(("world", *engines), lines)]
    for run in found["runs"]:
        made = ", ".join(dict.fromkeys(each["engine"] for each in run["results"]))
        limit = f"at most {run['limit']:g} seconds of wall time a plan"
        parts.append(f"Made by `{run['command']}`: {made}; {limit}.")
        for title, facts in (("Versions", run["versions"]), ("Machine", run["machine"])):
            told = ", ".join(f"{name} {fact}" for name, fact in facts.items())
            parts.append(f"{title}: {told}.\n")
    return "\n".join(parts)


def _cell(each: TaskResult | None) -> str:
    if each is None:
        return ""
    if each.interactions is None:
        return each.told if each.told != "limit" else f"none in {each.seconds:.0f} s"
    proved = ", optimal" if each.optimal else ""
    return f"{round(each.interactions, 2):g}, {each.seconds:.1f} s{proved}"
