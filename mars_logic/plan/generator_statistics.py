"""What the believed generator makes, measured on maps of its own: terrain and first creatures.

The maps are drawn from the believed world with seeds that no episode has.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim import Simulator
from mars_logic.world import names
from mars_logic.world.dialect import AREA, VIEW_HEIGHT, VIEW_WIDTH
from mars_logic.world.load import load_world
from mars_logic.world.names import Dynamics
from mars_logic.world.rules import Rule
from mars_logic.world.theory import World

REACH: Final = 24
"""Distances of two cells that are told apart; farther ones count as unrelated."""
_FIRST_KIND: Final = names.LOOKS.index(names.CREATURES[0])
_MAPS: Final = 32
_FIRST_SEED: Final = 1 << 41
_FAMILIES: Final = ("neighbour", "rename", "walk")
"""The rules on which the generator depends."""


@dataclass(frozen=True)
class GeneratorStatistics:
    """Relative frequencies on maps of a believed generator.

    Attributes:
        beside: float64[REACH + 1, M, M]: for M materials, the probability of the second one at a
            distance from a cell of the first one; at REACH, and where the first one is never
            generated, that of any cell.
        cluster: float64[M]: the mean number of cells of a material in a view that has at least
            one; 1 where there is none.
        creatures: float64[kinds, M]: creatures at the start of an episode for each cell of a
            material.
    """

    beside: NDArray[np.float64]
    cluster: NDArray[np.float64]
    creatures: NDArray[np.float64]


def generator_statistics(world: World) -> GeneratorStatistics:
    """The statistics of a believed world's generator; kept for the last few generators."""
    if world.vocabulary.wide or world.map:
        return _measured(world)
    rules = tuple(rule for rule in world.rules() if rule.family in _FAMILIES)
    return _of_rules(world.dynamics, rules)


@lru_cache(maxsize=16)
def _of_rules(dynamics: Dynamics, rules: tuple[Rule, ...]) -> GeneratorStatistics:
    usual = load_world("crafter" if dynamics == "crafter" else "default")
    return _measured(usual.with_rules(*rules))


@lru_cache(maxsize=16)
def _measured(world: World) -> GeneratorStatistics:
    simulator = Simulator(world)
    many = len(world.vocabulary.materials)
    pairs = np.zeros((REACH + 1, many, many))
    counts = np.zeros((len(names.CREATURES), many))
    cells = np.zeros(many)
    within, views = np.zeros(many), np.zeros(many)
    for seed in range(_FIRST_SEED, _FIRST_SEED + _MAPS):
        simulator.reset(seed)
        state = simulator.state()
        materials = state.materials
        for distance in range(1, REACH):
            for one, other in (
                (materials[distance:], materials[:-distance]),
                (materials[:, distance:], materials[:, :-distance]),
            ):
                code = one.ravel().astype(np.int64) * many + other.ravel()
                found = np.bincount(code, minlength=many**2)
                found = found.reshape(many, many)
                pairs[distance] += found + found.T
        cells += np.bincount(materials.ravel(), minlength=many)
        for thing in state.objects:
            kind = int(thing["kind"]) - _FIRST_KIND
            if kind < len(names.CREATURES):  # plants may be drawn
                counts[kind, materials[thing["x"], thing["y"]]] += 1
        for x in range(0, AREA - VIEW_WIDTH + 1, VIEW_WIDTH):
            for y in range(0, AREA - VIEW_HEIGHT + 1, VIEW_HEIGHT):
                view = materials[x : x + VIEW_WIDTH, y : y + VIEW_HEIGHT]
                seen = np.bincount(view.ravel(), minlength=many)
                within += seen
                views += seen > 0
    share = cells / cells.sum()
    totals = pairs.sum(axis=2, keepdims=True)
    beside = np.where(totals > 0, pairs / np.maximum(totals, 1), share)
    cluster = np.where(views > 0, within / np.maximum(views, 1), 1)
    return GeneratorStatistics(beside, cluster, counts / np.maximum(cells, 1))
