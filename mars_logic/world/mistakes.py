"""Translation of pydantic's validation errors of a document into this project's messages.

Pydantic addresses programmers ("Input should be a valid integer"); a message of this project
states the value found and the allowed ones. Rule fields carry their own messages
(:func:`mars_logic.world.fields.invalid`); those of all other types are here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any, Final

from pydantic import ValidationError

from mars_logic.errors import InputError
from mars_logic.system.printable import MOST, in_one_line
from mars_logic.world.fields import shown
from mars_logic.world.problems import Path, dotted

OURS: Final = "invalid"
"""The kind of mistakes that carry their own message."""

_WHOLE, _NUMBER, _TEXT, _LIST = "a whole number", "a number", "text", "a list"
_MAPPING: Final = "a mapping"
_TYPES: Final = {
    "int": _WHOLE,
    "float": _NUMBER,
    "string": _TEXT,
    "bool": "true, false",
    "bytes": _TEXT,
    "list": _LIST,
    "tuple": _LIST,
    "set": _LIST,
    "frozen_set": _LIST,
    "iterable": _LIST,
    "dict": _MAPPING,
    "model": _MAPPING,
    "mapping": _MAPPING,
    "dataclass": _MAPPING,
    "none": "null",
    "finite": "a finite number",
    "path": "a path",
}
"""Name of a type in messages, by the first part of pydantic's kinds for that type."""
_OF_TYPES: Final = re.compile(
    rf"({'|'.join(sorted(_TYPES, key=len, reverse=True))})_(?:type|parsing|from_float|sub_type|"
    r"unicode|number|required|attributes_type|parsing_size)"
)
_LIMITS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "greater_than": lambda limits: f"a number above {limits['gt']}",
    "greater_than_equal": lambda limits: f"a number from {limits['ge']}",
    "less_than": lambda limits: f"a number below {limits['lt']}",
    "less_than_equal": lambda limits: f"a number to {limits['le']}",
    "multiple_of": lambda limits: f"a multiple of {limits['multiple_of']}",
    "too_short": lambda limits: f"at least {limits['min_length']} of them",
    "too_long": lambda limits: f"at most {limits['max_length']} of them",
    "string_too_short": lambda limits: f"at least {limits['min_length']} characters",
    "string_too_long": lambda limits: f"at most {limits['max_length']} characters",
    "string_pattern_mismatch": lambda limits: f"text like {limits['pattern']}",
    "literal_error": lambda limits: _choices(limits["expected"]),
    "enum": lambda limits: _choices(limits["expected"]),
}
"""Allowed values where the type is right and the value is wrong."""
_LINE: Final = re.compile(r"(.*?) at line (\d+) column \d+")
_MISSING: Final = "this field is missing"


@dataclass(frozen=True)
class Mistake:
    """One mistake in a document.

    Attributes:
        kind: Pydantic's name of the kind.
        place: Keys and list positions from the top.
        message: Description of the mistake.
        allowed: The allowed values; empty if unknown.
        line: Line of the mistake in a document that cannot be parsed.
    """

    kind: str
    place: Path
    message: str
    allowed: str
    line: int = 1


def mistakes(error: ValidationError) -> list[Mistake]:
    """All validation errors of a model, in its order."""
    return [_mistake(dict(detail)) for detail in error.errors(include_url=False)]


def refusal(path: FilePath, error: ValidationError, allowed: str) -> InputError:
    """The error for a document in a file; it states the first mistake.

    Args:
        path: The file.
        error: The model's validation error.
        allowed: The expected document, as a fallback.
    """
    first = mistakes(error)[0]
    field = in_one_line(dotted(first.place))[:MOST] or "file"
    right = first.allowed or allowed
    return InputError(f"{path}:{first.line}: {field}: {first.message}; allowed: {right}")


def _mistake(detail: Mapping[str, Any]) -> Mistake:
    kind, place, given = detail["type"], tuple(detail["loc"]), detail["input"]
    context: Mapping[str, Any] = detail.get("ctx", {})
    if kind == OURS:
        return Mistake(kind, place, context["problem"], context["allowed"])
    if kind == "missing":
        return Mistake(kind, place, _MISSING, "")
    if kind == "extra_forbidden":
        return Mistake(kind, place, f"unknown field {_shown(str(place[-1]))}", "")
    if kind == "json_invalid":
        at = _LINE.fullmatch(context["error"])
        told, line = (at[1], int(at[2])) if at else (context["error"], 1)
        return Mistake(kind, place, f"this is no JSON: {told}", "", line)
    if kind in _LIMITS:
        return Mistake(kind, place, f"{_shown(given)} is not possible", _LIMITS[kind](context))
    if typed := _OF_TYPES.fullmatch(kind):
        what = _TYPES[typed[1]]
        wrong = f"{_shown(given)} is not {what.replace(', ', ' or ')}"
        return Mistake(kind, place, wrong, what)
    if kind == "value_error":  # raised by a check of this project
        return Mistake(kind, place, str(context["error"]), "")
    return Mistake(kind, place, f"{_shown(given)} is not possible", "")


def _shown(value: Any) -> str:
    return in_one_line(shown(value))


def _choices(expected: str) -> str:
    return expected.replace("'", "").replace(" or ", ", ")
