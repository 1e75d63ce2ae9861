"""Rules as they are stated: sentences, and theories as a whole."""

from __future__ import annotations

from dataclasses import dataclass

from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.words import Fact


@dataclass(frozen=True)
class Statement:
    """What a sentence tells of one rule.

    Attributes:
        text: The sentence.
        source: File and line.
        rule: The smallest rule with which it is true; what it does not say is unknown, unless it
            tells a whole rule.
        facts: What it says of each field; elements of lists that it does not mention are open.
    """

    text: str
    source: str
    rule: Rule
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Stated:
    """A theory as a whole, and where it is from."""

    theory: Theory
    source: str
