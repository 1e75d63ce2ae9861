"""Files of text from users; and writing so that a reader never meets a half-written file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from mars_logic.errors import InputError


def _umask() -> int:
    """What this process withholds from new files; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def read_text(path: Path, allowed: str, most: int) -> str:
    """The text of a user's file.

    Args:
        path: The file.
        allowed: What it should be, for messages.
        most: The largest number of bytes.

    Raises:
        InputError: It is missing, too large, not to be read, or no text.
    """
    try:
        if not path.is_file():
            raise InputError(f"{path}:1: file: there is no such file; allowed: {allowed}")
        if path.stat().st_size > most:
            limit = f"at most {most:,} bytes"
            raise InputError(f"{path}:1: file: the file is too large; allowed: {limit}")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}:1: file: this is not text; allowed: {allowed}") from None
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise InputError(f"{path}:1: file: {what}; allowed: {allowed}") from None


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a whole file at once: under another name first, then moved into place.

    Raises:
        OSError: The folder is missing or cannot be written to; the old file is then untouched. It
            names the file, not the other name.
    """
    try:
        _write_beside(path, content.encode() if isinstance(content, str) else content)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


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
