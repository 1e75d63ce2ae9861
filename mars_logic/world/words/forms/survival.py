"""Sentences on survival: creatures and drinking."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mars_logic.world import names
from mars_logic.world.dialect import ARROW_POINTS, ATTACK_POINTS, EATEN_POINTS
from mars_logic.world.words.forms.shared import WOULD, Measures, effects_on_player
from mars_logic.world.words.kinds import Points, named
from mars_logic.world.words.nouns import Nouns
from mars_logic.world.words.parts import (
    Fields,
    Heard,
    InPart,
    Link,
    Part,
    Slot,
    clauses,
    either,
    given,
    maybe,
    say,
    silence,
    yes_or_no,
)


def _creature(
    who: str, phrase: str, points: str, fate: Callable[[Measures], Part], nouns: Nouns
) -> Part:
    """A creature's sentence: how it can be used, its behaviour and its effects on the player.

    Args:
        who: The subject.
        phrase: The subject's phrase.
        points: Which constants of the game apply to it.
        fate: The clause on eating or defeating it, given the points of its eaten factors.
        nouns: The names of the world.
    """
    eaten = {f"eaten_{v}_factor": (unit, v) for v, unit in EATEN_POINTS[points].items()}
    subject, done = nouns.named((who,), {who: phrase}), fate(eaten)

    def blows(of: str = "") -> Part:
        return clauses(
            _blow(f"hit{of}", "attacks", "attack_health_factor", ATTACK_POINTS[points]),
            _blow(f"arrow{of}", "shoots", "arrow_health_factor", {"awake": ARROW_POINTS}),
        )

    def then(part: Part) -> Part:
        return maybe(say("{link}{part}", link=Link("; it "), part=part))

    return either(
        say(
            "{subject} {told}{blows}",
            subject=subject,
            told=either(
                say("{done}{acts}", done=done, acts=then(_acts)),
                say("{acts}{done}", done=then(done), acts=_acts),
            ),
            blows=maybe(say("{link}{blows}", link=Link("; "), blows=blows())),
        ),
        say("{blows}", blows=blows(f" of {phrase}"), subject=who),
        say(
            "eating {subject} {effects}",
            subject=subject,
            effects=effects_on_player(eaten),
            eatable=True,
        ),
    )


_attacks = yes_or_no("attacks", "attacks[ player]", "does not attack[ player]")
_still = {"walks": False, "approaches": False}
_acts = either(
    say(
        "stays where it is{more}{arrows}",
        more=maybe(say(" and {attacks}", attacks=_attacks)),
        arrows=either(
            silence(shoots=False), InPart(say(", and does not shoot arrows", shoots=False))
        ),
        **_still,
    ),
    clauses(
        yes_or_no("walks", "wanders about", "does not wander about"),
        Heard(say("stays where it is", **_still)),
        Heard(say("stays put", **_still)),
        Heard(say("does not move", **_still)),
        yes_or_no("approaches", "approaches the player", "does not approach the player"),
        _attacks,
        yes_or_no("shoots", "shoots arrows[ at player]", "does not shoot arrows[ at player]"),
    ),
)
"""The clauses on a creature's behaviour."""


def _blow(what: str, happens: str, field: str, points: Mapping[str, int]) -> Part:
    """``each hit costs 2 health (7 if the player sleeps)``, or would if it came to a hit."""

    def asleep(sign: int) -> Part:
        if points.get("asleep", points["awake"]) == points["awake"]:
            return say("")
        told = Slot((field,), Points(points["asleep"], sign))
        return maybe(say(" ({told} if the player sleeps)", told=told))

    def costs(verb: str, sign: int, vital: str, meaning: Fields) -> Part:
        awake = Slot((field,), Points(points["awake"], sign, vital))
        template = f"{verb} [player ]{{awake}}{{asleep}}"
        return say(template, awake=awake, asleep=asleep(sign), **meaning)

    blow, real = f"each {what} ", {happens: True}
    others = tuple(way for way in ("attacks", "shoots") if way != happens)
    return either(
        say(f"{blow}does nothing", **real, **{field: 0}),
        costs(f"{blow}gives", 1, "health", real),
        costs(f"{blow}costs", -1, "health", real),
        costs(f"{blow}would give", 1, "health", {}),
        costs(f"{blow}would cost", -1, "health", {}),
        costs(f"{blow}deals", -1, "damage", real),
        Heard(given(costs("deals", -1, "damage", real), others, **real)),
        InPart(say(f"{blow}would do nothing", **{field: 0})),
    )


