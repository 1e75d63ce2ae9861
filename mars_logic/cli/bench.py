"""The commands ``bench``: measurements beside peers, planners compared, more or less in view."""

from __future__ import annotations

import json
import shlex
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.main import main
from mars_logic.cli.output import (
    Json,
    Length,
    make_folder,
    print_json,
    print_table,
    progress,
    say,
)
from mars_logic.errors import InputError
from mars_logic.system.file_names import name_as_text
from mars_logic.system.files import write_atomically
from mars_logic.system.interruptions import held_back
from mars_logic.world.known_names import require_as_task
from mars_logic.world.load import RELEASED_WORLDS, bundled_worlds, load_world

if TYPE_CHECKING:
    from mars_logic.experiments.series import BenchmarkReport


_Worlds = Annotated[
    list[str] | None,
    typer.Option(
        help="A bundled world or a file; repeatable. Nine bundled ones by default.",
        autocompletion=lambda: [*bundled_worlds()],
    ),
]
_FORM = "AGENT[,OPTION=VALUE...][@PYTHON]"


def _names() -> list[str]:
    from mars_logic.experiments.measurement import suite

    return list(suite.names())


def bench(
    benchmarks: Annotated[
        list[str] | None,
        typer.Argument(
            help="What to measure; all by default.", metavar="[NAME...]", autocompletion=_names
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Keep results here, with a page of tables and plots."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Measure briefly, only to see that all benchmarks run.")
    ] = False,
    alone: Annotated[bool, typer.Option("--alone", help="Do not measure other programs.")] = False,
    as_json: Json = False,
) -> None:
    """Measure speed and memory beside other programs.

    Results are ratios with their spread. All take turns in one process, so that all meet the same
    noise. Proofs and sampling have no peer: their numbers are absolute, beside budgets. With --out,
    each benchmark's results are kept as soon as it is done, and the page shows all that lie there.
    Needs the package's extra "bench". `bench planners`, `bench tasks` and `bench sight` are
    commands of their own, which compare planners and play.

    Example: mars-logic bench steps resets --out results
    """
    from mars_logic.experiments.measurement import suite
    from mars_logic.experiments.measurement.interleaving import Bench

    names = suite.chosen(benchmarks or [])
    suite.require_packages(peers=not alone, plots=out is not None)
    if out:
        make_folder(out)
        suite.require_own(out)
    reports = []
    with progress() as shown:
        every = shown.add_task("benchmarks", total=len(names))
        current = shown.add_task("")
        for name in names:

            def tell(what: str, done: int, rounds: int, name: str = name) -> None:
                shown.update(current, description=f"{name}: {what}", completed=done, total=rounds)

            report = suite.run(name, Bench(quick, not alone, tell))
            reports.append(report)
            if out:
                with held_back():  # the page is of what lies there
                    suite.save(report, out)
            shown.advance(every)
    if as_json:
        documents = [suite.as_data(report) for report in reports]
        print_json({"schema": "mars-logic bench 1", "benchmarks": documents})
    else:
        _print_table(reports)


def _print_table(reports: list[BenchmarkReport]) -> None:
    from mars_logic.experiments.tables import HEAD, cells

    print_table(HEAD, (cells(row) for report in reports for row in report.result.rows))
    for report in reports:
        for note in report.result.notes:
            say(f"{report.name}: {note}")


