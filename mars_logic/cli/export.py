"""The command ``export``: worlds and play in the formats of other tools."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from mars_logic.cli.export_pddl import PddlExport, export_task
from mars_logic.cli.output import Force, Json, make_folder, print_json, progress, require_free
from mars_logic.errors import InputError
from mars_logic.system.files import write_or_refuse
from mars_logic.world.load import bundled_worlds


class ExportTarget(StrEnum):
    """The output formats of ``export``."""

    pddl = "pddl"
    pddl_strips = "pddl-strips"
    pddl_lifted = "pddl-lifted"
    ppddl = "ppddl"
    rddl = "rddl"
    parquet = "parquet"
    minari = "minari"
    questions = "questions"
    popper = "popper"
    ilasp = "ilasp"
    amlgym = "amlgym"


_OF_RECORDS = (ExportTarget.popper, ExportTarget.ilasp, ExportTarget.amlgym)
_OF_WORLDS = {
    ExportTarget.pddl: "numeric",
    ExportTarget.pddl_strips: "strips",
    ExportTarget.pddl_lifted: "lifted",
    ExportTarget.ppddl: "probabilistic",
    ExportTarget.rddl: "rddl",
}
"""Forms of planning tasks by target."""
_PLAYED = (ExportTarget.pddl, ExportTarget.pddl_strips)
"""Targets for which play is a plan."""


class FrameExplorer(StrEnum):
    """Explorers whose views can be key frames."""

    nearest = "nearest"
    curious = "curious"
    random = "random"
    witness = "witness"


class LuckOption(StrEnum):
    """The chances that a plan may count on."""

    sure = "sure"
    almost_sure = "almost_sure"
    finite_chance = "finite_chance"


def export(
    sources: Annotated[
        list[str],
        typer.Argument(
            help="A world, bundled or a file, or a certificate; for play, trajectories or folders "
            "of them; for rule learners, these or records of actions; for questions, a folder of "
            "Conan's scenes and questions.",
            metavar="SOURCE...",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    target: Annotated[
        ExportTarget,
        typer.Option(
            "--to",
            metavar="TARGET",
            help="Of a world: a planning task with numeric fluents (pddl), a classical one "
            "(pddl-strips), one for learners of action models (pddl-lifted), or one with chances "
            "(ppddl, rddl). Of play: one file (parquet), a data set (minari), or tasks for "
            "learners of rules (popper, ilasp, amlgym). Of scenes: questions with key frames, "
            "for models that read pictures (questions).",
        ),
    ],
    out: Annotated[
        Path, typer.Option("-o", "--out", help="The folder, or for parquet the file, to write.")
    ],
    goal: Annotated[
        list[str] | None,
        typer.Option(
            help="An achievement to unlock, or to learn; may be repeated. By default all."
        ),
    ] = None,
    luck: Annotated[
        LuckOption | None,
        typer.Option(
            help="The least certain kind of chance that plans may rely on; by default any."
        ),
    ] = None,
    map_seed: Annotated[
        int | None, typer.Option("--map", min=0, max=2**60, help="On the map of this seed.")
    ] = None,
    plan: Annotated[
        Path | None,
        typer.Option(
            "--plan", metavar="FILE", help="With --map: also write the oracle's play as a plan."
        ),
    ] = None,
    traces: Annotated[
        int | None,
        typer.Option(
            min=1, max=10_000, help="Of pddl-lifted: so many random walks of 30 steps as traces."
        ),
    ] = None,
    public: Annotated[
        bool,
        typer.Option("--public", help="Of play and questions: leave out what no agent may know."),
    ] = False,
    explorer: Annotated[
        FrameExplorer | None,
        typer.Option(
            help="Of questions: whose views are key frames; witness: the vandal's own. By default "
            "those of nearest, which walks from trace to trace."
        ),
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Write worlds in PDDL, play for Minari, or questions.

    A world becomes a planning task; recorded play, one file or a data set. For PDDL, the folder
    gets domain.pddl and problem.pddl. The cost of a plan is its number of interactions; getting
    around costs nothing. In PPDDL and RDDL, actions have the chances of the game; the cost of a
    policy is the expected number of interactions. A certificate becomes the task of its map with
    plan.pddl, its play as a plan. See docs/planning.md. For Minari, the folder is new, and its name
    is that of the data set, as in random-v0. See docs/trajectories.md. Questions become JSON lines,
    arrays and pictures of key frames, and a data card in a new folder. See docs/conan.md. For rule
    learners, each goal of which there are successes and failures becomes a task; for learners of
    action models, a world is told with its constants as parameters. See docs/rule_learners.md.

    Example: mars-logic export default --to pddl-strips --goal collect_diamond -o pddl
    """
    if explorer is not None and target is not ExportTarget.questions:
        raise InputError(f"--explorer: not with --to {target.value}; allowed: with --to questions")
    if traces is not None and target is not ExportTarget.pddl_lifted:
        raise InputError(f"--traces: not with --to {target.value}; allowed: with --to pddl-lifted")
    if target in _OF_WORLDS:
        if len(sources) > 1 or public:
            what = "--public" if public else "SOURCE"
            raise InputError(f"{what}: not with --to {target.value}; allowed: one world")
        from mars_logic.logic.pddl import PddlForm

        form = PddlForm(_OF_WORLDS[target])
        chance: Any = (luck or LuckOption.finite_chance).value
        if Path(sources[0]).suffix == ".json":
            _refuse("with a certificate", luck=luck, map=map_seed, plan=plan)
            if target not in _PLAYED:
                told = f"play is not exported with --to {target.value}"
                raise InputError(f"{sources[0]}:1: file: {told}; allowed: --to pddl, pddl-strips")
            where = out / "plan.pddl"
            written = PddlExport.of_certificate(Path(sources[0]), goal or (), where, form)
        else:
            if target not in _PLAYED:
                _refuse(f"with --to {target.value}", plan=plan)
            written = PddlExport.of_world(sources[0], goal or (), chance, map_seed, plan, form)
        export_task(written, target.value, out, traces or 0, force=force, as_json=as_json)
        return
    _refuse(f"with --to {target.value}", luck=luck, map=map_seed, plan=plan)
    if target in _OF_RECORDS:
        if public:
            raise InputError(f"--public: not with --to {target.value}; allowed: with play")
        _export_tasks([Path(source) for source in sources], target, out, goal or (), force, as_json)
        return
    _refuse(f"with --to {target.value}", goal=goal)
    if target is ExportTarget.questions:
        if len(sources) > 1 or force:
            what = "--force" if force else "SOURCE"
            raise InputError(f"{what}: not with --to questions; allowed: one folder, a new OUT")
        _export_questions(Path(sources[0]), explorer or FrameExplorer.nearest, out, public, as_json)
        return
    _export_play([Path(source) for source in sources], target, out, public, force, as_json)


