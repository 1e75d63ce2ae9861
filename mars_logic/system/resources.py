"""Where the bundled data lies: inside the package once installed, beside it in a checkout."""

from __future__ import annotations

import os
import re
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from mars_logic.system.json_files import value_of


def folder(name: Literal["encodings", "worlds"]) -> Path:
    """The folder of bundled data with this name."""
    package = Path(__file__).parent.parent
    installed = package / name
    return installed if installed.is_dir() else package.parent / name


def text(module: str, name: str) -> str:
    """The text of a file that belongs to the package and lies beside a module.

    Args:
        module: The module's ``__name__``, or the name of a package.
        name: The file's name in that package's folder.

    Example:
        >>> text("mars_logic.world.words.cheat_sheet", "cheat_sheet.txt")[:1] != ""
        True
    """
    package = module if hasattr(sys.modules.get(module), "__path__") else module.rpartition(".")[0]
    return files(package).joinpath(name).read_text(encoding="utf-8")


def own_json(module: str, name: str) -> Any:
    """The value in a JSON file that belongs to the package and lies beside a module.

    Args:
        module: The module's ``__name__``.
        name: The file's name in that module's folder.
    """
    return value_of(text(module, name), f"{name}:1", "a file of the package")


def text_at(path: Path) -> str:
    """The text of a file of the package, by its path.

    Raises:
        ValueError: The file lies elsewhere; such files are read by ``mars_logic.system.files``.
    """
    package = Path(__file__).parent.parent
    places = (package, folder("encodings"), folder("worlds"))
    if not any(path.is_relative_to(place) for place in places):
        raise ValueError(f"{path} is no file of the package")
    return path.read_text(encoding="utf-8")


def values_at(path: Path) -> Any:
    """What a file of the package holds in JSON (``.json``) or YAML.

    Raises:
        ValueError: The file lies elsewhere.
    """
    text = text_at(path)
    if path.suffix == ".json":
        return value_of(text, f"{path}:1", "JSON")
    import yaml

    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506


def encoding(file: str) -> str:
    """The path of a file of ``encodings/``, as clingo takes paths.

    It takes the path's bytes for UTF-8, whatever Python takes them for where a locale says ASCII.
    """
    return os.fsencode(folder("encodings") / file).decode("utf-8", "surrogateescape")


def included(root: str) -> list[str]:
    """The paths of those files of ``encodings/`` that one includes, to be loaded in its stead.

    clingo looks for included files in the current folder first, where a user may have files of the
    same names.
    """
    text = text_at(folder("encodings") / root)
    return [encoding(name) for name in re.findall(r'^#include "(.+)"\.', text, re.MULTILINE)]
