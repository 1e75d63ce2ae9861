"""A cold start in two processes: one compiles the step while the other compiles the reset.

The compiler of numba holds a lock, so threads would not help. The second process leaves its code in
the cache on disk, from where the first step loads it. Where that is not possible, the first step
compiles it as before.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import subprocess
import sys
from collections.abc import Iterator

from mars_logic.compilation import compiling
from mars_logic.interruptions import ours_alone
from mars_logic.processes import cores

_LOG = logging.getLogger(__name__)
_MODULE = "mars_logic.sim.compile_step"
_MOST_SECONDS = 120


@contextlib.contextmanager
def step_compiled_meanwhile() -> Iterator[None]:
    """Compile the step in a second process meanwhile, and wait for it at the end."""
    process = _start()
    try:
        yield
        if process is not None:
            with compiling(), contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_MOST_SECONDS)
    finally:
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()


def _start() -> subprocess.Popen[bytes] | None:
    """The process; None on a single core, in a process that is one of several, or if it fails."""
    if cores() == 1 or multiprocessing.parent_process() is not None or not sys.executable:
        return None
    _LOG.info("a second process compiles the step")
    nowhere = subprocess.DEVNULL
    try:
        with ours_alone():
            return subprocess.Popen(
                [sys.executable, "-m", _MODULE], stdin=nowhere, stdout=nowhere, stderr=nowhere
            )
    except OSError:
        return None
