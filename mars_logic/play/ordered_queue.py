"""A task queue that does the steps of a given plan one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.task_plan import Task, TaskPlan
from mars_logic.plan.task_queue import TaskQueue, together
from mars_logic.plan.world_model import WorldModel
from mars_logic.world.theory import Theory


class OrderedQueue(TaskQueue):
    """The steps of a plan, of which only the first that is left is a target.

    Which steps are done is judged outside, from the game; nothing is crossed off here.

    Attributes:
        left: The steps that are left, each to be done once.
        detours: How many of these are no steps of the plan, but were put before one.
    """

    def __init__(self, belief: Theory, model: WorldModel, steps: Sequence[Task]):
        """Begin with the first step.

        Args:
            belief: The rules as far as they are known.
            model: The same, compiled.
            steps: The steps, each to be done once.
        """
        super().__init__(belief, model, ())
        self.left = tuple(steps)
        self.detours = 0
        self.follow(TaskPlan(self.left[:1]))

    def advance(self) -> None:
        """The first step is done."""
        self.left = self.left[1:]
        self.detours = max(0, self.detours - 1)
        self._begin()

    def cross_off(self, place: int) -> None:
        """A later step is done, which was the one at this place."""
        self.left = (*self.left[:place], *self.left[place + 1 :])

    def detour(self, step: Task) -> None:
        """Put a step before the first one that is left."""
        self.left = (step, *self.left)
        self.detours += 1
        self._begin()

    def _begin(self) -> None:
        self.follow(TaskPlan(self.left[:1]))
        self.plan = self.current = self._itinerary = None
        self._put_off.clear()

    def hurry(self, tools: frozenset[str]) -> None:
        """Nothing is put before the steps of the plan."""

    @property
    def together(self) -> dict[str, frozenset[str]]:
        """For each thing to be placed, what has to stand close to it for any later step."""
        return together(self._model, self.left)

    def spare(self, here: BeliefState) -> dict[str, int]:
        """All that is held, since the plan may need it."""
        return dict(here.held)

    @property
    def reserved(self) -> tuple[tuple[str, int], ...]:
        """By item, the amount used by steps before more of it is collected."""
        return self.reserved_for(self.left)

    def _cross_off(self, rule: str, gain: str | None, times: int = 1) -> None:
        """Keep the step: whether it is done is judged outside."""