def bench_planners(
    first: Annotated[str, typer.Argument(help=f"Planner A: {_FORM}.", metavar="A")],
    second: Annotated[str, typer.Argument(help=f"Planner B: {_FORM}.", metavar="B")],
    world: _Worlds = None,
    no_world: Annotated[
        bool, typer.Option("--no-world", help="Play in sampled worlds only.")
    ] = False,
    seeds: Annotated[
        int, typer.Option(min=1, max=1000, help="Number of maps in each world.")
    ] = 200,
    test: Annotated[
        bool, typer.Option("--test", help="Seeds from 1000: test maps, for final results alone.")
    ] = False,
    sampled: Annotated[
        int,
        typer.Option(min=0, max=1000, help="Number of sampled worlds to add, with one map each."),
    ] = 0,
    length: Length = None,
    processes: Annotated[
        int, typer.Option(min=1, max=256, help="Maps played at the same time.")
    ] = 2,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Keep episodes and results here.")
    ] = Path("results/planners"),
    as_json: Json = False,
) -> None:
    """Compare two planners on the same maps.

    Reported are completion, deaths, steps and times of decisions, with intervals of the paired
    difference, and the classes of failures. A planner is an agent, with options of its class, of
    the checkout to which the interpreter PYTHON belongs; by default of this one. Seeds are 0 to
    199, or with --test 1000 to 1199. Every episode is kept, and an interrupted run goes on where
    it was. Results are planners.json and README.md in the folder.

    Example: mars-logic bench planners oracle oracle@../main/.venv/bin/python --sampled 100
    """
    from mars_logic.experiments.measurement.machine import machine

    planners = import_module("mars_logic.benchmarks.planners")
    planners_page = import_module("mars_logic.benchmarks.planners_page")
    sides = planners.PlannerSpec.of(first), planners.PlannerSpec.of(second)
    if sides[0] == sides[1]:
        raise InputError(f"B: '{second}' is the same as A; allowed: another planner, {_FORM}")
    worlds = [] if no_world else world or RELEASED_WORLDS
    if not worlds and not sampled:
        raise InputError("--no-world: nothing is left to play; allowed: with --sampled")
    for name in worlds:
        load_world(name)
    facts = machine()  # before the work: the load is others', not ours
    episodes = out / "episodes"
    make_folder(episodes)
    start = planners.TEST if test else planners.DEVELOPMENT
    numbers = range(start, start + seeds)
    maps = planners.maps(worlds, numbers, sampled, out / "worlds")
    jobs = [planners.Job(one, sides, length, episodes) for one in maps]
    pairs = planners.compare(jobs, processes)
    told = [{"text": side.text, "agent": side.agent, "options": side.options} for side in sides]
    found: dict[str, Any] = planners_page.document(pairs, told, numbers, facts)
    _keep(out / "planners.json", found, planners_page.page(found), as_json)


def bench_sight(
    world: Annotated[
        list[str] | None,
        typer.Option(
            help="A bundled world or a file; repeatable. default, task_dep and crafter by default.",
            autocompletion=lambda: [*bundled_worlds()],
        ),
    ] = None,
    sampled: Annotated[int, typer.Option(min=0, max=1000, help="Sampled worlds to add.")] = 1,
    seeds: Annotated[
        int, typer.Option(min=1, max=1000, help="Number of learners in each world.")
    ] = 10,
    seed: Annotated[int, typer.Option(min=0, max=1000, help="The first seed.")] = 0,
    episodes: Annotated[
        int, typer.Option(min=1, max=100, help="Episodes of each player after learning.")
    ] = 2,
    length: Length = None,
    processes: Annotated[
        int, typer.Option(min=1, max=256, help="Units played at the same time.")
    ] = 2,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Keep episodes and results here.")
    ] = Path("results/sight"),
    as_json: Json = False,
) -> None:
    """Compare the planner's play with more or less in view.

    The same planner plays by true and by learned rules, with the whole map in view (as the oracle),
    with the whole terrain but only things in view, and with what it has seen (as the informed agent
    and the learner). Every unit is kept, and an interrupted run goes on where it was. Results are
    sight.json and README.md in the folder.

    Example: mars-logic bench sight --seeds 2 --episodes 1
    """
    from mars_logic.experiments.measurement.machine import machine

    sight = import_module("mars_logic.benchmarks.sight")
    sight_page = import_module("mars_logic.benchmarks.sight_page")
    units = import_module("mars_logic.benchmarks.units")
    worker = import_module("mars_logic.benchmarks.planner_worker")
    for name in world or ():
        load_world(name)
    facts = machine()  # before the work: the load is others', not ours
    kept = out / "episodes"
    make_folder(kept)
    columns = [(name_as_text(name), name) for name in world or sight.WORLDS]
    files = units.sampled_worlds(out / "worlds", sampled, first=seed)
    columns += [(sight.SAMPLED, str(file)) for file in files]
    code = worker.code_digest()
    jobs = [
        sight.SightJob(*column, seed + i, episodes, length, code, kept)
        for i in range(seeds)
        for column in columns
    ]
    outcomes = units.in_processes(sight.played, jobs, processes, "learners")
    found = sight.document(outcomes, facts)
    told = [
        *(f"--world {name}" for name in world or ()),
        *([] if sampled == 1 else [f"--sampled {sampled}"]),
        *(f"--seeds {seeds} --seed {seed} --episodes {episodes}",),
        *([] if length is None else [f"--length {length}"]),
    ]
    text = sight_page.page(found, " ".join(["mars-logic bench sight", *told]))
    _keep(out / "sight.json", found, text, as_json)


