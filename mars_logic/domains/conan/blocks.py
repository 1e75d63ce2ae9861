"""Long work in blocks: in any number of processes, resumable, with the same bytes in the end."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from os.path import lexists
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mars_logic.data.checked import MADE_FROM, CheckedRows
from mars_logic.errors import InputError
from mars_logic.system.files import locked, refusal, write_or_refuse
from mars_logic.system.kept import claim, digest_of_file, digest_of_plain
from mars_logic.system.pools import ProcessDied, in_processes

Work = Callable[[Any, int, int], pa.Table]
"""Makes the rows of scenes from the first up to, not including, the last; of a module."""
Range = tuple[int, int]


@dataclass(frozen=True)
class BlockJob:
    """A file of rows about scenes that is to be made.

    Attributes:
        name: Its name, without its ending.
        rows: Its columns; the first one is the scene's number.
        work: Makes a block.
        given: The first argument of ``work``; is sent to processes.
        scenes: How many scenes it is about.
        block: Scenes in a block: few enough that a block takes some seconds.
        about: What decides the content, as plain data, besides ``sources``.
        sources: Files that are read, by what they are; their content decides as well.
    """

    name: str
    rows: CheckedRows
    work: Work
    given: Any
    scenes: int
    block: int
    about: Mapping[str, Any]
    sources: Mapping[str, Path] = field(default_factory=dict)

    @property
    def ranges(self) -> Sequence[Range]:
        """The scenes of each block: the first, and the one after the last."""
        every = range(0, self.scenes, self.block)
        return [(first, min(first + self.block, self.scenes)) for first in every]

    def made_from(self) -> dict[str, Any]:
        """All that decides the content, with digests of what is read now.

        Raises:
            InputError: A source cannot be read.
        """
        read = {name: _digest(path) for name, path in self.sources.items()}
        return {**self.about, **read, "count": self.scenes}


def _digest(path: Path) -> str:
    return digest_of_file(path, "a file that mars-logic wrote")


def block_place(folder: Path, name: str, first: int) -> Path:
    """Where a block is kept until all of them are done."""
    return folder / f".{name}-{first:06d}.parquet"


def write_blocks(folder: Path, job: BlockJob, processes: int) -> Generator[int]:
    """Write ``NAME.parquet`` to a folder; give the number of scenes that are done after each block.

    Blocks that lie in the folder from an interrupted run are kept. ``NAME.json`` tells what the
    file is made from, and file and blocks hold a digest of that: what was made from something else
    is refused. To interrupt it, close it.

    Args:
        folder: The folder; made if missing.
        job: The file.
        processes: How many processes.

    Raises:
        InputError: The folder cannot be written to, holds something else of this name, or another
            process is at work there; a source was changed meanwhile.
    """
    made_from = job.made_from()
    stamp = digest_of_plain(made_from)
    final, note = folder / f"{job.name}.parquet", folder / f"{job.name}.json"
    _make(folder)
    way_out = f"the same, another folder, or to remove {note.name} and {final.name} there"
    if lexists(final):
        claim(note, made_from, way_out)
        _require_made_from(job.rows, final, stamp)
        _tidy(folder, job, stamp)
        yield job.scenes
        return
    with locked(folder / f".{job.name}.lock", wait=False) as ours:
        if not ours:
            raise refusal(final, "another process is writing it", "to wait until it is done")
        ours_alone = not lexists(note)
        claim(note, made_from, way_out)
        try:
            yield from _blocks(folder, job, made_from, stamp, processes)
        except InputError:
            if ours_alone and not any(lexists(each) for each in _places(folder, job).values()):
                note.unlink()  # nothing was made: mended sources are no others
            raise
        if not lexists(final):
            _finish(folder, job, stamp)


def _blocks(
    folder: Path, job: BlockJob, made_from: Mapping[str, Any], stamp: str, processes: int
) -> Iterator[int]:
    places = _places(folder, job)
    waiting = [each for each in job.ranges if not lexists(places[each])]
    for each in {*job.ranges} - {*waiting}:
        _require_whole(job, places[each], each, stamp)
    done = job.scenes - sum(last - first for first, last in waiting)
    yield done
    read = {path: made_from[name] for name, path in job.sources.items()}
    make = partial(_block, job.work, job.given, folder, job.name, read, stamp)
    for first, last in _each(waiting, make, processes):
        done += last - first
        yield done


def _places(folder: Path, job: BlockJob) -> dict[Range, Path]:
    return {each: block_place(folder, job.name, each[0]) for each in job.ranges}


def _each(
    waiting: Sequence[Range], make: Callable[[Range], None], processes: int
) -> Iterator[Range]:
    """Make the blocks that are waiting, here or in processes."""
    if processes == 1 or len(waiting) < 2:
        for each in waiting:
            make(each)
            yield each
        return
    workers = min(processes, len(waiting))
    for each, outcome in in_processes(waiting, workers, make, "--processes"):
        if isinstance(outcome, ProcessDied):
            told = f"scenes {each[0]} to {each[1] - 1}: {outcome.reason}"
            raise InputError(f"--processes: {told}; allowed: another try, with fewer of them")
        yield each


def _block(
    work: Work,
    given: Any,
    folder: Path,
    name: str,
    read: Mapping[Path, str],
    stamp: str,
    scenes: Range,
) -> None:
    """Make a block, unless what it is made from was changed meanwhile."""
    table = work(given, *scenes)
    for path, digest in read.items():
        if _digest(path) != digest:
            raise refusal(path, "it was changed while it was read", "the file as it was")
    _write(block_place(folder, name, scenes[0]), table, stamp)


def _finish(folder: Path, job: BlockJob, stamp: str) -> None:
    """Join the blocks to the file, and remove them."""
    places = [*_places(folder, job).values()]
    tables = [job.rows.open(place).table(job.rows.schema).cast(job.rows.schema) for place in places]
    _write(folder / f"{job.name}.parquet", pa.concat_tables(tables), stamp)
    for place in places:
        place.unlink()


def _tidy(folder: Path, job: BlockJob, stamp: str) -> None:
    """Remove blocks that a process left that was killed when the file was whole."""
    for place in _places(folder, job).values():
        with contextlib.suppress(InputError, OSError):
            if job.rows.open(place).texts.get(MADE_FROM) == stamp.encode():
                place.unlink()


def _write(place: Path, table: pa.Table, stamp: str) -> None:
    sink = pa.BufferOutputStream()
    stamped = table.replace_schema_metadata({**(table.schema.metadata or {}), MADE_FROM: stamp})
    pq.write_table(stamped.combine_chunks(), sink, compression="zstd", write_page_checksum=True)
    write_or_refuse(place, sink.getvalue().to_pybytes())


def _require_whole(job: BlockJob, place: Path, scenes: Range, stamp: str) -> None:
    """Refuse a block that is damaged, or about other scenes."""
    _require_made_from(job.rows, place, stamp)
    rows = job.rows.read(place)
    key = job.rows.columns[0].name
    numbers = np.array([row[key] for row in rows], np.int64)
    if ((numbers < scenes[0]) | (numbers >= scenes[1])).any():
        file = job.rows.open(place)
        file.refuse(key, "scenes of another block", _BLOCK)


_BLOCK: Final = "a block as mars-logic wrote it, or none: remove it"


def _require_made_from(rows: CheckedRows, place: Path, stamp: str) -> None:
    file = rows.open(place)
    if file.texts.get(MADE_FROM) != stamp.encode():
        file.refuse("made_from", "this was made from other scenes or with other options", _BLOCK)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refusal(folder, error, "a folder that can be written to") from None
