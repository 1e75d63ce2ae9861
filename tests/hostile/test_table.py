"""The table of readers is complete: what is new, of any sort, has to be put into it."""

from __future__ import annotations

import inspect
from pathlib import Path
from random import Random
from typing import Any, get_args, get_type_hints

import pytest

from tests.hostile import material, numbers
from tests.hostile.damage import draw
from tests.hostile.formats import damages, format_of
from tests.hostile.table import FOLDER_READERS, READERS, TEXTS, WRITERS

_KINDS = sorted({reader.kind for reader in (*READERS, *FOLDER_READERS)})


def _takes_text(annotation: Any) -> bool:
    return annotation in (str, Path) or any(map(_takes_text, get_args(annotation)))


def _parameters() -> set[tuple[str, str]]:
    """Every parameter that takes text or a path."""
    return {
        (command, name)
        for command, function in numbers.commands().items()
        for name, annotation in get_type_hints(function).items()
        if name in inspect.signature(function).parameters and _takes_text(annotation)
    }


def test_every_parameter_that_takes_text_is_in_the_table() -> None:
    readers = (*READERS, *FOLDER_READERS, *WRITERS, *TEXTS)
    listed = {(reader.name, reader.parameter) for reader in readers}
    known = {
        (command, name)
        for command, function in numbers.commands().items()
        for name in inspect.signature(function).parameters
    }
    assert _parameters() - listed == set(), "not in the table"
    assert listed - known == set(), "no parameter of a command"


def test_every_command_that_takes_a_number_has_a_row() -> None:
    assert {o.command for o in numbers.options() if not numbers.base(o.command)} == set()


@pytest.mark.long
@pytest.mark.parametrize("kind", _KINDS)
def test_every_file_of_a_kind_has_a_format_with_damages(kind: str, valid: Path) -> None:
    if kind in material.NEEDS:
        pytest.importorskip(material.NEEDS[kind])
    for part in material.parts(kind):
        path, content = material.content(valid, part)
        found = [*damages(format_of(path.name), content)]
        for what in {each.what for each in found}:
            damage = draw([each for each in found if each.what == what], Random(what))
            assert isinstance(damage.make(Random(what)), bytes), damage


def test_every_kind_of_input_has_a_reader() -> None:
    assert {*material.INPUTS} == {*_KINDS}


@pytest.mark.long
def test_every_file_that_commands_make_is_part_of_a_kind(valid: Path) -> None:
    assert material.unknown(valid) == [], "not in the parts of a kind"
