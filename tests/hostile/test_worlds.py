"""Every reader of a world or a theory, with every hostile kind of file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.cases import cases, check
from tests.hostile.conftest import Try
from tests.hostile.kinds import Make
from tests.hostile.table import READERS, Reader


@pytest.mark.parametrize(
    ("reader", "make", "allowed"), [*cases(each for each in READERS if each.kind == "world")]
)
def test_a_file(
    reader: Reader, make: Make, allowed: frozenset[int], attempt: Try, place: Path
) -> None:
    check(reader, make, allowed, attempt, place)
