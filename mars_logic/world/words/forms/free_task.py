"""Sentences of free text on tasks: collecting, placing and making."""

from __future__ import annotations

from mars_logic.world import names
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.words.facts import Excluding
from mars_logic.world.words.forms.free_kinds import (
    lacking,
    lacking_one,
    patterns,
    whole,
)
from mars_logic.world.words.forms.shared import A_SINGLE, IN_GENERAL, amounts, materials
from mars_logic.world.words.forms.task import BUILT, MATERIAL, PLACEABLE, TOOL, spawns, yields
from mars_logic.world.words.kinds import ChanceValue, Counted, Several, named
from mars_logic.world.words.parts import Like, Link, Slot, clauses, either, maybe, say

_items = amounts(None)
_things = materials({}, "or", choices=names.HOLDABLE)
"""Items of which none is needed: without amounts, of which another one might be."""

# --- Collecting -----------------------------------------------------------------------------------

_likely = Several(
    patterns(
        {"probability": ChanceValue(), "thing": Slot(("name", "amount"), Counted(names.GAINS))},
        "{probability} of {thing}",
        "{probability} for {thing}",
        "{probability} of gives {thing}",
        "{probability} to gives {thing}",
        "{probability} of yields {thing}",
        "{probability} to yields {thing}",
        "{probability} of gets {thing}",
        "{probability} gets {thing}",
    ),
    unpack=lambda value: [{"name": item, **dict(given)} for item, given in value.items()],
    pack=lambda found: FrozenMap(
        {each["name"]: {k: v for k, v in each.items() if k != "name"} for each in found}
    ),
    empty=None,
)
"""Yields with the probability before the item: ``a 10% chance of a sapling``."""

_RESOURCES = yields(choices=names.RESOURCES)
"""What is given. A drink is not among it: water that gives drink yields it, or has that effect."""

_left = named(names.NATURAL, A_SINGLE)
_no_tool = patterns(
    {},
    "needs no tool",
    "needs no tools",
    "does not needs tool",
    "does not needs tools",
    "is possible without tool",
    "is possible without tools",
    requires=Excluding(names.TOOLS),
)
_deeds = clauses(
    either(
        say("[player ]needs {requires}", requires=amounts()),
        say("with {requires}", requires=_items),
        say("does not needs {requires}", requires=lacking(_things)),
        _no_tool,
    ),
    either(
        say("yields {yields}", yields=yields()),
        say("gives [player ]{yields}", yields=_RESOURCES),
        say("player gets {yields}", yields=_RESOURCES),
        say("collecting {yields}", yields=yields(None, names.RESOURCES)),
        say("has {yields}", yields=_likely),
    ),
    either(
        say("leaves it unchanged", leaves=Like("subject")),
        say("remains unchanged", leaves=Like("subject")),
        say("remain unchanged", leaves=Like("subject")),
        say("leaves {leaves}[behind]", leaves=_left),
        say("turns it into {leaves}", leaves=_left),
        say("turns into {leaves}", leaves=_left),
        say("turns {subject} into {leaves}", subject=MATERIAL, leaves=_left),
        say("turns {subject} to {leaves}", subject=MATERIAL, leaves=_left),
    ),
    either(
        say("lets {spawns}", spawns=spawns()),
        say("spawns {spawns}", spawns=spawns("{name} {probability}")),
        say("has {spawns}", spawns=spawns("{probability} of spawns {name}")),
        say("has {spawns}", spawns=spawns("{probability} to spawns {name}")),
    ),
)
"""The effects and requirements of collecting."""

_COLLECTING = patterns(
    {"subject": MATERIAL},
    "collecting from {subject}",
    "mining {subject}",
    "collecting {subject}",
)

