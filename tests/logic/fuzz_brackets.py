"""Whether verdicts ever contradict each other or the game, on many mutated worlds and maps.

Usage: python -m tests.logic.fuzz_brackets --worlds 200 --maps 10 --small 200 --seed 0

Each world is judged without a map and on several maps, where players try whose vitals are refilled
in each step. Then worlds without luck are judged on small areas, and compared with an exhaustive
search of the simulator's states. With ``--unusual``, worlds have many changes.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mars_logic import World
from mars_logic.logic import map_facts, prove
from mars_logic.logic.layout import patches_of
from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.logic.regions import START
from mars_logic.logic.solve import Row
from mars_logic.logic.zone_view import ZoneView
from mars_logic.sim import GeneratedMap, generate_map
from mars_logic.world import names
from tests.logic.derived import derived
from tests.logic.exhaustive import OTHERS, drawn_area, search, tamed
from tests.logic.mutants import mutant
from tests.logic.refilled import played
from tests.logic.unusual import unusual

Area = NDArray[np.uint8]
LEVELS = ("sure", "almost_sure", "finite_chance", OPTIMISTIC)
MOST_STATES = 1500

Violation = tuple[str, int, int, str]
"""What kind, the world's seed, the map's seed, and an achievement."""


def compare_maps(
    seed: int,
    map_seeds: range,
    tally: Counter[str],
    draw: Callable[[int], World] = mutant,
    players: int = 0,
) -> Iterator[Violation]:
    """Judge one world without a map and on some maps, on which so many players try."""
    world = draw(seed)
    free = ReachabilityModel(world)
    at_best, surely = free.at(OPTIMISTIC, "unlock"), free.at("finite_chance", "unlock")
    for map_seed in map_seeds:
        found = generate_map(world, map_seed)
        given = ReachabilityModel(world, map_facts(found.materials, found.creatures))
        levels = [given.unlocked(level) for level in LEVELS]
        tally["pairs"] += 1
        unlocked = played(world, map_seed, players) if players else set()
        tally["unlocked by play"] += len(unlocked)
        for name in sorted(unlocked - levels[-1]):
            yield "unreachable, but unlocked by play", seed, map_seed, name
        for name in sorted(levels[-1] - at_best):
            yield "unreachable without a map, possible on one", seed, map_seed, name
        for low, high in pairwise(levels):
            for name in sorted(low - high):
                yield "surer levels hold more", seed, map_seed, name
        ordinary = is_ordinary(free, found)
        tally["ordinary"] += ordinary
        for name in sorted(surely - levels[-1]):
            tally["reachable without a map, unreachable on another map"] += not ordinary
            if ordinary:
                yield (
                    "reachable without a map, unreachable on an ordinary one",
                    seed,
                    map_seed,
                    name,
                )
        if ordinary:
            tally["verdicts carried over"] += len(surely & levels[2])
            tally["left open on an ordinary map"] += len(surely & levels[-1] - levels[2])


def is_ordinary(free: ReachabilityModel, found: GeneratedMap) -> bool:
    """Whether a map has what docs/logic.md says that ordinary maps have, told from its cells.

    So many cells of each material, each creature that the generator may put there, the materials of
    zones that touch lie side by side somewhere, and the start lies in the open land that all else
    touches, not on an island.
    """
    relations = derived(free, "made_of", "low", "starts_in", "adjoins")
    area = found.materials
    made_of = {row[0]: row[1] for row in relations["made_of"]}
    least: Counter[str] = Counter()
    for zone, n in relations["low"]:
        if zone in made_of:
            least[made_of[zone]] = max(least[made_of[zone]], int(n))
    cells = Counter(names.MATERIALS[code] for code in area.ravel().tolist())
    if any(cells[material] < n for material, n in least.items()):
        return False
    if {row[0] for row in relations["starts_in"]} - {kind for kind, _, _ in found.creatures}:
        return False
    beside = {
        frozenset((names.MATERIALS[a], names.MATERIALS[b]))
        for one, other in ((area[1:], area[:-1]), (area[:, 1:], area[:, :-1]))
        for a, b in np.unique(np.stack([one.ravel(), other.ravel()]), axis=1).T.tolist()
    }
    return _is_in_the_open(area, made_of, relations["adjoins"]) and all(
        frozenset((made_of[a], made_of[b])) in beside
        for a, b in relations["adjoins"]
        if a in made_of and b in made_of and made_of[a] != made_of[b]
    )


def _is_in_the_open(area: Area, made_of: dict[str, str], adjoins: list[Row]) -> bool:
    """Whether the start lies in or beside open land that touches what open land should."""
    around = ZoneView(area)
    patches, start = patches_of(around), around.patch_at(*START)
    here = [patches[number] for number in (start, *patches[start].beside)]
    open_land = [patch for patch in here if patch.material == made_of["open"]]
    touched = {patches[number].material for patch in open_land for number in patch.beside}
    needed = {made_of[b] for a, b in adjoins if a == "open" and b in made_of}
    return needed <= touched | {made_of["open"]}


def compare_small(
    seed: int,
    tally: Counter[str],
    most: int = MOST_STATES,
    draw: Callable[[int], World] = mutant,
) -> Iterator[Violation]:
    """Judge a world without luck on a small area, and search that area."""
    world, area = small(seed, draw)
    verdicts = prove(world, area=area, creatures=[]).achievements
    found = search(world, area, most)
    harm = _starts_in_harm(world, area)
    patiently = cache(lambda: search(world, area, most, patient=True) if harm else found)
    tally["areas"] += 1
    tally["areas searched whole"] += found.complete
    tally["states"] += found.states
    for name, verdict in verdicts.items():
        if name in OTHERS:
            continue
        done = name in found.unlocked
        if verdict.verdict == "unreachable":
            tally["unreachable, confirmed" if found.complete else "unreachable, not refuted"] += 1
            if done:
                yield "unreachable, but the search found it", seed, 0, name
        elif verdict.verdict == "reachable":
            done = done or name in patiently().unlocked
            cut_off = not done and not (found.complete and patiently().complete)
            tally["reachable, confirmed"] += done
            tally["reachable, search cut off"] += cut_off
            if not done and not cut_off:
                yield "reachable, but there is no way", seed, 0, name
        else:
            tally["unknown"] += 1


def _starts_in_harm(world: World, area: Area) -> bool:
    """Whether the player stands on ground that it leaves only in steps in which health recovers."""
    walk = world.walk[names.MATERIALS[area[START]]]
    return walk.walkable and (walk.deadly or walk.health <= -5)


def small(seed: int, draw: Callable[[int], World] = mutant) -> tuple[World, Area]:
    """The world without luck, and the small area, of a seed."""
    dice = random.Random(seed)
    return tamed(draw(seed), dice), drawn_area(dice)


def main() -> None:
    """Compare, and print the counts; exit status 1 if there is a violation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=200)
    parser.add_argument("--maps", type=int, default=10)
    parser.add_argument("--small", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--players", type=int, default=32, help="on each map")
    parser.add_argument("--unusual", action="store_true", help="worlds with many changes")
    options = parser.parse_args()
    draw = unusual if options.unusual else mutant
    tally: Counter[str] = Counter()
    violations: list[Violation] = []

    def note(found: Iterator[Violation]) -> None:
        for violation in found:
            print("VIOLATION", *violation, flush=True)
            violations.append(violation)

    for i in range(options.worlds):
        seed = options.seed + i
        maps = range(seed, seed + options.maps)
        note(compare_maps(seed, maps, tally, draw, options.players))
        if i % 20 == 19:
            print(f"{i + 1} worlds: {dict(tally)}", file=sys.stderr, flush=True)
    for i in range(options.small):
        note(compare_small(options.seed + i, tally, MOST_STATES, draw))
        if i % 20 == 19:
            print(f"{i + 1} areas: {dict(tally)}", file=sys.stderr, flush=True)
    for what, count in sorted(tally.items()):
        print(f"{what}: {count:,}")
    print(f"violations: {len(violations)}")
    sys.exit(bool(violations))


if __name__ == "__main__":
    main()
