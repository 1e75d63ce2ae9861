"""The formats of files, by their names' endings, and the damages of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePath
from typing import Final

from tests.hostile import arrays, documents, tables, texts
from tests.hostile.damage import Damage, of_bytes

_OF: Final[Mapping[str, Callable[[bytes], Iterator[Damage]]]] = {
    "json": documents.of_json,
    "jsonl": documents.of_lines,
    "yaml": documents.of_yaml,
    "parquet": tables.of_parquet,
    "npz": arrays.of_npz,
    "text": texts.of_text,
}
_ENDINGS: Final[Mapping[str, str]] = {
    **{f".{name}": name for name in ("json", "jsonl", "yaml", "parquet", "npz")},
    **dict.fromkeys((".txt", ".md", ".lp", ".csv", ".pddl", ".pl", ".traj"), "text"),
}
BINARY: Final = frozenset({"parquet", "npz"})


def format_of(path: str) -> str:
    """The format of a file.

    Raises:
        KeyError: Nobody says which; it has to be put into this file.
    """
    return _ENDINGS[PurePath(path).suffix]


def damages(form: str, valid: bytes) -> Iterator[Damage]:
    """All damages of a valid content of a format."""
    yield from _OF[form](valid)
    yield from of_bytes(valid)
