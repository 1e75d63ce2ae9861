"""Sentences on terrain: map generation and walking."""

from __future__ import annotations

from mars_logic.world import names
from mars_logic.world.words.forms.shared import A_SINGLE, GROUND, WOULD, effects_on_player
from mars_logic.world.words.kinds import Name, named
from mars_logic.world.words.parts import InPart, Link, clauses, either, say, silence, yes_or_no

ENCLOSED = named(("water", "coal", "iron", "diamond", "lava"))
"""The features of a map that a material encloses, if any does."""
GROUND_OR_NONE = Name({**GROUND.phrases, None: "nothing special"})
"""A natural material, or none."""

NEIGHBOUR = either(
    say("the player starts in an area of {material}", subject="player", material=GROUND),
    say("the player starts on {material}", subject="player", material=GROUND),
    say("trees stand in open land of {material}", subject="tree", material=GROUND),
    say("trees are surrounded by {material}", subject="tree", material=GROUND),
    say(
        "{subject} is surrounded by {material}",
        subject=ENCLOSED,
        material=GROUND_OR_NONE,
    ),
)

RENAME = say(
    "where the map would have {subject}, it has {material}", subject=GROUND, material=GROUND
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
WALKABLE = named(names.NATURAL, A_SINGLE)
"""A material that a move may lead onto."""

WALK = either(
    say(
        "{subject} {can}{step}",
        subject=WALKABLE,
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
    InPart(say("{moving} {subject} {tread}", moving=_moving, subject=WALKABLE, tread=_tread)),
    say("{subject} is deadly", subject=WALKABLE, deadly=True),
    say("{subject} is not deadly", subject=WALKABLE, deadly=False),
    say("the player can walk on {subject}", subject=WALKABLE, walkable=True),
    say("the player cannot walk on {subject}", subject=WALKABLE, walkable=False),
)
