"""Every kind of mistake in a world file gives one message that names file, line and field."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from mars_logic import load_world
from mars_logic.world.problems import WorldError
from mars_logic.world.source import MAX_BYTES

FORM = re.compile(r"^[^:]+:\d+: \S+: .+; allowed: .+$")

MISTAKES = {
    "unknown key": (
        "base: default\ncolect: {}\n",
        "2: colect: unknown key 'colect', did you mean 'collect'?; allowed: domain, name,",
    ),
    "unknown field": (
        "base: default\ncollect:\n  tree: {yeilds: {wood: 1}}\n",
        "3: collect.tree.yeilds: unknown field 'yeilds', did you mean 'yields'?; allowed: collect",
    ),
    "a field name of the released format": (
        "base: default\ncreature:\n  cow:\n    can_walk: true\n",
        "4: creature.cow.can_walk: unknown field 'can_walk', did you mean 'walks'?",
    ),
    "unknown material": (
        "base: default\ncollect:\n  stnoe: {yields: {wood: 1}}\n",
        "3: collect.stnoe: unknown material 'stnoe', did you mean 'stone'?; allowed: water,",
    ),
    "unknown material left behind": (
        "base: default\ncollect: {tree: {leaves: Grass}}\n",
        "2: collect.tree.leaves: unknown material 'Grass', did you mean 'grass'?; allowed: water",
    ),
    "unknown material to stand on": (
        "base: default\nplace:\n  table:\n    where:\n    - grass\n    - grss\n",
        "6: place.table.where[1]: unknown material 'grss', did you mean 'grass'?; allowed: water",
    ),
    "unknown tool": (
        "base: default\nmake: {wood_pickaxe: {}, wood_axe: {gives: 2}}\n",
        "2: make.wood_axe: unknown tool 'wood_axe', did you mean 'wood_pickaxe'?; allowed: wood_",
    ),
    "unknown item": (
        "base: default\nplace: {table: {uses: {plank: 1}}}\n",
        "2: place.table.uses.plank: unknown item 'plank'; allowed: sapling, wood,",
    ),
    "unknown creature": (
        "base: default\ncreature: {zomby: {walks: true}}\n",
        "2: creature.zomby: unknown creature 'zomby', did you mean 'zombie'?; allowed: cow,",
    ),
    "unknown creature that appears": (
        "base: default\ncollect: {sand: {spawns: {plant: 0.1}}}\n",
        "2: collect.sand.spawns.plant: unknown creature 'plant'; allowed: cow, zombie, skeleton",
    ),
    "amount out of range": (
        "base: default\nplace: {table: {uses: {wood: 10}}}\n",
        "2: place.table.uses.wood: 10 is out of range; allowed: a whole number from 1 to 9",
    ),
    "amount of nothing": (
        "base: default\ncollect: {tree: {yields: {wood: 0}}}\n",
        "2: collect.tree.yields.wood.amount: 0 is out of range; allowed: a whole number from 1",
    ),
    "points out of range": (
        "base: default\nwalk: {sand: {health: -10}}\n",
        "2: walk.sand.health: -10 is out of range; allowed: a whole number from -9 to 9",
    ),
    "not a whole number": (
        "base: default\nwalk: {sand: {health: 0.5}}\n",
        "2: walk.sand.health: 0.5 is not a whole number; allowed: a whole number from -9 to 9",
    ),
    "not a flag": (
        "base: default\nwalk: {sand: {walkable: maybe}}\n",
        "2: walk.sand.walkable: 'maybe' is neither true nor false; allowed: true, false",
    ),
    "probability above 1": (
        "base: default\ncollect: {tree: {yields: {wood: {probability: 1.5}}}}\n",
        "2: collect.tree.yields.wood.probability: 1.5 is out of range; allowed: a number from 0",
    ),
    "probability below 0": (
        "base: default\ncollect: {tree: {spawns: {cow: -0.1}}}\n",
        "2: collect.tree.spawns.cow: -0.1 is out of range; allowed: a number from 0 to 1",
    ),
    "probability that is not a number": (
        "base: default\ncollect: {tree: {spawns: {cow: .nan}}}\n",
        "2: collect.tree.spawns.cow: nan is out of range; allowed: a number from 0 to 1",
    ),
    "probabilities summing above 1": (
        "base: default\ncollect:\n  tree:\n    yields:\n      wood: {probability: 0.6}\n"
        "      coal: {probability: 0.6}\n",
        "4: collect.tree.yields: the probabilities sum to 1.2, above 1; allowed: a sum of at most",
    ),
    "two creatures": (
        "base: default\ncollect: {tree: {spawns: {cow: 0.1, zombie: 0.1}}}\n",
        "2: collect.tree.spawns: 2 creatures are listed; allowed: at most one creature",
    ),
    "eatable and defeatable": (
        "base: default\ncreature: {cow: {defeatable: true}}\n",
        "2: creature.cow.defeatable: unknown field 'defeatable', did you mean 'eatable'?",
    ),
    "listed twice": (
        "base: default\nplace: {table: {where: [grass, sand, grass]}}\n",
        "2: place.table.where: 'grass' is listed twice; allowed: each material at most once",
    ),
    "missing section": (
        "dynamics: mars\nneighbour: {}\nwalk: {}\ncreature: {}\nplace: {}\nmake: {}\n",
        "1: collect: this section is missing; allowed: to state it, or to name a base",
    ),
    "missing dynamics": ("name: x\n", "1: dynamics: this key is missing; allowed: crafter, mars"),
    "unknown dynamics": (
        "dynamics: crafte\n",
        "1: dynamics: unknown dialect 'crafte', did you mean 'crafter'?; allowed: crafter, mars",
    ),
    "unknown base": (
        "base: defualt\n",
        "1: base: there is no world 'defualt', did you mean 'default'?; allowed: a path",
    ),
    "base that is no name": (
        "base: [default]\n",
        "1: base: this is not a name or a path; allowed: a path",
    ),
    "name that is no text": ("name: 3\nbase: default\n", "1: name: 3 is not text; allowed: text"),
    "duplicate key": (
        "base: default\nwalk:\n  sand: {health: 1}\n  sand: {health: 2}\n",
        "4: walk.sand: this key is stated twice (first on line 3); allowed: each key once",
    ),
    "section that is no mapping": (
        "base: default\ncollect: [tree]\n",
        "2: collect: a list is not a mapping; allowed: a mapping such as {water: ...}",
    ),
    "rule that is no mapping": (
        "base: default\ncollect: {tree: wood}\n",
        "2: collect.tree: 'wood' is not a mapping of fields; allowed: collectable, requires,",
    ),
    "amounts that are no mapping": (
        "base: default\nplace: {table: {uses: wood}}\n",
        "2: place.table.uses: 'wood' is not a mapping of items to amounts; allowed: for example",
    ),
    "places that are no list": (
        "base: default\nplace: {table: {where: grass}}\n",
        "2: place.table.where: 'grass' is not a list of materials; allowed: for example [grass",
    ),
    "a blank missing after a colon": (
        "base: default\ncollect: {tree: {spawns: {zombie:0.1}}}\n",
        "spawns.zombie:0.1: unknown creature 'zombie:0.1', is a blank missing after its colon?;",
    ),
    "nothing around the start": (
        "base: default\nneighbour: {player: null}\n",
        "2: neighbour.player: a material is needed here; allowed: water, grass",
    ),
    "what the dialect fixes": (
        "base: crafter\ncreature:\n  cow: {walks: false}\n",
        "3: creature.cow: dynamics crafter fixes this rule; allowed:",
    ),
    "unequal chances in crafter": (
        "base: crafter\ncollect:\n  tree: {yields: {wood: 1, coal: {probability: 0.5}}}\n",
        "3: collect.tree.yields: under dynamics crafter all yields come together or not at all",
    ),
    "the subject as a field": (
        "base: default\ncollect: {tree: {subject: stone}}\n",
        "2: collect.tree.subject: unknown field 'subject'; allowed: collectable",
    ),
    "not YAML": ("walk: {sand: [}\n", "1: file: not YAML: "),
    "a tab": ("walk:\n\tsand: 1\n", "2: file: not YAML: "),
    "two documents": ("a: 1\n---\nb: 2\n", "2: file: not YAML: but found another document"),
    "a list": ("- a\n- b\n", "1: file: the file holds no mapping; allowed: a world file in YAML"),
    "empty": ("", "1: file: the file is empty; allowed: a world file in YAML"),
    "only a comment": ("# nothing\n", "1: file: the file is empty; allowed: a world file in YAML"),
    "a number of thousands of digits": (
        f"base: default\nwalk: {{sand: {{health: 0x{'f' * 5000}}}}}\n",
        "2: walk.sand.health: '0xffff",
    ),
    "a section that is null": (
        "base: default\ncollect:\n",
        "2: collect: null is not a mapping; allowed: a mapping such as {water: ...}",
    ),
    "a line end in a name": (
        'base: default\ncollect: {tree: {leaves: "a\\nb\\e[31m"}}\n',
        "2: collect.tree.leaves: unknown material 'a\\nb\\x1b[31m'; allowed: water",
    ),
    "a name of nothing": (
        'base: default\nname: " "\n',
        "2: name: this is no name; allowed: a line",
    ),
    "a title of two lines": (
        'base: default\ntitle: "a\\nb"\n',
        "2: title: this is more than a line; allowed: a line of text",
    ),
    "a tagged list": (
        "base: default\nplace: {table: {where: !!python/object/apply:os.system [grass]}}\n",
        "2: place.table.where: ",
    ),
    "a base that no file can be": ('base: "\\0"\n', "1: base: there is no world '\\x00'; allowed"),
    "a base too long": (f"base: {'x' * 5000}\n", "1: base: there is no world 'xxx"),
    "a weight that is true": (
        "base: default\nwalk: {sand: {health: {one_of: [{value: 1, weight: true}]}}}\n",
        "2: walk.sand.health: the weight true is no positive number; allowed: a number above 0",
    ),
    "a key that is a list": ("base: default\n[a]: 1\n", "2: file: a key is not plain text"),
    "a tag that makes objects": (
        "base: default\nname: !!python/object/apply:os.system [ls]\n",
        "2: name: ",
    ),
    "a date": ("base: default\nname: 2020-01-01\n", "2: name: '2020-01-01' is no plain value (tim"),
    "a number too long": (f"base: default\nname: {'9' * 5000}\n", "2: name: '99999"),
    "deep nesting": ("a: " + "[" * 50 + "]" * 50, "1: file: nested more than 12 deep; allowed:"),
    "an alias within itself": ("a: &a {b: *a}\n", "aliases make the file too large"),
    "a YAML bomb": (
        "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 9)),
        "aliases make the file too large to read; allowed: at most 10,000 values",
    ),
}


def message_of(file: Path) -> str:
    with pytest.raises(WorldError) as caught:
        load_world(file)
    return str(caught.value)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_is_one_message(mistake: str, tmp_path: Path) -> None:
    text, expected = MISTAKES[mistake]
    file = tmp_path / "world.yaml"
    file.write_text(text, encoding="utf-8")
    message = message_of(file)
    assert expected in message
    assert FORM.match(message), message
    assert "\n" not in message, "one mistake, one message"


def test_each_of_several_mistakes_is_told_in_the_order_of_lines(tmp_path: Path) -> None:
    file = tmp_path / "world.yaml"
    file.write_text(
        "base: default\nmake: {wood_sword: {gives: 0}}\nwalk: {sand: {health: x}}\n",
        encoding="utf-8",
    )
    lines = message_of(file).splitlines()
    assert [line.split(":")[1] for line in lines] == ["2", "3"]


def test_every_missing_section_is_named(tmp_path: Path) -> None:
    file = tmp_path / "world.yaml"
    file.write_text("dynamics: mars\n", encoding="utf-8")
    fields = [line.split(": ")[1] for line in message_of(file).splitlines()]
    assert fields == ["neighbour", "walk", "creature", "collect", "place", "make"]


def test_every_missing_rule_is_named(tmp_path: Path) -> None:
    crafter = load_world("crafter")
    assert crafter.path
    text = Path(crafter.path).read_text(encoding="utf-8")
    file = tmp_path / "world.yaml"
    file.write_text(text.replace("  table: {uses", "  # table: {uses"), encoding="utf-8")
    assert "place.table: this rule is missing" in message_of(file)


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    crafter = load_world("crafter")
    assert crafter.path
    file = tmp_path / "world.yaml"
    text = Path(crafter.path).read_text(encoding="utf-8")
    file.write_text(text.replace("tree: {walkable: false}", "tree: {health: 1}"), encoding="utf-8")
    assert "walk.tree.walkable: this field is missing; allowed: the fields" in message_of(file)


def test_a_mistake_in_the_base_is_told_of_the_base(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("base: default\nwlak: {}\n", encoding="utf-8")
    (tmp_path / "good.yaml").write_text("base: bad.yaml\n", encoding="utf-8")
    assert re.match(r".*bad\.yaml:2: wlak: unknown key", message_of(tmp_path / "good.yaml"))


def test_a_base_that_is_a_circle_of_links(tmp_path: Path) -> None:
    (tmp_path / "circle.yaml").symlink_to(tmp_path / "circle.yaml")
    (tmp_path / "world.yaml").write_text("base: circle.yaml\n", encoding="utf-8")
    assert "1: base: there is no world 'circle.yaml'" in message_of(tmp_path / "world.yaml")
    assert "circle.yaml:1: file: " in message_of(tmp_path / "circle.yaml")


def test_a_tower_of_bases(tmp_path: Path) -> None:
    (tmp_path / "w0.yaml").write_text("base: default\n", encoding="utf-8")
    for i in range(1, 100):
        (tmp_path / f"w{i}.yaml").write_text(f"base: w{i - 1}.yaml\n", encoding="utf-8")
    assert load_world(tmp_path / "w40.yaml") == load_world("default")
    assert "base: more than 50 bases, one upon the other" in message_of(tmp_path / "w99.yaml")


@pytest.mark.parametrize("name", ["nowhere.yaml", "no/such/folder/world.yaml"])
def test_no_such_file(name: str) -> None:
    message = message_of(Path(name))
    assert message.startswith(f"{name}:1: file: there is no such file; allowed: ")


def test_no_such_name() -> None:
    with pytest.raises(WorldError) as caught:
        load_world("al_three")
    assert str(caught.value).startswith(
        "al_three:1: world: there is no bundled world and no file of this name, "
        "did you mean 'all_three'?; allowed: crafter, default,"
    )


def test_a_directory(tmp_path: Path) -> None:
    assert ":1: file: this is a folder; allowed:" in message_of(tmp_path)


def test_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    assert ":1: file: this is not a regular file; allowed:" in message_of(tmp_path / "pipe.yaml")


def test_ten_megabytes_of_junk(tmp_path: Path) -> None:
    file = tmp_path / "junk.yaml"
    file.write_bytes(os.urandom(10_000_000))
    assert ":1: file: the file is too large; allowed:" in message_of(file)


def test_a_little_junk(tmp_path: Path) -> None:
    file = tmp_path / "junk.yaml"
    file.write_bytes(b"name: x\n\xff\xfe\x00junk")
    assert ":2: file: not YAML: the file is not UTF-8 text; allowed:" in message_of(file)
    file.write_bytes(b"name: x\n\x01\x02")
    assert "file: not YAML" in message_of(file)


def test_the_largest_file_is_still_read_quickly(tmp_path: Path) -> None:
    file = tmp_path / "long.yaml"
    file.write_text("base: default\nname: " + "x" * (MAX_BYTES - 30) + "\n", encoding="utf-8")
    assert len(load_world(file).name) == MAX_BYTES - 30


def test_a_name_that_is_too_long() -> None:
    assert "file name too long" in message_of(Path("x" * 5000 + ".yaml"))
    with pytest.raises(WorldError, match="there is no bundled world"):
        load_world("x" * 5000)


def test_an_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "secret.yaml"
    file.write_text("base: default\n", encoding="utf-8")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert ":1: file: permission denied; allowed:" in message_of(file)


def test_a_name_that_no_file_can_have() -> None:
    assert "this is no file name" in message_of(Path("a\0b.yaml"))
