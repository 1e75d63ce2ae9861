"""The forms of all sentences, as data: what is said of each family of rules.

What the building blocks do is said in ``parts``, how values are written in ``kinds``. Articles and
punctuation only please the eye: reading ignores them.
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
from mars_logic.world.words.kinds import Chance, Counted, Name, Points, Several, named
from mars_logic.world.words.parts import Fields, Like, Part, Slot, clauses, either, maybe, say

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


def _amounts() -> Several:
    return Several(
        Slot(("name", "amount"), Counted(names.HOLDABLE)),
        unpack=lambda value: [{"name": item, "amount": n} for item, n in value.items()],
        pack=lambda found: FrozenMap({each["name"]: each["amount"] for each in found}),
    )


def _yields() -> Several:
    """What is certain, ``plus`` at most one of what only may be."""
    certain = Slot(("name", "amount"), Counted(names.GAINS))
    perhaps = say("{thing} {probability}", thing=certain, probability=Chance())

    def link(left: Fields, right: Fields) -> str:
        if right["probability"] is None:
            return "and"
        return "plus" if left["probability"] is None else "or"

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


def _effects(measures: _Measures, give: str, cost: str) -> Part:
    """``gives 6 food and 1 drink but costs 2 health``.

    Args:
        measures: The fields to tell.
        give: How to say that points are gained.
        cost: How to say that points are lost.
    """

    def change(verb: str, sign: int) -> Part:
        points = (
            Slot((field,), Points(unit, sign, vital)) for field, (unit, vital) in measures.items()
        )
        return say(verb + " {points}", points=clauses(*points))

    gains, losses = change(give, 1), change(cost, -1)
    return either(say("{gains} but {losses}", gains=gains, losses=losses), gains, losses)


# --- Terrain ------------------------------------------------------------------------------------

_neighbour = either(
    say("the player starts in an area of {material}", subject="player", material=_ground),
    say("trees stand in open land of {material}", subject="tree", material=_ground),
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

_walk = say(
    "{subject} {can} be walked on{step}",
    subject=named(names.NATURAL, _A_SINGLE),
    can=either(say("can", walkable=True), say("cannot", walkable=False)),
    step=maybe(
        either(
            say("; any move on it kills the player", deadly=True, health=0),
            say(
                "; any move on it kills the player (and would {otherwise} if it did not)",
                otherwise=_effects(_HEALTH, "give", "cost"),
                deadly=True,
            ),
            say("; any move on it {change}", change=_effects(_HEALTH, "gives", "costs")),
        )
    ),
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
    hit = _blow("hit", "attacks", "attack_health_factor", ATTACK_POINTS[points])
    arrow = _blow("arrow", "shoots", "arrow_health_factor", {"awake": ARROW_POINTS})
    return say(
        phrase + " {fate}; it {acts}{blows}",
        subject=who,
        fate=fate(eaten),
        acts=clauses(
            say("wanders about", walks=True),
            say("stays where it is", walks=False, approaches=False, shoots=False),
            say("approaches the player", approaches=True),
            say("attacks", attacks=True),
            say("shoots arrows", shoots=True),
        ),
        blows=maybe(say("; {blows}", blows=clauses(hit, arrow))),
    )


def _blow(what: str, happens: str, field: str, points: Mapping[str, int]) -> Part:
    """``each hit costs 2 health (7 if the player sleeps)``, or would if it came to a hit."""
    moods = [(True, "gives", "costs"), (False, "would give", "would cost")]
    differs = len(set(points.values())) > 1
    asleep = " ({asleep} if the player sleeps)" if differs else ""
    told = {"awake": (points["awake"], "health")}
    if differs:
        told["asleep"] = (points["asleep"], "")
    return either(
        say(f"each {what} does nothing", **{happens: True, field: 0}),
        *(
            say(
                f"each {what} {verb} {{awake}}{asleep}",
                **{
                    state: Slot((field,), Points(unit, sign, vital))
                    for state, (unit, vital) in told.items()
                },
                **{happens: fact},
            )
            for fact, *verbs in moods
            for verb, sign in zip(verbs, (1, -1), strict=True)
        ),
    )


def _fate_of_animal(eaten: _Measures) -> Part:
    nothing = dict.fromkeys(eaten, 0)
    gives, would = _effects(eaten, "gives", "costs"), _effects(eaten, "give", "cost")
    return either(
        say("can be eaten, which changes nothing", eatable=True, **nothing),
        say("can be eaten, which {effects}", eatable=True, effects=gives),
        say("can be killed but not eaten", eatable=False, **nothing),
        say("can be killed but not eaten (that would {effects})", eatable=False, effects=would),
    )


def _fate_of_plant(eaten: _Measures) -> Part:
    """A ripe plant can always be eaten, whatever its rule says."""
    nothing = dict.fromkeys(eaten, 0)
    called = either(say("", eatable=True), say(", although listed as inedible", eatable=False))
    gives = _effects(eaten, "gives", "costs")
    return say(
        "can be eaten{called}, which {effects}",
        called=called,
        effects=either(say("changes nothing", **nothing), gives),
    )


_creatures = either(
    *(_creature(who, f"a {who}", "creature", _fate_of_animal) for who in names.CREATURES),
    _creature("plant", "a ripe plant", "plant", _fate_of_plant),
)

_VITALS = {vital: (1, vital) for vital in ("drink", "food", "health")}

_drink = say(
    "drinking {subject} {effects} besides what it yields",
    subject=named(names.LIQUIDS),
    effects=either(
        say("does nothing", **dict.fromkeys(_VITALS, 0)), _effects(_VITALS, "gives", "costs")
    ),
)

# --- Task ---------------------------------------------------------------------------------------


def _deeds(s: str) -> Part:
    """What collecting does, with the verbs' ending."""
    return clauses(
        say(f"need{s} {{requires}}", requires=_amounts()),
        say(
            "{gives} {yields}",
            gives=either(say(f"yield{s}"), say(f"give{s}")),
            yields=_yields(),
        ),
        either(
            say(f"leave{s} it as it is", leaves=Like("subject")),
            say(f"leave{s} {{leaves}}", leaves=named(names.NATURAL, _A_SINGLE)),
        ),
        say(f"let{s} {{spawns}}", spawns=_spawns()),
    )


