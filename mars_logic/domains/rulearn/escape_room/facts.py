"""The escape room as facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mars_logic.domains.rulearn.escape_room.digits import DigitTerm
from mars_logic.domains.rulearn.escape_room.paintings import paintings
from mars_logic.domains.rulearn.escape_room.rules import EscapeRoom
from mars_logic.domains.rulearn.facts import fact, puzzle_facts
from mars_logic.world.uncertain import is_uncertain


def room_facts(theory: EscapeRoom) -> str:
    """``room``, ``hangs(Room, Place, Painting)``, ``focus_order`` and the terms of the digits.

    A digit is a term, named by the way to it: ``"2"`` for the second digit, ``"2.1"`` for the first
    of two terms in it. ``count`` and ``distinct`` have ``condition(Term, Attribute, Sign, Value)``.
    """
    lines = [fact("door", theory.door)]
    lines += [fact("room", room.name) for room in theory.rooms]
    if not any(is_uncertain(room.paintings) for room in theory.rooms):
        lines += _hung(theory)
    lines.append(fact("focus", theory.rule.focus))
    order = enumerate(theory.rule.focus_order, 1)
    lines += [fact("focus_order", place, value) for place, value in order]
    for place, term in enumerate(theory.rule.digits, 1):
        lines.append(fact("digit", place))
        lines += [] if is_uncertain(term) else _term(str(place), term)
    return puzzle_facts(theory, lines)


def _hung(puzzle: EscapeRoom) -> Iterator[str]:
    seen = {each for room in puzzle.rooms for each in puzzle.hung(room)}
    for each in sorted(seen):
        painting = paintings()[each]
        yield fact("painting", each, painting.medium, painting.color)
    for room in puzzle.rooms:
        for place, each in enumerate(puzzle.hung(room), 1):
            yield fact("hangs", room.name, place, each)


def _term(name: str, term: DigitTerm) -> Iterator[str]:
    if term.count is not None:
        yield fact("count", name)
        yield from _conditions(name, term.count)
    elif term.distinct is not None:
        yield fact("distinct", name, term.distinct)
        yield from _conditions(name, term.where or {})
    else:
        kind, pair = ("sum", term.sum) if term.sum else ("difference", term.difference)
        names = f"{name}.1", f"{name}.2"
        yield fact(kind, name, *names)
        for part, each in zip(names, pair or (), strict=True):
            yield from _term(part, each)


def _conditions(name: str, conditions: Mapping[str, object]) -> Iterator[str]:
    for attribute, wanted in conditions.items():
        sign, value = ("not", wanted["not"]) if isinstance(wanted, Mapping) else ("is", wanted)
        yield fact("condition", name, attribute, sign, str(value))
