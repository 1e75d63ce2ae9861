"""Templates, styles and sprites of reports."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from numpy.typing import NDArray

from mars_logic.system.resources import text_at
from mars_logic.views.appearances import APPEARANCES, sprite_of
from mars_logic.views.png import png
from mars_logic.views.report.page_names import OF_CRAFTER, PageNames
from mars_logic.views.sprites import SIDE, sheet

PAGE: Final = Path(__file__).parent / "page"
"""Templates, styles and scripts of the report about experiments; its styles serve others, too."""


def environment(*folders: Path) -> Environment:
    """What reads the templates of folders; everything that they fill in is escaped."""
    return Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def read(file: Path) -> str:
    """The text of a file of the package."""
    return text_at(file)


def styles(files: Iterable[Path]) -> Markup:
    """Style sheets in one, as they stand in a page."""
    return Markup("\n".join(map(read, files)))


ROWS: Final = ("materials", "appearances", "items")
"""The rows of the picture, each in the order of its codes."""


def picture(names: PageNames = OF_CRAFTER) -> NDArray[np.uint8]:
    """uint8[3 * 16, columns * 16, 4]: the rows of :data:`ROWS`; transparent elsewhere."""
    rows: tuple[list[NDArray[np.uint8] | None], ...] = (
        [each.sprite for each in names.materials],
        [*map(sprite_of, APPEARANCES), *(each.sprite for each in names.creatures)],
        [each.sprite for each in names.items],
    )
    canvas = np.zeros((len(rows) * SIDE, max(map(len, rows)) * SIDE, 4), np.uint8)
    for row, sprites in enumerate(rows):
        for column, sprite in enumerate(sprites):
            if sprite is not None:
                at = np.s_[row * SIDE : (row + 1) * SIDE, column * SIDE : (column + 1) * SIDE]
                canvas[at] = sprite
    return canvas


def data_url(names: PageNames = OF_CRAFTER) -> str:
    """The same as a PNG in a ``data:`` URL."""
    return as_url(picture(names))


def icon() -> str:
    """The page's icon, a PNG in a ``data:`` URL: a diamond."""
    return as_url(sheet("items")["diamond"])


def as_url(pixels: NDArray[np.uint8]) -> str:
    """A picture, uint8[height, width, 3 or 4], as a PNG in a ``data:`` URL."""
    return "data:image/png;base64," + base64.b64encode(png(pixels)).decode()
