"""Inference of neighbour rules from the seen map.

Nothing that a player does shows a neighbour rule, but the ground it walks past does. How often
which parts of the generator's landscape (shore, meadow, the rock around coal ...) touch is a
constant of the dialect, whatever materials they are made of. So a choice of materials makes it more
or less likely which materials were seen side by side; the likeliest choice is believed, if it is so
much likelier than the prior that it is worth its description.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.plan.observed_map import START, UNSEEN
from mars_logic.sim import Simulator
from mars_logic.theory.problem import CHANGE
from mars_logic.world import names
from mars_logic.world.load import load_world
from mars_logic.world.rules import Neighbour
from mars_logic.world.theory import Theory, World
from mars_logic.world.uncertain import is_uncertain

Counts = NDArray[np.int64]
"""int64[materials, materials]: how often two materials were seen side by side; symmetric."""

REGIONS: Final = ("water", "tree", "diamond", "iron", "coal", "lava")
"""The regions whose material is told by what lies around; the player's is seen at once."""
_MAPS: Final = 40
_FIRST_SEED: Final = 1 << 40
_HOME: Final = 7
"""So near the start everything is made of the start's material."""
_ALIKE: Final = 2.0
"""Pairs of cells that tell as much as one would, if they had nothing to do with each other."""
_LEAST: Final = 1e-4
"""The share of pairs that have other causes, such as what was changed before it was seen."""
_COST: Final = CHANGE + math.log2(len(names.NATURAL))
"""Bits that tell of a region that its material is another one, and which."""
_BESIDE: Final = 0.02
"""Minimum share of a surrounding material among the observed neighbours."""
_SIZE: Final = len(names.MATERIALS)
_NATURAL: Final = [names.MATERIALS.index(material) for material in names.NATURAL]


class Surroundings:
    """Which materials were seen side by side, over all episodes."""

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self.pairs: Counts = np.zeros((_SIZE, _SIZE), np.int64)

    def add(self, materials: NDArray[np.uint8]) -> None:
        """Count the pairs of a map.

        Args:
            materials: uint8[64, 64]: each cell as it was when it was first seen.
        """
        self.pairs += _pairs(_away(materials), _SIZE)

    def beside(self, material: str, other: str) -> tuple[int, int]:
        """How often one material was seen beside another, and how often beside any but itself."""
        row = self.pairs[names.MATERIALS.index(material)][_NATURAL]
        itself = row[names.NATURAL.index(material)]
        return int(row[names.NATURAL.index(other)]), int(row.sum() - itself)


@dataclass(frozen=True)
class TerrainFinding:
    """Another material is believed to lie around something now.

    Attributes:
        region: Around what.
        material: What lies there.
        times: How often it was seen beside it.
        of: How often anything else than the region's own material was seen beside it.
    """

    region: str
    material: str
    times: int
    of: int


def findings(prior: Theory, theory: Theory, seen: Surroundings) -> list[TerrainFinding]:
    """The regions of which another material is to be believed now.

    Args:
        prior: What was believed at first; what it leaves open is free to choose.
        theory: What is believed.
        seen: What was seen.
    """
    if prior.dynamics == "crafter":
        return []  # its generator has no such rules
    found = []
    for region, material in _Search(prior, seen).best().items():
        times, of = seen.beside(region, material)
        if of and theory.neighbour[region].material != material:
            found.append(TerrainFinding(region, material, times, of))
    return found


