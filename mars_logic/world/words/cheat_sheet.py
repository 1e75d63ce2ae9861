"""How to write rules as sentences, on one page, for people and language models."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def cheat_sheet() -> str:
    """The page: names, a sentence or more for each family of rules, and what is not read.

    >>> cheat_sheet().splitlines()[0]
    'HOW TO WRITE RULES'
    """
    return files("mars_logic.world.words").joinpath("cheat_sheet.txt").read_text(encoding="utf-8")
