"""Damages of documents: JSON, lines of JSON, and YAML."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import yaml

from tests.hostile.damage import Damage, draw
from tests.hostile.values import VALUES

Place = tuple[str | int, ...]
_FIRST: Final = 3
"""So many elements of a list are changed, and its last."""


def of_json(valid: bytes) -> Iterator[Damage]:
    """A JSON document with each of its fields missing, twice, or of a value of no use."""
    document = json.loads(valid)
    for place in _places(document):
        told = ".".join(map(str, place))
        for what, change in _CHANGES.items():
            yield Damage(what, told, _made(document, place, change, _json))
        yield Damage("twice", told, _made(document, place, _marked, _twice))
    yield from _whole(_json)


def of_yaml(valid: bytes) -> Iterator[Damage]:
    """A document in YAML with each of its fields missing, twice, or of a value of no use."""
    document = yaml.safe_load(valid)
    for place in _places(document):
        told = ".".join(map(str, place))
        for what, change in _CHANGES.items():
            yield Damage(what, told, _made(document, place, change, _yaml))
    if isinstance(document, dict):
        for name in document:
            line = yaml.safe_dump({name: document[name]}, allow_unicode=True).encode()
            yield Damage("twice", str(name), lambda _, line=line: valid + b"\n" + line)  # type: ignore[misc]
    yield Damage("two documents", "", lambda _: valid + b"\n---\n" + valid)
    yield Damage("a tag", "", lambda _: valid + b"\nx: !!python/name:os.system\n")
    yield Damage("an alias of itself", "", lambda _: valid + b"\nx: &x [*x]\n")
    yield from _whole(_yaml)


def of_lines(valid: bytes) -> Iterator[Damage]:
    """Lines of JSON with one of them damaged, missing, twice, or in another place."""
    lines = valid.splitlines(keepends=True)

    def at(number: int, *others: bytes) -> bytes:
        return b"".join([*lines[:number], *others, *lines[number + 1 :]])

    for number in sorted({0, len(lines) // 2, len(lines) - 1}):
        line, told = lines[number], f"line {number + 1}"
        yield Damage("line missing", told, lambda _, n=number: at(n))  # type: ignore[misc]
        yield Damage("line twice", told, lambda _, n=number, x=line: at(n, x, x))  # type: ignore[misc]
        yield Damage("line cut off", told, lambda _, n=number, x=line: at(n, x[: len(x) // 2]))  # type: ignore[misc]
        yield Damage("line empty", told, lambda _, n=number: at(n, b"\n"))  # type: ignore[misc]
        yield Damage("line of text", told, lambda _, n=number: at(n, b"text\n"))  # type: ignore[misc]
        for damage in of_json(line):
            yield Damage(
                damage.what,
                f"{told} {damage.where}",
                lambda random, n=number, x=damage: at(n, x.make(random) + b"\n"),  # type: ignore[misc]
            )
    yield Damage("lines reversed", "", lambda _: b"".join(lines[::-1]))


def changed(valid: bytes, random: Random) -> bytes:
    """A JSON document with one damage, for a document within another file."""
    return draw(of_json(valid), random).make(random)


def _places(document: Any, place: Place = ()) -> Iterator[Place]:
    """The places of all fields; of lists, those of the first elements and of the last."""
    names: list[str | int] = []
    if isinstance(document, dict):
        names = [*document]
    elif isinstance(document, list) and document:
        names = sorted({*range(len(document))[:_FIRST], len(document) - 1})
    for name in names:
        yield (*place, name)
        yield from _places(document[name], (*place, name))


Change = Callable[[Any, Any, Random], None]
"""Changes a field of a list or an object."""


def _missing(inner: Any, name: Any, _: Random) -> None:
    del inner[name]


def _renamed(inner: Any, name: Any, _: Random) -> None:
    if isinstance(inner, dict):
        inner[f"{name}x"] = inner.pop(name)
    else:
        inner.insert(name, inner[name])


def _changed_value(inner: Any, name: Any, random: Random) -> None:
    """Another value of the same type, beside the one that is there."""
    value = inner[name]
    if isinstance(value, bool):
        inner[name] = not value
    elif isinstance(value, int | float):
        inner[name] = value + random.choice((-1, 1, 0.5, -1000, 1e9))
    elif isinstance(value, str):
        inner[name] = random.choice((value[:-1], value + "x", value * 1000, value[::-1]))
    elif isinstance(value, list):
        inner[name] = random.choice((value[:-1], value + value, value[::-1], value * 100))
    elif isinstance(value, dict):
        inner[name] = value | {"unknown": 1}


def _marked(inner: Any, name: Any, _: Random) -> None:
    inner[name] = [_MARK, inner[name]]


def _replaced(draw_value: Callable[[Random], Any]) -> Change:
    def change(inner: Any, name: Any, random: Random) -> None:
        inner[name] = draw_value(random)

    return change


_MARK: Final = "a field that is there twice"
_CHANGES: Final[dict[str, Change]] = {
    "missing": _missing,
    "of another name": _renamed,
    "changed": _changed_value,
    **{f"of a value: {name}": _replaced(value) for name, value in VALUES.items()},
}


def _made(
    document: Any, place: Place, change: Change, written: Callable[[Any], bytes]
) -> Callable[[Random], bytes]:
    def make(random: Random) -> bytes:
        copy = _copied(document, place)
        inner = copy
        for name in place[:-1]:
            inner = inner[name]
        change(inner, place[-1], random)
        return written(copy)

    return make


def _copied(value: Any, place: Place) -> Any:
    """A copy as far as the place; the rest is shared."""
    if not isinstance(value, dict | list):
        return value
    copy = value.copy()
    if place and (not isinstance(copy, dict) or place[0] in copy):
        copy[place[0]] = _copied(copy[place[0]], place[1:])  # type: ignore[index]
    return copy


def _json(document: Any) -> bytes:
    return json.dumps(document).encode()


def _yaml(document: Any) -> bytes:
    dumper = yaml.SafeDumper
    return yaml.dump(document, Dumper=dumper, sort_keys=False).encode("utf-8", "surrogatepass")


def _twice(document: Any) -> bytes:
    """A document with the marked field twice."""
    return _Twice(document).told.encode()


class _Twice:
    """Writes JSON with one field, that is marked, twice: ``json.dumps`` writes no such text."""

    def __init__(self, document: Any) -> None:
        self.told = self._write(document)

    def _write(self, value: Any) -> str:
        if isinstance(value, dict):
            return f"{{{', '.join(self._field(*each) for each in value.items())}}}"
        if isinstance(value, list):
            values = value[1:] * 2 if value[:1] == [_MARK] else value
            return f"[{', '.join(map(self._write, values))}]"
        return json.dumps(value)

    def _field(self, name: str, value: Any) -> str:
        if isinstance(value, list) and value[:1] == [_MARK]:
            return ", ".join([f"{json.dumps(name)}: {self._write(value[1])}"] * 2)
        return f"{json.dumps(name)}: {self._write(value)}"


def _whole(written: Callable[[Any], bytes]) -> Iterator[Damage]:
    """Another document instead."""
    for name, value in VALUES.items():
        yield Damage(
            f"of a value: {name}",
            "",
            lambda random, value=value: written(value(random)),  # type: ignore[misc]
        )
