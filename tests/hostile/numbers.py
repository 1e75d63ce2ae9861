"""Options that take numbers, from the commands' signatures, and numbers beyond their limits."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from typer.models import OptionInfo

from mars_logic.cli.main import application
from tests.hostile.table import FOLDER_READERS, READERS, TEXTS, WRITERS, Reader

ROWS: Final = (*READERS, *FOLDER_READERS, *WRITERS, *TEXTS)
_WORDS: Final = ("", "x", "nan", "-nan", "1e400", "0x10", "9" * 5000, "½", "1,5", "None")
"""Texts that are no numbers, or none that fit."""


@dataclass(frozen=True)
class NumberOption:
    """An option of a command.

    Attributes:
        command: The command's name.
        name: The option, with its dashes.
        whole: Whether it takes whole numbers only.
        least: The least number that it takes; None: any.
        most: The greatest; None: any.
    """

    command: str
    name: str
    whole: bool
    least: float | None
    most: float | None

    def __str__(self) -> str:
        return f"{self.command} {self.name}"

    def beyond(self) -> list[str]:
        """Texts that it must refuse."""
        found = [*_WORDS]
        if self.least is not None:
            found += [str(self.least - 1), str(-(10**30))]
        if self.most is not None:
            found += [str(self.most + 1), str(10**30), "inf"]
        if self.whole:
            found += ["0.5", "inf", "-inf", "1e3"]
        return found


def commands() -> dict[str, Any]:
    """The functions of all commands, by name; those of a group by the group's name and theirs."""
    app = application()
    found = [(each.name or "", each.callback) for each in app.registered_commands]
    for group in app.registered_groups:
        within = group.typer_instance.registered_commands if group.typer_instance else []
        found += [(f"{group.name} {each.name}", each.callback) for each in within]
    return {name: function for name, function in found if function}


def options() -> list[NumberOption]:
    """All options of all commands that take numbers."""
    return [each for name, function in commands().items() for each in _of(name, function)]


def base(command: str) -> Reader | None:
    """A row of a command, to which an option can be added."""
    return next((row for row in ROWS if row.name == command), None)


def _of(command: str, function: Any) -> Iterator[NumberOption]:
    hints = get_type_hints(function, include_extras=True)
    for name in inspect.signature(function).parameters:
        for kind, told in _annotated(hints[name]):
            if kind in (int, float) and isinstance(told, OptionInfo):
                said = (told.default, *(told.param_decls or ()))
                stated = [each for each in said if str(each).startswith("--")]
                option = stated[0] if stated else f"--{name.replace('_', '-')}"
                yield NumberOption(command, option, kind is int, told.min, told.max)


def _annotated(hint: Any) -> Iterator[tuple[Any, Any]]:
    """The plain types of an annotated hint, each with what typer is told of it."""
    inner, *told = get_args(hint) if hasattr(hint, "__metadata__") else (hint,)
    if hasattr(hint, "__metadata__"):
        told = [*hint.__metadata__]
    union = get_origin(inner) in (Union, types.UnionType)
    for kind in get_args(inner) if union else (inner,):
        if hasattr(kind, "__metadata__"):
            yield from _annotated(kind)
        elif told:
            yield kind, told[0]
