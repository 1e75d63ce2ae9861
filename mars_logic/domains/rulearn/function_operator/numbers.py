"""The numbers that the function operator takes: what is typed is read, never evaluated."""

from __future__ import annotations

import math
import re
from typing import Final

_NUMBER: Final = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?"
_PI: Final = "(?:pi|π)"
_FORMS: Final = (
    re.compile(rf"(?P<number>{_NUMBER})", re.IGNORECASE),
    re.compile(rf"{_PI}", re.IGNORECASE),
    re.compile(rf"(?P<number>{_NUMBER}){_PI}", re.IGNORECASE),
    re.compile(rf"(?P<number>{_NUMBER})\s*\*\s*{_PI}", re.IGNORECASE),
    re.compile(rf"{_PI}\s*\*\s*(?P<number>{_NUMBER})", re.IGNORECASE),
)
_PLAIN: Final = _FORMS[0]
MOST_CHARACTERS: Final = 200


def number_typed(text: str) -> float | None:
    """The number that a text states; None if it states none.

    Allowed are a decimal number, pi, and a number times pi: ``2.5``, ``-1e-3``, ``pi``, ``2pi``,
    ``2 * pi``, ``pi*2``.
    """
    text = text.strip()
    if len(text) > MOST_CHARACTERS:
        return None
    for form in _FORMS:
        if match := form.fullmatch(text):
            factor = float(match.groupdict().get("number") or 1)
            found = factor if form is _PLAIN else factor * math.pi
            return found if math.isfinite(found) else None
    return None
