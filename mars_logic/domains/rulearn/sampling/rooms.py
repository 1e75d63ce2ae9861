"""New rooms with paintings and a password, and the proof that it can be found out there.

Every gallery is needed, and the door may answer as often as the rule takes to be told from others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from mars_logic.domains.rulearn.escape_room.rules import (
    ATTEMPTS,
    ATTRIBUTES,
    FOCUS,
    RELEASED_PASSWORD,
    EscapeRoom,
    paintings,
)
from mars_logic.domains.rulearn.escape_room.terms import wide_terms
from mars_logic.domains.rulearn.sampling.request import Drawing, PuzzleRequest, Shape

_ONE_ROOM: Final = "Corridor"
_BY_MEDIUM: Final = ("Oil Painting Gallery", "Acrylic Painting Gallery", "Watercolour Gallery")
"""Galleries of the released puzzles."""
_NAMES: Final = (
    "Entrance Hall",
    "North Gallery",
    "East Gallery",
    "South Gallery",
    "West Gallery",
    "Upper Gallery",
)
_KINDS: Final = ("count", "count", "count", "sum", "difference", "distinct")
"""Kinds of terms of a new digit; half of them are plain counts."""


def draw_rooms(request: PuzzleRequest, shape: Shape, drawing: Drawing) -> dict[str, Any]:
    """Random rooms of these sizes with different paintings, as a file states them.

    With released rules, three galleries hold a medium each, as in the released puzzles.
    """
    released = request.rules == "released"
    many = shape["galleries"]
    hung: list[list[int]] = []
    while not all(hung) or not hung:
        chosen = drawing.some(sorted(paintings()), shape["paintings"])
        if released and many == len(_BY_MEDIUM):
            hung = [[p for p in chosen if _medium(p) == each] for each in ATTRIBUTES["medium"]]
        else:
            places = [drawing.number(0, many - 1) for _ in chosen]
            hung = [
                [painting for painting, place in zip(chosen, places, strict=True) if place == room]
                for room in range(many)
            ]
    names = _BY_MEDIUM if released and many == len(_BY_MEDIUM) else _NAMES[:many]
    names = (_ONE_ROOM,) if many == 1 else names
    rooms = [
        {"name": name, "paintings": sorted(each)} for name, each in zip(names, hung, strict=True)
    ]
    rule = _released_rule(shape["digits"]) if released else _new_rule(shape["digits"], drawing)
    return {"rooms": rooms, "door": names[0], "rule": rule}


def _medium(painting: int) -> str:
    return paintings()[painting].medium


def _released_rule(digits: int) -> dict[str, Any]:
    rule = RELEASED_PASSWORD.model_dump(mode="json")
    return {**rule, "digits": rule["digits"][:digits]}


def _new_rule(digits: int, drawing: Drawing) -> dict[str, Any]:
    """Any rule that a file can state, with sums and differences of counts."""
    focus = drawing.one(tuple(ATTRIBUTES))
    order = drawing.some(ATTRIBUTES[focus], len(ATTRIBUTES[focus]))
    terms = [draw_term(focus, drawing) for _ in range(digits)]
    return {"focus": focus, "focus_order": order, "digits": terms}


def draw_term(focus: str, drawing: Drawing) -> dict[str, Any]:
    """A term of a new digit, as a file states it."""
    kind = drawing.one(_KINDS)
    if kind == "count":
        return {"count": _conditions(focus, drawing)}
    if kind == "distinct":
        attribute = drawing.one(tuple(ATTRIBUTES))
        return {"distinct": attribute, "where": _conditions(focus, drawing)}
    one = other = _conditions(focus, drawing)
    while other == one:
        other = _conditions(focus, drawing)
    return {kind: [{"count": one}, {"count": other}]}


def _conditions(focus: str, drawing: Drawing) -> dict[str, Any]:
    """One or two conditions: that an attribute has a value or not; of the focus also the hint's."""
    found: dict[str, Any] = {}
    while not found:
        for attribute, values in ATTRIBUTES.items():
            hinted = (FOCUS, FOCUS) if attribute == focus else ()
            value = drawing.one((None, *hinted, drawing.one(values)))
            if value is not None:
                negated = drawing.number(0, 3) == 0
                found[attribute] = {"not": value} if negated else value
    return found


def rooms_proof(puzzle: EscapeRoom) -> dict[str, Any] | None:
    """That every room is needed, and that the door answers often enough; None if either is wrong.

    Proved is that by the true rule and the first hint, whoever leaves a room out gets another
    password. Where there is one room, nothing can be left out.

    An answer says of each digit whether it is right, which is one bit at most. To know a digit
    under every hint takes as many bits as :func:`needed_bits` says. Where that is more than the
    answers before the last attempt can give, no player can be expected to know the password.
    """
    first = puzzle.rule.focus_order[0]
    code = puzzle.password(first)
    without = _without(puzzle, first) if len(puzzle.rooms) > 1 else {}
    bits, answers = needed_bits(puzzle), attempts(puzzle) - 1
    if code in without.values() or max(bits) > answers:
        return None
    told = [f"without the {name} the rule gives {other}" for name, other in without.items()]
    if not told:
        told = ["all paintings hang where the door is"]
    return {
        "hint": first,
        "password": code,
        "without": without,
        "bits": [round(each, 2) for each in bits],
        "answers": answers,
        "words": [
            f"While the hint names {first} the password is {code}; {', '.join(told)}.",
            f"To know a digit takes {max(bits):.1f} bits at most, and {answers} answers come "
            "before the last attempt.",
        ],
    }


def attempts(puzzle: EscapeRoom) -> int:
    """The codes that may open the door, after all rooms were gone to."""
    codes = ATTEMPTS * len(puzzle.rule.focus_order)
    codes -= puzzle.dialect == "faithful"  # the last code never opens there
    return min(codes, puzzle.length - (len(puzzle.rooms) - 1))


def needed_bits(puzzle: EscapeRoom) -> list[float]:
    """For each digit, the bits to tell its values under all hints from those of other terms.

    Terms are all that a file can state of two counts, the likelier the shorter they are.
    """
    language = wide_terms(puzzle.rule.focus)
    weights = 2.0**-language.bits
    seen = [paintings()[each] for each in puzzle.all_hung]
    order = puzzle.rule.focus_order
    values = np.array([language.values(seen, focus) for focus in order])
    found = []
    for term in puzzle.rule.digits:
        true = np.array([[term.value(seen, focus) % 10] for focus in order])
        same = weights[(values == true).all(axis=0)].sum()
        found.append(math.log2(weights.sum() / same) if same else math.inf)
    return found


def _without(puzzle: EscapeRoom, focus: str) -> Mapping[str, str]:
    """The password by the paintings of all rooms but one, for each."""
    found = {}
    for left_out in puzzle.rooms:
        others = [room for room in puzzle.rooms if room is not left_out]
        seen = [paintings()[each] for room in others for each in puzzle.hung(room)]
        terms = puzzle.rule.digits
        found[left_out.name] = "".join(str(term.value(seen, focus) % 10) for term in terms)
    return found
