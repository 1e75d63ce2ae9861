"""The command ``bench sight``: play with more or less in view, by true and by learned rules."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from mars_logic.cli.output import Json, Length, make_folder, print_json
from mars_logic.world.load import bundled_worlds


def bench_sight(
    world: Annotated[
        list[str] | None,
        typer.Option(
            help="A bundled world or a file; repeatable. default, task_dep and crafter by default.",
            autocompletion=lambda: [*bundled_worlds()],
        ),
    ] = None,
    sampled: Annotated[int, typer.Option(min=0, max=1000, help="Also so many sampled worlds.")] = 1,
    seeds: Annotated[int, typer.Option(min=1, max=1000, help="Learners in each world.")] = 10,
    seed: Annotated[int, typer.Option(min=0, max=1000, help="The first seed.")] = 0,
    episodes: Annotated[
        int, typer.Option(min=1, max=100, help="Episodes of each player after learning.")
    ] = 2,
    length: Length = None,
    processes: Annotated[int, typer.Option(min=1, max=256, help="Units at a time.")] = 2,
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
    from mars_logic.files import write_atomically
    from mars_logic.world.load import load_world

    sight = import_module("mars_logic.benchmarks.sight")
    sight_page = import_module("mars_logic.benchmarks.sight_page")
    units = import_module("mars_logic.benchmarks.units")
    worker = import_module("mars_logic.benchmarks.planner_worker")
    for name in world or ():
        load_world(name)
    facts = machine()  # before the work: the load is others', not ours
    kept = out / "episodes"
    make_folder(kept)
    columns = [(name, name) for name in world or sight.WORLDS]
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
    write_atomically(out / "sight.json", json.dumps(found, indent=1) + "\n")
    write_atomically(out / "README.md", text)
    if as_json:
        print_json(found)
    else:
        print(text)
