"""Noise on all cells of a map at once, in single precision.

OpenSimplex noise is a sum of bumps, one around each vertex of a lattice. At a displacement
d = (dx, dy, dz) from its vertex a bump has the height (2 - dx² - dy² - dz²)⁴ (g · d) / 103, and
0 from the distance √2 on. Only the gradient g depends on the seed. The positions of the bumps are
therefore tabulated once, and a layer of noise is computed bump by bump, in strips of neighbouring
cells for SIMD instructions.

The result differs from :func:`mars_logic.sim.noise.noise` by less than ``ERROR``.
docs/simulator.md, "How maps are made fast", derives this bound and describes its use.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import kernel
from mars_logic.sim.noise import GRADIENTS3, NORM_CONSTANT3, Permutation
from mars_logic.world.dialect import AREA, CENTRE

Lattice = Any
"""In annotations: the record in the array that :func:`lattice` returns."""
Array = Any
"""In annotations of kernels: an array."""

ERROR: Final = 1.3e-4
"""Upper bound on a layer's difference from the package ``opensimplex``."""

START_RADIUS: Final = 18
"""Half width, in cells, of the square around the centre with start-area noise."""


class Layer(NamedTuple):
    """The noise N at (x * across_x, y * across_y, z) for each cell (x, y).

    Attributes:
        z: An integer; each layer of its own.
        across_x: Units of noise per cell.
        across_y: Units of noise per cell. Strips run in this direction.
        swapped: The noise is at (y * across_y, x * across_x, z), so that strips run in the
            direction in which bumps are long.
        first: Lower limit of x and y of the computed cells.
        last: Their upper limit, exclusive.
    """

    z: int
    across_x: float
    across_y: float
    swapped: bool = False
    first: int = 0
    last: int = AREA


def _even(z: int, size: int) -> Layer:
    return Layer(z, 1 / size, 1 / size)


LAYERS: Final = (
    _even(8, 3)._replace(first=CENTRE - START_RADIUS + 1, last=CENTRE + START_RADIUS),
    _even(3, 15),
    _even(3, 5),
    _even(0, 15),
    _even(0, 5),
    _even(4, 9),
    _even(5, 7),
    _even(6, 7),
    Layer(7, 2 / 3, 1 / 15),
    Layer(7, 2 / 3, 1 / 15, swapped=True),
    _even(1, 8),
    _even(2, 6),
    _even(6, 5),
)
"""All layers of map generation (docs/semantics.md, "The map"), by number:"""
START: Final = 0
WATER: Final = 1
WATER_DETAIL: Final = 2
MOUNTAIN: Final = 3
MOUNTAIN_DETAIL: Final = 4
SHORE: Final = 5
TREES: Final = 6
CAVES: Final = 7
TUNNELS_ACROSS: Final = 8
TUNNELS_DOWN: Final = 9
COAL: Final = 10
IRON: Final = 11
LAVA: Final = 12

_STRIP: Final = 32
"""Cells of a strip. A constant, so that the compiler uses the widest instructions there are."""
_REACH: Final = np.sqrt(2)
_PLANES: Final = range(-4, 5)
"""Vertices lie in planes a third apart in z; these are in reach of an integer z."""
_GRADIENTS: Final = (GRADIENTS3 / NORM_CONSTANT3).astype(np.float32)

_LAYER_DTYPE: Final = np.dtype(
    [
        ("first", np.int32),  # its vertices: first to last - 1
        ("last", np.int32),
        ("across", np.float32),  # units of noise from one cell of a strip to the next
        ("swapped", np.int32),
    ]
)
_VERTEX_DTYPE: Final = np.dtype(
    [
        ("i", np.int32),  # its numbers along the axes of the lattice; the gradient follows
        ("j", np.int32),
        ("k", np.int32),
        ("dz", np.float32),
        ("first", np.int32),  # its strips: first to last - 1
        ("last", np.int32),
    ]
)
_STRIP_DTYPE: Final = np.dtype(
    [
        ("cell", np.int32),  # its first cell: x * AREA + y
        ("reach", np.float32),  # 2 - dx² - dz²
        ("dx", np.float32),
        ("dy", np.float32),  # of its first cell
    ]
)


@kernel
def add_layer(field: Array, lattice: Lattice, layer: int, perm: Permutation, weight: float) -> None:
    """Add a layer of noise to a field.

    Args:
        field: float32[4096]: a number for each cell, at x * 64 + y (y * 64 + x if the layer is
            swapped).
        lattice: The table of bumps.
        layer: A number of ``LAYERS``.
        perm: Their gradients.
        weight: Factor of the noise.
    """
    across = lattice.layers[layer].across
    swapped = lattice.layers[layer].swapped
    scale = np.float32(weight)
    for v in range(lattice.layers[layer].first, lattice.layers[layer].last):
        vertex = lattice.vertices[v]
        gradient = perm[1, (perm[0, (perm[0, vertex.i & 255] + vertex.j) & 255] + vertex.k) & 255]
        gx = scale * _GRADIENTS[gradient + swapped]
        gy = scale * _GRADIENTS[gradient + 1 - swapped]
        from_z = scale * _GRADIENTS[gradient + 2] * vertex.dz
        for s in range(vertex.first, vertex.last):
            strip = lattice.strips[s]
            _add_strip(field, strip.cell, strip.reach, strip.dy, across, gx * strip.dx + from_z, gy)


