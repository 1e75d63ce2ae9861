"""What may be written at a place, in texts that need be no YAML yet."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.workbench.completion import end_of_change, offers
from mars_logic.workbench.reading import theory_of
from mars_logic.world.vocabulary import vocabulary

ORE = """name: ore
base: default
adds:
  materials: {silver: {looks: ore}}
  items: [ingot]
  creatures: {wolf: {ground: grass}}
  needs: [warmth]
  projectiles: [bolt]
collect:
  silver:
    requires: {stone_pickaxe: 1}
"""

PLACES: dict[str, tuple[str, str, set[str]]] = {
    "a key": ("ma", "ma", {"map:\n  ", "make:\n  "}),
    "a list or a mapping": ("adds:\n  it", "it", {"items: "}),
    "in braces": ("collect: {silver: {req", "req", {"requires: "}),
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
    "an added creature": ("behaviour:\n  wo", "wo", {"wolf:\n    "}),
    "a case": ("behaviour:\n  wolf:\n    cases: [{act: approach, wi", "wi", {"within: "}),
    "a case of a list": ("behaviour:\n  wolf:\n    cases:\n      - ac", "ac", {"act: "}),
    "a deed": ("behaviour: {wolf: {cases: [{act: fl", "fl", {"flee"}),
    "a projectile": ("behaviour: {wolf: {cases: [{act: shoot, projectile: b", "b", {"bolt"}),
    "a held item": ("behaviour: {wolf: {cases: [{act: flee, held: in", "in", {"ingot"}),
    "an added need": ("need:\n  w", "w", {"warmth:\n    "}),
    "a goal": ("goals: [collect_dia", "collect_dia", {"collect_diamond"}),
    "a goal with a reward": ("goals: {wake", "wake", {"wake_up: "}),
    "a legend": ("map: {drawn: x, legend: {x: si", "si", {"silver"}),
    "a comment": ("# ma", "", set()),
}


@pytest.mark.parametrize("case", PLACES)
def test_what_may_be_written(case: str) -> None:
    written, begun, expected = PLACES[case]
    text = ORE + written
    found = offers(text, len(text), vocabulary("mars"))
    assert text[found.start :] == begun
    assert set(found.words) == expected


def test_names_of_the_world(tmp_path: Path) -> None:
    """Those that rules bring about, and those of the base."""
    base = Path(__file__).parents[2] / "worlds" / "gallery" / "copper.yaml"
    shutil.copy(base, tmp_path)
    text = "name: x\nbase: copper.yaml\n"
    words = theory_of(text, tmp_path / "x.yaml")[0].vocabulary
    for line, expected in (("goals: [make_br", "make_brick"), ("eat:\n  pi", "pie:\n    ")):
        assert offers(text + line, len(text + line), words).words == (expected,)


@given(st.text("al", max_size=6), st.text("al", min_size=1, max_size=3), st.text("al", max_size=6))
def test_the_place_is_behind_what_was_written(before: str, written: str, after: str) -> None:
    """Or further behind, where the same letters could have been written there."""
    text = before + written + after
    place = end_of_change(before + after, text)
    assert place >= len(before + written)
    assert text[: place - len(written)] + text[place:] == before + after


@given(st.text("ab: {}[],-#\n\t'\"é", max_size=60), st.integers(0, 60))
def test_any_text(text: str, place: int) -> None:
    place = min(place, len(text))
    assert 0 <= offers(text, place, vocabulary("mars")).start <= place