class _Search:
    """Looks for the likeliest materials of the regions."""

    def __init__(self, prior: Theory, seen: Surroundings) -> None:
        self._seen, self._world = seen, prior.most_likely()
        self._known: dict[str, str | None] = {}
        self._candidates: dict[str, list[str]] = {}
        for region in REGIONS:
            material = prior.neighbour[region].material
            self._known[region] = None if is_uncertain(material) else material
            usual = self._world.neighbour[region].material
            self._candidates[region] = [
                name
                for name in names.NATURAL
                if name == usual or self._share(region, name) >= _BESIDE
            ]

    def _share(self, region: str, material: str) -> float:
        times, of = self._seen.beside(region, material)
        return times / of if of else 0.0

    def best(self) -> dict[str, str]:
        """The materials; changed two by two, as long as that is worth it."""
        around = self._world.neighbour
        chosen: dict[str, str] = {r: around[r].material or "stone" for r in REGIONS}
        bits = self._worth(chosen)
        while True:
            others = [
                chosen | dict(zip(regions, made_of, strict=True))
                for regions in combinations(REGIONS, 2)
                for made_of in product(*(self._candidates[region] for region in regions))
            ]
            best = max(others, key=self._worth, default=chosen)
            if (found := self._worth(best)) <= bits:
                return chosen
            chosen, bits = best, found

    def _worth(self, chosen: Mapping[str, str]) -> float:
        """The logarithm (base 2) of the likelihood of what was seen, less what the choice costs."""
        touching = self._made_of(chosen)
        touching = touching.T @ touches() @ touching
        shares = touching / np.maximum(touching.sum(axis=1, keepdims=True), 1e-12)
        shares = (1 - _LEAST) * shares + _LEAST / len(names.NATURAL)
        likelihood = float((self._seen.pairs * np.log2(shares)).sum()) / (2 * _ALIKE)
        return likelihood - _COST * sum(
            known is not None and chosen[region] != known for region, known in self._known.items()
        )

    def _made_of(self, chosen: Mapping[str, str]) -> NDArray[np.float64]:
        """float64[parts, materials]: 1 where a part of the landscape is made of a material."""
        found = np.zeros((len(_PARTS), _SIZE))
        for part, (kind, subject) in enumerate(_PARTS):
            material = subject
            if kind == "around":
                around = self._world.neighbour[subject].material
                material = chosen.get(subject) or around or "stone"
            found[part, _code(self._world.rename[material].material or material)] = 1
        return found


# --- The generator's landscape --------------------------------------------------------------------

_AROUND: Final = ("player", *REGIONS)
_PARTS: Final = (
    *(("around", region) for region in _AROUND),
    *(("itself", name) for name in names.NATURAL if name not in ("grass", "sand")),
)
"""The parts of a generated map: the surroundings of some things, and the things themselves."""
_FIRST: Final = dict(zip(_AROUND, ("grass",) * 4 + ("sand",) * 3, strict=True))
_SECOND: Final = dict(
    zip(_AROUND, ("grass", "sand", "stone", "path", "grass", "sand", "stone"), strict=True)
)
"""Two choices of materials that tell all parts apart: a map has the same parts under both."""


@cache
def touches() -> NDArray[np.float64]:
    """float64[parts, parts]: how often parts of the landscape touch, away from the start."""
    found = np.zeros((len(_PARTS), len(_PARTS)))
    usual = load_world("default")
    simulators = [Simulator(_world(usual, choice)) for choice in (_FIRST, _SECOND)]
    codes = {
        (_code(_made(part, _FIRST)), _code(_made(part, _SECOND))): n
        for n, part in enumerate(_PARTS)
    }
    number = np.full((_SIZE, _SIZE), len(_PARTS), np.int64)
    for (first, second), n in codes.items():
        number[first, second] = n
    for seed in range(_MAPS):
        maps = []
        for simulator in simulators:
            simulator.reset(_FIRST_SEED + seed)
            maps.append(simulator.state().materials)
        parts = _away(number[maps[0], maps[1]].astype(np.uint8))
        found += _pairs(parts, len(_PARTS))
    shares: NDArray[np.float64] = found / found.sum()
    return shares


def _made(part: tuple[str, str], choice: Mapping[str, str]) -> str:
    kind, subject = part
    return choice[subject] if kind == "around" else subject


def _code(material: str) -> int:
    return names.MATERIALS.index(material)


def _world(usual: World, choice: Mapping[str, str]) -> World:
    rules = (Neighbour(subject=region, material=name) for region, name in choice.items())
    return usual.with_rules(*rules)


def _away(cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The cells away from the start; those near it count as not seen."""
    found = cells.copy()
    x, y = START
    found[x - _HOME : x + _HOME + 1, y - _HOME : y + _HOME + 1] = UNSEEN
    return found


def _pairs(cells: NDArray[np.uint8], size: int) -> Counts:
    """int64[size, size]: how often two of the first numbers are side by side."""
    found = np.zeros((size, size), np.int64)
    for one, other in ((cells[1:], cells[:-1]), (cells[:, 1:], cells[:, :-1])):
        both = (one < size) & (other < size)
        np.add.at(found, (one[both], other[both]), 1)
    return found + found.T
