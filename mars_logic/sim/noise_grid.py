"""Noise on all cells of a map at once, in single precision.

OpenSimplex noise is a sum of bumps, one around each vertex of a lattice. At a displacement
d = (dx, dy, dz) from its vertex a bump has the height (2 - dx² - dy² - dz²)⁴ (g · d) / 103, and
0 from the distance √2 on. Only the gradient g depends on the seed. The positions of the bumps and
the factors (2 - dx² - dy² - dz²)⁴ / 103 are therefore tabulated once, and a layer of noise is
computed bump by bump, in blocks of sixteen columns: a vector at a time.

The result differs from :func:`mars_logic.sim.noise.noise` by less than ``ERROR``.
docs/speed.md, "Why maps are the same", derives this bound and describes its use.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.sim.noise import GRADIENTS3, NORM_CONSTANT3, Permutation
from mars_logic.sim.vectors import LANES, add_rows
from mars_logic.world.dialect import AREA, CENTRE

Lattice = Any
"""In annotations: the record in the array that :func:`lattice` returns."""
Array = Any
"""In annotations of kernels: an array."""

ERROR: Final = 1.32e-4
"""Upper bound on a layer's difference from the package ``opensimplex``."""

START_RADIUS: Final = 18
"""Half width, in cells, of the square around the centre with start-area noise."""


