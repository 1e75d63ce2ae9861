"""Sentences on projectiles: their flight and hits, and how the player shoots them."""

from __future__ import annotations

from mars_logic.world.creature_rules import MOST_DAMAGE
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.projectile_rules import FARTHEST_FLIGHT, MOST_SPEED
from mars_logic.world.words.forms.shared import amounts, materials
from mars_logic.world.words.kinds import Points, Several, Whole
from mars_logic.world.words.nouns import Nouns
from mars_logic.world.words.parts import InPart, Part, clauses, either, say


def flies(nouns: Nouns) -> Part:
    """Sentences on flight and hits."""
    turns = Several(
        say(
            "{name} into {becomes}",
            name=nouns.named(nouns.materials, nouns.general),
            becomes=nouns.named(nouns.materials, nouns.single),
        ),
        unpack=lambda value: [{"name": name, "becomes": into} for name, into in value.items()],
        pack=lambda found: FrozenMap({each["name"]: each["becomes"] for each in found}),
        empty=None,
    )
    over = materials(nouns.named(nouns.materials, nouns.general), "and")
    return say(
        "the flight of {subject} {deeds}",
        subject=nouns.named(nouns.of_family("projectile"), nouns.single),
        deeds=clauses(
            either(
                say("covers 1 cell each step", speed=1),
                say("covers {speed} cells each step", speed=Whole(1, MOST_SPEED)),
            ),
            either(
                say("has no end", range=None),
                say("ends after 1 cell", range=1),
                say("ends after {range} cells", range=Whole(1, FARTHEST_FLIGHT)),
            ),
            either(say("leads over {over}", over=over), say("leads over nothing else", over=())),
            either(
                say("harms the player as its shooter does", harm=None),
                say("costs {harm}", harm=Points(1, -1, "health")),
                say("gives {harm}", harm=Points(1, 1, "health")),
                say("spares the player", harm=0),
            ),
            say("takes {damage} health from creatures", damage=Whole(0, MOST_DAMAGE)),
            either(
                say("turns {breaks}", breaks=turns),
                say("breaks nothing", breaks=FrozenMap({})),
            ),
        ),
    )


def shoots(nouns: Nouns) -> Part:
    """Sentences on shooting."""
    thing = nouns.counted(nouns.items)
    return say(
        "shooting {subject} {deeds}",
        subject=nouns.named(nouns.of_family("shoot"), nouns.single),
        deeds=clauses(
            say("needs {requires}", requires=amounts(thing, None)),
            say("uses {uses}", uses=amounts(thing)),
            InPart(say("needs nothing", requires=FrozenMap({}))),
            InPart(say("uses nothing", uses=FrozenMap({}))),
        ),
    )
