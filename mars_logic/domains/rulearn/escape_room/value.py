"""The fewest expected steps for the escape room, by exhaustive search over orders of the digits."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Final

import numpy as np

from mars_logic.domains.base import StepsValue
from mars_logic.domains.rulearn.door_search import MOST_STATES, DoorBelief, DoorSearch
from mars_logic.domains.rulearn.escape_room.rules import ATTEMPTS, EscapeRoom

MOST_DIGITS: Final = 4
"""Digits up to which all policies are searched."""


def escape_value(puzzle: EscapeRoom, about: str, *, told: bool = False) -> StepsValue:
    """Expected steps of an optimal policy that goes to all galleries first.

    The numbers that make the password are known, and all their orders are equally likely.

    Args:
        puzzle: The puzzle.
        about: What the policy knows, in words.
        told: Whether the order is known, too.
    """
    passes = len(puzzle.rooms) - 1
    moves = tuple(f"go to the {room.name}" for room in puzzle.rooms[1:])
    note = "Galleries are passed first, since the password counts what is in them." * bool(passes)
    if told:
        code = puzzle.password(puzzle.rule.focus_order[0])
        return StepsValue(about, passes, True, moves or (f"enter {code}",), note)
    size = len(puzzle.rule.digits)
    orders = [list(each) for each in itertools.permutations(range(size))]
    codes = np.array(
        [
            [[int(password[place]) for place in order] for order in orders]
            for password in map(puzzle.password, puzzle.rule.focus_order)
        ],
        dtype=np.int64,
    )
    belief = DoorBelief(
        weights=np.ones(len(orders), dtype=np.int64),
        codes=codes,
        tests=np.zeros((0, len(orders)), dtype=np.int64),
        attempts=ATTEMPTS,
        afterwards=Fraction(puzzle.length),
    )
    found = DoorSearch(belief, MOST_STATES if size <= MOST_DIGITS else 0).optimum()
    if not found.searched:
        note = "A bound by one step ahead: not all policies were searched."
    elif not found.exact:
        note = f"Where all codes may fail, {puzzle.length} more steps are counted. {note}".strip()
    enter = tuple(f"enter {''.join(map(str, each))}" for each in found.codes)
    return StepsValue(about, passes + float(found.steps), found.searched, moves or enter, note)
