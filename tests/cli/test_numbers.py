"""Numbers given to options: each has a least and a greatest, so that none overflows anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import pytest
from typer.main import get_command

from mars_logic.cli.main import application


def _commands(command: Any, names: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, part in getattr(command, "commands", {}).items():
        yield from _commands(part, (*names, name))
    yield from ((" ".join(names), each) for each in command.params)


def _kinds(annotation: Any) -> set[Any]:
    return {annotation, *(kind for each in get_args(annotation) for kind in _kinds(each))}


OTHER_FOLDERS = ("conan scene number", "conan ask number", "conan scenes --tasks")
"""Bounded by their commands, which say what is allowed."""
NUMBERS = [
    pytest.param(option, id=name)
    for command, option in _commands(get_command(application()))
    if {int, float} & _kinds(option.type_descriptor.annotation)
    and (name := f"{command} {option.opts[0]}") not in OTHER_FOLDERS
]


def test_there_are_some() -> None:
    assert len(NUMBERS) > 50


@pytest.mark.parametrize("option", NUMBERS)
def test_every_number_has_a_least_and_a_greatest(option: Any) -> None:
    assert option.min is not None
    assert option.max is not None
    assert -(2**62) <= option.min <= option.max <= 2**62
