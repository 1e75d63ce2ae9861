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
from mars_logic.files import write_atomically

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from mars_logic.data.columns import Column

SUFFIX: Final = ".parquet"
_ALLOWED: Final = "trajectories written by mars-logic"
_MAX_BYTES: Final = 4_000_000_000
_ROW_GROUP: Final = 2**20
_PAGE: Final = 2**22
"""Bytes of a page; four times the usual size is read a little faster."""
_MANY_ROWS: Final = 2**16
"""Rows from which on several threads pay."""
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
    """
    if isinstance(trajectories, Trajectory):
        trajectories = [trajectories]
    if not isinstance(trajectories, Trajectories):
        trajectories = Trajectories.of(trajectories)
    kept = trajectories.public() if public else trajectories
    if not kept.lengths.all():
        raise ValueError("a trajectory has no transition")
    if len({about.dynamics for about in kept.abouts}) > 1:
        raise ValueError("trajectories of different dialects do not fit into one file")
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


def load_all(*paths: str | Path) -> Trajectories:
    """Read files, and the files of folders in the order of their names, as one collection.

    Raises:
        InputError: A file is missing, truncated, or no trajectory of a version known here; there is
            none in a folder; or the dialects differ.
    """
    files = [file for path in paths for file in files_in(Path(path))]
    parts = [_loaded(file) for file in files]
    dialects = {part.abouts[0].dynamics: file for file, part in zip(files, parts, strict=True)}
    if len(dialects) > 1:
        (first, _), (other, where) = list(dialects.items())[:2]
        raise _refusal(where, "dynamics", f"this is play of {other}, others are of {first}", "one")
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
    import pyarrow as pa
    import pyarrow.parquet as pq

    from mars_logic.data.columns import arrays_of, columns

    privileged = kept.privileged is not None
    kinds = columns(kept.abouts[0].dynamics, privileged=privileged)
    held = _identity(kept)
    for name, array in arrays_of(kept).items():
        held[name] = kinds[name].encode(array)
    # The order of the columns is that of the description.
    held = {name: held[name] for name in (*_IDENTITY, *kinds)}
    fields = [pa.field(name, array.type, nullable=False) for name, array in held.items()]
    table = pa.table(list(held.values()), schema=pa.schema(fields))
    texts = [name for name, array in held.items() if pa.types.is_dictionary(array.type)]
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(
        sink,
        table.schema,
        compression="zstd",
        compression_level=5,
        data_page_size=_PAGE,
        use_dictionary=[*texts, "seed", "episode"],
        # Statistics and Arrow's own copy of the schema would double the size of short episodes.
        write_statistics=False,
        store_schema=False,
        column_encoding={"step": "DELTA_BINARY_PACKED"},
        write_page_checksum=True,
    ) as writer:
        writer.write_table(table, row_group_size=_ROW_GROUP)
        about = description(kept.abouts, kept.lengths.tolist(), privileged)
        writer.add_key_value_metadata({KEY: about})
    return sink.getvalue()


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


def _loaded(path: Path) -> Trajectories:
    import pyarrow as pa

    from mars_logic.data.columns import Unfit, columns, parts_of

    _require_file(path)
    # Read natively: a pool's thread that holds an object of Python's may outlive the interpreter.
    with pa.OSFile(str(path)) as source:
        metadata = _metadata(path, source)
        known = _described(path, metadata)
        kinds = columns(known.dynamics, privileged=known.privileged)
        _check_types(path, metadata, {name: kind.type for name, kind in kinds.items()})
        table = _table(path, source, metadata, kinds)
    arrays = {}
    for name, kind in kinds.items():
        column = table.column(name)
        if column.null_count:
            raise _refusal(path, name, "something is missing", "a value in every row")
        try:
            arrays[name] = kind.decode(column)
        except Unfit as error:
            raise _refusal(path, name, error.found, error.allowed) from None
    return Trajectories(
        abouts=known.abouts,
        lengths=np.array(known.lengths, np.int64),
        sources=known.sources(path),
        **parts_of(arrays),
    )


def _require_file(path: Path) -> None:
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise _refusal(path, "file", "this is not a regular file")
    try:
        with path.open("rb"):
            size = path.stat().st_size
    except OSError as error:
        raise _refusal(path, "file", (error.strerror or str(error)).lower()) from None
    if size > _MAX_BYTES:
        raise _refusal(path, "file", "the file is too large", f"at most {_MAX_BYTES:,} bytes")


def _metadata(path: Path, source: pa.NativeFile) -> pq.FileMetaData:
    """What the file's footer says."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_metadata(source)
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: Exception) -> InputError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return _refusal(path, "file", f"this is no Parquet file, or not a whole one ({reason})")


def _described(path: Path, metadata: pq.FileMetaData) -> Described:
    texts: Mapping[bytes, bytes] = metadata.metadata or {}
    if KEY.encode() not in texts:
        raise _refusal(path, KEY, "it is missing from the file's metadata")
    try:
        known = described(texts[KEY.encode()])
    except InputError as error:
        raise InputError(f"{path}:1: {error}") from None
    if sum(known.lengths) != metadata.num_rows:
        raise _refusal(path, "rows", f"there are {metadata.num_rows}", f"{sum(known.lengths)}")
    return known


def _check_types(path: Path, metadata: pq.FileMetaData, kinds: Mapping[str, pa.DataType]) -> None:
    try:
        schema = metadata.schema.to_arrow_schema()
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    for name, kind in kinds.items():
        position = schema.get_field_index(name)
        if position < 0:
            raise _refusal(path, name, "it is missing", str(kind))
        found, wanted = (_plain(each) for each in (schema.field(position).type, kind))
        if found != wanted:
            raise _refusal(path, name, f"it is {found}", str(wanted))


def _plain(kind: pa.DataType) -> pa.DataType:
    """A type without a dictionary, which is a matter of how values are read."""
    import pyarrow as pa

    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _table(
    path: Path, source: pa.NativeFile, metadata: pq.FileMetaData, kinds: Mapping[str, Column]
) -> pa.Table:
    """The columns; texts come as dictionaries."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = [name for name, kind in kinds.items() if pa.types.is_dictionary(kind.type)]
    try:
        file = pq.ParquetFile(
            source,
            metadata=metadata,
            read_dictionary=texts,
            pre_buffer=False,
            page_checksum_verification=True,
        )
        return file.read(list(kinds), use_threads=metadata.num_rows >= _MANY_ROWS)
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        raise _unreadable(path, error) from None
