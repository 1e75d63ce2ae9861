"""How well proposals say what lines mean, on files of lines with the facts that they state."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from mars_logic.world.words.proposing import proposals
from tests.paths import REPOSITORY
from tests.world.free_text import Example, examples, read

FOLDER = REPOSITORY / "tests" / "data" / "proposed"
_LISTED = re.compile(r"(.*) has (.*)")
_COUNTED = ("uses", "yields", "requires", "spawns")


class Quality(NamedTuple):
    """Counts of lines that state a rule.

    Attributes:
        lines: All of them.
        read: Those that are read.
        misread: Those that are read as something else.
        first: Those whose first proposal is right.
        three: Those of which one of three is right.
    """

    lines: int
    read: int
    misread: int
    first: int
    three: int


def writer(name: str) -> list[Example]:
    """The lines of a writer."""
    return list(examples(FOLDER, f"{name}.txt"))


def quality(lines: Iterable[Example]) -> Quality:
    """How well lines that state one rule are read and proposed."""
    stating = [each for each in lines if each.facts and len(rules_of(each.facts)) == 1]
    found = [read(each.text) for each in stating]
    right = [
        [
            stated(map(str, proposal.facts)) == stated(each.facts or ())
            for proposal in proposals(each.text)
        ]
        for each in stating
    ]
    return Quality(
        len(stating),
        sum(each is not None for each in found),
        sum(f is not None and f != each.facts for f, each in zip(found, stating, strict=True)),
        sum(each[:1] == [True] for each in right),
        sum(any(each) for each in right),
    )


def rules_of(facts: Iterable[str]) -> set[str]:
    """The ids of the rules that facts are about."""
    return {".".join(each.split(".")[:2]) for each in facts}


def stated(facts: Iterable[str]) -> frozenset[str]:
    """Facts in which an amount that is not given is 1, as proposals have it."""
    return frozenset(map(_with_amounts, facts))


def _with_amounts(fact: str) -> str:
    found = _LISTED.fullmatch(fact)
    if not found:
        return fact
    parts = [each.split() for each in found[2].split(", ")]
    if found[1].endswith(_COUNTED):
        parts = [*map(_counted, parts)]
    return f"{found[1]} has {', '.join(sorted(map(' '.join, parts)))}"


def _counted(words: list[str]) -> list[str]:
    return words if len(words) in (2, 4) else [words[0], "1", *words[1:]]
