"""Changes of a text change what they are to change, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.errors import InputError
from mars_logic.world.source import parse
from mars_logic.world.text_edits import with_value

ORE = """# mine: ü
name: ore   # é
base: default

adds:
  materials: {silver: {looks: ore, colour: "#dfe7ee"}}  # a comment
  items: [silver]

# the map
map:
  drawn: |
    ###
    #@#
    ###

collect:
  silver:
    requires: {stone_pickaxe: 1}
    leaves: path

  # the end
"""

CHANGES: dict[str, tuple[tuple[str, ...], Any, str]] = {
    "a new rule": (("collect", "iron"), {"leaves": "path"}, "  iron: {leaves: path}\n"),
    "another rule": (("collect", "silver"), {"leaves": "sand"}, "  silver: {leaves: sand}\n"),
    "a field": (("collect", "silver", "leaves"), "sand", "    leaves: sand\n"),
    "in braces": (("adds", "materials", "tin"), None, '"#dfe7ee"}, tin: null}  # a comment'),
    "a list": (("adds", "items"), ["silver", "tin"], "  items: [silver, tin]\n"),
    "a section": (("make", "bell"), {"uses": {}}, "\nmake:\n  bell: {uses: {}}\n"),
    "a drawing": (("map", "drawn"), "..@\n...\n...\n", "  drawn: |\n    ..@\n    ...\n    ...\n"),
    "drawings": (("map", "drawn"), ["..@\n"] * 2, "    - |\n      ..@\n    - |\n      ..@\n"),
    "a legend": (("map", "legend", "s"), "silver", "  legend:\n    s: silver\n"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_the_rest_stays(case: str) -> None:
    path, value, expected = CHANGES[case]
    changed = with_value(ORE, path, value)
    assert expected in changed
    kept = [line for line in ORE.splitlines() if line.strip().startswith("# ")]
    assert [line for line in changed.splitlines() if line in kept] == kept
    assert len(set(ORE.splitlines()) - set(changed.splitlines())) <= 3


def test_a_comment_after_a_value_stays_one() -> None:
    text = "map:\n  drawn: a.txt  # why\nname: x\n"
    one, rows = "..@\n...\n", "    ..@\n    ...\n"
    changed = with_value(text, ("map", "drawn"), one)
    assert changed == f"map:\n  drawn: |  # why\n{rows}name: x\n"
    changed = with_value(text, ("map", "drawn"), [one, "b.txt"])
    items = "    - |\n      ..@\n      ...\n    - b.txt\n"
    assert changed == f"map:\n  drawn:  # why\n{items}name: x\n"
    again = with_value(changed, ("map", "drawn"), [one, one])
    assert again == changed.replace("    - b.txt\n", "    - |\n      ..@\n      ...\n")
    assert with_value(again, ("map", "drawn"), one) == f"map:\n  drawn: |  # why\n{rows}name: x\n"


@pytest.mark.parametrize(
    "text", ["", "# only this\n", "adds:\n", "adds: # why\nname: x", "adds: {}"]
)
def test_sections_may_be_missing_or_empty(text: str) -> None:
    changed = with_value(text, ("adds", "items"), ["tin"])
    assert parse(changed, "text").data["adds"] == {"items": ["tin"]}
    assert ("#" in text) == ("#" in changed)


@pytest.mark.parametrize(
    ("text", "path"),
    [("a: [1]\n", ("a", "b")), ("a: 1\n", ("a", "b")), ("a: &x {b: 1}\nc: *x\n", ("c", "b"))],
)
def test_what_cannot_be_changed_alone_is_left(text: str, path: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="allowed: "):
        with_value(text, path, 2)


GALLERY = sorted((Path(__file__).parents[2] / "worlds" / "gallery").glob("*.yaml"))
_NAMES = st.sampled_from(["collect", "adds", "map", "tree", "silver", "items", "x1"])
_VALUES = st.recursive(
    st.one_of(st.integers(0, 9), st.booleans(), st.text("ab #:'\n", max_size=6)),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_NAMES, inner, max_size=2),
    max_leaves=4,
)


@given(st.sampled_from(GALLERY), st.lists(_NAMES, min_size=1, max_size=3), _VALUES)
def test_any_value_anywhere(file: Path, path: list[str], value: Any) -> None:
    """It is there afterwards, with all else as it was; or it is refused, and nothing is lost."""
    text = file.read_text(encoding="utf-8")
    try:
        changed = with_value(text, tuple(path), value)
    except InputError:
        return
    data = before = parse(changed, "text").data
    for key in path:
        data = data[key]
    assert data == value
    former = parse(text, "text").data
    assert {key: each for key, each in before.items() if key != path[0]} == {
        key: each for key, each in former.items() if key != path[0]
    }
