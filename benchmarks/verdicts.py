"""Whether verdicts can be trusted, and how many are left open, in worlds with changed fields.

Usage: python -m mars_logic.benchmarks.verdicts --worlds 47 --seed 0 --maps 5 --out FILE.json

Each world is a bundled or a sampled one with one to three fields changed at random. Every
achievement is judged without a map and on the maps of some seeds, and players try on these maps. A
verdict is wrong if a verdict about a map, or play, contradicts it:

* unreachable on all maps, but reachable on one, or unlocked in play;
* reachable on ordinary maps, but unreachable on one that holds each material and creature that the
  generator can put there;
* dependent on the map, but not so on the maps that it names;
* unreachable on a map, but unlocked in play there.

Exit status 1 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from mars_logic import load_world
from mars_logic.experiments import proving
from mars_logic.experiments.measurement.machine import machine
from mars_logic.logic import Proof
from mars_logic.logic.sampling.request import Request
from mars_logic.logic.sampling.sampler import sample
from mars_logic.sim import Simulator, generate_map
from mars_logic.system.files import write_atomically
from mars_logic.world import names
from mars_logic.world.field_values import domain
from mars_logic.world.load import RELEASED_WORLDS
from mars_logic.world.rules import Rule
from mars_logic.world.theory import World
from mars_logic.world.validate import FIXED_IN_CRAFTER

from .units import in_processes

MOST_CHANGES = 3
PLAYERS = 64
STEPS = 400


@dataclass(frozen=True)
class VerdictsJob:
    """A world to judge.

    Attributes:
        seed: Decides which world it is, and on which maps it is judged.
        sampled: So many sampled worlds are among those that are changed.
        maps: On so many maps.
    """

    seed: int
    sampled: int
    maps: int


@dataclass
class VerdictsResult:
    """The results for a world.

    Attributes:
        seed: As in the job.
        base: The world that was changed.
        changes: The fields and their new values.
        free: How many verdicts there are of each kind, without a map.
        given: The same on maps.
        open: By achievement whose verdict without a map is unknown: the reason.
        open_on_maps: By reason: how many verdicts about maps are unknown.
        compared: How many pairs of verdicts were compared, by kind.
        wrong: What contradicts what.
        seconds: How long the proof without a map took, and the longest of those about maps.
    """

    seed: int
    base: str
    changes: list[str]
    free: Counter[str] = field(default_factory=Counter)
    given: Counter[str] = field(default_factory=Counter)
    open: dict[str, str] = field(default_factory=dict)
    open_on_maps: Counter[str] = field(default_factory=Counter)
    compared: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: tuple[float, float] = (0.0, 0.0)


def mutant(seed: int, bases: Sequence[World]) -> tuple[World, World, list[str]]:
    """A world with one to three fields changed.

    Args:
        seed: Decides which.
        bases: The worlds to choose from.

    Returns:
        The world, what it was before, and the changes in words.
    """
    dice = Random(seed)
    base = world = dice.choice(bases)
    fields = [
        (rule.id, name)
        for rule in base.rules()
        for name in rule.field_names()
        if len(domain(rule.id, name)) > 1 and not _fixed(rule, base)
    ]
    changes = []
    for rule_id, name in dice.sample(fields, dice.randint(1, MOST_CHANGES)):
        rule = world[rule_id]
        values = [value for value in domain(rule_id, name) if value != getattr(rule, name)]
        value = dice.choice(values)
        world = world.with_rules(type(rule).model_validate(rule.model_dump() | {name: value}))
        changes.append(f"{rule_id}.{name}: {value}")
    return world, base, changes


def _fixed(rule: Rule, world: World) -> bool:
    return world.dynamics == "crafter" and rule.family in FIXED_IN_CRAFTER


@cache
def bases(sampled: int) -> list[World]:
    """The bundled worlds, and so many sampled ones."""
    drawn = sample(Request.of(), sampled, 0) if sampled else ()
    return [*map(load_world, RELEASED_WORLDS), *(found.world for found in drawn)]


def judged(job: VerdictsJob) -> VerdictsResult:
    """Judge a world without a map and on maps, and compare."""
    world, base, changes = mutant(job.seed, bases(job.sampled))
    result = VerdictsResult(job.seed, base.name, changes)
    free, slow = _timed(partial(proving.prove, world))
    result.free.update(verdict.verdict for verdict in free.achievements.values())
    result.open = {
        name: verdict.reason or ""
        for name, verdict in free.achievements.items()
        if verdict.verdict == "unknown"
    }
    slowest = 0.0
    for map_seed in range(job.seed * job.maps, (job.seed + 1) * job.maps):
        given, seconds = _timed(partial(proving.prove, world, map_seed))
        slowest = max(slowest, seconds)
        result.wrong += _compared(world, free, given, map_seed, result)
    result.wrong += _examples(world, free)
    result.seconds = slow, slowest
    return result


def _timed(work: partial[Proof]) -> tuple[Proof, float]:
    started = time.process_time()
    return work(), time.process_time() - started


def _compared(
    world: World, free: Proof, given: Proof, map_seed: int, result: VerdictsResult
) -> Iterator[str]:
    """What contradicts a verdict, on one map."""
    found = generate_map(world, map_seed)
    kinds = {kind for kind, _, _ in found.creatures}
    full = kinds >= set(names.CREATURES) and _materials(world) <= set(
        np.unique(found.materials).tolist()
    )
    unlocked = _played(world, map_seed)
    for name, verdict in given.achievements.items():
        without = free.achievements[name].verdict
        result.given[verdict.verdict] += 1
        result.compared[f"{without}, on a map {verdict.verdict}"] += 1
        if verdict.verdict == "unknown":
            result.open_on_maps[verdict.reason or ""] += 1
        place = f"{name} on the map of seed {map_seed}"
        if without == "unreachable" and verdict.verdict == "reachable":
            yield f"unreachable, but there is a way to {place}"
        if without == "reachable" and verdict.verdict == "unreachable" and full:
            yield f"reachable, but there is no way to {place}"
        if name in unlocked:
            result.compared["unlocked in play"] += 1
            if "unreachable" in (without, verdict.verdict):
                yield f"unreachable, but play unlocked {place}"


def _materials(world: World) -> set[int]:
    """The codes of the materials that some of the first maps hold."""
    return {
        code
        for seed in range(3)
        for code in np.unique(generate_map(world, seed).materials).tolist()
    }


def _played(world: World, map_seed: int) -> set[str]:
    """What players unlock who do something at random, most often to what is in front of them."""
    simulator = Simulator(world, PLAYERS)
    simulator.reset([map_seed] * PLAYERS)
    dice = np.random.default_rng(map_seed)
    acting = np.full(17, 0.35 / 12)
    acting[1:5], acting[5] = 0.35 / 4, 0.3
    for _ in range(STEPS):
        simulator.step(dice.choice(17, PLAYERS, p=acting).tolist())
    some = np.flatnonzero(simulator.unlocked.any(axis=0))
    return {world.achievements[number] for number in some.tolist()}


def _examples(world: World, free: Proof) -> Iterator[str]:
    """Whether what is said to depend on the map does, on the maps that are named."""
    for name, verdict in free.achievements.items():
        for outcome, map_seed in getattr(verdict, "examples", {}).items():
            found = proving.prove(world, map_seed).achievements[name].verdict
            if found != outcome:
                yield f"{outcome}, but {found} is {name} on the map of seed {map_seed}"


def main() -> int:
    """Judge all worlds, and tell the counts; return the exit status."""
    options = _options()
    seeds = range(options.seed, options.seed + options.worlds)
    jobs = [VerdictsJob(seed, options.sampled, options.maps) for seed in seeds]
    results = in_processes(judged, jobs, options.processes, "worlds")
    totals: dict[str, Counter[str]] = {"without a map": Counter(), "on maps": Counter()}
    compared: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    on_maps: Counter[str] = Counter()
    for result in results:
        totals["without a map"] += result.free
        totals["on maps"] += result.given
        compared += result.compared
        reasons.update(result.open.values())
        on_maps += result.open_on_maps
    wrong = [f"{r.seed} ({r.base}, {'; '.join(r.changes)}): {w}" for r in results for w in r.wrong]
    for place, counts in totals.items():
        share = counts["unknown"] / max(1, counts.total())
        told = ", ".join(f"{count:,} {kind}" for kind, count in counts.most_common())
        print(f"{place}: {counts.total():,} verdicts, {told} ({share:.2%} unknown)")
    print("\n".join(f"  {count:,} {kind}" for kind, count in sorted(compared.items())))
    for place, some in (("without a map", reasons), ("on maps", on_maps)):
        print(f"unknown {place}:" if some else f"nothing unknown {place}")
        print("\n".join(f"  {count:,} {reason}" for reason, count in some.most_common(12)))
    print(f"wrong: {len(wrong)}", *wrong, sep="\n  ")
    if options.out:
        document: dict[str, Any] = {"schema": "mars-logic verdicts 1", "machine": machine()}
        document["results"] = [_plain(result) for result in results]
        write_atomically(options.out, json.dumps(document, indent=1) + "\n")
    return bool(wrong)


def _plain(result: VerdictsResult) -> dict[str, Any]:
    """Plain data, ready for JSON."""
    found = {name: getattr(result, name) for name in VerdictsResult.__dataclass_fields__}
    return {name: dict(some) if isinstance(some, Counter) else some for name, some in found.items()}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--worlds", type=int, default=47)
    parser.add_argument("--seed", type=int, default=0, help="of the first world")
    parser.add_argument("--maps", type=int, default=5, help="for each world")
    parser.add_argument("--sampled", type=int, default=20, help="sampled worlds that are changed")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, help="where to keep the results, as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
