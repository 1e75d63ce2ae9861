"""Every option that takes a number, with numbers beyond its limits and with what is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile import fresh, numbers
from tests.hostile.server import Server

OPTIONS = numbers.options()
pytestmark = pytest.mark.long


@pytest.mark.parametrize("option", OPTIONS, ids=str)
def test_numbers_beyond_the_limits_are_refused(
    option: numbers.NumberOption, server: Server, place: Path
) -> None:
    for value in option.beyond():
        fresh.run(fresh.number(option, value, place), server, place)