_material = named(names.COLLECTABLE, _A_SINGLE)

_collecting = either(say("collecting from"), say("mining"))
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
        "nothing can be collected from {subject}",
        subject=_material,
        collectable=False,
        requires={},
        yields={},
        leaves=Like("subject"),
        spawns={},
    ),
    say(
        "nothing can be collected from {subject} (if it could, that would {deeds})",
        subject=_material,
        deeds=_deeds(""),
        collectable=False,
    ),
)

_place = say(
    "placing {subject} {deeds}",
    subject=named(names.PLACEABLE, _A_SINGLE),
    deeds=clauses(
        say("uses {uses}", uses=_amounts()),
        either(
            say("works on {where}", where=_materials(_IN_GENERAL, "or", None)),
            say("works nowhere", where=()),
        ),
        least=2,
    ),
)

_make = say(
    "making {tools} {deeds}",
    tools=Slot(("subject", "gives"), Counted(names.TOOLS)),
    deeds=clauses(
        say("uses {uses}", uses=_amounts()),
        say("needs {nearby} nearby", nearby=_materials(_A_SINGLE, "and", "nothing")),
        least=2,
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
        told: Fields that a sentence of the manual always tells, and a person may leave out.
        silent: Fields that it leaves out where there is nothing to tell.
    """

    kind: type[Rule]
    part: Part
    example: Mapping[str, Any]
    told: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()

    def unsaid(self, fields: Fields) -> tuple[str, ...]:
        """The fields of which a sentence with these fields says nothing at all.

        A sentence that tells all that the manual does is silent on the rest for want of anything
        to tell.
        """
        if all(name in fields for name in self.told):
            return ()
        return tuple(name for name in (*self.told, *self.silent) if name not in fields)


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
        told=("requires", "yields", "leaves"),
        silent=("spawns",),
    ),
    Form(
        Place,
        _place,
        {"uses": {"wood": 2}, "where": ["grass", "path", "sand"]},
        told=("uses", "where"),
    ),
    Form(
        Make,
        _make,
        {"uses": {"wood": 1, "stone": 1}, "nearby": ["table"]},
        told=("uses", "nearby"),
    ),
)
"""The form of each family, in the order of families."""
