"""What every engine of biome navigation offers: one protocol, whoever makes the map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class SurfacePatch:
    """A rectangle of the surface, ``(width, depth)`` each: along x, along z.

    Attributes:
        height: int16: the y of the feet of somebody who stands, or swims, there.
        biome: int16: the place of the biome in ``BiomeWorld.biomes``.
        wet: bool: whether it is water.
        blocked: bool: whether a trunk or the like stands there.
    """

    height: NDArray[np.int16]
    biome: NDArray[np.int16]
    wet: NDArray[np.bool_]
    blocked: NDArray[np.bool_]


@dataclass(frozen=True)
class Sight:
    """What is seen from a place; blocks are codes of ``blocks.BLOCKS``.

    Attributes:
        distance: uint8[17, 17]: blocks to what each ray meets; rows from above to below, columns
            from left to right.
        block: uint8[17, 17]: what it meets; air if nothing within ``RANGE``.
        around: uint8[9, 9, 9]: blocks by x, y, z around the feet; along y from one below upward.
    """

    distance: NDArray[np.uint8]
    block: NDArray[np.uint8]
    around: NDArray[np.uint8]


class BiomeWorld(Protocol):
    """A map of blocks. x goes to the east, y upward, z to the south.

    The same seed gives the same biomes in each engine of a kind, and in our own engine the same
    blocks.
    """

    @property
    def biomes(self) -> tuple[str, ...]:
        """The names of the biomes."""
        ...

    def ground(self, x: int, z: int, width: int, depth: int, near: int | None) -> SurfacePatch:
        """The surface of a rectangle as it is.

        Args:
            x: Its western edge.
            z: Its northern edge.
            width: Its blocks along x.
            depth: Its blocks along z.
            near: The height at which the player is; surfaces far above or below may be missed.
                None: where the seed has the surface of the first place.
        """
        ...

    def survey(self, x: int, z: int, width: int, depth: int, stride: int) -> NDArray[np.int16]:
        """int16[width, depth]: the biomes at the surface at points of a grid, by the seed alone.

        Args:
            x: The western edge.
            z: The northern edge.
            width: Points along x.
            depth: Points along z.
            stride: Blocks between neighbouring points.
        """
        ...

    def look(self, x: int, y: int, z: int, facing: int) -> Sight:
        """What somebody sees whose feet are there.

        Args:
            x: Of the feet.
            y: Of the feet.
            z: Of the feet.
            facing: The place in ``FACINGS``.
        """
        ...
