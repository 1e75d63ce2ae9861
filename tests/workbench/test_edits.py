"""Buttons change the text as a person would."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from mars_logic.errors import InputError
from mars_logic.workbench.edits import What, with_added, with_drawings
from mars_logic.workbench.panels import explained, proofs, pytest_of
from mars_logic.workbench.reading import theory_of

NONE = "name: x\nbase: default\n"


def begin(_what: str, _parts: int) -> Callable[[], None]:
    return lambda: None


def test_names_are_added(tmp_path: Path) -> None:
    text = with_added(NONE, "material", "copper", "ore", "#b87333")
    text = with_added(text, "item", "copper", "", "")
    text = with_added(text, "item", "copper_pickaxe", "", "")
    text = with_added(text, "material", "kiln", "station", "#a0522d")
    theory, _ = theory_of(text, tmp_path / "x.yaml")
    assert theory.adds.material_names == ("copper", "kiln")
    assert theory.adds.items == ("copper", "copper_pickaxe")


def test_a_list_of_materials_stays_what_it_is(tmp_path: Path) -> None:
    text = with_added(f"{NONE}adds: {{materials: [tin]}}\n", "material", "zinc", "ore", "#b87333")
    assert theory_of(text, tmp_path / "x.yaml")[0].adds.material_names == ("tin", "zinc")


@pytest.mark.parametrize(
    ("what", "name", "looks", "colour"),
    [
        ("material", "Copper", "ore", "#b87333"),
        ("material", "x: {}", "ore", "#b87333"),
        ("material", "copper", "gold", "#b87333"),
        ("material", "copper", "ore", "red"),
        ("item", "", "", ""),
    ],
)
def test_what_is_no_name_is_refused(what: What, name: str, looks: str, colour: str) -> None:
    with pytest.raises(InputError, match="allowed: "):
        with_added(NONE, what, name, looks, colour)


def test_a_drawing_takes_the_place_of_the_generator(tmp_path: Path) -> None:
    text = f"{NONE}map: {{scatter: {{diamond: {{in: stone, share: 0.1}}}}}}\n"
    text = with_drawings(text, ["...\n.@s\n...\n"], {"s": "sand"})
    (drawing,) = theory_of(text, tmp_path / "x.yaml")[0].map.drawings
    assert drawing.rows[1][1].player and drawing.rows[1][2].material == "sand"


@pytest.mark.slow
def test_a_repair_makes_it_reachable(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    text = f"# why\n{NONE}collect:\n  diamond: {{yields: {{coal: 1}}}}  # none\n"
    found = proofs(begin, text, path, None)
    (failing,) = [row for row in found.rows if row.verdict == "unreachable"]
    row = explained(begin, text, path, failing, None)
    assert row.achievement == "collect_diamond" and row.sentences and row.repairs
    for offer in row.repairs:
        assert offer.text.startswith("# why\n") and "# none" in offer.text
        again = proofs(begin, offer.text, path, None)
        assert all(each.verdict == "reachable" for each in again.rows)


@pytest.mark.slow
def test_the_copied_test_holds_until_a_rule_changes(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(NONE, encoding="utf-8")
    test = tmp_path / "test_x.py"
    test.write_text(pytest_of(begin, NONE, path), encoding="utf-8")
    runpy.run_path(str(test))["test_what_can_be_reached"]()
    path.write_text(f"{NONE}collect: {{diamond: {{yields: {{coal: 1}}}}}}\n", encoding="utf-8")
    with pytest.raises(AssertionError):
        runpy.run_path(str(test))["test_what_can_be_reached"]()
