"""Programs of others, each in a process and a folder of its own, ended with all that it started."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

_WAIT: Final = 10
"""Seconds of wall time a second of processor time, at most: machines have other work."""


def answer_of(
    worker: Path, given: tuple[str, ...], folder: Path, limit: float, wait: float | None = None
) -> dict[str, Any] | str:
    """What a worker prints in its last line, as JSON, or why it printed nothing.

    Args:
        worker: Its file.
        given: Its arguments.
        folder: Where it runs.
        limit: Seconds of processor time after which it ends itself.
        wait: Seconds of wall time after which it is ended.
    """
    wait = wait or _WAIT * limit
    # To files: a worker's processes can outlive it, and would hold a pipe open.
    printed, errors = folder / "printed", folder / "log"
    with printed.open("w", encoding="utf-8") as out, errors.open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            [sys.executable, "-P", str(worker), *given],
            cwd=folder,
            stdout=out,
            stderr=log,
            start_new_session=True,
        )
        try:
            status = process.wait(wait)
        except subprocess.TimeoutExpired:
            return f"none in {wait:g} s of wall time"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if status in {-signal.SIGXCPU, -signal.SIGKILL}:
        return f"none in {limit:g} s"
    if status:
        *_, last = ["no message", *errors.read_text(encoding="utf-8").split("\n")[:-1]]
        return f"failed: {last[:80]}"
    found: dict[str, Any] = json.loads(printed.read_text(encoding="utf-8").splitlines()[-1])
    return found
