"""Sentence parts shared by several families: lists of things, and effects."""

from __future__ import annotations

from collections.abc import Mapping

from mars_logic.world import names
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.words.kinds import Counted, Name, NoPoints, Points, Several
from mars_logic.world.words.nouns import Nouns
from mars_logic.world.words.parts import Heard, InPart, Link, Part, Slot, clauses, either, say


def ground(nouns: Nouns) -> Name:
    """A natural material."""
    return nouns.named(names.NATURAL, nouns.general)


def materials(
    name: Name,
    link: str,
    empty: str | None = None,
    first: tuple[str, ...] = (),
) -> Several:
    """Materials, in order.

    Args:
        name: Which there are, with their phrases.
        link: The word before the last of them.
        empty: The word for none of them, if there is one.
        first: Those that are written before the others.
    """
    return Several(
        say("{name}", name=name),
        unpack=lambda value: [
            {"name": material} for material in sorted(value, key=lambda name: name not in first)
        ],
        pack=lambda found: tuple(each["name"] for each in found),
        link=lambda _left, _right: link,
        empty=empty,
    )


def amounts(thing: Counted, empty: str | None = "nothing") -> Several:
    """Items with their amounts; ``empty`` is the word for none of them."""
    return Several(
        Slot(("name", "amount"), thing),
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
