"""The command ``bench planners``: two planners on the same maps."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from mars_logic.cli.output import Json, Length, make_folder, print_json
from mars_logic.world.load import RELEASED_WORLDS, bundled_worlds

_FORM = "AGENT[,OPTION=VALUE...][@PYTHON]"


def bench_planners(
    first: Annotated[str, typer.Argument(help=f"Planner A: {_FORM}.", metavar="A")],
    second: Annotated[str, typer.Argument(help=f"Planner B: {_FORM}.", metavar="B")],
    world: Annotated[
        list[str] | None,
        typer.Option(
            help="A bundled world or a file; repeatable. Nine bundled ones by default.",
            autocompletion=lambda: [*bundled_worlds()],
        ),
    ] = None,
    no_world: Annotated[
        bool, typer.Option("--no-world", help="Play in sampled worlds only.")
    ] = False,
    seeds: Annotated[int, typer.Option(min=1, max=1000, help="Maps of each world.")] = 200,
    test: Annotated[
        bool, typer.Option("--test", help="Seeds from 1000, to be played once for each claim.")
    ] = False,
    sampled: Annotated[
        int, typer.Option(min=0, max=1000, help="Also so many sampled worlds, a map each.")
    ] = 0,
    length: Length = None,
    processes: Annotated[int, typer.Option(min=1, max=256, help="Maps played at a time.")] = 2,
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
    from mars_logic.errors import InputError
    from mars_logic.experiments.measurement.machine import machine
    from mars_logic.files import write_atomically
    from mars_logic.world.load import load_world

    planners = import_module("mars_logic.benchmarks.planners")
    planners_page = import_module("mars_logic.benchmarks.planners_page")
    sides = planners.PlannerSpec.of(first), planners.PlannerSpec.of(second)
    if sides[0] == sides[1]:
        raise InputError(f"B: '{second}' is A; allowed: another planner, {_FORM}")
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
    write_atomically(out / "planners.json", json.dumps(found, indent=1) + "\n")
    write_atomically(out / "README.md", planners_page.page(found))
    if as_json:
        print_json(found)
    else:
        print(planners_page.page(found))
