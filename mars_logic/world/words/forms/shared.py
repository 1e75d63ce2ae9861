"""Sentence parts shared by several families: lists of things, and effects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mars_logic.world import names
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.words.kinds import Counted, NoPoints, Points, Several, named
from mars_logic.world.words.parts import Heard, InPart, Link, Part, Slot, clauses, either, say

IN_GENERAL = {"tree": "trees", "table": "a table", "furnace": "a furnace"}
"""Generic names of materials."""
A_SINGLE = {
    thing: f"a {thing}" for thing in ("path", "tree", "table", "furnace", "plant", *names.CREATURES)
}
"""Things with an article, where they take one."""
GROUND = named(names.NATURAL, IN_GENERAL)
"""A natural material."""


def materials(
    phrases: Mapping[str, str],
    link: str,
    empty: str | None = None,
    choices: Iterable[str] = names.MATERIALS[1:],
    first: tuple[str, ...] = (),
) -> Several:
    """Materials, in order.

    Args:
        phrases: Their phrases, where these differ from the names.
        link: The word before the last of them.
        empty: The word for none of them, if there is one.
        choices: Which there are.
        first: Those that are written before the others.
    """
    return Several(
        say("{name}", name=named(choices, phrases)),
        unpack=lambda value: [
            {"name": material} for material in sorted(value, key=lambda name: name not in first)
        ],
        pack=lambda found: tuple(each["name"] for each in found),
        link=lambda _left, _right: link,
        empty=empty,
    )


def amounts(empty: str | None = "nothing", choices: tuple[str, ...] = names.HOLDABLE) -> Several:
    """Items with their amounts; ``empty`` is the word for none of them."""
    return Several(
        Slot(("name", "amount"), Counted(choices)),
        unpack=lambda value: [{"name": item, "amount": n} for item, n in value.items()],
        pack=lambda found: FrozenMap({each["name"]: each["amount"] for each in found}),
        empty=empty,
    )


Measures = Mapping[str, tuple[int, str]]
"""For each field: the points that a factor of 1 stands for, and their vital."""


def _points(field: str, kind: Points) -> Part:
    """A number of points of a vital, or none of them, which is told as no gain."""
    none = Slot((field,), NoPoints(kind.vital))
    return either(Slot((field,), kind), InPart(none) if kind.sign > 0 else Heard(none))


WOULD = ("give", "cost")
"""Verbs of conditional effects."""


def effects_on_player(measures: Measures, verbs: tuple[str, str] = ("gives", "costs")) -> Part:
    """``gives 6 food and 1 drink but costs 2 health``; in part also ``gives no drink``.

    Args:
        measures: The fields to state.
        verbs: The verbs for a gain and for a loss.
    """

    def change(verb: str, sign: int) -> Part:
        some = (_points(field, Points(unit, sign, v)) for field, (unit, v) in measures.items())
        return say(verb + " [player ]{points}", points=clauses(*some))

    gains, losses = change(verbs[0], 1), change(verbs[1], -1)
    return either(
        say("{gains}{but}{losses}", gains=gains, but=Link(" but "), losses=losses),
        gains,
        losses,
        say("{losses}{but}{gains}", gains=gains, but=Link(" but "), losses=losses),
    )
