"""The command ``export``: worlds and play in the formats of other tools."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mars_logic.cli.output import Json, make_folder, print_json, require_free
from mars_logic.errors import InputError
from mars_logic.files import write_atomically
from mars_logic.world.known_names import require_no_traces
from mars_logic.world.load import bundled_worlds, load_world


class ExportTarget(StrEnum):
    """The output formats of ``export``."""

    pddl = "pddl"
    pddl_strips = "pddl-strips"
    parquet = "parquet"
    minari = "minari"


_OF_WORLDS = (ExportTarget.pddl, ExportTarget.pddl_strips)


class LuckOption(StrEnum):
    """The chances that a plan may count on."""

    sure = "sure"
    almost_sure = "almost_sure"
    finite_chance = "finite_chance"


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("export")(export)


def export(
    sources: Annotated[
        list[str],
        typer.Argument(
            help="A world, bundled or a file; for play, trajectories or folders of them.",
            metavar="SOURCE...",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    target: Annotated[
        ExportTarget,
        typer.Option(
            "--to",
            help="Of a world: a planning task with numeric fluents, or a classical one (STRIPS). "
            "Of play: one Parquet file, or a data set of Minari.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("-o", "--out", help="The folder, or for parquet the file, to write.")
    ],
    goal: Annotated[
        list[str] | None,
        typer.Option(
            help="An achievement to unlock; may be repeated. By default all that are reachable."
        ),
    ] = None,
    luck: Annotated[
        LuckOption | None,
        typer.Option(help="The kind of luck that plans may count on, at most: by default any."),
    ] = None,
    map_seed: Annotated[
        int | None, typer.Option("--map", min=0, max=2**60, help="On the map of this seed.")
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="Of play: leave out what no agent may know.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    as_json: Json = False,
) -> None:
    """Write a world in PDDL, or recorded play for Minari.

    A world becomes a planning task; recorded play, one file or a data set. For PDDL, the folder
    gets domain.pddl and problem.pddl. The cost of a plan is its number of interactions; getting
    around costs nothing. See docs/planning.md. For Minari, the folder is new, and its name is that
    of the data set, as in random-v0. See docs/trajectories.md.

    Example: mars-logic export default --to pddl-strips --goal collect_diamond -o pddl
    """
    if target in _OF_WORLDS:
        if len(sources) > 1 or public:
            what = "--public" if public else "SOURCE"
            raise InputError(f"{what}: not with --to {target.value}; allowed: one world")
        _export_task(
            sources[0],
            target,
            out,
            goal,
            luck or LuckOption.finite_chance,
            map_seed,
            force,
            as_json,
        )
        return
    for option, given in (("--goal", goal), ("--luck", luck), ("--map", map_seed)):
        if given is not None:
            raise InputError(f"{option}: not with --to {target.value}; allowed: with --to pddl")
    _export_play([Path(source) for source in sources], target, out, public, force, as_json)


def _export_task(
    world: str,
    target: ExportTarget,
    out: Path,
    goal: list[str] | None,
    luck: LuckOption | None,
    map_seed: int | None,
    force: bool,
    as_json: bool,
) -> None:
    from mars_logic.experiments.proving import planning_task
    from mars_logic.logic.pddl import PddlForm, domain_text, problem_text

    luck = luck or LuckOption.finite_chance
    files = {name: out / f"{name}.pddl" for name in ("domain", "problem")}
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: it is no folder; allowed: a folder, or a new name")
    for path in files.values():
        if out.exists():
            require_free(path, force)
    loaded = load_world(world)
    require_no_traces(loaded, "export", "the planning task")
    task = planning_task(loaded, goal or (), luck.value, map_seed)
    form = PddlForm.numeric if target is ExportTarget.pddl else PddlForm.strips
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


def _export_play(
    sources: list[Path], target: ExportTarget, out: Path, public: bool, force: bool, as_json: bool
) -> None:
    from mars_logic.data.store import load_all, save

    if target is ExportTarget.parquet:
        require_free(out, force)
    kept = load_all(*sources)
    if target is ExportTarget.parquet:
        save(kept, out, public=public)
    else:
        from mars_logic.envs.offline import save_minari

        save_minari(kept, out, public=public)
    if as_json:
        print_json(
            {
                "schema": "mars-logic export 1",
                "to": target.value,
                "file": str(out),
                "episodes": len(kept),
                "transitions": len(kept.action),
            }
        )
    else:
        print(
            f"{out}: {len(kept)} episode{'s' * (len(kept) != 1)}, {len(kept.action):,} transitions"
        )
