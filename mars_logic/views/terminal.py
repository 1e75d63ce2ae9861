"""Observations as text for a terminal: two characters for each cell."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from string import ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.views.appearances import (
    APPEARANCES,
    CRAFTER,
    appearances,
    drawn_as,
    material_sprites,
    sprite_in,
)
from mars_logic.views.atlas import asleep, by_night
from mars_logic.views.sprites import INK, palette, sheet
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.vocabulary import REMAINS, Vocabulary

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
"""Characters for each material."""
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
    "body": "@x",
}
"""Characters for each appearance on a cell."""
_SHAPES: Final = {"ore": "#", "station": "&", "ground": ":", "plant": "*"}
"""First characters of added materials by their shape, of stations only if letters are taken."""
_OTHER_CELLS: Final = {"apple_tree": ("tree", "Ap"), "bed": ("path", "Be")}
"""Material that a cell is coloured as, and characters, of cells that Crafter lacks."""
_MARKS: Final = {
    "left": "<",
    "right": ">",
    "up": "^",
    "down": "v",
    "unknown": "x",
    "water": "~",
    "blood": "!",
}
_ENDS: Final = {"dead": "+", "destroyed": "*"}
"""Second characters of remains; of all others it is a line."""
_WIDTH: Final = 40
_RESET: Final = "\x1b[0m"


def to_ansi(
    observation: Observation,
    env: int = 0,
    *,
    colour: bool = True,
    words: Vocabulary | None = None,
) -> str:
    """The view of one environment, its vitals as bars, and what is held.

    Args:
        observation: Of a batch.
        env: Which of them.
        colour: With 24-bit colours (ANSI escape sequences), which night and sleep darken. Whoever
            prints decides: by custom not where the environment variable ``NO_COLOR`` is set. The
            characters say everything without colours too.
        words: The vocabulary, Crafter's by default.

    Returns:
        Lines that each end with a line break.
    """
    looks = appearances(observation)
    materials = observation.materials[env]
    daylight, sleeping = float(observation.daylight[env]), bool(observation.sleeping[env])
    lines = []
    for row in range(materials.shape[1]):
        cells = []
        for column in range(materials.shape[0]):
            material, bare = ground_glyph(observation, env, column, row, words)
            look = look_at(observation, looks, env, column, row, words)
            text = bare if look == "none" else object_glyph(look, words)
            ground = lit(ground_of(material, look, drawn_as(words)), daylight, sleeping)
            cells.append(_painted(text, ground) if colour else text)
        lines.append("".join(cells) + (_RESET if colour else ""))
    items = words.items if words else names.ITEMS
    held = dict(zip(items, observation.inventory[env].tolist(), strict=True))
    lines += [_bar(name, held.pop(name), colour) for name in names.VITALS]
    lines += _wrapped([f"{name} {amount}" for name, amount in held.items() if amount])
    return "\n".join(lines) + "\n"


def ground_glyph(
    observation: Observation, env: int, column: int, row: int, words: Vocabulary | None
) -> tuple[str, str]:
    """The material whose colour a cell has, and the two characters of its ground and mark."""
    code = observation.materials[env, column, row]
    if words is None or observation.marks is None:
        material = drawn_as(words).materials[code]
        return material, material_glyphs(words)[material]
    cell = words.cell(code, observation.marks[env, column, row])
    return traced_glyph(cell, words.materials[code])


def look_at(
    observation: Observation,
    looks: NDArray[np.int64],
    env: int,
    column: int,
    row: int,
    words: Vocabulary | None,
) -> str:
    """The appearance on a cell; ``looks`` is what ``appearances`` tells of the observation."""
    code = int(observation.objects[env, column, row])
    if words is not None and code >= len(names.LOOKS):
        return words.looks[code]
    return APPEARANCES[int(looks[env, column, row])]


def material_glyphs(words: Vocabulary | None) -> dict[str, str]:
    """Two characters for each material that has no marks, those of added ones included."""
    return _glyphs(drawn_as(words))


@cache
def _glyphs(words: Vocabulary) -> dict[str, str]:
    glyphs = dict(MATERIALS)
    for material in words.added:
        taken = {*glyphs.values(), *OBJECTS.values()}
        choices = _glyphs_for(material.name, material.looks)
        glyphs[material.name] = next(glyph for glyph in choices if glyph not in taken)
    return glyphs


def creature_glyphs(words: Vocabulary | None) -> dict[str, str]:
    """Two characters for each creature and projectile that a world adds."""
    return _creature_glyphs(drawn_as(words))


def object_glyph(look: str, words: Vocabulary | None) -> str:
    """Two characters for what stands on a cell, added creatures included."""
    return OBJECTS[look] if look in OBJECTS else creature_glyphs(words)[look]


@cache
def _creature_glyphs(words: Vocabulary) -> dict[str, str]:
    glyphs: dict[str, str] = {}
    for name in words.moving:
        taken = {*OBJECTS.values(), *glyphs.values(), *_glyphs(words).values()}
        choices = _glyphs_for(name, "station")
        glyphs[name] = next(glyph for glyph in choices if glyph not in taken)
    return glyphs


def _glyphs_for(name: str, looks: str) -> Iterator[str]:
    """Characters for an added material, the best first: what shape it has, and a letter of it."""
    letters = (*name.replace("_", ""), *ascii_lowercase, *digits, *ascii_uppercase)
    if looks == "station":
        yield from (letters[0].upper() + letter for letter in letters[1:])
    yield from (_SHAPES[looks] + letter for letter in letters)


def traced_glyph(cell: str, material: str) -> tuple[str, str]:
    """The material whose colour a cell with a mark has, and its two characters.

    Example:
        >>> traced_glyph("grass_left", "grass"), traced_glyph("tree_cut", "remains")
        (('grass', '.<'), ('path', 't_'))
    """
    if cell in MATERIALS:
        return cell, MATERIALS[cell]
    if cell in _OTHER_CELLS:
        return _OTHER_CELLS[cell]
    name, _, mark = cell.rpartition("_")
    if name == material:
        return name, MATERIALS[name][0] + _MARKS[mark]
    return "path", name[0] + _ENDS.get(mark, "_")


def traced_legend(words: Vocabulary) -> dict[str, str]:
    """Characters of cells that only a dialect with traces has: marks on grass, and remains."""
    others = [name for name in words.materials if name in _OTHER_CELLS]
    marked = [f"grass_{mark}" for mark in words.marks[1:]]
    cells = {**{cell: cell for cell in others}, **dict.fromkeys(marked, "grass")}
    cells |= dict.fromkeys(words.remains, REMAINS)
    return {cell: traced_glyph(cell, material)[1] for cell, material in cells.items()}


@cache
def ground_of(material: str, look: str, words: Vocabulary = CRAFTER) -> Colour:
    """The colour of a cell: the main one of what stands on it, or its material's mean."""
    sprite = sprite_in(words, look)
    return mean_of(material_sprites(words)[material]) if sprite is None else _main(sprite)


