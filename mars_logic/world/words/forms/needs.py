"""Sentences on needs that a world adds."""

from __future__ import annotations

from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.need_rules import LONGEST_INTERVAL
from mars_logic.world.words.kinds import Name, Points, Several, Whole
from mars_logic.world.words.nouns import Nouns
from mars_logic.world.words.parts import InPart, Part, clauses, either, say


def _gains(preposition: str, name: Name) -> Several:
    """Points by names: ``2 near a campfire``."""
    return Several(
        say(f"{{points}} {preposition} {{name}}", points=Whole(1, MAXIMUM), name=name),
        unpack=lambda value: [{"name": each, "points": n} for each, n in value.items()],
        pack=lambda found: FrozenMap({each["name"]: each["points"] for each in found}),
        empty=None,
    )


def _held(nouns: Nouns) -> Several:
    """Items, one of which is enough."""
    return Several(
        say("{name}", name=nouns.named(nouns.items, nouns.single_items)),
        unpack=lambda value: [{"name": item} for item in value],
        pack=lambda found: tuple(each["name"] for each in found),
        link=lambda _left, _right: "or",
        empty=None,
    )


def grows(nouns: Nouns) -> Part:
    """Sentences on how a need falls and rises."""
    place = nouns.named(nouns.materials, nouns.single)
    ground = nouns.named(nouns.materials, nouns.general)
    item = nouns.named(nouns.items, nouns.single_items)
    nothing: FrozenMap[str, int] = FrozenMap({})
    loss, every = Whole(0, 9), Whole(1, LONGEST_INTERVAL)
    falls = either(
        say("falls by {loss} every step", loss=loss, every=1),
        say("falls by {loss} every {every} steps", loss=loss, every=every),
        InPart(say("falls by {loss}", loss=loss)),
        InPart(say("changes every step", every=1)),
        InPart(say("changes every {every} steps", every=every)),
    )
    when = either(
        say("does so only by day", when="day"),
        say("does so only by night", when="night"),
        InPart(say("does so at any time", when="always")),
    )
    kept = either(
        say("is kept by {kept_by}", kept_by=_held(nouns)),
        InPart(say("is kept by nothing", kept_by=())),
    )
    return say(
        "{subject} {deeds}",
        subject=nouns.named(nouns.of_family("need")),
        deeds=clauses(
            falls,
            when,
            kept,
            either(
                say("comes back by day", rises="day"), say("comes back by night", rises="night")
            ),
            say("rises by {gains_near}", gains_near=_gains("near", place)),
            say("rises by {gains_on}", gains_on=_gains("on", ground)),
            say("rises by {gains_eating}", gains_eating=_gains("from", item)),
            InPart(say("rises near nothing", gains_near=nothing)),
            InPart(say("rises on no ground", gains_on=nothing)),
            InPart(say("rises from no meal", gains_eating=nothing)),
            InPart(say("never comes back by itself", rises="never")),
            either(
                say("at 0 costs {empty}", empty=Points(1, -1, "health")),
                say("at 0 gives {empty}", empty=Points(1, 1, "health")),
                say("at 0 changes nothing", empty=0),
            ),
        ),
    )
