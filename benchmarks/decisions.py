"""Profile of the planner's decisions: mean time of each stage, with the whole map and without."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cached_property
from typing import Any, Final
from unittest.mock import patch

from mars_logic.experiments.measurement import Bench, BenchmarkResult, compared
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.expectation import ExpectationFilter
from mars_logic.plan.foresight import Foresight
from mars_logic.plan.planner import Planner
from mars_logic.plan.survive import Survival
from mars_logic.plan.task_queue import TaskQueue
from mars_logic.play.agent import load_agent
from mars_logic.play.episodes import play
from mars_logic.sim import Simulator
from mars_logic.world.load import load_world

_STAGES: Final[tuple[tuple[str, type, str], ...]] = (
    ("expectation of what is out of view", ExpectationFilter, "update"),
    ("task plans (clingo)", TaskQueue, "_replan"),
    ("itineraries", TaskQueue, "_itinerary_for"),
    ("routes", BeliefState, "routes"),
    ("routes", BeliefState, "footpaths"),
    ("food, drink and health", Survival, "needs"),
    ("sleep and shelter", Survival, "rest"),
    ("rollouts", Foresight, "better"),
    ("rollouts", Foresight, "sleeps_well"),
)
"""Name of each stage, and the method or property in which its time is spent."""
_WHOLE: Final = "all"
_REST: Final = "everything else"
_PLAYED: Final = (("oracle", "default"), ("oracle", "crafter"), ("informed", "default"))
_FIRST_SEED: Final = 400
_LONGEST: Final = 600


def measure(bench: Bench) -> BenchmarkResult:
    """Processor time of a decision and of its stages; a stage inside another counts for itself."""
    rows = []
    for agent, name in _PLAYED:
        simulator = Simulator(load_world(name))
        _profile(agent, simulator, _FIRST_SEED - 1, bench.size(_LONGEST, 30))  # compiles
        episodes = [
            _profile(agent, simulator, _FIRST_SEED + i, bench.size(_LONGEST, 30))
            for i in range(bench.size(8, 1))
        ]
        stages = [_WHOLE, *dict.fromkeys(stage for stage, _, _ in _STAGES), _REST]
        rows += [
            compared(
                *(f"decision of {agent} in {name}: {stage}", "s"),
                [episode[stage] for episode in episodes],
                smaller_is_better=True,
            )
            for stage in stages
            if any(episode[stage] for episode in episodes)
        ]
    return BenchmarkResult(tuple(rows))


class StageClock:
    """Processor time by stage; time in a stage inside another counts for the inner one only.

    Attributes:
        seconds: By stage.
        decisions: How often the planner decided.
    """

    def __init__(self) -> None:
        """Begin with nothing measured."""
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.decisions = 0
        self._open: list[str] = []
        self._since = 0.0

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, whose time counts for a stage."""

        def call(*arguments: Any, **named: Any) -> Any:
            self.decisions += stage == _REST
            self._turn()
            self._open.append(stage)
            try:
                return function(*arguments, **named)
            finally:
                self._turn()
                self._open.pop()

        return call

    def _turn(self) -> None:
        """Credit the time since the last change of stages."""
        now = time.process_time()
        if self._open:
            self.seconds[self._open[-1]] += now - self._since
        self._since = now


def _profile(agent: str, simulator: Simulator, seed: int, limit: int) -> Mapping[str, float]:
    """Seconds of a decision by stage, over one episode."""
    clock = StageClock()
    with _measuring(clock):
        goals = simulator.world.achievements
        play(load_agent(agent)(), simulator, seed, goals, limit=limit)
    means = {stage: spent / clock.decisions for stage, spent in clock.seconds.items()}
    return defaultdict(float, means | {_WHOLE: sum(means.values())})


@contextmanager
def _measuring(clock: StageClock) -> Iterator[None]:
    """Measure all decisions of planners meanwhile."""
    with ExitStack() as stack:
        for stage, owner, name in (*_STAGES, (_REST, Planner, "decide")):
            there = vars(owner)[name]
            found: Any
            if isinstance(there, cached_property):
                found = cached_property(clock.timed(stage, there.func))
                found.__set_name__(owner, name)
            else:
                found = clock.timed(stage, there)
            stack.enter_context(patch.object(owner, name, found))
        yield


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
