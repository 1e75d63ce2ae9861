"""Runs work in a fresh process, for quantities measurable only once per process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Fresh:
    """Resources used by a process, from start to end.

    Attributes:
        seconds: By the wall.
        processor: Seconds of processor time.
        output: What it printed.
    """

    seconds: float
    processor: float
    output: str


def fresh(code: str, cache: Path | None = None) -> Fresh:
    """Run Python code in a process of its own.

    Args:
        code: The program.
        cache: The folder of numba's cache, if it is not to be the usual one.
    """
    environment = os.environ | ({"NUMBA_CACHE_DIR": str(cache)} if cache else {})
    before, begun = os.times(), time.perf_counter()
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, env=environment, check=True, capture_output=True, text=True, encoding="utf-8"
    )
    seconds, after = time.perf_counter() - begun, os.times()
    processor = (
        after.children_user + after.children_system - before.children_user - before.children_system
    )
    return Fresh(seconds, processor, done.stdout)
