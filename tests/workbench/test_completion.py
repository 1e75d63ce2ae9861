"""What may be written at a place, in texts that need be no YAML yet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.workbench.completion import offers

ORE = """name: ore
base: default
adds:
  materials: {silver: {looks: ore}}
collect:
  silver:
    requires: {stone_pickaxe: 1}
"""

PLACES: dict[str, tuple[str, str, set[str]]] = {
    "a key": ("ma", "ma", {"map: ", "make: "}),
    "a field": ("    le", "le", {"leaves: "}),
    "a material": ("    leaves: pa", "pa", {"path"}),
    "an added material": ("    leaves: si", "si", {"silver"}),
    "an added subject": ("  si", "si", set()),  # it is stated above
    "an item": ("place:\n  silver: {uses: {ing", "ing", {"ingot: "}),
    "what is not stated yet": ("place:\n  silver: {uses: {wood: 1}, ", "", {"where: "}),
    "a list": ("place:\n  silver: {where: [sand, gr", "gr", {"grass"}),
    "a base": ("base: all", "all", {"all_three"}),
    "a flag": ("walk:\n  lava: {walkable: ", "", {"true", "false"}),
    "looks": ("adds:\n  materials:\n    tin: {looks: st", "st", {"station"}),
    "a constant": ("constants:\n  ri", "ri", {"ripe_age: "}),
    "a comment": ("# ma", "", set()),
}


@pytest.mark.parametrize("case", PLACES)
def test_what_may_be_written(case: str) -> None:
    written, begun, expected = PLACES[case]
    text = ORE + written
    found = offers(text, len(text), ["silver"], ["ingot"])
    assert text[found.start :] == begun
    assert set(found.words) == expected


@given(st.text("ab: {}[],-#\n\t'\"é", max_size=60), st.integers(0, 60))
def test_any_text(text: str, place: int) -> None:
    place = min(place, len(text))
    assert 0 <= offers(text, place, ["tin"], []).start <= place
