"""Rollouts of one decision: one compiled call, and the same futures stepped in the simulator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.experiments.measurement import Bench, BenchmarkResult, compared, processor_seconds
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.foresight import (
    STREAMS,
    RolloutBatch,
    defensive_action,
    imagined,
    stream_numbers,
)
from mars_logic.plan.observed_map import ObservedMap, Status
from mars_logic.plan.world_model import DO, NOOP, WorldModel
from mars_logic.sim import Simulator
from mars_logic.sim.imagined_state import stream_table
from mars_logic.sim.snapshot import Snapshot
from mars_logic.sim.tables import compile_rules
from mars_logic.world.dialect import LONGEST_EPISODE
from mars_logic.world.load import load_world
from mars_logic.world.names import ACTIONS
from mars_logic.world.theory import World

_ACTIONS = [NOOP, 1, 2, 3, 4, DO]
_FUTURES, _STEPS = 48, 8
_NEAR = 3


def measure(bench: Bench) -> BenchmarkResult:
    """Time of the rollouts of a decision beside an attacker, by the processor."""
    world = load_world("default")
    states = list(islice(attacked(world), bench.size(20, 2)))
    rollouts, simulators = RolloutBatch(world), StepwiseRollouts(world)

    def seconds(player: RolloutBatch | StepwiseRollouts) -> float:
        def play_all() -> None:
            for state in states:
                player.health(state, _ACTIONS, _STEPS, futures=_FUTURES)

        return processor_seconds(play_all) / len(states)

    found = bench.interleave(
        "rollouts",
        {
            "stepwise": (lambda: seconds(simulators)) if bench.peer else None,
            "ours": lambda: seconds(rollouts),
        },
    )
    quantity = f"rollouts of a decision, {len(_ACTIONS)} × {_FUTURES} futures of {_STEPS} steps"
    row = compared(
        *(quantity, "s", found["ours"], found["stepwise"]),
        peer_name="the simulator, step by step",
        smaller_is_better=True,
    )
    return BenchmarkResult((row,))


def attacked(world: World, seed: int = 0) -> Iterator[NDArray[np.void]]:
    """Records of states of random play in which an attacker is near, as the planner imagines them.

    Args:
        world: The world.
        seed: Of the first episode; each episode gives at most one state.
    """
    model = WorldModel(world)
    simulator = Simulator(world)
    while True:
        simulator.reset(seed)
        random, done = np.random.default_rng(seed), False
        while not done:
            done = bool(simulator.step(int(random.integers(len(ACTIONS)))).done[0])
            state = simulator.state()
            seen = ObservedMap.from_state(state, world.dynamics)
            here = BeliefState(model, seen, Status.from_state(state, world.achievements))
            if any(model.blow(thing.kind) for thing in here.creatures_within(_NEAR)):
                yield imagined(here).record()
                break
        seed += 1


class StepwiseRollouts:
    """The results of :class:`RolloutBatch` by the steps of a simulator, one call each."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._rules = compile_rules(world)
        self._simulators: dict[int, Simulator] = {}

    def health(
        self,
        start: NDArray[np.void],
        actions: Sequence[int],
        steps: int,
        *,
        futures: int,
        flees: bool = False,
        idle: int = NOOP,
    ) -> NDArray[np.int64]:
        """int64[actions, futures]; see :meth:`RolloutBatch.health`."""
        simulator = self._simulator(len(actions) * futures)
        envs = np.repeat(start, simulator.n)
        numbers = stream_numbers(int(start["step"][0]), futures)
        envs["stream"] = np.tile(stream_table(STREAMS)[numbers], len(actions))
        simulator.restore(Snapshot(envs))
        simulator.step(np.repeat(np.array(actions, np.int64), futures))
        for _ in range(steps - 1):
            envs = simulator.snapshot().envs
            chosen = np.zeros(len(envs), np.int64)
            defensive_actions(envs, self._rules, flees, chosen)
            simulator.step(np.where(chosen == NOOP, idle, chosen))
        left = simulator.observe().status[:, 0].astype(np.int64)
        return left.reshape(len(actions), futures)

    def _simulator(self, n: int) -> Simulator:
        if n not in self._simulators:
            self._simulators[n] = Simulator(self._world, n, length=LONGEST_EPISODE)
        return self._simulators[n]


@kernel
def defensive_actions(envs: Any, rules: Any, flees: bool, actions: Any) -> None:
    """Fill int64[n] with the defensive action in each environment."""
    for i in range(len(envs)):
        actions[i] = defensive_action(envs[i], rules[0], flees)


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
