"""The command ``ask``: a logic program of one's own, over the facts of a world."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mars_logic.cli.output import Json, print_json, say_wrong
from mars_logic.cli.worlds import WorldName
from mars_logic.world.load import load_world


def ask(
    world: WorldName,
    program: Annotated[Path, typer.Argument(help="A logic program for clingo.")],
    map_seed: Annotated[
        int | None, typer.Option("--map", min=0, max=2**60, help="Ask about this seed's map.")
    ] = None,
    models: Annotated[
        int, typer.Option(min=0, max=2**31 - 1, help="How many models; 0 for all.")
    ] = 1,
    time_limit: Annotated[
        float,
        typer.Option(min=0.01, max=1e6, help="Seconds of processor time.", metavar="SECONDS"),
    ] = 60,
    memory: Annotated[
        int, typer.Option(min=16, max=1_000_000, help="Memory in megabytes.", metavar="MB")
    ] = 768,
    as_json: Json = False,
) -> None:
    """Run a logic program with a world's facts.

    It also gets what our programs derive from the facts. All predicates of encodings/ can be used:
    unlock(sure, A), touch(possible, M), uses(R, I, N)… What the program shows is printed, a line
    for each model. It runs in a process of its own, with a limit of time and memory; it may include
    files of its folder. A predicate that nothing derives is warned of: its name may be misspelt.
    Exit status 1 if there is no model.

    Example: mars-logic ask task_dep question.lp
    """
    from mars_logic.experiments.proving import ask as ask_program
    from mars_logic.logic.source import Source

    source = Source.read(program)
    loaded = load_world(world)
    found = ask_program(
        loaded,
        source,
        map_seed,
        models=models,
        megabytes=memory,
        seconds=time_limit,
    )
    warnings = [f"{each.file}:{each.line}: program: {each}" for each in found.underived]
    for warning in warnings:
        say_wrong(f"warning: {warning}")
    if as_json:
        about = {"schema": "mars-logic answer 1", "world": world, "map_seed": map_seed}
        answers = [list(model) for model in found.models]
        print_json(about | {"models": answers, "complete": found.complete, "warnings": warnings})
    else:
        for model in found.models:
            print(" ".join(model))
        if not found.models:
            print("there is no model")
    if not found.models:
        raise typer.Exit(1)