COLLECT = either(
    patterns(
        {
            "subject": MATERIAL,
            "collect": _COLLECTING,
            "collected": either(say("collected"), say("mined"), say("collected from")),
            "taken": either(
                *(say(each) for each in ("collected", "mined", "collecting it", "mining it")),
                say("mining it up"),
            ),
            "requires": _items,
            "tools": Slot(("requires",), amounts(None, names.TOOLS)),
            "yields": yields(None, names.RESOURCES),
            "likely": Slot(("yields",), _likely),
            "leaves": _left,
            "deeds": _deeds,
            "then": maybe(say("{link}{deeds}", link=Link(", "), deeds=_deeds)),
            "with": maybe(say("with {requires}", requires=_items)),
        },
        # Effects and requirements of an activity.
        "[player can ][for ]{collect} [it ]{deeds}",
        "when [player ]{collect} [it ]{deeds}",
        "player can {collect}",
        # Requirements.
        "player needs {requires}[for] {collect}{then}",
        "player needs {requires} before player can {collect}",
        "[player ]needs {tools} for {subject}",
        "tool needed for {subject} is {tools}",
        "{subject} needs {requires}[for] mining",
        "{subject} needs {requires}[for] collecting",
        "needs {requires}[for] {collect}",
        "{requires} is needed[for] {collect}",
        "{requires} is needed when {collect}",
        "uses {requires} {collect}",
        "with {requires} player can {collect}",
        "player can only {collect} with {requires}",
        "player can {collect} only with {requires}",
        "player cannot {collect} without {requires}",
        "without {requires} player cannot {collect}",
        "{collect} is impossible without {requires}",
        "{collect} is not possible without {requires}",
        "{collect} is [only ]possible [only ]with {requires}",
        "{subject} cannot be {collected} without {requires}",
        "{subject} can [only ]be {collected} [only ]with {requires}{then}",
        "{subject} is {collected} with {requires}{then}",
        "{subject} can [only ]be {collected} [only ]when player has {requires}",
        "player can [only ]{collect} [only ]when player has {requires}",
        "player cannot {collect} unless player has {requires}",
        "{subject} cannot be {collected} unless player has {requires}",
        "only {requires} can {collect}",
        "{requires} can {collect}",
        "{requires} lets player {collect}",
        "{subject} needs {requires} to be {collected}",
        "{subject} needs {tools}{then}",
        "{subject} {tools} needed{then}",
        "needed {tools} for {subject}",
        "{requires} is needed for {subject}",
        # Yields.
        "{subject} can be {collected}{then}",
        "[player can ]collecting {yields} from {subject}{with}",
        "[player can ]gets {yields} from {subject}{with}",
        "player gets {yields} from {subject}{with}",
        "{subject} = {yields}",
        "[player can ]gets {yields} from {collect}{with}",
        "[player can ]gets {yields} by {collect}{with}",
        "from {subject} player gets {yields}",
        "[player ]gets {yields} when [player ]{collect}",
        "{yields} from {subject}{with}",
        "{yields} can be {collected} from {subject}{with}",
        "{yields} is {collected} from {subject}{with}",
        "{yields} can be obtained from {subject}{with}",
        "{yields} is obtained from {subject}{with}",
        "{yields} can be obtained by {collect}{with}",
        "{yields} is obtained by {collect}{with}",
        "{yields} comes from {subject}",
        "{yields} come from {subject}",
        "{subject} gives [player ]{yields}",
        "{subject} gives [player ]{yields} when {collected}",
        "{subject} gives [player ]{yields} when [player ]collecting it",
        "{subject} gives [player ]{yields} when [player ]mining it",
        "{subject} yields {yields} when {collected}",
        "{subject} {likely}",
        "{subject} has {likely}",
        "{subject} has {likely} when {collected}",
        "{collect} {likely}",
        "[is ]{likely} when [player ]{collect}",
        "player has {likely} when [player ]{collect}",
        "{likely} from {subject}",
        # The material left.
        "{subject} turns into {leaves} when [it ][is ]{collected}",
        "{subject} turns into {leaves} when [player ]{collect}",
        "{subject} leaves {leaves} [behind ]when [it ][is ]{collected}",
        "{subject} {deeds} when [player ][it ][is ][being ]{taken}{with}",
        "when [it ][is ][being ]{collected} {subject} {deeds}",
        "when {subject} is {collected} [it ]{deeds}",
        "when [player ]{collect} {subject} turns into {leaves}",
        collectable=True,
    ),
    patterns(
        {"collect": _COLLECTING},
        "no tool is needed[for] {collect}",
        "no tools is needed[for] {collect}",
        "player needs no tool[for] {collect}",
        "player needs no tools[for] {collect}",
        "player does not needs tool[for] {collect}",
        "player does not needs tools[for] {collect}",
        requires=Excluding(names.TOOLS),
        collectable=True,
    ),
    patterns(
        {
            "subject": MATERIAL,
            "collect": _COLLECTING,
            "none": either(
                say("does not yields {yields}", yields=lacking_one(named(names.GAINS))),
                say("yields no {yields}", yields=lacking_one(named(names.GAINS))),
                say("yields 0 {yields}", yields=lacking_one(named(names.GAINS))),
                *(
                    say(template, yields=lacking_one(named(names.RESOURCES)))
                    for template in (
                        "does not gives [player ]{yields}",
                        "gives [player ]no {yields}",
                        "gives [player ]0 {yields}",
                    )
                ),
            ),
            "got": Slot(("yields",), lacking_one(named(names.RESOURCES))),
            "collected": either(say("collected"), say("mined")),
        },
        "{collect} {none}",
        "when [player ]{collect} [it ]{none}",
        "{subject} {none}",
        "{subject} {none} when {collected}",
        "player does not gets {got} from {subject}",
        "player does not gets {got} from {collect}",
        "player does not gets {got} by {collect}",
        "player cannot gets {got} from {subject}",
    ),
    patterns(
        {"subject": MATERIAL, "collected": either(say("collected"), say("mined"))},
        "player cannot mining {subject}",
        "player cannot collecting [from ]{subject}",
        "{subject} cannot be {collected}",
        collectable=False,
    ),
)
"""Free sentences on collecting."""

