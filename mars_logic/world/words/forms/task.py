"""Sentences on tasks: collecting, placing and making."""

from __future__ import annotations

from mars_logic.world.frozen import FrozenMap
from mars_logic.world.words.forms.shared import amounts, materials
from mars_logic.world.words.kinds import (
    ChanceValue,
    Counted,
    Name,
    Several,
    lacking,
    whole,
)
from mars_logic.world.words.nouns import Nouns
from mars_logic.world.words.parts import (
    Fields,
    Heard,
    InPart,
    Like,
    Link,
    Part,
    Slot,
    clauses,
    either,
    maybe,
    say,
    silence,
)


def yields(thing: Counted, empty: str | None = "nothing") -> Several:
    """The certain yields, ``plus`` at most one of the random ones."""
    certain = Slot(("name", "amount"), thing)
    perhaps = say("{thing} {probability}", thing=certain, probability=ChanceValue())

    def link(left: Fields, right: Fields) -> str:
        if right.get("probability") is None:
            return "and"
        return "plus" if left.get("probability") is None else "or"

    return Several(
        either(perhaps, certain),
        unpack=lambda value: [{"name": item, **dict(given)} for item, given in value.items()],
        pack=lambda found: FrozenMap(
            {each["name"]: {k: v for k, v in each.items() if k != "name"} for each in found}
        ),
        link=link,
        empty=empty,
    )


def spawns(nouns: Nouns, template: str = "{name} appear {probability}") -> Several:
    """At most one creature, with its probability."""
    return Several(
        say(
            template,
            name=nouns.named(nouns.creatures, nouns.single),
            probability=ChanceValue(),
        ),
        unpack=lambda value: [{"name": who, "probability": p} for who, p in value.items()],
        pack=lambda found: FrozenMap({each["name"]: each["probability"] for each in found}),
        empty=None,
    )


def _deeds(nouns: Nouns, s: str) -> Part:
    """The effects of collecting, with the verbs' ending."""
    left = nouns.named(nouns.left, nouns.single)
    held, gained = nouns.counted(nouns.items), nouns.counted(nouns.gains)
    return clauses(
        say(f"[player ]need{s} {{requires}}", requires=amounts(held)),
        either(
            say(f"yield{s} {{yields}}", yields=yields(gained)),
            say(f"give{s} [player ]{{yields}}", yields=yields(gained)),
        ),
        either(
            say(f"leave{s} it as it is", leaves=Like("subject")),
            say(f"leave{s} it unchanged", leaves=Like("subject")),
            say(f"leave{s} {{leaves}}[behind]", leaves=left),
            say(f"turn{s} it into {{leaves}}", leaves=left),
        ),
        either(
            say(f"let{s} {{spawns}}", spawns=spawns(nouns)),
            InPart(say(f"let{s} nothing appear", spawns={})),
        ),
    )


def material(nouns: Nouns) -> Name:
    """A material that collecting may be tried on."""
    return nouns.named(nouns.collectable, nouns.single)


_collecting = either(say("collecting from"), say("collecting"), say("mining"))
_collected = either(say("mined"), say("collected from"), say("collected"))
_untold = silence(requires={}, yields={}, leaves=Like("subject"), spawns={})


def collects(nouns: Nouns) -> Part:
    """Sentences on collecting."""
    subject, deeds = material(nouns), _deeds(nouns, "s")
    held, gained = nouns.counted(nouns.items), nouns.named(nouns.gains)
    return either(
        say(
            "{collecting} {subject} {deeds}",
            collecting=_collecting,
            subject=subject,
            deeds=deeds,
            collectable=True,
        ),
        say(
            "{collecting} {subject} with {requires} {deeds}",
            collecting=_collecting,
            subject=subject,
            requires=amounts(held),
            deeds=deeds,
            collectable=True,
        ),
        say(
            "nothing can be collected from {subject}{untold}",
            subject=subject,
            untold=_untold,
            collectable=False,
        ),
        say(
            "nothing can be collected from {subject} (if it could, that would {deeds})",
            subject=subject,
            deeds=_deeds(nouns, ""),
            collectable=False,
        ),
        InPart(
            say(
                "something can be collected from {subject}{untold}",
                subject=subject,
                untold=_untold,
                collectable=True,
            )
        ),
        say(
            "{subject} yields {yields}[when collected]",
            subject=subject,
            yields=yields(nouns.counted(nouns.gains)),
            collectable=True,
        ),
        say(
            "{subject} can be {collected}{how}{then}",
            subject=subject,
            collected=_collected,
            how=maybe(say(" with {requires}", requires=amounts(held))),
            then=maybe(say("{link}{deeds}", link=Link(", which "), deeds=deeds)),
            collectable=True,
        ),
        say(
            "{subject} cannot be {collected}",
            subject=subject,
            collected=_collected,
            collectable=False,
        ),
        InPart(
            say(
                "{collecting} {subject} would {deeds}",
                collecting=_collecting,
                subject=subject,
                deeds=_deeds(nouns, ""),
            )
        ),
        say(
            "{collecting} {subject} {none}",
            collecting=_collecting,
            subject=subject,
            none=either(
                say("does not yields {yields}", yields=lacking(materials(gained, "or"))),
                say("yields no {yields}", yields=lacking(materials(gained, "or"))),
            ),
        ),
        say(
            "{collecting} {subject} {unneeded}",
            collecting=_collecting,
            subject=subject,
            unneeded=_not_needed("requires", nouns),
            collectable=True,
        ),
    )


