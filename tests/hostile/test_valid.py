"""Every command once, on what it can use: what a hostile case differs from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from _pytest.mark import ParameterSet

from tests.hostile import judge, numbers
from tests.hostile.material import INPUTS, NEEDS
from tests.hostile.server import Server
from tests.hostile.table import FOLDER_READERS, READERS, WRITERS

pytestmark = pytest.mark.long

_REFUSED: Final = {
    "play": "is no terminal",
    "train": "PyTorch is not installed",
    "edit": "needs the extra 'edit'",
    "bench tasks": "'unified-planning' is not installed",
    "bench": 'needs the package\'s extra "bench"',
}
"""What some installations and the tests' server lack, by the first words of a command."""
_KINDS: Final = {"conan scenes": "corpus", "scoreboard": "solved puzzles"}
"""Of which input the row of a command is, where the first is not its usual one."""


def _rows() -> Iterator[ParameterSet]:
    for name in sorted(numbers.commands()):
        rows = [row for row in (*READERS, *FOLDER_READERS, *WRITERS) if row.name == name]
        kind = _KINDS.get(name)
        for row in [row for row in rows if row.kind not in NEEDS and kind in (None, row.kind)][:1]:
            yield pytest.param(row.command, INPUTS.get(row.kind, "new"), id=name)
        if not rows:
            first = next((row.command for row in numbers.ROWS if row.name == name), name)
            yield pytest.param(first, "collect_wood", id=name)


@pytest.mark.parametrize(("command", "given"), [*_rows()])
def test_a_command(command: str, given: str, server: Server, place: Path) -> None:
    outcome = judge.run(server, place, [word.replace("@", given) for word in command.split()])
    if outcome.status == 2:
        told = (told for words, told in _REFUSED.items() if command.startswith(words))
        assert next(told, "refused") in outcome.err
