"""Observations and actions of puzzles as numbers, in spaces that all puzzles of a family share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from mars_logic.domains.rulearn.episode import PuzzleAction
from mars_logic.domains.rulearn.escape_room.rules import ATTRIBUTES, paintings
from mars_logic.domains.rulearn.function_operator.rules import BASES
from mars_logic.domains.rulearn.game_simulator import PuzzleSimulator
from mars_logic.errors import InputError

Numbers = NDArray[np.int64]
Mask = tuple[NDArray[np.int8], ...]
MOST_STEPS: Final = 10_000
MOST_DIGITS: Final = 10
MOST_FUNCTIONS: Final = 8
MOST_TERMS: Final = 8
MOST_ROOMS: Final = 10
MOST_MATERIALS: Final = 64
"""Materials that are told; those that came first."""
MOST_LETTERS: Final = 32
"""Letters of a material that are told."""
MOST_PRODUCTS: Final = 8
LARGEST: Final = 1e300
"""Values of functions beyond are cut."""
INPUTS: Final = ("2.3", "-2.3", "0.7", "-0.7", "0", "1", "-1", "2", "-2", "10", "-10", "pi")
"""Numbers at which functions can be evaluated by choice."""
_ERRORS: Final = (
    None,
    "invalid_input",
    "division_by_zero",
    "unknown_material",
    "too_many_materials",
)
_FOCUS: Final = (None, *ATTRIBUTES["medium"], *ATTRIBUTES["color"])
_MOST_PAINTINGS: Final = 100


class PuzzleView(ABC):
    """A family's observations and actions as numbers.

    Attributes:
        space: The space of observations.
        choices: The space of actions: the kind of an action, then what belongs to any.
    """

    space: spaces.Dict
    choices: spaces.MultiDiscrete

    @abstractmethod
    def require(self, puzzle: PuzzleSimulator[Any, Any]) -> None:
        """Refuse a puzzle that is too large for the spaces.

        Raises:
            InputError: It is.
        """

    @abstractmethod
    def observed(
        self, puzzle: PuzzleSimulator[Any, Any], seen: Mapping[str, Any]
    ) -> dict[str, Any]:
        """What is seen, in the space of observations."""

    @abstractmethod
    def action(self, puzzle: PuzzleSimulator[Any, Any], choice: Numbers) -> PuzzleAction:
        """The action that is chosen; ``malformed`` where there is none of its kind."""

    @abstractmethod
    def mask(self, puzzle: PuzzleSimulator[Any, Any]) -> Mask:
        """For each part of a choice, int8: 1 where it may be chosen now."""


class _DoorView(PuzzleView):
    """What families with a door share."""

    def _door(self, seen: Mapping[str, Any]) -> dict[str, Any]:
        digits = seen.get("digits") or ()
        return {
            "digits": _padded((1 + right for right in digits), MOST_DIGITS),
            "attempts_left": np.int64(seen.get("attempts_left", 0)),
            "changed": np.int64(bool(seen.get("changed"))),
        }

    def _code_mask(self, size: int) -> Mask:
        return tuple(_mask(10, range(10 if place < size else 1)) for place in range(MOST_DIGITS))


_DOOR: Final[Mapping[str, spaces.Space[Any]]] = {
    "steps": spaces.Discrete(MOST_STEPS + 1),
    "digits": spaces.MultiDiscrete([3] * MOST_DIGITS),
    "attempts_left": spaces.Discrete(5),
    "changed": spaces.Discrete(2),
}
"""``digits``: 0 for none, 1 for a wrong one, 2 for a right one; of the last code."""


class OperatorView(_DoorView):
    """The function operator.

    ``terms`` has the parameter of each term, from 1, by function and place; ``bases`` those in use,
    in the order of ``BASES``; ``value`` and ``error`` are of the last evaluation.
    """

    space = spaces.Dict(
        {
            **_DOOR,
            "terms": spaces.MultiDiscrete(np.full((MOST_FUNCTIONS, MOST_TERMS), 27)),
            "bases": spaces.MultiBinary(len(BASES)),
            "value": spaces.Box(-LARGEST, LARGEST, (), np.float64),
            "error": spaces.Discrete(len(_ERRORS)),
        }
    )
    choices = spaces.MultiDiscrete([1 + MOST_FUNCTIONS, len(INPUTS), *[10] * MOST_DIGITS])

    def require(self, puzzle: PuzzleSimulator[Any, Any]) -> None:
        """Refuse more functions, terms or parameters than fit."""
        functions = puzzle.game.functions
        most = (MOST_FUNCTIONS, MOST_TERMS, MOST_DIGITS)
        sizes = len(functions), max(map(len, functions)), len(puzzle.game.letters)
        _require_fits(sizes, most, ("functions", "terms in a function", "parameters"))

    def observed(
        self, puzzle: PuzzleSimulator[Any, Any], seen: Mapping[str, Any]
    ) -> dict[str, Any]:
        """What is told at the beginning, and what the last action brought."""
        terms = np.zeros((MOST_FUNCTIONS, MOST_TERMS), np.int64)
        for row, function in zip(terms, puzzle.game.functions, strict=False):
            row[: len(function)] = [ord(term.param) - ord("a") + 1 for term in function]
        bases = [basis == "1" or basis in puzzle.game.monomials for basis in BASES]
        value = np.clip(seen.get("value") or 0.0, -LARGEST, LARGEST)
        return {
            "steps": np.int64(seen.get("steps", 0)),
            **self._door(seen),
            "terms": terms,
            "bases": np.array(bases, np.int8),
            "value": np.array(value, np.float64),
            "error": np.int64(_ERRORS.index(seen.get("error"))),
        }

    def action(self, puzzle: PuzzleSimulator[Any, Any], choice: Numbers) -> PuzzleAction:
        """Kind 0 enters a code, kind k evaluates function k."""
        kind, at, *digits = choice.tolist()
        if kind == 0:
            size = len(puzzle.game.letters)
            return PuzzleAction("enter_code", code="".join(map(str, digits[:size])))
        if kind > len(puzzle.game.functions):
            return PuzzleAction("malformed")
        return PuzzleAction("evaluate", function=kind, input=INPUTS[at])

    def mask(self, puzzle: PuzzleSimulator[Any, Any]) -> Mask:
        """All functions, all inputs, as many digits as there are parameters."""
        kinds = _mask(1 + MOST_FUNCTIONS, range(1 + len(puzzle.game.functions)))
        inputs = _mask(len(INPUTS), range(len(INPUTS)))
        return kinds, inputs, *self._code_mask(len(puzzle.game.letters))


class EscapeView(_DoorView):
    """The escape room.

    ``room`` is the place of the room, ``paintings`` how often each of the catalogue hangs there,
    ``hint`` the value that the note names: 0 for none, then media, then colours.
    """

    space = spaces.Dict(
        {
            **_DOOR,
            "room": spaces.Discrete(MOST_ROOMS),
            "paintings": spaces.MultiDiscrete([_MOST_PAINTINGS + 1] * len(paintings())),
            "hint": spaces.Discrete(len(_FOCUS)),
        }
    )
    choices = spaces.MultiDiscrete([2 + MOST_ROOMS, *[10] * MOST_DIGITS])

    def require(self, puzzle: PuzzleSimulator[Any, Any]) -> None:
        """Refuse more rooms, paintings or digits than fit."""
        rules = puzzle.game
        most = MOST_ROOMS, _MOST_PAINTINGS, MOST_DIGITS
        hung = max(len(rules.hung(room)) for room in rules.rooms)
        sizes = len(rules.rooms), hung, len(rules.rule.digits)
        _require_fits(sizes, most, ("rooms", "paintings in a room", "digits"))

    def observed(
        self, puzzle: PuzzleSimulator[Any, Any], seen: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The room where the player is, and what the door said of the last code."""
        names = [room.name for room in puzzle.game.rooms]
        hung = seen.get("paintings", ())
        focus = seen.get(f"hint_{puzzle.game.rule.focus}")
        return {
            "steps": np.int64(seen.get("steps", 0)),
            **self._door(seen),
            "room": np.int64(names.index(seen["room"]) if "room" in seen else 0),
            "paintings": np.array([hung.count(each) for each in paintings()], np.int64),
            "hint": np.int64(_FOCUS.index(focus)),
        }

    def action(self, puzzle: PuzzleSimulator[Any, Any], choice: Numbers) -> PuzzleAction:
        """Kind 0 enters a code, 1 is brute force, 2 + k goes to room k."""
        kind, *digits = choice.tolist()
        if kind == 0:
            size = len(puzzle.game.rule.digits)
            return PuzzleAction("enter_code", code="".join(map(str, digits[:size])))
        rooms = puzzle.game.rooms
        if kind == 1:
            return PuzzleAction("brute_force")
        if kind - 2 >= len(rooms):
            return PuzzleAction("malformed")
        return PuzzleAction("pass", to=rooms[kind - 2].name)

    def mask(self, puzzle: PuzzleSimulator[Any, Any]) -> Mask:
        """What is on offer, and as many digits as the password has."""
        names = [room.name for room in puzzle.game.rooms]
        kinds = {"enter_code": 0, "brute_force": 1}
        open_kinds = [
            2 + names.index(each["to"]) if each["do"] == "pass" else kinds[each["do"]]
            for each in puzzle.available()
        ]
        digits = self._code_mask(len(puzzle.game.rule.digits))
        return _mask(2 + MOST_ROOMS, open_kinds), *digits


