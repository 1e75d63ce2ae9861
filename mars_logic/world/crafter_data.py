"""Rewrites Crafter's own rules file, ``data.yaml``, and changed ones, into a world file's sections.

What the file says is read as Crafter 1.8.3 reads it (``crafter/engine.py``, ``objects.py``).
Crafter's code fixes the rest: the generation of maps, creatures, and what eating and drinking do.
What a world cannot say is refused, a line each; what has no effect on rules, such as the order of
actions, is told.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.fields import nearest, shown
from mars_logic.world.problems import Document, Path, Problem, WorldError, dotted
from mars_logic.world.vocabulary import vocabulary

DIALECT: Final = "crafter"
_LISTS: Final = ("actions", "materials", "walkable", "achievements")
_MAPPINGS: Final = ("items", "collect", "place", "make")
_SECTIONS: Final = (*_LISTS[:3], *_MAPPINGS, _LISTS[3])
_NEEDED: Final = ("walkable", "collect", "place", "make")
_OF_OTHERS: Final = {"drink", "npc_objects", "terrain_neighbour", "walkable_effect", "dynamics"}
"""Sections of Mars's released files and of ours, which Crafter's never have."""
_GROUND: Final = ("grass", "sand", "path")
_TYPES: Final = {"plant": "object"}


def is_crafter_data(document: Document) -> bool:
    """Whether a file is in the format of Crafter's ``data.yaml``."""
    keys = document.data.keys()
    listed = any(isinstance(document.data.get(key), list) for key in ("actions", "materials"))
    return not keys & _OF_OTHERS and (listed or isinstance(document.data.get("walkable"), list))


class Rewritten(NamedTuple):
    """A rules file of Crafter as sections of our format.

    Attributes:
        document: The sections, with their places in the file.
        told: A sentence for each thing that has no effect.
        problems: What a world cannot say, besides mistakes within rules.
    """

    document: Document
    told: list[str]
    problems: list[Problem]


def rewrite(document: Document) -> Rewritten:
    """The same rules as sections of our format.

    Raises:
        WorldError: A section is unknown, missing, or of another kind.
    """
    rewriter = _Rewriter(document)
    misplaced = [*rewriter.misplaced()]
    if misplaced:
        raise WorldError(*misplaced)
    problems = [*rewriter.problems()]
    made = Document(document.file, rewriter.data, document.lines, rewriter.source)
    return Rewritten(made, rewriter.told, problems)


