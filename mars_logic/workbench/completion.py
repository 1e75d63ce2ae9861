"""What may be written at a place of a text: keys and values of the JSON schema, and known names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.world.load import all_bundled_worlds
from mars_logic.world.names import HOLDABLE, MATERIALS
from mars_logic.world.schema import json_schema
from mars_logic.world.source import parse
from mars_logic.world.vocabulary import Vocabulary

_KEY: Final = re.compile(r"^( *)([\w.-]+) *:(.*)$")
_STEP: Final = 2
"""Columns by which what belongs to a key is indented."""
_WORD: Final = re.compile(r"[\w#.-]*$")

_ADDS: Final = re.compile(r"^adds *:.*\n(?:(?: .*)?\n)*", re.MULTILINE)
_SUBJECTS: Final = {
    **dict.fromkeys(("walk", "collect", "place"), "added materials"),
    **dict.fromkeys(("push", "beside", "timer"), "materials"),
    **dict.fromkeys(("make", "eat"), "added items"),
    **dict.fromkeys(("creature", "behaviour", "hunt"), "creatures"),
    **dict.fromkeys(("projectile", "shoot"), "projectiles"),
    "need": "needs",
    "goals": "goals",
}
"""The names that keys of a section may be, besides those of the schema."""
_KEYS_OF: Final = {
    **dict.fromkeys(("requires", "uses", "yields", "damage", "gains_eating"), "items"),
    **dict.fromkeys(("gains_near", "gains_on", "breaks", "scatter"), "materials"),
}
"""Those that keys of a field's mapping may be."""
_VALUES_OF: Final = {
    **dict.fromkeys(("in", "ground", "material", "legend"), "materials"),
    "creature": "creatures",
    "projectile": "projectiles",
    "goals": "goals",
}
"""Those that values of a field may be."""
_WITH: Final = {"grass": "added materials", "wood": "added items"}
"""Those that may stand wherever a name of the schema may."""

_Names = Mapping[str, Sequence[str]]
"""Names by their kinds."""


@dataclass(frozen=True)
class Offers:
    """What may be written at a place.

    Attributes:
        start: Where the word begins that it takes the place of.
        words: What may be written, as it would be written.
    """

    start: int
    words: tuple[str, ...] = ()


def offers(text: str, place: int, words: Vocabulary) -> Offers:
    """What may be written at a place.

    Args:
        text: The text, which need be no YAML yet.
        place: Where something is written: so many characters from the beginning.
        words: The names of the last valid world; those that the text adds are known besides.
    """
    line_start = text.rfind("\n", 0, place) + 1
    line = text[line_start:place]
    word = _WORD.search(line)
    begun = word[0] if word else ""
    path, is_value, told = _where(text[:line_start], line[: len(line) - len(begun)])
    if path is None or "#" in line:
        return Offers(place)
    schema = [*_at(_schema(), path)]
    if "[" in line or line.lstrip().startswith("- "):
        inner = [one for each in schema for one in _alternatives(each.get("items"))]
        if any("properties" in one for one in inner):  # a list of mappings
            schema, is_value = inner, False
    names = _names(words, text)
    found = dict.fromkeys((_values if is_value else _keys)(schema, path, names))
    known = [each for each in found if each.startswith(begun) and each not in told]
    if is_value:
        return Offers(place - len(begun), tuple(each for each in known if each != begun))
    block = f":\n{' ' * (len(line) - len(line.lstrip(' ')) + _STEP)}"
    in_line = bool(line[: len(line) - len(begun)].strip())
    endings = (": " if in_line or not _is_section(schema, each) else block for each in known)
    offered = tuple(each + ending for each, ending in zip(known, endings, strict=True))
    return Offers(place - len(begun), offered)


def _is_section(schema: list[dict[str, Any]], key: str) -> bool:
    """Whether a key has a mapping, which then begins on the next line."""
    kinds = {each["type"] for part in schema for each in _at(part, (key,)) if "type" in each}
    return kinds == {"object"}


def end_of_change(before: str, after: str) -> int:
    """Where the part ends in which a text differs from the one before; the last such place."""
    most = min(len(before), len(after))
    start = next((n for n in range(most) if before[n] != after[n]), most)
    left = most - start
    same = next((n for n in range(left) if before[-1 - n] != after[-1 - n]), left)
    return len(after) - same


def _names(words: Vocabulary, text: str) -> _Names:
    """All names by kinds: those of a world, and those that a text adds, whatever else it says."""
    stated = _stated(match[0]) if (match := _ADDS.search(f"{text}\n")) else {}
    found = {
        "materials": words.placed_on,
        "items": words.holdable,
        "creatures": words.creatures,
        "projectiles": words.projectiles,
        "needs": words.added_needs,
        "goals": words.achievements,
    }
    names = {kind: [*some, *stated.get(kind, ())] for kind, some in found.items()}
    names["added materials"] = [each for each in names["materials"] if each not in MATERIALS]
    names["added items"] = [each for each in names["items"] if each not in HOLDABLE]
    return names


