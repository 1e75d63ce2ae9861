"""The one decorator of compiled code: every just-in-time option is chosen here.

Compiled functions are written under two rules that make them safe to cache on disk:

* what differs between worlds reaches them as arguments (a record of rules, tables), never as a
  global: numba freezes globals into the compiled code;
* a module-level number that a kernel uses is a constant of the game, the same for all worlds.

Cached code lies in the user's cache folder, one folder for each module and fingerprint. The
fingerprint covers the sources of the module and of everything in this package that it imports,
directly or not; numba alone would notice an edit of the file that a function is written in, but
not of the files of the functions that it calls. So code of other sources is never found, and
several versions of the package can be used by turns. (numba's own choice would be a folder beside
the sources. Files there outlive an uninstallation, and then hide an editable installation.)
"""

from __future__ import annotations

import hashlib
import inspect
import re
import shutil
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from platformdirs import user_cache_path

Function = TypeVar("Function", bound=Callable[..., object])

_PACKAGE = Path(__file__).parent
_IMPORT = re.compile(
    r"^\s*(?:from|import)\s+mars_logic\.?([\w.]*)(?:\s+import\s+(\([^)]*\)|.*))?", re.M
)
_UNUSED_DAYS = 30
"""Folders of other fingerprints are removed when they were not used for so long."""


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
    return _compiled(function, forceinline=False)


def inline_kernel(function: Function) -> Function:
    """A :func:`kernel` whose code is copied into its callers.

    For helpers that most steps go through: with it, a step takes a quarter less time. Elsewhere the
    copies would only make compilation longer.
    """
    return _compiled(function, forceinline=True)


def _compiled(function: Function, *, forceinline: bool) -> Function:
    compiled: Any = numba.njit(nogil=True, error_model="numpy", forceinline=forceinline)(function)
    if _usable(cache_folder(Path(inspect.getfile(function)))):
        make_cache: Any = _Cache
        compiled._cache = make_cache(function)
    return cast(Function, compiled)


def cache_folder(source: Path) -> Path:
    """Where the compiled code of a source file is kept.

    It is in the user's cache folder, or in the one that ``NUMBA_CACHE_DIR`` names.
    """
    home = getattr(numba.config, "CACHE_DIR", "")
    base = Path(home) if home else user_cache_path("mars-logic", appauthor=False)
    return base / "kernels" / f"{_dotted(source)}-{fingerprint(source)[:16]}"


@cache
def fingerprint(source: Path) -> str:
    """A hash of all sources that the compiled code of a file depends on."""
    digest = hashlib.sha256(version("opensimplex").encode())
    files: set[Path] = set()
    waiting = [Path(__file__), source]
    while waiting:
        file = waiting.pop()
        if file not in files:
            files.add(file)
            waiting.extend(_imported(file))
    for file in sorted(files):
        digest.update(_dotted(file).encode() + file.read_bytes())
    return digest.hexdigest()


@cache
def _imported(source: Path) -> tuple[Path, ...]:
    """The files of this package that a file imports.

    A name that is imported from a package may be one of its modules.
    """
    return tuple(
        file
        for module, imported in _IMPORT.findall(source.read_text())
        for name in ("", *re.findall(r"\w+", imported))
        if (file := _file(".".join(filter(None, (module, name))))) is not None
    )


def _file(dotted: str) -> Path | None:
    """The file of a module of this package; packages themselves hold no code that counts."""
    file = _PACKAGE.joinpath(*dotted.split(".")).with_suffix(".py")
    return file if dotted and file.is_file() else None


def _dotted(source: Path) -> str:
    """A name for a file: that of its module in this package, or of the file elsewhere."""
    inside = source.is_relative_to(_PACKAGE)
    return ".".join((source.relative_to(_PACKAGE) if inside else Path(source.name)).parts)[:-3]


@cache
def _usable(folder: Path) -> bool:
    """Make sure that a folder exists and can be written to, and tidy up beside it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        mark = folder / "used"
        mark.touch()
    except OSError:
        return False  # compile anew in every process
    for old in _unused(folder):
        shutil.rmtree(old, ignore_errors=True)
    return True


def _unused(folder: Path) -> Iterator[Path]:
    """Folders of other sources of the same module that nobody has used for long."""
    module = folder.name.rpartition("-")[0]
    oldest = time.time() - _UNUSED_DAYS * 24 * 3600
    for other in folder.parent.glob(f"{module}-*"):
        try:
            if other != folder and (other / "used").stat().st_mtime < oldest:
                yield other
        except OSError:
            continue  # removed by another process in this moment, or not ours


class _Locator(_CacheLocator):
    """Tells numba where to keep the code of one function."""

    def __init__(self, function: Callable[..., object], source: str) -> None:
        self._source = Path(source)
        self._line = inspect.unwrap(function).__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable[..., object], source: str) -> _Locator:
        return cls(function, source)

    def get_cache_path(self) -> str:
        return str(cache_folder(self._source))

    def get_source_stamp(self) -> str:
        return fingerprint(self._source)

    def get_disambiguator(self) -> str:
        return str(self._line)


class _CacheImpl(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012


class _Cache(FunctionCache):
    _impl_class = _CacheImpl
