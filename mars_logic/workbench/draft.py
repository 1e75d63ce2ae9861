"""The text that is edited: its file, and the copy beside it that outlives a crash."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mars_logic.errors import InputError
from mars_logic.system.file_names import name_as_text
from mars_logic.system.files import read_text, unreplaceable, write_or_refuse
from mars_logic.world.load import all_bundled_worlds
from mars_logic.world.source import MAX_BYTES

_ALLOWED: Final = "a world file in YAML of at most 200 kB, or a new name that ends in .yaml"
_NAME: Final = re.compile(r"[^./\\\0][^/\\\0]{0,200}\.ya?ml")
_NEW: Final = "world"
"""The name of a file that none was named for."""


@dataclass
class Draft:
    """A text with its file.

    Attributes:
        path: The file, which need not exist yet.
        text: The text as it is now.
        saved: What the file held when it was read or written last; None before there is one.
        restored: Whether the text was found in the copy of an earlier session that was not saved.
    """

    path: Path
    text: str
    saved: str | None = None
    restored: bool = False

    @property
    def copy(self) -> Path:
        """The file beside it that holds the text while it is not saved."""
        return self.path.with_name(f".{self.path.name}.unsaved")

    @property
    def name(self) -> str:
        """The name of the file, as text."""
        return name_as_text(self.path.name)

    @property
    def is_saved(self) -> bool:
        """Whether the file holds the text; of an empty text it need not."""
        return self.text == (self.saved or "")

    def keep(self) -> None:
        """Write the text beside the file, unless the file holds it.

        Raises:
            InputError: The copy cannot be written.
        """
        if self.is_saved:
            _remove(self.copy)
        else:
            write_or_refuse(self.copy, self.text)

    def obstacle(self, path: Path) -> str:
        """What the user should know before a file is replaced; empty if nothing would be lost.

        Args:
            path: The file that is to hold the text.

        Raises:
            InputError: What is there can be neither read nor replaced.
        """
        if not path.exists():
            return ""
        there = read_text(path, _ALLOWED, MAX_BYTES)
        if path != self.path or self.saved is None:
            return "" if there == self.text else f"{path.name} exists already."
        return "" if there in (self.saved, self.text) else f"{self.name} was changed elsewhere."

    def save(self, path: Path | None = None) -> None:
        """Write the text to its file, or to another one, which is its file from then on.

        Raises:
            InputError: The file cannot be written; nothing has changed then.
        """
        former, target = self.copy, path or self.path
        write_or_refuse(target, self.text)
        _remove(former)
        self.path, self.saved, self.restored = target, self.text, False

    def beside(self, name: str) -> Path:
        """The path of a file in the same folder.

        Raises:
            InputError: This is no name of a world file.
        """
        if not _NAME.fullmatch(name) or not name.isprintable():
            raise InputError(f"'{name}' is no file name; allowed: a name that ends in .yaml")
        return self.path.with_name(name)

    def revert(self) -> None:
        """Return to what the file holds."""
        self.text, self.restored = self.saved or "", False
        self.keep()


def open_draft(name: str | None, *, new: bool = False) -> Draft:
    """The draft of a file, of a new one, or of a new one that is based on a bundled world.

    Args:
        name: A file, a bundled world, or None for a new file ``world.yaml`` in this folder.
        new: Whether the file need not exist.

    Raises:
        InputError: The file is missing, no text, too large, or cannot be a world file.
    """
    if name in all_bundled_worlds():
        path = _free(f"my_{name}")
        return _with_copy(Draft(path, f"name: {path.stem}\nbase: {name}\n"))
    path = _free(_NEW) if name is None else Path(name)
    if "\0" in str(path) or not _NAME.fullmatch(path.name):
        raise InputError(f"{name!r}:1: file: this is no name of a world file; allowed: {_ALLOWED}")
    if path.exists() or path.is_symlink():
        text = read_text(path, _ALLOWED, MAX_BYTES)
        return _with_copy(Draft(path.absolute(), text, text))
    if not (new or name is None):
        message = "there is no such file; allowed: one that exists, or --new to begin it"
        raise InputError(f"{path}:1: file: {message}")
    if not path.parent.is_dir():
        raise InputError(f"{path}:1: folder: there is no such folder; allowed: one that exists")
    return _with_copy(Draft(path.absolute(), ""))


def _free(stem: str) -> Path:
    """A file in this folder that does not exist yet."""
    number = 1
    while (path := Path.cwd() / f"{stem}{f'_{number}' if number > 1 else ''}.yaml").exists():
        number += 1
    return path


def _with_copy(draft: Draft) -> Draft:
    """The same with the text that an earlier session left unsaved, if it did."""
    if not draft.copy.exists() or unreplaceable(draft.copy):
        return draft
    text = read_text(draft.copy, _ALLOWED, 2 * MAX_BYTES)
    if text != draft.text:
        draft.text, draft.restored = text, True
    return draft


def _remove(copy: Path) -> None:
    """Remove a copy; what is no file was made by others, and stays."""
    if not unreplaceable(copy):
        copy.unlink(missing_ok=True)
