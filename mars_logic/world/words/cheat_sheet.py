"""How to write rules as sentences, on one page, for people and language models."""

from __future__ import annotations

from functools import cache

from mars_logic.system.resources import text
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.grammar import nouns_of
from mars_logic.world.words.nouns import CRAFTER


@cache
def cheat_sheet(words: Vocabulary = CRAFTER) -> str:
    """The page: names, a sentence or more for each family of rules, and what is not read.

    Args:
        words: The vocabulary, whose added names are listed, too.

    >>> cheat_sheet().splitlines()[0]
    'HOW TO WRITE RULES'
    """
    return "".join(
        _with_names(line, words) for line in text(__name__, "cheat_sheet.txt").splitlines(True)
    )


def _with_names(line: str, words: Vocabulary) -> str:
    """A line of the page, with added names where it lists names."""
    nouns = nouns_of(words)
    added = {
        "  materials: ": nouns.told(nouns.added),
        "  items: ": nouns.told(nouns.added_items),
    }
    for beginning, names in added.items():
        if names and line.startswith(beginning):
            return f"{line.rstrip()},\n    {', '.join(names)}\n"
    return line
