"""What kept results were made from: noted beside them, and compared before a later run goes on.

A result is kept with digests of everything that decides it: the files that were read, worlds and
games, options, the data files and the code of this package. A run that would make it from something
else is refused, so that no old result is taken for a new one.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.system import resources
from mars_logic.system.files import read_bytes, write_or_refuse
from mars_logic.system.json_files import read_json, value_of
from mars_logic.system.printable import in_one_line

_MOST_BYTES: Final = 20_000_000
_MOST_SOURCE: Final = 4_000_000_000
_DIGITS: Final = 32
_SHOWN: Final = 60
_ALLOWED: Final = "the note of what results were made from, as mars-logic wrote it"

MadeFrom = Mapping[str, Any]
"""What results are made from, by name: plain data, as JSON has it."""


def digest_of(*parts: bytes | str) -> str:
    """A digest of some contents in order: 32 hexadecimal digits of SHA-256.

    Names of files may be no UTF-8.
    """
    found = hashlib.sha256()
    for part in parts:
        held = part.encode(errors="surrogatepass") if isinstance(part, str) else part
        found.update(len(held).to_bytes(8, "big") + held)
    return found.hexdigest()[:_DIGITS]


def digest_of_file(path: Path, allowed: str) -> str:
    """A digest of a user's file.

    Raises:
        InputError: It cannot be read.
    """
    return digest_of(read_bytes(path, allowed, _MOST_SOURCE))


def digest_of_plain(plain: Any) -> str:
    """A digest of plain data; of mappings, the order does not count."""
    return digest_of(json.dumps(plain, sort_keys=True, default=str))


def code_of(*functions: Callable[..., Any]) -> str:
    """A digest of the code of functions: their modules, and all of this package that these import.

    Another version of the package that changed none of it has the same.
    """
    from mars_logic.compiled.cache_folders import fingerprint

    return digest_of(*(fingerprint(Path(inspect.getfile(each))) for each in functions))


def data_of(files: Iterable[tuple[str, str]]) -> str:
    """A digest of data files of this package, each given by a module beside it and its name."""
    return digest_of(*(resources.text(module, name) for module, name in files))


def read_note(place: Path) -> dict[str, Any]:
    """What results were made from.

    Args:
        place: The file of the note.

    Raises:
        InputError: It is missing or no such note.
    """
    found = read_json(place, _ALLOWED, _MOST_BYTES)
    if not isinstance(found, dict):
        raise InputError(f"{place}:1: file: this is no mapping; allowed: {_ALLOWED}")
    return found


def claim(place: Path, made_from: MadeFrom, way_out: str, *, grows: bool = False) -> None:
    """Note what results will be made from, unless that is noted already.

    Args:
        place: The file of the note.
        made_from: What the results are made from.
        way_out: What else may be done where results are made from something else, for messages.
        grows: Whether a note may tell of more; then only what both tell of has to be the same,
            and what is new is added to the note.

    Raises:
        InputError: The note tells of something else, or cannot be read or written.
    """
    wanted = value_of(json.dumps(made_from), "a note", "plain data")
    noted = read_note(place) if _lies(place) else {}
    fresh = not _lies(place)
    for name in {**noted, **wanted}:
        one, other = noted.get(name), wanted.get(name)
        missing = fresh or (grows and (name not in noted or name not in wanted))
        if not missing and one != other:
            told = f"results here were made from {_shown(one)}, not from {_shown(other)}"
            raise InputError(f"{place}:1: {_key(name)}: {told}; allowed: {way_out}")
    if fresh or {*wanted} - {*noted}:
        text = json.dumps({**noted, **wanted}, indent=2, sort_keys=True)
        write_or_refuse(place, text + "\n")


def _lies(place: Path) -> bool:
    return place.is_symlink() or place.exists()


def _key(name: str) -> str:
    return in_one_line(name)[:_SHOWN]


def _shown(value: Any) -> str:
    text = in_one_line(value if isinstance(value, str) else json.dumps(value))
    return "nothing" if value is None else text[:_SHOWN]
