"""What kind of puzzles is wanted: family, rules, sizes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from mars_logic.domains.chance import Seeded
from mars_logic.domains.rulearn.function_operator.rules import BASES, RELEASED
from mars_logic.errors import InputError
from mars_logic.world.fields import nearest

FAMILIES: Final = ("function_operator", "escape_room", "reactor")
"""The families of puzzles, which are domains."""
RULES: Final = ("released", "new")
"""The kinds of rules of the released puzzles, or all that files can state."""
SIZES: Final = ("released", "larger")
"""Sizes as of the released puzzles, in the same shares, or beyond them."""

Shape = Mapping[str, int]
"""The sizes of a puzzle by name."""

_PREFIX: Final = "rulearn/"
MOST_TERMS: Final = 3
"""Terms of a function."""
_LIMITS: Final[Mapping[str, Mapping[str, tuple[int, int]]]] = {
    "function_operator": {
        "functions": (1, 6),
        "parameters": (1, 6),
        "terms": (1, 18),
        "bases": (1, len(BASES)),
    },
    "escape_room": {"galleries": (1, 6), "paintings": (1, 19), "digits": (1, 5)},
    "reactor": {"letters": (3, 12), "materials": (2, 12)},
}
"""The smallest and the largest of each size."""


def _shapes(*rows: tuple[int, ...], names: tuple[str, ...]) -> tuple[Shape, ...]:
    return tuple(dict(zip(names, row, strict=True)) for row in rows)


_FUNCTIONS: Final = ("functions", "parameters", "terms", "bases")
_ROOMS: Final = ("galleries", "paintings", "digits")
_MATERIALS: Final = ("letters", "materials")
_COUNTS: Final = (3, 5, 6, 7, 8, 9, 10, 11, 12, 13)
"""Paintings in the released rooms."""
_PRESETS: Final[Mapping[tuple[str, str], tuple[Shape, ...]]] = {
    ("function_operator", "released"): _shapes(
        *[(1, 1, 1, 1)] * 5,
        *[(2, 2, 2, 2)] * 5,
        *[(2, 2, 3, 2)] * 5,
        *[(3, 3, 5, 4)] * 3,
        *[(3, 4, 6, 5)] * 2,
        names=_FUNCTIONS,
    ),
    ("function_operator", "larger"): _shapes(
        (4, 4, 7, 5), (4, 5, 8, 6), (5, 5, 9, 6), names=_FUNCTIONS
    ),
    ("escape_room", "released"): _shapes(
        *((rooms, count, 3) for rooms in (1, 3) for count in _COUNTS), names=_ROOMS
    ),
    ("escape_room", "larger"): _shapes((3, 14, 3), (4, 16, 4), (5, 18, 5), names=_ROOMS),
    ("reactor", "released"): _shapes(
        *[(3, 6), (5, 6), (5, 6), (5, 6), (6, 6)] * 4, names=_MATERIALS
    ),
    ("reactor", "larger"): _shapes((7, 6), (8, 6), (9, 6), names=_MATERIALS),
}
"""The sizes that the puzzles of a folder have in turn."""


@dataclass(frozen=True)
class PuzzleRequest:
    """What kind of puzzles is wanted.

    Attributes:
        family: The family.
        rules: One of ``RULES``.
        size: One of ``SIZES``, or sizes such as ``paintings=15,digits=4``.
    """

    family: str
    rules: str
    size: str

    @classmethod
    def of(cls, name: str, rules: str = "released", size: str = "released") -> PuzzleRequest:
        """A request in words.

        Args:
            name: A family with the prefix ``rulearn/``.
            rules: One of ``RULES``.
            size: One of ``SIZES``, or sizes by name, with commas between them.

        Raises:
            InputError: One of them is not possible.
        """
        family = name.removeprefix(_PREFIX)
        if family not in FAMILIES or family == name:
            choices = [f"{_PREFIX}{each}" for each in FAMILIES]
            message = f"there is no such family of puzzles{nearest(name, choices)}"
            raise InputError(f"'{name}': {message}; allowed: {', '.join(choices)}")
        if rules not in RULES:
            raise InputError(f"--rules: unknown rules '{rules}'; allowed: {', '.join(RULES)}")
        found = cls(family, rules, size)
        for number in range(len(_PRESETS[family, "released"])):
            found.shape(number)
        return found

    @property
    def bases(self) -> tuple[str, ...]:
        """The bases of functions."""
        return RELEASED if self.rules == "released" else tuple(BASES)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"family": self.family, "rules": self.rules, "size": self.size}

    def shape(self, number: int) -> Shape:
        """The sizes of the puzzle with this number.

        Raises:
            InputError: They are not possible.
        """
        presets = _PRESETS.get((self.family, self.size))
        if presets is not None:
            shape = dict(presets[number % len(presets)])
            if self.family == "escape_room" and self.rules == "released":
                shape["digits"] = min(shape["digits"], 3)
            return shape
        released = _PRESETS[self.family, "released"]
        stated = self._stated()
        shape = self._completed(dict(released[number % len(released)]), stated)
        self._require_possible(shape)
        return shape

    def _stated(self) -> dict[str, int]:
        limits, found = _LIMITS[self.family], dict[str, int]()
        for part in self.size.split(","):
            match = re.fullmatch(r"\s*([a-z]+)\s*=\s*([0-9]{1,4})\s*", part)
            if match is None or match[1] not in limits or match[1] in found:
                sizes = ", ".join(f"{name}=N" for name in limits)
                allowed = f"{', '.join(SIZES)}, or once each {sizes}"
                raise InputError(f"--size: '{part}' is no size; allowed: {allowed}")
            low, high = limits[match[1]]
            if not low <= int(match[2]) <= high:
                allowed = f"a number from {low} to {high}"
                raise InputError(f"--size: {part.strip()} is out of range; allowed: {allowed}")
            found[match[1]] = int(match[2])
        return found

    def _completed(self, shape: dict[str, int], stated: Mapping[str, int]) -> dict[str, int]:
        """Stated sizes with those that are not stated: as released, or so that they fit."""
        if self.family == "function_operator":
            least = -(-stated.get("terms", 1) // MOST_TERMS)
            functions = stated.get("functions", max(shape["functions"], least))
            terms = stated.get("terms", 2 * functions - 1)
            parameters = stated.get("parameters", min(functions, terms))
            bases = stated.get("bases", min(functions + 1, terms, len(self.bases)))
            return dict(zip(_FUNCTIONS, (functions, parameters, terms, bases), strict=True))
        if self.family == "escape_room" and "paintings" not in stated:
            shape["paintings"] = max(shape["paintings"], stated.get("galleries", 1))
        return {**shape, **stated}

    def _require_possible(self, shape: Shape) -> None:
        """Refuse sizes that no puzzle has together."""
        limits = {
            "function_operator": [
                ("terms", "functions", "", shape.get("functions", 0) * MOST_TERMS),
                ("parameters", "", "terms", 9),
                ("bases", "", "terms", len(self.bases)),
            ],
            "escape_room": [
                ("paintings", "galleries", "", 19),
                ("digits", "", "", 3 if self.rules == "released" else 5),
            ],
            "reactor": [],
        }[self.family]
        for name, least, largest, most in limits:
            low, high = shape.get(least, 1), min(most, shape.get(largest, most))
            if not low <= shape[name] <= high:
                others = ", ".join(f"{key}={shape[key]}" for key in shape if key != name)
                allowed = f"{name} from {low} to {high}"
                message = f"there is no such puzzle with {name}={shape[name]} and {others}"
                raise InputError(f"--size: {message}; allowed: {allowed}")


T = TypeVar("T")


class Drawing:
    """Random choices from a seed.

    Args:
        seed: A whole number.
        purpose: Streams of different purposes have nothing to do with each other.
    """

    def __init__(self, seed: int, purpose: str) -> None:
        self._source = Seeded(seed, purpose)

    def number(self, low: int, high: int) -> int:
        """A whole number of a closed range."""
        return low + int(self._source.uniform("number") * (high - low + 1))

    def one(self, items: Sequence[T]) -> T:
        """One of several, all with the same probability."""
        return items[self.number(0, len(items) - 1)]

    def some(self, items: Sequence[T], size: int) -> list[T]:
        """So many different ones, in a random order."""
        return [items[each] for each in self._source.order("some", len(items))[:size]]

    def parts(self, total: int, many: int, most: int) -> list[int]:
        """A total in so many parts, each from 1 to a largest one; all ways are equally likely."""
        while True:
            found = [self.number(1, most) for _ in range(many)]
            if sum(found) == total:
                return found
