"""The table of readers is complete: a new command, or a new parameter, has to be put into it."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, get_args, get_type_hints

from mars_logic.cli.main import application
from tests.hostile.table import FOLDER_READERS, READERS, TEXTS, WRITERS


def _takes_text(annotation: Any) -> bool:
    return annotation in (str, Path) or any(map(_takes_text, get_args(annotation)))


def _parameters() -> set[tuple[str, str]]:
    """Every parameter that takes text or a path."""
    commands = {each.name or "": each.callback for each in application().registered_commands}
    return {
        (command, name)
        for command, function in commands.items()
        if function
        for name, annotation in get_type_hints(function).items()
        if name in inspect.signature(function).parameters and _takes_text(annotation)
    }


def test_every_parameter_that_takes_text_is_in_the_table() -> None:
    readers = (*READERS, *FOLDER_READERS, *WRITERS, *TEXTS)
    listed = {(reader.name, reader.parameter) for reader in readers}
    assert _parameters() - listed == set(), "not in the table"
    assert listed - _parameters() == set(), "no parameter of a command"