def _not_needed(field: str, nouns: Nouns) -> Part:
    """Items of which none is needed: without amounts, of which another one might be."""
    items = materials(nouns.named(nouns.items), "or")
    return say("does not needs {things}", things=Slot((field,), lacking(items)))


def placeable(nouns: Nouns) -> Part:
    """Something that may be placed; a plant is placed as a sapling."""
    return either(
        say("{subject}", subject=nouns.named(nouns.placeable, nouns.single)),
        say("a sapling", subject="plant"),
        Heard(say("saplings", subject="plant")),
    )


def places(nouns: Nouns) -> Part:
    """Sentences on placing."""
    thing, used = placeable(nouns), amounts(nouns.counted(nouns.items))
    where = materials(nouns.named(nouns.materials, nouns.general), "or")
    uses = either(say("uses {uses}", uses=used), say("[player ]needs {uses}", uses=used))
    return either(
        say(
            "{subject} {deeds}",
            subject=either(
                say("placing {thing}", thing=thing),
                say("{subject}", subject=nouns.named(nouns.built, nouns.single)),
            ),
            deeds=clauses(
                uses,
                either(say("works on {where}", where=where), say("works nowhere", where=())),
            ),
        ),
        say(
            "{subject} can be placed on {where}{uses}",
            subject=thing,
            where=where,
            uses=maybe(say("{link}{uses}", link=Link(", which "), uses=uses)),
        ),
        say(
            "placing {thing} with {uses} works on {where}",
            thing=thing,
            uses=used,
            where=where,
        ),
        say("{subject} cannot be placed on {where}", subject=thing, where=lacking(where)),
        say("{subject} can only be placed on {where}", subject=thing, where=whole(where)),
        say("placing {thing} {uses}", thing=thing, uses=_not_needed("uses", nouns)),
    )


_unmade = silence(uses={}, nearby=())


def tool(nouns: Nouns) -> Name:
    """Something that may be made."""
    return nouns.named(nouns.tools, nouns.single_tools)


def makes(nouns: Nouns) -> Part:
    """Sentences on making.

    Of the materials nearby stations are told first, since "stone and a table nearby" could mean
    that stone is used.
    """
    made, held = tool(nouns), nouns.counted(nouns.items)
    nearby = materials(nouns.named(nouns.materials, nouns.single), "and", "nothing", nouns.built)
    # Stations alone stand nearby in words that could be about items, too.
    station = materials(nouns.named(nouns.built, nouns.single), "and")
    other = materials(nouns.named(nouns.built, nouns.single), "or")
    return either(
        say("{subject} can be made without {nearby} nearby", subject=made, nearby=lacking(other)),
        InPart(
            say(
                "making {subject} gives {amount}{untold}",
                subject=made,
                amount=Slot(("subject", "gives"), nouns.counted(nouns.tools)),
                untold=_unmade,
            )
        ),
        say(
            "{making}{tools} {deeds}",
            making=either(say("making "), say("")),
            tools=either(
                say("{subject}{single}", subject=made, single=silence(gives=1)),
                Slot(("subject", "gives"), nouns.counted(nouns.tools, usual=None)),
            ),
            deeds=either(
                clauses(
                    either(
                        say("uses {uses}", uses=amounts(held)),
                        say("[player ]needs {uses}", uses=amounts(held, None)),
                    ),
                    either(
                        say("needs {nearby} nearby", nearby=nearby),
                        say("{nearby} nearby", nearby=station),
                        say("[needs ]nearby {nearby}", nearby=station),
                    ),
                ),
                say("needs nothing", uses={}, nearby=()),
                _not_needed("uses", nouns),
                say("does not needs {nearby} nearby", nearby=lacking(other)),
            ),
        ),
    )
