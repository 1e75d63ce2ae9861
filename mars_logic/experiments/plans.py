"""Plans in PDDL and play: plans made elsewhere are carried out, and play is written as a plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mars_logic.errors import InputError
from mars_logic.experiments.proving import planning_task

if TYPE_CHECKING:
    from mars_logic.logic.certainty import Certainty
    from mars_logic.logic.pddl import PlanningTask
    from mars_logic.logic.pddl.model import Action
    from mars_logic.logic.pddl.read import PlanStep
    from mars_logic.logic.pddl.state import PlanState
    from mars_logic.play.certificate import Certificate
    from mars_logic.play.interactions import Interaction
    from mars_logic.play.plan_execution import PlanExecution
    from mars_logic.world.theory import World

PlanVerdict = Literal["valid", "invalid", "not decided"]
"""``invalid``: an action does not apply in the exported task. ``not decided``: all apply, and the
executor did not do all of them in the game, which proves nothing."""


@dataclass(frozen=True)
class PlanProblem:
    """The first action of a plan that was not done, and why.

    Attributes:
        line: Its line in the plan's file.
        action: The action as the plan has it.
        reason: In words.
    """

    line: int
    action: str
    reason: str


@dataclass(frozen=True, repr=False)
class PlanVerification:
    """The verdict about a plan made elsewhere.

    Attributes:
        verdict: Whether its interactions were all done, in their order, in the game.
        interactions: The number of its interactions.
        unlocked_in_task: The achievements that the plan unlocks in the exported task, as far as its
            actions apply.
        execution: What came of it in the game; None if an action does not apply in the task.
        problem: What was not done; None if all was.
    """

    verdict: PlanVerdict
    interactions: int
    unlocked_in_task: tuple[str, ...]
    execution: PlanExecution | None
    problem: PlanProblem | None

    def __repr__(self) -> str:
        return f"<PlanVerification: {self.verdict}; {self.interactions} interactions>"


def verify_plan(world: World, path: Path, seed: int) -> PlanVerification:
    """Check a plan against the exported task, and carry it out in the simulator.

    A plan that names zones of ordinary maps is checked against the task for ordinary maps, else
    against that for the map of the seed.

    Args:
        world: The world that was exported.
        path: The plan's file.
        seed: The seed of the map that it is carried out on.

    Raises:
        InputError: The file cannot be read, or names actions or objects that the task lacks.
        ValueError: The seed is out of range.
    """
    from mars_logic.logic.pddl.read import names_zones, plan_lines, plan_steps
    from mars_logic.logic.pddl.state import PlanState
    from mars_logic.logic.proof import Step
    from mars_logic.play.plan_execution import carry_out

    lines = plan_lines(path)
    ordinary = not names_zones(lines, "patch-") and any(
        word.endswith("-zone") for _, words in lines for word in words[1:]
    )
    task = planning_task(world, map_seed=None if ordinary else seed)
    steps = plan_steps(lines, task, path)
    interactions = [step for step in steps if step.action.rule]
    state = PlanState(task)
    for step in steps:
        missing = state.missing(step)
        if missing is None:
            state.apply(step)
        elif not state.is_idle(step):
            problem = PlanProblem(step.line, str(step), missing)
            return PlanVerification("invalid", len(interactions), _unlocked(state), None, problem)
    tasks = [Step(step.action.rule, 1, step.action.gain) for step in interactions]
    execution = carry_out(world, seed, tasks)
    unlocked, count = _unlocked(state), len(interactions)
    if execution.reason is None:
        return PlanVerification("valid", count, unlocked, execution, None)
    stuck = interactions[execution.done]
    problem = PlanProblem(stuck.line, str(stuck), execution.reason)
    return PlanVerification("not decided", count, unlocked, execution, problem)


def _unlocked(state: PlanState) -> tuple[str, ...]:
    return tuple(sorted(name for name in state.names_of("unlocked")))


def play_as_plan(
    world: World,
    certificate: Certificate,
    goal: Sequence[str] = (),
    certainty: Certainty = "finite_chance",
) -> tuple[PlanningTask, list[PlanStep]]:
    """A played episode as a plan for the exported task of its map.

    Each interaction of the play becomes an action, with the movement that it takes in the task.
    Interactions that the task has no use for at that point are left out.

    Args:
        world: Where it was played.
        certificate: The play.
        goal: The achievements that the task is for; by default those that the play unlocked and
            that its interactions reach in the task, too.
        certainty: How much luck plans for the task may count on.

    Returns:
        The task, and the plan.

    Raises:
        InputError: The play is of another episode than the first, it unlocked nothing, or its
            interactions do not reach the goal in the task.
    """
    from mars_logic.logic.pddl.state import PlanState, needed_only
    from mars_logic.play.interactions import deeds

    if certificate.episode != 1:
        raise InputError(f"episode: the play is of episode {certificate.episode}; allowed: 1")
    wanted = tuple(goal) or tuple(n for n in world.achievements if n in certificate.unlocked)
    if not wanted:
        raise InputError("unlocked: the play unlocked nothing; allowed: play that reaches a goal")
    task = planning_task(world, wanted, certainty, certificate.seed)
    state = PlanState(task)
    steps = [*_moves(task, state)]
    for deed in deeds(world, certificate.seed, certificate.episode, certificate.actions):
        step = _action_for(task, state, deed)
        if step is None:
            continue
        state.apply(step)
        steps += [step, *_moves(task, state)]
    missing = [name for name in task.goal if not state.holds(("unlocked", name))]
    if missing and not goal and len(missing) < len(task.goal):
        task = replace(task, goal=tuple(name for name in task.goal if name not in missing))
    elif missing:
        raise InputError(
            f"goal: the play does not reach {', '.join(missing)} in the exported task; "
            f"allowed: goals among {', '.join(_unlocked(state))}"
        )
    return task, needed_only(task, steps)


def _moves(task: PlanningTask, state: PlanState) -> Iterator[PlanStep]:
    """All movement that is possible, applied; nothing is lost by it."""
    moves = [action for action in task.actions if not action.rule]
    moved = True
    while moved:
        moved = False
        for action in moves:
            for step in state.applicable(action):
                useful = action.addition or not state.is_idle(step)
                if useful and state.missing(step) is None:
                    state.apply(step)
                    moved = True
                    yield step


def _action_for(task: PlanningTask, state: PlanState, deed: Interaction) -> PlanStep | None:
    """The applicable action that tells most of what an interaction brought; None if it is idle.

    If it takes a material, it takes the one that the interaction was done to.
    """
    fitting = [a for a in task.actions if a.rule == deed.rule and _gains(a) <= _brought(deed)]
    for action in sorted(fitting, key=lambda action: -len(_gains(action))):
        steps = list(state.applicable(action))
        steps.sort(key=lambda step: f"{deed.material}-cell" not in step.arguments.values())
        for step in steps[:1]:
            changes = any(change.by for change in action.changes)
            return step if changes or not state.holds_all(step) else None
    return None


def _gains(action: Action) -> set[str]:
    """The items that an action brings, and the creature that it counts on."""
    held = {c.amount[1] for c in action.changes if c.by > 0 and c.amount[0] == "held"}
    items = {name.removesuffix("-item") for name in held}
    return items | ({action.gain} if action.gain else set())


def _brought(deed: Interaction) -> set[str]:
    """What an interaction brought: what there was more of, or a counter tells of."""
    verb = "make_" if deed.rule.startswith("make.") else "collect_"
    told = {name.removeprefix(verb) for name in deed.counted} | {*deed.gained}
    return told | ({deed.came} if deed.came else set())
