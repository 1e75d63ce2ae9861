"""Drawings are painted in the text's own characters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mars_logic.errors import InputError
from mars_logic.workbench.drawing import PLAYER, begun, form, painted, removed, resized
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
    text = painted(begin, ORE, path, 0, [(0, 0), (9, 9), (-1, 0)], brush)
    assert rows(text) == expected
    assert "legend: {$: silver}" in text and world_of(text, path).map.is_drawn


def test_what_the_legend_lacks_gets_a_character(tmp_path: Path) -> None:
    path = tmp_path / "ore.yaml"
    text = painted(begin, ORE, path, 0, [(3, 1)], PLAYER)
    (drawing,) = world_of(text, path).map.drawings
    assert drawing.rows[1][3].material == "water" and drawing.rows[1][3].player
    assert drawing.rows[1][1].material == "grass" and not drawing.rows[1][1].player


def test_sizes(tmp_path: Path) -> None:
    path = tmp_path / "ore.yaml"
    larger = resized(begin, ORE, path, 0, 5, 4)
    assert rows(larger) == ["...$.", ".@.~.", ".....", "....."]
    with pytest.raises(InputError, match="the player's start would be cut off"):
        start_last = painted(begin, ORE, path, 0, [(3, 2)], PLAYER)
        resized(begin, start_last, path, 0, 3, 3)
    for size in ((2, 3), (3, 65)):
        with pytest.raises(InputError, match="allowed: 3 to 64 each"):
            resized(begin, ORE, path, 0, *size)


@pytest.mark.slow
def test_a_new_drawing_takes_the_place_of_the_generator(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    text = "name: x\nbase: default\nmap: {scatter: {coal: {in: stone, share: 0.5}}}\n"
    assert form(begin, text, path, 0) is None
    text = begun(begin, text, path, 4, 3)
    found = form(begin, text, path, 0)
    assert found is not None and (found.columns, found.rows) == (4, 3)
    names = {brush.name for brush in found.brushes}
    assert {"grass", "table", "cow", PLAYER} <= names
    assert all(brush.icon.startswith("data:image/png") for brush in found.brushes)


SEVERAL = """name: several
base: default
map:
  drawn:
    - |
      @..
      ...
      ...
    - other.txt  # in a file
  legend: {$: coal}
"""


@pytest.fixture
def several(tmp_path: Path) -> Path:
    (tmp_path / "other.txt").write_text("..@\n.~.\n...\n", encoding="utf-8")
    return tmp_path / "several.yaml"


def drawn(text: str, path: Path) -> list[tuple[tuple[str, ...], ...]]:
    return [
        tuple(tuple(cell.material for cell in row) for row in each.rows)
        for each in world_of(text, path).map.drawings
    ]


def test_one_of_several_is_painted(several: Path) -> None:
    text = painted(begin, SEVERAL, several, 0, [(1, 1)], "coal")
    assert (
        "drawn:  # in a file\n    - |\n      @..\n      .$.\n      ...\n    - other.txt\n" in text
    )
    text = painted(begin, text, several, 1, [(0, 0)], "sand")
    assert "    - |\n      :.@\n      .~.\n      ...\n  legend" in text
    assert [rows[1][1] for rows in drawn(text, several)] == ["coal", "water"]
    with pytest.raises(InputError, match="there is no drawing 3; allowed: one of the 2"):
        painted(begin, SEVERAL, several, 2, [(1, 1)], "sand")


def test_a_drawing_is_added_resized_and_removed(several: Path) -> None:
    text = begun(begin, SEVERAL, several, 4, 3)
    text = resized(begin, text, several, 2, 5, 4)
    assert [(len(rows[0]), len(rows)) for rows in drawn(text, several)] == [(3, 3), (3, 3), (5, 4)]
    text = removed(begin, text, several, 0)
    assert [rows[1][1] for rows in drawn(text, several)] == ["water", "grass"]
    text = removed(begin, text, several, 1)
    assert "drawn: other.txt" in text
    with pytest.raises(InputError, match="this is the only drawing"):
        removed(begin, text, several, 0)


def test_drawings_of_the_base_are_taken_over(several: Path) -> None:
    several.write_text(SEVERAL, encoding="utf-8")
    path = several.with_name("mine.yaml")
    text = painted(begin, "name: mine\nbase: several.yaml\n", path, 1, [(0, 0)], "sand")
    assert [rows[0][0] for rows in drawn(text, path)] == ["grass", "sand"]


@pytest.mark.slow
def test_the_form_shows_the_drawing_of_a_number(several: Path) -> None:
    pictures = set()
    for number, shown in ((0, 0), (1, 1), (7, 1)):
        found = form(begin, SEVERAL, several, number)
        assert found is not None and (found.number, found.count) == (shown, 2)
        pictures.add(found.picture)
    assert len(pictures) == 2