@lru_cache(maxsize=1)
def _stated(section: str) -> Mapping[str, Iterable[str]]:
    """The names that a section ``adds`` states, by kinds; none while it is no YAML."""
    try:
        stated = parse(section, "text").data.get("adds")
    except InputError:
        return {}
    if not isinstance(stated, Mapping):
        return {}
    return {
        kind: [each for each in some if isinstance(each, str)]
        for kind, some in stated.items()
        if isinstance(some, Mapping | list)
    }


def _where(before: str, line: str) -> tuple[tuple[str, ...] | None, bool, set[str]]:
    """The path of a place, whether a value belongs there, and what its mapping has already."""
    indent = len(line) - len(line.lstrip(" "))
    stack: list[tuple[int, str]] = []  # the keys that the place may be within, by their columns
    told: set[str] = set()
    for each in before.split("\n"):
        if found := _KEY.match(each):
            depth = len(found[1])
            if depth < indent:
                told.clear()
            elif depth == indent:
                told.add(found[2])
            while stack and stack[-1][0] >= depth:
                stack.pop()
            stack.append((depth, found[2]))
    while stack and stack[-1][0] >= indent:
        stack.pop()
    path = [key for _, key in stack]
    if stack and stack[-1][0] >= indent:
        return None, False, told
    return _in_line(path, line.strip(" "), told)


def _in_line(path: list[str], line: str, told: set[str]) -> tuple[tuple[str, ...], bool, set[str]]:
    """Follow keys and brackets of one line."""
    opened: list[tuple[int, str, set[str]]] = []
    is_value = line.startswith("- ")
    for part in re.findall(r"[\w.-]+ *:|[{}\[\],]|[\w.-]+", line):
        if part.endswith(":"):
            key = part[:-1].strip()
            told.add(key)
            path = [*path, key]
            is_value = True
        elif part in "{[":
            opened.append((len(path), part, told))
            told, is_value = set(), part == "["
        elif part in "}]" and opened:
            depth, _, told = opened.pop()
            path, is_value = path[: max(0, depth - 1)], False
        elif part == ",":
            depth, bracket = (opened[-1][0], opened[-1][1]) if opened else (0, "{")
            path, is_value = path[:depth], bracket == "["
        elif is_value and opened and opened[-1][1] == "[":
            told.add(part)
    return tuple(path), is_value, told


@cache
def _schema() -> dict[str, Any]:
    schema = json_schema()
    return schema | {"properties": schema["properties"] | schema["then"]["properties"]}


def _at(schema: Any, path: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """The schemas that hold at a path."""
    for each in _alternatives(schema):
        if not path:
            yield each
            continue
        within = each.get("properties", {}).get(path[0])
        if within is None:
            patterns = each.get("patternProperties", {}).values()
            within = next(iter(patterns), each.get("additionalProperties"))
        if isinstance(within, dict):
            yield from _at(within, path[1:])
        yield from _at(each.get("items"), path)


def _alternatives(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema with those that it stands for."""
    if not isinstance(schema, dict):
        return
    if "$ref" in schema:
        schema = _schema()["$defs"][schema["$ref"].rpartition("/")[2]]
    yield schema
    for each in schema.get("anyOf", ()):
        yield from _alternatives(each)


def _keys(schema: list[dict[str, Any]], path: tuple[str, ...], known: _Names) -> Iterator[str]:
    for each in schema:
        yield from each.get("properties", {})
        names = each.get("propertyNames", {})
        yield from names.get("enum", ()) if isinstance(names, dict) else ()
    if len(path) == 1 and path[0] in _SUBJECTS:
        yield from known[_SUBJECTS[path[0]]]
    if path and path[-1] in _KEYS_OF:
        yield from known[_KEYS_OF[path[-1]]]


def _values(schema: list[dict[str, Any]], path: tuple[str, ...], known: _Names) -> Iterator[str]:
    if path == ("base",):
        yield from all_bundled_worlds()
    key = "legend" if path[-2:-1] == ("legend",) else path[-1] if path else ""
    yield from known[_VALUES_OF[key]] if key in _VALUES_OF else ()
    for each in schema:
        if each.get("type") == "boolean":
            yield from ("true", "false")
        for one in (each, *_alternatives(each.get("items"))):
            choices = [str(value) for value in one.get("enum", ()) if value is not None]
            yield from choices
            for usual, kind in _WITH.items():
                yield from known[kind] if usual in choices else ()
