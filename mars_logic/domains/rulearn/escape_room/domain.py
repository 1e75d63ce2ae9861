"""The escape room as a domain."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import ClassVar, Final

import numpy as np

from mars_logic.domains.base import Pair, RuleComparison, StepsValue
from mars_logic.domains.rulearn.domain import PuzzleDomain
from mars_logic.domains.rulearn.door_search import MOST_STATES, DoorBelief, DoorSearch
from mars_logic.domains.rulearn.escape_room.rules import (
    ATTEMPTS,
    DigitTerm,
    EscapeRoom,
    PaintingRoom,
    PasswordRule,
    paintings,
)
from mars_logic.domains.rulearn.escape_room.simulator import EscapeSimulator
from mars_logic.domains.rulearn.escape_room.space import EscapeSpace
from mars_logic.domains.rulearn.escape_room.words import password_sentences
from mars_logic.domains.rulearn.puzzle import fact, puzzle_facts
from mars_logic.domains.rulearn.telling import painting_text
from mars_logic.errors import InputError
from mars_logic.world.uncertain import UNKNOWN, is_uncertain

MOST_DIGITS: Final = 4
"""Digits up to which all policies are searched."""
_PASSED: Final = "Galleries are passed first, since the password counts what is in them."


def _digits(theory: EscapeRoom, truth: EscapeRoom, size: int) -> Iterator[Pair]:
    if len(theory.rule.digits) != len(truth.rule.digits):
        message = f"it has {len(theory.rule.digits)} digits"
        raise InputError(f"{theory.name}: {message}; allowed: {len(truth.rule.digits)}")
    for many in range(size + 1):
        for chosen in itertools.combinations(paintings().values(), many):
            for focus in truth.rule.focus_order:
                codes = [
                    "".join(str(term.value(chosen, focus) % 10) for term in each.rule.digits)
                    for each in (theory, truth)
                ]
                numbers = ", ".join(str(each.number) for each in chosen) or "none"
                yield f"paintings {numbers} with the hint {focus}", codes[0], codes[1]


class EscapeRoomDomain(PuzzleDomain[EscapeRoom]):
    """Rooms with paintings, and a door with a password."""

    name = "escape_room"
    kind = EscapeRoom
    simulated_by = EscapeSimulator
    version_space = EscapeSpace

    comparison = RuleComparison(
        3, "digits for all sets of up to {size} paintings, and all hints", _digits
    )
    priors: ClassVar[Mapping[str, str]] = {
        "told": "the rule",
        "none": "the numbers that make the password, but not their order",
    }

    def rules(self, theory: EscapeRoom) -> list[str]:
        """How the password follows from the paintings."""
        return password_sentences(theory.rule)

    def told_rule(self, game: EscapeRoom) -> list[str]:
        """The digits; what the hint names is seen."""
        return self.rules(game)[1:]

    def facts(self, theory: EscapeRoom) -> str:
        """``room``, ``hangs(Room, Place, Painting)``, ``focus_order`` and the terms of the digits.

        A digit is a term, named by the way to it: ``"2"`` for the second digit, ``"2.1"`` for the
        first of two terms in it. ``count`` and ``distinct`` have
        ``condition(Term, Attribute, Sign, Value)``.
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

    def answers(self, game: EscapeRoom) -> list[str]:
        """The paintings of each room, and the password for each value that the note names."""
        rooms = [
            f"In the {room.name}: {painting_text(paintings()[each])}"
            for room in game.rooms
            for each in game.hung(room)
        ]
        codes = [
            f"While the note names {focus}, the password is {game.password(focus)}."
            for focus in game.rule.focus_order
        ]
        return [*rooms, *codes]

    def untold(self, game: EscapeRoom) -> EscapeRoom:
        """Rooms, the hint and the number of digits are told; paintings and digits are unknown."""
        rule = PasswordRule(
            focus=game.rule.focus,
            focus_order=game.rule.focus_order[:1],
            digits=tuple(UNKNOWN for _ in game.rule.digits),
        )
        rooms = tuple(PaintingRoom(name=room.name, paintings=UNKNOWN) for room in game.rooms)
        return EscapeRoom.model_validate(dict(game) | {"rooms": rooms, "rule": rule})

    def _value(self, game: EscapeRoom, theory: EscapeRoom, told: str) -> StepsValue:
        """Expected steps of an optimal policy that goes to all galleries first.

        The numbers that make the password are known, and all their orders are equally likely.
        """
        passes = len(game.rooms) - 1
        moves = tuple(f"go to the {room.name}" for room in game.rooms[1:])
        note = _PASSED * bool(passes)
        if theory is game:
            code = game.password(game.rule.focus_order[0])
            return StepsValue(told, passes, True, moves or (f"enter {code}",), note)
        size = len(game.rule.digits)
        orders = [list(each) for each in itertools.permutations(range(size))]
        codes = np.array(
            [
                [[int(password[place]) for place in order] for order in orders]
                for password in map(game.password, game.rule.focus_order)
            ],
            dtype=np.int64,
        )
        belief = DoorBelief(
            weights=np.ones(len(orders), dtype=np.int64),
            codes=codes,
            tests=np.zeros((0, len(orders)), dtype=np.int64),
            attempts=ATTEMPTS,
            afterwards=Fraction(game.length),
        )
        found = DoorSearch(belief, MOST_STATES if size <= MOST_DIGITS else 0).optimum()
        if not found.searched:
            note = "A bound by one step ahead: not all policies were searched."
        elif not found.exact:
            note = f"Where all codes may fail, {game.length} more steps are counted. {note}".strip()
        enter = tuple(f"enter {''.join(map(str, each))}" for each in found.codes)
        return StepsValue(told, passes + float(found.steps), found.searched, moves or enter, note)


def _hung(puzzle: EscapeRoom) -> Iterator[str]:
    for each in sorted(set(puzzle.all_hung)):
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


DOMAIN = EscapeRoomDomain()