class ReactorView(PuzzleView):
    """The reactor; a material is a row of letters from 1, with 0 behind its end.

    ``products`` and ``error`` are of the last reaction. Longer materials are cut, and of more
    materials the first are told.
    """

    space = spaces.Dict(
        {
            "steps": spaces.Discrete(MOST_STEPS + 1),
            "target": spaces.MultiDiscrete([27] * MOST_LETTERS),
            "storage": spaces.MultiDiscrete(np.full((MOST_MATERIALS, MOST_LETTERS), 27)),
            "products": spaces.MultiDiscrete(np.full((MOST_PRODUCTS, MOST_LETTERS), 27)),
            "error": spaces.Discrete(len(_ERRORS)),
        }
    )
    choices = spaces.MultiDiscrete([3, MOST_MATERIALS, MOST_MATERIALS])

    def require(self, puzzle: PuzzleSimulator[Any, Any]) -> None:
        """Refuse a target that does not fit."""
        _require_fits((len(puzzle.game.target),), (MOST_LETTERS,), ("letters of a target",))

    def observed(
        self, puzzle: PuzzleSimulator[Any, Any], seen: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The target, the storage, and what the last reaction gave."""
        return {
            "steps": np.int64(seen.get("steps", 0)),
            "target": _letters([puzzle.game.target], 1)[0],
            "storage": _letters(seen.get("storage", ()), MOST_MATERIALS),
            "products": _letters(seen.get("products", ()), MOST_PRODUCTS),
            "error": np.int64(_ERRORS.index(seen.get("error"))),
        }

    def action(self, puzzle: PuzzleSimulator[Any, Any], choice: Numbers) -> PuzzleAction:
        """Kind 0 puts in the first material, 1 both in order, 2 submits the target."""
        kind, first, second = choice.tolist()
        if kind == 2:
            return PuzzleAction("submit")
        stored = puzzle.snapshot().storage
        places = (first,) if kind == 0 else (first, second)
        if max(places) >= len(stored):
            return PuzzleAction("malformed")
        return PuzzleAction("react", materials=tuple(stored[place] for place in places))

    def mask(self, puzzle: PuzzleSimulator[Any, Any]) -> Mask:
        """What is in storage; submission while the target is."""
        stored = _mask(MOST_MATERIALS, range(min(MOST_MATERIALS, len(puzzle.snapshot().storage))))
        offered = [each["do"] for each in puzzle.available()]
        return _mask(3, (0, 1, 2) if "submit" in offered else (0, 1)), stored, stored


VIEWS: Final[Mapping[str, PuzzleView]] = {
    "function_operator": OperatorView(),
    "escape_room": EscapeView(),
    "reactor": ReactorView(),
}
"""By the name of a domain."""


def _require_fits(sizes: Sequence[int], most: Sequence[int], names: Sequence[str]) -> None:
    for size, limit, name in zip(sizes, most, names, strict=True):
        if size > limit:
            raise InputError(f"puzzle: {size} {name} do not fit the spaces; allowed: {limit}")


def _padded(numbers: Iterable[int], size: int) -> Numbers:
    found = np.zeros(size, np.int64)
    given = [*numbers][:size]
    found[: len(given)] = given
    return found


def _letters(materials: Iterable[str], most: int) -> Numbers:
    found = np.zeros((most, MOST_LETTERS), np.int64)
    for row, material in zip(found, materials, strict=False):
        row[:] = _padded((ord(each) - ord("A") + 1 for each in material), MOST_LETTERS)
    return found


def _mask(size: int, allowed: Iterable[int]) -> NDArray[np.int8]:
    found = np.zeros(size, np.int8)
    found[[*allowed]] = 1
    return found
