"""Layouts: where the zones of ``encodings/zones.lp`` lie on the maps of some seeds.

The generator decides by the seed alone which zone a cell belongs to; a world's rules say only what
each zone is made of. So a few layouts are examples of maps for any world: among them those of
starts in the midst of open land, and of starts beside banks, lakes and tunnels. They are made by
``python tests/logic/generate.py --layouts``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mars_logic.world import names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mars_logic.logic.judge import Judge

FILE = Path(__file__).with_name("layouts.npz")
"""By dialect, uint8[n, 64, 64]: the place in ``zones`` of each cell's zone. int64[n]: ``seeds``."""


def example_maps(judge: Judge) -> Iterator[tuple[int, NDArray[Any]]]:
    """Maps of a world, by their seeds: uint8[64, 64], material codes.

    None, if the world leaves out a zone that some layout has.

    Args:
        judge: A judgement of the world without a map.
    """
    import numpy as np

    kept = _layouts()
    codes = {zone: names.MATERIALS.index(made) for zone, made in judge.relations["made_of"]}
    lookup = np.array([codes.get(zone, 0) for zone in kept["zones"].tolist()], np.uint8)
    for seed, layout in zip(kept["seeds"].tolist(), kept[judge.world.dynamics], strict=True):
        area = lookup[layout]
        if area.all():
            yield seed, area


@cache
def _layouts() -> dict[str, NDArray[Any]]:
    import numpy as np

    with np.load(FILE) as kept:
        return dict(kept)
