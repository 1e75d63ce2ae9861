"""How to write rules as sentences, on one page, for people and language models."""

from __future__ import annotations

from functools import cache

from mars_logic.resources import text


@cache
def cheat_sheet() -> str:
    """The page: names, a sentence or more for each family of rules, and what is not read.

    >>> cheat_sheet().splitlines()[0]
    'HOW TO WRITE RULES'
    """
    return text(__name__, "cheat_sheet.txt")
