"""What may be written at a place of a text: keys and values of the JSON schema, and added names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from mars_logic.world.load import all_bundled_worlds
from mars_logic.world.names import HOLDABLE
from mars_logic.world.schema import json_schema

_KEY: Final = re.compile(r"^( *)([\w.-]+) *:(.*)$")
_WORD: Final = re.compile(r"[\w#.-]*$")
_OF_ADDED: Final = ("walk", "collect", "place", "make", "eat")
"""Families with rules about added names."""
_HOLDING: Final = ("requires", "uses", "yields")
"""Fields whose keys are items."""


@dataclass(frozen=True)
class Offers:
    """What may be written at a place.

    Attributes:
        start: Where the word begins that it takes the place of.
        words: What may be written, as it would be written.
    """

    start: int
    words: tuple[str, ...] = ()


def offers(text: str, place: int, materials: Iterable[str], items: Iterable[str]) -> Offers:
    """What may be written at a place.

    Args:
        text: The text, which need be no YAML yet.
        place: Where something is written: so many characters from the beginning.
        materials: Materials that are known beside Crafter's.
        items: Items likewise.
    """
    line_start = text.rfind("\n", 0, place) + 1
    line = text[line_start:place]
    word = _WORD.search(line)
    begun = word[0] if word else ""
    path, is_value, told = _where(text[:line_start], line[: len(line) - len(begun)])
    if path is None or "#" in line:
        return Offers(place)
    added = {"material": tuple(materials), "item": tuple(items)}
    schema = [*_at(_schema(), path)]
    found = dict.fromkeys(_values(schema, path, added) if is_value else _keys(schema, path, added))
    known = [each for each in found if each.startswith(begun) and each not in told]
    ending = "" if is_value else ": "
    words = tuple(f"{each}{ending}" for each in known if each != begun or ending)
    return Offers(place - len(begun), words)


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


def _alternatives(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema with those that it stands for."""
    if not isinstance(schema, dict):
        return
    if "$ref" in schema:
        schema = _schema()["$defs"][schema["$ref"].rpartition("/")[2]]
    yield schema
    for each in schema.get("anyOf", ()):
        yield from _alternatives(each)


def _keys(
    schema: list[dict[str, Any]], path: tuple[str, ...], added: dict[str, tuple[str, ...]]
) -> Iterator[str]:
    for each in schema:
        yield from each.get("properties", {})
        names = each.get("propertyNames", {})
        yield from names.get("enum", ()) if isinstance(names, dict) else ()
    if len(path) == 1 and path[0] in _OF_ADDED:
        yield from added["material" if path[0] in ("walk", "collect", "place") else "item"]
    if path and path[-1] in _HOLDING:
        yield from HOLDABLE
        yield from added["item"]
    if path == ("map", "scatter"):
        yield from added["material"]


def _values(
    schema: list[dict[str, Any]], path: tuple[str, ...], added: dict[str, tuple[str, ...]]
) -> Iterator[str]:
    if path == ("base",):
        yield from all_bundled_worlds()
    if path[-1:] == ("in",):
        yield from added["material"]
        yield from _schema()["properties"]["collect"]["properties"]
    for each in schema:
        if each.get("type") == "boolean":
            yield from ("true", "false")
        inner = each.get("items")
        for one in (each, *_alternatives(inner)):
            choices = [str(value) for value in one.get("enum", ()) if value is not None]
            yield from choices
            if "grass" in choices:
                yield from added["material"]
