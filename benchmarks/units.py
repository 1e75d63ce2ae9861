"""Units of work for benchmarks that take long: sampled worlds, and jobs for several processes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from mars_logic.cli.output import progress
from mars_logic.errors import InputError

_Job = TypeVar("_Job")
_Result = TypeVar("_Result")


def sampled_worlds(folder: Path, count: int, *, first: int = 0) -> Iterator[Path]:
    """The files of so many sampled worlds, which are kept in a folder; the same ones each time.

    In some of them the player cannot live on: these are the worlds of the published results.

    Args:
        folder: Where they are kept.
        count: How many.
        first: Number of the first one; each number has a world of its own.
    """
    from mars_logic.logic.sampling import Request, Sampler
    from mars_logic.logic.sampling.folder import SampleFolder

    if not count:
        return
    worlds = SampleFolder(folder, Sampler(Request.of(livable=False)), seed=0)
    with progress() as shown:
        bar = shown.add_task("sampling worlds", total=count)
        for number in range(first, first + count):
            file = worlds.add(number)["file"]
            shown.advance(bar)
            yield folder / file


def kept(kind: TypeAdapter[_Result], path: Path, **wanted: object) -> _Result:
    """An outcome that an earlier run kept.

    Args:
        kind: Of the outcome.
        path: Its file.
        wanted: Attributes that it must have, by their names.

    Raises:
        InputError: The file holds something else.
    """
    found = None
    with contextlib.suppress(ValidationError):
        found = kind.validate_json(path.read_bytes())
    if found is None or any(getattr(found, name) != value for name, value in wanted.items()):
        raise InputError(
            f"{path}:1: file: it holds another episode, or one of another version of the code; "
            "allowed: another folder"
        )
    return found


def in_processes(
    work: Callable[[_Job], _Result],
    jobs: Sequence[_Job],
    processes: int,
    label: str,
    prepare: Callable[[], None] | None = None,
) -> list[_Result]:
    """The results of jobs, in their order, with a bar that shows how far they are.

    Args:
        work: Does a job; a function of a module.
        jobs: What to do.
        processes: How many at a time.
        label: What the bar is called.
        prepare: What each process does first.
    """
    if not jobs:
        return []
    pool = ProcessPoolExecutor(processes, get_context("spawn"), prepare)
    results = []
    try:
        with progress() as shown:
            bar = shown.add_task(label, total=len(jobs))
            for result in pool.map(work, jobs):
                results.append(result)
                shown.advance(bar)
    except BaseException:
        # What is being done is lost, and what was done is kept.
        for process in active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
    return results
