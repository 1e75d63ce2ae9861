"""Reads a YAML file into plain values with line numbers, and refuses unsuitable files early.

A world file is small and flat, so the reader refuses the dangerous features of YAML: large files,
deep nesting, multiplying aliases, tags that construct objects.
"""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Any

import yaml

from mars_logic.errors import InputError
from mars_logic.system.files import read_bytes
from mars_logic.world.fields import shown
from mars_logic.world.problems import Document, Path, Problem, WorldError, dotted

MAX_BYTES = 200_000
MAX_DEPTH = 12
MAX_VALUES = 10_000
MAX_NUMBER = 1_000_000_000

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PLAIN = {
    f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "float", "bool", "null", "map", "seq")
}
_WHAT = "a world file in YAML: a mapping of at most 200 kB"
"""Default description of the expected file."""


def read(path: FilePath, file: str | None = None) -> Document:
    """Read one file.

    Args:
        path: The file.
        file: Its name in messages (by default its path).

    Raises:
        WorldError: It is missing, no regular file, unreadable, too large, empty, not UTF-8, not
            YAML, too deep, multiplied by aliases, has a key twice, or holds no mapping.
    """
    file = file or str(path)
    return parse(_text(path, file), file)


def parse(text: str, file: str, allowed: str = _WHAT, most: int = MAX_VALUES) -> Document:
    """As :func:`read`, with the text at hand.

    Args:
        text: The file's content.
        file: The file's name in messages.
        allowed: Description of the expected file, for messages.
        most: The largest number of values.
    """
    root = composed(text, file, allowed)
    if root is None:
        raise WorldError(Problem(file, 1, "file", "the file is empty", allowed))
    if not root.tag.endswith(":map"):
        line = root.start_mark.line + 1
        raise WorldError(Problem(file, line, "file", "the file holds no mapping", allowed))
    reader = _Reader(file, most)
    return Document(file, reader.value(root, ()), reader.lines)


def value_of(text: str, place: str, allowed: str = "a value in YAML") -> Any:
    """The plain value that a text in YAML stands for; None for an empty one.

    Args:
        text: The text.
        place: Where it stands, for messages.
        allowed: What it should be, for messages.

    Raises:
        WorldError: As for :func:`parse`, though it need be no mapping.
    """
    root = composed(text, place, allowed)
    return None if root is None else _Reader(place).value(root, ())


def composed(text: str, file: str, allowed: str = _WHAT) -> Any:
    """The node that a text in YAML is, with its marks, for changes of the text; None if empty.

    Args:
        text: The text.
        file: The file's name in messages.
        allowed: Description of the expected file, for messages.

    Raises:
        WorldError: It is no YAML, or nested too deep.
    """
    try:
        _check_depth(text, file, allowed)
        return yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise WorldError(_not_yaml(error, file, allowed)) from None
    except UnicodeEncodeError:  # bytes of a command line that are no UTF-8
        raise WorldError(Problem(file, 1, "file", "this is no UTF-8 text", allowed)) from None


def _text(path: FilePath, file: str) -> str:
    """The text; what is told of the file as a whole names it as the messages do."""
    try:
        content = read_bytes(path, _WHAT, MAX_BYTES)
    except InputError as error:
        found = str(error).removeprefix(f"{path}:1: file: ").partition("; allowed: ")[0]
        raise WorldError(Problem(file, 1, "file", found, _WHAT)) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = Problem(file, line, "file", "not YAML: the file is not UTF-8 text", _WHAT)
        raise WorldError(problem) from None


def _check_depth(text: str, file: str, allowed: str) -> None:
    """Refuse deep nesting before the composer recurses into it."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                line = event.start_mark.line + 1 if event.start_mark else 1
                raise WorldError(
                    Problem(file, line, "file", f"nested more than {MAX_DEPTH} deep", allowed)
                )
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _not_yaml(error: yaml.YAMLError, file: str, allowed: str) -> Problem:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line = mark.line + 1 if mark else 1
    what = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
    return Problem(file, line, "file", f"not YAML: {what}", allowed)


class _Reader:
    """Turns nodes into plain values with lines; counts values, which bounds alias expansion."""

    def __init__(self, file: str, most: int = MAX_VALUES) -> None:
        self.file = file
        self.most = most
        self.lines: dict[Path, int] = {}
        self._constructor = yaml.constructor.SafeConstructor()

    def _error(self, node: Any, path: Path, message: str, allowed: str) -> WorldError:
        line = node.start_mark.line + 1
        return WorldError(Problem(self.file, line, dotted(path) or "file", message, allowed))

    def value(self, node: Any, path: Path) -> Any:
        if len(self.lines) >= self.most or len(path) > MAX_DEPTH:
            message = "aliases make the file too large to read"
            raise self._error(node, path, message, f"at most {self.most:,} values")
        # A mapping's or list's line is that of its key, recorded before its value.
        self.lines.setdefault(path, node.start_mark.line + 1)
        if node.tag not in _PLAIN:
            message = f"{shown(node.value)} is no plain value ({node.tag.rpartition(':')[2]})"
            raise self._error(node, path, message, "text, numbers, true, false, null")
        if node.id == "mapping":
            return self._mapping(node, path)
        if node.id == "sequence":
            return [self.value(child, (*path, i)) for i, child in enumerate(node.value)]
        return self._scalar(node, path)

    def _mapping(self, node: Any, path: Path) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if key_node.id != "scalar":
                raise self._error(key_node, path, "a key is not plain text", "names as keys")
            key = key_node.value
            place = (*path, key)
            if key in values:
                first = self.lines[place]
                message = f"this key is stated twice (first on line {first})"
                raise self._error(key_node, place, message, "each key once")
            self.lines[place] = key_node.start_mark.line + 1
            values[key] = self.value(value_node, place)
        return values

    def _scalar(self, node: Any, path: Path) -> Any:
        try:
            value = self._constructor.construct_object(node)
        except (ValueError, yaml.YAMLError):
            message = f"{shown(node.value)} is no number"
            raise self._error(node, path, message, "text, numbers, true, false, null") from None
        if isinstance(value, int) and abs(value) > MAX_NUMBER:
            message = f"{shown(node.value)} is out of range"
            raise self._error(node, path, message, f"numbers up to {MAX_NUMBER:,}")
        return value
