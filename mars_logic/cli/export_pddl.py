"""Worlds and play as planning tasks and plans: what ``export --to pddl`` writes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mars_logic.cli.output import make_folder, print_json, require_free, say, working
from mars_logic.errors import InputError
from mars_logic.system.display import number
from mars_logic.system.files import write_atomically
from mars_logic.world.known_names import require_as_task
from mars_logic.world.load import load_world

if TYPE_CHECKING:
    from mars_logic.logic.certainty import Certainty
    from mars_logic.logic.pddl import PddlForm, PlanningTask
    from mars_logic.logic.pddl.read import PlanStep
    from mars_logic.play.certificate import Certificate
    from mars_logic.world.theory import World


@dataclass(frozen=True)
class PddlExport:
    """A planning task that is to be written, and the play that becomes a plan for it.

    Attributes:
        world: The world.
        name: The world's name, as it was given.
        goal: The achievements to unlock; by default all that are reachable, or of play those that
            it unlocked.
        luck: The chances that plans may count on.
        map_seed: The seed of the map, if it is for one map.
        plan: Where the plan goes; None without one.
        form: The form of PDDL.
        certificate: The play that becomes the plan; None if the oracle is to play.
    """

    world: World
    name: str
    goal: tuple[str, ...]
    luck: Certainty
    map_seed: int | None
    plan: Path | None
    form: PddlForm
    certificate: Certificate | None = None

    @classmethod
    def of_world(
        cls,
        name: str,
        goal: Iterable[str],
        luck: Certainty,
        map_seed: int | None,
        plan: Path | None,
        form: PddlForm,
    ) -> PddlExport:
        """The task of a world.

        Raises:
            InputError: A plan is wanted without a map.
        """
        if plan is not None and map_seed is None:
            raise InputError("--plan: a plan is played on a map; allowed: with --map SEED")
        world = load_world(name)
        require_as_task(world, "export", "the planning task")
        return cls(world, name, tuple(goal), luck, map_seed, plan, form)

    @classmethod
    def of_certificate(
        cls, path: Path, goal: Iterable[str], plan: Path, form: PddlForm
    ) -> PddlExport:
        """The task of the map of a certificate, and its play as a plan.

        Raises:
            InputError: The certificate is wrong, or its claims are false.
        """
        from mars_logic.cli.verify import world_of
        from mars_logic.play import certificate

        kept = certificate.load(path)
        world = world_of(kept, path)
        require_as_task(world, "export", "the planning task")
        found = certificate.verify(kept, world)
        if not found.valid:
            raise InputError(f"{path}:1: file: {found.problems[0]}; allowed: a valid certificate")
        name, seed = kept.world.name, kept.seed
        return cls(world, name, tuple(goal), "finite_chance", seed, plan, form, kept)

    def task(self) -> tuple[PlanningTask, list[PlanStep]]:
        """The task, and the plan; without play the plan is empty.

        Achievements of the play that the task does not reach by its interactions are told.
        """
        from mars_logic.experiments.plans import play_as_plan
        from mars_logic.experiments.proving import planning_task

        if self.plan is None:
            about = self.world, self.goal, self.luck, self.map_seed
            return planning_task(*about, chances=self.form.has_chances), []
        kept = self.certificate or self._oracle()
        task, steps = play_as_plan(self.world, kept, self.goal, self.luck)
        lost = [name for name in kept.unlocked if name not in task.goal and not self.goal]
        if lost:
            say(
                "left out, since the exported task does not reach it by the episode's actions: "
                + ", ".join(lost)
            )
        return task, steps

    def _oracle(self) -> Certificate:
        """The oracle's play on the map."""
        from mars_logic.experiments.runs import Run
        from mars_logic.play.agent import load_agent

        assert self.map_seed is not None
        with working("planning and playing"):
            played = Run("oracle", load_agent("oracle"), self.world, self.name)
            return played.episode(self.map_seed, 1).certificate


def export_task(
    export: PddlExport, target: str, out: Path, traces: int, *, force: bool, as_json: bool
) -> None:
    """Write the domain, the problem, and the plan or the traces, and tell what they hold.

    Args:
        export: What to write.
        target: What `--to` names.
        out: The folder of domain and problem.
        traces: How many random walks, for a task in the lifted form.
        force: Whether files that exist are replaced.
        as_json: Whether it is told as JSON.

    Raises:
        InputError: A file exists, cannot be written, or the play is no plan for the task.
    """
    from mars_logic.logic.pddl import domain_text, plan_text, problem_text, random_traces

    form = export.form
    ending = "rddl" if target == "rddl" else "pddl"
    files = {name: out / f"{name}.{ending}" for name in ("domain", "problem")}
    files |= {f"trace {n}": out / f"{n}_traj" for n in range(traces)}
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: it is no folder; allowed: a folder, or a new name")
    within = [path for path in (*files.values(), export.plan) if path and path.parent == out]
    for path in within if out.exists() else ():
        require_free(path, force)
    if export.plan is not None and export.plan not in within:
        require_free(export.plan, force)
    task, steps = export.task()
    make_folder(out)
    write_atomically(files["domain"], domain_text(task, form))
    write_atomically(files["problem"], problem_text(task, form))
    if export.plan is not None:
        write_atomically(export.plan, plan_text(task, steps, form))
        files["plan"] = export.plan
    for place, trace in enumerate(random_traces(task, traces)):
        write_atomically(files[f"trace {place}"], str(trace))
    rules = {action.name: action for action in task.actions if action.rule}
    interactions = sum(bool(step.action.rule) for step in steps)
    if as_json:
        print_json(
            {
                "schema": "mars-logic export 1",
                "world": export.name,
                "digest": task.world.digest,
                "map_seed": export.map_seed,
                "to": target,
                "luck": export.luck,
                "goal": task.goal,
                "files": {name: str(path) for name, path in files.items()},
                "actions": {
                    name: {"rule": action.rule, "gain": action.gain}
                    for name, action in rules.items()
                },
                **({"plan": {"interactions": interactions}} if export.plan is not None else {}),
            }
        )
        return
    others = len(task.actions) - len(rules)
    print(
        f"{files['domain']}: {len(rules)} kinds of interaction, {others} other actions (movement)"
    )
    goals = f"{len(task.goal)} achievement{'s' * (len(task.goal) != 1)} to unlock"
    print(f"{files['problem']}: {len(task.zones)} zones, {goals}")
    if export.plan is not None:
        print(f"{export.plan}: a plan of {interactions} interactions")
    if traces:
        print(f"{out}: {number(traces, 'trace')}, random walks from seed 0 on")
