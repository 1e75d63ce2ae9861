"""Noise features of the cells of a map, as one bit set per cell.

A fact is a comparison of noise, or of a mixture of noises, with a constant of the game; the rules
in ``terrain`` depend on facts alone. They are computed for all cells at once, from noise in single
precision; where that is inconclusive, :func:`exact_facts` computes the noise as the games do.
See docs/speed.md, "Maps".
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.sim import noise_grid
from mars_logic.sim.noise import Permutation, mountain_noise, noise, water_noise
from mars_logic.sim.noise_grid import ERROR, START_RADIUS, Lattice, add_layer
from mars_logic.world.dialect import AREA, CENTRE

Array = Any
"""In annotations of kernels: an array."""

# The facts.
IN_START: Final = 1 << 0
SHALLOW: Final = 1 << 1
DEEP: Final = 1 << 2
SHORE: Final = 1 << 3
FERTILE: Final = 1 << 4
MOUNTAIN: Final = 1 << 5
HIGH: Final = 1 << 6
HIGHEST: Final = 1 << 7
CAVES: Final = 1 << 8
TUNNEL: Final = 1 << 9
COAL_VEIN: Final = 1 << 10
IRON_VEIN: Final = 1 << 11
NEAR_IRON: Final = 1 << 12
HOT: Final = 1 << 13
NEAR_LAVA: Final = 1 << 14
_NUM_FACTS: Final = 15
_ALL: Final = (1 << _NUM_FACTS) - 1
_OF_HEIGHT: Final = IN_START | SHALLOW | DEEP | MOUNTAIN | HIGH | HIGHEST
"""Facts that need the mixtures start, water and mountain."""

# The quantities that facts compare with constants.
_START: Final = 0
_WATER: Final = 1
_MOUNTAIN: Final = 2
_SHORE: Final = 3
_TREES: Final = 4
_CAVES: Final = 5
_ACROSS: Final = 6
_DOWN: Final = 7
_COAL: Final = 8
_IRON: Final = 9
_LAVA: Final = 10
NUM_FIELDS: Final = 11

MIXTURE: Final = (
    (_START, noise_grid.START, 2.0),
    (_WATER, noise_grid.WATER, 1.0),
    (_WATER, noise_grid.WATER_DETAIL, 0.15),
    (_MOUNTAIN, noise_grid.MOUNTAIN, 1.0 / 1.3),
    (_MOUNTAIN, noise_grid.MOUNTAIN_DETAIL, 0.3 / 1.3),
    (_SHORE, noise_grid.SHORE, 1.0),
    (_TREES, noise_grid.TREES, 1.0),
    (_CAVES, noise_grid.CAVES, 1.0),
    (_ACROSS, noise_grid.TUNNELS_ACROSS, 1.0),
    (_DOWN, noise_grid.TUNNELS_DOWN, 1.0),
    (_COAL, noise_grid.COAL, 1.0),
    (_IRON, noise_grid.IRON, 1.0),
    (_LAVA, noise_grid.LAVA, 1.0),
)
"""The weighted layers of noise that each of them sums."""

# Error bounds of the quantities in single precision, explained in docs/speed.md.
_OFF = np.float32(ERROR)
_WATER_OFF = np.float32(1.7e-4)
_MOUNTAIN_OFF = np.float32(2.1e-4)


@kernel
def find_facts(perm: Permutation, lattice: Lattice) -> Array:
    """The facts about all cells.

    Returns:
        uint32[64, 64]: for each cell [x, y] the bits of its facts.
    """
    fields = np.zeros((NUM_FIELDS, AREA * AREA), np.float32)
    for field, layer, weight in MIXTURE:
        add_layer(fields[field], lattice, layer, perm, weight)
    _transpose(fields[_DOWN])
    _mix_start(fields)
    facts = np.empty((AREA, AREA), np.uint32)
    _compare(facts.reshape(-1), fields)
    for x in range(AREA):
        for y in range(AREA):
            unsure = facts[x, y] >> _NUM_FACTS
            if unsure:
                facts[x, y] = (facts[x, y] & _ALL) | exact_facts(perm, x, y, unsure)
    return facts


@kernel
def _transpose(field: Array) -> None:
    """Exchange x and y."""
    square = field.reshape(AREA, AREA)
    for x in range(AREA):
        for y in range(x):
            square[x, y], square[y, x] = square[y, x], square[x, y]


_BEFORE_START: Final = (
    4 - np.hypot(*np.meshgrid(np.arange(AREA) - CENTRE, np.arange(AREA) - CENTRE))
).astype(np.float32)
"""float32[64, 64]: what noise is added to for the start number of each cell."""
_HALVINGS: Final = 5


@inline_kernel
def _quick_sigmoid(x: np.float32) -> np.float32:
    """1 / (1 + exp(-x)) in single precision, without branches; off by less than 1e-6."""
    part = x * np.float32(-(0.5**_HALVINGS))
    power = np.float32(1)
    for divisor in (5, 4, 3, 2, 1):
        power = np.float32(1) + power * part * np.float32(1 / divisor)
    for _ in range(_HALVINGS):
        power *= power
    return np.float32(1) / (np.float32(1) + power)


@kernel
def _mix_start(fields: Array) -> None:
    """Make the start field, and mix it into water and mountains."""
    start = fields[_START].reshape(AREA, AREA)
    first, last = CENTRE - START_RADIUS + 1, CENTRE + START_RADIUS
    for x in range(first, last):
        start[x, :first] = 0
        start[x, last:] = 0
        for y in range(first, last):
            start[x, y] = _quick_sigmoid(_BEFORE_START[x, y] + start[x, y])
    water = fields[_WATER]
    mountain = fields[_MOUNTAIN]
    flat = fields[_START]
    for cell in range(AREA * AREA):
        water[cell] += np.float32(0.1) - 2 * flat[cell]
        mountain[cell] -= 4 * flat[cell] + np.float32(0.3) * water[cell]


@kernel
def _compare(facts: Array, fields: Array) -> None:
    """Compare the fields with all constants, at both ends of their error intervals.

    Facts on which the two differ are undecided: their bits are set in the upper half.
    """
    for cell in range(AREA * AREA):
        least = _facts_between(fields, cell, -1)
        greatest = _facts_between(fields, cell, 1)
        facts[cell] = (least & greatest) | ((least ^ greatest) << _NUM_FACTS)


@inline_kernel
def _facts_between(fields: Array, cell: int, sign: int) -> int:
    off = np.float32(sign) * _OFF
    return facts_of(
        _LIMITS,
        fields[_START, cell] + off,
        fields[_WATER, cell] + np.float32(sign) * _WATER_OFF,
        fields[_MOUNTAIN, cell] + np.float32(sign) * _MOUNTAIN_OFF,
        fields[_SHORE, cell] + off,
        fields[_TREES, cell] + off,
        fields[_CAVES, cell] + off,
        max(fields[_ACROSS, cell], fields[_DOWN, cell]) + off,
        fields[_COAL, cell] + off,
        fields[_IRON, cell] + off,
        fields[_LAVA, cell] + off,
    )


Limits = Any
"""In annotations: a tuple of numbers."""
LIMITS: Final = (
    0.5,
    0.25,
    0.35,
    0.3,
    -0.2,
    0.0,
    0.15,
    0.18,
    0.3,
    0.15,
    0.4,
    0.0,
    0.4,
    0.2,
    0.35,
    0.15,
)
"""The constants of the comparisons, in the order of :func:`facts_of`."""
_LIMITS: Final = tuple(np.float32(limit) for limit in LIMITS)


@inline_kernel
def facts_of(
    limits: Limits,
    start: float,
    water: float,
    mountain: float,
    shore: float,
    trees: float,
    caves: float,
    tunnels: float,
    coal: float,
    iron: float,
    lava: float,
) -> int:
    """The facts that follow from noise; limits and numbers are of the same precision."""
    return (
        (IN_START if start > limits[0] else 0)
        | (SHALLOW if limits[1] < water <= limits[2] else 0)
        | (DEEP if water > limits[3] else 0)
        | (SHORE if shore > limits[4] else 0)
        | (FERTILE if trees > limits[5] else 0)
        | (MOUNTAIN if mountain > limits[6] else 0)
        | (HIGH if mountain > limits[7] else 0)
        | (HIGHEST if mountain > limits[8] else 0)
        | (CAVES if caves > limits[9] else 0)
        | (TUNNEL if tunnels > limits[10] else 0)
        | (COAL_VEIN if coal > limits[11] else 0)
        | (IRON_VEIN if iron > limits[12] else 0)
        | (NEAR_IRON if iron > limits[13] else 0)
        | (HOT if lava > limits[14] else 0)
        | (NEAR_LAVA if lava > limits[15] else 0)
    )


@kernel
def exact_facts(perm: Permutation, x: int, y: int, asked: int) -> int:
    """The requested facts that hold for a cell, from noise as the games compute it."""
    start = water = mountain = 0.0
    if asked & _OF_HEIGHT:
        start = _sigmoid(4 - from_centre(x, y) + 2 * noise(perm, x, y, 8.0, 3.0))
        water = water_noise(perm, x, y) + 0.1 - 2 * start
        mountain = mountain_noise(perm, x, y) - (4 * start + 0.3 * water)
    shore = noise(perm, x, y, 4.0, 9.0) if asked & SHORE else 0.0
    trees = noise(perm, x, y, 5.0, 7.0) if asked & FERTILE else 0.0
    caves = noise(perm, x, y, 6.0, 7.0) if asked & CAVES else 0.0
    tunnels = 0.0
    if asked & TUNNEL:
        across = noise(perm, 2.0 * x, y / 5, 7.0, 3.0)
        down = noise(perm, x / 5, 2.0 * y, 7.0, 3.0)
        tunnels = max(across, down)
    coal = noise(perm, x, y, 1.0, 8.0) if asked & COAL_VEIN else 0.0
    iron = noise(perm, x, y, 2.0, 6.0) if asked & (IRON_VEIN | NEAR_IRON) else 0.0
    lava = noise(perm, x, y, 6.0, 5.0) if asked & (HOT | NEAR_LAVA) else 0.0
    return asked & facts_of(
        LIMITS, start, water, mountain, shore, trees, caves, tunnels, coal, iron, lava
    )


@kernel
def from_centre(x: int, y: int) -> float:
    """The distance of a cell from the centre of the map."""
    return math.sqrt(float((x - CENTRE) ** 2 + (y - CENTRE) ** 2))


@kernel
def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))
