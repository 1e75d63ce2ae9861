"""A user's logic program as one text, with the files that it includes.

It may include regular files beside it or below, and nothing else: no file elsewhere, be it by an
absolute path, by ``..`` or by a link, and no file that comes with clingo. It may hold no script.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from mars_logic.errors import InputError
from mars_logic.system.files import read_text

MAX_BYTES: Final = 1_000_000
"""Bytes of a program, with all that it includes."""
_ALLOWED: Final = "a logic program"
_INCLUDED: Final = 'files in the folder of the program or below it, such as #include "more.lp"'
_TOKEN: Final = re.compile(
    r"""
    "(?:\\.|[^"\\\n])*"                         # a text
    | %\*.*?\*% | %[^\n]*                         # comments
    | (?P<script>\#script\b)
    | \#include\b(?:\s*"(?P<file>[^"\\\n]*)"\s*\.)?
    | (?P<foreign>[^\t\n\x20-\x7e])              # clingo's reader may end the process at these
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Source:
    """A program.

    Attributes:
        text: All of it; each file begins with a line of its own.
        files: The line at which each file begins, and what it is called; the program itself first.
    """

    text: str
    files: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, text: str, name: str) -> Source:
        """A program that is at hand as text, and can include nothing.

        Args:
            text: The program.
            name: What to call it in messages.

        Raises:
            InputError: It includes a file, or holds a script.
        """
        for line, _ in _inclusions(text, name):
            raise _refusal(name, line, "a file is included", "a program in one file")
        return cls(text, ((1, name),))

    @classmethod
    def read(cls, path: Path) -> Source:
        """A program in a file, with what it includes.

        Raises:
            InputError: The file is missing or no text; it includes what it may not, holds a
                script, or is too large.
        """
        reader = _Reader(path)
        reader.add(path, str(path))
        return cls("\n".join(reader.texts), tuple(reader.files))

    @property
    def name(self) -> str:
        """The name of the program."""
        return self.files[0][1]

    def place(self, line: int) -> tuple[str, int]:
        """The file that a line of the text is from, and its number there, from 1."""
        begin, file = next(each for each in reversed(self.files) if each[0] <= max(1, line))
        return file, max(1, line) - begin + 1

    def where(self, line: int) -> str:
        """The same, as messages tell it."""
        file, number = self.place(line)
        return f"{file}:{number}"


class _Reader:
    """Puts a program together from files, each of them once, as clingo does."""

    def __init__(self, program: Path) -> None:
        self._folder = os.path.realpath(program.parent)
        self._met = {os.path.realpath(program)}
        self._left = MAX_BYTES
        self.texts: list[str] = []
        self.files: list[tuple[int, str]] = []
        self._lines = 0

    def add(self, path: Path, name: str) -> None:
        """Add a file, and what it includes after it."""
        waiting = [(path, name)]
        while waiting:
            path, name = waiting.pop(0)
            text = read_text(path, _ALLOWED, self._left)
            self._left -= len(text.encode())
            # What a file includes is in the part "base" of a program again.
            begins = "#program base. " if self.texts else ""
            self.files.append((self._lines + 1, name))
            pieces, at = [begins], 0
            for line, match in _inclusions(text, name):
                if included := self._included(path, name, line, match["file"]):
                    waiting.append(included)
                pieces += [text[at : match.start()], "\n" * match[0].count("\n")]
                at = match.end()
            self.texts.append("".join([*pieces, text[at:]]))
            self._lines += self.texts[-1].count("\n") + 1

    def _included(
        self, path: Path, name: str, line: int, stated: str | None
    ) -> tuple[Path, str] | None:
        """A file that is included; None if it has been met before."""
        if stated is None:
            raise _refusal(name, line, "this is no file to include", _INCLUDED)
        parts = PurePosixPath(stated.replace("\\", "/"))
        target = path.parent / stated
        inside = os.path.realpath(target).startswith(os.path.join(self._folder, ""))  # noqa: PTH118
        if parts.is_absolute() or ".." in parts.parts or "\0" in stated or not inside:
            raise _refusal(name, line, f"'{stated}' is not below the program", _INCLUDED)
        if not target.is_file():
            raise _refusal(name, line, f"'{stated}' is no regular file", _INCLUDED)
        if os.path.realpath(target) in self._met:
            return None
        self._met.add(os.path.realpath(target))
        return target, str(target)


def _inclusions(text: str, name: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Where files are included, with the lines; refuses scripts, and letters that are no ASCII."""
    line, at = 1, 0
    for match in _TOKEN.finditer(text):
        if not (match["foreign"] or match[0].startswith("#")):
            continue
        line += text.count("\n", at, match.start())
        at = match.start()
        if match["foreign"]:
            found = f"'{match['foreign']}' stands outside of texts and comments"
            raise _refusal(name, line, found, "letters of ASCII there")
        if match["script"]:
            raise _refusal(name, line, "a script is not allowed", "a program without scripts")
        yield line, match


def _refusal(name: str, line: int, found: str, allowed: str) -> InputError:
    return InputError(f"{name}:{line}: program: {found}; allowed: {allowed}")
