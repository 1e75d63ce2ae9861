"""What a text says: mistakes as `validate` tells them, or a manual with marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic.workbench.reading import read
from mars_logic.world.load import load_theory
from mars_logic.world.problems import WorldError

ORE = """name: ore
base: default
adds:
  materials: {silver: {looks: ore, colour: "#dfe7ee"}}
  items: [silver]
collect:
  silver: {requires: {stone_pickaxe: 1}, yields: {silver: 1}, leaves: path}
"""

WRONG = {
    "a typo": ORE.replace("stone_pickaxe", "stone_pikaxe"),
    "no base": ORE.replace("base: default\n", ""),
    "no YAML": ORE + "}",
    "two mistakes": ORE.replace("ore,", "orb,").replace("leaves: path", "leaves: lava2"),
    "empty": "",
    "a game": "domain: hanoi\n",
}


@pytest.mark.parametrize("case", WRONG)
def test_mistakes_are_those_of_validate(case: str, tmp_path: Path) -> None:
    path = tmp_path / "ore.yaml"
    path.write_text(WRONG[case], encoding="utf-8")
    with pytest.raises(WorldError) as error:
        load_theory(path)
    found = read(WRONG[case], path)
    lines = [f"{path}:{each.line}: {each.told}" for each in found.mistakes]
    assert lines == str(error.value).splitlines() and not found.is_world


def test_changed_sentences_are_marked(tmp_path: Path) -> None:
    found = read(ORE, tmp_path / "ore.yaml")
    assert found.is_world and found.name == "ore"
    marked = [line.text for line in found.manual if line.changed]
    assert "Silver cannot be walked on." in marked
    assert all("silver" in text.lower() for text in marked), marked
    kinds = {line.kind for line in found.manual}
    assert kinds == {"heading", "part", "item", "text"}


def test_a_mistake_of_the_base_is_told_where_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text("name: b\nbase: default\nwalk: 3\n", encoding="utf-8")
    found = read("name: x\nbase: base.yaml\n", tmp_path / "x.yaml")
    (mistake,) = found.mistakes
    assert mistake.line == 2 and mistake.short.startswith("base.yaml:3: walk")


def test_a_theory_is_no_world(tmp_path: Path) -> None:
    found = read("name: x\nbase: default\nwalk: {lava: unknown}\n", tmp_path / "x.yaml")
    assert not found.mistakes and not found.is_world and found.open[0].startswith("walk.lava")


def test_a_text_may_be_too_long(tmp_path: Path) -> None:
    found = read("# " + "x" * 200_001, tmp_path / "x.yaml")
    assert "too long" in found.mistakes[0].told
