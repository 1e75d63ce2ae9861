"""Archives of arrays (``.npz``) from untrusted sources, with sizes bounded before unpacking.

A zip file of some kilobytes can hold gigabytes. The reader therefore checks its directory and the
arrays' headers first and unpacks only the requested arrays, never Python objects.
"""

from __future__ import annotations

import io
import tokenize
import zipfile
import zlib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from mars_logic.errors import InputError
from mars_logic.system.files import refusal, require_regular, write_atomically

_ALLOWED: Final = "an archive of arrays (.npz), as numpy.savez writes it"
_MOST_ON_DISK: Final = 64_000_000
_MOST_FILES: Final = 1_000
_MOST_HEADER: Final = 10_000
_SUFFIX: Final = ".npy"
_UNREADABLE: Final = (
    *(OSError, ValueError, EOFError, KeyError, MemoryError, NotImplementedError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error),
)
# numpy reads headers as Python's source: with ``ast``, and where that fails, with ``tokenize``.
_NO_HEADER: Final = (
    *(SyntaxError, tokenize.TokenError, TypeError, IndexError, AttributeError, OverflowError),
    *(RecursionError, MemoryError, AssertionError),
)


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write an archive, whole or not at all; it is as large as its arrays, for nothing is packed.

    Raises:
        OSError: It cannot be written; what was there before is untouched.
        ValueError: An array holds Python objects.
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}{_SUFFIX}", "w", force_zip64=True) as file:
                npy.write_array(file, np.asanyarray(array), allow_pickle=False)
    write_atomically(path, stream.getvalue())


def read_arrays(
    path: Path,
    wanted: Collection[str] | None,
    most: int,
    *,
    most_on_disk: int = _MOST_ON_DISK,
    allowed: str = _ALLOWED,
) -> dict[str, NDArray[Any]]:
    """Some of the arrays in an archive, or all.

    Args:
        path: The file.
        wanted: The names of the arrays; others are not read, and some may be missing. None for all.
        most: Maximum memory of these arrays, in bytes.
        most_on_disk: The largest number of bytes of the file.
        allowed: What it should be, for messages.

    Raises:
        InputError: It is missing, no regular file, no archive, damaged, or too large.
    """
    require_regular(path, allowed, most_on_disk)
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if len(members) > _MOST_FILES:
                found = f"the archive holds {len(members):,} files"
                raise refusal(path, found, f"at most {_MOST_FILES:,}")
            # The last entry of a name counts, as for zipfile.
            named = {each.filename.removesuffix(_SUFFIX): each for each in members}
            names = named if wanted is None else [name for name in wanted if name in named]
            held = {name: named[name] for name in names}
            size = sum(each.file_size for each in held.values())
            if size > most:
                raise refusal(path, f"its arrays take {size:,} bytes", f"at most {most:,}")
            return {name: _array(archive, each) for name, each in held.items()}
    except InputError:
        raise
    except _UNREADABLE as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        if isinstance(error, zipfile.BadZipFile) and not zipfile.is_zipfile(path):
            reason = "it is no archive, or not a whole one"
        raise refusal(path, f"not a readable .npz file: {reason}", allowed) from None


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    """One array; its header gives the size before the content is read."""
    with archive.open(member) as file:
        shape, dtype = _header(file)
        if dtype.hasobject:
            raise ValueError(f"{member.filename} holds Python objects")
        size = int(np.prod(shape, dtype=object)) * dtype.itemsize
        if min(shape, default=0) < 0 or size > member.file_size:
            raise ValueError(f"{member.filename} is shorter than its header says")
    with archive.open(member) as file:
        array: NDArray[Any] = npy.read_array(file, allow_pickle=False, max_header_size=_MOST_HEADER)
    return array


def _header(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    read = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    version = npy.read_magic(file)
    if version not in read:
        raise ValueError(f"arrays of version {version} are not known")
    try:
        shape, _, dtype = read[version](file, max_header_size=_MOST_HEADER)
    except _NO_HEADER:
        raise ValueError("an array's header is damaged") from None
    return shape, dtype
