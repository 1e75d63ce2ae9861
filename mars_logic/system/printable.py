"""Safe printing of untrusted text: control characters of terminals are escaped.

The characters concerned are the control characters of C0 and C1 but for line ends and tabs, DELETE,
the embeddings, overrides and isolates that reorder a line (Unicode's bidirectional algorithm,
UAX #9), the line and paragraph separators, and lone surrogates, with which Python writes the bytes
of a file's name that are no UTF-8 (PEP 383).
"""

from __future__ import annotations

import re
from typing import Final

MOST: Final = 300
"""Characters of the input, in one piece, that a message repeats at most."""

_STEERING: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_BYTES: Final = range(0xDC80, 0xDD00)
"""Surrogates that stand for the bytes 0x80 to 0xff of a name."""
_LONG: Final = re.compile(rf"\S{{{MOST + 1},}}")
_LONGEST_LINE: Final = 10 * MOST
_ELLIPSIS: Final = "…"


def escaped(text: str) -> str:
    r"""The text with an escape, as Python writes it, for each character that steers a terminal.

    Example:
        >>> print(escaped("a\x1b[31mred, \u202ereversed, \udcff no UTF-8"))
        a\x1b[31mred, \u202ereversed, \xff no UTF-8
    """
    return _STEERING.sub(lambda found: _escape(found[0]), text)


def in_one_line(text: str) -> str:
    r"""The text with an escape for each character that is not printable, line ends included.

    Example:
        >>> print(in_one_line("two\nlines"))
        two\nlines
    """
    return "".join(c if c.isprintable() else _escape(c) for c in text)


def _escape(character: str) -> str:
    code = ord(character)
    if code in _BYTES:
        return f"\\x{code - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")


def escaped_in_json(document: str) -> str:
    r"""A JSON document with such characters escaped as JSON does, so that it says the same.

    Args:
        document: A document in which none stands outside of a string.

    Example:
        >>> print(escaped_in_json('"\x9b2J"'))
        "\u009b2J"
    """
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", document)


def shortened(message: str) -> str:
    """A message in which neither a word nor a line, which may be a file's name, is overlong.

    The middle is left out: a line says at its beginning where, and at its end what.

    Example:
        >>> len(shortened("long" * 1000))
        300
    """
    lines = _LONG.sub(lambda found: _cut(found[0], MOST), message).split("\n")
    return "\n".join(_cut(line, _LONGEST_LINE) for line in lines)


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    half = most // 2
    return text[: most - half - 1] + _ELLIPSIS + text[-half:]