def bench_tasks(
    world: _Worlds = None,
    goal: Annotated[
        list[str] | None,
        typer.Option(help="An achievement; repeatable. An iron pickaxe and a diamond by default."),
    ] = None,
    engine: Annotated[
        list[str] | None,
        typer.Option(help="A planner, as the table names it; repeatable. All by default."),
    ] = None,
    limit: Annotated[
        float, typer.Option(min=1, max=86_400, help="Seconds for each plan.", metavar="SECONDS")
    ] = 30,
    out: Annotated[Path, typer.Option("--out", "-o", help="Keep results here.")] = Path(
        "results/tasks"
    ),
    as_json: Json = False,
) -> None:
    """Compare planners on exported planning tasks.

    Told are the interactions of each plan, its time, and whether it is proved that no plan has
    fewer: of clingo, as the proofs use it, and of those of Fast Downward, ENHSP and scikit-decide
    that are installed (extras "pddl", "pddl-numeric" and "ppddl"; ENHSP needs Java). Results are
    tasks.json and README.md in the folder; what lies there and is not measured again stays.

    Example: mars-logic bench tasks --world default --goal collect_coal
    """
    from mars_logic.experiments.measurement.machine import machine

    tasks = import_module("mars_logic.benchmarks.planning_tasks")
    engines = tasks.chosen(engine)
    earlier = tasks.read_document(out / "tasks.json")
    names, goals = world or RELEASED_WORLDS, goal or tasks.GOALS
    for name in names:
        require_as_task(load_world(name), "bench tasks", "the planning task")
        tasks.require_goals(name, goals)
    facts = machine()  # before the work: the load is others', not ours
    make_folder(out)
    found = []
    with progress() as shown:
        bar = shown.add_task("plans", total=len(names) * len(goals) * len(engines))
        for each in tasks.results(names, goals, engines, limit):
            found.append(each)
            shown.advance(bar)
    told = [
        *(f"--world {name}" for name in world or ()),
        *(f"--goal {name}" for name in goal or ()),
        *(f"--engine {shlex.quote(name)}" for name in engine or ()),
        *([] if limit == 30 else [f"--limit {limit:g}"]),
    ]
    command = " ".join(["mars-logic bench tasks", *told])
    held = tasks.document(found, limit, command, facts, earlier)
    _keep(out / "tasks.json", held, tasks.page(held), as_json)


def _keep(file: Path, found: dict[str, Any], page: str, as_json: bool) -> None:
    """Write results, and their page beside them, and print one of the two."""
    write_atomically(file, json.dumps(found, indent=1) + "\n")
    write_atomically(file.with_name("README.md"), page)
    if as_json:
        print_json(found)
    else:
        print(page)


def alone(file: str) -> None:
    """Run the benchmark in this file, as its name after ``mars-logic bench`` would."""
    sys.argv[1:1] = ["bench", Path(file).stem]
    main()
