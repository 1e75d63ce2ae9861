"""Layouts: the positions of the zones of ``encodings/reach/zones.lp`` on the maps of some seeds.

The seed alone determines the zone of each cell; a world's rules determine only each zone's
material. A few layouts therefore give example maps of any world: starts in open land, and beside
banks, lakes and tunnels, and maps on which little is next to what else. ``python -m
tests.logic.generate --layouts`` generates them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mars_logic.world.vocabulary import dialects

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mars_logic.logic.reachability_model import ReachabilityModel

_MOST_BYTES = 64_000_000
FILE = Path(__file__).with_name("layouts.npz")
"""By dialect, uint8[n, 64, 64]: the place in ``zones`` of each cell's zone. int64[n]: ``seeds``."""


def example_maps(reachability: ReachabilityModel) -> Iterator[tuple[int, NDArray[Any]]]:
    """Maps of a world, by their seeds: uint8[64, 64], material codes.

    None if the world lacks a zone of some layout, or states where its maps come from.

    Args:
        reachability: A judgement of the world without a map.
    """
    import numpy as np

    world = reachability.world
    kept, materials = _layouts(), world.vocabulary.materials
    if world.dynamics not in kept or world.map:  # its maps are not those of the generator alone
        return
    codes = {zone: materials.index(made) for zone, made in reachability.relations["made_of"]}
    lookup = np.array([codes.get(zone, 0) for zone in kept["zones"].tolist()], np.uint8)
    for seed, layout in zip(kept["seeds"].tolist(), kept[world.dynamics], strict=True):
        area = lookup[layout]
        if area.all():
            yield seed, area


@cache
def _layouts() -> dict[str, NDArray[Any]]:
    from mars_logic.system.array_files import read_arrays

    return read_arrays(FILE, ("zones", "seeds", *dialects()), _MOST_BYTES)