def mean_of(sprite: NDArray[np.uint8]) -> Colour:
    """The mean colour of a sprite: float64[3]."""
    mean: Colour = sprite[sprite[..., 3] > 0][:, :3].mean(axis=0)
    return mean


def _main(sprite: NDArray[np.uint8]) -> Colour:
    """The most frequent colour of a sprite after that of its outline."""
    colours, counts = np.unique(sprite[sprite[..., 3] > 0][:, :3], axis=0, return_counts=True)
    counts[(colours == palette()[INK][:3]).all(axis=1)] = 0
    main: Colour = colours[counts.argmax()].astype(np.float64)
    return main


def lit(colour: Colour, daylight: float, sleeping: bool) -> Colour:
    """A colour as daylight and sleep let it appear."""
    seen = daylight * colour + (1 - daylight) * by_night(colour)
    return asleep(seen) if sleeping else seen


def is_bright(ground: Colour) -> bool:
    """Whether black letters stand out from this colour better than white ones."""
    return bool(ground @ np.array([0.299, 0.587, 0.114]) > 110)


def _painted(text: str, ground: Colour) -> str:
    """Text on a ground of this colour, itself black or white."""
    ink = "0;0;0" if is_bright(ground) else "255;255;255"
    red, green, blue = np.rint(ground).astype(int)
    return f"\x1b[38;2;{ink};48;2;{red};{green};{blue}m{text}"


def _bar(name: str, amount: int, colour: bool) -> str:
    full = "#" * amount
    if colour and amount:
        red, green, blue = np.rint(mean_of(sheet("items")[name])).astype(int)
        full = f"\x1b[38;2;{red};{green};{blue}m{full}{_RESET}"
    return f"{name:7}{full}{'-' * (MAXIMUM - amount)} {amount}"


def _wrapped(parts: list[str]) -> list[str]:
    """Parts set apart by commas, in lines of at most about forty characters."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) + 2 <= _WIDTH:
            lines[-1] += f", {part}"
        else:
            lines.append(part)
    return lines
