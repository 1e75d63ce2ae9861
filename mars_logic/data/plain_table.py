"""Tables of trajectories that other tools saved, without the description in the metadata.

Pandas, DuckDB and pyarrow keep the columns and drop the description, change types that mean the
same, and may reorder or leave out rows. The columns say what the description would: which episode a
row belongs to, and which step it is.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mars_logic.data.description import Described
from mars_logic.data.parquet import undictionaried
from mars_logic.data.trajectory import About
from mars_logic.world.load import load_world_beside
from mars_logic.world.problems import WorldError, WorldWarning
from mars_logic.world.vocabulary import vocabulary

if TYPE_CHECKING:
    from mars_logic.data.columns import Column
    from mars_logic.data.parquet import Parquet
    from mars_logic.world.theory import World

_SEED_AND_EPISODE: Final = {"seed": (0, -(2**60), 2**60), "episode": (1, 1, 2**31 - 1)}
"""What is taken where a column is missing, and the least and greatest values."""
_LONGEST_TEXT: Final = 4096
"""Characters of the name of a world or an agent."""


class PlainTable(NamedTuple):
    """A table without description.

    Attributes:
        known: What the description would say.
        table: The rows that are read, in the order of episodes and steps, all columns as
            trajectories have them.
    """

    known: Described
    table: pa.Table


def plain_table(file: Parquet, columns_of: Any, given: World | None = None) -> PlainTable:
    """Read a table whose columns are those of trajectories, in any order of rows.

    Rows are used that lead without a gap from the beginning of an episode. Others are left out,
    which a warning says: what happened before them is not known, such as how hungry the player is.

    Args:
        file: The file.
        columns_of: The columns of a vocabulary, as :func:`mars_logic.data.columns.columns` gives
            them.
        given: What was played, where there is no column ``world``.

    Raises:
        InputError: A column is missing or of another type, a value is missing, a row is there
            twice, the world is unknown, or no row is left.
    """
    usual = columns_of(vocabulary("mars"), privileged=False)
    named = ("world",) if given is None else ()
    file.require_columns((*named, "step", *usual))  # so that a row takes some hundred bytes
    worlds = _texts(file, "world", None if given is None else given.name)
    agents = _texts(file, "agent", "")
    steps = _named(file, {"step": pa.int64()})["step"]
    numbers = {
        name: _bounded(file, name, usual, least, most)
        for name, (usual, least, most) in _SEED_AND_EPISODE.items()
    }
    abouts = {
        name: given if given and name == given.name else _world(file, name)
        for name in dict.fromkeys(worlds)
    }
    if len({world.dynamics for world in abouts.values()}) != 1:
        file.refuse("world", "play of several dialects, or of none", "worlds of one dialect")
    if len({(world.adds, world.goals) for world in abouts.values()}) != 1:
        file.refuse("world", "play with several sets of added names", "worlds with the same names")
    keys = list(
        zip(
            *(worlds, agents),
            *(numbers[name].tolist() for name in _SEED_AND_EPISODE),
            steps.to_pylist(),
            strict=True,
        )
    )
    kept, episodes = _in_order(file, keys)
    found = [
        About(
            *(world, abouts[world].digest, abouts[world].dynamics, seed, episode, player),
            adds=abouts[world].adds,
            own_map=bool(abouts[world].map),
            goals=tuple(goal.name for goal in abouts[world].goals),
            own_constants=bool(abouts[world].constants),
        )
        for world, player, seed, episode in episodes
    ]
    known = Described(tuple(found), tuple(episodes.values()), privileged=False)
    kinds: dict[str, Column] = columns_of(found[0].words, privileged=False)
    wanted = _named(file, {name: kind.type for name, kind in kinds.items()})
    return PlainTable(known, pa.table(wanted).take(pa.array(kept)))


def _texts(file: Parquet, name: str, usual: str | None = None) -> list[str]:
    """A column of texts; equal texts are one object, however often they stand there."""
    if usual is not None and not file.has(name):
        return [usual] * file.rows
    column = file.column(name)
    if column.null_count:
        file.refuse(name, "something is missing", "a value in every row")
    if undictionaried(column.type) not in (pa.string(), pa.large_string()):
        file.refuse(name, f"it is {undictionaried(column.type)}", f"a column of {pa.string()}")
    found: list[str] = []
    for chunk in column.chunks:
        coded = chunk if pa.types.is_dictionary(chunk.type) else chunk.dictionary_encode()
        texts = coded.dictionary.to_pylist()
        longest = max(map(len, texts), default=0)
        if longest > _LONGEST_TEXT:
            told = f"a text has {longest:,} characters"
            file.refuse(name, told, f"at most {_LONGEST_TEXT:,} characters in each row")
        found += [texts[code] for code in coded.indices.to_pylist()]
    return found


def _named(
    file: Parquet, wanted: dict[str, pa.DataType], usual: Any = None
) -> dict[str, pa.ChunkedArray]:
    found = {}
    for name, kind in wanted.items():
        if usual is not None and not file.has(name):
            found[name] = pa.chunked_array([pa.array([usual] * file.rows, kind)])
            continue
        column = file.column(name)
        if column.null_count:
            file.refuse(name, "something is missing", "a value in every row")
        try:
            found[name] = _cast(column, kind)
        except (pa.ArrowException, ValueError):
            file.refuse(name, f"it is {undictionaried(column.type)}", f"a column of {kind}")
    return found


def _cast(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    if pa.types.is_list(kind):
        return _lists(column, kind)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_dictionary(kind):
        return column.cast(kind.value_type).dictionary_encode()
    return column.cast(kind)


def _lists(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    """Lists of texts, with a dictionary as they are read from our own files."""
    if pa.types.is_large_list(column.type):
        column = column.cast(pa.list_(column.type.value_type))
    if not pa.types.is_list(column.type):
        raise ValueError("no lists")
    lists = column.combine_chunks()
    values = lists.values
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    coded = values.cast(kind.value_type).dictionary_encode()
    return pa.chunked_array([pa.ListArray.from_arrays(lists.offsets, coded)])


def _bounded(file: Parquet, name: str, usual: int, least: int, most: int) -> NDArray[np.int64]:
    column = _named(file, {name: pa.int64()}, usual)[name]
    numbers: NDArray[np.int64] = column.to_numpy()
    if ((numbers < least) | (numbers > most)).any():
        file.refuse(name, "a number is out of range", f"{least} to {most}")
    return numbers


def _world(file: Parquet, name: str) -> Any:
    try:
        return load_world_beside(name, file.path.parent)
    except WorldError as error:
        file.refuse("world", str(error).partition("\n")[0], "worlds that can be loaded")


def _in_order(
    file: Parquet, keys: list[tuple[Any, ...]]
) -> tuple[list[int], dict[tuple[Any, ...], int]]:
    """The rows that are used, in order, and how many each episode has."""
    order = sorted(range(len(keys)), key=lambda row: (keys[row][:-1], keys[row][-1]))
    kept: list[int] = []
    lengths: dict[tuple[Any, ...], int] = {}
    before: tuple[Any, ...] | None = None
    for row in order:
        if keys[row] == before:
            seed, step = keys[row][2], keys[row][-1]
            file.refuse("step", f"step {step} of seed {seed} is there twice", "each step once")
        before = keys[row]
        *episode, step = keys[row]
        if step == lengths.get(tuple(episode), 0) + 1:
            lengths[tuple(episode)] = step
            kept.append(row)
    if not kept:
        told = "no row is the first step of an episode"
        file.refuse("step", told, "rows from the first step of an episode on, without a gap")
    for line in _left_out(file, len(keys), len(kept)):
        warnings.warn(line, WorldWarning, stacklevel=4)
    return kept, lengths


def _left_out(file: Parquet, rows: int, kept: int) -> Iterator[str]:
    if kept < rows:
        yield (
            f"{file.path}:1: step: {rows - kept:,} of {rows:,} rows are left out, since rows "
            "before them are missing; used are those from the first step of an episode on"
        )
