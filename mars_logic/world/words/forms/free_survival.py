"""Sentences of free text on survival: creatures and drinking."""

from __future__ import annotations

from collections.abc import Mapping

from mars_logic.world import names
from mars_logic.world.dialect import ARROW_POINTS, ATTACK_POINTS, EATEN_POINTS
from mars_logic.world.words.facts import Signed
from mars_logic.world.words.forms.free_kinds import patterns
from mars_logic.world.words.forms.shared import Measures, effects_on_player
from mars_logic.world.words.forms.survival import UNLIKE_YIELDS
from mars_logic.world.words.kinds import Points, named
from mars_logic.world.words.parts import Link, Part, Slot, clauses, either, given, maybe, say


def effects(measures: Measures) -> Part:
    """``gives 6 food``, ``you gain food``, ``you lose 2 health``: with or without the number."""
    gets = effects_on_player(measures, ("gets", "loses"))
    return either(effects_on_player(measures), say("[player ]{gets}", gets=gets))


def harm(field: str, unit: int, **meaning: object) -> Part:
    """Effects on health alone: ``costs 2 health``, ``hurts you``, ``deals 2 damage``.

    Args:
        field: The field of the effect.
        unit: The points of health that a factor of 1 stands for.
        meaning: What it implies of other fields.
    """
    loss, gain = Points(unit, -1), Points(unit, 1)
    damage = Points(unit, -1, "damage")
    slots = {
        "effects": effects({field: (unit, "health")}),
        "loss": Slot((field,), loss),
        "gain": Slot((field,), gain),
        "lost": Slot((field,), Points(unit, -1, "health")),
        "damage": Slot((field,), damage),
    }
    return either(
        patterns(
            slots,
            "{effects}",
            "takes {lost}",
            "deals [player ]{damage}",
            "deals damage of {lost}",
            "player takes {damage}",
            "hurts player by {loss}",
            "hurts by {loss}",
            "heals player by {gain}",
            "heals by {gain}",
            **meaning,
        ),
        patterns({}, "hurts[ player]", **{field: Signed(-1)}, **meaning),
        patterns({}, "heals[ player]", **{field: Signed(1)}, **meaning),
    )


_acts = clauses(
    either(
        say("wanders about", walks=True),
        say("does not wander about", walks=False),
        say("stays put", walks=False, approaches=False),
        say("stays put and does not shoot arrows", walks=False, approaches=False, shoots=False),
    ),
    either(
        say("approaches[ player]", approaches=True),
        say("does not approach[ player]", approaches=False),
    ),
    either(
        say("attacks[ player]", attacks=True),
        say("does not attack[ player]", attacks=False),
    ),
    either(
        say("shoots arrow[ at player][ to player]", shoots=True),
        say("shoots[ player]", shoots=True),
        say("shoots at player[ with arrow]", shoots=True),
        say("does not shoot arrows[ at player]", shoots=False),
        say("does not shoot", shoots=False),
    ),
)
"""The behaviour of a creature."""


def _creature(who: str, phrase: str, points: str) -> Part:
    """Sentences on a creature.

    Args:
        who: The subject.
        phrase: The subject's phrase.
        points: Which constants of the game apply to it.
    """
    eaten: Mapping[str, tuple[int, str]] = {
        f"eaten_{vital}_factor": (unit, vital) for vital, unit in EATEN_POINTS[points].items()
    }
    hit = harm("attack_health_factor", ATTACK_POINTS[points]["awake"], attacks=True)
    arrow = harm("arrow_health_factor", ARROW_POINTS, shoots=True)
    blow = either(
        given(hit, ("shoots",), attacks=True),
        given(arrow, ("attacks",), shoots=True),
        say("hit {hit}", hit=hit),
        say("arrow {arrow}", arrow=arrow),
    )
    subject = named((who,), {who: phrase})
    slots = {
        "subject": subject,
        "effects": effects(eaten),
        "gains": clauses(
            *(Slot((name,), Points(unit, 1, vital)) for name, (unit, vital) in eaten.items())
        ),
        "acts": _acts,
        "hit": hit,
        "arrow": arrow,
        "blow": maybe(say("{link}{blow}", link=Link("; "), blow=blow)),
        "strike": Slot(
            ("attack_health_factor",), Points(ATTACK_POINTS[points]["awake"], -1, "damage")
        ),
    }
    return either(
        patterns(
            slots,
            "[player ]eating {subject} {effects}",
            "killing {subject} {effects}",
            "when [player ]eating {subject} [it ]{effects}",
            "when [player ]killing {subject} [it ]{effects}",
            "when player kills {subject} [it ]{effects}",
            "player can eating {subject}",
            "player can eating {subject} for {gains}",
            "player can eating {subject} to gets {gains}",
            "{subject} can be eaten",
            "{subject} can be eaten for {gains}",
            "{subject} can be eaten to gets {gains}",
            "{subject} {effects} when [it ][is ]eaten",
            "{subject} {effects} when [player ]eating it",
            "{subject} {effects} when [it ][is ]killed",
            "{subject} {effects} when [it ][is ]defeated",
            "{subject} is edible",
            "{subject} is food",
            "{subject} = {gains}",
            eatable=True,
        ),
        patterns(
            slots,
            "{subject} cannot be eaten",
            "{subject} is not edible",
            "{subject} is inedible",
            "player cannot eating {subject}",
            eatable=False,
        ),
        patterns(slots, "{subject} {acts}{blow}"),
        patterns(
            slots,
            "{subject} hit {hit}",
            "hit of {subject} {hit}",
            "hit from {subject} {hit}",
            "hit by {subject} {hit}",
            "being hit by {subject} {hit}",
            "attacks of {subject} {hit}",
            "attacks from {subject} {hit}",
            "attacks by {subject} {hit}",
            "when {subject} attacks[ player] [it ]{hit}",
            "{subject} {hit} when it attacks[ player]",
            "when {subject} hit[ player] [it ]{hit}",
            "{subject} attacks[ player] for {strike}",
            attacks=True,
        ),
        patterns(
            slots,
            "{subject} arrow {arrow}",
            "arrow of {subject} {arrow}",
            "arrow from {subject} {arrow}",
            "arrow shot by {subject} {arrow}",
            shoots=True,
        ),
    )


CREATURES = either(
    *(_creature(who, f"a {who}", "creature") for who in names.CREATURES),
    _creature("plant", "a ripe plant", "plant"),
)
"""Free sentences on creatures."""

_no_harm = say("does nothing on [player ]health", health=0)

DRINK = patterns(
    {
        "subject": named(names.LIQUIDS),
        "effects": either(effects(UNLIKE_YIELDS), _no_harm),
    },
    "[player ]drinking {subject} {effects}",
    "when [player ]drinking {subject} [it ]{effects}",
    "when player drink {subject} [it ]{effects}",
)
"""Free sentences on drinking: what collecting never yields, so that they are unambiguous."""