def _eaten(phrase: str, eatable: bool, eaten: Measures) -> Part:
    """The clause that a creature can be eaten, with the effects."""
    nothing = dict.fromkeys(eaten, 0)
    effects = either(say("changes nothing", **nothing), effects_on_player(eaten))
    return either(
        say(
            f"{phrase}{{link}}{{effects}}", link=Link(", which "), effects=effects, eatable=eatable
        ),
        say(f"{phrase}{{end}}", end=silence(**nothing), eatable=eatable),
    )


def _if_eaten(eaten: Measures) -> Part:
    return either(
        InPart(say("would {effects} if eaten", effects=effects_on_player(eaten, WOULD))),
        say("{effects} when eaten", effects=effects_on_player(eaten), eatable=True),
    )


def _fate_of_animal(eaten: Measures) -> Part:
    killed = "can be killed but not eaten"
    return either(
        _eaten("can be eaten", True, eaten),
        say(
            f"{killed} (that would {{effects}})",
            effects=effects_on_player(eaten, WOULD),
            eatable=False,
        ),
        say(f"{killed}{{end}}", end=silence(**dict.fromkeys(eaten, 0)), eatable=False),
        say("cannot be eaten", eatable=False),
        _if_eaten(eaten),
    )


def _fate_of_plant(eaten: Measures) -> Part:
    """A ripe plant can always be eaten, whatever its rule says."""
    return either(
        _eaten("can be eaten", True, eaten),
        _eaten("can be eaten, although listed as inedible", False, eaten),
        _if_eaten(eaten),
    )


def creatures(nouns: Nouns) -> Part:
    """Sentences on creatures, those that a world adds among them."""
    who = nouns.named(nouns.creatures, nouns.single).phrases
    return either(
        *(
            _creature(name, phrase, "creature", _fate_of_animal, nouns)
            for name, phrase in who.items()
        ),
        _creature("plant", "a ripe plant", "plant", _fate_of_plant, nouns),
    )


_VITALS = {vital: (1, vital) for vital in ("drink", "food", "health")}
UNLIKE_YIELDS = {vital: _VITALS[vital] for vital in ("food", "health")}
"""Subjects that collecting never yields, which makes a sentence on them unambiguous."""

DRINK = say(
    "drinking {subject} {effects}",
    subject=named(names.LIQUIDS),
    effects=either(
        say("does nothing besides what it yields", **dict.fromkeys(_VITALS, 0)),
        say("{effects} besides what it yields", effects=effects_on_player(_VITALS)),
        effects_on_player(UNLIKE_YIELDS),
    ),
)


_FED = {vital: (1, vital) for vital in ("food", "drink", "health")}


def eats(nouns: Nouns) -> Part:
    """Sentences on eating an item."""
    edible = nouns.named(nouns.eaten, nouns.single_items)
    left = nouns.named(nouns.items, nouns.single_items)
    return say(
        "eating {subject} {deeds}",
        subject=edible,
        deeds=clauses(
            either(
                say("changes nothing", **dict.fromkeys(_FED, 0)),
                effects_on_player(_FED),
            ),
            either(
                say("leaves {leaves}[behind]", leaves=left),
                InPart(say("leaves nothing", leaves=None)),
            ),
        ),
    )
