"""Reads the names that a world file adds, under ``adds``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mars_logic.world.added_creatures import MOST_CREATURES, CreatureReader
from mars_logic.world.added_things import AddedMaterial, AddedProjectile
from mars_logic.world.adds import (
    COLOUR,
    DESCRIBED,
    LONGEST,
    LOOKS,
    MOST_NEEDS,
    NAME,
    ROOM,
    Adds,
    default_colour,
    vocabulary_with,
)
from mars_logic.world.fields import nearest, shown
from mars_logic.world.problems import Document, Path, Problem, WorldError
from mars_logic.world.vocabulary import (
    ARROW,
    CELL_FAMILIES,
    CREATURE_FAMILIES,
    PROJECTILE_FAMILIES,
    Vocabulary,
    vocabulary,
)

_KINDS = ("materials", "items", "creatures", "projectiles", "needs")
_A_NAME = f"a word in lower case such as copper or copper_pickaxe, of at most {LONGEST} letters"
_OF_PROGRAMS = ("not", "plain")
"""Words that mean something in logic programs about a world, whatever stands beside them."""


def adds_of(document: Document, dynamics: str, inherited: Adds) -> Adds:
    """The names that a document adds, after those that it inherits.

    Args:
        document: The world file.
        dynamics: Its dialect.
        inherited: What its base adds.

    Raises:
        WorldError: A name is no word, is taken, or stands for too many; or an appearance is wrong.
    """
    families = (*CELL_FAMILIES, *CREATURE_FAMILIES, *PROJECTILE_FAMILIES)
    if not {"adds", *families}.intersection(document.data):
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
        self._own: tuple[str, ...] = ()
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
            if key not in _KINDS:
                hint = nearest(str(key), _KINDS)
                self._wrong(("adds", key), f"unknown key '{key}'{hint}", ", ".join(_KINDS))
        placed = self._subjects("place")
        materials = tuple(
            self._material(name, about, placed) for name, about in self._named(stated, "materials")
        )
        items = tuple(name for name, _ in self._named(stated, "items"))
        both = self._inherited.joined(Adds(materials, items))
        self._own = (*both.material_names, *both.items)
        made, eaten = self._subjects("make"), self._subjects("eat")
        found = both.joined(
            Adds(
                placed=tuple(name for name in placed if name in both.material_names),
                made=tuple(name for name in made if name in both.items),
                eaten=tuple(name for name in eaten if name in both.items),
            )
        )
        materials_of = (*self._words.placed_on, *found.material_names)
        pushed, beside, timed = (
            tuple(name for name in self._subjects(family) if name in materials_of)
            for family in CELL_FAMILIES
        )
        found = found.joined(Adds(pushed=pushed, beside=beside, timed=timed))
        found = self._with_creatures(stated, found, materials_of)
        found = self._with_projectiles(stated, found)
        found = found.joined(Adds(needs=tuple(name for name, _ in self._named(stated, "needs"))))
        self._require_room(found)
        return found

    def _with_creatures(
        self, stated: Mapping[str, Any], found: Adds, materials: tuple[str, ...]
    ) -> Adds:
        """The same names with the creatures, and those about which there are rules of a table."""
        reader = CreatureReader(materials, self._appearance, self._wrong)
        told = [*self._named(stated, "creatures")]
        self._own += tuple(name for name, _ in told)
        found = found.joined(Adds(creatures=tuple(reader.creature(*each) for each in told)))
        beings = (*self._words.creatures, *found.creature_names)
        behaving, hunted = (
            tuple(name for name in self._subjects(family) if name in beings)
            for family in CREATURE_FAMILIES
        )
        found = found.joined(Adds(behaving=behaving, hunted=hunted))
        if found.creatures or behaving or hunted:
            self._require_mars(stated, "creatures", CREATURE_FAMILIES)
        return found

    def _with_projectiles(self, stated: Mapping[str, Any], found: Adds) -> Adds:
        """The same names with the projectiles, and those about which there are rules."""
        told = [*self._named(stated, "projectiles")]
        self._own += tuple(name for name, _ in told)
        found = found.joined(Adds(projectiles=tuple(self._projectile(*each) for each in told)))
        known = (ARROW, *found.projectile_names)
        flying, shot = (
            tuple(name for name in self._subjects(family) if name in known)
            for family in PROJECTILE_FAMILIES
        )
        flying = tuple(dict.fromkeys((*found.projectile_names, *flying)))
        found = found.joined(Adds(flying=flying, shot=shot))
        if flying or shot:
            self._require_mars(stated, "projectiles", PROJECTILE_FAMILIES)
        return found

    def _projectile(self, name: str, about: Any) -> AddedProjectile:
        path: Path = ("adds", "projectiles", name)
        about = {} if about is None else about
        if not isinstance(about, Mapping):
            self._wrong(path, f"{shown(about)} is not a mapping", "{colour: '#d0d0d0'}")
            return AddedProjectile(name, default_colour(name))
        for key in about:
            if key != "colour":
                hint = nearest(str(key), ("colour",))
                self._wrong((*path, key), f"unknown field '{key}'{hint}", "colour")
        return AddedProjectile(name, self._colour(path, name, about))

    def _require_mars(
        self, stated: Mapping[str, Any], kind: str, families: tuple[str, ...]
    ) -> None:
        """Creatures and projectiles are data in the dialect of Mars alone."""
        if "creature" in self._words.fixed:
            own = (name for name in families if name in self._document.data)
            place: Path = ("adds", kind) if kind in stated else (next(own),)
            message = f"{kind} are fixed in worlds of dynamics {self._words.name}"
            self._wrong(place, message, "dynamics: mars")

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
        elif isinstance(section, Mapping) and kind in DESCRIBED:
            entries = [((*path, name), name, about) for name, about in section.items()]
        else:
            what = "a list of names" + (", or a mapping" if kind in DESCRIBED else "")
            known = {"creatures": "wolf", "needs": "warmth", "projectiles": "bolt"}
            example = known.get(kind, "copper")
            self._wrong(path, f"{shown(section)} is not {what}", f"for example [{example}]")
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
        if kind in ("creatures", "needs", "projectiles"):
            # what rules of collecting leave or bring must be told apart
            return (*shared, *words.materials, *words.items, *self._own)
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
        return AddedMaterial(name, *self._appearance(path, name, about, looks, LOOKS))

    def _appearance(
        self, path: Path, name: str, about: Mapping[str, Any], usual: str, shapes: tuple[str, ...]
    ) -> tuple[str, str]:
        """Shape and colour."""
        looks = about.get("looks", usual)
        if looks not in shapes:
            hint = nearest(looks, shapes) if isinstance(looks, str) else ""
            self._wrong((*path, "looks"), f"unknown shape {shown(looks)}{hint}", ", ".join(shapes))
        return str(looks), self._colour(path, name, about)

    def _colour(self, path: Path, name: str, about: Mapping[str, Any]) -> str:
        colour = about.get("colour", default_colour(name))
        if not isinstance(colour, str) or not COLOUR.fullmatch(colour):
            allowed = "six hexadecimal digits in quotes, such as '#b87333'"
            self._wrong((*path, "colour"), f"{shown(colour)} is no colour", allowed)
        return str(colour)

    def _require_room(self, found: Adds) -> None:
        if self.problems:
            return
        words = vocabulary_with(self._words.name, found)
        for kind, most in ROOM.items():
            number = len(getattr(words, kind))
            if number > most:
                own = most - len(getattr(self._words, kind))
                place: Path = ("adds", kind) if kind in _KINDS else ("adds",)
                self._wrong(place, f"the world has {number} {kind}", f"{most}, {own} of its own")
        for kind, most in (("creatures", MOST_CREATURES), ("needs", MOST_NEEDS)):
            if (number := len(getattr(found, kind))) > most:
                self._wrong(("adds", kind), f"the world adds {number} {kind}", f"at most {most}")
        moving = len(found.creatures) + len(found.projectiles)
        if found.projectiles and moving > MOST_CREATURES:
            message = f"the world adds {moving} creatures and projectiles"
            self._wrong(("adds", "projectiles"), message, f"at most {MOST_CREATURES} together")

    def _wrong(self, path: Path, message: str, allowed: str) -> None:
        self.problems.append(self._document.problem(path, message, allowed))
