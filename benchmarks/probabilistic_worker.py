"""A probabilistic planner of others in a process of its own, in a folder with an exported task.

It prints what the planner tells of the task and what episodes of its policy cost, in the planner's
own simulator of the task. Every action costs 1: the tasks are without movement.

scikit-decide's costs are not used as they stand. It takes them from the growth of ``total-cost``
between the states that it keeps, so that an action that changes nothing would cost nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import resource
import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from typing import Any

Answer = tuple[float | None, Iterator[float | None]]
"""The value of the start, and the cost of each episode; None where the goal was not reached."""


def main(
    solver: str, options: dict[str, Any], episodes: int, most: int, seed: int, limit: int
) -> None:
    """Solve the task of the current folder.

    Args:
        solver: ``JaxPlan``, or a solver of scikit-decide.
        options: Of its class; a heuristic of scikit-decide by its name.
        episodes: How many are played.
        most: Steps after which an episode that does not reach the goal is ended.
        seed: Of the first episode.
        limit: Seconds of processor time, after which the process is ended.
    """
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    with contextlib.redirect_stdout(sys.stderr):
        solve = _jax_plan if solver == "JaxPlan" else _scikit_decide
        value, played = solve(solver, options, episodes, most, seed)
        solved = _seconds()
        costs = [*played]
    told = {"value": value, "costs": costs, "seconds": solved, "playing": _seconds() - solved}
    print(json.dumps(told), flush=True)
    os._exit(0)  # some leave threads behind


def _seconds() -> float:
    took = os.times()
    return took.user + took.system + took.children_user + took.children_system


def _scikit_decide(
    name: str, options: dict[str, Any], episodes: int, most: int, seed: int
) -> Answer:
    from skdecide import Value
    from skdecide.hub.domain.pddl import PPDDLDomain, heuristics

    class Counted(PPDDLDomain):  # type: ignore[misc]
        def _get_transition_value(self, *_: Any) -> Any:
            return Value(cost=1.0)

    game = Counted("domain.pddl", "problem.pddl")
    if "heuristic" in options:
        options = {**options, "heuristic": getattr(heuristics, options["heuristic"])(game.task)()}
    solver = getattr(import_module(f"skdecide.hub.solver.{name.lower()}"), name)(
        lambda: Counted("domain.pddl", "problem.pddl"), **options
    )
    start = game.get_initial_state()
    solver.solve()
    value = solver.get_utility(start)

    def played() -> Iterator[float | None]:
        for episode in range(episodes):
            chance, state, cost = random.Random(seed + episode), start, 0
            while not game.is_goal(state) and cost < most:
                action = solver.get_next_action(state)
                ways = game.get_next_state_distribution(state, action).get_values()
                (state,) = chance.choices(*zip(*ways, strict=True))
                cost += 1
            yield float(cost) if game.is_goal(state) else None

    return float(getattr(value, "cost", value)), played()


def _jax_plan(_: str, options: dict[str, Any], episodes: int, most: int, seed: int) -> Answer:
    """JaxPlan: a straight-line plan, optimised again in each state."""
    import jax
    import pyRDDLGym
    from pyRDDLGym_jax.core.planner import (
        JaxBackpropPlanner,
        JaxOnlineController,
        JaxStraightLinePlan,
    )

    game = pyRDDLGym.make("domain.rddl", "problem.rddl", vectorized=True)
    planner = JaxBackpropPlanner(game.model, JaxStraightLinePlan(), **options["planner"])
    agent = JaxOnlineController(
        planner,
        key=jax.random.PRNGKey(seed),
        print_summary=False,
        print_progress=False,
        **options["training"],
    )

    def played() -> Iterator[float | None]:
        for episode in range(episodes):
            (state, _), total, ended, steps = game.reset(seed=seed + episode), 0.0, False, 0
            agent.reset()
            while not ended and steps < most:
                state, reward, ended, _, _ = game.step(agent.sample_action(state))
                total, steps = total + float(reward), steps + 1
            yield game.horizon - total if ended else None

    return None, played()


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]), *map(int, sys.argv[3:]))
