"""Compares simulator and logic on random worlds for as long as one likes.

    python -m tests.agreement.fuzz --minutes 60 --seed 1
    python -m tests.agreement.fuzz conan --minutes 5
    python -m tests.agreement.fuzz --own-kinds --minutes 2
    python -m tests.agreement.fuzz --projectiles --minutes 2

Prints what was compared, and each disagreement with the seed that leads to it. Exits with status 1
if there is any.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from mars_logic import load_world
from tests.agreement.compare import Tally, compare
from tests.agreement.worlds import any_world
from tests.theory.own_kinds import own_kinds_world


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("world", nargs="?", help="a world; random ones of Crafter's by default")
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0, help="of the first world; others count on")
    parser.add_argument("--states", type=int, default=4, help="played states in each world")
    parser.add_argument("--own-kinds", action="store_true", help="with creatures and needs added")
    parser.add_argument("--projectiles", action="store_true", help="with projectiles added, too")
    options = parser.parse_args()
    total, seed = Tally(), options.seed
    end = time.monotonic() + 60 * options.minutes
    said = 0.0
    while time.monotonic() < end:
        dice = random.Random(seed)
        own = options.own_kinds or options.projectiles
        drawn = own_kinds_world(seed, projectiles=options.projectiles) if own else any_world(dice)
        world = load_world(options.world) if options.world else drawn
        tally = compare(world, dice, options.states)
        total.add(tally)
        for disagreement in tally.disagreements:
            print(f"seed {seed}: {disagreement}", flush=True)
        seed += 1
        if time.monotonic() > said + 60:
            said = time.monotonic()
            print(total, flush=True)
    print(f"seeds {options.seed} to {seed - 1}: {total}")
    return 1 if total.disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
