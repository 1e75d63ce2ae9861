"""JSON from files, columns and answers: the one place where text becomes JSON values.

Python's reader raises three kinds of errors, one of them for deep nesting, and takes ``NaN`` and
keys given twice. Here each is one message with the place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.system.files import read_text

_MOST_DIGITS: Final = 400
"""Digits of one number: more than any float has, far below Python's own limit."""
_STRANGE_NUMBER: Final = re.compile(r"[eE]\+?\d{3}|(?<!\d)\d{200}")
"""A number that may be too long or too large; its text is looked at, which takes time."""


def value_of(text: str | bytes, place: str, allowed: str) -> Any:
    """The value that a text in JSON stands for.

    Args:
        text: The whole text; bytes are UTF-8.
        place: Where the text stands, for messages: ``FILE:LINE`` or an option.
        allowed: What it should be, for messages.

    Raises:
        InputError: It is no JSON, is nested too deeply, has a key twice, or has a number that is
            not finite or of more than 400 digits.

    Example:
        >>> value_of('{"wood": 1}', "stock.json:1", "a mapping")
        {'wood': 1}
    """
    try:
        told = text if isinstance(text, str) else text.decode()
        strange = _STRANGE_NUMBER.search(told) is not None
        return json.loads(
            told,
            object_pairs_hook=_mapping,
            parse_constant=_not_finite,
            parse_int=_whole if strange else None,
            parse_float=_fraction if strange else None,
        )
    except json.JSONDecodeError as error:
        told = f"no JSON: {error.msg} in column {error.colno}"
        raise InputError(f"{_at(place, error.lineno)}: file: {told}; allowed: {allowed}") from None
    except UnicodeDecodeError:
        raise InputError(f"{place}: file: this is not text; allowed: {allowed}") from None
    except RecursionError:
        told = "no JSON: it is nested too deeply"
        raise InputError(f"{place}: file: {told}; allowed: {allowed}") from None
    except ValueError as error:
        raise InputError(f"{place}: file: no JSON: {error}; allowed: {allowed}") from None


def read_json(path: Path, allowed: str, most: int) -> Any:
    """The value in a user's file.

    Args:
        path: The file.
        allowed: What it should be, for messages.
        most: The largest number of bytes.

    Raises:
        InputError: It cannot be read (as :func:`mars_logic.system.files.read_text`) or is no JSON.
    """
    return value_of(read_text(path, allowed, most), f"{path}:1", allowed)


def read_json_lines(path: Path, allowed: str, most: int) -> Iterator[tuple[int, Any]]:
    """The values in a user's file of one JSON value a line, with the lines' numbers from 1.

    Empty lines are skipped.

    Args:
        path: The file.
        allowed: What each line should be, for messages.
        most: The largest number of bytes of the file.

    Raises:
        InputError: The file cannot be read, or a line is no JSON.
    """
    for number, line in enumerate(read_text(path, allowed, most).split("\n"), 1):
        if line.strip():
            yield number, value_of(line, f"{path}:{number}", allowed)


def _at(place: str, line: int) -> str:
    """The place of a line of a text that starts at a place."""
    file, colon, first = place.rpartition(":")
    return f"{file}:{int(first) + line - 1}" if colon and first.isdecimal() else place


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice[:60]!r} stands there twice")
    return found


def _not_finite(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON's")


def _whole(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise ValueError(f"a number of {len(text):,} digits")
    return int(text)


def _fraction(text: str) -> float:
    found = float(text)
    if found in (float("inf"), float("-inf")):
        raise ValueError(f"{text[:40]} is too large a number")
    return found
