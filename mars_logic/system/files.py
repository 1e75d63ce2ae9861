"""The one door for files: how they are read, replaced, appended to and locked.

Nothing else in the package opens a file, so that what is no regular file, is too large or cannot
be written is refused everywhere, with one message. JSON is read by ``json_files``, YAML by
``world.source``, Parquet by ``data.parquet``, arrays by ``array_files``, what belongs to the
package by ``resources``; all of them come through here.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mars_logic.errors import InputError

_PIECE: Final = 65_536
"""Bytes that are searched at a time for the end of a line."""


def _umask() -> int:
    """The process's umask; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


_within: list[Path] = []
"""The folders that files may be read from; all if there is none."""


def confine_reading(*folders: Path) -> None:
    """Let this process, from now on, read no user's file outside of some folders.

    For text of unknown origin that names files. Links are followed before a file is judged.
    """
    _within[:] = [folder.resolve() for folder in folders]


def _is_outside(path: Path) -> bool:
    try:
        place = path.resolve()
    except (OSError, RuntimeError, ValueError):
        return True
    return not any(place.is_relative_to(folder) for folder in _within)


def require_regular(path: Path, allowed: str, most: int) -> None:
    """Refuse what cannot be read to its end: folders, pipes, devices, and large files.

    Args:
        path: The file.
        allowed: What it should be, for messages.
        most: The largest number of bytes.

    Raises:
        InputError: It is missing, no regular file, too large, or outside of the folders that
            :func:`confine_reading` states.
    """
    if _within and _is_outside(path):
        raise refusal(path, "this is outside of the folder that may be read", "a file in it")
    try:
        about = path.stat()
    except FileNotFoundError:
        raise refusal(path, "there is no such file", allowed) from None
    except OSError as error:
        raise refusal(path, error, allowed) from None
    except ValueError:  # a name that no file can have
        raise refusal(path, "there is no such file", allowed) from None
    if stat.S_ISDIR(about.st_mode):
        raise refusal(path, "this is a folder", allowed)
    if not stat.S_ISREG(about.st_mode):
        raise refusal(path, "this is not a regular file", allowed)
    if about.st_size > most:
        raise refusal(path, "the file is too large", f"at most {most:,} bytes")


def read_bytes(path: Path, allowed: str, most: int) -> bytes:
    """The content of a user's file.

    Args:
        path: The file.
        allowed: What it should be, for messages.
        most: The largest number of bytes.

    Raises:
        InputError: It is missing, no regular file, too large, or not to be read.
    """
    require_regular(path, allowed, most)
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)  # files of the system's may hold more than they say
    except OSError as error:
        raise refusal(path, error, allowed) from None
    if len(content) > most:
        raise refusal(path, "the file is too large", f"at most {most:,} bytes")
    return content


def read_text(path: Path, allowed: str, most: int) -> str:
    """The text of a user's file.

    Args:
        path: The file.
        allowed: What it should be, for messages.
        most: The largest number of bytes.

    Raises:
        InputError: It is missing, no regular file, too large, not to be read, or no text.
    """
    try:
        text = read_bytes(path, allowed, most).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise refusal(path, "this is not text", allowed) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def refusal(path: Path, found: str | OSError, allowed: str) -> InputError:
    """The error that a file as a whole is wrong: what was found, or why the system refused it."""
    if isinstance(found, OSError):
        found = (found.strerror or str(found)).lower()
    return InputError(f"{path}:1: file: {found}; allowed: {allowed}")


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a whole file at once: under another name first, then moved into place.

    Text is written as UTF-8; bytes of a name that are no UTF-8 (lone surrogates) as escapes. Where
    a link leads to a file, that file is replaced, and the link stays.

    Raises:
        OSError: The folder is missing or cannot be written to, or what is there is no file that
            can be replaced; it is then untouched. The error names the file, not the other name.
    """
    if obstacle := unreplaceable(path):
        raise OSError(None, obstacle, str(path))
    try:
        place = path.resolve() if path.is_symlink() else path
        _write_beside(place, _encoded(content) if isinstance(content, str) else content)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def write_or_refuse(path: Path, content: str | bytes) -> None:
    """As :func:`write_atomically`, with the error of a user's file.

    Raises:
        InputError: The file cannot be written.
    """
    try:
        write_atomically(path, content)
    except OSError as error:
        raise refusal(path, error, "a file that can be written") from None


def append_whole(path: Path, content: bytes) -> None:
    """Append to a file in one write, so that what several processes append stays whole.

    Raises:
        InputError: What is there is no regular file, or cannot be written to.
    """
    _require_own(path)
    try:
        with path.open("ab", buffering=0) as file:
            file.write(content)
    except OSError as error:
        raise refusal(path, error, "a file that can be written") from None


def drop_cut_line(path: Path) -> None:
    """Remove what follows the last line end: a line that a killed process was writing.

    Raises:
        InputError: What is there is no regular file, or cannot be written to.
    """
    _require_own(path)
    if not path.exists():
        return
    try:
        with path.open("r+b") as file:
            size = end = file.seek(0, os.SEEK_END)
            while end:
                start = max(0, end - _PIECE)
                file.seek(start)
                last = file.read(end - start).rfind(b"\n")
                if last >= 0:
                    end = start + last + 1
                    break
                end = start
            if end < size:  # else what another process appends meanwhile would be lost
                file.truncate(end)
    except OSError as error:
        raise refusal(path, error, "a file that can be written") from None


@contextlib.contextmanager
def locked(path: Path, *, wait: bool = True, by_process: bool = False) -> Iterator[bool]:
    """Hold a lock that all processes share that name the same file; the system ends it with them.

    Where the system has no locks on files, it is held at once.

    Args:
        path: The file; it is made if it is missing, and stays.
        wait: Whether to wait until no other holds it.
        by_process: Whether the process holds it, which may then open it again.

    Yields:
        Whether it is held: False where another holds it and it was not waited for.

    Raises:
        InputError: What is there is no regular file, or cannot be opened.
    """
    try:
        import fcntl
    except ImportError:  # pragma: no cover - Windows
        yield True
        return
    _require_own(path)
    try:
        handle = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise refusal(path, error, "a file that can be written") from None
    try:
        try:
            lock = fcntl.lockf if by_process else fcntl.flock
            lock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):  # which of them depends on the system
            yield False
        else:
            yield True
    finally:
        os.close(handle)


def _require_own(path: Path) -> None:
    """Refuse to open, for writing, what is no regular file: a pipe would wait for its reader."""
    if obstacle := unreplaceable(path):
        raise refusal(path, obstacle, "a regular file, or none")


def unreplaceable(path: Path) -> str:
    """Why a file cannot be written at a place, where that is for what is there; empty if it can."""
    if path.is_symlink() and not path.exists():
        return "this link points to no file"
    if path.exists() and not path.is_file():
        return "this is a folder" if path.is_dir() else "this is not a regular file"
    return ""


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _write_beside(path: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # else a power failure may leave the new name on an empty file
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
