"""Constants of a dialect that a world may state otherwise, under ``constants``.

These are the numbers that simulator, logic, manual and planner read from a world's vocabulary. All
others, such as daylight and how creatures come and move, are compiled into the simulator's code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final, NamedTuple

from mars_logic.world.fields import nearest, shown
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.problems import Document, Path, Problem, WorldError
from mars_logic.world.vocabulary import Vocabulary

Key = tuple[str, ...]
Constants = tuple[tuple[Key, float], ...]
"""The constants in which a world differs from its dialect: keys such as ``need, food, every``."""


class ConstantRange(NamedTuple):
    """Allowed values: multiples of a step from least to most."""

    least: float
    most: float
    step: float = 1

    def __contains__(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return self.least <= value <= self.most and (value / self.step).is_integer()

    def __str__(self) -> str:
        kind = "a whole number" if self.step == 1 else f"a multiple of {self.step:g}"
        return f"{kind} from {self.least:g} to {self.most:g}"


_ASLEEP: Final = {"energy": ConstantRange(-4, -0.5, 0.5), "health": ConstantRange(0.5, 4, 0.5)}


@cache
def ranges(words: Vocabulary) -> Mapping[Key, ConstantRange]:
    """The constants that worlds of a dialect may state, with their allowed values."""
    found: dict[Key, ConstantRange] = {}
    for vital in words.vitals:
        found["need", vital, "every"] = ConstantRange(2, 1000)
        found["need", vital, "asleep"] = _ASLEEP.get(vital, ConstantRange(0, 4, 0.5))
        found["need", vital, "loss"] = ConstantRange(1, 9)
    found |= {("damage", weapon): ConstantRange(1, 100) for weapon in words.damage}
    found |= {
        ("health_at_first", being): ConstantRange(1, 30)
        for being in words.health_at_first
        if being != "plant"
    }
    found["ripe_age",] = ConstantRange(1, 10_000)
    return found


def value_of(words: Vocabulary, key: Key) -> float:
    """The value of a constant."""
    found: Any = getattr(words, key[0])
    for name in key[1:]:
        found = found[name]
    return float(found)


def with_constants(words: Vocabulary, constants: Constants) -> Vocabulary:
    """A vocabulary with some other constants; the weapon of the greatest damage counts first."""
    changed: dict[str, Any] = {}
    for key, value in constants:
        number = int(value) if value == int(value) else value
        changed[key[0]] = _with(changed.get(key[0], getattr(words, key[0])), key[1:], number)
        if key[0] == "need" and key[2] == "asleep":
            changed["need"] = _with(changed["need"], (key[1], "in_bed"), number)
    if "damage" in changed:
        order = sorted(changed["damage"].items(), key=lambda each: -each[1])
        changed["damage"] = FrozenMap(dict(order))
    return replace(words, **changed)


def _with(found: Any, key: Key, value: float) -> Any:
    if not key:
        return value
    return FrozenMap({**found, key[0]: _with(found[key[0]], key[1:], value)})


def nested(constants: Constants) -> dict[str, Any]:
    """What a world file states under ``constants``."""
    data: dict[str, Any] = {}
    for key, value in constants:
        within = data
        for name in key[:-1]:
            within = within.setdefault(name, {})
        within[key[-1]] = int(value) if value == int(value) else value
    return data


def all_constants(words: Vocabulary) -> Constants:
    """All constants that a world may state, with the values of a vocabulary."""
    return tuple((key, value_of(words, key)) for key in ranges(words))


def constants_of(document: Document, words: Vocabulary, inherited: Constants) -> Constants:
    """The constants that a document states or inherits, but for those of its dialect.

    Args:
        document: The world file.
        words: The names and constants of its dialect.
        inherited: The constants of its base.

    Raises:
        WorldError: A constant is unknown, or its value is not allowed.
    """
    problems: list[Problem] = []
    stated = document.data.get("constants", {})
    found = dict(inherited)
    if words.traced and "constants" in document.data:
        message = f"worlds of {words.name} state no constants"
        raise WorldError(document.problem(("constants",), message, "no such key"))
    known = ranges(words)
    for key, value in _leaves(document, (), stated, tuple(known), problems):
        if value in known[key]:
            found[key] = float(value)
        else:
            message = f"{shown(value)} is not possible"
            problems.append(document.problem(("constants", *key), message, str(known[key])))
    if problems:
        raise WorldError(*problems)
    return tuple(
        (key, found[key]) for key in known if key in found and found[key] != value_of(words, key)
    )


def _leaves(
    document: Document, key: Key, stated: Any, known: tuple[Key, ...], problems: list[Problem]
) -> Iterator[tuple[Key, Any]]:
    """The known keys of a section with their values; what is none is noted."""
    if key in known:
        yield key, stated
        return
    place: Path = ("constants", *key)
    choices = tuple(dict.fromkeys(each[len(key)] for each in known if each[: len(key)] == key))
    if not isinstance(stated, Mapping):
        example = "a mapping such as {need: {food: {every: 13}}}" if not key else "a mapping of "
        allowed = example if not key else example + ", ".join(choices)
        problems.append(document.problem(place, f"{shown(stated)} is not a mapping", allowed))
        return
    for name, value in stated.items():
        if name in choices:
            yield from _leaves(document, (*key, name), value, known, problems)
        else:
            message = f"unknown constant '{name}'{nearest(str(name), choices)}"
            problems.append(document.problem((*place, name), message, ", ".join(choices)))
