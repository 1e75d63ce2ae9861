"""Sentences of free text on terrain: map generation and walking."""

from __future__ import annotations

from mars_logic.world.words.forms.free_kinds import patterns
from mars_logic.world.words.forms.free_survival import harm
from mars_logic.world.words.forms.shared import ground
from mars_logic.world.words.forms.terrain import ENCLOSED, ground_or_none, walkable
from mars_logic.world.words.nouns import Nouns
from mars_logic.world.words.parts import Link, Part, clauses, either, maybe, say


def neighbours(nouns: Nouns) -> Part:
    """Free sentences on what lies where."""
    material = ground(nouns)
    return either(
        patterns(
            {"material": material},
            "player starts [in area of ][in ][on ]{material}",
            subject="player",
        ),
        patterns(
            {"material": material},
            "trees stand[s] [in ][on ][among ]{material}",
            "trees grow [in ][on ][among ]{material}",
            subject="tree",
        ),
        patterns(
            {"subject": ENCLOSED, "material": ground_or_none(nouns)},
            "{subject} is surrounded by {material}",
            "{subject} is enclosed by {material}",
        ),
    )


_lethal = either(
    say("kills[ player]", deadly=True),
    say("does not kill[ player]", deadly=False),
    say("is deadly[ for player][ to player]", deadly=True),
    say("is not deadly", deadly=False),
    say("player dies", deadly=True),
)
_tread = either(
    say("does nothing", health=0, deadly=False),
    say("does nothing on [player ]health", health=0),
    say("does nothing to player", health=0, deadly=False),
    clauses(harm("health", 1), _lethal),
)
_moving = either(say("walking on"), say("walk on"))
_dying = ("player dies when [player ]{moving} {subject}", "player dies by {moving} {subject}")


def walks(nouns: Nouns) -> Part:
    """Free sentences on walking."""
    slots = {
        "subject": walkable(nouns),
        "moving": _moving,
        "tread": _tread,
        "lethal": _lethal,
        "harm": harm("health", 1),
        "then": maybe(
            say(
                "{link}{move}{tread}",
                link=Link(", "),
                move=maybe(say("{moving} it ", moving=_moving)),
                tread=_tread,
            )
        ),
    }
    return either(
        patterns(
            slots,
            "{subject} can be walked on{then}",
            "{subject} [is ]walkable{then}",
            "{moving} {subject} is possible",
            "player can walk on {subject}{then}",
            walkable=True,
        ),
        patterns(
            slots,
            "{subject} cannot be walked on",
            "no {moving} {subject}",
            "{subject} [is ]unwalkable",
            "{subject} is not walkable",
            "{moving} {subject} is not possible",
            "{moving} {subject} is impossible",
            "player cannot walk on {subject}",
            walkable=False,
        ),
        patterns(
            slots,
            "[player ]{moving} {subject} {tread}",
            "when [player ]{moving} {subject} [it ]{tread}",
            "{harm} when [player ]{moving} {subject}",
            "{harm} by {moving} {subject}",
            "{subject} {lethal} when [player ]{moving} it",
            "{subject} {tread} when [player ]{moving} it",
            "{subject} {tread} when walked on",
        ),
        patterns(slots, *_dying, deadly=True),
        patterns(slots, "{subject} {lethal}"),
    )
