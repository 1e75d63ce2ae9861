"""Reads the input of a report: an experiment's folder, or episodes that lie loose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from mars_logic.domains.certificates import load_game_certificate
from mars_logic.errors import InputError
from mars_logic.experiments import results
from mars_logic.experiments.layout import RESULTS, SPEC, UNITS
from mars_logic.experiments.rows import Row
from mars_logic.experiments.worlds import BELIEFS
from mars_logic.play import certificate
from mars_logic.system.files import read_text
from mars_logic.system.json_files import value_of
from mars_logic.views.report import loose_episodes
from mars_logic.views.report.loose_episodes import ALLOWED, theories_in
from mars_logic.views.report.report_data import (
    GameMaterial,
    KeptEpisode,
    KeptGame,
    LearnedUnit,
    Material,
    RevisionEntry,
    Thought,
)
from mars_logic.views.report.training_curves import TrainedRun
from mars_logic.views.report.transcripts import sessions
from mars_logic.world.load import load_theory
from mars_logic.world.mistakes import refusal
from mars_logic.world.problems import WorldError

__all__ = ["ALLOWED", "is_experiment", "read"]

Document = TypeVar("Document")

_MAX_BYTES: Final = 5_000_000


class _Thoughts(BaseModel):
    thoughts: tuple[Thought, ...]


_THOUGHTS: Final = TypeAdapter(_Thoughts)
_REVISIONS: Final = TypeAdapter(tuple[RevisionEntry, ...])


def is_experiment(folder: Path) -> bool:
    """Whether a folder is laid out as that of an experiment."""
    return (folder / RESULTS).is_file() or (folder / UNITS).is_dir()


def read(*paths: Path, trained: Sequence[TrainedRun] = ()) -> Material:
    """Read an experiment's folder, or folders and files of episodes, rules and exchanges.

    Args:
        paths: One folder of an experiment; or anything else, once or several times.
        trained: Training runs in these folders.

    Raises:
        InputError: There is nothing to report, or a file is wrong.
    """
    experiments = [path for path in paths if path.is_dir() and is_experiment(path)]
    if experiments and len(paths) > 1:
        found = "the folder of an experiment among others"
        raise InputError(f"{experiments[0]}:1: folder: {found}; allowed: one experiment alone")
    if experiments:
        return _experiment(paths[0])
    return loose_episodes.read(*paths, trained=trained)


def _experiment(folder: Path) -> Material:
    """Read the results of an experiment, and what is kept of it.

    Args:
        folder: As ``mars-logic experiment`` writes it; it need not be finished.

    Raises:
        InputError: A file in it is wrong, or there is no result yet.
    """
    found = results.read(folder)
    rows = tuple(row for row in found if not row.is_game)
    games = tuple(row for row in found if row.is_game)
    units = dict.fromkeys(row.unit for row in rows)
    spec = folder / SPEC
    return Material(
        title=folder.resolve().name,
        place=folder,
        rows=rows,
        kept=tuple(
            KeptEpisode(row, path, partial(certificate.load, path), _thoughts(path))
            for row, path in _kept(folder, rows)
        ),
        learned={unit: told for unit in units if (told := _learned(folder / UNITS / unit))},
        spec=read_text(spec, "a spec in YAML", _MAX_BYTES) if spec.is_file() else "",
        missing=results.missing(folder, found),
        sessions=sessions([folder]),
        games=GameMaterial(
            games,
            tuple(
                KeptGame(row, path, partial(load_game_certificate, path))
                for row, path in _kept(folder, games)
            ),
            theories_in(folder / BELIEFS),
        ),
    )


def _kept(folder: Path, rows: Iterable[Row]) -> Iterator[tuple[Row, Path]]:
    """The episodes that can be played again, with the files of their certificates."""
    for row in rows:
        if row.certificate is not None:
            yield row, _inside(folder, row.certificate)


def _thoughts(episode: Path) -> tuple[Thought, ...]:
    """What the agent had in mind, in the file beside an episode's, if that was kept."""
    told = episode.parent.parent / "thoughts" / episode.name
    return _read(told, _THOUGHTS).thoughts if told.is_file() else ()


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
