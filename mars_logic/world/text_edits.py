"""Changes of a world file's text that leave all else in it as it is, comments included."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.world.dump import flow
from mars_logic.world.problems import dotted
from mars_logic.world.source import composed, parse

Path = tuple[str, ...]
_COMMENT: Final = re.compile(r"[ \t]+#.*")
_STEP: Final = 2
"""Columns by which a section's content is indented, where the text has none to go by."""


def with_value(text: str, path: Path, value: Any, file: str = "text") -> str:
    """The text with another value at a path; sections that are missing are added.

    Args:
        text: The text of a world file.
        path: Keys from the top, at least one.
        value: Plain data; texts of several lines become blocks, also in a list of texts.
        file: The file's name in messages.

    Raises:
        WorldError: The text is no YAML.
        InputError: It cannot be changed there alone: what stands there is no section, or other
            places share it by an alias.
    """
    changed = _changed(text, path, value, file)
    before = parse(text, file).data if text.strip() and composed(text, file) else {}
    if parse(changed, file).data != _set(before, path, value):
        place = dotted(path)
        raise InputError(
            f"{file}: {place}: the page cannot change this part; allowed: to edit the text"
        )
    return changed


def _set(data: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    given = data if isinstance(data, dict) else {}
    return given | {path[0]: _set(given.get(path[0]), path[1:], value)}


def _changed(text: str, path: Path, value: Any, file: str) -> str:
    node = composed(text, file)
    if node is None:
        return _joined(text, _block(path, value, 0))
    for depth, key in enumerate(path):
        if node.id != "mapping":
            raise InputError(f"{file}: {dotted(path[:depth])} is no section; allowed: a mapping")
        entry = next((pair for pair in node.value if pair[0].value == key), None)
        rest = path[depth + 1 :]
        if entry is None:
            return _inserted(text, node, path[depth:], value)
        name, node = entry
        if not rest or node.tag.endswith(":null"):
            return _replaced(text, name, node, rest, value)
        if not node.value and not node.flow_style:
            break
    raise InputError(f"{file}: {dotted(path)} is no section; allowed: a mapping")


def _replaced(text: str, name: Any, node: Any, rest: Path, value: Any) -> str:
    """The text with another value for a key that it has."""
    line_start = text.rfind("\n", 0, name.start_mark.index) + 1
    in_block = not text[line_start : name.start_mark.index].strip()
    after = text.find(":", name.end_mark.index) + 1
    is_empty = node.id == "scalar" and node.start_mark.index == node.end_mark.index
    start = after if is_empty else node.start_mark.index
    end = after if is_empty else _trimmed(text, _end(node))
    if not in_block or (not rest and not _is_block(value) and "\n" not in text[start:end]):
        gap = "" if text[start - 1 : start] == " " else " "
        return text[:start] + gap + _in_line(_set({}, rest, value)) + text[end:]
    content = _content(rest, value, name.start_mark.column + _STEP)
    if is_empty and content.startswith("\n"):  # a comment may follow the key
        end = _line_end(text, after)
        return text[:end] + content + text[end:]
    line_end = _line_end(text, after)
    head = _COMMENT.search(text[after : line_end if _is_block_scalar(node) else start])
    last_end = _line_end(text, end)
    first, broken, more = content.partition("\n")
    if broken and text[end:last_end].strip():  # a comment would become part of the block
        return f"{text[:after]}{first}{text[end:last_end]}\n{more}{text[last_end:]}"
    comment = head[0] if head and broken else ""
    return f"{text[:after]}{first}{comment}{broken}{more}{text[end:]}"


def _line_end(text: str, place: int) -> int:
    found = text.find("\n", place)
    return len(text) if found < 0 else found


def _trimmed(text: str, end: int) -> int:
    """The end of a value, without the white space that a scanner counts to it."""
    return len(text[:end].rstrip())


def _inserted(text: str, node: Any, path: Path, value: Any) -> str:
    """The text with one more key in a mapping that it has."""
    if node.flow_style:
        end = node.end_mark.index - 1
        comma = ", " if node.value else ""
        entry = _in_line(_set({}, path, value))[1:-1]
        return f"{text[:end].rstrip()}{comma}{entry}{text[end:]}"
    column = node.value[0][0].start_mark.column
    end = _trimmed(text, _end(node))
    line_end = _line_end(text, end)
    apart = "\n" if column == 0 and len(node.value) > 1 and "\n\n" in text[:end] else ""
    block = apart + _block(path, value, column)
    return _joined(text[:line_end], block) + text[line_end:].removeprefix("\n")


def _joined(text: str, block: str) -> str:
    return f"{text}\n{block}" if text and not text.endswith("\n") else text + block


def _end(node: Any) -> int:
    """Where a value ends: for a mapping or list in blocks, where its last value does."""
    if node.id == "scalar" or node.flow_style or not node.value:
        index: int = node.end_mark.index
        return index
    last = node.value[-1]
    if isinstance(last, tuple):
        return max(_end(last[0]), _end(last[1]))
    return _end(last)


def _block(path: Path, value: Any, column: int) -> str:
    """Lines that state a value under keys, each further in than the one before."""
    return f"{' ' * column}{flow(path[0])}:{_content(path[1:], value, column + _STEP)}\n"


def _content(path: Path, value: Any, column: int) -> str:
    """What follows a key, without the last line end."""
    if path:
        return "\n" + _block(path, value, column).removesuffix("\n")
    if isinstance(value, list) and _is_block(value):
        items = (f"{' ' * column}-{_content((), each, column + _STEP)}" for each in value)
        return "\n" + "\n".join(items)
    if _is_block(value):
        rows = value.strip("\n").split("\n")
        return " |\n" + "\n".join(f"{' ' * column}{row}" for row in rows)
    return f" {_in_line(value)}"


def _in_line(value: Any) -> str:
    """A value on one line: YAML, or JSON, which it includes, where YAML would break the line."""
    text = flow(value)
    return json.dumps(value, ensure_ascii=False) if "\n" in text else text


def _is_block(value: Any) -> bool:
    if isinstance(value, list):
        return all(isinstance(each, str) for each in value) and any(map(_is_block, value))
    return isinstance(value, str) and "\n" in value


def _is_block_scalar(node: Any) -> bool:
    """Whether a comment may stand on the line on which the value begins."""
    return node.id == "scalar" and node.style in ("|", ">")
