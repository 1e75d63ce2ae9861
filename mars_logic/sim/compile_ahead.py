"""A cold start in two processes: one compiles the step while the other compiles the reset.

The compiler of numba holds a lock, so threads would not help. The second process leaves its code in
the cache on disk, from where the first step loads it. Where that is not possible, the first step
compiles it as ever. What needs no step, such as a proof about a map, does not wait for it.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import multiprocessing
import subprocess
import sys
import threading

from mars_logic.compiled.compilation import compiling
from mars_logic.system.interruptions import ours_alone
from mars_logic.system.processes import cores

_LOG = logging.getLogger(__name__)
_MODULE = "mars_logic.sim.compile_step"
_MOST_SECONDS = 120


class _Ahead:
    """The second process, if there is one."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._starting = threading.Lock()

    def begin(self) -> None:
        """Compile the step in a second process, unless one does."""
        with self._starting:
            if self._process is None:
                self._process = _start()
                atexit.register(self._end)

    def wait(self) -> None:
        """Wait for the second process."""
        process = self._process
        if process is None:
            return
        try:
            with compiling(), contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_MOST_SECONDS)
        finally:
            self._end()

    def _end(self) -> None:
        with self._starting:
            process, self._process = self._process, None
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()


_ahead = _Ahead()
compile_step_meanwhile = _ahead.begin
step_compiled = _ahead.wait


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
