"""The sprites: pixel art written in text files that a person can read and edit.

The folder ``art`` holds a palette (a character for each colour) and sheets of sprites: a name,
then rows of palette characters. All art was drawn for this project.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mars_logic.system.resources import text_at

ART: Final = Path(__file__).parent / "art"
SIDE: Final = 16
"""Width and height of a sprite in pixels, but for digits (3 by 5)."""
INK: Final = "k"
"""The palette character of outlines."""
CLEAR: Final = "."
"""The character of a pixel that shows what is below."""


@cache
def palette() -> dict[str, tuple[int, int, int, int]]:
    """Each palette character's colour: red, green, blue and opacity, 0 to 255."""
    colours = {CLEAR: (0, 0, 0, 0)}
    for line in text_at(ART / "palette.txt").splitlines():
        character, _, rest = line.partition(" ")
        if len(character) == 1 and character != "#":
            red, green, blue = bytes.fromhex(rest.strip()[:6])
            colours[character] = (red, green, blue, 255)
    return colours


def shades(colour: str) -> dict[str, tuple[int, int, int, int]]:
    """Four shades of a colour, from dark to light, by their characters in ``shapes.txt``.

    Args:
        colour: Such as ``#b87333``.
    """
    main = np.array(list(bytes.fromhex(colour.removeprefix("#"))), float)
    mixed = [main * 0.35, main * 0.68, main, main + (255 - main) * 0.45]
    return {
        str(shade): (*(int(part) for part in np.rint(rgb)), 255)  # type: ignore[misc]
        for shade, rgb in enumerate(mixed)
    }


@cache
def sheet(name: str, colour: str | None = None) -> dict[str, NDArray[np.uint8]]:
    """The sprites of a sheet by name, each uint8[height, width, 4]: red, green, blue, opacity.

    Args:
        name: ``materials``, ``objects``, ``items``, ``digits`` or ``shapes``.
        colour: Of shapes, such as ``#b87333``.
    """
    colours = palette() | (shades(colour) if colour else {})
    found = {}
    for block in text_at(ART / f"{name}.txt").strip().split("\n\n")[1:]:
        title, *rows = block.splitlines()
        pixels = np.array([[colours[character] for character in row] for row in rows], np.uint8)
        pixels.flags.writeable = False
        found[title] = pixels
    return found


def scaled(sprite: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """A sprite at another size: uint8[height, width, 4].

    Each new pixel is the mean of the area that it covers, weighted by opacity, so that sizes which
    are no multiple of the sprite's keep its shapes.
    """
    rows, columns = sprite.shape[:2]
    across, down = -(-width // columns), -(-height // rows)
    image = Image.fromarray(sprite.repeat(down, 0).repeat(across, 1))
    return np.asarray(image.resize((width, height), Image.Resampling.BOX))


def over(top: NDArray[np.uint8], below: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """One picture over another of the same size, which is opaque: uint8[height, width, 3]."""
    opacity = top[..., 3:].astype(np.float64) / 255
    mixed = top[..., :3] * opacity + below[..., :3] * (1 - opacity)
    return np.rint(mixed).astype(np.uint8)
