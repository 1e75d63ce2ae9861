"""Templates and styles of reports."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from mars_logic.resources import text_at

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
