"""Rewrites world files in the format released with Mars into ours.

The released files have oddities that the game tolerates; each is read as the game reads it, and
reported. Sources: ``final_world/*/world.yaml`` and ``mars/data.yaml`` of the Mars repository,
Appendix A.5 and M of the paper (whose two other field names are understood as well).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.fields import nearest, shown
from mars_logic.world.problems import Document, Path, Problem, WorldError, dotted
from mars_logic.world.vocabulary import vocabulary

CREATURE_FIELDS = {
    "eatable": "eatable",
    "inc_food_func": "eaten_food_factor",
    "inc_thirst_func": "eaten_drink_factor",
    "eat_health_damage_func": "eaten_health_factor",
    "can_walk": "walks",
    "closable": "approaches",
    "attackable": "attacks",
    "closable_health_damage_func": "attack_health_factor",
    "arrowable": "shoots",
    "arrow_damage_func": "arrow_health_factor",
}
DRINK_FIELDS = {"inc_drink_func": "drink", "inc_food_func": "food", "inc_damage_func": "health"}
WALK_FIELDS = {"walk_health": "health", "dieable": "deadly"}
COLLECT_FIELDS = {"require": "requires", "receive": "yields"}

PAPER_NAMES = {"terrain_effect": "walkable_effect", "inc_health_func": "inc_damage_func"}
"""Names in the paper -> those in the released files, where they differ."""

REQUIRED = (
    "walkable",
    "walkable_effect",
    "terrain_neighbour",
    "npc_objects",
    "drink",
    "collect",
    "place",
    "make",
)
OPTIONAL = ("name2name", "items", "achievements", "ignitability")
SECTIONS = (*REQUIRED, *OPTIONAL)

_TELLING = {"walkable", "walkable_effect", "terrain_neighbour", "name2name", "npc_objects"}
_ACHIEVEMENTS = ", ".join(vocabulary("mars").achievements)
_IGNITABLE = ("wood", "stone", "coal", "iron", "diamond")


def is_released(document: Document) -> bool:
    """Whether a file is in the released format: it has a section that only that format has."""
    return bool(_TELLING & {PAPER_NAMES.get(key.strip(), key.strip()) for key in document.data})


def rewrite(document: Document) -> tuple[Document, list[str]]:
    """The same world as sections of our format, and a sentence for each oddity of the file.

    Raises:
        WorldError: A section is missing, unknown, no mapping or contradictory; the validation of
            rules reports mistakes within rules.
    """
    rewriter = _Rewriter(document)
    rewriter.rewrite()
    if rewriter.problems:
        raise WorldError(*rewriter.problems)
    target = Document(document.file, rewriter.data, rewriter.tidy.lines, rewriter.source)
    return target, rewriter.oddities


class _Rewriter:
    """Builds our sections one by one and records each value's place in the file."""

    def __init__(self, document: Document) -> None:
        self.oddities: list[str] = []
        self.problems: list[Problem] = []
        self.data: dict[str, dict[str, Any]] = {}
        self.source: dict[Path, Path] = {}
        lines = dict(document.lines)
        self.tidy = Document(document.file, {}, lines)
        self.tidy.data = self._tidied(document.data, (), (), lines)

    # Reading the file ------------------------------------------------------------------------

    def _odd(self, path: Path, message: str) -> None:
        line = self.tidy.problem(path, "", "").line
        self.oddities.append(f"{self.tidy.file}:{line}: {dotted(path)}: {message}")

    def _wrong(self, path: Path, message: str, allowed: str) -> None:
        self.problems.append(self.tidy.problem(path, message, allowed))

    def _tidied(self, value: Any, old: Path, new: Path, lines: dict[Path, int]) -> Any:
        """Without blanks around names, with null for the text None, and with released names."""
        lines.setdefault(new, lines[old])
        if isinstance(value, Mapping):
            tidied: dict[str, Any] = {}
            for key, child in value.items():
                name = key.strip()
                name = PAPER_NAMES.get(name, name)
                lines.setdefault((*new, name), lines[(*old, key)])
                if name != key:
                    self._odd((*new, name), f"the key '{key}' is read as '{name}'")
                if name in tidied:
                    self._wrong((*new, name), "this key is stated twice", "each key once")
                tidied[name] = self._tidied(child, (*old, key), (*new, name), lines)
            return tidied
        if isinstance(value, list):
            return [
                self._tidied(child, (*old, i), (*new, i), lines) for i, child in enumerate(value)
            ]
        if isinstance(value, str) and value.strip() == "None":
            self._odd(new, "the text 'None' is read as null")
            return None
        if isinstance(value, str) and value.strip() != value:
            self._odd(new, f"'{value}' is read as '{value.strip()}', without blanks")
            return value.strip()
        return value

    def rewrite(self) -> None:
        self._check_sections()
        if self.problems:
            return
        self._neighbour()
        self._rename()
        self._walk()
        self._creature()
        self._drink()
        self._collect()
        self._place_and_make()
        self._check_fixed()

    def _check_sections(self) -> None:
        data = self.tidy.data
        for key, section in data.items():
            if key not in SECTIONS:
                message = f"unknown section '{key}'{nearest(key, SECTIONS)}"
                self._wrong((key,), message, ", ".join(SECTIONS))
            elif key in ("walkable", "achievements"):
                if not isinstance(section, list):
                    self._wrong((key,), f"{shown(section)} is not a list", "a list of names")
            elif not isinstance(section, Mapping):
                self._wrong((key,), f"{shown(section)} is not a mapping", "a mapping")
        for key in REQUIRED:
            if key not in data:
                self._wrong((key,), "this section is missing", ", ".join(REQUIRED))
        for key in ("items", "achievements"):
            if key not in data:
                self._odd((key,), "this section is missing, the game's own is taken")

    def _entries(self, section: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The entries of a section that are valid, that is, mappings."""
        for key, entry in self.tidy.data[section].items():
            if isinstance(entry, Mapping):
                yield key, entry
            else:
                self._wrong((section, key), f"{shown(entry)} is not a mapping", "a mapping")

    def _put(self, ours: Path, theirs: Path, value: Any) -> None:
        family, subject, *rest = ours
        body = self.data.setdefault(str(family), {}).setdefault(str(subject), {})
        self.source[ours[:2]] = self.source.get(ours[:2], theirs[:2])
        self.source[ours] = theirs
        if rest:
            body[rest[0]] = value

    def _put_fields(
        self, ours: Path, theirs: Path, entry: Mapping[str, Any], fields: Mapping[str, str]
    ) -> None:
        """Move fields under their new names; a missing one keeps its default and is reported."""
        for name, new in fields.items():
            if name in entry:
                self._put((*ours, new), (*theirs, name), entry[name])
            else:
                self._odd(theirs, f"the key '{name}' is missing, no effect is assumed")

    def _check_keys(self, path: Path, entry: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for key in entry:
            if key not in known:
                message = f"unknown field '{key}'{nearest(key, known)}"
                self._wrong((*path, key), message, ", ".join(known))

    # One section each ------------------------------------------------------------------------

    def _neighbour(self) -> None:
        section = self.tidy.data["terrain_neighbour"]
        self.source[("neighbour",)] = ("terrain_neighbour",)
        for feature in dict.fromkeys((*names.REGIONS, *section)):
            path = ("terrain_neighbour", feature)
            if feature in section:
                self._put(("neighbour", feature, "material"), path, section[feature])
            elif feature not in ("player", "water", "tree"):
                self._odd(path, "this key is missing, nothing is put around it")
                self._put(("neighbour", feature, "material"), path, None)

    def _rename(self) -> None:
        self.source[("rename",)] = ("name2name",)
        section = self.tidy.data.get("name2name")
        if section is None:
            self._odd(("name2name",), "this section is missing, no material is renamed")
            return
        for material in names.NATURAL:
            if material not in section:
                self._odd(("name2name", material), "this key is missing, it keeps its name")
        for material, target in section.items():
            self._put(("rename", material, "material"), ("name2name", material), target)

    def _walk(self) -> None:
        walkable = self.tidy.data["walkable"]
        for i, material in enumerate(walkable):
            if material not in names.NATURAL:
                message = f"unknown material {shown(material)}"
                hint = nearest(material, names.NATURAL) if isinstance(material, str) else ""
                self._wrong(("walkable", i), message + hint, ", ".join(names.NATURAL))
        effects = dict(self._entries("walkable_effect"))
        for material in (*names.NATURAL, *(key for key in effects if key not in names.NATURAL)):
            ours, theirs = ("walk", material), ("walkable_effect", material)
            self._put((*ours, "walkable"), theirs, material in walkable)
            if material not in effects:
                self._odd(theirs, "this key is missing, no effect is assumed")
                continue
            entry = effects[material]
            self._check_keys(theirs, entry, ("walkable", *WALK_FIELDS))
            self._put_fields(ours, theirs, entry, WALK_FIELDS)
            stated = entry.get("walkable", material in walkable)
            if not isinstance(stated, bool):
                message = f"{shown(stated)} is neither true nor false"
                self._wrong((*theirs, "walkable"), message, "true, false")
            elif stated != (material in walkable):
                message = "disagrees with the list 'walkable', which is the one the game reads"
                self._odd((*theirs, "walkable"), message)

    def _creature(self) -> None:
        self.source[("creature",)] = ("npc_objects",)
        for being, entry in self._entries("npc_objects"):
            theirs = ("npc_objects", being)
            self._check_keys(theirs, entry, (*CREATURE_FIELDS, "defeatable"))
            stated = dict(entry)
            eatable, defeatable = entry.get("eatable"), entry.get("defeatable")
            if "defeatable" not in entry and isinstance(eatable, bool):
                self._odd(theirs, "the key 'defeatable' is missing, the opposite of 'eatable'")
            elif "eatable" not in entry and isinstance(defeatable, bool):
                self._odd(theirs, "the key 'eatable' is missing, the opposite of 'defeatable'")
                stated["eatable"] = not defeatable
            elif eatable is None and defeatable is None:
                message = "it is not stated whether it is eatable or defeatable"
                self._wrong(theirs, message, "exactly one of eatable and defeatable true")
            elif not isinstance(defeatable, bool):
                message = f"{shown(defeatable)} is neither true nor false"
                self._wrong((*theirs, "defeatable"), message, "true, false")
            elif eatable is defeatable:
                both = "both" if eatable else "neither"
                message = f"{being} is {both} eatable {'and' if eatable else 'nor'} defeatable"
                self._wrong(theirs, message, "exactly one of eatable and defeatable true")
            self._put_fields(("creature", being), theirs, stated, CREATURE_FIELDS)

    def _drink(self) -> None:
        entries = dict(self._entries("drink"))
        for liquid in names.LIQUIDS:
            if liquid not in entries:
                self._odd(("drink", liquid), "this key is missing, no effect is assumed")
        for liquid, entry in entries.items():
            path = ("drink", liquid)
            self._check_keys(path, entry, tuple(DRINK_FIELDS))
            self._put_fields(path, path, entry, DRINK_FIELDS)
            self._put(path, path, None)

    def _collect(self) -> None:
        entries = dict(self._entries("collect"))
        for material in names.COLLECTABLE:
            if material not in self.tidy.data["collect"]:
                path = ("collect", material)
                self._odd(path, "this key is missing, nothing can be collected there")
                self._put((*path, "collectable"), path, False)
        for material, entry in entries.items():
            path = ("collect", material)
            self._check_keys(path, entry, (*COLLECT_FIELDS, "leaves"))
            for name, new in COLLECT_FIELDS.items():
                value = entry.get(name)
                if value is None:
                    self._odd((*path, name), "nothing is stated, read as {}")
                    value = {}
                self._put((*path, new), (*path, name), value)
            self._leaves(path, entry.get("leaves"))

    def _leaves(self, path: Path, leaves: Any) -> None:
        theirs = (*path, "leaves")
        if not isinstance(leaves, Mapping) or leaves.get("material") is None:
            allowed = "for example {material: path, object: null}"
            self._wrong(theirs, f"{shown(leaves)} names no material to leave", allowed)
            return
        self._check_keys(theirs, leaves, ("material", "object"))
        self._put((*path, "leaves"), (*theirs, "material"), leaves["material"])
        if "object" not in leaves:
            self._odd(theirs, "the key 'object' is missing, nothing appears")
        creatures = {} if leaves.get("object") is None else leaves["object"]
        if not isinstance(creatures, Mapping):
            self._wrong(
                (*theirs, "object"), f"{shown(creatures)} is not a mapping", "{zombie: 0.1}"
            )
            return
        if len(creatures) > 1:
            first = next(iter(creatures))
            self._odd((*theirs, "object"), f"only the first creature, {first}, ever appears")
            creatures = {first: creatures[first]}
        self._put((*path, "spawns"), (*theirs, "object"), creatures)

    def _place_and_make(self) -> None:
        for thing, entry in self._entries("place"):
            path = ("place", thing)
            self._check_keys(path, entry, ("uses", "where", "type"))
            kind = "object" if thing == "plant" else "material"
            if entry.get("type", kind) != kind:
                message = f"{shown(entry['type'])} is not what a {thing} is"
                self._wrong((*path, "type"), message, kind)
            for name in ("uses", "where"):
                if name in entry:
                    self._put((*path, name), (*path, name), entry[name])
            self._put(path, path, None)
        for tool, entry in self._entries("make"):
            path = ("make", tool)
            self._check_keys(path, entry, ("uses", "nearby", "gives"))
            for name, value in entry.items():
                self._put((*path, name), (*path, name), value)
            self._put(path, path, None)

    def _check_fixed(self) -> None:
        """Sections that the game's code fixes must state its values."""
        items = self.tidy.data.get("items", {})
        for item, entry in items.items():
            fixed = {"max": MAXIMUM, "initial": MAXIMUM if item in names.VITALS else 0}
            if item not in names.ITEMS:
                message = f"unknown item '{item}'{nearest(item, names.ITEMS)}"
                self._wrong(("items", item), message, ", ".join(names.ITEMS))
            elif entry != fixed or any(type(n) is not int for n in entry.values()):
                message = "the game fixes what an inventory holds"
                allowed = f"{{max: {MAXIMUM}, initial: {fixed['initial']}}}"
                self._wrong(("items", item), message, allowed)
        stated = self.tidy.data.get("achievements", list(vocabulary("mars").achievements))
        for i, name in enumerate(stated):
            if name not in vocabulary("mars").achievements:
                message = f"unknown achievement {shown(name)}"
                hint = nearest(str(name), vocabulary("mars").achievements)
                self._wrong(("achievements", i), message + hint, _ACHIEVEMENTS)
        if missing := set(vocabulary("mars").achievements) - {str(name) for name in stated}:
            message = f"{min(missing)} is not in the list"
            self._wrong(("achievements",), message, _ACHIEVEMENTS)
        for material, flag in self.tidy.data.get("ignitability", {}).items():
            path = ("ignitability", material)
            if material not in _IGNITABLE:
                message = f"unknown material '{material}'{nearest(material, _IGNITABLE)}"
                self._wrong(path, message, ", ".join(_IGNITABLE))
            elif not isinstance(flag, bool):
                self._wrong(path, f"{shown(flag)} is neither true nor false", "true, false")
