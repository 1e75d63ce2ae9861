"""Reads the rows of an experiment back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from mars_logic.errors import InputError
from mars_logic.experiments import record
from mars_logic.experiments.folder import SPEC
from mars_logic.experiments.spec import read as read_spec
from mars_logic.world.load import bundled_worlds
from mars_logic.world.names import achievements


@dataclass(frozen=True)
class Row:
    """An episode, as far as summaries need it; see docs/experiments.md.

    Of one that no experiment played it is not all known: ``ended`` may be empty, ``complete`` None,
    and what it cost is not a number.
    """

    unit: str
    number: int
    agent: str
    agent_name: str
    world: str
    world_name: str
    world_digest: str
    dynamics: str
    seed: int
    episode: int
    phase: str
    steps: int
    reward: float
    ended: str
    unlocked: dict[str, int]
    unreachable: tuple[str, ...]
    complete: bool | None
    precision: float | None
    recall: float | None
    changes_recall: float | None
    revisions: int | None
    seconds_per_decision: float
    seconds: float
    peak_memory_mib: float
    options: str = "{}"
    belief: str | None = None

    @property
    def achievements(self) -> tuple[str, ...]:
        """All 22 of its dialect."""
        return achievements(self.dynamics)


_NAMES = [field.name for field in fields(Row)]


def read(path: Path) -> list[Row]:
    """The episodes of an experiment: of all units in its folder, or of a file of results.

    Raises:
        InputError: There are none, or a file is no result of an experiment.
    """
    if path.is_file():
        return [*_rows(path)]
    files = sorted((path / "units").glob(f"[!.]*/{record.ROWS}"))
    found = sorted((row for file in files for row in _rows(file)), key=place_in(path))
    if not found:
        raise InputError(
            f"{path}:1: folder: there are no results here; "
            "allowed: a folder or a results.parquet of mars-logic experiment"
        )
    return found


def is_table(file: Path) -> bool:
    """Whether a file says of itself that it holds results of an experiment."""
    return _schema(file) == record.SCHEMA


def missing(path: Path, rows: Sequence[OfUnit]) -> tuple[int, int] | None:
    """How many units have results, and how many the spec in the folder asks for, if that is more.

    Args:
        path: An experiment's folder, or a file of results, of which this is not known.
        rows: What was read from it.

    Raises:
        InputError: The spec is wrong.
    """
    if not (path / SPEC).is_file():
        return None
    spec = read_spec(path / SPEC)
    worlds = sum(where.sample.count if where.sample else 1 for where in spec.worlds)
    seeds = sum(len(spec.seeds_of(setting)) for setting in spec.agents)
    done, asked = len({row.unit for row in rows}), worlds * seeds
    return (done, asked) if done < asked else None


class OfUnit(Protocol):
    """What belongs to a unit."""

    @property
    def unit(self) -> str:
        """The unit's name."""

    @property
    def agent(self) -> str:
        """The label of its agent."""

    @property
    def world_name(self) -> str:
        """The label of its world."""


def place_in(path: Path) -> Callable[[OfUnit], tuple[Any, ...]]:
    """Where a row stands: agents in the order of the spec, worlds from the usual ones on."""
    spec = path / SPEC
    labels = [setting.label for setting in read_spec(spec).agents] if spec.exists() else []
    worlds = bundled_worlds()

    def place(row: OfUnit) -> tuple[Any, ...]:
        agent = labels.index(row.agent) if row.agent in labels else len(labels)
        world = worlds.index(row.world_name) if row.world_name in worlds else len(worlds)
        seed = int(row.unit.rpartition("__s")[2])
        return agent, row.agent, world, row.world_name, seed

    return place


def _schema(file: Path) -> str:
    try:
        metadata = pq.read_schema(file).metadata or {}
    except (OSError, pa.ArrowException):
        return ""
    return str(metadata.get(b"schema", b"").decode())


def _rows(file: Path) -> Iterator[Row]:
    if not is_table(file):
        raise InputError(
            f"{file}:1: file: this is no result of an experiment; "
            f"allowed: Parquet of the schema '{record.SCHEMA}'"
        )
    there = set(pq.read_schema(file).names)  # older results lack some
    for values in pq.read_table(file, columns=[n for n in _NAMES if n in there]).to_pylist():
        yield _row(values)


def _row(values: dict[str, Any]) -> Row:
    unlocked, unreachable = dict(values["unlocked"]), tuple(values["unreachable"])
    return Row(**values | {"unlocked": unlocked, "unreachable": unreachable})
