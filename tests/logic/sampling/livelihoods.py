"""In how many sampled worlds the player can live on, with and without ``--livable``.

Usage: python -m tests.logic.sampling.livelihoods --seed 4242 --share 1

Prints the table of docs/sampling.md, and in how many livable worlds one plan for all achievements
has numbers that balance.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from typing import Any

from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.logic.sampling import Request, Sampler
from mars_logic.logic.sustainability import CAREFUL, Livelihood, upkeep
from mars_logic.world.theory import World

REQUESTS: dict[str, tuple[int, dict[str, Any]]] = {
    "all three changes": (220, {}),
    "all three, 5 to 15 rules": (60, {"difficulty": (5, 15)}),
    "all three, almost_sure": (40, {"certainty": "almost_sure"}),
    "terrain": (40, {"changes": ["terrain"]}),
    "survival": (60, {"changes": ["survival"]}),
    "task": (40, {"changes": ["task"]}),
}
"""How many worlds are drawn for what."""
VERDICTS: tuple[Livelihood, ...] = ("sustainable", "unsustainable", "unknown")
PLANNED = 200


def worlds(request: Request, seed: int, count: int) -> Iterator[World]:
    """The first worlds of a seed, not proved."""
    sampler = Sampler(request)
    for number in range(count):
        yield sampler.draw(seed, number).world


def verdicts(request: Request, seed: int, count: int) -> str:
    """How many worlds are sustainable, unsustainable and unknown."""
    found = Counter(
        upkeep(ReachabilityModel(world)).verdict for world in worlds(request, seed, count)
    )
    return ", ".join(str(found[verdict]) for verdict in VERDICTS)


def planned(seed: int, count: int) -> int:
    """For how many livable worlds there is one plan for all achievements."""
    return sum(
        ReachabilityModel(world).fewest_for_all(world.achievements, CAREFUL) is not None
        for world in worlds(Request(), seed, count)
    )


def main() -> None:
    """Draw, judge, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=4242)
    parser.add_argument("--share", type=float, default=1.0, help="of the numbers of worlds")
    options = parser.parse_args()
    print("request | worlds | --no-livable | --livable")
    for name, (most, asked) in REQUESTS.items():
        count = max(1, round(options.share * most))
        free, strict = (
            verdicts(Request.of(**asked, livable=livable), options.seed, count)
            for livable in (False, True)
        )
        print(f"{name} | {count} | {free} | {strict}", flush=True)
    count = max(1, round(options.share * PLANNED))
    print(f"planned: {planned(options.seed, count)} of {count}")


if __name__ == "__main__":
    main()
