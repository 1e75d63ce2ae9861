"""Units of work for benchmarks that take long: sampled worlds, and jobs for several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import TypeVar

from mars_logic.cli.output import progress

_Job = TypeVar("_Job")
_Result = TypeVar("_Result")


def sampled_worlds(folder: Path, count: int) -> Iterator[Path]:
    """The files of so many sampled worlds, which are kept in a folder; the same ones each time.

    In some of them the player cannot live on: these are the worlds of the published results.
    """
    from mars_logic.sampling import Request
    from mars_logic.sampling.folder import Folder

    if not count:
        return
    worlds = Folder(folder, Request.of(livable=False), seed=0)
    with progress() as shown:
        bar = shown.add_task("sampling worlds", total=count)
        for number in range(count):
            file = worlds.add(number)["file"]
            shown.advance(bar)
            yield folder / file


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
