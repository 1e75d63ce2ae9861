"""Drawings are painted in the text's own characters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mars_logic.errors import InputError
from mars_logic.workbench.drawing import PLAYER, begun, form, painted, resized
from mars_logic.workbench.reading import world_of

ORE = """name: ore
base: default
adds:
  materials: {silver: {looks: ore, colour: "#dfe7ee"}}
map:
  drawn: |
    ...$
    .@.~
    ....
  legend: {$: silver}
"""


def begin(_what: str, _parts: int) -> Callable[[], None]:
    return lambda: None


def rows(text: str) -> list[str]:
    lines = text.partition("drawn: |\n")[2].splitlines()
    return [line[4:] for line in lines if line.startswith("    ") and ":" not in line]


@pytest.mark.parametrize(
    ("brush", "expected"),
    [
        ("silver", ["$..$", ".@.~", "...."]),
        ("water", ["~..$", ".@.~", "...."]),
        ("cow", ["C..$", ".@.~", "...."]),
        (PLAYER, ["@..$", "...~", "...."]),
    ],
)
def test_a_cell_is_painted(brush: str, expected: list[str], tmp_path: Path) -> None:
    path = tmp_path / "ore.yaml"
    text = painted(begin, ORE, path, [(0, 0), (9, 9), (-1, 0)], brush)
    assert rows(text) == expected
    assert "legend: {$: silver}" in text and world_of(text, path).map.is_drawn


def test_what_the_legend_lacks_gets_a_character(tmp_path: Path) -> None:
    path = tmp_path / "ore.yaml"
    text = painted(begin, ORE, path, [(3, 1)], PLAYER)
    (drawing,) = world_of(text, path).map.drawings
    assert drawing.rows[1][3].material == "water" and drawing.rows[1][3].player
    assert drawing.rows[1][1].material == "grass" and not drawing.rows[1][1].player


def test_sizes(tmp_path: Path) -> None:
    path = tmp_path / "ore.yaml"
    larger = resized(begin, ORE, path, 5, 4)
    assert rows(larger) == ["...$.", ".@.~.", ".....", "....."]
    with pytest.raises(InputError, match="the player's start would be cut off"):
        start_last = painted(begin, ORE, path, [(3, 2)], PLAYER)
        resized(begin, start_last, path, 3, 3)
    for size in ((2, 3), (3, 65)):
        with pytest.raises(InputError, match="allowed: 3 to 64 each"):
            resized(begin, ORE, path, *size)


@pytest.mark.slow
def test_a_new_drawing_takes_the_place_of_the_generator(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    text = "name: x\nbase: default\nmap: {scatter: {coal: {in: stone, share: 0.5}}}\n"
    assert form(begin, text, path) is None
    text = begun(begin, text, path, 4, 3)
    found = form(begin, text, path)
    assert found is not None and (found.columns, found.rows) == (4, 3)
    names = {brush.name for brush in found.brushes}
    assert {"grass", "table", "cow", PLAYER} <= names
    assert all(brush.icon.startswith("data:image/png") for brush in found.brushes)


def test_several_drawings_are_left_to_the_text(tmp_path: Path) -> None:
    two = 'name: x\nbase: default\nmap: {drawn: ["@..\\n...\\n...", "..@\\n...\\n..."]}\n'
    with pytest.raises(InputError, match="there are 2 drawings"):
        painted(begin, two, tmp_path / "x.yaml", [(1, 1)], "sand")
