"""File names as text in this project's files, and back, independent of the locale."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pyarrow as pa

_ESCAPED_BYTE: Final = re.compile(rb"\\x([89a-f][0-9a-f])")
"""The replacement by :func:`name_as_text` of a byte outside UTF-8."""


def name_as_text(path: str | Path) -> str:
    r"""A file's name as the text that files of ours hold: what its bytes are in UTF-8.

    Bytes that are no UTF-8 become escapes, such as ``\xff``. Python decodes names by the locale,
    where that is another character set, and keeps the bytes that it cannot decode as surrogates.
    """
    try:
        return os.fsencode(path).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # no name of a file here, but text already
        return str(path)


def path_named(name: str | Path) -> Path:
    """The path of a file from its name in a file of ours, the reverse of :func:`name_as_text`.

    An escape stands for a byte, unless there is a file whose name has the escape itself.
    """
    text = str(name)
    try:
        encoded = os.fsencode(text)
    except UnicodeEncodeError:
        encoded = text.encode("utf-8", "surrogatepass")
    if _ESCAPED_BYTE.search(encoded) and not os.path.lexists(encoded):
        encoded = _ESCAPED_BYTE.sub(lambda found: bytes([int(found[1], 16)]), encoded)
    return Path(os.fsdecode(encoded))


def named_beside(name: str, folder: Path) -> str | Path:
    """The file that a name in another file refers to, which may be relative to that file's folder.

    Args:
        name: What it says: the name of something bundled, or a path.
        folder: Where the file lies.
    """
    here, beside = path_named(name), path_named(folder / name)
    elsewhere = not os.path.exists(here) and os.path.isfile(beside)  # noqa: PTH110, PTH113 (never raise)
    return beside if elsewhere else name


def opened_natively(path: Path) -> pa.NativeFile:
    """A file for pyarrow, which takes names as text only if they are UTF-8.

    It is read natively: a pool's thread that holds an object of Python's may outlive the
    interpreter.

    Raises:
        OSError: It is missing or cannot be opened.
    """
    import pyarrow as pa

    return pa.OSFile(os.fsencode(path))
