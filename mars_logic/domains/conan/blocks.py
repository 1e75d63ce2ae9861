"""Long work in blocks: in any number of processes, resumable, with the same bytes in the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import as_completed
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from mars_logic.errors import InputError
from mars_logic.files import refusal, write_atomically
from mars_logic.processes import pool

BLOCK: Final = 250
"""Rows of work (scenes) in a block."""

Work = Callable[[Any, int, int], pa.Table]
"""Makes the rows of scenes from the first up to, not including, the last; of a module."""


def write_blocks(
    folder: Path,
    name: str,
    about: dict[str, Any],
    work: Work,
    given: Any,
    count: int,
    processes: int,
) -> Iterator[int]:
    """Write ``NAME.parquet`` to a folder; give the number of scenes that are done after each block.

    Blocks that lie in the folder from an interrupted run are kept. ``NAME.json`` tells what the
    file is about; a folder with another content is refused.

    Args:
        folder: The folder; made if missing.
        name: The name of the file, without its ending.
        about: What decides the content, as JSON.
        work: Makes a block.
        given: Its first argument; is sent to processes.
        count: The number of scenes.
        processes: How many processes.

    Raises:
        InputError: The folder cannot be written to, or holds something else of this name.
    """
    _claim(folder, name, {**about, "scenes": count})
    final = folder / f"{name}.parquet"
    if final.is_file():
        yield count
        return
    ranges = [(first, min(first + BLOCK, count)) for first in range(0, count, BLOCK)]
    places = {each: folder / f".{name}-{each[0]:06d}.parquet" for each in ranges}
    waiting = [each for each in ranges if not places[each].exists()]
    done = count - sum(last - first for first, last in waiting)
    yield done
    for first, last in _each(waiting, places, work, given, processes):
        done += last - first
        yield done
    tables = [pq.read_table(places[each]) for each in ranges]
    _write(final, pa.concat_tables(tables))
    for place in places.values():
        place.unlink()


def _each(
    waiting: list[tuple[int, int]],
    places: dict[tuple[int, int], Path],
    work: Work,
    given: Any,
    processes: int,
) -> Iterator[tuple[int, int]]:
    """Do the blocks that are waiting, here or in processes."""
    if processes == 1 or len(waiting) < 2:
        for first, last in waiting:
            _block(work, given, first, last, places[first, last])
            yield first, last
        return
    with pool(processes) as workers:
        try:
            running = {
                workers.submit(_block, work, given, *each, places[each]): each for each in waiting
            }
            for future in as_completed(running):
                future.result()
                yield running[future]
        except BaseException:
            workers.shutdown(wait=False, cancel_futures=True)
            raise


def _block(work: Work, given: Any, first: int, last: int, place: Path) -> None:
    _write(place, work(given, first, last))


def _write(place: Path, table: pa.Table) -> None:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    try:
        write_atomically(place, sink.getvalue().to_pybytes())
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise refusal(place, what, "a file that can be written") from None


def _claim(folder: Path, name: str, about: dict[str, Any]) -> None:
    """Write what a file will be about, or find it written already."""
    place = folder / f"{name}.json"
    text = json.dumps(about, indent=2, sort_keys=True) + "\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if place.exists():
            if not place.is_file() or place.read_bytes() != text.encode():
                raise InputError(
                    f"{place}:1: file: the folder holds {name} of another specification; "
                    "allowed: another folder, or the same specification"
                )
            return
        write_atomically(place, text)
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise refusal(folder, what, "a folder that can be written to") from None
