"""The bundled engine: columns of blocks from noise, for tests and machines without a server.

It is a stand-in, not Minecraft or Minetest. Warmth and wetness are noise with the scale of Minetest
Game (offset 50, amplitude 50, spread 1000 blocks, three octaves); the biome on land is the one
whose usual climate is nearest, as there; low land is ocean and beach.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.domains.biomes.blocks import AIR, AROUND, CODE, EYE, RANGE, RAY_STEP, RAYS
from mars_logic.domains.biomes.engine import Sight, SurfacePatch

Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]
Seen = NDArray[np.uint8]

_LAND: Final = (
    # biome, warmth, wetness, cover, trees in 1000 columns, log, leaves, beach
    ("icesheet", 0, 73, "snow", 0, "log", "leaves", "icesheet"),
    ("tundra", 0, 40, "permafrost", 0, "log", "leaves", "tundra_beach"),
    ("taiga", 25, 70, "snowy dirt", 25, "pine log", "pine needles", "taiga"),
    ("snowy_grassland", 20, 35, "snowy dirt", 0, "log", "leaves", "snowy_grassland"),
    ("grassland", 50, 35, "grass", 0, "log", "leaves", "grassland_dunes"),
    (
        "coniferous_forest",
        45,
        70,
        "coniferous litter",
        30,
        "pine log",
        "pine needles",
        "coniferous_forest_dunes",
    ),
    ("deciduous_forest", 60, 68, "grass", 25, "log", "leaves", "deciduous_forest_shore"),
    ("desert", 92, 16, "desert sand", 3, "cactus", "air", "desert"),
    ("sandstone_desert", 60, 0, "sand", 0, "log", "air", "sandstone_desert"),
    ("cold_desert", 40, 0, "silver sand", 0, "log", "air", "cold_desert"),
    ("savanna", 89, 42, "dry grass", 4, "acacia log", "acacia leaves", "savanna_shore"),
    ("rainforest", 86, 65, "rainforest litter", 35, "jungle log", "jungle leaves", "rainforest"),
)
BIOMES: Final = (
    *(row[0] for row in _LAND),
    *(f"{row[0]}_ocean" for row in _LAND),
    *dict.fromkeys(row[7] for row in _LAND if row[7] != row[0]),
)
_MANY: Final = len(_LAND)
_TABLE: Final = np.array(
    [
        (row[1], row[2], CODE[row[3]], row[4], CODE[row[5]], CODE[row[6]], BIOMES.index(row[7]))
        for row in _LAND
    ],
    np.int64,
)
_SAND, _STONE, _WATER_BLOCK, _DIRT, _ICE = (
    CODE[name] for name in ("sand", "stone", "water", "dirt", "ice")
)
_SEA: Final = 0
"""The y of the topmost block of water."""
_BEACH: Final = 2
"""Land up to this height is beach, where the biome has one."""
_COLD: Final = 10
"""Below this warmth, the sea is frozen over."""


@inline_kernel
def _hash(seed: int, a: int, b: int) -> float:
    """A number in [0, 1) of a seed and a point of a lattice."""
    mixed = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= np.uint64(a) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
    mixed ^= np.uint64(b) * np.uint64(0xD6E8FEB86659FD93)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(31)
    return float(mixed >> np.uint64(11)) * 2.0**-53


@kernel
def _noise(seed: int, x: int, z: int, spread: float, octaves: int) -> float:
    """Smooth noise, about -1 to 1: octaves of half the spread and half the amplitude each."""
    total, amplitude = 0.0, 1.0
    for octave in range(octaves):
        u, v = x / spread, z / spread
        i, j = int(np.floor(u)), int(np.floor(v))
        s, t = u - i, v - j
        s, t = s * s * (3 - 2 * s), t * t * (3 - 2 * t)
        of = seed * 31 + octave
        low = _hash(of, i, j) * (1 - s) + _hash(of, i + 1, j) * s
        high = _hash(of, i, j + 1) * (1 - s) + _hash(of, i + 1, j + 1) * s
        total += amplitude * (2 * (low * (1 - t) + high * t) - 1)
        amplitude, spread = amplitude / 2, spread / 2
    return total


@kernel
def _columns(
    seed: int,
    x0: int,
    z0: int,
    width: int,
    depth: int,
    stride: int,
    table: Codes,
    sea: int,
    beach: int,
    found: Codes,
) -> None:
    """Height, biome, cover and tree of columns, into int64[4, width, depth].

    A tree is its height times 64 plus the place of its land in the table, or 0.
    """
    many = len(table)
    for a in range(width):
        for b in range(depth):
            x, z = x0 + a * stride, z0 + b * stride
            rise = _noise(seed * 7 + 1, x, z, 400.0, 2)
            rough = _noise(seed * 7 + 2, x, z, 60.0, 2)
            height = int(np.floor(6 + 14 * rise + 3 * rough))
            warm = 50 + 50 * _noise(seed * 7 + 3, x, z, 1000.0, 3)
            wet = 50 + 50 * _noise(seed * 7 + 4, x, z, 1000.0, 3)
            land, best = 0, 1e18
            for place in range(many):
                far = (warm - table[place, 0]) ** 2 + (wet - table[place, 1]) ** 2
                if far < best:
                    land, best = place, far
            biome, cover, tree = land, table[land, 2], 0
            if height <= sea:
                biome, cover = many + land, -1
            elif height <= beach and table[land, 6] != land:
                biome, cover = table[land, 6], -1
            elif _hash(seed * 7 + 5, x, z) * 1000 < table[land, 3]:
                tree = int(4 + 3 * _hash(seed * 7 + 6, x, z)) * 64 + land
            found[0, a, b] = height
            found[1, a, b] = biome
            found[2, a, b] = cover
            found[3, a, b] = tree


@kernel
def _block(
    columns: Codes,
    cold: Flags,
    table: Codes,
    a: int,
    y: int,
    b: int,
    sea: int,
    sand: int,
    stone: int,
    water: int,
    ice: int,
    dirt: int,
) -> int:
    """The block at a place of a patch of columns."""
    height = columns[0, a, b]
    if y < height:
        return stone if y < height - 3 else (sand if columns[2, a, b] < 0 else dirt)
    if y == height:
        return sand if columns[2, a, b] < 0 else columns[2, a, b]
    if y <= sea:
        return ice if cold[a, b] and y == sea else water
    for da in range(-1, 2):
        for db in range(-1, 2):
            i, j = a + da, b + db
            if not (0 <= i < columns.shape[1] and 0 <= j < columns.shape[2]):
                continue
            tree = columns[3, i, j]
            if tree == 0:
                continue
            top, land = columns[0, i, j] + tree // 64, tree % 64
            if da == 0 and db == 0 and y <= top:
                return int(table[land, 4])
            if table[land, 5] and top - 1 <= y <= top + 1:
                return int(table[land, 5])
    return 0


@kernel
def _look(
    columns: Codes,
    cold: Flags,
    table: Codes,
    y: int,
    facing: int,
    step: int,
    reach: int,
    eye: float,
    codes: tuple[int, int, int, int, int, int],
    distance: Seen,
    block: Seen,
    around: Seen,
) -> None:
    """Rays and surroundings of somebody in the middle of a patch of columns."""
    sea, sand, stone, water, ice, dirt = codes
    middle = columns.shape[1] // 2
    side = len(distance)
    half = side // 2
    cube = len(around)
    for row in range(side):
        pitch = np.radians((half - row) * step)
        for column in range(side):
            yaw = np.radians(facing * 90.0 + (column - half) * step)
            dx, dz = np.sin(yaw) * np.cos(pitch), -np.cos(yaw) * np.cos(pitch)
            dy = np.sin(pitch)
            far = 0.5
            while far < reach:
                a = int(np.floor(middle + 0.5 + dx * far))
                b = int(np.floor(middle + 0.5 + dz * far))
                h = int(np.floor(y + eye + dy * far))
                met = _block(columns, cold, table, a, h, b, sea, sand, stone, water, ice, dirt)
                if met:
                    block[row, column] = met
                    distance[row, column] = int(far + 0.5)
                    break
                far += 0.5
    for a in range(cube):
        for h in range(cube):
            for b in range(cube):
                i, j = middle + a - cube // 2, middle + b - cube // 2
                around[a, h, b] = _block(
                    columns, cold, table, i, y - 1 + h, j, sea, sand, stone, water, ice, dirt
                )


class ColumnWorld:
    """A map of the bundled engine.

    Args:
        seed: Of the map; it determines every block.
    """

    biomes = BIOMES

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def ground(self, x: int, z: int, width: int, depth: int, near: int | None) -> SurfacePatch:  # noqa: ARG002
        """The surface of a rectangle."""
        found = self._columns(x, z, width, depth)
        height = np.maximum(found[0], _SEA) + 1
        return SurfacePatch(
            height=height.astype(np.int16),
            biome=found[1].astype(np.int16),
            wet=(found[0] < _SEA) & ~self._frozen(found),
            blocked=found[3] > 0,
        )

    def survey(self, x: int, z: int, width: int, depth: int, stride: int) -> NDArray[np.int16]:
        """The biomes at points of a grid."""
        found: NDArray[np.int16] = self._columns(x, z, width, depth, stride)[1].astype(np.int16)
        return found

    def look(self, x: int, y: int, z: int, facing: int) -> Sight:
        """What is seen from a place."""
        side = 2 * RANGE + 3
        found = self._columns(x - side // 2, z - side // 2, side, side)
        distance = np.full((RAYS, RAYS), RANGE, np.uint8)
        block = np.full((RAYS, RAYS), AIR, np.uint8)
        around = np.zeros((AROUND,) * 3, np.uint8)
        codes = (_SEA, _SAND, _STONE, _WATER_BLOCK, _ICE, _DIRT)
        out = distance, block, around
        _look(found, self._frozen(found), _TABLE, y, facing, RAY_STEP, RANGE, EYE, codes, *out)
        return Sight(distance, block, around)

    def _columns(
        self, x: int, z: int, width: int, depth: int, stride: int = 1
    ) -> NDArray[np.int64]:
        found = np.zeros((4, width, depth), np.int64)
        _columns(self._seed, x, z, width, depth, stride, _TABLE, _SEA, _BEACH, found)
        return found

    @staticmethod
    def _frozen(found: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether the sea is frozen over, where there is sea."""
        frozen: NDArray[np.bool_] = _TABLE[found[1] % _MANY, 0] < _COLD
        at_sea: Flags = (found[1] >= _MANY) & (found[1] < 2 * _MANY)
        return np.logical_and(frozen, at_sea)
