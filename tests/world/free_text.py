"""The sentences of free text in tests/data/free_text, with the facts that they state.

A line that is not indented is a sentence; the indented one below it lists its facts, or is
``unread``. A fact that others imply is left out: that something can be collected or eaten, and that
a creature attacks or shoots if its hits or arrows have an effect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mars_logic.world.words import ParseError, parse_facts
from tests.paths import REPOSITORY

FOLDER = REPOSITORY / "tests" / "data" / "free_text"
_IMPLIED = {
    r"collect\.(\w+)\.(?!collectable|yields lacks)": "collect.{}.collectable = true",
    r"creature\.(\w+)\.eaten": "creature.{}.eatable = true",
    r"creature\.(\w+)\.attack_": "creature.{}.attacks = true",
    r"creature\.(\w+)\.arrow_": "creature.{}.shoots = true",
}


class Example(NamedTuple):
    """A sentence with the facts that it states; None if it has to stay unread."""

    text: str
    facts: frozenset[str] | None


def examples(folder: Path, files: str = "*.txt") -> Iterator[Example]:
    """The sentences of all files in a folder."""
    for file in sorted(folder.glob(files)):
        lines = file.read_text(encoding="utf-8").splitlines()
        told = [line for line in lines if line and not line.startswith("# ")]
        for text, facts in zip(told[::2], told[1::2], strict=True):
            assert not text.startswith(" ") and facts.startswith("    "), (file, text)
            yield Example(text, None if facts.strip() == "unread" else _all(facts.strip()))


def _all(facts: str) -> frozenset[str]:
    stated = facts.split("; ")
    implied = (
        gate.format(found[1])
        for fact in stated
        for pattern, gate in _IMPLIED.items()
        if (found := re.match(pattern, fact))
    )
    return frozenset((*stated, *implied))


def read(text: str) -> frozenset[str] | None:
    """The facts that the parser finds; None if it cannot read the sentence."""
    try:
        return frozenset(map(str, parse_facts(text)))
    except ParseError:
        return None
