"""Writing files so that a reader never meets a half-written one, even after a crash."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def _umask() -> int:
    """What this process withholds from new files; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


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
