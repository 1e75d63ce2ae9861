"""A world as a player's manual: its rules as sentences, in groups, in Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from mars_logic.world.rules import Drink, Neighbour, Rename, Rule
from mars_logic.world.theory import Theory
from mars_logic.world.words.kinds import spaced
from mars_logic.world.words.sentences import tell

WIDTH = 92

WHOLE_RULES = "Each sentence tells its whole rule: what it does not mention does not happen."
"""What a text says if its sentences are not to be read as parts of rules."""

_GROUPS: dict[str, dict[str, tuple[str, ...]]] = {
    "Terrain": {"What lies where": ("neighbour", "rename"), "Walking": ("walk",)},
    "Survival": {"Creatures": ("creature",), "Drinking": ("drink",)},
    "Task": {"Collecting": ("collect",), "Placing": ("place",), "Making": ("make",)},
}

_ALWAYS = (
    "The world has 64 x 64 cells, of which you see 9 x 7 around you. An episode ends after {steps} "
    "steps, or when your health is 0. Health, food, drink and energy start at 9, and of these as "
    "of every item you can have at most 9. You get hungry (1 food less every 26 steps), thirsty "
    "(1 drink less every 21 steps) and tired (1 energy less every 31 steps); asleep you hunger and "
    "thirst half as fast, and gain 1 energy every 11 steps. While neither food nor drink nor "
    "energy is 0 you recover 1 health every 26 steps (asleep, every 13); otherwise you lose 1 "
    "every 16. You wake up when your energy is 9 or when your health goes down.",
    "You act on the cell in front of you. A blow deals 1 damage, with a wood sword 2, with a stone "
    "sword 3, with an iron sword 5; a cow and a skeleton can take 3, a zombie 5. What collecting "
    "needs has to be held, and is kept; what placing and making use has to be held, and is used "
    "up. Nearby means within one cell, diagonals included. A plant is ripe after {ripening} steps; "
    "creatures beside it harm it. Each achievement is worth 1 point the first time; each point of "
    "health gained or lost counts 0.1.",
)
_BY_DYNAMICS = {
    "crafter": {"steps": 10_000, "ripening": 300},
    "mars": {"steps": 1_000, "ripening": 30},
}


def manual(world: Theory) -> str:
    """All that a player may want to know of a world, in Markdown.

    Each rule is one item of a list, told as ``tell`` does it. Rules that change nothing are left
    out: materials that keep their name, drinks without an effect of their own, and features of
    the map with nothing special around them. That the sentences tell whole rules is said first.
    """
    title = f"# The world {world.name}" + (f": {world.title}" if world.title else "")
    always = (_paragraph(text.format(**_BY_DYNAMICS[world.dynamics])) for text in _ALWAYS)
    groups = (_group(world, heading, parts) for heading, parts in _GROUPS.items())
    unlocks = ", ".join(spaced(achievement) for achievement in world.achievements)
    blocks = [
        title,
        WHOLE_RULES,
        "## What is always so",
        *always,
        *groups,
        "## Achievements",
        _paragraph(f"There are {len(world.achievements)}: {unlocks}."),
    ]
    return "\n\n".join(blocks) + "\n"


def _group(world: Theory, heading: str, parts: dict[str, tuple[str, ...]]) -> str:
    blocks = [f"## {heading}"]
    for title, families in parts.items():
        rules = (rule for family in families for rule in getattr(world, family).values())
        items = _items(rules)
        blocks += [f"### {title}", items] if items else []
    return "\n\n".join(blocks)


def _items(rules: Iterable[Rule]) -> str:
    return "\n".join(f"- {tell(rule)}" for rule in rules if not says_nothing(rule))


def says_nothing(rule: Rule) -> bool:
    """Whether a rule changes nothing, so that a manual does without it."""
    if isinstance(rule, Neighbour):
        return rule.material is None
    if isinstance(rule, Rename):
        return rule.material == rule.subject
    if isinstance(rule, Drink):
        return not (rule.drink or rule.food or rule.health)
    return False


def _paragraph(text: str) -> str:
    return textwrap.fill(text, WIDTH)
