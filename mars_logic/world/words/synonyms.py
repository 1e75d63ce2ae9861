"""The words of sentences in normal form: synonyms and inflected forms.

Each normal form has the phrases that it replaces. Words that do not stand here keep their meaning,
so that a hedge ("may", "sometimes") or a quantifier ("enough") stays in the sentence and makes it
unreadable.
"""

from __future__ import annotations

from collections.abc import Mapping

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "appears": ("appear",),
    "approaches": (
        *("approach", "chases", "chase", "follows", "follow"),
        *("moves towards", "move towards", "moves toward", "move toward"),
    ),
    "arrow": ("arrows",),
    "attacks": ("attack",),
    "chance": ("of time",),
    "cannot": ("can't", "can not"),
    "collecting": ("gathering", "to collect", "to gather"),
    "costs": ("cost", "decreases", "decrease"),
    "deals": ("deal",),
    "does": ("do",),
    "does not": ("doesn't", "don't", "does not", "do not", "never"),
    "gives": ("give", "restores", "restore", "increases", "increase"),
    "has": ("have",),
    "hit": ("hits",),
    "is": ("are",),
    "it": ("they", "that"),
    "kills": ("kill",),
    "leaves": ("leave",),
    "lets": ("let",),
    "making": ("crafting", "to make", "to craft"),
    "mining": ("to mine",),
    "move": ("moves",),
    "needs": ("need", "requires", "require"),
    "placing": ("to place",),
    "player": ("you",),
    "shoots": ("shoot",),
    "sleeps": ("sleep",),
    "starts": ("start", "is born"),
    "stays": ("stay",),
    "uses": ("use", "consumes", "consume"),
    "wanders about": (
        *("wander about", "wanders about", "wander around", "wanders around"),
        *("walk around", "walks around", "move around", "moves around"),
    ),
    "with": ("using",),
    "wood": ("wooden",),
    "works": ("work", "is possible"),
    "yields": ("yield", "produces", "produce"),
    **{str(number): (word,) for number, word in enumerate(_NUMBERS, 1)},
}
