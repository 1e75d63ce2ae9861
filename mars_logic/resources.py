"""Where the bundled data lies: inside the package once installed, beside it in a checkout."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal


def folder(name: Literal["encodings", "worlds"]) -> Path:
    """The folder of bundled data with this name."""
    package = Path(__file__).parent
    installed = package / name
    return installed if installed.is_dir() else package.parent / name


def included(root: str) -> list[Path]:
    """The files of ``encodings/`` that one of them includes, to be loaded in its stead.

    clingo looks for included files in the current folder first, where a user may have files of the
    same names.
    """
    encodings = folder("encodings")
    names = re.findall(r'^#include "(.+)"\.', (encodings / root).read_text(), re.MULTILINE)
    return [encodings / name for name in names]
