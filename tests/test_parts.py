"""Long tests are run in parts, a part a day: each test is in one, and all workers agree."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import part_of
from tests.paths import REPOSITORY


def test_each_test_is_in_one_part_and_the_parts_are_about_equal() -> None:
    names = [f"tests/test_a.py::test_b[{number}]" for number in range(2000)]
    sizes = [sum(part_of(name, 20) == part for name in names) for part in range(20)]
    assert sum(sizes) == len(names)
    assert all(60 < size < 140 for size in sizes)


@pytest.mark.slow
def test_a_day_beyond_the_number_of_parts_begins_again() -> None:
    file = "tests/system/test_printable.py"
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    told = subprocess.run(
        [*command, "--part", "31/3", file], cwd=REPOSITORY, check=True, capture_output=True
    ).stdout.decode()
    chosen = [line for line in told.splitlines() if "::" in line]
    assert chosen
    assert "deselected" in told
    assert {part_of(name, 3) for name in chosen} == {31 % 3}
