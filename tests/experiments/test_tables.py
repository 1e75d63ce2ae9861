from __future__ import annotations

import pytest

from mars_logic.experiments.measurement import BenchmarkRow, Goal, Spread, compared
from mars_logic.experiments.tables import HEAD, amount, cells, number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.01234, "0.0123"),
        (0.85, "0.85"),
        (1, "1"),
        (9.996, "10"),
        (45.67, "45.7"),
        (999.6, "1,000"),
        (1234, "1,230"),
        (1234567, "1,230,000"),
        (-2.5, "-2.5"),
    ],
)
def test_numbers_have_three_digits(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1.73e6, "1/s", "1.73 M/s"),
        (3500, "1/s", "3.5 k/s"),
        (12, "1/s", "12 /s"),
        (0.2, "1/s", "0.2 /s"),
        (45, "s", "45 s"),
        (0.0021, "s", "2.1 ms"),
        (2.05e-4, "s", "205 µs"),
        (3e-8, "s", "0.03 µs"),
        (11.2, "kB", "11.2 kB"),
        (480.4, "×", "480×"),
        (0.123, "", "0.123"),
    ],
)
def test_amounts(value: float, unit: str, text: str) -> None:
    assert amount(value, unit) == text


def test_a_line_of_a_ratio() -> None:
    row = compared("steps", "1/s", [1e6, 2e6, 3e6], [2e3, 2e3, 2e3], goal=Goal(400, 1200))
    line = dict(zip(HEAD, cells(row), strict=True))
    assert line == {
        "quantity": "steps",
        "mars-logic": "2 M/s",
        "peer": "2 k/s (crafter)",
        "ratio (quartiles)": "1,000× (750×–1,250×)",
        "at least": "400×",
        "aim": "1,200×",
        "reached": "at least",
    }


def test_a_line_without_peer_shows_its_own_spread() -> None:
    row = BenchmarkRow(
        "memory", "kB", Spread(10, 11, 12), goal=Goal(16, of="ours"), smaller_is_better=True
    )
    assert cells(row) == ("memory", "11 kB (10 kB–12 kB)", "", "", "16 kB", "", "at least")
