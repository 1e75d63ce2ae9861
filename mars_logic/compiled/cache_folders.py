"""The folders of compiled code: one for each module and fingerprint, in the user's cache folder.

The fingerprint covers the sources of the module and of everything in this package that it imports,
directly or not; numba alone would notice an edit of the file that a function is written in, but
not of the files of the functions that it calls. So code of other sources is never found, and
several versions of the package can be used by turns. (numba's own choice would be a folder beside
the sources. Files there outlive an uninstallation, and then hide an editable installation.)
"""

from __future__ import annotations

import errno
import hashlib
import multiprocessing
import os
import re
import stat
import tempfile
import threading
import warnings
from functools import cache
from importlib.metadata import version
from pathlib import Path

from platformdirs import user_cache_path

from mars_logic.errors import KernelWarning
from mars_logic.system import resources

_warned = threading.Event()
_PACKAGE = Path(__file__).parent.parent
_IMPORT = re.compile(
    r"^\s*(?:from|import)\s+mars_logic\.?([\w.]*)(?:\s+import\s+(\([^)]*\)|.*))?", re.M
)


def cache_folder(source: Path) -> Path:
    """Where the compiled code of a source file is kept.

    It is in the user's cache folder, or in the one that ``NUMBA_CACHE_DIR`` names. For a user
    without a home, the path is relative and of no use.
    """
    import numba  # others ask for fingerprints alone

    named = getattr(numba.config, "CACHE_DIR", "")
    base = Path(named).absolute() if named else user_cache_path("mars-logic", appauthor=False)
    return base / "kernels" / f"{_dotted(source)}-{fingerprint(source)[:16]}"


def require_home(folder: Path) -> None:
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


def warn_if_unwritable() -> None:
    """Warn for a command that leaves compiling to other processes, which say nothing.

    A folder that holds code already is left to them: it may be meant for reading only.
    """
    folder = cache_folder(Path(__file__)).parent
    try:
        require_home(folder)
        folder.mkdir(parents=True, exist_ok=True)
        if not any(folder.iterdir()):
            tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        warn_uncached(folder, error)


def warn_uncached(folder: Path, error: OSError) -> None:
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
