"""Names that a world adds to its dialect's: materials, items, and what can be done with them.

A world file states them under ``adds``; rules about them stand in the sections of their families.
An added name follows the dialect's in every list of codes, so that codes of the dialect's names
stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from mars_logic.world.constants import Constants, with_constants
from mars_logic.world.fields import nearest, shown
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.problems import Document, Path, Problem, WorldError
from mars_logic.world.vocabulary import (
    CELL_FAMILIES,
    AddedMaterial,
    Vocabulary,
    WorldGoal,
    vocabulary,
)

LOOKS = ("ore", "station", "ground", "plant")
"""Shapes in which pictures show added materials."""
ROOM: Mapping[str, int] = {"materials": 64, "items": 64, "actions": 128, "achievements": 128}
"""Most names of each kind in a world with added names, with the dialect's, ``none`` too."""

NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", re.ASCII)
LONGEST = 32
_A_NAME = f"a word in lower case such as copper or copper_pickaxe, of at most {LONGEST} letters"
COLOUR = re.compile(r"#[0-9a-fA-F]{6}", re.ASCII)
_OF_PROGRAMS = ("not", "plain")
"""Words that mean something in logic programs about a world, whatever stands beside them."""
_FAMILY_VERBS = ("place", "make", "eat")


@dataclass(frozen=True)
class Adds:
    """What a world adds to the names of its dialect.

    Attributes:
        materials: Added materials with their appearance, in the order of their codes.
        items: Added items.
        placed: Added materials that can be placed.
        made: Added items that can be made.
        eaten: Added items that can be eaten.
        pushed: Materials of any kind that can be pushed.
        beside: Those that change beside others.
        timed: Those that change by themselves.
    """

    materials: tuple[AddedMaterial, ...] = ()
    items: tuple[str, ...] = ()
    placed: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    eaten: tuple[str, ...] = ()
    pushed: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    timed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is added."""
        return bool(self.materials or self.items or any(self.changing.values()))

    @property
    def changing(self) -> dict[str, tuple[str, ...]]:
        """The subjects of the rules about cells that are pushed or change, by family."""
        return dict(zip(CELL_FAMILIES, (self.pushed, self.beside, self.timed), strict=True))

    @property
    def material_names(self) -> tuple[str, ...]:
        """The names of the added materials."""
        return tuple(each.name for each in self.materials)

    def joined(self, more: Adds) -> Adds:
        """These names, then those of another that are not among them."""
        known = self.material_names
        return Adds(
            (*self.materials, *(each for each in more.materials if each.name not in known)),
            _union(self.items, more.items),
            _union(self.placed, more.placed),
            _union(self.made, more.made),
            _union(self.eaten, more.eaten),
            _union(self.pushed, more.pushed),
            _union(self.beside, more.beside),
            _union(self.timed, more.timed),
        )

    def as_data(self) -> dict[str, Any]:
        """What a world file states under ``adds``: plain data that :func:`adds_of` reads."""
        data: dict[str, Any] = {}
        if self.materials:
            data["materials"] = {
                each.name: {"looks": each.looks, "colour": each.colour} for each in self.materials
            }
        if self.items:
            data["items"] = list(self.items)
        return data


NOTHING = Adds()
"""No added names."""


def _union(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def vocabulary_with(
    dynamics: str,
    adds: Adds = NOTHING,
    length: int | None = None,
    goals: tuple[WorldGoal, ...] = (),
    constants: Constants = (),
) -> Vocabulary:
    """The vocabulary of a dialect with what a world states besides rules.

    Equal names give the same object, so that what is made for a vocabulary can be kept by it.

    Args:
        dynamics: The dialect.
        adds: The added names.
        length: Steps of an episode; None for the dialect's own.
        goals: The world's goals; conditions among them follow all other achievements.
        constants: Constants that are not the dialect's.

    Raises:
        KeyError: There is no such dialect.
    """
    return _vocabulary_with(dynamics, adds, length, goals, constants)


@lru_cache(maxsize=256)
def _vocabulary_with(
    dynamics: str,
    adds: Adds,
    length: int | None,
    goals: tuple[WorldGoal, ...],
    constants: Constants,
) -> Vocabulary:
    """The same; without defaults, since the cache tells a default from its value."""
    if constants:
        return with_constants(_vocabulary_with(dynamics, adds, length, goals, ()), constants)
    if goals:
        words = _vocabulary_with(dynamics, adds, length, (), ())
        new = tuple(goal.name for goal in goals if goal.name not in words.achievements)
        return replace(words, achievements=words.achievements + new, goals=goals, wide=True)
    if length is not None:
        return replace(_vocabulary_with(dynamics, adds, None, (), ()), length=length)
    words = vocabulary(dynamics)
    if not adds:
        return words
    materials = adds.material_names
    found = tuple(item for item in adds.items if item not in adds.made)
    verbs = dict(zip(_FAMILY_VERBS, (adds.placed, adds.made, adds.eaten), strict=True))
    actions = tuple(f"{verb}_{name}" for verb, listed in verbs.items() for name in listed)
    more = {"walk": materials, "collect": materials, **verbs}
    more |= {family: listed for family, listed in adds.changing.items() if listed}
    subjects = {**dict.fromkeys(more, ()), **dict(words.subjects)}
    return replace(
        words,
        materials=words.materials + materials,
        items=words.items + adds.items,
        gains=words.gains + adds.items,
        actions=words.actions + actions,
        consumed=FrozenMap(
            {**words.consumed, **{f"eat_{item}": item for item in adds.eaten}},
        ),
        achievements=(
            *words.achievements,
            *(f"collect_{item}" for item in found),
            *actions,
        ),
        subjects=FrozenMap(
            {family: (*listed, *more.get(family, ())) for family, listed in subjects.items()}
        ),
        added=adds.materials,
        wide=True,
    )


def adds_of(document: Document, dynamics: str, inherited: Adds) -> Adds:
    """The names that a document adds, after those that it inherits.

    Args:
        document: The world file.
        dynamics: Its dialect.
        inherited: What its base adds.

    Raises:
        WorldError: A name is no word, is taken, or stands for too many; or an appearance is wrong.
    """
    if not {"adds", *CELL_FAMILIES}.intersection(document.data):
        return inherited
    reader = _Reader(document, vocabulary(dynamics), inherited)
    found = reader.adds()
    if reader.problems:
        raise WorldError(*reader.problems)
    return found


class _Reader:
    """Reads the section ``adds`` and notes what is wrong."""

    def __init__(self, document: Document, words: Vocabulary, inherited: Adds) -> None:
        self.problems: list[Problem] = []
        self._document = document
        self._words = words
        self._inherited = inherited
        self._taken = vocabulary_with(words.name, inherited)

    def adds(self) -> Adds:
        stated = self._document.data.get("adds", {})
        if self._words.traced:
            if "adds" in self._document.data:
                self._wrong(("adds",), f"worlds of {self._words.name} add no names", "no such key")
            return self._inherited
        example = "a mapping such as {materials: {copper: {looks: ore}}, items: [copper]}"
        if not isinstance(stated, Mapping):
            self._wrong(("adds",), f"{shown(stated)} is not a mapping", example)
            return self._inherited
        for key in stated:
            if key not in ("materials", "items"):
                hint = nearest(str(key), ("materials", "items"))
                self._wrong(("adds", key), f"unknown key '{key}'{hint}", "materials, items")
        placed = self._subjects("place")
        materials = tuple(
            self._material(name, about, placed) for name, about in self._named(stated, "materials")
        )
        items = tuple(name for name, _ in self._named(stated, "items"))
        both = self._inherited.joined(Adds(materials, items))
        made, eaten = self._subjects("make"), self._subjects("eat")
        found = both.joined(
            Adds(
                placed=tuple(name for name in placed if name in both.material_names),
                made=tuple(name for name in made if name in both.items),
                eaten=tuple(name for name in eaten if name in both.items),
            )
        )
        materials_of = (*self._words.placed_on, *found.material_names)
        known = (
            tuple(name for name in self._subjects(family) if name in materials_of)
            for family in CELL_FAMILIES
        )
        found = found.joined(Adds((), (), (), (), (), *known))
        self._require_room(found)
        return found

    def _subjects(self, family: str) -> tuple[str, ...]:
        section = self._document.data.get(family, {})
        return tuple(section) if isinstance(section, Mapping) else ()

    def _named(self, stated: Mapping[str, Any], kind: str) -> Iterator[tuple[str, Any]]:
        """The proper names of a list, or of a mapping, with what is said of each."""
        section = stated.get(kind, [])
        path: Path = ("adds", kind)
        if isinstance(section, list):
            entries: list[tuple[Path, Any, Any]] = [
                ((*path, place), name, {}) for place, name in enumerate(section)
            ]
        elif isinstance(section, Mapping) and kind == "materials":
            entries = [((*path, name), name, about) for name, about in section.items()]
        else:
            what = "a list of names" + (", or a mapping" if kind == "materials" else "")
            self._wrong(path, f"{shown(section)} is not {what}", "for example [copper]")
            return
        told: set[str] = set()
        for place, name, about in entries:
            if self._is_name(place, name, kind, told):
                told.add(name)
                yield name, about

    def _is_name(self, place: Path, name: Any, kind: str, told: set[str]) -> bool:
        if not isinstance(name, str) or not NAME.fullmatch(name) or len(name) > LONGEST:
            self._wrong(place, f"{shown(name)} is no name", _A_NAME)
        elif name in told:
            self._wrong(place, f"'{name}' is listed twice", "each name once")
        elif name in self._reserved(kind):
            self._wrong(place, f"'{name}' is a name already", "a name that is not in use")
        else:
            return True
        return False

    def _reserved(self, kind: str) -> tuple[str, ...]:
        words = self._taken
        shared = (*words.objects, *words.vitals, *words.marks, "unknown", "ripe_plant", "arrow")
        shared += _OF_PROGRAMS
        own = words.materials if kind == "materials" else words.items
        return (*shared, *own)

    def _material(self, name: str, about: Any, placed: tuple[str, ...]) -> AddedMaterial:
        path: Path = ("adds", "materials", name)
        looks = "station" if name in placed else "ore"
        colour = default_colour(name)
        if about is None:
            about = {}
        if not isinstance(about, Mapping):
            self._wrong(path, f"{shown(about)} is not a mapping", "{looks: ore, colour: '#b87333'}")
            return AddedMaterial(name, looks, colour)
        for key in about:
            if key not in ("looks", "colour"):
                hint = nearest(str(key), ("looks", "colour"))
                self._wrong((*path, key), f"unknown field '{key}'{hint}", "looks, colour")
        looks, colour = about.get("looks", looks), about.get("colour", colour)
        if looks not in LOOKS:
            hint = nearest(looks, LOOKS) if isinstance(looks, str) else ""
            self._wrong((*path, "looks"), f"unknown shape {shown(looks)}{hint}", ", ".join(LOOKS))
        if not isinstance(colour, str) or not COLOUR.fullmatch(colour):
            allowed = "six hexadecimal digits in quotes, such as '#b87333'"
            self._wrong((*path, "colour"), f"{shown(colour)} is no colour", allowed)
        return AddedMaterial(name, str(looks), str(colour))

    def _require_room(self, found: Adds) -> None:
        if self.problems:
            return
        words = vocabulary_with(self._words.name, found)
        for kind, most in ROOM.items():
            number = len(getattr(words, kind))
            if number > most:
                own = most - len(getattr(self._words, kind))
                place: Path = ("adds", kind) if kind in ("materials", "items") else ("adds",)
                self._wrong(place, f"the world has {number} {kind}", f"{most}, {own} of its own")

    def _wrong(self, path: Path, message: str, allowed: str) -> None:
        self.problems.append(self._document.problem(path, message, allowed))


def default_colour(name: str) -> str:
    """A colour for a material that states none: from its name, of middle brightness."""
    number = sum(place * ord(letter) for place, letter in enumerate(name, start=1))
    channels = (64 + number * 37 % 160, 64 + number * 101 % 160, 64 + number * 59 % 160)
    return "#" + "".join(f"{channel:02x}" for channel in channels)
