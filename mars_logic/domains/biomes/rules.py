"""The rules of biome navigation as data.

Source: SmartPlay (Wu et al., ICLR 2024), section on Minecraft, and its released code. Biomes have
the names of Minetest Game (LGPL 2.1), whose maps stand in for Minecraft's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Final, Literal

from mars_logic.domains.game import Game, word
from mars_logic.world.fields import number

GOALS: Final[Mapping[str, tuple[str, ...]]] = {
    "plains": ("grassland", "savanna"),
    "forest": ("*forest",),
    "taiga": ("taiga", "coniferous_forest"),
    "desert": ("*desert",),
    "jungle": ("rainforest",),
    "ice": ("icesheet", "tundra"),
    "ocean": ("*_ocean",),
    "beach": ("*_dunes", "*_shore", "*_beach"),
}
"""By goal: the names of its biomes; ``*`` stands for any beginning."""
ENGINES: Final = ("columns", "minetest")
LABELS: Final = ("correct", "legacy")
SPAN: Final = 1000
"""Starts lie within so many blocks of the middle of the map, to each side."""

Goal = Annotated[str, word("goal", tuple(GOALS))]
Engine = Annotated[Literal["columns", "minetest"], word("engine", ENGINES)]
Labels = Annotated[Literal["correct", "legacy"], word("labels", LABELS)]


class BiomeNavigation(Game):
    """A walk to a biome.

    Attributes:
        goal: Where to.
        engine: What makes the map: ``columns``, the bundled one, or ``minetest``, a server.
        labels: Compass labels of what is seen: ``correct``, or turned by half a circle, as in
            SmartPlay's released code (``legacy``).
        maps: How many maps there are; their seeds are 1, 2, and so on.
        within: A biome of the goal lies within so many blocks of the start.
    """

    domain: ClassVar[str] = "biomes"
    stated = Game.stated | {"goal", "engine", "labels", "maps", "within"}

    goal: Goal
    engine: Engine = "columns"
    labels: Labels = "correct"
    maps: Annotated[int, *number(1, 1000, whole=True)] = 5
    within: Annotated[int, *number(100, 3000, whole=True)] = 1500

    @property
    def legacy_labels(self) -> bool:
        """Whether compass labels of what is seen are turned by half a circle."""
        return self.labels == "legacy"


def is_in(goal: str, biome: str) -> bool:
    """Whether a biome is one of a goal's.

    Example:
        >>> is_in("beach", "grassland_dunes"), is_in("plains", "grassland_dunes")
        (True, False)
    """
    return any(
        biome.endswith(name[1:]) if name.startswith("*") else biome == name for name in GOALS[goal]
    )
