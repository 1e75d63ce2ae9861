"""The one decorator of compiled code: every just-in-time option is chosen here.

Compiled functions are written under two rules that make them safe to cache on disk:

* what differs between worlds reaches them as arguments (a record of rules, tables), never as a
  global: numba freezes globals into the compiled code;
* a module-level number that a kernel uses is a constant of the game, the same for all worlds.

numba's cache notices an edit of the file a function is written in, but not of the files of the
functions that it calls. :func:`kernel` closes this gap for our own sources: next to the cached
code lies a fingerprint of all files of the simulator, and cached code with another fingerprint is
removed before numba looks at it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])

_FINGERPRINT = "kernels.sources"


def kernel(function: Function) -> Function:
    """Compile a function to machine code when it is first called, and cache it on disk.

    The options, and why:

    * cached: compilation takes tens of seconds, loading a fraction of one.
    * ``nogil``: environments can be stepped in parallel by ordinary threads.
    * ``error_model="numpy"``: no test for division by zero in front of each division.
    * no ``fastmath``: floating-point results must be the same on every machine.
    * no ``parallel``: it would compile everything a second time.
    * no object mode (numba's default in ``njit``): what cannot be compiled is an error.
    """
    compiled = numba.njit(nogil=True, error_model="numpy")(function)
    try:
        compiled.enable_caching()
    except RuntimeError:  # no folder that can be written to: compile anew in every process
        return cast(Function, compiled)
    _remove_stale_code(Path(str(compiled.stats.cache_path)))
    return cast(Function, compiled)


@cache
def _sources() -> str:
    """A fingerprint of everything that compiled code depends on and numba does not watch."""
    package = Path(__file__).parent
    digest = hashlib.sha256(version("opensimplex").encode())
    folders = ("sim", "views")
    sources = [path for folder in folders for path in (package / folder).glob("*.py")]
    for path in sorted([Path(__file__), *sources]):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


@cache
def _remove_stale_code(folder: Path) -> None:
    """Remove what numba cached in a folder from other sources than the present ones."""
    mark = folder / _FINGERPRINT
    try:
        if mark.is_file() and mark.read_text() == _sources():
            return
        for path in [*folder.glob("*.nbi"), *folder.glob("*.nbc")]:
            path.unlink(missing_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        mark.write_text(_sources())
    except OSError:
        return  # a folder that cannot be written to holds nothing of ours that could be stale
