"""Reads the folder of an experiment, as ``mars-logic experiment`` lays it out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, TypeAdapter, ValidationError

from mars_logic.errors import InputError
from mars_logic.experiments import results
from mars_logic.files import read_text
from mars_logic.plan import certificate
from mars_logic.report.material import Kept, Learned, Material, Revision, Row, Thought
from mars_logic.world.load import load_theory
from mars_logic.world.problems import WorldError

Document = TypeVar("Document")

RESULTS: Final = "results.parquet"
UNITS: Final = "units"
_ROWS: Final = "episodes.parquet"
_MAX_BYTES: Final = 50_000_000
_NUMBER: Final = re.compile(r"e(\d+)\.json")


class _Thoughts(BaseModel):
    thoughts: tuple[Thought, ...]


_THOUGHTS: Final = TypeAdapter(_Thoughts)
_REVISIONS: Final = TypeAdapter(tuple[Revision, ...])


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
    tables = sorted((folder / UNITS).glob(f"[!.]*/{_ROWS}")) or [folder / RESULTS]
    rows = [row for table in tables if table.is_file() for row in _rows(table)]
    rows.sort(key=results.place_in(folder))
    if not rows:
        raise InputError(
            f"{folder}:1: folder: there is no result yet; allowed: an experiment's folder with at "
            "least one finished unit"
        )
    units = dict.fromkeys(row.unit for row in rows)
    kept = [each for unit in units for each in _kept(folder, unit, rows)]
    spec = folder / "spec.yaml"
    return Material(
        title=folder.resolve().name,
        place=folder,
        rows=tuple(rows),
        kept=tuple(kept),
        learned={unit: found for unit in units if (found := _learned(folder / UNITS / unit))},
        spec=read_text(spec, "a spec in YAML", _MAX_BYTES) if spec.is_file() else "",
        missing=results.missing(folder, rows),
    )


def _rows(path: Path) -> list[Row]:
    allowed = "results as written by mars-logic experiment"
    try:
        plain = pq.read_table(path).to_pylist()
        return [Row.model_validate(each) for each in plain]
    except (OSError, pa.ArrowException) as error:
        what = str(error).splitlines()[0].lower()
        raise InputError(f"{path}:1: file: {what}; allowed: {allowed}") from None
    except ValidationError as error:
        raise _refusal(path, error, allowed) from None


def _kept(folder: Path, unit: str, rows: Sequence[Row]) -> list[Kept]:
    """The episodes of a unit that can be played again."""
    found = []
    for row in rows:
        if row.unit != unit or row.certificate is None:
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
        found.append(Kept(row, int(name[1]), path, load, thoughts))
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


def _learned(unit: Path) -> Learned | None:
    path, changes = unit / "theory.yaml", unit / "revisions.json"
    if not path.is_file():
        return None
    try:
        theory = load_theory(path)
    except WorldError as error:
        raise InputError(str(error)) from None
    return Learned(theory, _read(changes, _REVISIONS) if changes.is_file() else ())


def _read(path: Path, kind: TypeAdapter[Document]) -> Document:
    allowed = "a document as written by mars-logic experiment"
    try:
        return kind.validate_json(read_text(path, allowed, _MAX_BYTES))
    except ValidationError as error:
        raise _refusal(path, error, allowed) from None


def _refusal(path: Path, error: ValidationError, allowed: str) -> InputError:
    first = error.errors()[0]
    field = ".".join(map(str, first["loc"]))[:100] or "file"
    return InputError(f"{path}:1: {field}: {first['msg']}; allowed: {allowed}")
