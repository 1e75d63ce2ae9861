"""What a player sees, as text for a terminal: two characters for each cell."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.views.appearances import APPEARANCES, appearances, sprite_of
from mars_logic.views.atlas import asleep, by_night
from mars_logic.views.sprites import INK, palette, sheet
from mars_logic.world import names

if TYPE_CHECKING:
    from mars_logic.sim import Observation

Colour = NDArray[np.float64]

MATERIALS: Final = {
    "none": "  ",
    "water": "~~",
    "grass": "..",
    "stone": "##",
    "path": "__",
    "sand": "::",
    "tree": "TT",
    "lava": "%%",
    "coal": "#c",
    "iron": "#i",
    "diamond": "#d",
    "table": "Ta",
    "furnace": "Fu",
}
"""What stands for each material."""
OBJECTS: Final = {
    "player": "@ ",
    "player_left": "<@",
    "player_right": "@>",
    "player_up": "@^",
    "player_down": "@v",
    "player_asleep": "@z",
    "cow": "Co",
    "zombie": "Zo",
    "skeleton": "Sk",
    "arrow": "--",
    "arrow_left": "<-",
    "arrow_right": "->",
    "arrow_up": "|^",
    "arrow_down": "|v",
    "plant": "pl",
    "ripe_plant": "PL",
}
"""What stands for each appearance on a cell."""
_WIDTH: Final = 40
_RESET: Final = "\x1b[0m"


def to_ansi(observation: Observation, env: int = 0, *, colour: bool = True) -> str:
    """The view of one environment, its vitals as bars, and what is held.

    Args:
        observation: Of a batch.
        env: Which of them.
        colour: With 24-bit colours (ANSI escape sequences), which night and sleep darken. Whoever
            prints decides: by custom not where the environment variable ``NO_COLOR`` is set. The
            characters say everything without colours too.

    Returns:
        Lines that each end with a line break.
    """
    looks = appearances(observation)[env]
    materials = observation.materials[env]
    daylight, sleeping = float(observation.daylight[env]), bool(observation.sleeping[env])
    lines = []
    for row in range(materials.shape[1]):
        cells = []
        for column in range(materials.shape[0]):
            material = names.MATERIALS[materials[column, row]]
            look = APPEARANCES[looks[column, row]]
            text = MATERIALS[material] if look == "none" else OBJECTS[look]
            ground = _lit(_ground(material, look), daylight, sleeping)
            cells.append(_painted(text, ground) if colour else text)
        lines.append("".join(cells) + (_RESET if colour else ""))
    held = dict(zip(names.ITEMS, observation.inventory[env].tolist(), strict=True))
    lines += [_bar(name, held.pop(name), colour) for name in names.VITALS]
    lines += _wrapped([f"{name} {amount}" for name, amount in held.items() if amount])
    return "\n".join(lines) + "\n"


@cache
def _ground(material: str, look: str) -> Colour:
    """The colour of a cell: the main one of what stands on it, or its material's mean."""
    sprite = sprite_of(look)
    return _mean(sheet("materials")[material]) if sprite is None else _main(sprite)


def _mean(sprite: NDArray[np.uint8]) -> Colour:
    mean: Colour = sprite[sprite[..., 3] > 0][:, :3].mean(axis=0)
    return mean


def _main(sprite: NDArray[np.uint8]) -> Colour:
    """The most frequent colour of a sprite after that of its outline."""
    colours, counts = np.unique(sprite[sprite[..., 3] > 0][:, :3], axis=0, return_counts=True)
    counts[(colours == palette()[INK][:3]).all(axis=1)] = 0
    main: Colour = colours[counts.argmax()].astype(np.float64)
    return main


def _lit(colour: Colour, daylight: float, sleeping: bool) -> Colour:
    seen = daylight * colour + (1 - daylight) * by_night(colour)
    return asleep(seen) if sleeping else seen


def _painted(text: str, ground: Colour) -> str:
    """Text on a ground of this colour, itself black or white."""
    bright = ground @ np.array([0.299, 0.587, 0.114]) > 110
    ink = "0;0;0" if bright else "255;255;255"
    red, green, blue = np.rint(ground).astype(int)
    return f"\x1b[38;2;{ink};48;2;{red};{green};{blue}m{text}"


def _bar(name: str, amount: int, colour: bool) -> str:
    full = "#" * amount
    if colour and amount:
        red, green, blue = np.rint(_mean(sheet("items")[name])).astype(int)
        full = f"\x1b[38;2;{red};{green};{blue}m{full}{_RESET}"
    return f"{name:7}{full}{'-' * (9 - amount)} {amount}"


def _wrapped(parts: list[str]) -> list[str]:
    """Parts set apart by commas, in lines of at most about forty characters."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) + 2 <= _WIDTH:
            lines[-1] += f", {part}"
        else:
            lines.append(part)
    return lines
