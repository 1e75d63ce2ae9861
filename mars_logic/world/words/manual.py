"""A world as a player's manual: its rules as sentences, in groups, in Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from mars_logic.world.dialect import MAXIMUM, VIEW_HEIGHT, VIEW_WIDTH, needs
from mars_logic.world.maps import GENERATOR_FAMILIES
from mars_logic.world.rules import Creature, Drink, Neighbour, Rename, Rule
from mars_logic.world.theory import Theory
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.creature_words import tell_creatures
from mars_logic.world.words.goal_words import tell_goals
from mars_logic.world.words.map_words import map_size, tell_map
from mars_logic.world.words.traces import always_in, tell_in

WIDTH = 92

WHOLE_RULES = "Each sentence tells its whole rule: what it does not mention does not happen."
"""Marker of a text whose sentences state whole rules."""

_GROUPS: dict[str, dict[str, tuple[str, ...]]] = {
    "Terrain": {"What lies where": ("neighbour", "rename"), "Walking": ("walk",)},
    "Survival": {"Creatures": ("creature",), "Drinking": ("drink",)},
    "Task": {"Collecting": ("collect",), "Placing": ("place",), "Making": ("make",)},
    "More": {
        "Needs": ("need",),
        "Behaviour": ("behaviour",),
        "Hunting": ("hunt",),
        "Projectiles": ("projectile",),
        "Shooting": ("shoot",),
        "Eating": ("eat",),
        "Pushing": ("push",),
        "Changes": ("beside", "timer"),
        "Traces": ("trace",),
        "Variants": ("option",),
    },
}
"""Headings, and the families of rules under them; a heading without rules is left out."""

_ALWAYS = (
    "The world has {size} cells, of which you see {width} x {height} around you. An "
    "episode ends after {steps} steps, or when your health is 0. Health, food, drink and energy "
    "start at {most}, and of these as of every item you can have at most {most}. You get hungry (1 "
    "food less every {hungry} steps), thirsty (1 drink less every {thirsty} steps) and tired (1 "
    "energy less every {tired} steps); asleep you hunger and thirst {asleep}, and gain 1 "
    "energy every {rested} steps. While neither food nor drink nor energy is 0 you recover 1 "
    "health every {healed} steps (asleep, every {healed_asleep}); otherwise you lose 1 every "
    "{wasted}. You wake up when your energy is {most} or when your health goes down.",
    "You act on the cell in front of you. A blow deals {unarmed} damage, with a wood sword "
    "{wood_sword}, with a stone sword {stone_sword}, with an iron sword {iron_sword}; {lives}. "
    "What collecting needs has to be held, and is kept; what placing and making use has to be "
    "held, and is used up. Nearby means within one cell, diagonals included. A plant is ripe "
    "after {ripe} steps; creatures beside it harm it. "
    "{worth}; each point of health gained or lost counts 0.1.",
)


def _numbers(world: Theory) -> dict[str, int | str | None]:
    """The numbers in ``_ALWAYS``."""
    words = world.vocabulary
    need = needs(words)
    health, energy = need["health"], need["energy"]
    return {
        **words.damage,
        "lives": _lives(words.health_at_first),
        "size": map_size(world.map),
        "width": VIEW_WIDTH,
        "height": VIEW_HEIGHT,
        "most": MAXIMUM,
        "steps": words.length,
        "ripe": words.ripe_age,
        "hungry": need["food"].lasts,
        "thirsty": need["drink"].lasts,
        "tired": energy.lasts,
        "asleep": _share(need["food"].asleep),
        "rested": energy.lasts_asleep,
        "healed": health.lasts,
        "healed_asleep": health.lasts_asleep,
        "wasted": 1 - (health.below or 0),
        "unarmed": words.unarmed_damage,
        "worth": "Each goal is worth its points the first time"
        if words.goals
        else "Each achievement is worth 1 point the first time",
    }


def _lives(health: Mapping[str, int]) -> str:
    cow, skeleton = health["cow"], health["skeleton"]
    first = f"a cow and a skeleton can take {cow}"
    if cow != skeleton:
        first = f"a cow can take {cow}, a skeleton {skeleton}"
    return f"{first}, a zombie {health['zombie']}"


def _share(growth: float) -> str:
    return "half as fast" if growth == 0.5 else f"{growth:g} times as fast"


def manual(world: Theory) -> str:
    """The player's manual of a world, in Markdown.

    Each rule is one item of a list, in the words of ``tell``. The manual omits rules without an
    effect: materials that keep their name, drinks without an effect of their own, and features of
    the map without special surroundings. It begins with the statement that its sentences state
    whole rules.
    """
    title = f"# The world {world.name}" + (f": {world.title}" if world.title else "")
    words = world.vocabulary
    always = (
        (_paragraph(text) for text in always_in(words))
        if words.traced
        else (_paragraph(text.format(**_numbers(world))) for text in _ALWAYS)
    )
    groups = filter(None, (_group(world, *group) for group in _GROUPS.items()))
    blocks = [
        title,
        WHOLE_RULES,
        "## What is always so",
        *always,
        *groups,
        "## Goals" if world.goals else "## Achievements",
        _paragraph(tell_goals(words)),
    ]
    return "\n\n".join(blocks) + "\n"


def _group(world: Theory, heading: str, parts: dict[str, tuple[str, ...]]) -> str:
    blocks = [f"## {heading}"]
    for title, families in parts.items():
        generator = families == GENERATOR_FAMILIES
        told = _paragraph(tell_map(world.map)) if generator else ""
        if families == (Creature.family,):
            told = _paragraph(tell_creatures(world.vocabulary))
        idle = generator and world.map.is_drawn
        items = "" if idle else _items(_rules(world, families), world.vocabulary)
        if found := [text for text in (told, items) if text]:
            blocks += [f"### {title}", *found]
    return "\n\n".join(blocks) if len(blocks) > 1 else ""


def _rules(world: Theory, families: Iterable[str]) -> Iterator[Rule]:
    for family in families:
        yield from getattr(world, family).values()


def _items(rules: Iterable[Rule], words: Vocabulary) -> str:
    return "\n".join(f"- {tell_in(rule, words)}" for rule in rules if not says_nothing(rule))


def says_nothing(rule: Rule) -> bool:
    """Whether a rule has no effect, so that the manual omits it."""
    if isinstance(rule, Neighbour):
        return rule.material is None
    if isinstance(rule, Rename):
        return rule.material == rule.subject
    if isinstance(rule, Drink):
        return not (rule.drink or rule.food or rule.health)
    return False


def _paragraph(text: str) -> str:
    return textwrap.fill(text, WIDTH)
