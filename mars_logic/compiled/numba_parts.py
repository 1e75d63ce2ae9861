"""What mars-logic uses of numba that numba does not document, in one place.

Kernels are compiled under ``NUMBA_DISABLE_JIT``, too. Interpreted, they would not do the same: the
compiler's records have attributes, and its integers 64 bits; numpy's and Python's have not.

:mod:`mars_logic.compiled.plain_numba` has the same functions, and does without all of this.
"""

from __future__ import annotations

import contextlib
import importlib
import threading
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import numba
from numba.core import event, types
from numba.core.dispatcher import Dispatcher

from mars_logic.compiled.cache_folders import warn_once
from mars_logic.compiled.code_cache import CodeCache, CodeCacheWhenUsed
from mars_logic.compiled.compilation import begin_compiling, end_compiling
from mars_logic.compiled.kernel_calls import call_as_part

_compiling = threading.RLock()
_settings: Any = numba.config


class _Listener(event.Listener):
    """Reports what numba compiles, and does not load."""

    def on_start(self, event: Any) -> None:  # noqa: ARG002
        begin_compiling()

    def on_end(self, event: Any) -> None:  # noqa: ARG002
        end_compiling()


event.register("numba:compile", _Listener())  # type: ignore[no-untyped-call]


def compiled(function: Callable[..., object], *, forceinline: bool) -> Any:
    """A dispatcher of numba for a function, whose forms are cached and are parts of callers."""
    with _compiler_on():
        options: dict[str, Any] = {"no_cfunc_wrapper": True}  # numba's stubs do not know it
        decorate: Any = numba.njit(
            nogil=True, error_model="numpy", forceinline=forceinline, **options
        )
        made = decorate(function)
    _adopt(made)
    call_as_part(made, _wide)
    return made


def _wide(kind: Any) -> Any:
    """The type that an argument is passed as in compiled code: int64 for other integers.

    Otherwise numba compiles a function once for each combination of widths that its callers have,
    a quarter of all functions of a cold start. uint64 does not fit into int64, and stays.
    """
    kind = getattr(kind, "literal_type", kind)
    narrow = isinstance(kind, types.Integer) and kind != types.uint64
    return types.int64 if narrow else kind


def is_compiled(function: Callable[..., object], *arguments: object) -> bool:
    """See :func:`mars_logic.compiled.kernel.is_compiled`."""
    made: Any = function
    if made.overloads:
        return True
    on_disk = made._cache.used
    kinds = tuple(map(made.typeof_pyval, arguments))
    return isinstance(on_disk, CodeCache) and on_disk.holds(kinds, made.targetctx)


def import_compiled(module: str) -> ModuleType:
    """Import a module of another package whose functions numba compiles and caches.

    They are cached as kernels are: numba's own cache ends the import where it finds no folder to
    write to, and the process where a file in it is damaged.
    """
    with _caching_off(), _compiler_on() as asked_to:
        imported = importlib.import_module(module)
        if not asked_to:  # it may have been imported before
            importlib.reload(imported)
    for value in vars(imported).values():
        if isinstance(value, Dispatcher):
            _adopt(value)
    return imported


def _adopt(compiled: Any) -> None:
    """Cache a compiled function on disk, where there is a folder, and compile it in any case."""
    compiled._cache = CodeCacheWhenUsed(compiled.py_func)
    if _settings.DISABLE_JIT:
        _warn_of_setting()
        compiled.compile = _with_compiler_on(compiled.compile)


def _with_compiler_on(compile_for: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A method of numba that compiles, whatever the settings."""

    def compile_anyway(types: Any) -> Any:
        with _compiler_on():
            return compile_for(types)

    return compile_anyway


@contextlib.contextmanager
def _compiler_on() -> Iterator[bool]:
    """Let numba compile meanwhile, even if it is told not to; give whether it would have."""
    with _compiling:
        before = _settings.DISABLE_JIT
        _settings.DISABLE_JIT = 0
        try:
            yield not before
        finally:
            _settings.DISABLE_JIT = before


@cache
def _warn_of_setting() -> None:
    warn_once(
        "NUMBA_DISABLE_JIT: it has no effect on the kernels of mars-logic, which are compiled; "
        "allowed: the setting, for your own functions"
    )


@contextlib.contextmanager
def _caching_off() -> Iterator[None]:
    """Let functions that are decorated meanwhile have no cache of numba's."""
    dispatchers: Any = Dispatcher
    before = dispatchers.enable_caching
    dispatchers.enable_caching = lambda _: None
    try:
        yield
    finally:
        dispatchers.enable_caching = before
