"""Numbers of biome navigation: sides, walks, and what is told of a view."""

from __future__ import annotations

from typing import Final

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
