"""Reads the rows of an experiment back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, Protocol

from mars_logic.domains.library import bundled_games
from mars_logic.errors import InputError
from mars_logic.experiments import rows
from mars_logic.experiments.layout import RESULTS, ROWS, SPEC, UNITS
from mars_logic.experiments.rows import Row
from mars_logic.experiments.spec import read as read_spec
from mars_logic.system.files import read_text
from mars_logic.system.json_files import value_of
from mars_logic.world.dialect import LONGEST_EPISODE
from mars_logic.world.fields import shown
from mars_logic.world.load import bundled_worlds
from mars_logic.world.vocabulary import vocabulary

STATS: Final = ".jsonl"
"""The ending of files of totals."""
_TOTALS: Final = "totals of an episode a line, as crafter's Recorder writes them (stats.jsonl)"
_MOST_BYTES: Final = 50_000_000


def read(path: Path) -> list[Row]:
    """The episodes of an experiment: of all units in its folder, or of a file of results.

    Raises:
        InputError: There are none, too many, or a file is no result of an experiment.
    """
    if not path.is_dir():
        found = [*(of_recorder(path) if path.suffix == STATS else rows.read(path))]
        if not found and path.suffix == STATS:
            raise InputError(f"{path}:1: file: there is no episode; allowed: {_TOTALS}")
        _require_once(path, found)
        return found
    files = sorted((path / UNITS).glob(f"[!.]*/{ROWS}"))
    every: Iterator[Row] = chain.from_iterable(of_unit(file.parent) for file in files)
    if not files and (path / RESULTS).exists():
        every = rows.read(path / RESULTS)
    found = [*islice(every, rows.MOST + 1)]
    if not found:
        raise InputError(
            f"{path}:1: folder: there is no result yet; "
            "allowed: a folder or a results.parquet of mars-logic experiment"
        )
    if len(found) > rows.MOST:
        raise InputError(
            f"{path}:1: folder: there are too many episodes; allowed: at most {rows.MOST:,}"
        )
    _require_once(path, found)
    return sorted(found, key=place_in(path))


def of_recorder(path: Path) -> Iterator[Row]:
    """The episodes of a ``stats.jsonl`` that PyPI crafter's ``Recorder`` wrote: totals alone.

    Raises:
        InputError: A line is none of it.
    """
    known = vocabulary("crafter").achievements
    for number, line in enumerate(read_text(path, _TOTALS, _MOST_BYTES).split("\n"), 1):
        if not line.strip():
            continue
        told = value_of(line, f"{path}:{number}", _TOTALS)
        counts = {"length": told.get("length")} if isinstance(told, dict) else {"length": None}
        counts |= (
            {name: told.get(f"achievement_{name}") for name in known} if counts["length"] else {}
        )
        for name, count in counts.items():
            if type(count) is not int or not (name == "length") <= count <= LONGEST_EPISODE:
                raise InputError(f"{path}:{number}: {name}: {shown(count)}; allowed: {_TOTALS}")
        reward = told.get("reward")
        if type(reward) not in (int, float) or not abs(reward) <= LONGEST_EPISODE:
            raise InputError(f"{path}:{number}: reward: {shown(reward)}; allowed: {_TOTALS}")
        steps = int(counts.pop("length") or 0)
        yield Row(
            unit=path.stem,
            agent=path.parent.name or path.stem,
            agent_name=path.parent.name or path.stem,
            world="crafter",
            world_name="crafter",
            world_digest="",
            dynamics="crafter",
            seed=0,
            episode=number,
            number=number,
            steps=steps,
            reward=float(reward),
            unlocked={name: 0 for name, count in counts.items() if count},  # at an unknown step
        )


def _require_once(path: Path, found: Sequence[Row]) -> None:
    """Refuse an episode that is there twice."""
    seen = set[tuple[str, int]]()
    for place, row in enumerate(found, 1):
        if (row.unit, row.number) in seen:
            raise InputError(
                f"{path}:{place}: number: episode {row.number} of {row.unit} is there twice; "
                "allowed: each episode once"
            )
        seen.add((row.unit, row.number))


def of_unit(folder: Path) -> Iterator[Row]:
    """The rows of one unit, in their order.

    Raises:
        InputError: They are missing or wrong, or those of another unit.
    """
    for number, row in enumerate(rows.read(folder / ROWS), 1):
        if (row.unit, row.number) != (folder.name, number):
            raise InputError(
                f"{folder / ROWS}:{number}: unit: this is episode {row.number} of "
                f"{row.unit}; allowed: episode {number} of {folder.name}"
            )
        yield row


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
    """The data of a unit."""

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
    worlds = (*bundled_worlds(), *bundled_games())

    def place(row: OfUnit) -> tuple[Any, ...]:
        agent = labels.index(row.agent) if row.agent in labels else len(labels)
        world = worlds.index(row.world_name) if row.world_name in worlds else len(worlds)
        return agent, row.agent, world, row.world_name, rows.seed_of(row.unit)

    return place
