"""The blocks that a player can tell apart, whatever engine made the map, and the map's sides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

BLOCKS: Final = (
    "air",
    "grass",
    "dry grass",
    "coniferous litter",
    "rainforest litter",
    "snowy dirt",
    "snow",
    "ice",
    "permafrost",
    "sand",
    "desert sand",
    "silver sand",
    "dirt",
    "gravel",
    "stone",
    "desert stone",
    "water",
    "log",
    "pine log",
    "jungle log",
    "acacia log",
    "leaves",
    "pine needles",
    "jungle leaves",
    "acacia leaves",
    "cactus",
    "plant",
    "other block",
)
CODE: Final[Mapping[str, int]] = {name: code for code, name in enumerate(BLOCKS)}
AIR: Final = CODE["air"]

COVERS: Final[Mapping[str, bool]] = {
    "grass": True,
    "dry grass": False,
    "coniferous litter": False,
    "rainforest litter": False,
    "snowy dirt": True,
    "snow": False,
    "ice": False,
    "permafrost": False,
    "sand": False,
    "desert sand": False,
    "silver sand": False,
    "dirt": False,
    "gravel": False,
    "stone": False,
    "desert stone": False,
    "water": False,
}
"""Blocks that cover the ground, and whether ground with and without trees is of two kinds."""
TREES: Final = ("log", "pine log", "jungle log", "acacia log", "leaves", "pine needles")

CLIMATE: Final[Mapping[str, tuple[int, int]]] = {
    "open grass": (50, 35),
    "wooded grass": (60, 68),
    "dry grass": (89, 42),
    "coniferous litter": (45, 70),
    "rainforest litter": (86, 65),
    "open snowy dirt": (20, 35),
    "wooded snowy dirt": (25, 70),
    "snow": (0, 73),
    "ice": (0, 73),
    "permafrost": (0, 40),
    "desert sand": (92, 16),
    "silver sand": (40, 0),
}
"""By kind of ground: the usual warmth and wetness of the place, from 0 to 100."""

SIGNS: Final[Mapping[str, tuple[str, ...]]] = {
    "plains": ("open grass", "dry grass"),
    "forest": ("wooded grass", "coniferous litter", "rainforest litter"),
    "taiga": ("coniferous litter", "wooded snowy dirt"),
    "desert": ("desert sand", "silver sand"),
    "jungle": ("rainforest litter",),
    "ice": ("snow", "ice", "permafrost"),
    "ocean": ("water",),
    "beach": ("sand", "water"),
}
"""By goal: the kinds of ground by which people know it from afar."""


FACINGS: Final = ("north", "east", "south", "west")
HEADINGS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""For each facing, the change of x (to the east) and of z (to the south) of a step."""
RAYS: Final = 17
"""Rays along each side of the view."""
RAY_STEP: Final = 6
"""Degrees between neighbouring rays."""
RANGE: Final = 65
"""Blocks that a ray reaches; a ray that meets nothing has this distance."""
AROUND: Final = 9
"""Blocks along each side of what is told of the surroundings."""
EYE: Final = 1.6
"""Height of the eyes above the feet, in blocks."""
LENGTHS: Final = (10, 11, 12, 13, 14)
"""Blocks of a walk, each as likely; a step through water takes the time of two."""
SWERVES: Final = (-1, 0, 1)
"""Blocks that a walk gets to the left or right on its way, each as likely."""
HEIGHT: Final = 512
"""The largest height that is told, up or down."""
