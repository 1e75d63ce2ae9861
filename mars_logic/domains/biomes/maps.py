"""Opens the map of a seed with an engine."""

from __future__ import annotations

from functools import lru_cache

from mars_logic.domains.biomes.engine import BiomeWorld
from mars_logic.domains.biomes.rules import Engine


@lru_cache(maxsize=8)
def open_world(engine: Engine, seed: int) -> BiomeWorld:
    """The map of a seed.

    Raises:
        InputError: The engine is not installed, or does not start.
    """
    if engine == "columns":
        from mars_logic.domains.biomes.columns import ColumnWorld

        return ColumnWorld(seed)
    from mars_logic.domains.biomes.minetest import minetest_world

    return minetest_world(seed)
