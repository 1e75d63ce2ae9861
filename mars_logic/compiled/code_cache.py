"""The cache of compiled code on disk.

Cached code lies in the user's cache folder, one folder for each module and fingerprint. The
fingerprint covers the sources of the module and of everything in this package that it imports,
directly or not; numba alone would notice an edit of the file that a function is written in, but
not of the files of the functions that it calls. So code of other sources is never found, and
several versions of the package can be used by turns. (numba's own choice would be a folder beside
the sources. Files there outlive an uninstallation, and then hide an editable installation.)

Each compiled form of a function is one file, which begins with a digest of its content and of what
it was compiled with. LLVM ends the process where machine code is damaged, so the digest is compared
before anything else looks at the content. The forms are pickles, which are code: a folder that
belongs to another user, or that others can write to, is not used. A file whose digest differs is
removed, and the function compiled again. Nothing that goes wrong with the cache stops a program:
where compiled code cannot be written, one warning says so.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import inspect
import multiprocessing
import os
import pickle
import re
import shutil
import stat
import sys
import tempfile
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, NullCache, _CacheLocator
from numba.core.serialize import dumps
from platformdirs import user_cache_path

from mars_logic.errors import KernelWarning
from mars_logic.system import resources

_PACKAGE = Path(__file__).parent.parent
_IMPORT = re.compile(
    r"^\s*(?:from|import)\s+mars_logic\.?([\w.]*)(?:\s+import\s+(\([^)]*\)|.*))?", re.M
)
_OPTIMISATION = getattr(numba.config, "OPT", None)
_VERSIONS = (numba.__version__, llvmlite.__version__, sys.version, _OPTIMISATION)
_DIGEST_BYTES = 32
_UNUSED_DAYS = 30
"""Folders of other fingerprints are removed when they were not used for so long."""
_UNFINISHED_SECONDS = 3600
"""A file that is being written for longer than this was left by a process that was killed."""
_UNFINISHED = ".unfinished"

_warned = threading.Event()


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
            _warn(self._folder.parent, error)


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
            _require_home(folder)
        except OSError as error:
            _warn(folder.parent, error)
            return NullCache()
        return CodeCache(self._function)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.used, name)


def warn_if_unwritable() -> None:
    """Warn for a command that leaves compiling to other processes, which say nothing.

    A folder that holds code already is left to them: it may be meant for reading only.
    """
    folder = cache_folder(Path(__file__)).parent
    try:
        _require_home(folder)
        folder.mkdir(parents=True, exist_ok=True)
        if not any(folder.iterdir()):
            tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        _warn(folder, error)


def _require_home(folder: Path) -> None:
    """Refuse a folder that is not the user's alone: what it holds is run as code.

    Raises:
        OSError: There is no home folder, or others can write to the folder, or to
            one of the two above it.
    """
    if not folder.is_absolute():
        raise FileNotFoundError(errno.ENOENT, "there is no home folder")
    for place in (folder, folder.parent, folder.parent.parent):
        if place.exists() and (obstacle := _foreign(place)):
            raise PermissionError(errno.EPERM, obstacle)


def _foreign(place: Path) -> str:
    """Why a folder is not to be trusted; empty if it is the user's, or the system's, alone."""
    if not hasattr(os, "getuid"):  # pragma: no cover - Windows
        return ""
    about = place.stat()
    if about.st_uid not in (os.getuid(), 0):
        return "it belongs to another user"
    if about.st_mode & 0o002 and not about.st_mode & stat.S_ISVTX:
        return "others can write to it"
    return ""


def cache_folder(source: Path) -> Path:
    """Where the compiled code of a source file is kept.

    It is in the user's cache folder, or in the one that ``NUMBA_CACHE_DIR`` names. For a user
    without a home, the path is relative and of no use.
    """
    named = getattr(numba.config, "CACHE_DIR", "")
    base = Path(named).absolute() if named else user_cache_path("mars-logic", appauthor=False)
    return base / "kernels" / f"{_dotted(source)}-{fingerprint(source)[:16]}"


@cache
def fingerprint(source: Path) -> str:
    """A hash of all sources that the compiled code of a file depends on.

    Among them is Crafter's dialect, whose constants are frozen into the code.
    """
    digest = hashlib.sha256(_version_of_noise())
    files: set[Path] = set()
    waiting = [_PACKAGE / "compiled" / "kernel.py", source]
    while waiting:
        file = waiting.pop()
        if file not in files:
            files.add(file)
            waiting.extend(_imported(file))
            if file == _PACKAGE / "world" / "vocabulary.py":
                waiting.append(resources.folder("worlds") / "dialects" / "crafter.yaml")
    for file in sorted(files):
        digest.update(_named_content(file))
    return digest.hexdigest()


@cache
def _version_of_noise() -> bytes:
    return version("opensimplex").encode()


@cache
def _named_content(file: Path) -> bytes:
    """A hash of a file's name and content."""
    return hashlib.sha256(_dotted(file).encode() + file.read_bytes()).digest()


@cache
def _imported(source: Path) -> tuple[Path, ...]:
    """The files of this package that a file imports.

    A name that is imported from a package may be one of its modules.
    """
    return tuple(
        file
        for module, imported in _IMPORT.findall(source.read_text(encoding="utf-8"))
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


def _warn(folder: Path, error: OSError) -> None:
    """Say why compiled code is not kept, unless that was said already."""
    if not _warned.is_set():
        _warned.set()
        what = (error.strerror or str(error)).lower()
        warn_once(
            f"{folder}: compiled code cannot be cached: {what}; every start compiles it again; "
            "allowed: a folder that can be written to, which NUMBA_CACHE_DIR names"
        )


def warn_once(message: str) -> None:
    """Warn of the setting of the machine, in the first process of a command alone."""
    if multiprocessing.parent_process() is None:
        warnings.warn(message, KernelWarning, stacklevel=2)
