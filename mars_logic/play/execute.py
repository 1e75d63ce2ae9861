"""Execution of witnesses: a simple executor plays a proof's steps on their map.

The executor goes to the nearest cell that a step of the witness can be done on, turns, and does
it; on the way it keeps itself alive as the planner does. It does not replan: where the witness is
insufficient (objects placed to cross water and lost, a creature that does not spawn), it fails and
reports the step. A success is a certificate that anyone can replay.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mars_logic.logic.proof import Step
from mars_logic.plan.planner import Planner
from mars_logic.plan.task_plan import Task, TaskPlan
from mars_logic.play.certificate import Certificate, certify, verify
from mars_logic.play.episodes import play
from mars_logic.play.oracle_base import OracleBase
from mars_logic.play.step_executor import StepExecutor
from mars_logic.sim import Simulator

if TYPE_CHECKING:
    from mars_logic.world.theory import World

STEPS = 1000
"""Steps after which a witness is given up."""
NAME = "executor"
TRIES = 3
"""Episodes played for a witness by the simple executor, each with another wait at first."""


@dataclass(frozen=True)
class Execution:
    """The result of executing a witness.

    Attributes:
        certificate: The played steps, replayed and found to be true; None if it failed.
        reason: Why it failed; None if it did not.
    """

    certificate: Certificate | None
    reason: str | None = None

    @property
    def steps(self) -> int | None:
        """How many steps it took; None if it failed."""
        return self.certificate.steps if self.certificate else None


class Executor(OracleBase):
    """An agent that carries out a witness."""

    def __init__(self, achievement: str, witness: Iterable[Step]):
        """Prepare.

        Args:
            achievement: What to unlock.
            witness: The steps to carry out.
        """
        super().__init__()
        targets = tuple(Task(step.rule, step.times, step.gain) for step in witness)
        self._plan = TaskPlan(targets, (achievement,))

    def make_planner(self, world: World, length: int) -> Planner:
        """One that follows the witness."""
        return Planner(world, self._plan.goals, follows=self._plan, length=length)

    @property
    def doing(self) -> str:
        """The step of the witness that it was at."""
        targets = self.planner.plan.targets if self.planner and self.planner.plan else ()
        return targets[0].rule if targets else "the end of the witness"


def execute(
    world: World,
    name: str,
    seed: int,
    achievement: str,
    witness: Iterable[Step],
    limit: int = STEPS,
) -> Execution:
    """Carry out a witness on the map of a seed.

    Args:
        world: The world.
        name: What it can be loaded by, for the certificate.
        seed: The map's seed.
        achievement: What the witness unlocks.
        witness: Its steps.
        limit: Steps after which it is given up.
    """
    tries: list[Executor | StepExecutor]
    if world.vocabulary.traced:
        tries = [StepExecutor(steps, pause) for pause in range(TRIES) for steps in [tuple(witness)]]
    else:
        tries = [Executor(achievement, witness)]
    for executor in tries:
        played = play(executor, Simulator(world), seed, (achievement,), limit=limit)
        if achievement in played.unlocked:
            break
    else:
        end = "the player died" if played.ended == "death" else "time ran out"
        return Execution(None, f"{end} after {played.steps} steps, at {executor.doing}")
    certificate = certify(played, world, name, NAME)
    found = verify(certificate, world)
    if not found.valid:
        return Execution(None, f"its replay differs: {'; '.join(found.problems)}")
    return Execution(certificate)
