"""Seeds of maps that differ in what the player can get to: those of ``tests/logic/generate.py``.

python -m tests.logic.contrasts

For many sets of zones that can be crossed, each map has zones that the player gets beside, and
zones that it does not get beside. Seeds are chosen one by one so that as many of these outcomes as
possible occur on some map.
"""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from mars_logic.world import names
from tests.logic.generate import zones
from tests.logic.vistas import apart

Bits = NDArray[np.uint64]
"""uint64[maps, 64]: the cells of each column."""

MAPS = 2000
KEPT = (0, 1, 2, 5, 8, 53, 88, 159)
"""Seeds that are given: starts in open land, beside a bank, a lake and a tunnel."""
MORE = 5
_SETS_OF_A_SIZE = 12
_GROWING = ("open", "bank", "trees", "tunnels", "lake")
_CENTRE = 32


def outcomes(dynamics: str, maps: int) -> NDArray[np.bool_]:
    """bool[questions, maps]: whether the player gets beside a zone, if it can cross some others."""
    found = {zone: packed(cells) for zone, cells in apart(zones(dynamics, maps)).items()}
    others = sorted(found.keys() - {"start"})
    dice = random.Random(0)
    some = [
        dice.sample(others, size) for size in range(len(others) + 1) for _ in range(_SETS_OF_A_SIZE)
    ]
    some += [list(_GROWING[:size]) for size in range(1, len(_GROWING) + 1)]
    start = np.zeros_like(found["start"])
    start[:, _CENTRE] = np.uint64(1) << np.uint64(_CENTRE)
    rows = []
    for crossed in some:
        mask = np.bitwise_or.reduce([found["start"], *(found[zone] for zone in crossed)])
        reached = start
        while ((more := mask & (reached | beside(reached))) != reached).any():
            reached = more
        around = reached | beside(reached)
        rows += [(around & found[zone]).any(axis=1) for zone in others]
    return np.array(rows)


def packed(cells: NDArray[np.bool_]) -> Bits:
    """The cells of each column as bits."""
    return np.asarray((cells.astype(np.uint64) << np.arange(64, dtype=np.uint64)).sum(axis=2))


def beside(cells: Bits) -> Bits:
    """The cells next to some cells."""
    found = (cells << np.uint64(1)) | (cells >> np.uint64(1))
    found[:, 1:] |= cells[:, :-1]
    found[:, :-1] |= cells[:, 1:]
    return found


def chosen() -> list[int]:
    """The seeds that add most outcomes to those of the seeds that are kept, in this order."""
    asked = np.concatenate([outcomes(dynamics, MAPS) for dynamics in names.DYNAMICS])
    asked = asked[asked.any(axis=1) & ~asked.all(axis=1)]
    wanted = np.concatenate([asked, ~asked])
    wanted = wanted[~wanted[:, list(KEPT)].any(axis=1)]
    seeds: list[int] = []
    for _ in range(MORE):
        seeds.append(int(wanted.sum(axis=0).argmax()))
        wanted = wanted[~wanted[:, seeds[-1]]]
    return seeds


if __name__ == "__main__":
    print(chosen())
