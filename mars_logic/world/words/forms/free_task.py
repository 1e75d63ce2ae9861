"""Sentences of free text on placing and making."""

from __future__ import annotations

from typing import Final

from mars_logic.world.words.forms.free_kinds import lacking, patterns, things_of, whole
from mars_logic.world.words.forms.shared import amounts, materials
from mars_logic.world.words.forms.task import placeable, tool
from mars_logic.world.words.kinds import Several
from mars_logic.world.words.nouns import Nouns
from mars_logic.world.words.parts import Link, Part, Slot, clauses, either, maybe, say

# --- Placing --------------------------------------------------------------------------------------

_PLACED: Final = (
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
"""Sentences on placing."""


def _ground(nouns: Nouns) -> Several:
    return materials(nouns.named(nouns.materials, nouns.general), "or")


def _used(nouns: Nouns) -> Part:
    held = amounts(nouns.counted(nouns.items))
    return either(
        say("uses {uses}", uses=held),
        say("[player ]needs {uses}", uses=held),
        say("costs [player ]{uses}", uses=held),
        say("takes {uses}", uses=held),
        say("does not needs {uses}", uses=lacking(things_of(nouns))),
    )


def _placing(nouns: Nouns, used: Part) -> Part:
    ground, some = _ground(nouns), amounts(nouns.counted(nouns.items), None)
    return clauses(
        either(used, say("with {uses}", uses=some)),
        either(
            say("works on {where}", where=ground),
            say("is possible on {where}", where=ground),
            say("works only on {where}", where=whole(ground)),
            say("is only possible on {where}", where=whole(ground)),
            say("does not works on {where}", where=lacking(ground)),
            say("is not possible on {where}", where=lacking(ground)),
        ),
    )


def places(nouns: Nouns) -> Part:
    """Free sentences on placing."""
    subject, ground, used = placeable(nouns), _ground(nouns), _used(nouns)
    some = amounts(nouns.counted(nouns.items), None)
    building = {"subject": nouns.named(nouns.built, nouns.single)}
    built_of = patterns({"uses": some}, "with {uses}", "from {uses}", "of {uses}", "out of {uses}")
    slots = {
        "subject": subject,
        "built": patterns(building, "{subject}"),
        "place": either(
            say("placing {thing}", thing=subject),
            say("placed {thing}", thing=subject),
            patterns(building, "making {subject}"),
        ),
        "uses": some,
        "built_of": built_of,
        "where": ground,
        "nowhere": Slot(("where",), lacking(ground)),
        "everywhere": Slot(("where",), whole(ground)),
        "deeds": _placing(nouns, used),
        "then": maybe(say("{link}{uses}", link=Link(", "), uses=used)),
    }
    return patterns(slots, *_PLACED)


# --- Making ---------------------------------------------------------------------------------------

_MADE: Final = (
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
"""Sentences on making."""
_NEARBY: Final = (
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
"""What is needed nearby."""


def _uses_all(nouns: Nouns) -> Part:
    held = nouns.counted(nouns.items)
    some = amounts(held, None)
    return either(
        say("uses {uses}", uses=amounts(held)),
        say("[player ]needs {uses}", uses=some),
        say("costs [player ]{uses}", uses=some),
        say("takes {uses}", uses=some),
        say("with {uses}", uses=some),
        say("from {uses}", uses=some),
        say("out of {uses}", uses=some),
        say("of {uses}", uses=some),
        say("{uses}", uses=some),
        say("does not needs {uses}", uses=lacking(things_of(nouns))),
    )


def _near(nouns: Nouns) -> Part:
    station = nouns.named(nouns.built, nouns.single)
    stations, other = materials(station, "and"), materials(station, "or")
    return either(
        *(say(template, nearby=stations) for template in _NEARBY),
        say("needs nothing nearby", nearby=()),
        say("does not needs {nearby} nearby", nearby=lacking(other)),
        say("does not needs nearby {nearby}", nearby=lacking(other)),
        say("does not needs {nearby}", nearby=lacking(other)),
    )


def makes(nouns: Nouns) -> Part:
    """Free sentences on making."""
    made, near = tool(nouns), _near(nouns)
    needing = clauses(_uses_all(nouns), near)
    some = amounts(nouns.counted(nouns.items), None)
    stations = materials(nouns.named(nouns.built, nouns.single), "and")
    slots = {
        "subject": made,
        "make": say("making {subject}", subject=made),
        "uses": some,
        "nearby": stations,
        "needing": needing,
        "near": maybe(say("{link}{near}", link=Link(", "), near=near)),
        "how": maybe(say("{link}{needing}", link=Link(", "), needing=needing)),
    }
    return patterns(slots, *_MADE)
