"""Trajectories as files: Parquet, one row a transition, one episode a file or many.

Only this module and :mod:`mars_logic.data.columns` know the format; docs/trajectories.md describes
it. A file is written whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from mars_logic.data.collection import Trajectories
from mars_logic.data.description import KEY, Described, described, description
from mars_logic.data.trajectory import About, Trajectory
from mars_logic.errors import InputError
from mars_logic.system.files import write_atomically

if TYPE_CHECKING:
    import pyarrow as pa

    from mars_logic.data.parquet import Parquet
    from mars_logic.world.theory import World


SUFFIX: Final = ".parquet"
_ALLOWED: Final = "trajectories written by mars-logic"
_IDENTITY: Final = ("world", "agent", "seed", "episode", "step")
"""The first columns: they repeat, for readers of the table, what the description says."""


def file_name(about: About) -> str:
    """The name of a trajectory's file: world, agent, seed, and the episode if it is not the first.

    Example:
        >>> file_name(About("all_three", "", "mars", seed=3, agent="random"))
        'all_three__random__s3.parquet'
    """
    world = Path(about.world).stem if "." in about.world else about.world
    later = f"e{about.episode}" if about.episode > 1 else ""
    return f"{world}__{about.agent}__s{about.seed}{later}{SUFFIX}"


def save(
    trajectories: Trajectory | Iterable[Trajectory], path: str | Path, *, public: bool = False
) -> None:
    """Write one trajectory, or several of one dialect, as one file: whole or not at all.

    Args:
        trajectories: The episodes; many in one file take less space and are read faster.
        path: The file, which is replaced if it exists.
        public: Leave out what is privileged; so it is if a trajectory lacks it.

    Raises:
        OSError: The folder is missing or cannot be written to.
        ValueError: There is no trajectory, one has no transition, or their dialects differ.
        InputError: They take more memory than what is read from one file may.
    """
    from mars_logic.data.parquet import MOST_BYTES

    if isinstance(trajectories, Trajectory):
        trajectories = [trajectories]
    if not isinstance(trajectories, Trajectories):
        trajectories = Trajectories.of(trajectories)
    kept = trajectories.public() if public else trajectories
    if not kept.lengths.all():
        raise ValueError("a trajectory has no transition")
    if len({about.words for about in kept.abouts}) > 1:
        message = "trajectories of different dialects or added names do not fit into one file"
        raise ValueError(message)
    most = MOST_BYTES * len(kept.action) // kept.nbytes
    if len(kept.action) > most:
        found = f"{len(kept.action):,} transitions are too many for one file"
        raise _refusal(Path(path), "rows", found, f"at most {most:,}, or several files")
    write_atomically(Path(path), _encoded(kept))


def load(path: str | Path) -> Trajectory:
    """Read the trajectory of one episode, and check that it is complete and well formed.

    Raises:
        InputError: The file is missing, truncated, no trajectory of a version known here, or holds
            several episodes.
    """
    found = load_all(path)
    if len(found) > 1 or Path(path).is_dir():
        raise _refusal(
            Path(path), "file", f"it holds {len(found)} episodes", "one; load_all takes more"
        )
    return found[0]


def load_all(*paths: str | Path, world: World | None = None) -> Trajectories:
    """Read files, and the files of folders in the order of their names, as one collection.

    Args:
        paths: Files and folders.
        world: What was played, for tables of other tools that have no column that names it.

    Raises:
        InputError: A file is missing, truncated, or no trajectory of a version known here; there is
            none in a folder; or the dialects differ.
    """
    files = [file for path in paths for file in files_in(Path(path))]
    parts = [_loaded(file, world) for file in files]
    dialects = {part.abouts[0].dynamics: file for file, part in zip(files, parts, strict=True)}
    if len(dialects) > 1:
        (first, _), (other, where) = list(dialects.items())[:2]
        raise _refusal(where, "dynamics", f"this is play of {other}, others are of {first}", "one")
    added = {part.abouts[0].words: file for file, part in zip(files, parts, strict=True)}
    if len(added) > 1:
        where = list(added.values())[1]
        message = "this is play of a world with other added names"
        raise _refusal(where, "adds", message, "play of worlds with the same names")
    return Trajectories.joined(parts)


def files_in(path: Path) -> list[Path]:
    """The files of trajectories in a folder, in the order of their names; or the file itself.

    Raises:
        InputError: There is none in the folder.
    """
    if not path.is_dir():
        return [path]
    inside = sorted(path.glob(f"*{SUFFIX}"))
    if not inside:
        raise _refusal(path, "folder", "there is no trajectory", f"*{SUFFIX} files in it")
    return inside


def _refusal(path: Path, field: str, found: str, allowed: str = _ALLOWED) -> InputError:
    return InputError(f"{path}:1: {field}: {found}; allowed: {allowed}")


# --- Writing -------------------------------------------------------------------------------------


def _encoded(kept: Trajectories) -> pa.Buffer:
    """A collection as the content of a file."""
    from mars_logic.data.columns import arrays_of, columns

    privileged = kept.privileged is not None
    kinds = columns(kept.abouts[0].words, privileged=privileged)
    held = _identity(kept)
    for name, array in arrays_of(kept).items():
        held[name] = kinds[name].encode(array)
    # The order of the columns is that of the description.
    held = {name: held[name] for name in (*_IDENTITY, *kinds)}
    return as_bytes(held, {KEY: description(kept.abouts, kept.lengths.tolist(), privileged)})


def _identity(kept: Trajectories) -> dict[str, pa.Array]:
    import pyarrow as pa

    from mars_logic.data.columns import text

    def named(each: list[str]) -> pa.Array:
        texts = tuple(dict.fromkeys(each))
        codes = np.array([texts.index(name) for name in each])
        return text(np.repeat(codes, kept.lengths), texts)

    seeds = np.array([about.seed for about in kept.abouts], np.int64)
    episodes = np.array([about.episode for about in kept.abouts], np.int32)
    return {
        "world": named([about.world for about in kept.abouts]),
        "agent": named([about.agent for about in kept.abouts]),
        "seed": pa.array(np.repeat(seeds, kept.lengths)),
        "episode": pa.array(np.repeat(episodes, kept.lengths)),
        "step": pa.array(kept.step.astype(np.int32)),
    }


# --- Reading -------------------------------------------------------------------------------------


def _loaded(path: Path, world: World | None = None) -> Trajectories:
    import pyarrow as pa

    from mars_logic.data.columns import Unfit, columns, parts_of
    from mars_logic.data.parquet import Parquet

    file = Parquet.open(path, _ALLOWED)
    known = _described(file) if KEY.encode() in file.texts else None
    if known is not None:
        kinds = columns(known.abouts[0].words, privileged=known.privileged)
        fields = [pa.field(name, kind.type, nullable=False) for name, kind in kinds.items()]
        table = file.table(pa.schema(fields))
    else:
        from mars_logic.data.plain_table import plain_table

        known, table = plain_table(file, columns, world)
        kinds = columns(known.abouts[0].words, privileged=False)
    arrays = {}
    for name, kind in kinds.items():
        try:
            arrays[name] = kind.decode(table.column(name))
        except Unfit as error:
            file.refuse(name, error.found, error.allowed)
    return Trajectories(
        abouts=known.abouts,
        lengths=np.array(known.lengths, np.int64),
        sources=known.sources(path),
        **parts_of(arrays),
    )


def _described(file: Parquet) -> Described | None:
    """The description of a file; None if it has other rows, as after a filter."""
    try:
        known = described(file.texts[KEY.encode()])
    except InputError as error:
        raise InputError(f"{file.path}:1: {error}") from None
    return known if sum(known.lengths) == file.rows else None


_ROW_GROUP: Final = 2**20
_PAGE: Final = 2**22
"""Bytes of a page; four times the usual size is read a little faster."""
_REPEATED: Final = ("seed", "episode")
"""Columns of numbers of which few differ."""


def as_bytes(columns: Mapping[str, pa.Array], metadata: Mapping[str, str]) -> pa.Buffer:
    """A table as the content of a file.

    Args:
        columns: By their names, in order; one of them is ``step``. No value is missing.
        metadata: Of the table, beside them.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields = [pa.field(name, array.type, nullable=False) for name, array in columns.items()]
    table = pa.table(list(columns.values()), schema=pa.schema(fields))
    texts = [name for name, array in columns.items() if pa.types.is_dictionary(array.type)]
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(
        sink,
        table.schema,
        compression="zstd",
        compression_level=5,
        data_page_size=_PAGE,
        use_dictionary=[*texts, *(name for name in _REPEATED if name in columns)],
        # Statistics and Arrow's own copy of the schema would double the size of short episodes.
        write_statistics=False,
        store_schema=False,
        column_encoding={"step": "DELTA_BINARY_PACKED"},
        write_page_checksum=True,
    ) as writer:
        writer.write_table(table, row_group_size=_ROW_GROUP)
        writer.add_key_value_metadata(dict(metadata))
    return sink.getvalue()
