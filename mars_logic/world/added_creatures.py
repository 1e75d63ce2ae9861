"""Reads the creatures that a world file adds, under ``adds: creatures``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from mars_logic.world.added_things import AddedCreature, Coming
from mars_logic.world.dialect import CHUNK
from mars_logic.world.fields import nearest, shown
from mars_logic.world.problems import Path

LOOKS: Final = ("animal", "person")
"""Shapes in which pictures show added creatures."""
MOST_CREATURES: Final = 9
"""Most creatures that a world may add: a cell has four bits for what is on it."""
MOST_IN_CHUNK: Final = 9.0
_EXAMPLE: Final = "{health: 4, ground: [grass], comes: {ground: grass, day: 0, night: 2}}"

Wrong = Callable[[Path, str, str], None]
"""Notes a problem: its place, the message, and what is allowed."""


class _Range(NamedTuple):
    least: float
    most: float
    whole: bool = True

    def __str__(self) -> str:
        return f"a {'whole ' * self.whole}number from {self.least:g} to {self.most:g}"

    def __contains__(self, value: object) -> bool:
        kinds = (int,) if self.whole else (int, float)
        known = isinstance(value, kinds) and not isinstance(value, bool)
        return known and self.least <= value <= self.most  # type: ignore[operator]


_HEALTH: Final = _Range(1, 30)
_CHANCE: Final = _Range(0, 1, whole=False)
_DISTANCE: Final = _Range(0, 17)
_NUMBER: Final = _Range(0, MOST_IN_CHUNK, whole=False)
_COMING: Final[Mapping[str, _Range]] = {
    "enough": _Range(1, CHUNK * CHUNK),
    "day": _NUMBER,
    "night": _NUMBER,
    "fewest": _Range(0, MOST_IN_CHUNK),
    "chance": _CHANCE,
    "distance": _DISTANCE,
    "going_chance": _CHANCE,
    "going_distance": _DISTANCE,
}
RANGES: Final[Mapping[str, _Range]] = {"health": _HEALTH, **_COMING}
"""The numbers that are stated of an added creature, and of its coming."""
_FIELDS: Final = ("looks", "colour", "health", "ground", "comes")


class CreatureReader:
    """Reads what a file says of one added creature."""

    def __init__(
        self, materials: tuple[str, ...], looks: Callable[..., tuple[str, str]], wrong: Wrong
    ):
        """Prepare.

        Args:
            materials: Those of the world.
            looks: Reads shape and colour.
            wrong: Notes what is wrong.
        """
        self._materials = materials
        self._looks = looks
        self._wrong = wrong

    def creature(self, name: str, about: Any) -> AddedCreature:
        """The creature; where something is wrong, that is noted."""
        path: Path = ("adds", "creatures", name)
        about = {} if about is None else about
        if not isinstance(about, Mapping):
            self._wrong(path, f"{shown(about)} is not a mapping", _EXAMPLE)
            return AddedCreature(name)
        self._only(path, about, _FIELDS)
        looks, colour = self._looks(path, name, about, "animal", LOOKS)
        found: dict[str, Any] = {"looks": looks, "colour": colour}
        if "health" in about:
            found["health"] = self._number((*path, "health"), about["health"])
        if "ground" in about:
            found["ground"] = self._ground((*path, "ground"), about["ground"])
        if about.get("comes") is not None:
            found["comes"] = self._coming((*path, "comes"), about["comes"])
        return AddedCreature(name, **found)

    def _ground(self, path: Path, stated: Any) -> tuple[str, ...]:
        listed = [stated] if isinstance(stated, str) else stated
        if not isinstance(listed, list) or not listed:
            self._wrong(path, f"{shown(stated)} is no list of materials", "such as [grass, sand]")
            return ()
        for place, name in enumerate(listed):
            where = path if listed is not stated else (*path, place)
            if self._is_material(where, name) and name in listed[:place]:
                self._wrong(where, f"'{name}' is listed twice", "each material at most once")
        return tuple(name for name in self._materials if name in listed)

    def _coming(self, path: Path, stated: Any) -> Coming | None:
        if not isinstance(stated, Mapping):
            self._wrong(
                path, f"{shown(stated)} is not a mapping", "{ground: grass, day: 0, night: 2}"
            )
            return None
        self._only(path, stated, ("ground", *_COMING))
        if "ground" not in stated:
            self._wrong(path, "'ground' is missing", "the material on which it appears")
            return None
        if not self._is_material((*path, "ground"), stated["ground"]):
            return None
        numbers = {key: self._number((*path, key), stated[key]) for key in _COMING if key in stated}
        for key in ("day", "night", "chance", "going_chance"):
            if key in numbers:
                numbers[key] = float(numbers[key])
        return Coming(stated["ground"], **numbers)

    def _number(self, path: Path, value: Any) -> Any:
        allowed = RANGES[str(path[-1])]
        if value in allowed:
            return value
        self._wrong(path, f"{shown(value)} is not possible", str(allowed))
        return 1

    def _is_material(self, path: Path, name: Any) -> bool:
        if isinstance(name, str) and name in self._materials:
            return True
        hint = nearest(name, self._materials) if isinstance(name, str) else ""
        self._wrong(path, f"unknown material {shown(name)}{hint}", ", ".join(self._materials))
        return False

    def _only(self, path: Path, about: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for key in about:
            if key not in known:
                hint = nearest(str(key), known)
                self._wrong((*path, key), f"unknown field '{key}'{hint}", ", ".join(known))