# --- Placing --------------------------------------------------------------------------------------

_ground = materials(IN_GENERAL, "or")
_used = either(
    say("uses {uses}", uses=amounts()),
    say("[player ]needs {uses}", uses=amounts()),
    say("costs [player ]{uses}", uses=amounts()),
    say("takes {uses}", uses=amounts()),
    say("does not needs {uses}", uses=lacking(_things)),
)
_built_of = patterns({"uses": _items}, "with {uses}", "from {uses}", "of {uses}", "out of {uses}")
_placing = clauses(
    either(_used, say("with {uses}", uses=_items)),
    either(
        say("works on {where}", where=_ground),
        say("is possible on {where}", where=_ground),
        say("works only on {where}", where=whole(_ground)),
        say("is only possible on {where}", where=whole(_ground)),
        say("does not works on {where}", where=lacking(_ground)),
        say("is not possible on {where}", where=lacking(_ground)),
    ),
)
_building = {"subject": named(BUILT, A_SINGLE)}

PLACE = patterns(
    {
        "subject": PLACEABLE,
        "built": patterns(_building, "{subject}"),
        "place": either(
            say("placing {thing}", thing=PLACEABLE),
            say("placed {thing}", thing=PLACEABLE),
            patterns(_building, "making {subject}"),
        ),
        "uses": _items,
        "built_of": _built_of,
        "where": _ground,
        "nowhere": Slot(("where",), lacking(_ground)),
        "everywhere": Slot(("where",), whole(_ground)),
        "deeds": _placing,
        "then": maybe(say("{link}{uses}", link=Link(", "), uses=_used)),
    },
    # Uses.
    "[player can ][for ]{place} [it ]{deeds}",
    "[for ]{built} {deeds}",
    "{subject} needs {uses} to be placed",
    "player needs {uses}[for] {place}",
    "needs {uses}[for] {place}",
    "{uses} is needed[for] {place}",
    "uses {uses} {place}",
    "with {uses} player can {place}",
    "player cannot {place} without {uses}",
    "without {uses} player cannot {place}",
    "{place} is not possible without {uses}",
    "{built} cannot be made without {uses}",
    "{built} can be made {built_of}",
    "{built} can be placed {built_of}",
    "{built} is made {built_of}",
    "{built} needs {uses} to be made",
    "[player ][can ]{place} {built_of}",
    "{built} = {uses}",
    "[for ]{built} {deeds} when [it ][is ]placed",
    "{uses} is used when [player ]{place}",
    "{uses} uses when [player ]{place}",
    # Ground.
    "{subject} can walk on {where}",
    "{subject} can only walk on {everywhere}",
    "{subject} only on {everywhere}",
    "{subject} can be placed on {where}{then}",
    "player can {place} on {where}{then}",
    "{subject} can only be placed on {everywhere}{then}",
    "{subject} can be placed only on {everywhere}{then}",
    "{subject} can be placed on {everywhere} and nowhere else",
    "player can {place} on {everywhere} and nowhere else",
    "{place} on {everywhere} only is possible",
    "{place} is possible on {everywhere} only",
    "player can only {place} on {everywhere}",
    "player can {place} only on {everywhere}",
    "{subject} cannot be placed on {nowhere}",
    "player cannot {place} on {nowhere}",
    "{place} on {where} is possible",
    "{place} on {where} works",
    "{place} on {nowhere} is not possible",
    "{place} on {nowhere} is impossible",
    "{place} on {nowhere} does not works",
)
"""Free sentences on placing."""