@kernel
def _add_strip(
    field: Array, cell: int, reach: float, dy: float, across: float, constant: float, gy: float
) -> None:
    first = np.uint64(cell)  # unsigned: the compiler need not handle negative indices
    for i in range(_STRIP):
        y = dy + np.float32(i) * across
        height = max(reach - y * y, np.float32(0))
        height *= height
        field[first + np.uint64(i)] += height * height * (constant + gy * y)


@cache
def lattice() -> NDArray[np.void]:
    """The table of bumps: an array of one record (layers, vertices, strips), read-only."""
    layers = np.zeros(len(LAYERS), _LAYER_DTYPE)
    vertices, strips = [], []
    num_vertices = num_strips = 0
    for number, layer in enumerate(LAYERS):
        its_vertices, its_strips = _bumps(layer)
        its_vertices["first"] += num_strips
        its_vertices["last"] += num_strips
        layers["first"][number] = num_vertices
        num_vertices += len(its_vertices)
        num_strips += len(its_strips)
        layers["last"][number] = num_vertices
        vertices.append(its_vertices)
        strips.append(its_strips)
    layers["across"] = [layer.across_y for layer in LAYERS]
    layers["swapped"] = [layer.swapped for layer in LAYERS]
    parts = {
        "layers": layers,
        "vertices": np.concatenate(vertices),
        "strips": np.concatenate(strips),
    }
    table = np.zeros(1, [(name, part.dtype, part.shape) for name, part in parts.items()])
    for name, part in parts.items():
        table[name] = part
    table.flags.writeable = False
    return table


def _bumps(layer: Layer) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """The vertices whose bumps reach cells of a layer, and their strips."""
    indices, place = _vertices(layer)
    # All pairs of a vertex and a row of cells (with one x) that it reaches.
    cells = np.arange(layer.first, layer.last)
    dx = cells * layer.across_x - place[:, :1]
    dz = layer.z - place[:, 2]
    reach = 2 - dx**2 - dz[:, np.newaxis] ** 2
    vertex, row = np.nonzero(reach > 0)
    half = np.sqrt(reach[vertex, row])
    first = np.ceil((place[vertex, 1] - half) / layer.across_y).clip(layer.first, layer.last)
    end = np.floor((place[vertex, 1] + half) / layer.across_y + 1).clip(layer.first, layer.last)
    # The strips that cover such a row; they begin earlier where they would leave the map.
    count = np.ceil((end - first) / _STRIP).astype(int).clip(0)
    first = np.minimum(first, AREA - count * _STRIP)
    pair = np.repeat(np.arange(len(count)), count)
    nth = np.arange(len(pair)) - (np.cumsum(count) - count)[pair]
    vertex, row, y = vertex[pair], row[pair], first[pair] + nth * _STRIP
    strips = np.empty(len(pair), _STRIP_DTYPE)
    strips["cell"] = cells[row] * AREA + y
    strips["reach"] = reach[vertex, row]
    strips["dx"] = dx[vertex, row]
    strips["dy"] = y * layer.across_y - place[vertex, 1]
    used, begin, number = np.unique(vertex, return_index=True, return_counts=True)
    vertices = np.empty(len(used), _VERTEX_DTYPE)
    vertices["dz"] = dz[used]
    vertices["first"], vertices["last"] = begin, begin + number
    order = (1, 0, 2) if layer.swapped else (0, 1, 2)
    vertices["i"], vertices["j"], vertices["k"] = indices[used][:, order].T
    return vertices, strips


def _vertices(layer: Layer) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The vertices in and around a layer: their indices (i, j, k) and places, each [n, 3].

    Vertex (i, j, k) is at (i + s, j + s, k + s) with s = (i + j + k) / 3. If it is at z, then 3s
    is 3 (z - k) and i + j is 3s - k.
    """
    margin = int(np.ceil(_REACH))
    lowest = [int(layer.first * across) - margin for across in (layer.across_x, layer.across_y)]
    highest = [int(layer.last * across) + margin for across in (layer.across_x, layer.across_y)]
    found = []
    for plane in _PLANES:
        # x + y = i + j + 2s = 5z - 6k
        five_z = 5 * layer.z + 5 * plane / 3
        k = np.arange((five_z - sum(highest)) // 6, (five_z - sum(lowest)) // 6 + 2)
        thrice_s = (3 * layer.z + plane - 3 * k)[:, np.newaxis]
        i = np.arange(lowest[0], highest[0] + 1) - thrice_s // 3
        j = thrice_s - k[:, np.newaxis] - i
        found.append(np.stack(np.broadcast_arrays(i, j, k[:, np.newaxis]), -1).reshape(-1, 3))
    indices = np.concatenate(found).astype(np.int64)
    return indices, indices + indices.sum(1, keepdims=True) / 3
