"""The cache of compiled code on disk, in the folders of ``cache_folders``.

Each compiled form of a function is one file, which begins with a digest of its content and of what
it was compiled with. LLVM ends the process where machine code is damaged, so the digest is compared
before anything else looks at the content. The forms are pickles, which are code: a folder that
belongs to another user, or that others can write to, is not used. A file whose digest differs is
removed, and the function compiled again. Nothing that goes wrong with the cache stops a program:
where compiled code cannot be written, one warning says so.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import os
import pickle
import shutil
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, NullCache, _CacheLocator
from numba.core.serialize import dumps

from mars_logic.compiled.cache_folders import (
    cache_folder,
    fingerprint,
    require_home,
    warn_uncached,
)

_OPTIMISATION = getattr(numba.config, "OPT", None)
_VERSIONS = (numba.__version__, llvmlite.__version__, sys.version, _OPTIMISATION)
_DIGEST_BYTES = 32
_UNUSED_DAYS = 30
"""Folders of other fingerprints are removed when they were not used for so long."""
_UNFINISHED_SECONDS = 3600
"""A file that is being written for longer than this was left by a process that was killed."""
_UNFINISHED = ".unfinished"


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


class CodeCache(FunctionCache):
    """The compiled forms of one function on disk, in place of numba's own cache."""

    _impl_class = _CacheImpl

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        numbas: Any = self._impl
        self._folder = Path(numbas.locator.get_cache_path())
        stamp = numbas.locator.get_source_stamp()
        self._cache_file: Any = _Files(self._folder, numbas.filename_base, stamp)
        _note_use(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled form for these types of arguments, or None if there is none to be read."""
        load, key_of = super().load_overload, self._index_key
        try:
            return load(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # a pickle may raise anything
            key = key_of(sig, target_context.codegen())  # type: ignore[no-untyped-call]
            self._cache_file.remove(key)
            return None

    def holds(self, sig: Any, target_context: Any) -> bool:
        """Whether there is a file for these types of arguments; it is not read."""
        key = self._index_key(sig, target_context.codegen())  # type: ignore[no-untyped-call]
        return bool(self._cache_file.path(key).is_file())

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled form, if it can be written."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError as error:
            warn_uncached(self._folder.parent, error)


class CodeCacheWhenUsed:
    """Stands for the cache of a function's compiled forms until it is used, which few are.

    Of the hundreds of kernels that an import defines, Python calls a handful. The fingerprint is
    taken now, since it is that of the sources that are being imported.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function
        fingerprint(Path(inspect.getfile(function)))

    @cached_property
    def used(self) -> CodeCache | NullCache:
        """The cache; one that keeps nothing where no folder is known."""
        folder = cache_folder(Path(inspect.getfile(self._function)))
        try:
            require_home(folder)
        except OSError as error:
            warn_uncached(folder.parent, error)
            return NullCache()
        return CodeCache(self._function)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.used, name)


class _Files:
    """One file for each compiled form of a function: a digest, then key and form as a pickle.

    In place of numba's files, one of which is an index of the others: an index may name a file
    that another process writes for other types of arguments.
    """

    def __init__(self, folder: Path, name: str, stamp: str) -> None:
        self._folder = folder
        self._name = name
        self._compiled_with = repr((_VERSIONS, stamp, name)).encode()

    def load(self, key: Any) -> Any:
        """The form that was saved under this key, or None."""
        path = self.path(key)
        try:
            content = path.read_bytes() if path.is_file() else b""
        except OSError:
            return None
        digest, pickled = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
        if digest == self._digest(pickled):
            its_key, form = pickle.loads(pickled)  # noqa: S301 -- our own folder
            return form if its_key == key else None
        self.remove(key)
        return None

    def save(self, key: Any, form: Any) -> None:
        """Save a form, whole or not at all.

        Raises:
            OSError: It cannot be written.
        """
        pickled = dumps((key, form))  # type: ignore[no-untyped-call]
        _tidy(self._folder)
        unfinished = self._folder / f"{uuid.uuid4().hex}{_UNFINISHED}"
        try:
            unfinished.write_bytes(self._digest(pickled) + pickled)
            unfinished.replace(self.path(key))
        except BaseException:
            with contextlib.suppress(OSError):
                unfinished.unlink()
            raise

    def remove(self, key: Any) -> None:
        """Remove what was saved under this key, if that can be done."""
        with contextlib.suppress(OSError):
            self.path(key).unlink()

    def flush(self) -> None:
        """Remove all forms of the function."""
        for path in self._folder.glob(f"{self._name}-*.nbc"):
            path.unlink(missing_ok=True)

    def path(self, key: Any) -> Path:
        """The file for a key."""
        named = hashlib.sha256(self._compiled_with + repr(key).encode()).hexdigest()
        return self._folder / f"{self._name}-{named[:16]}.nbc"

    def _digest(self, pickled: bytes) -> bytes:
        digest = hashlib.blake2b(self._compiled_with, digest_size=_DIGEST_BYTES)
        digest.update(pickled)
        return digest.digest()


@cache
def _note_use(folder: Path) -> None:
    """Mark a folder as used now, if there is one that can be written to."""
    with contextlib.suppress(OSError):
        os.utime(folder)


def _tidy(folder: Path) -> None:
    """Remove folders of other sources that nobody uses, and files that nobody finishes."""
    now = time.time()
    for path in folder.glob(f"*{_UNFINISHED}"):
        if _modified(path) < now - _UNFINISHED_SECONDS:
            path.unlink(missing_ok=True)
    for path in _others(folder):
        if _modified(path) < now - _UNUSED_DAYS * 24 * 3600:
            shutil.rmtree(path, ignore_errors=True)


def _others(folder: Path) -> Iterator[Path]:
    """Folders of other sources of the same module."""
    module = folder.name.rpartition("-")[0]
    return (path for path in folder.parent.glob(f"{module}-*") if path != folder)


def _modified(path: Path) -> float:
    """When a file or a folder was changed last; now, if another process removed it."""
    try:
        return path.stat().st_mtime
    except OSError:
        return time.time()