class Layer(NamedTuple):
    """The noise N at (x * across_x, y * across_y, z) for each cell (x, y).

    Attributes:
        z: An integer; each layer of its own.
        across_x: Units of noise per cell.
        across_y: Units of noise per cell. Vectors run in this direction.
        swapped: The noise is at (y * across_y, x * across_x, z), so that vectors run in the
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

_REACH: Final = np.sqrt(2)
RIM: Final = 0.07
"""Where 2 - dx² - dy² - dz² is below this, blocks need not reach: the height is nearly 0."""
_PLANES: Final = range(-4, 5)
"""Vertices lie in planes a third apart in z; these are in reach of an integer z."""
_GRADIENTS: Final = GRADIENTS3.astype(np.float32)
_DECIMALS: Final = 6
"""Places that tell two blocks apart: cells and vertices are multiples of 1/45 apart."""

_LINE: Final = 64
"""Bytes of a line of the cache: a vector across two of them takes two loads."""

_LAYER_DTYPE: Final = np.dtype(
    [
        ("first", np.int32),  # its blocks: first to last - 1
        ("last", np.int32),
        ("across_x", np.float32),  # units of noise from one cell to the next
        ("across_y", np.float32),
        ("swapped", np.int32),
    ]
)
_BLOCK_DTYPE: Final = np.dtype(
    [
        ("i", np.int16),  # numbers of its vertex along the axes of the lattice: the gradient
        ("j", np.int16),
        ("k", np.int16),
        ("cell", np.int16),  # its first cell: x * AREA + y
        ("rows", np.int32),  # from this cell on, of LANES cells each
        ("heights", np.int32),  # where its first factor is
        ("dx", np.float32),  # of its first cell from the vertex
        ("dy", np.float32),
        ("dz", np.float32),
    ]
)
"""A part of a bump: some rows (each of one x) of LANES neighbouring cells."""


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
    its = lattice.layers[layer]
    scale = np.float32(weight)
    for b in range(its.first, its.last):
        block = lattice.blocks[b]
        gradient = perm[1, (perm[0, (perm[0, block.i & 255] + block.j) & 255] + block.k) & 255]
        gx = scale * _GRADIENTS[gradient + its.swapped]
        gy = scale * _GRADIENTS[gradient + 1 - its.swapped]
        gz = scale * _GRADIENTS[gradient + 2]
        at_first = gx * block.dx + gy * block.dy + gz * block.dz
        down, along = gx * its.across_x, gy * its.across_y
        cell, heights, rows = int(block.cell), int(block.heights), int(block.rows)
        add_rows(field, cell, AREA, lattice.heights, heights, rows, at_first, down, along)


@cache
def lattice() -> NDArray[np.void]:
    """The table of bumps: an array of one record (layers, blocks, heights), read-only."""
    layers = np.zeros(len(LAYERS), _LAYER_DTYPE)
    for name in ("across_x", "across_y", "swapped"):
        layers[name] = [getattr(layer, name) for layer in LAYERS]
    parts = [_blocks(layer) for layer in LAYERS]
    layers["last"] = np.cumsum([len(blocks) for blocks, _ in parts])
    layers["first"][1:] = layers["last"][:-1]
    blocks, shapes = (np.concatenate(part) for part in zip(*parts, strict=True))
    heights = _add_heights(blocks, shapes)
    tables = {"layers": layers, "blocks": blocks, "heights": heights}
    kind = np.dtype([(name, part.dtype, part.shape) for name, part in tables.items()])
    table = _aligned(kind, "heights")
    for name, part in tables.items():
        table[name] = part
    table.flags.writeable = False
    return table


def _aligned(kind: np.dtype[np.void], field: str) -> NDArray[np.void]:
    """An array of one record of zeros in which a field begins a line of the cache."""
    room = np.zeros(kind.itemsize + _LINE, np.uint8)
    begins = room[: kind.itemsize].view(kind)[field].ctypes.data
    first = -begins % _LINE
    return room[first : first + kind.itemsize].view(kind)


_SHAPE_DTYPE: Final = np.dtype(
    [
        (name, np.float64)
        for name in ("reach", "dx", "dy", "across_x", "across_y", "rows")  # 2 - dz², first cell
    ]
)
"""What the heights of a block depend on, if it had all its rows, on the map or not."""


def _blocks(layer: Layer) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """The blocks of a layer and their shapes; ``heights`` counts the rows that are off the map."""
    indices, place = _vertices(layer)
    reach = 2 - (layer.z - place[:, 2]) ** 2
    inner = (reach - RIM).clip(0)
    first, end = _reached(place[:, 1], np.sqrt(inner), layer.across_y, layer)
    # The blocks that cover these columns; they begin earlier where they would leave the map.
    count = np.ceil((end - first) / LANES).astype(int).clip(0)
    vertex = np.repeat(np.arange(len(count)), count)
    nth = np.arange(len(vertex)) - (np.cumsum(count) - count)[vertex]
    latest = np.minimum(first, AREA - count * LANES)
    even = latest // LANES * LANES
    column = np.where(even >= end - count * LANES, even, latest)[vertex] + nth * LANES
    place, reach, inner = place[vertex], reach[vertex], inner[vertex]
    dy = column * layer.across_y - place[:, 1]
    nearest = dy + np.round(-dy / layer.across_y).clip(0, LANES - 1) * layer.across_y
    left = inner - nearest**2
    half = np.sqrt(left.clip(0))
    whole_first, whole_end = _reached(place[:, 0], half, layer.across_x, None)
    first, end = _reached(place[:, 0], half, layer.across_x, layer)
    blocks, shapes = np.empty(len(vertex), _BLOCK_DTYPE), np.empty(len(vertex), _SHAPE_DTYPE)
    order = (1, 0, 2) if layer.swapped else (0, 1, 2)
    blocks["i"], blocks["j"], blocks["k"] = indices[vertex][:, order].T
    blocks["cell"], blocks["rows"] = first * AREA + column, end - first
    blocks["heights"] = first - whole_first
    blocks["dx"], blocks["dy"] = first * layer.across_x - place[:, 0], dy
    blocks["dz"] = layer.z - place[:, 2]
    shapes["reach"], shapes["dx"] = reach, whole_first * layer.across_x - place[:, 0]
    shapes["dy"], shapes["rows"] = dy, whole_end - whole_first
    shapes["across_x"], shapes["across_y"] = layer.across_x, layer.across_y
    # Those with equally many rows together: a processor then predicts where a loop ends.
    kept = np.argsort(blocks["rows"], kind="stable")
    kept = kept[(left[kept] > 0) & (blocks["rows"][kept] > 0)]
    return blocks[kept], shapes[kept]


def _reached(
    centre: NDArray[np.float64], half: NDArray[np.float64], across: float, layer: Layer | None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The cells within some distance of a centre: first and end, of those of a layer if given."""
    first, end = np.ceil((centre - half) / across), np.floor((centre + half) / across) + 1
    if layer is not None:
        first, end = first.clip(layer.first, layer.last), end.clip(layer.first, layer.last)
    return first.astype(int), end.astype(int)


def _add_heights(blocks: NDArray[np.void], shapes: NDArray[np.void]) -> NDArray[np.float32]:
    """The heights of all blocks, those of one shape once; blocks are told where theirs begin."""
    table = np.stack([shapes[name] for name in _SHAPE_DTYPE.names or ()], 1)
    _, one, which = np.unique(
        table.round(_DECIMALS), axis=0, return_index=True, return_inverse=True
    )
    reach, dx, dy, across_x, across_y, rows = table[one].T
    ends = np.cumsum(rows).astype(int)
    shape = np.repeat(np.arange(len(one)), rows.astype(int))
    row = np.arange(len(shape)) - (ends - rows.astype(int))[shape]
    dx = (dx[shape] + row * across_x[shape])[:, np.newaxis]
    dy = dy[shape][:, np.newaxis] + np.arange(LANES) * across_y[shape][:, np.newaxis]
    heights = (reach[shape][:, np.newaxis] - dx**2 - dy**2).clip(0) ** 4 / NORM_CONSTANT3
    blocks["heights"] = (blocks["heights"] + (ends - rows.astype(int))[which.ravel()]) * LANES
    flat: NDArray[np.float32] = heights.astype(np.float32).ravel()
    return flat


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