def _refuse(when: str, **options: object) -> None:
    """Refuse options that say nothing about what is exported."""
    for option, given in options.items():
        if given is not None:
            raise InputError(f"--{option}: not {when}; allowed: with a world and --to pddl")


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


def _export_tasks(
    sources: list[Path],
    target: ExportTarget,
    out: Path,
    goals: Iterable[str],
    force: bool,
    as_json: bool,
) -> None:
    from mars_logic.theory.action_models import learner_tasks as learners
    from mars_logic.theory.action_models import read

    records = read(sources)
    found = {task.goal: task for task in learners.learner_tasks(records)}
    if unknown := [goal for goal in goals if goal not in found]:
        told = f"--goal: the records lack successes or failures of {unknown[0]}"
        raise InputError(f"{told}; allowed: {', '.join(found) or 'none with these records'}")
    tasks = [task for goal, task in found.items() if not goals or goal in goals]
    if not tasks:
        told = "no goal has both successes and failures"
        raise InputError(f"{sources[0]}:1: records: {told}; allowed: one or more")
    files: dict[Path, str] = {}
    if target is ExportTarget.amlgym:
        made = learners.amlgym_files(tasks, records.dynamics)
        files = {out / name: text for name, text in made.items()}
    for task in tasks if target is not ExportTarget.amlgym else ():
        if target is ExportTarget.ilasp:
            files[out / f"{task.goal}.las"] = learners.ilasp_file(task)
        else:
            parts = learners.popper_files(task).items()
            files |= {out / task.goal / name: text for name, text in parts}
    for path in files if out.exists() else ():
        make_folder(path.parent)
        require_free(path, force)
    for path, text in files.items():
        make_folder(path.parent)
        write_or_refuse(path, text)
    examples = sum(len(task.examples) for task in tasks)
    if as_json:
        told_of = {task.goal: len(task.examples) for task in tasks}
        head = {"schema": "mars-logic export 1", "to": target.value, "folder": str(out)}
        print_json({**head, "files": len(files), "examples": told_of})
        return
    print(f"{out}: {len(tasks)} tasks with {examples:,} examples, in {len(files)} files")


def _export_questions(
    folder: Path, explorer: FrameExplorer, out: Path, public: bool, as_json: bool
) -> None:
    from mars_logic.domains.conan.detective.investigating import DetectionSpec
    from mars_logic.domains.conan.exporting import (
        arrays_of,
        card,
        exported,
        frame_name,
        lines_of,
    )
    from mars_logic.domains.conan.scenes import count_scenes
    from mars_logic.system.array_files import write_arrays
    from mars_logic.views.png import png
    from mars_logic.views.scenes.picture import frame_pictures

    require_free(out, force=False)
    walk, total = DetectionSpec(folder, explorer.value), count_scenes(folder)
    kept = []
    with progress() as shown:
        bar = shown.add_task("questions", total=total)
        for each in exported(walk, public=public):
            make_folder(out / "frames")
            for number, pixels in enumerate(frame_pictures(each.scene, each.frames)):
                place = out / "frames" / frame_name(each.scene.number, number)
                write_or_refuse(place, png(pixels))
            kept.append(each)
            shown.advance(bar)
    write_or_refuse(out / "questions.jsonl", lines_of(kept))
    write_arrays(out / "frames.npz", arrays_of(kept))
    write_or_refuse(out / "README.md", card(walk, kept, public=public))
    questions, frames = (
        sum(len(each.records) for each in kept),
        sum(len(each.frames.steps) for each in kept),
    )
    if as_json:
        print_json(
            {
                "schema": "mars-logic export 1",
                "to": ExportTarget.questions.value,
                "folder": str(out),
                "scenes": len(kept),
                "questions": questions,
                "frames": frames,
            }
        )
    else:
        print(f"{out}: {questions:,} questions about {len(kept):,} scenes, {frames:,} key frames")
