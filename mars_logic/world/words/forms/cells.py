"""Sentences on cells that are pushed, or that change by themselves."""

from __future__ import annotations

from mars_logic.world.cell_rules import MOST_STEPS
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.words.forms.shared import materials
from mars_logic.world.words.kinds import ChanceValue, Several, Whole
from mars_logic.world.words.nouns import Nouns
from mars_logic.world.words.parts import InPart, Part, clauses, either, say, silence


def _turns(nouns: Nouns, preposition: str) -> Several:
    """What something becomes, by other materials: ``a stored box on target``."""
    return Several(
        say(
            f"{{becomes}} {preposition} {{name}}",
            becomes=nouns.named(nouns.materials, nouns.single),
            name=nouns.named(nouns.materials, nouns.general),
        ),
        unpack=lambda value: [{"name": name, "becomes": into} for name, into in value.items()],
        pack=lambda found: FrozenMap({each["name"]: each["becomes"] for each in found}),
        empty=None,
    )


def pushes(nouns: Nouns) -> Part:
    """Sentences on pushing."""
    where = materials(nouns.named(nouns.materials, nouns.general), "or")
    return say(
        "pushing {subject} {deeds}",
        subject=nouns.named(nouns.of_family("push"), nouns.single),
        deeds=clauses(
            either(say("works on {onto}", onto=where), say("works nowhere", onto=())),
            say("leaves {leaves}[behind]", leaves=nouns.named(nouns.materials, nouns.single)),
            either(
                say("turns it into {becomes}", becomes=_turns(nouns, "on")),
                InPart(say("never changes it", becomes={})),
            ),
        ),
    )


def _chance() -> Part:
    return either(silence(chance=1.0), say(" {chance}", chance=ChanceValue()))


def turns_beside(nouns: Nouns) -> Part:
    """Sentences on changes beside other materials."""
    subject = nouns.named(nouns.of_family("beside"), nouns.single)
    return either(
        say(
            "{subject} turns into {becomes}{chance}",
            subject=subject,
            becomes=_turns(nouns, "beside"),
            chance=_chance(),
        ),
        InPart(
            say("{subject} turns beside something {chance}", subject=subject, chance=ChanceValue())
        ),
    )


def turns_in_time(nouns: Nouns) -> Part:
    """Sentences on timers."""
    subject = nouns.named(nouns.of_family("timer"), nouns.single)
    near = materials(nouns.named(nouns.materials, nouns.general), "or", "anything")
    stated = {
        "after": either(
            say("after 1 step", after=1), say("after {after} steps", after=Whole(1, MOST_STEPS))
        ),
        "chance": say("{chance}", chance=ChanceValue()),
        "when": either(
            InPart(say("at any time", when="always")),
            say("by day", when="day"),
            say("by night", when="night"),
        ),
        "near": say("near {near}", near=near),
    }
    usual = {"after": 1, "chance": 1.0, "when": "always", "near": ()}
    return either(
        say(
            "{subject} turns by itself into {becomes}{after}{chance}{when}{near}",
            subject=subject,
            becomes=nouns.named(nouns.materials, nouns.single),
            **{
                name: either(silence(**{name: usual[name]}), say(" {part}", part=part))
                for name, part in stated.items()
            },
        ),
        InPart(
            say("{subject} turns by itself {when}", subject=subject, when=clauses(*stated.values()))
        ),
    )
