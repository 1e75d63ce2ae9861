"""Estimated numbers of tokens, and text from outside made safe: cut, without control characters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mars_logic.language.chat import ChatMessage

CHARACTERS_PER_TOKEN: Final = 4
"""An approximation for English text; endpoints count exactly, but only afterwards."""
MOST_TOKENS: Final = 10_000_000
"""Tokens of one request or answer; an endpoint that states more is wrong."""
PER_MESSAGE: Final = 4
"""Tokens that a message takes besides its text, in the usual chat formats."""
ELLIPSIS: Final = "…"


def estimated_tokens(text: str) -> int:
    """The number of tokens of a text, estimated: four characters a token, rounded up.

    Example:
        >>> estimated_tokens("move_left")
        3
    """
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def tokens_of(messages: Iterable[ChatMessage]) -> int:
    """The number of tokens of messages, estimated."""
    return sum(estimated_tokens(each.text) + PER_MESSAGE for each in messages)


def safe(text: str, most: int) -> str:
    r"""A text from outside in at most ``most`` characters, without those that steer a terminal.

    Line ends and tabs stay; other control characters, reordering marks and lone surrogates become
    spaces.

    Example:
        >>> safe("red \x1b[31m and long", 9)
        'red  [31…'
    """
    kept = text[: most + 1]
    kept = "".join(c if c in "\n\t" or c.isprintable() else " " for c in kept)
    return kept if len(kept) <= most else kept[: most - 1] + ELLIPSIS


def newest(lines: Iterable[str], tokens: int) -> list[str]:
    """The last lines that fit into a number of estimated tokens, in order.

    Example:
        >>> newest(["first line", "second", "third"], 4)
        ['second', 'third']
    """
    kept: list[str] = []
    for line in reversed(list(lines)):
        tokens -= estimated_tokens(line)
        if tokens < 0:
            break
        kept.append(line)
    return kept[::-1]
