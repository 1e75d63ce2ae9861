"""Reads the folder of an experiment, as ``mars-logic experiment`` lays it out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from mars_logic.errors import InputError
from mars_logic.experiments import results
from mars_logic.experiments.layout import RESULTS, SPEC, UNITS
from mars_logic.files import read_text
from mars_logic.json_files import value_of
from mars_logic.play import certificate
from mars_logic.views.report import game_data
from mars_logic.views.report.report_data import (
    KeptEpisode,
    LearnedUnit,
    Material,
    ReportRow,
    RevisionEntry,
    Thought,
)
from mars_logic.world.load import load_theory
from mars_logic.world.mistakes import refusal
from mars_logic.world.problems import WorldError

Document = TypeVar("Document")

_MAX_BYTES: Final = 5_000_000
_NUMBER: Final = re.compile(r"e(\d+)\.json")


class _Thoughts(BaseModel):
    thoughts: tuple[Thought, ...]


_THOUGHTS: Final = TypeAdapter(_Thoughts)
_REVISIONS: Final = TypeAdapter(tuple[RevisionEntry, ...])


def is_experiment(folder: Path) -> bool:
    """Whether a folder is laid out as that of an experiment."""
    return (folder / RESULTS).is_file() or (folder / UNITS).is_dir()


def read(folder: Path) -> Material:
    """Read the results of an experiment, and what is kept of it.

    Args:
        folder: As ``mars-logic experiment`` writes it; it need not be finished.

    Raises:
        InputError: A file in it is wrong, or there is no result yet.
    """
    found = results.read(folder)
    rows = [ReportRow.of(row) for row in found if not row.is_game]
    units: dict[str, list[ReportRow]] = {}
    for row in rows:
        units.setdefault(row.unit, []).append(row)
    kept = [each for some in units.values() for each in _kept(folder, some)]
    spec = folder / SPEC
    return Material(
        title=folder.resolve().name,
        place=folder,
        rows=tuple(rows),
        kept=tuple(kept),
        learned={unit: told for unit in units if (told := _learned(folder / UNITS / unit))},
        spec=read_text(spec, "a spec in YAML", _MAX_BYTES) if spec.is_file() else "",
        missing=results.missing(folder, found),
        games=game_data.of_experiment(folder, (row for row in found if row.is_game)),
    )


def _kept(folder: Path, unit: Sequence[ReportRow]) -> list[KeptEpisode]:
    """The episodes of a unit that can be played again."""
    found = []
    for row in unit:
        if row.certificate is None:
            continue
        path = _inside(folder, row.certificate)
        name = _NUMBER.fullmatch(path.name)
        if name is None:
            raise InputError(
                f"{path}:1: file: its name does not tell which episode it is; allowed: e1.json, "
                "e2.json, ..."
            )
        told = path.parent.parent / "thoughts" / path.name
        thoughts = _read(told, _THOUGHTS).thoughts if told.is_file() else ()
        load = partial(certificate.load, path)
        found.append(KeptEpisode(row, int(name[1]), path, load, thoughts))
    return found


def _inside(folder: Path, relative: str) -> Path:
    """The file that a row names.

    Raises:
        InputError: It is missing, or outside of the folder.
    """
    path = folder / relative
    if path.is_file() and path.resolve().is_relative_to(folder.resolve()):
        return path
    raise InputError(
        f"{folder / RESULTS}:1: certificate: there is no file '{relative}' in the folder; allowed: "
        "the folder of the experiment as a whole"
    )


def _learned(unit: Path) -> LearnedUnit | None:
    path, changes = unit / "theory.yaml", unit / "revisions.json"
    if not path.is_file():
        return None
    try:
        theory = load_theory(path)
    except WorldError as error:
        raise InputError(str(error)) from None
    return LearnedUnit(theory, _read(changes, _REVISIONS) if changes.is_file() else ())


def _read(path: Path, kind: TypeAdapter[Document]) -> Document:
    allowed = "a document as written by mars-logic experiment"
    text = read_text(path, allowed, _MAX_BYTES)
    value_of(text, f"{path}:1", allowed)
    try:
        return kind.validate_json(text)
    except ValidationError as error:
        raise refusal(path, error, allowed) from None
