"""Checking: transitions a second from arrays to a report, beside clingo; open claims a second."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import clingo
import numpy as np
from numpy.typing import NDArray

from mars_logic import load_world
from mars_logic.data import About, Trajectory, Views
from mars_logic.data.trajectory import CENTRE, DONE, SEEN, assemble
from mars_logic.experiments.measurement import (
    Bench,
    BenchmarkResult,
    BenchmarkRow,
    Goal,
    compared,
    processor_seconds,
    seconds_since,
)
from mars_logic.logic.facts import facts
from mars_logic.sim import Simulator
from mars_logic.theory import Evidence, check
from mars_logic.theory.component_solver import Assertion
from mars_logic.theory.joint import JointModel
from mars_logic.world import names
from mars_logic.world.field_values import domain
from mars_logic.world.theory import Theory, World

WORLDS = ("crafter", "default", "all_three")
LENGTH = 400
"""Steps after which an episode is cut off; nearly all end before."""
EPISODES, BATCH = 8000, 1000
"""How many, and how many are played at once."""
CHECKED = Goal(1e7, of="ours")
CLAIMS = 100
"""How many claims about one field are judged together, with all other fields open."""
JUDGED = Goal(20, of="ours")
COLLECTING = """
missing(T) :- faced(T, M), requires(collect(M), I, N), had(T, I, K), K < N.
done(T) :- faced(T, M), collectable(M), not missing(T).
becomes(T, L) :- faced(T, M), done(T), leaves(M, L).
becomes(T, M) :- faced(T, M), not done(T).
certain(T, I, N) :- faced(T, M), done(T), yields(collect(M), I, N).
gain(T, I, N) :- certain(T, I, N), had(T, I, _).
gain(T, I, N) :- faced(T, M), done(T), chance(collect(M), I, N, _), had(T, I, _).
gain(T, I, 0) :- had(T, I, _), not certain(T, I, _).
explained(T, I) :- had(T, I, B), gain(T, I, N), has(T, I, B + N).
explained(T, I) :- had(T, I, B), gain(T, I, N), has(T, I, C), cap(C), B + N > C.
against(T) :- left(T, L), not becomes(T, L).
against(T) :- had(T, I, _), not explained(T, I).
#show against/1.
"""
"""What collect rules say of transitions in which the player did "do" before a solid."""
_DO = names.ACTIONS.index("do")
_SOLID = [names.MATERIALS.index(name) for name in names.COLLECTABLE if name not in names.LIQUIDS]
_VITALS = len(names.VITALS)


def measure(bench: Bench) -> BenchmarkResult:
    """All rules of a world are checked against random play in it, from arrays to the report.

    On one thread, by the processor's time, beside the peer; and on all cores, by the wall. The peer
    checks the rules of collecting solids alone, against a part of the same play; it is given the
    facts of no other transition, and yet all of the part count for it.
    """
    return BenchmarkResult(tuple(row for name in WORLDS for row in _rows(bench, name)))


def _rows(bench: Bench, name: str) -> Iterator[BenchmarkRow]:
    world = load_world(name)
    n = bench.size(BATCH, 20)
    firsts = range(0, bench.size(EPISODES, n), n)
    trajectories = [trajectory for first in firsts for trajectory in play(world, n, first)]
    part = trajectories[: bench.size(20, 2)]
    found = bench.interleave(
        name,
        {
            "clingo": _clingo(world, part) if bench.peer else None,
            "one": _ours(world, trajectories, 1, time.process_time),
            "all": _ours(world, trajectories, None, time.perf_counter),
            "claims": _claims_judged(world, trajectories),
        },
        rounds=7,
    )
    what, one, peer = f"transitions checked, {name}", found["one"], found["clingo"]
    yield compared(f"{what}, one thread", "1/s", one, peer, peer_name="clingo")
    yield compared(f"{what}, all cores", "1/s", found["all"], goal=CHECKED)
    what = f"claims judged, all else open, {name}, one thread"
    yield compared(what, "1/s", found["claims"], goal=JUDGED)


def _ours(
    world: World, trajectories: list[Trajectory], threads: int | None, clock: Callable[[], float]
) -> Callable[[], float]:
    def turn() -> float:
        begun = clock()
        report = check(world, Evidence.of(trajectories, threads=threads))
        return report.transitions / seconds_since(begun, clock)

    return turn


def _claims_judged(world: World, trajectories: list[Trajectory]) -> Callable[[], float]:
    evidence, claims = Evidence.of(trajectories), some_claims(world, CLAIMS)

    def turn() -> float:
        begun = time.process_time()
        model = JointModel(evidence, claims)
        for claim in claims:
            model.judge(claim)
        return len(claims) / seconds_since(begun)

    return turn


def some_claims(world: World, count: int) -> list[Assertion]:
    """Usual values of fields drawn at random, each stated alone; the same ones every time."""
    usual = (
        {(rule.id, name): (value,)}
        for rule in Theory.unknown(world.dynamics).rules()
        for name in rule.uncertain_fields
        for value in domain(rule.id, name)
    )
    return Random(0).sample([*usual], count)


def _clingo(world: World, trajectories: list[Trajectory]) -> Callable[[], float]:
    seen = "\n".join(f"{fact}." for i, each in enumerate(trajectories) for fact in shown(each, i))
    program = facts(world) + COLLECTING + seen
    transitions = sum(map(len, trajectories))
    return lambda: transitions / processor_seconds(lambda: contradicting(program))


def contradicting(program: str) -> list[str]:
    """The transitions that speak against the rules of a program."""
    control = clingo.Control()
    control.add(program)
    control.ground()
    with control.solve(yield_=True) as handle:
        return [str(symbol) for model in handle for symbol in model.symbols(shown=True)]


def shown(trajectory: Trajectory, number: int) -> Iterator[str]:
    """The facts of transitions in which the player faced a solid with no object on it."""
    before, after = trajectory.before, trajectory.after
    asleep = before.sleeping & (before.inventory[:, names.ITEMS.index("energy")] < 9)
    rows = np.arange(len(trajectory))
    ahead = rows, CENTRE[0] + before.facing[:, 0], CENTRE[1] + before.facing[:, 1]
    target, left = before.materials[ahead], after.materials[ahead]
    does = (trajectory.action == _DO) & ~asleep & (before.objects[ahead] == 0)
    for t in np.flatnonzero(does & np.isin(target, _SOLID)):
        this = f"({number}, {t})"
        yield f"faced({this}, {names.MATERIALS[target[t]]})"
        yield f"left({this}, {names.MATERIALS[left[t]]})"
        for place, item in enumerate(names.HOLDABLE, _VITALS):
            yield f"had({this}, {item}, {before.inventory[t, place]})"
            yield f"has({this}, {item}, {after.inventory[t, place]})"


def play(world: World, n: int, seed: int) -> Iterator[Trajectory]:
    """Episodes of random play, in which half of all actions are "do"."""
    simulator = Simulator(world, n)
    simulator.reset(seed)
    random = np.random.default_rng(seed)
    arrays: dict[str, NDArray[Any]] = {
        name: np.zeros((n, LENGTH + (name in SEEN), *shape), dtype)
        for name, (dtype, shape) in (*SEEN.items(), *DONE.items())
    }
    reached = np.zeros_like(arrays["unlocked"][:, 0])
    _note_view(arrays, simulator, 0)
    for t in range(LENGTH):
        actions = random.integers(len(names.ACTIONS), size=n)
        actions[random.random(n) < 0.5] = _DO
        result, now = simulator.step(actions), simulator.achievements > 0
        row = {"action": actions, "reward": result.reward, "terminated": result.done}
        for name, values in (row | {"unlocked": now & ~reached}).items():
            arrays[name][:, t] = values
        reached |= now
        _note_view(arrays, simulator, t + 1)
    about = About(world.name, world.digest, world.dynamics, seed, agent="random")
    for i in range(n):
        ends = arrays["terminated"][i]
        steps = int(ends.argmax()) + 1 if ends.any() else LENGTH
        episode = {
            name: array[i, : steps + (name in SEEN)].copy() for name, array in arrays.items()
        }
        yield assemble(about, episode, source=f"{world.name} {seed + i}")


def _note_view(arrays: dict[str, NDArray[Any]], simulator: Simulator, moment: int) -> None:
    observation = simulator.observe()
    for name in Views.__annotations__:
        arrays[name][:, moment] = getattr(observation, name)


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
