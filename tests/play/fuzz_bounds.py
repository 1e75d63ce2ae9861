"""Compares lower bounds with exact optima, and with plays.

    python -m tests.play.fuzz_bounds --areas 300 --seed 0
    python -m tests.play.fuzz_bounds --areas 0 --plays 50 --certificates DIR

Mutated worlds without luck are bounded on small areas, and compared with an exhaustive search of
the simulator's states: for each number of achievements, and for each set of them that some play
has unlocked. Mutated worlds with all their luck and creatures are bounded on generated maps, and
compared with plays at random; certificates with the bounds of their maps.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from mars_logic import load_world
from mars_logic.agents.random import RandomAgent
from mars_logic.play.bound import StepBounds, bounded, lower_bounds
from mars_logic.play.certificate import load
from mars_logic.play.episodes import play
from mars_logic.sim import Simulator, generate_map
from tests.logic.exhaustive import tamed
from tests.logic.mutants import mutant
from tests.play.optima import Optima, eased, of_building, small_area

MOST_STATES = 2500


def compare_area(seed: int, tally: Counter[str], most: int = MOST_STATES) -> Iterator[str]:
    """Bound a world without luck on a small area, and search that area."""
    dice = random.Random(seed)
    world = mutant(seed) if seed % 4 == 0 else eased(mutant(seed), dice)
    world, area = tamed(world, dice), small_area(dice)
    found = of_building(world, area, most)
    tally["areas"] += 1
    tally["areas searched whole"] += found.complete is None
    tally["states"] += found.states
    yield from violations(StepBounds(world, area), found, tally)


def violations(bounds: StepBounds, found: Optima, tally: Counter[str]) -> Iterator[str]:
    """Where a bound is above what a search found."""
    for number in range(1, max(map(len, found.steps), default=0) + 1):
        bound, optimum = bounds.for_any(number), found.to_any(number)
        assert optimum is not None
        tally["optima to some number"] += 1
        tally["steps of these optima"] += optimum
        tally["steps of their bounds"] += bound or 0
        tally["bounds that are exact"] += bound == optimum
        if bound is None or bound > optimum:
            yield f"{number} achievements: bound {bound}, optimum {optimum}"
    for done, optimum in found.steps.items():
        bound = bounds.for_all(done)
        tally["optima to some set"] += 1
        tally["bounds to sets that are exact"] += bound == optimum
        if bound is None or bound > optimum:
            yield f"{', '.join(sorted(done))}: bound {bound}, optimum {optimum}"


def compare_play(seed: int, tally: Counter[str]) -> Iterator[str]:
    """Bound a world on a generated map, and let a random agent play there."""
    world = mutant(seed)
    if seed % 2:
        world = eased(world, random.Random(seed))
    played = play(RandomAgent(), Simulator(world), seed, world.achievements)
    bounds = StepBounds(world, generate_map(world, seed).materials)
    tally["plays"] += 1
    done: set[str] = set()
    for name, step in sorted(played.unlocked.items(), key=lambda unlocked: unlocked[1]):
        done.add(name)
        tally["steps in plays"] += 1
        for bound in (bounds.for_any(len(done)), bounds.for_all(done)):
            if bound is None or bound > step:
                yield f"{', '.join(sorted(done))}: bound {bound}, played {step}"


def compare_certificate(path: Path, tally: Counter[str]) -> Iterator[str]:
    """Compare what an episode took with the bounds of its map."""
    certificate = load(path)
    world = load_world(certificate.world.name)
    bounds = lower_bounds(world, certificate.seed, certificate.episode)
    tally["certificates"] += 1
    for number, step in enumerate(sorted(certificate.unlocked.values()), start=1):
        bound = bounds.steps[number - 1]
        tally["steps in certificates"] += 1
        if bound is None or bound > step:
            yield f"{path}: {number} achievements: bound {bound}, played {step}"
    own = bounded(certificate, world).lower_bound
    if own is None or own.steps > max(certificate.unlocked.values(), default=0):
        yield f"{path}: bound {own}"


def main() -> None:
    """Compare, and print the counts; exit status 1 if a bound is too high."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--areas", type=int, default=300)
    parser.add_argument("--plays", type=int, default=0)
    parser.add_argument("--states", type=int, default=MOST_STATES)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--certificates", type=Path)
    options = parser.parse_args()
    tally: Counter[str] = Counter()
    wrong = 0
    for seed in range(options.seed, options.seed + options.areas):
        for violation in compare_area(seed, tally, options.states):
            print("VIOLATION", seed, violation, flush=True)
            wrong += 1
        if seed % 20 == 19:
            print(f"{seed + 1}: {dict(tally)}", file=sys.stderr, flush=True)
    for seed in range(options.seed, options.seed + options.plays):
        for violation in compare_play(seed, tally):
            print("VIOLATION", seed, violation, flush=True)
            wrong += 1
    for path in sorted(options.certificates.glob("*.json")) if options.certificates else ():
        for violation in compare_certificate(path, tally):
            print("VIOLATION", violation, flush=True)
            wrong += 1
    for what, count in sorted(tally.items()):
        print(f"{what}: {count:,}")
    print(f"violations: {wrong}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
