from __future__ import annotations

import numba
import numpy as np
import pytest
from opensimplex.constants import GRADIENTS3, NORM_CONSTANT3
from opensimplex.internals import _noise3

from mars_logic.sim.noise import permutation
from mars_logic.sim.noise_grid import ERROR, LAYERS, RIM, START, add_layer, lattice
from mars_logic.sim.vectors import LANES
from mars_logic.world.dialect import AREA

SEEDS = [0, 1, 7, -3, 2**31 - 2, *np.random.default_rng(4).integers(0, 2**31, 20).tolist()]
GRADIENTS = GRADIENTS3.reshape(-1, 3)
OF_START = 1.2e-5
ROUNDED_CONSTANTS = 1e-6

each_layer = pytest.mark.parametrize("number", range(len(LAYERS)))


@numba.njit
def _noise_at(perm, gradients, xs, ys, z, noise):
    for x in range(len(xs)):
        for y in range(len(ys)):
            noise[x, y] = _noise3(xs[x], ys[y], z, perm, gradients)


def reference(layer, perm, gradients):
    """What the package opensimplex computes, at the cells of a layer."""
    cells = np.arange(layer.first, layer.last)
    noise = np.empty((len(cells), len(cells)))
    rows, strips = cells * layer.across_x, cells * layer.across_y
    if layer.swapped:
        _noise_at(perm, gradients, strips, rows, float(layer.z), noise)
        return noise.T
    _noise_at(perm, gradients, rows, strips, float(layer.z), noise)
    return noise


def fast(number, perm, weight=1.0):
    field = np.zeros(AREA * AREA, np.float32)
    add_layer(field, lattice()[0], number, perm, weight)
    part = slice(LAYERS[number].first, LAYERS[number].last)
    return field.reshape(AREA, AREA)[part, part]


def bumps(layer):
    """For each vertex of the lattice near a layer: its indices, and its displacements [3, x, y]."""
    cells = np.arange(layer.first, layer.last)
    xs, ys = cells * layer.across_x, cells * layer.across_y
    lowest, highest = [min(xs[0], ys[0]) - 2, max(xs[-1], ys[-1]) + 2]
    for k in range(-20, 30):
        for thrice_s in range(3 * (layer.z - k) - 4, 3 * (layer.z - k) + 5):
            s = thrice_s / 3
            for i in range(int(lowest - s), int(highest - s) + 1):
                j = thrice_s - k - i
                if not (-1.5 < i + s < xs[-1] + 1.5 and -1.5 < j + s < ys[-1] + 1.5):
                    continue
                d = np.empty((3, len(cells), len(cells)))
                d[0] = (xs - i - s)[:, np.newaxis]
                d[1] = ys - j - s
                d[2] = layer.z - k - s
                yield ((j, i, k) if layer.swapped else (i, j, k)), d


@each_layer
def test_close_to_the_exact_noise(number):
    for seed in SEEDS:
        perm = permutation(seed)
        off = np.abs(fast(number, perm) - reference(LAYERS[number], *perm))
        assert off.max() < ERROR


@each_layer
def test_error_is_what_either_leaves_out_and_rounding(number):
    """For any seed: the parts of ERROR are bounded over all gradients, at each cell.

    The package's choice of vertices does not depend on the seed, so it is found by changing the
    gradient of one vertex after another. With this permutation, vertices that are near each other
    have gradients of their own.
    """
    layer = LAYERS[number]
    spread = np.arange(256) * 4 & 255
    left_out = rounding = 0
    used = {}
    base = reference(layer, spread, np.zeros(256, np.int64))
    for entry in range(64):
        used[entry] = np.zeros(base.shape, bool)
        for gradient in (3, 6, 9):  # these and 0 differ in three independent directions
            one = np.where(np.arange(256) & 63 == entry, gradient, 0)
            used[entry] |= reference(layer, spread, one) != base
    unit = 2.0**-24
    # A slope is a sum of products: displacement of a block's first cell, and steps from there; it
    # is then added to once a row.
    each = np.abs(GRADIENTS)[:, (1, 0, 2) if layer.swapped else (0, 1, 2)]
    first, rows, columns = np.sqrt(2), 2 * np.sqrt(2), (LANES - 1) * layer.across_y
    products = (each @ np.array([first + rows, first + 2 * columns, 4 / 3])).max()
    slopes = (each @ np.array([first, first, 4 / 3])).max()
    its = lattice()[0]["layers"][number]
    most_rows = int(lattice()[0]["blocks"][its["first"] : its["last"]]["rows"].max())
    line = (7 * products + most_rows * slopes) / NORM_CONSTANT3 * unit
    for (i, j, k), d in bumps(layer):
        reach = np.maximum(2 - (d**2).sum(0), 0)
        slope = np.abs(np.tensordot(GRADIENTS, d, 1)).max(0) / NORM_CONSTANT3
        height = reach**4 * slope
        left_out = left_out + np.where(used[(16 * i + 4 * j + k) & 63], 0, height)
        left_out += np.where(reach < RIM, height, 0)
        rounding = rounding + reach**4 * line + height * 25 * unit
    off = left_out + rounding
    assert off.max() < (OF_START if number == START else ERROR - ROUNDED_CONSTANTS)


@each_layer
def test_weights_and_sums(number):
    perm = permutation(5)
    field = np.zeros(AREA * AREA, np.float32)
    add_layer(field, lattice()[0], number, perm, 0.5)
    add_layer(field, lattice()[0], number, perm, 0.25)
    part = slice(LAYERS[number].first, LAYERS[number].last)
    summed = field.reshape(AREA, AREA)[part, part]
    np.testing.assert_allclose(summed, 0.75 * fast(number, perm), rtol=0, atol=1e-6)


def test_blocks_lie_on_the_map_and_heights_in_the_table():
    table = lattice()[0]
    blocks = table["blocks"]
    cells = blocks["cell"].astype(int)
    assert cells.min() >= 0
    assert (cells % AREA).max() <= AREA - LANES
    assert (cells // AREA + blocks["rows"]).max() <= AREA
    assert blocks["heights"].min() >= 0
    assert (blocks["heights"] + blocks["rows"] * LANES).max() <= len(table["heights"])
    assert table["layers"]["last"][-1] == len(blocks)


def test_table_is_shared_and_read_only():
    assert lattice() is lattice()
    with pytest.raises(ValueError, match="read-only"):
        lattice()["blocks"]["dx"] = 0