class _Rewriter:
    """Builds our sections and records where in the file each value stands."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.data: dict[str, dict[str, Any]] = {}
        self.source: dict[Path, Path] = {}
        self.told: list[str] = []
        self.words = vocabulary(DIALECT)

    def misplaced(self) -> Iterator[Problem]:
        """Problems of sections as wholes."""
        for key, section in self.document.data.items():
            if key not in _SECTIONS:
                message = f"unknown section '{key}'{nearest(key, _SECTIONS)}"
                yield self._problem((key,), message, ", ".join(_SECTIONS))
            elif key in _LISTS and not isinstance(section, list):
                yield self._problem((key,), f"{shown(section)} is not a list", "a list of names")
            elif key in _MAPPINGS and not isinstance(section, Mapping):
                yield self._problem((key,), f"{shown(section)} is not a mapping", "a mapping")
        for key in _SECTIONS:
            if key not in self.document.data:
                if key in _NEEDED:
                    message = "this section is missing, which Crafter reads"
                    yield self._problem((key,), message, ", ".join(_SECTIONS))
                else:
                    self._tell((key,), "this section is missing, Crafter's own is taken")

    def problems(self) -> Iterator[Problem]:
        """Problems within sections; the sections are rewritten meanwhile."""
        yield from self._names("materials", names.MATERIALS[1:], needed=True)
        self._order("actions", self.words.actions)
        self._order("achievements", self.words.achievements)
        yield from self._items()
        yield from self._walkable()
        yield from self._collect()
        yield from self._place()
        yield from self._make()

    def _problem(self, path: Path, message: str, allowed: str) -> Problem:
        return self.document.problem(path, message, allowed)

    def _tell(self, path: Path, message: str) -> None:
        place = self._problem(path, "", "")
        self.told.append(f"{place.file}:{place.line}: {dotted(path)}: {message}")

    def _names(self, section: str, known: tuple[str, ...], *, needed: bool) -> Iterator[Problem]:
        """Problems of a list of names: unknown ones, and where all are needed missing ones."""
        stated = self.document.data.get(section, known)
        for i, name in enumerate(stated):
            if name not in known:
                message = f"unknown name {shown(name)}{nearest(str(name), known)}"
                yield self._problem((section, i), message, ", ".join(known))
        for name in known if needed else ():
            if name not in stated:
                message = f"{name} is missing, which a world always has"
                yield self._problem((section,), message, ", ".join(known))

    def _order(self, section: str, known: tuple[str, ...]) -> None:
        """Tell in what a list differs that has no effect on the rules of a world."""
        stated = [str(name) for name in self.document.data.get(section, known)]
        for i, name in enumerate(stated):
            if name not in known:
                self._tell((section, i), f"'{name}' is left out, which Crafter does not have")
        missing = [name for name in known if name not in stated]
        if missing:
            self._tell((section,), f"the world has {', '.join(missing)}, too")
        if [name for name in stated if name in known] != [n for n in known if n in stated]:
            self._tell((section,), "the world keeps Crafter's order")

    def _entries(self, section: str, known: tuple[str, ...]) -> Iterator[tuple[str, Any] | Problem]:
        """The entries of a section that are mappings of known fields, or what is wrong."""
        for name, entry in self.document.data[section].items():
            if not isinstance(entry, Mapping):
                yield self._problem(
                    (section, name), f"{shown(entry)} is not a mapping", "a mapping"
                )
                continue
            wrong = [key for key in entry if key not in known]
            for key in wrong:
                message = f"unknown field '{key}'{nearest(str(key), known)}"
                yield self._problem((section, name, key), message, ", ".join(known))
            if not wrong:
                yield name, entry

    def _items(self) -> Iterator[Problem]:
        stated = self.document.data.get("items", dict.fromkeys(names.ITEMS, None))
        for item, entry in stated.items():
            first = MAXIMUM if item in names.VITALS else 0
            fixed = {"max": MAXIMUM, "initial": first}
            if item not in names.ITEMS:
                message = f"unknown item '{item}'{nearest(item, names.ITEMS)}"
                yield self._problem(("items", item), message, ", ".join(names.ITEMS))
            elif entry is not None and (
                entry != fixed or any(type(number) is not int for number in entry.values())
            ):
                message = "a world fixes what is held at first and at most"
                allowed = f"{{max: {MAXIMUM}, initial: {first}}}"
                yield self._problem(("items", item), message, allowed)
        for item in names.ITEMS:
            if item not in stated:
                message = f"{item} is missing, which a world always has"
                yield self._problem(("items",), message, ", ".join(names.ITEMS))

    def _walkable(self) -> Iterator[Problem]:
        stated = self.document.data["walkable"]
        for i, material in enumerate(stated):
            if material not in _GROUND:
                message = f"{shown(material)}, on which creatures would walk, too, cannot be stated"
                yield self._problem(("walkable", i), message, ", ".join(_GROUND))
        for material in _GROUND:
            if material not in stated:
                message = f"{material} is missing, on which maps of a world begin"
                yield self._problem(("walkable",), message, ", ".join(_GROUND))

    def _put(self, ours: Path, theirs: Path, value: Any) -> None:
        family, subject, *rest = ours
        body = self.data.setdefault(str(family), {}).setdefault(str(subject), {})
        self.source[ours] = theirs
        if rest:
            body[rest[0]] = value

    def _collect(self) -> Iterator[Problem]:
        fields = ("require", "receive", "leaves", "probability")
        for found in self._entries("collect", fields):
            if isinstance(found, Problem):
                yield found
                continue
            material, entry = found
            path: Path = ("collect", material)
            yield from self._missing(path, entry, fields[:3])
            self._put(path, path, None)
            self._put((*path, "requires"), (*path, "require"), entry.get("require", {}))
            if "leaves" in entry:
                self._put((*path, "leaves"), (*path, "leaves"), entry["leaves"])
            chance = entry.get("probability", 1)
            if type(chance) not in (int, float) or not chance >= 0 or math.isnan(chance):
                yield self._problem(
                    (*path, "probability"), f"{shown(chance)} is no probability", "0 to 1"
                )
                continue
            received = entry.get("receive", {})
            if isinstance(received, Mapping) and chance < 1:
                amounts = {i: {"amount": n, "probability": chance} for i, n in received.items()}
                received = amounts if chance > 0 else {}
            self._put((*path, "yields"), (*path, "receive"), received)
            self._put((*path, "collectable"), path, True)
        for material in names.COLLECTABLE:
            if material not in self.document.data["collect"]:
                self._put(("collect", material, "collectable"), ("collect",), False)

    def _missing(self, path: Path, entry: Any, fields: tuple[str, ...]) -> Iterator[Problem]:
        for name in fields:
            if name not in entry:
                message = f"{name} is missing, which Crafter reads"
                yield self._problem(path, message, ", ".join(fields))

    def _place(self) -> Iterator[Problem]:
        def kind(thing: str, entry: Mapping[str, Any]) -> Iterator[Problem]:
            wanted = _TYPES.get(thing, "material")
            if entry.get("type", wanted) != wanted:
                message = f"{shown(entry['type'])} is not what a {thing} is"
                yield self._problem(("place", thing, "type"), message, wanted)

        yield from self._recipes("place", names.PLACEABLE, ("uses", "where", "type"), kind)

    def _make(self) -> Iterator[Problem]:
        def none(tool: str, entry: Mapping[str, Any]) -> Iterator[Problem]:  # noqa: ARG001
            return iter(())

        yield from self._recipes("make", names.TOOLS, ("uses", "nearby", "gives"), none)

    def _recipes(
        self,
        section: str,
        subjects: tuple[str, ...],
        fields: tuple[str, ...],
        more: Callable[[str, Mapping[str, Any]], Iterator[Problem]],
    ) -> Iterator[Problem]:
        """The rules of placing or making; each thing that there is has one."""
        for found in self._entries(section, fields):
            if isinstance(found, Problem):
                yield found
                continue
            subject, entry = found
            path: Path = (section, subject)
            yield from self._missing(path, entry, fields)
            yield from more(subject, entry)
            self._put(path, path, None)
            for name in fields:
                if name in entry and name != "type":
                    self._put((*path, name), (*path, name), entry[name])
        for subject in subjects:
            if subject not in self.document.data[section]:
                message = f"{subject} is missing, which Crafter reads for the action"
                yield self._problem((section,), message, ", ".join(subjects))
