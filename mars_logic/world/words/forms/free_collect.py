"""Sentences of free text on collecting."""

from __future__ import annotations

from typing import Final

from mars_logic.world.frozen import FrozenMap
from mars_logic.world.words.facts import Excluding
from mars_logic.world.words.forms.free_kinds import lacking, lacking_one, patterns, things_of
from mars_logic.world.words.forms.shared import amounts
from mars_logic.world.words.forms.task import material, spawns, yields
from mars_logic.world.words.kinds import ChanceValue, Several
from mars_logic.world.words.nouns import Nouns
from mars_logic.world.words.parts import Like, Link, Part, Slot, clauses, either, maybe, say

_COLLECTED: Final = (
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
)
"""Sentences on a material that can be collected."""


def _likely(nouns: Nouns) -> Several:
    """Yields with the probability before the item: ``a 10% chance of a sapling``."""
    thing = Slot(("name", "amount"), nouns.counted(nouns.gains))
    return Several(
        patterns(
            {"probability": ChanceValue(), "thing": thing},
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


def _no_tool(nouns: Nouns) -> Part:
    return patterns(
        {},
        "needs no tool",
        "needs no tools",
        "does not needs tool",
        "does not needs tools",
        "is possible without tool",
        "is possible without tools",
        requires=Excluding(nouns.tools),
    )


def _deeds(nouns: Nouns) -> Part:
    """The effects and requirements of collecting.

    A drink is not given: water that gives drink yields it, or has that effect.
    """
    held = amounts(nouns.counted(nouns.items))
    some = amounts(nouns.counted(nouns.items), None)
    given = nouns.counted(nouns.resources)
    left, subject = nouns.named(nouns.left, nouns.single), material(nouns)
    return clauses(
        either(
            say("[player ]needs {requires}", requires=held),
            say("with {requires}", requires=some),
            say("does not needs {requires}", requires=lacking(things_of(nouns))),
            _no_tool(nouns),
        ),
        either(
            say("yields {yields}", yields=yields(nouns.counted(nouns.gains))),
            say("gives [player ]{yields}", yields=yields(given)),
            say("player gets {yields}", yields=yields(given)),
            say("collecting {yields}", yields=yields(given, None)),
            say("has {yields}", yields=_likely(nouns)),
        ),
        either(
            say("leaves it unchanged", leaves=Like("subject")),
            say("remains unchanged", leaves=Like("subject")),
            say("remain unchanged", leaves=Like("subject")),
            say("leaves {leaves}[behind]", leaves=left),
            say("turns it into {leaves}", leaves=left),
            say("turns into {leaves}", leaves=left),
            say("turns {subject} into {leaves}", subject=subject, leaves=left),
            say("turns {subject} to {leaves}", subject=subject, leaves=left),
        ),
        either(
            say("lets {spawns}", spawns=spawns()),
            say("spawns {spawns}", spawns=spawns("{name} {probability}")),
            say("has {spawns}", spawns=spawns("{probability} of spawns {name}")),
            say("has {spawns}", spawns=spawns("{probability} to spawns {name}")),
        ),
    )


def _collecting(nouns: Nouns) -> Part:
    return patterns(
        {"subject": material(nouns)},
        "collecting from {subject}",
        "mining {subject}",
        "collecting {subject}",
    )


def collects(nouns: Nouns) -> Part:
    """Free sentences on collecting."""
    subject, deeds, collecting = material(nouns), _deeds(nouns), _collecting(nouns)
    given = nouns.counted(nouns.resources)
    return either(
        patterns(
            {
                "subject": subject,
                "collect": collecting,
                "collected": either(say("collected"), say("mined"), say("collected from")),
                "taken": either(
                    *(say(each) for each in ("collected", "mined", "collecting it", "mining it")),
                    say("mining it up"),
                ),
                "requires": amounts(nouns.counted(nouns.items), None),
                "tools": Slot(("requires",), amounts(nouns.counted(nouns.tools), None)),
                "yields": yields(given, None),
                "likely": Slot(("yields",), _likely(nouns)),
                "leaves": nouns.named(nouns.left, nouns.single),
                "deeds": deeds,
                "then": maybe(say("{link}{deeds}", link=Link(", "), deeds=deeds)),
                "with": maybe(
                    say("with {requires}", requires=amounts(nouns.counted(nouns.items), None))
                ),
            },
            *_COLLECTED,
            collectable=True,
        ),
        patterns(
            {"collect": collecting},
            "no tool is needed[for] {collect}",
            "no tools is needed[for] {collect}",
            "player needs no tool[for] {collect}",
            "player needs no tools[for] {collect}",
            "player does not needs tool[for] {collect}",
            "player does not needs tools[for] {collect}",
            requires=Excluding(nouns.tools),
            collectable=True,
        ),
        patterns(
            {
                "subject": subject,
                "collect": collecting,
                "none": either(
                    say("does not yields {yields}", yields=lacking_one(nouns.named(nouns.gains))),
                    say("yields no {yields}", yields=lacking_one(nouns.named(nouns.gains))),
                    say("yields 0 {yields}", yields=lacking_one(nouns.named(nouns.gains))),
                    *(
                        say(template, yields=lacking_one(nouns.named(nouns.resources)))
                        for template in (
                            "does not gives [player ]{yields}",
                            "gives [player ]no {yields}",
                            "gives [player ]0 {yields}",
                        )
                    ),
                ),
                "got": Slot(("yields",), lacking_one(nouns.named(nouns.resources))),
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
            {"subject": subject, "collected": either(say("collected"), say("mined"))},
            "player cannot mining {subject}",
            "player cannot collecting [from ]{subject}",
            "{subject} cannot be {collected}",
            collectable=False,
        ),
    )
