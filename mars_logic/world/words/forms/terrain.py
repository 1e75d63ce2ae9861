"""Sentences on terrain: map generation and walking."""

from __future__ import annotations

from mars_logic.world.words.forms.shared import WOULD, effects_on_player, ground
from mars_logic.world.words.kinds import Name, named
from mars_logic.world.words.nouns import Nouns
from mars_logic.world.words.parts import (
    InPart,
    Link,
    Part,
    clauses,
    either,
    say,
    silence,
    yes_or_no,
)

ENCLOSED = named(("water", "coal", "iron", "diamond", "lava"))
"""The features of a map that a material encloses, if any does."""


def ground_or_none(nouns: Nouns) -> Name:
    """A natural material, or none."""
    return Name({**ground(nouns).phrases, None: "nothing special"}, nouns.canonical)


def walkable(nouns: Nouns) -> Name:
    """A material that a move may lead onto."""
    return nouns.named(nouns.walkable, nouns.single)


def neighbours(nouns: Nouns) -> Part:
    """Sentences on what lies around features of a map."""
    material = ground(nouns)
    return either(
        say("the player starts in an area of {material}", subject="player", material=material),
        say("the player starts on {material}", subject="player", material=material),
        say("trees stand in open land of {material}", subject="tree", material=material),
        say("trees are surrounded by {material}", subject="tree", material=material),
        say(
            "{subject} is surrounded by {material}",
            subject=ENCLOSED,
            material=ground_or_none(nouns),
        ),
    )


def renames(nouns: Nouns) -> Part:
    """Sentences on what the map has in place of a material."""
    material = ground(nouns)
    return say(
        "where the map would have {subject}, it has {material}", subject=material, material=material
    )


_HEALTH = {"health": (1, "health")}
_lethal = yes_or_no("deadly", "kills the player", "does not kill the player")
_tread = either(
    InPart(say("does nothing", health=0, deadly=False)),
    say(
        "kills the player (and would {otherwise} if it did not)",
        otherwise=effects_on_player(_HEALTH, WOULD),
        deadly=True,
    ),
    clauses(effects_on_player(_HEALTH), _lethal),
)
_moving = either(say("any move on"), say("moving on"), say("moving onto"), say("walking on"))


def walks(nouns: Nouns) -> Part:
    """Sentences on walking."""
    subject = walkable(nouns)
    return either(
        say(
            "{subject} {can}{step}",
            subject=subject,
            can=either(
                say("can be walked on", walkable=True),
                say("cannot be walked on", walkable=False),
                say("is walkable", walkable=True),
                say("is not walkable", walkable=False),
            ),
            step=either(
                silence(health=0, deadly=False),
                say("{link}{moving} it {tread}", link=Link("; "), moving=_moving, tread=_tread),
                say("{link}{tread}", link=Link(", which "), tread=_tread),
            ),
        ),
        InPart(say("{moving} {subject} {tread}", moving=_moving, subject=subject, tread=_tread)),
        say("{subject} is deadly", subject=subject, deadly=True),
        say("{subject} is not deadly", subject=subject, deadly=False),
        say("the player can walk on {subject}", subject=subject, walkable=True),
        say("the player cannot walk on {subject}", subject=subject, walkable=False),
    )
