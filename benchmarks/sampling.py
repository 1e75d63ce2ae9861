"""How fast worlds are sampled, and how far their fields are from what rejection sampling gives.

Usage: python benchmarks/sampling.py --worlds 60 --repeats 3

Prints Markdown: worlds a second in one process (of its own processor time, for each world the best
of some repeats, since other processes disturb it), and for spaces small enough to look at every
world, the greatest total variation of a field from exact rejection, by the number of moves.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))  # the small spaces are those of the tests

from mars_logic.sampling import Request, Sampler
from mars_logic.sampling.chain import Chain
from mars_logic.sampling.sampler import MOVES
from tests.sampling.spaces import SMALL, distance, everything, marginals, small, weight

REQUESTS = {
    "terrain, survival, task": Request.of(),
    "the same, 5 to 15 rules changed": Request.of(difficulty=(5, 15)),
    "terrain": Request.of(["terrain"]),
    "survival": Request.of(["survival"]),
    "task": Request.of(["task"]),
}


def speed(worlds: int, repeats: int) -> None:
    """One row for each request."""
    print("| worlds | milliseconds each | a second |\n| --- | --- | --- |")
    for name, request in REQUESTS.items():
        sampler = Sampler(request)
        for number in range(worlds):  # every combination of modifications is grounded
            sampler.draw(0, number)
        total = 0.0
        for number in range(worlds):
            total += min(_once(sampler, number) for _ in range(repeats))
        print(f"| {name} | {total / worlds * 1000:.1f} | {worlds / total:.0f} |", flush=True)


def _once(sampler: Sampler, number: int) -> float:
    begun = time.process_time()
    sampler.draw(0, number)
    return time.process_time() - begun


def diversity(samples: int) -> None:
    """One row for each small space."""
    steps = (0, MOVES // 2, MOVES, 4 * MOVES)
    print(f"\n| space | worlds | valid | {' | '.join(f'{n} moves' for n in steps)} |")
    print("| --- " * (3 + len(steps)) + "|")
    for name in SMALL:
        problem = small(name)
        worlds = everything(problem)
        valid = [state for state in worlds if problem.works(state, None)]
        wanted = marginals(problem, [(state, weight(problem, state)) for state in valid])
        found = []
        for moves in steps:
            drawn = []
            for number in range(samples):
                chain = Chain(problem, None, Random(f"{moves} {number}"))
                for _ in range(moves):
                    chain.move()
                drawn.append((chain.state, 1.0))
            shares = marginals(problem, drawn)
            found.append(max(distance(wanted[field], shares[field]) for field in wanted))
        row = " | ".join(f"{far:.3f}" for far in found)
        print(f"| {name} | {len(worlds)} | {len(valid)} | {row} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--worlds", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--samples", type=int, default=2000)
    given = parser.parse_args()
    speed(given.worlds, given.repeats)
    diversity(given.samples)
