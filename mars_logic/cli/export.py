"""The command ``export``: a world in the formats of other tools."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mars_logic.cli.output import Json, make_folder, print_json, require_free
from mars_logic.cli.worlds import WorldName
from mars_logic.errors import InputError
from mars_logic.files import write_atomically
from mars_logic.world.load import load_world


class Target(StrEnum):
    """What ``export`` can write."""

    pddl = "pddl"
    pddl_strips = "pddl-strips"


class Luck(StrEnum):
    """How much luck a plan may count on."""

    sure = "sure"
    almost_sure = "almost_sure"
    finite_chance = "finite_chance"


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("export")(export)


def export(
    world: WorldName,
    target: Annotated[
        Target,
        typer.Option(
            "--to", help="A planning task with numeric fluents, or a classical one (STRIPS)."
        ),
    ],
    out: Annotated[Path, typer.Option("-o", "--out", help="The folder to write to.")],
    goal: Annotated[
        list[str] | None,
        typer.Option(
            help="An achievement to unlock; may be repeated. By default all that are reachable."
        ),
    ] = None,
    luck: Annotated[
        Luck, typer.Option(help="The kind of luck that plans may count on, at most.")
    ] = Luck.finite_chance,
    map_seed: Annotated[
        int | None, typer.Option("--map", min=0, max=2**60, help="On the map of this seed.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    as_json: Json = False,
) -> None:
    """Write a world in the format of other tools: as a planning task in PDDL.

    The folder gets domain.pddl and problem.pddl. The cost of a plan is its number of interactions;
    getting around costs nothing. See docs/planning.md.

    Example: mars-logic export default --to pddl-strips --goal collect_diamond -o pddl
    """
    from mars_logic.pddl import Form, domain_text, problem_text
    from mars_logic.proving import planning_task

    files = {name: out / f"{name}.pddl" for name in ("domain", "problem")}
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: it is no folder; allowed: a folder, or a new name")
    for path in files.values():
        if out.exists():
            require_free(path, force)
    task = planning_task(load_world(world), goal or (), luck.value, map_seed)
    form = Form.numeric if target is Target.pddl else Form.strips
    make_folder(out)
    write_atomically(files["domain"], domain_text(task, form))
    write_atomically(files["problem"], problem_text(task, form))
    rules = {action.name: action for action in task.actions if action.rule}
    if as_json:
        print_json(
            {
                "schema": "mars-logic export 1",
                "world": world,
                "digest": task.world.digest,
                "map_seed": map_seed,
                "to": target.value,
                "luck": luck.value,
                "goal": task.goal,
                "files": {name: str(path) for name, path in files.items()},
                "actions": {
                    name: {"rule": action.rule, "gain": action.gain}
                    for name, action in rules.items()
                },
            }
        )
        return
    others = len(task.actions) - len(rules)
    print(f"{files['domain']}: {len(rules)} kinds of interaction, {others} ways of getting around")
    goals = f"{len(task.goal)} achievement{'s' * (len(task.goal) != 1)} to unlock"
    print(f"{files['problem']}: {len(task.zones)} zones, {goals}")
