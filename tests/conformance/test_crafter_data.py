"""Changed rules files of Crafter: the game that reads one and the simulator do the same."""

from __future__ import annotations

import importlib.resources
from pathlib import Path
from typing import Any

import pytest
import yaml

from mars_logic import WorldError, WorldWarning, load_world
from tests.conformance.test_crafter_live import crafter, patched, side_by_side

assert patched, "a fixture for all tests here"

ORIGINAL: str = (importlib.resources.files("crafter") / "data.yaml").read_text(encoding="utf-8")


def changed(**sections: dict[str, Any]) -> str:
    """Crafter's rules with some entries replaced; None removes one."""
    data = yaml.safe_load(ORIGINAL)
    for section, entries in sections.items():
        for name, entry in entries.items():
            if entry is None:
                del data[section][name]
            else:
                data[section][name] = {**data[section].get(name, {}), **entry}
    return yaml.safe_dump(data, sort_keys=False)


VARIANTS = {
    "as released": ORIGINAL,
    "saplings always": changed(collect={"grass": {"probability": 1.0}}),
    "no saplings": changed(collect={"grass": {"probability": 0}}),
    "saplings often": changed(collect={"grass": {"probability": 0.5}}),
    "rich trees that fall": changed(
        collect={
            "tree": {"receive": {"wood": 2}, "leaves": "path", "probability": 0.7},
            "stone": {"require": {}, "receive": {"stone": 1, "coal": 1}, "leaves": "sand"},
            "diamond": {"require": {"stone_pickaxe": 1}},
        }
    ),
    "sand and lava give": changed(
        collect={
            "sand": {"require": {}, "receive": {"sapling": 1}, "leaves": "grass"},
            "lava": {"require": {"wood": 1}, "receive": {"iron": 1}, "leaves": "stone"},
            "coal": None,
        }
    ),
    "cheap building": changed(
        place={
            "table": {"uses": {"wood": 1}, "where": ["grass", "sand", "path", "water"]},
            "furnace": {"uses": {"stone": 1}},
            "plant": {"where": ["sand", "grass"]},
        },
        make={
            "wood_pickaxe": {"nearby": [], "gives": 2},
            "stone_sword": {"uses": {"wood": 2}, "nearby": ["table", "stone"]},
        },
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 5])
@pytest.mark.parametrize("name", VARIANTS)
def test_the_game_and_the_simulator_do_the_same(
    name: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data.yaml"
    path.write_text(VARIANTS[name], encoding="utf-8")
    for section, content in yaml.safe_load(VARIANTS[name]).items():
        monkeypatch.setattr(crafter.constants, section, content)
    side_by_side(load_world(path), seed)


def test_the_released_file_is_the_world_crafter(tmp_path: Path) -> None:
    path = tmp_path / "data.yaml"
    path.write_text(ORIGINAL.replace("- wake_up", "- wake_up  # a comment"), encoding="utf-8")
    assert load_world(path).digest == load_world("crafter").digest
    based = tmp_path / "mine.yaml"
    based.write_text("base: data.yaml\nplace: {table: {uses: {wood: 3}}}\n", encoding="utf-8")
    assert load_world(based).place["table"].uses == {"wood": 3}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("  - wake_up", "  - wake_up\n  - fly"), "achievements[22]: 'fly' is left out"),
        (("  - wake_up\n", ""), "achievements: the world has wake_up, too"),
        (("  - noop\n  - move_left", "  - move_left\n  - noop"), "actions: the world keeps"),
        (("actions:\n", "actions:\n  - dance\n"), "actions[0]: 'dance' is left out"),
    ],
)
def test_what_has_no_effect_is_told(change: tuple[str, str], said: str, tmp_path: Path) -> None:
    path = tmp_path / "data.yaml"
    path.write_text(ORIGINAL.replace(*change), encoding="utf-8")
    with pytest.warns(WorldWarning) as told:
        world = load_world(path)
    assert world.digest == load_world("crafter").digest
    assert any(said in str(each.message) for each in told)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("  wood: {max: 9, initial: 0}", "  wood: {max: 99, initial: 0}", "items.wood: "),
        ("wood_pickaxe: {max: 9, initial: 0}", "wood_pickaxe: {max: 9, initial: 1}", "initial: 0"),
        ("health: {max: 9, initial: 9}", "health: {max: 9, initial: 5}", "items.health: "),
        ("  wood: {max: 9, initial: 0}\n", "", "wood is missing"),
        ("  - sand\n\nitems", "  - sand\n  - lava\n\nitems", "walkable[3]: 'lava'"),
        ("  - path\n  - sand\n\n", "  - path\n\n", "walkable: sand is missing"),
        ("  - furnace\n", "  - furnace\n  - obsidian\n", "unknown name 'obsidian'"),
        ("  - iron\n  - diamond\n", "  - diamond\n", "iron is missing"),
        ("probability: 0.1", "probability: often", "'often' is no probability"),
        ("probability: 0.1", "probability: -1", "-1 is no probability"),
        ("receive: {wood: 1}", "receive: {plank: 1}", "plank"),
        ("receive: {wood: 1}, ", "", "receive is missing"),
        ("leaves: grass}\n  stone", "leaves: hole}\n  stone", "hole"),
        ("{require: {}, receive: {drink: 1}, leaves: water}", "[]", "is not a mapping"),
        ("type: object", "type: material", "'material' is not what a plant is"),
        ("make:\n", "make:\n  bow: {uses: {}, nearby: [], gives: 1}\n", "bow"),
        ("nearby: [table], gives: 1", "near: [table], gives: 1", "unknown field 'near'"),
        ("make:\n", "cook:\n", "unknown section 'cook'"),
        ("  - wake_up", "\t- wake_up", "not YAML"),
    ],
)
def test_what_a_world_cannot_say_is_refused(old: str, new: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "data.yaml"
    assert old in ORIGINAL
    path.write_text(ORIGINAL.replace(old, new), encoding="utf-8")
    with pytest.raises(WorldError) as error:
        load_world(path)
    assert said in str(error.value)
    assert all(line.startswith(f"{path}:") for line in str(error.value).splitlines())


def test_all_that_cannot_be_said_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "data.yaml"
    text = ORIGINAL.replace("sapling: {max: 9", "sapling: {max: 5")
    path.write_text(text.replace("uses: {stone: 4}", "uses: {brick: 4}"), encoding="utf-8")
    with pytest.raises(WorldError) as error:
        load_world(path)
    assert [problem.field for problem in error.value.problems] == [
        "items.sapling",
        "place.furnace.uses.brick",
    ]
