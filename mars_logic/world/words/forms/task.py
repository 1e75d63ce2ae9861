"""Sentences on tasks: collecting, placing and making."""

from __future__ import annotations

from mars_logic.world import names
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.words.forms.shared import A_SINGLE, IN_GENERAL, amounts, materials
from mars_logic.world.words.kinds import ChanceValue, Counted, Several, named, spaced, with_article
from mars_logic.world.words.parts import (
    Canonical,
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


def yields(empty: str | None = "nothing", choices: tuple[str, ...] = names.GAINS) -> Several:
    """The certain yields, ``plus`` at most one of the random ones."""
    certain = Slot(("name", "amount"), Counted(choices))
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


def spawns(template: str = "{name} appear {probability}") -> Several:
    """At most one creature, with its probability."""
    return Several(
        say(
            template,
            name=named(names.CREATURES, A_SINGLE),
            probability=ChanceValue(),
        ),
        unpack=lambda value: [{"name": who, "probability": p} for who, p in value.items()],
        pack=lambda found: FrozenMap({each["name"]: each["probability"] for each in found}),
        empty=None,
    )


def _deeds(s: str) -> Part:
    """The effects of collecting, with the verbs' ending."""
    left = named(names.NATURAL, A_SINGLE)
    return clauses(
        say(f"[player ]need{s} {{requires}}", requires=amounts()),
        either(
            say(f"yield{s} {{yields}}", yields=yields()),
            Canonical(say(f"give{s} [player ]{{yields}}", yields=yields())),
        ),
        either(
            say(f"leave{s} it as it is", leaves=Like("subject")),
            say(f"leave{s} it unchanged", leaves=Like("subject")),
            say(f"leave{s} {{leaves}}[behind]", leaves=left),
            say(f"turn{s} it into {{leaves}}", leaves=left),
        ),
        either(
            say(f"let{s} {{spawns}}", spawns=spawns()),
            InPart(say(f"let{s} nothing appear", spawns={})),
        ),
    )


MATERIAL = named(names.COLLECTABLE, A_SINGLE)
"""A material that collecting may be tried on."""
_collecting = either(say("collecting from"), say("mining"))
_collected = either(say("mined"), say("collected from"))
_untold = silence(requires={}, yields={}, leaves=Like("subject"), spawns={})

COLLECT = either(
    say(
        "{collecting} {subject} {deeds}",
        collecting=_collecting,
        subject=MATERIAL,
        deeds=_deeds("s"),
        collectable=True,
    ),
    say(
        "{collecting} {subject} with {requires} {deeds}",
        collecting=_collecting,
        subject=MATERIAL,
        requires=amounts(),
        deeds=_deeds("s"),
        collectable=True,
    ),
    say(
        "nothing can be collected from {subject}{untold}",
        subject=MATERIAL,
        untold=_untold,
        collectable=False,
    ),
    say(
        "nothing can be collected from {subject} (if it could, that would {deeds})",
        subject=MATERIAL,
        deeds=_deeds(""),
        collectable=False,
    ),
    InPart(
        say(
            "something can be collected from {subject}{untold}",
            subject=MATERIAL,
            untold=_untold,
            collectable=True,
        )
    ),
    say(
        "{subject} yields {yields}[when collected]",
        subject=MATERIAL,
        yields=yields(),
        collectable=True,
    ),
    say(
        "{subject} can be {collected}{how}{then}",
        subject=MATERIAL,
        collected=_collected,
        how=maybe(say(" with {requires}", requires=amounts())),
        then=maybe(say("{link}{deeds}", link=Link(", which "), deeds=_deeds("s"))),
        collectable=True,
    ),
    say(
        "{subject} cannot be {collected}",
        subject=MATERIAL,
        collected=_collected,
        collectable=False,
    ),
    InPart(
        say(
            "{collecting} {subject} would {deeds}",
            collecting=_collecting,
            subject=MATERIAL,
            deeds=_deeds(""),
        )
    ),
)

PLACEABLE = either(
    say("{subject}", subject=named(names.PLACEABLE, A_SINGLE)),
    say("a sapling", subject="plant"),
    Heard(say("saplings", subject="plant")),
)
BUILT = ("table", "furnace")
"""Objects that only the player produces, which makes a sentence on them one on placing."""
_where = materials(IN_GENERAL, "or")
_uses = either(say("uses {uses}", uses=amounts()), say("[player ]needs {uses}", uses=amounts()))

PLACE = either(
    say(
        "{subject} {deeds}",
        subject=either(
            say("placing {thing}", thing=PLACEABLE),
            say("{subject}", subject=named(BUILT, A_SINGLE)),
        ),
        deeds=clauses(
            _uses,
            either(say("works on {where}", where=_where), say("works nowhere", where=())),
        ),
    ),
    say(
        "{subject} can be placed on {where}{uses}",
        subject=PLACEABLE,
        where=_where,
        uses=maybe(say("{link}{uses}", link=Link(", which "), uses=_uses)),
    ),
)

TOOL = named(names.TOOLS, {tool: with_article(spaced(tool)) for tool in names.TOOLS})
_nearby = materials(A_SINGLE, "and", "nothing", first=BUILT)
"""Nearby materials, stations first: "stone and a table nearby" could mean that stone is used."""
_station = materials(A_SINGLE, "and", choices=BUILT)
"""The required stations nearby, for materials that could be mistaken for items."""
_unmade = silence(uses={}, nearby=())

MAKE = either(
    InPart(
        say(
            "making {subject} gives {amount}{untold}",
            subject=TOOL,
            amount=Slot(("subject", "gives"), Counted(names.TOOLS)),
            untold=_unmade,
        )
    ),
    say(
        "{making}{tools} {deeds}",
        making=either(say("making "), say("")),
        tools=either(
            say("{subject}{single}", subject=TOOL, single=silence(gives=1)),
            Slot(("subject", "gives"), Counted(names.TOOLS, usual=None)),
        ),
        deeds=either(
            clauses(
                either(
                    say("uses {uses}", uses=amounts()),
                    say("[player ]needs {uses}", uses=amounts(None)),
                ),
                either(
                    say("needs {nearby} nearby", nearby=_nearby),
                    say("{nearby} nearby", nearby=_station),
                    say("[needs ]nearby {nearby}", nearby=_station),
                ),
            ),
            say("needs nothing", uses={}, nearby=()),
        ),
    ),
)
