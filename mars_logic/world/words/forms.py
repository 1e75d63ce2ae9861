"""The forms of all sentences, as data: what is said of each family of rules.

What the building blocks do is said in ``parts``, how values are written in ``kinds``, which words
are read as the same in ``scan``. Articles and punctuation only please the eye: reading ignores
them. Of several ways to say something the first is written, and all are read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mars_logic.world import names
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import (
    ARROW_POINTS,
    ATTACK_POINTS,
    EATEN_POINTS,
    Collect,
    Creature,
    Drink,
    Make,
    Neighbour,
    Place,
    Rename,
    Rule,
    Walk,
)
from mars_logic.world.words.kinds import (
    Chance,
    Counted,
    Name,
    NoPoints,
    Points,
    Several,
    named,
    spaced,
    with_article,
)
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
    yes_or_no,
)

# --- Materials, and lists of things -------------------------------------------------------------

_IN_GENERAL = {"tree": "trees", "table": "a table", "furnace": "a furnace"}
_A_SINGLE = {
    thing: f"a {thing}" for thing in ("path", "tree", "table", "furnace", "plant", *names.CREATURES)
}
_ground = named(names.NATURAL, _IN_GENERAL)


def _materials(phrases: Mapping[str, str], link: str, empty: str | None) -> Several:
    return Several(
        say("{name}", name=named(names.MATERIALS[1:], phrases)),
        unpack=lambda value: [{"name": material} for material in value],
        pack=lambda found: tuple(each["name"] for each in found),
        link=lambda _left, _right: link,
        empty=empty,
    )


def _amounts(empty: str | None = "nothing") -> Several:
    return Several(
        Slot(("name", "amount"), Counted(names.HOLDABLE)),
        unpack=lambda value: [{"name": item, "amount": n} for item, n in value.items()],
        pack=lambda found: FrozenMap({each["name"]: each["amount"] for each in found}),
        empty=empty,
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
            name=named(names.CREATURES, _A_SINGLE),
            probability=Chance(),
        ),
        unpack=lambda value: [{"name": who, "probability": p} for who, p in value.items()],
        pack=lambda found: FrozenMap({each["name"]: each["probability"] for each in found}),
        empty=None,
    )


# --- Effects on the player ----------------------------------------------------------------------


_Measures = Mapping[str, tuple[int, str]]
"""For each field: how many points 1 stands for, and what they are points of."""


def _effects(measures: _Measures, verbs: tuple[str, str] = ("gives", "costs")) -> Part:
    """``gives 6 food and 1 drink but costs 2 health``; in part also ``gives no drink``.

    Args:
        measures: The fields to tell.
        verbs: How to say that points are gained, and that they are lost.
    """

    def change(verb: str, sign: int) -> Part:
        points = {
            field: Slot((field,), Points(unit, sign, vital))
            for field, (unit, vital) in measures.items()
        }
        if sign > 0:
            none = {field: Slot((field,), NoPoints(vital)) for field, (_, vital) in measures.items()}
            points = {field: either(some, InPart(none[field])) for field, some in points.items()}
        return say(verb + " [player ]{points}", points=clauses(*points.values()))

    gains, losses = change(verbs[0], 1), change(verbs[1], -1)
    return either(
        say("{gains}{but}{losses}", gains=gains, but=Link(" but "), losses=losses),
        gains,
        losses,
        say("{losses}{but}{gains}", gains=gains, but=Link(" but "), losses=losses),
    )


_WOULD = ("give", "cost")

# --- Terrain ------------------------------------------------------------------------------------

_neighbour = either(
    say("the player starts in an area of {material}", subject="player", material=_ground),
    say("the player starts on {material}", subject="player", material=_ground),
    say("trees stand in open land of {material}", subject="tree", material=_ground),
    say("trees are surrounded by {material}", subject="tree", material=_ground),
    say(
        "{subject} is surrounded by {material}",
        subject=named(("water", "coal", "iron", "diamond", "lava")),
        material=Name({**_ground.phrases, None: "nothing special"}),
    ),
)

_rename = say(
    "where the map would have {subject}, it has {material}", subject=_ground, material=_ground
)

_HEALTH = {"health": (1, "health")}
_lethal = yes_or_no("deadly", "kills the player", "does not kill the player")
_tread = either(
    InPart(say("does nothing", health=0, deadly=False)),
    say(
        "kills the player (and would {otherwise} if it did not)",
        otherwise=_effects(_HEALTH, _WOULD),
        deadly=True,
    ),
    clauses(_effects(_HEALTH), _lethal),
)
_moving = either(say("any move on"), say("moving on"), say("moving onto"), say("walking on"))
_walkable = named(names.NATURAL, _A_SINGLE)

_walk = either(
    say(
        "{subject} {can}{step}",
        subject=_walkable,
        can=either(
            say("can be walked on", walkable=True),
            say("cannot be walked on", walkable=False),
            say("is walkable", walkable=True),
            say("is not walkable", walkable=False),
        ),
        step=either(
            silence(health=0, deadly=False),
            say("{link}{moving} it {tread}", link=Link("; "), moving=_moving, tread=_tread),
            say("{link}{tread}", link=Link(", which "), tread=_tread),
        ),
    ),
    InPart(say("{moving} {subject} {tread}", moving=_moving, subject=_walkable, tread=_tread)),
    say("the player can walk on {subject}", subject=_walkable, walkable=True),
    say("the player cannot walk on {subject}", subject=_walkable, walkable=False),
)

# --- Survival -----------------------------------------------------------------------------------


def _creature(who: str, phrase: str, points: str, fate: Callable[[_Measures], Part]) -> Part:
    """A creature's sentence: its fate, what it does, and what that does to the player.

    Args:
        who: The subject.
        phrase: The subject as it is called.
        points: Which constants of the game apply to it.
        fate: What can be done to it, given what its eaten factors stand for.
    """
    eaten = {f"eaten_{v}_factor": (unit, v) for v, unit in EATEN_POINTS[points].items()}
    subject = named((who,), {who: phrase})
    slots = {"fate": fate(eaten), "more": Link("; it "), "acts": _acts}

    def blows(of: str = "") -> Part:
        return clauses(
            _blow(f"hit{of}", "attacks", "attack_health_factor", ATTACK_POINTS[points]),
            _blow(f"arrow{of}", "shoots", "arrow_health_factor", {"awake": ARROW_POINTS}),
        )

    def told(template: str) -> Part:
        some = {slot: part for slot, part in slots.items() if f"{{{slot}}}" in template}
        end = maybe(say("; {blows}", blows=blows()))
        return say(f"{{subject}} {template}{{end}}", subject=subject, **some, end=end)

    return say(
        "{sentence}",
        subject=who,
        sentence=either(
            told("{fate}{more}{acts}"),
            told("{fate}"),
            told("{acts}"),
            told("{acts}{more}{fate}"),
            blows(f" of {phrase}"),
            say(
                "eating {subject} {effects}",
                subject=subject,
                effects=_effects(eaten),
                eatable=True,
            ),
        ),
    )


_attacks = yes_or_no("attacks", "attacks", "does not attack")
_still = {"walks": False, "approaches": False, "shoots": False}
_acts = either(
    say("stays where it is{more}", more=maybe(say(" and {attacks}", attacks=_attacks)), **_still),
    clauses(
        yes_or_no("walks", "wanders about", "does not wander about"),
        say("stays where it is", **_still),
        yes_or_no("approaches", "approaches the player", "does not approach the player"),
        _attacks,
        yes_or_no("shoots", "shoots arrows", "does not shoot arrows"),
    ),
)
"""What a creature does."""


def _blow(what: str, happens: str, field: str, points: Mapping[str, int]) -> Part:
    """``each hit costs 2 health (7 if the player sleeps)``, or would if it came to a hit."""

    def asleep(sign: int) -> Part:
        if points.get("asleep", points["awake"]) == points["awake"]:
            return say("")
        told = Slot((field,), Points(points["asleep"], sign))
        return maybe(say(" ({told} if the player sleeps)", told=told))

    def costs(verb: str, sign: int, **meaning: Any) -> Part:
        awake = Slot((field,), Points(points["awake"], sign, "health"))
        template = f"each {what} {verb} [player ]{{awake}}{{asleep}}"
        return say(template, awake=awake, asleep=asleep(sign), **meaning)

    return either(
        say(f"each {what} does nothing", **{happens: True, field: 0}),
        costs("gives", 1, **{happens: True}),
        costs("costs", -1, **{happens: True}),
        costs("would give", 1),
        costs("would cost", -1),
        InPart(say(f"each {what} would do nothing", **{field: 0})),
    )


def _eaten(phrase: str, eatable: bool, eaten: _Measures) -> Part:
    """That a being can be eaten, and what that does."""
    nothing = dict.fromkeys(eaten, 0)
    effects = either(say("changes nothing", **nothing), _effects(eaten))
    return either(
        say(f"{phrase}{{link}}{{effects}}", link=Link(", which "), effects=effects, eatable=eatable),
        say(f"{phrase}{{end}}", end=silence(**nothing), eatable=eatable),
    )


def _if_eaten(eaten: _Measures) -> Part:
    return either(
        InPart(say("would {effects} if eaten", effects=_effects(eaten, _WOULD))),
        say("{effects} when eaten", effects=_effects(eaten), eatable=True),
    )


def _fate_of_animal(eaten: _Measures) -> Part:
    killed = "can be killed but not eaten"
    return either(
        _eaten("can be eaten", True, eaten),
        say(f"{killed} (that would {{effects}})", effects=_effects(eaten, _WOULD), eatable=False),
        say(f"{killed}{{end}}", end=silence(**dict.fromkeys(eaten, 0)), eatable=False),
        say("cannot be eaten", eatable=False),
        _if_eaten(eaten),
    )


def _fate_of_plant(eaten: _Measures) -> Part:
    """A ripe plant can always be eaten, whatever its rule says."""
    return either(
        _eaten("can be eaten", True, eaten),
        _eaten("can be eaten, although listed as inedible", False, eaten),
        _if_eaten(eaten),
    )


_creatures = either(
    *(_creature(who, f"a {who}", "creature", _fate_of_animal) for who in names.CREATURES),
    _creature("plant", "a ripe plant", "plant", _fate_of_plant),
)

_VITALS = {vital: (1, vital) for vital in ("drink", "food", "health")}
_unlike_yields = {vital: _VITALS[vital] for vital in ("food", "health")}
"""What collecting never yields, so that a sentence on it need not say that it is not meant."""

_drink = say(
    "drinking {subject} {effects}",
    subject=named(names.LIQUIDS),
    effects=either(
        say("does nothing besides what it yields", **dict.fromkeys(_VITALS, 0)),
        say("{effects} besides what it yields", effects=_effects(_VITALS)),
        _effects(_unlike_yields),
    ),
)

# --- Task ---------------------------------------------------------------------------------------


def _deeds(s: str) -> Part:
    """What collecting does, with the verbs' ending."""
    left = named(names.NATURAL, _A_SINGLE)
    return clauses(
        say(f"need{s} {{requires}}", requires=_amounts()),
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


_material = named(names.COLLECTABLE, _A_SINGLE)
_collecting = either(say("collecting from"), say("mining"))
_collected = either(say("mined"), say("collected from"))
_untold = silence(requires={}, yields={}, leaves=Like("subject"), spawns={})

_collect = either(
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
        requires=_amounts(),
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
        "{subject} can be {collected}{how}{then}",
        subject=_material,
        collected=_collected,
        how=maybe(say(" with {requires}", requires=_amounts())),
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
    say("{subject}", subject=named(names.PLACEABLE, _A_SINGLE)),
    say("a sapling", subject="plant"),
)
_where = _materials(_IN_GENERAL, "or", None)
_uses = either(say("uses {uses}", uses=_amounts()), say("needs {uses}", uses=_amounts()))

_place = either(
    say(
        "placing {subject} {deeds}",
        subject=_placeable,
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
_nearby = _materials(_A_SINGLE, "and", None)
_unmade = silence(uses={}, nearby=())

_make = either(
    InPart(
        say(
            "making {subject} gives {amount}{untold}",
            subject=_tool,
            amount=Slot(("subject", "gives"), Counted(names.TOOLS)),
            untold=_unmade,
        )
    ),
    say(
        "making {tools} {deeds}",
        tools=either(
            InPart(say("1 {subject}", subject=named(names.TOOLS), gives=1)),
            say("{subject}{single}", subject=_tool, single=silence(gives=1)),
            Slot(("subject", "gives"), Counted(names.TOOLS)),
        ),
        deeds=either(
            clauses(
                either(
                    say("uses {uses}", uses=_amounts()),
                    say("needs {uses}", uses=_amounts(None)),
                ),
                either(
                    say("needs {nearby} nearby", nearby=_materials(_A_SINGLE, "and", "nothing")),
                    say("{nearby} nearby", nearby=_nearby),
                    say("[needs ]nearby {nearby}", nearby=_nearby),
                ),
            ),
            say("needs nothing", uses={}, nearby=()),
        ),
    ),
)

# --- All of them --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Form:
    """How the rules of a family are told.

    Attributes:
        kind: The family.
        part: What its sentences are made of.
        example: One of its rules.
    """

    kind: type[Rule]
    part: Part
    example: Mapping[str, Any]


FORMS: tuple[Form, ...] = (
    Form(Neighbour, _neighbour, {"material": "sand"}),
    Form(Rename, _rename, {"material": "sand"}),
    Form(Walk, _walk, {"walkable": True, "health": -1}),
    Form(
        Creature,
        _creatures,
        {
            "eatable": True,
            "eaten_food_factor": 1,
            "walks": True,
            "attacks": True,
            "attack_health_factor": -1,
        },
    ),
    Form(Drink, _drink, {"drink": 1}),
    Form(
        Collect,
        _collect,
        {"requires": {"wood_pickaxe": 1}, "yields": {"stone": 1}, "leaves": "path"},
    ),
    Form(
        Place,
        _place,
        {"uses": {"wood": 2}, "where": ["grass", "path", "sand"]},
    ),
    Form(
        Make,
        _make,
        {"uses": {"wood": 1, "stone": 1}, "nearby": ["table"]},
    ),
)
"""The form of each family, in the order of families."""
