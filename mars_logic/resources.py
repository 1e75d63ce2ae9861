"""Where the bundled data lies: inside the package once installed, beside it in a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Literal


def folder(name: Literal["encodings", "worlds"]) -> Path:
    """The folder of bundled data with this name."""
    package = Path(__file__).parent
    installed = package / name
    return installed if installed.is_dir() else package.parent / name
