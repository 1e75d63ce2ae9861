"""Kernels by what numba documents alone: the fallback where ``MARS_LOGIC_PLAIN_NUMBA`` is set.

Each kernel is compiled, and kept, by itself, so that a first start takes about three times the
time. Compilation is not announced, and clocks do not leave it out.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numba

from mars_logic.compiled.cache_folders import cache_folder, require_home
from mars_logic.errors import InputError

_settings: Any = numba.config
if _settings.DISABLE_JIT:
    raise InputError(
        "environment: NUMBA_DISABLE_JIT: kernels cannot be interpreted; "
        "allowed: without MARS_LOGIC_PLAIN_NUMBA, where they are compiled all the same"
    )


def compiled(function: Callable[..., object], *, forceinline: bool) -> Any:
    """A dispatcher of numba for a function; cached where there is a folder of the user's alone."""
    options: dict[str, Any] = {
        "nogil": True,
        "error_model": "numpy",
        "forceinline": forceinline,
    }
    folder = cache_folder(Path(inspect.getfile(function))) / "plain"
    before = _settings.CACHE_DIR
    with contextlib.suppress(OSError, RuntimeError):  # no folder, or none to write to
        try:
            require_home(folder.parent)
            _settings.CACHE_DIR = str(folder)
            return numba.njit(cache=True, **options)(function)
        finally:
            _settings.CACHE_DIR = before
    return numba.njit(**options)(function)


def is_compiled(function: Callable[..., object], *arguments: object) -> bool:  # noqa: ARG001
    """Whether a kernel was called before; what is on disk is not asked."""
    made: Any = function
    return bool(made.signatures)


def import_compiled(module: str) -> ModuleType:
    """Import a module of another package as it is."""
    return importlib.import_module(module)
