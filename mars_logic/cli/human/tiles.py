"""The view as tiles for a terminal: letters on coloured ground, or pictures of half blocks."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from rich.color import Color
from rich.style import Style
from rich.text import Text

from mars_logic.sim import Observation
from mars_logic.views import image
from mars_logic.views.appearances import appearances, drawn_as
from mars_logic.views.atlas import rows_of
from mars_logic.views.terminal import (
    ground_glyph,
    ground_of,
    is_bright,
    lit,
    look_at,
    object_glyph,
)
from mars_logic.views.traced import draw_cells
from mars_logic.world.dialect import VIEW_HEIGHT, VIEW_WIDTH
from mars_logic.world.vocabulary import Vocabulary

Colours = Literal["none", "few", "many"]
"""Colours of a terminal: none, ANSI's palette of sixteen, or a dense palette."""
FEW: Final = {
    "none": "white on black",
    "water": "bright_white on blue",
    "grass": "black on bright_green",
    "stone": "white on bright_black",
    "path": "white on black",
    "sand": "black on bright_yellow",
    "tree": "black on green",
    "lava": "bright_white on red",
    "coal": "bright_white on bright_black",
    "iron": "black on yellow",
    "diamond": "black on bright_cyan",
    "table": "bright_white on magenta",
    "furnace": "black on bright_red",
}
"""The materials in few colours, night and day; what stands on them is `STANDS`."""
_FEW_BY_SHAPE: Final = {
    "ore": "bright_white on yellow",
    "station": "bright_white on magenta",
    "ground": "black on bright_yellow",
    "plant": "black on green",
}
"""The same for materials that a world adds."""
STANDS: Final = "bold black on bright_white"
FINEST: Final = 4
"""Half the columns of a tile from which on pictures can be made out: 8 by 8 pixels."""
_UPPER_HALF: Final = "\u2580"

Rgb = tuple[int, int, int]


def tiles(
    seen: Observation,
    size: int,
    colours: Colours,
    pictures: bool = False,
    words: Vocabulary | None = None,
) -> list[Text]:
    """The view of one player.

    Args:
        seen: What is seen (n = 1).
        size: A tile has `size` rows of twice as many columns.
        colours: Those of the terminal; where there are many, night and sleep darken them as in
            pictures.
        pictures: Draw pictures of half blocks, if the tiles are large enough, instead of letters.
        words: The vocabulary, Crafter's by default.

    Returns:
        A line of 2 * size columns a cell for each row of cells and of a tile.
    """
    if pictures and size >= FINEST:
        return _picture(seen, size, words)
    looks = appearances(seen)
    columns, rows = seen.materials.shape[1:]
    light = float(seen.daylight[0]), bool(seen.sleeping[0])
    lines = [Text() for _ in range(rows * size)]
    for row in range(rows):
        for column in range(columns):
            material, ground = ground_glyph(seen, 0, column, row, words)
            look = look_at(seen, looks, 0, column, row, words)
            style = _styles(material, look, *light, colours, drawn_as(words))
            for part, text in enumerate(_letters(ground, look, size, words)):
                line = lines[row * size + part]
                for piece, stands_out in text:
                    line.append(piece, style[stands_out])
    return lines


def _letters(
    bare: str, look: str, size: int, words: Vocabulary | None
) -> list[list[tuple[str, bool]]]:
    """The lines of a tile, each as pieces of text that stand out or do not."""
    ground = bare * size
    if look == "none":
        return [[(ground, False)]] * size
    mark, left = object_glyph(look, words), size // 2 * 2
    middle = [(ground[:left], False), (mark, True), (ground[left + 2 :], False)]
    return [middle if part == size // 2 else [(ground, False)] for part in range(size)]


@lru_cache(maxsize=4096)
def _styles(
    material: str,
    look: str,
    daylight: float,
    sleeping: bool,
    colours: Colours,
    words: Vocabulary,
) -> tuple[Style, Style]:
    """The styles of a tile's ground and of what stands on it."""
    if colours == "none":
        return Style(), Style(bold=True)
    if colours == "few":
        return Style.parse(_few(material, words)), Style.parse(STANDS)
    under = lit(ground_of(material, "none", words), daylight, sleeping)
    above = lit(ground_of(material, look, words), daylight, sleeping)
    return _style(under, bold=False), _style(above, bold=True)


def _few(material: str, words: Vocabulary) -> str:
    shapes = {added.name: added.looks for added in words.added}
    return FEW[material] if material in FEW else _FEW_BY_SHAPE[shapes[material]]


def _style(ground: NDArray[np.float64], bold: bool) -> Style:
    """Letters on a ground of this colour: what stands there in full contrast, the rest half."""
    ink = np.zeros(3) if is_bright(ground) else np.full(3, 255.0)
    if not bold:
        ink = 0.5 * (ink + ground)
    return Style(color=_colour(ink), bgcolor=_colour(ground), bold=bold)


def _colour(colour: NDArray[np.float64]) -> Color:
    return Color.from_rgb(*np.rint(colour).astype(int).tolist())


def _picture(seen: Observation, size: int, words: Vocabulary | None) -> list[Text]:
    """Two pixels in each character, one above the other."""
    side = 2 * size
    if words is not None and words.traced:
        drawn = draw_cells(seen, words, side).tolist()
    else:
        rows = rows_of(drawn_as(words))
        whole = image.render(seen, (VIEW_WIDTH * side, rows * side), words=words)
        drawn = whole[0, : VIEW_HEIGHT * side].tolist()
    lines = []
    for upper, lower in zip(drawn[::2], drawn[1::2], strict=True):
        pairs = zip(map(tuple, upper), map(tuple, lower), strict=True)
        line = Text()
        for (above, below), same in groupby(pairs):
            line.append(_UPPER_HALF * len(list(same)), _pair(above, below))
        lines.append(line)
    return lines


@lru_cache(maxsize=65536)
def _pair(above: Rgb, below: Rgb) -> Style:
    return Style(color=Color.from_rgb(*above), bgcolor=Color.from_rgb(*below))
