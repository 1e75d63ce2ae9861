"""Sentences on creatures that are described in tables: their behaviour, and hunting them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mars_logic.world.creature_rules import (
    FARTHEST,
    MOST_CASES,
    MOST_DAMAGE,
    MOST_HEALTH,
    BehaviourCase,
)
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.words.forms.shared import amounts
from mars_logic.world.words.kinds import ChanceValue, Points, Several, Whole
from mars_logic.world.words.nouns import Nouns
from mars_logic.world.words.parts import InPart, Kind, Part, clauses, either, say, silence
from mars_logic.world.words.scan import Scan

_DEEDS: Mapping[str, str] = {
    "approach": "approaches the player",
    "flee": "flees from the player",
    "wander": "wanders about",
    "stay": "stays where it is",
    "shoot": "shoots at the player",
    "graze": "grazes",
}
_USUAL: Mapping[str, Any] = {
    name: field.default for name, field in BehaviourCase.model_fields.items() if name != "act"
}


@dataclass(frozen=True)
class InTurn(Kind):
    """Cases, of which the first that applies counts: ``flees …, else wanders about``."""

    case: Part

    def write(self, *values: Any) -> str:
        """The cases in their order."""
        return ", else ".join(self.case.write(dict(case), whole=True) or "" for case in values[0])

    def read(self, scan: Scan, at: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        """The longest list first."""
        for cases, end in self._read(scan, at, ()):
            yield (cases,), end

    def _read(
        self, scan: Scan, at: int, before: tuple[BehaviourCase, ...]
    ) -> Iterator[tuple[tuple[BehaviourCase, ...], int]]:
        if len(before) == MOST_CASES:
            return
        for found, end in self.case.read(scan, at, {}):
            # Names were read from a vocabulary, so that nothing is left to be checked.
            cases = (*before, BehaviourCase.model_construct(**{**_USUAL, **found}))
            if scan.stands(end, ("else",)):
                yield from self._read(scan, end + 1, cases)
            yield cases, end


def _case(nouns: Nouns) -> Part:
    """One case: the deed and its conditions."""
    held = nouns.named(nouns.items, nouns.single_items)
    shot = nouns.named(nouns.words.projectiles, nouns.single)
    stated = {
        "when": either(say("by day", when="day"), say("by night", when="night")),
        "within": either(
            say("within 1 step", within=1),
            say("within {within} steps", within=Whole(1, FARTHEST)),
        ),
        "beyond": either(
            say("beyond 1 step", beyond=1),
            say("beyond {beyond} steps", beyond=Whole(1, FARTHEST)),
        ),
        "health": say("with at most {health} health left", health=Whole(1, MOST_HEALTH)),
        "held": say("if the player holds {held}", held=held),
        "projectile": say("with {projectile}", projectile=shot),
        "chance": say("{chance}", chance=ChanceValue()),
        "straight": say("the longer way {straight}", straight=ChanceValue()),
    }
    return say(
        "{act}" + "".join(f"{{{name}}}" for name in stated),
        act=either(*(say(text, act=deed) for deed, text in _DEEDS.items())),
        **{
            name: either(silence(**{name: _USUAL[name]}), say(" {part}", part=part))
            for name, part in stated.items()
        },
    )


def acts(nouns: Nouns) -> Part:
    """Sentences on behaviour."""
    subject = nouns.named(nouns.of_family("behaviour"), nouns.single)
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
    grazes = either(
        say("grazing turns {grazes}", grazes=turns),
        InPart(say("grazing changes nothing", grazes=FrozenMap({}))),
    )
    return either(
        say(
            "each step {subject} {cases}{grazes}",
            subject=subject,
            cases=InTurn(_case(nouns)),
            grazes=either(silence(grazes=FrozenMap({})), say("; {grazes}", grazes=grazes)),
        ),
        InPart(say("for {subject} {grazes}", subject=subject, grazes=grazes)),
    )


def _damage(nouns: Nouns) -> Several:
    """Damage with each of some items."""
    return Several(
        say(
            "{damage} health with {name}",
            damage=Whole(1, MOST_DAMAGE),
            name=nouns.named(nouns.items, nouns.single_items),
        ),
        unpack=lambda value: [{"name": item, "damage": n} for item, n in value.items()],
        pack=lambda found: FrozenMap({each["name"]: each["damage"] for each in found}),
        empty=None,
    )


def hunts(nouns: Nouns) -> Part:
    """Sentences on hunting."""
    thing = nouns.counted(nouns.items)
    return say(
        "hunting {subject} {deeds}",
        subject=nouns.named(nouns.of_family("hunt"), nouns.single),
        deeds=clauses(
            say("needs {requires}", requires=amounts(thing, None)),
            say("yields {yields}", yields=amounts(thing)),
            say("takes {damage}", damage=_damage(nouns)),
            either(
                say("costs {touch} by touch", touch=Points(1, -1, "health")),
                say("gives {touch} by touch", touch=Points(1, 1, "health")),
            ),
            InPart(say("needs nothing", requires=FrozenMap({}))),
            InPart(say("is no better with tools", damage=FrozenMap({}))),
            InPart(say("does nothing by touch", touch=0)),
        ),
    )
