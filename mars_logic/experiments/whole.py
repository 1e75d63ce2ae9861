"""Completeness of a unit in an experiment's folder, and its dependencies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.experiments.layout import ABOUT, ROWS
from mars_logic.experiments.record import digest
from mars_logic.experiments.results import of_unit
from mars_logic.system.files import read_bytes
from mars_logic.system.json_files import read_json

MOST_BYTES: Final = 50_000_000
"""Of each file of a unit."""
_ABOUT_BYTES: Final = 1_000_000
_ALLOWED: Final = "what mars-logic experiment wrote"


def identity(unit: Path) -> dict[str, Any]:
    """All that the results of a unit depended on.

    Args:
        unit: Its folder.

    Raises:
        InputError: The unit is not whole: a file is missing, damaged, or of something else.
    """
    about = _about(unit / ABOUT)
    found: dict[str, Any] = about["identity"]
    rows = [*of_unit(unit)]
    if len(rows) != (played := _episodes(found)):
        raise _refusal(unit / ROWS, f"there are {len(rows)} episodes", f"{played}")
    known = about.get("files")
    if known is None:  # written before the digests of files were kept
        named = (row.certificate for row in rows)
        known = {f"certificates/{Path(name).name}": None for name in named if name is not None}
    for name, kept in known.items():
        content = read_bytes(unit / name, _ALLOWED, MOST_BYTES)
        if kept not in (None, digest(content)):
            raise _refusal(unit / name, "it was changed after it was written")
    return found


def program(unit: Path) -> str | None:
    """The version of the program that made a unit; None where it was not kept.

    Raises:
        InputError: The unit's description is damaged.
    """
    found = _about(unit / ABOUT).get("program")
    return found if isinstance(found, str) else None


def _about(file: Path) -> dict[str, Any]:
    found = read_json(file, _ALLOWED, _ABOUT_BYTES)
    kinds = {"identity": dict, "files": dict | None}
    if not isinstance(found, dict) or not all(
        isinstance(found.get(name), kind) for name, kind in kinds.items()
    ):
        raise _refusal(file, "it does not state what the unit depends on")
    return found


def _episodes(identity: Mapping[str, Any]) -> int:
    learn, evaluate = identity.get("learn"), identity.get("evaluate")
    numbers = [each for each in (learn, evaluate) if isinstance(each, int)]
    return sum(numbers) if numbers else 1


def _refusal(file: Path, what: str, allowed: str = _ALLOWED) -> InputError:
    return InputError(f"{file}:1: file: {what}; allowed: {allowed}")
