"""Where the time of a step and of a reset goes: parts of both, on states of random play."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from mars_logic.compiled.kernel import kernel
from mars_logic.experiments.measurement import Bench, BenchmarkResult, compared
from mars_logic.experiments.measurement.players import Ours
from mars_logic.sim import terrain, terrain_features
from mars_logic.sim.board import count_ground, forget_removed, near_among
from mars_logic.sim.creatures import update_thing
from mars_logic.sim.daylight import daylight_table
from mars_logic.sim.noise import permutation
from mars_logic.sim.noise_grid import add_layer, lattice
from mars_logic.sim.player import update_player
from mars_logic.sim.spawning import balance
from mars_logic.sim.stream import seed_stream
from mars_logic.sim.tables import compile_rules
from mars_logic.sim.vectors import BYTES, lowest_bit
from mars_logic.world.dialect import AREA, BALANCE_PERIOD
from mars_logic.world.load import load_world
from mars_logic.world.names import ACTIONS

_PLAYER, _SEARCH, _THINGS, _BALANCE, _FORGET = (1 << bit for bit in range(5))
_ALL = _PLAYER | _SEARCH | _THINGS | _BALANCE | _FORGET
_LEFT_OUT = {
    "the player's turn": _PLAYER,
    "things nearby: their turns": _THINGS,
    "things nearby: search and turns": _SEARCH | _THINGS,
    "balance, a tenth of it": _BALANCE,
    "closing gaps": _FORGET,
}
_WORLD = "crafter"
_STEPS = 20


def measure(bench: Bench) -> BenchmarkResult:
    """Parts of a step by leaving each out, parts of a reset by doing each alone; one thread.

    A step without creatures' turns is another game soon, so few steps are played from each state.
    The time of the batch's loop and of the interface is not among the parts.
    """
    n, again = bench.size((256, 4), (4, 1))
    steps = _Steps(n)
    turns = {"all": partial(steps.seconds, _ALL, again)}
    for name, parts in _LEFT_OUT.items():
        turns[name] = partial(steps.seconds, _ALL & ~parts, again)
    found = bench.interleave("parts of a step", turns)
    whole = found["all"]
    rows = [compared("a step, all of these parts", "s", whole, smaller_is_better=True)]
    for name in _LEFT_OUT:
        less = [max(a - b, 0.0) for a, b in zip(whole, found[name], strict=True)]
        rows.append(compared(f"a step: {name}", "s", less, smaller_is_better=True))
    resets = _Resets(bench.size(200, 2))
    found = bench.interleave("parts of a reset", resets.turns())
    rows += [
        compared(f"a reset: {name}", "s", seconds, smaller_is_better=True)
        for name, seconds in found.items()
    ]
    return BenchmarkResult(tuple(rows))


class _Steps:
    """Steps of some parts, on states of random play."""

    def __init__(self, n: int) -> None:
        self._envs = Ours(n, world=_WORLD).simulator.snapshot().envs
        self._rules = compile_rules(load_world(_WORLD))
        self._daylight = daylight_table()
        self._actions = np.random.default_rng(0).integers(len(ACTIONS), size=(_STEPS, n))

    def seconds(self, parts: int, again: int) -> float:
        """Time of a step with these parts."""
        spent, lived = 0.0, 0
        for _ in range(again):
            envs = self._envs.copy()
            begun = time.process_time()
            lived += _some_parts(envs, self._rules, self._daylight, self._actions, parts)
            spent += time.process_time() - begun
        return spent / lived


@kernel
def _some_parts(envs: Any, rules: Any, daylight: Any, actions: Any, parts: int) -> int:
    """Play; return the number of steps of living players."""
    lived = 0
    for t in range(len(actions)):
        for i in range(len(envs)):
            env = envs[i]
            if env.done:
                continue
            lived += 1
            env.step += 1
            acting = env.num_things
            if parts & _PLAYER:
                update_player(env, rules[0], actions[t, i])
            if parts & _SEARCH:
                for first in range(0, acting, BYTES):
                    near = near_among(env, first, acting, int(rules[0].horizon))
                    while parts & _THINGS and near:
                        number = first + lowest_bit(near)
                        update_thing(env, rules[0], number, daylight[env.step])
                        near &= near - 1
            if parts & _BALANCE and env.step % BALANCE_PERIOD == 0:
                balance(env, rules[0], daylight[env.step])
            if parts & _FORGET:
                forget_removed(env)
    return lived


class _Resets:
    """Parts of resets, each done alone a number of times."""

    def __init__(self, again: int) -> None:
        self._again = again
        self._envs = Ours(2, world=_WORLD, spread_out=0).simulator.snapshot().envs.copy()
        self._rules = compile_rules(load_world(_WORLD))

    def turns(self) -> dict[str, Callable[[], float] | None]:
        """The parts by name: seconds of one."""
        envs, rules, table = self._envs, self._rules, lattice()
        facts = _facts(permutation(1), table)
        visited = np.empty(AREA, np.int64)
        _materials(0, envs[1:], rules, facts, visited)

        def timed(part: Callable[..., object], *arguments: Any) -> Callable[[], float]:
            def turn() -> float:
                begun = time.process_time()
                for number in range(self._again):
                    part(number, *arguments)
                return (time.process_time() - begun) / self._again

            return turn

        return {
            "seeding": timed(lambda number: seed_stream(envs[0]["stream"], number)),
            "noise": timed(_noise, table),
            "noise and comparisons": timed(lambda number: _facts(permutation(number), table)),
            "materials": timed(_materials, envs, rules, facts, visited),
            "counts of ground": timed(_ground, envs),
            "inhabitants": timed(_inhabitants, envs, rules, visited),
        }


@kernel
def _noise(seed: int, table: Any) -> float:
    fields = np.zeros((terrain_features.NUM_FIELDS, AREA * AREA), np.float32)
    perm = permutation(seed)
    for field, layer, weight in terrain_features.MIXTURE:
        add_layer(fields[field], table[0], layer, perm, weight)
    return float(fields[0, 0])


@kernel
def _facts(perm: Any, table: Any) -> Any:
    return terrain_features.find_facts(perm, table[0])


@kernel
def _materials(_: int, envs: Any, rules: Any, facts: Any, visited: Any) -> None:
    envs[0].cells[:] = 0
    terrain.add_terrain(envs[0], rules[0], facts, visited)


@kernel
def _ground(_: int, envs: Any) -> None:
    count_ground(envs[0])


@kernel
def _inhabitants(_: int, envs: Any, rules: Any, visited: Any) -> None:
    envs[0].num_things = 0
    envs[0].cells[:] = envs[1].cells  # a map without creatures
    terrain.add_inhabitants(envs[0], rules[0], visited)


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
