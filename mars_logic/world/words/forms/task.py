"""Sentences on tasks: collecting, placing and making."""

from __future__ import annotations

from mars_logic.world import names
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.words.forms.shared import A_SINGLE, IN_GENERAL, amounts, materials
from mars_logic.world.words.kinds import Chance, Counted, Several, named, spaced, with_article
from mars_logic.world.words.parts import (
    Fields,
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


def _yields() -> Several:
    """What is certain, ``plus`` at most one of what only may be."""
    certain = Slot(("name", "amount"), Counted(names.GAINS))
    perhaps = say("{thing} {probability}", thing=certain, probability=Chance())

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
    )


def _spawns() -> Several:
    return Several(
        say(
            "{name} appear {probability}",
            name=named(names.CREATURES, A_SINGLE),
            probability=Chance(),
        ),
        unpack=lambda value: [{"name": who, "probability": p} for who, p in value.items()],
        pack=lambda found: FrozenMap({each["name"]: each["probability"] for each in found}),
        empty=None,
    )


def _deeds(s: str) -> Part:
    """What collecting does, with the verbs' ending."""
    left = named(names.NATURAL, A_SINGLE)
    return clauses(
        say(f"[player ]need{s} {{requires}}", requires=amounts()),
        either(
            say(f"yield{s} {{yields}}", yields=_yields()),
            say(f"give{s} [player ]{{yields}}", yields=_yields()),
        ),
        either(
            say(f"leave{s} it as it is", leaves=Like("subject")),
            say(f"leave{s} it unchanged", leaves=Like("subject")),
            say(f"leave{s} {{leaves}}[behind]", leaves=left),
            say(f"turn{s} it into {{leaves}}", leaves=left),
        ),
        either(
            say(f"let{s} {{spawns}}", spawns=_spawns()),
            InPart(say(f"let{s} nothing appear", spawns={})),
        ),
    )


_material = named(names.COLLECTABLE, A_SINGLE)
_collecting = either(say("collecting from"), say("mining"))
_collected = either(say("mined"), say("collected from"))
_untold = silence(requires={}, yields={}, leaves=Like("subject"), spawns={})

COLLECT = either(
    say(
        "{collecting} {subject} {deeds}",
        collecting=_collecting,
        subject=_material,
        deeds=_deeds("s"),
        collectable=True,
    ),
    say(
        "{collecting} {subject} with {requires} {deeds}",
        collecting=_collecting,
        subject=_material,
        requires=amounts(),
        deeds=_deeds("s"),
        collectable=True,
    ),
    say(
        "nothing can be collected from {subject}{untold}",
        subject=_material,
        untold=_untold,
        collectable=False,
    ),
    say(
        "nothing can be collected from {subject} (if it could, that would {deeds})",
        subject=_material,
        deeds=_deeds(""),
        collectable=False,
    ),
    InPart(
        say(
            "something can be collected from {subject}{untold}",
            subject=_material,
            untold=_untold,
            collectable=True,
        )
    ),
    say(
        "{subject} yields {yields}[when collected]",
        subject=_material,
        yields=_yields(),
        collectable=True,
    ),
    say(
        "{subject} can be {collected}{how}{then}",
        subject=_material,
        collected=_collected,
        how=maybe(say(" with {requires}", requires=amounts())),
        then=maybe(say("{link}{deeds}", link=Link(", which "), deeds=_deeds("s"))),
        collectable=True,
    ),
    say(
        "{subject} cannot be {collected}",
        subject=_material,
        collected=_collected,
        collectable=False,
    ),
    InPart(
        say(
            "{collecting} {subject} would {deeds}",
            collecting=_collecting,
            subject=_material,
            deeds=_deeds(""),
        )
    ),
)

_placeable = either(
    say("{subject}", subject=named(names.PLACEABLE, A_SINGLE)),
    say("a sapling", subject="plant"),
)
_BUILT = ("table", "furnace")
"""What is placed and is neither found nor grows, so that a sentence on it is on placing it."""
_where = materials(IN_GENERAL, "or")
_uses = either(say("uses {uses}", uses=amounts()), say("[player ]needs {uses}", uses=amounts()))

PLACE = either(
    say(
        "{subject} {deeds}",
        subject=either(
            say("placing {thing}", thing=_placeable),
            say("{subject}", subject=named(_BUILT, A_SINGLE)),
        ),
        deeds=clauses(
            _uses,
            either(say("works on {where}", where=_where), say("works nowhere", where=())),
        ),
    ),
    say(
        "{subject} can be placed on {where}{uses}",
        subject=_placeable,
        where=_where,
        uses=maybe(say("{link}{uses}", link=Link(", which "), uses=_uses)),
    ),
)

_tool = named(names.TOOLS, {tool: with_article(spaced(tool)) for tool in names.TOOLS})
_station = materials(A_SINGLE, "and", choices=_BUILT)
"""What has to be nearby, where a material could be taken for an item."""
_unmade = silence(uses={}, nearby=())

MAKE = either(
    InPart(
        say(
            "making {subject} gives {amount}{untold}",
            subject=_tool,
            amount=Slot(("subject", "gives"), Counted(names.TOOLS)),
            untold=_unmade,
        )
    ),
    say(
        "{making}{tools} {deeds}",
        making=either(say("making "), say("")),
        tools=either(
            say("{subject}{single}", subject=_tool, single=silence(gives=1)),
            Slot(("subject", "gives"), Counted(names.TOOLS, usual=None)),
        ),
        deeds=either(
            clauses(
                either(
                    say("uses {uses}", uses=amounts()),
                    say("[player ]needs {uses}", uses=amounts(None)),
                ),
                either(
                    say("needs {nearby} nearby", nearby=materials(A_SINGLE, "and", "nothing")),
                    say("{nearby} nearby", nearby=_station),
                    say("[needs ]nearby {nearby}", nearby=_station),
                ),
            ),
            say("needs nothing", uses={}, nearby=()),
        ),
    ),
)
