"""The one decorator of compiled code: every just-in-time option is chosen here.

Compiled functions are written under two rules that make them safe to cache on disk:

* what differs between worlds reaches them as arguments (a record of rules, tables), never as a
  global: numba freezes globals into the compiled code;
* a module-level number that a kernel uses is a constant of the game, the same for all worlds.

All that is numba's own affair and may change with its versions is in
:mod:`mars_logic.compiled.numba_parts`: kernels that are parts of their callers, widened integers,
our cache, the notice of compilation. Where the environment sets ``MARS_LOGIC_PLAIN_NUMBA``, only
what numba documents is used (:mod:`mars_logic.compiled.plain_numba`): the same results, with a
longer first start.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.metadata import version
from types import ModuleType
from typing import TypeVar, cast

from mars_logic.errors import InputError

try:
    import numba  # noqa: F401
except (ValueError, RuntimeError) as error:  # one of the variables NUMBA_*
    raise InputError(
        f"environment: NUMBA_*: {error}; allowed: settings that numba {version('numba')} takes"
    ) from None

if os.environ.get("MARS_LOGIC_PLAIN_NUMBA"):
    from mars_logic.compiled import plain_numba as parts
else:
    from mars_logic.compiled import numba_parts as parts  # type: ignore[no-redef]

Function = TypeVar("Function", bound=Callable[..., object])


def kernel(function: Function) -> Function:
    """Compile a function to machine code when it is first called, and cache it on disk.

    The options, and why:

    * cached: compilation takes tens of seconds, loading a fraction of one.
    * ``nogil``: environments can be stepped in parallel by ordinary threads.
    * ``error_model="numpy"``: no test for division by zero in front of each division.
    * no ``fastmath``: floating-point results must be the same on every machine.
    * no ``parallel``: it would compile everything a second time.
    * no wrapper for C: nothing calls kernels from C, and each takes time to compile.
    * no object mode (numba's default in ``njit``): what cannot be compiled is an error.
    """
    return cast(Function, parts.compiled(function, forceinline=False))


def inline_kernel(function: Function) -> Function:
    """A :func:`kernel` whose code is copied into its callers.

    For helpers that most steps go through: with it, a step takes a quarter less time. Elsewhere the
    copies would only make compilation longer.
    """
    return cast(Function, parts.compiled(function, forceinline=True))


def is_compiled(function: Callable[..., object], *arguments: object) -> bool:
    """Whether a kernel was called before, or its code for such arguments is known to be on disk.

    The first question is asked of any arguments, since it takes a millisecond to find out the types
    of arrays of records.
    """
    return parts.is_compiled(function, *arguments)


def import_compiled(module: str) -> ModuleType:
    """Import a module of another package whose functions numba compiles and caches."""
    return parts.import_compiled(module)