# --- Making ---------------------------------------------------------------------------------------

_stations = materials(A_SINGLE, "and", choices=BUILT)
_uses_all = either(
    say("uses {uses}", uses=amounts()),
    say("[player ]needs {uses}", uses=_items),
    say("costs [player ]{uses}", uses=_items),
    say("takes {uses}", uses=_items),
    say("with {uses}", uses=_items),
    say("from {uses}", uses=_items),
    say("out of {uses}", uses=_items),
    say("of {uses}", uses=_items),
    say("{uses}", uses=_items),
    say("does not needs {uses}", uses=lacking(_things)),
)
_near = either(
    *(
        say(template, nearby=_stations)
        for template in (
            "[player ]needs {nearby} nearby",
            "[player ]needs {nearby}",
            "needs [player ]to be near {nearby}",
            "[needs ]being near {nearby}",
            "[player ]needs to be near {nearby}",
            "[player ]needs nearby {nearby}",
            "{nearby} nearby",
            "needs {nearby} near",
            "{nearby}",
            "nearby {nearby}",
            "with {nearby} nearby",
            "with nearby {nearby}",
            "near {nearby}",
            "[when ]near {nearby}",
            "when player is near {nearby}",
            "{nearby} needs to be nearby",
            "when {nearby} is nearby",
            "when being near {nearby}",
            "needs to be done when being near {nearby}",
            "has to be done near {nearby}",
            "needs to be done near {nearby}",
        )
    ),
    say("needs nothing nearby", nearby=()),
    say("does not needs {nearby} nearby", nearby=lacking(materials(A_SINGLE, "or", choices=BUILT))),
    say("does not needs nearby {nearby}", nearby=lacking(materials(A_SINGLE, "or", choices=BUILT))),
    say("does not needs {nearby}", nearby=lacking(materials(A_SINGLE, "or", choices=BUILT))),
)
_needing = clauses(_uses_all, _near)

MAKE = patterns(
    {
        "subject": TOOL,
        "make": say("making {subject}", subject=TOOL),
        "uses": _items,
        "nearby": _stations,
        "needing": _needing,
        "near": maybe(say("{link}{near}", link=Link(", "), near=_near)),
        "how": maybe(say("{link}{needing}", link=Link(", "), needing=_needing)),
    },
    "[player can ][for ]{make} [it ]{needing}",
    "[for ]{subject} {needing}",
    "{subject} = {needing}",
    "[for ]{make} is needed {needing}",
    "without {needing} player cannot {make}",
    "{subject} can [only ]be made [only ]{needing}",
    "{subject} needs to be made {needing}",
    "{subject} is made {needing}",
    "{subject} cannot be made without {needing}",
    "{subject} needs {uses} to be made{near}",
    "player cannot {make} without {needing}",
    "player can only {make} {needing}",
    "player can {make} only {needing}",
    "{make} is [only ]possible [only ]{needing}",
    "{make} is not possible without {needing}",
    "{needing}[for] {make}{how}",
    "{needing} is needed[for] {make}{how}",
    "{nearby} is needed nearby[for] {make}",
    "{needing} player can {make}{how}",
    "uses {uses} {make}{near}",
    "player needs to be near {nearby} {make}",
)
"""Free sentences on making."""
