"""Files in the format released with Mars, with their oddities and with mistakes."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from mars_logic import load_world
from mars_logic.world.load import bundled_worlds
from mars_logic.world.problems import WorldError, WorldWarning
from mars_logic.world.rules import Yield
from mars_logic.world.theory import World
from tests.paths import DATA, SHARED

TIDY = DATA / "released" / "tidy.yaml"
TEXT = TIDY.read_text(encoding="utf-8")

NAMES = {
    "default": "default",
    "terrain": "world_terr",
    "survival": "world_npc",
    "task_dep": "world_ach",
    "terr_surv": "world_terr_npc",
    "terr_task": "world_terr_ach",
    "surv_task": "world_npc_ach",
    "all_three": "world_terr_npc_ach",
}


def load(text: str, folder: Path) -> tuple[World, list[str]]:
    """The world that a text states, and what was odd in it (after file and line)."""
    file = folder / "world.yaml"
    file.write_text(text, encoding="utf-8")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", WorldWarning)
        world = load_world(file)
    assert all(issubclass(warning.category, WorldWarning) for warning in caught)
    return world, [str(warning.message).removeprefix(f"{file}:") for warning in caught]


def test_a_tidy_file_loads_without_a_word() -> None:
    world = load_world(TIDY)
    assert world.dynamics == "mars" and world.base == load_world("default")
    assert world.walk["water"].walkable and world.walk["water"].health == 1
    assert world.walk["lava"].deadly and not world.walk["stone"].walkable
    assert world.neighbour["player"].material == "sand"
    assert world.rename["stone"].material == "iron"
    cow, zombie = world.creature["cow"], world.creature["zombie"]
    assert (cow.eatable, cow.attacks, cow.approaches, cow.walks) == (False, True, True, True)
    assert (cow.attack_health_factor, world.creature["skeleton"].arrow_health_factor) == (-1, -1)
    eaten = zombie.eaten_food_factor, zombie.eaten_drink_factor, zombie.eaten_health_factor
    assert eaten == (1, -1, 1)
    assert (world.drink["water"].drink, world.drink["water"].food) == (-1, 1)
    assert world.drink["lava"].health == -1
    chances = list(world.collect["stone"].yields.items())
    assert chances == [
        ("wood", Yield(amount=1, probability=0.25)),
        ("stone", Yield(amount=2, probability=0.5)),
    ]
    assert world.collect["coal"].leaves == "lava"
    assert world.collect["coal"].spawns == {"zombie": 0.1}
    assert world.collect["iron"].spawns == {}
    assert world.make["stone_sword"].gives == 2


def test_a_file_called_world_takes_its_folders_name(tmp_path: Path) -> None:
    (tmp_path / "strange").mkdir()
    world, _ = load(TEXT, tmp_path / "strange")
    assert world.name == "strange"


ODDITIES = {
    "the text None": (
        "leaves: {material: sand, object: null}",
        "leaves: {material: sand, object: None}",
        "64: collect.sand.leaves.object: the text 'None' is read as null",
        True,
    ),
    "a blank behind a name": (
        "leaves: {material: sand, object: null}",
        "leaves: {material: 'sand ', object: null}",
        "64: collect.sand.leaves.material: 'sand ' is read as 'sand', without blanks",
        True,
    ),
    "a blank behind a key": (
        "\n  sand: {require",
        "\n  'sand ': {require",
        "64: collect.sand: the key 'sand ' is read as 'sand'",
        True,
    ),
    "no items section": (
        "items:\n  health: {max: 9, initial: 9}\n  wood: {max: 9, initial: 0}\n",
        "",
        "2: items: this section is missing, the game's own is taken",
        True,
    ),
    "no renaming": (
        TEXT[TEXT.index("name2name:") : TEXT.index("npc_objects:")],
        "",
        "2: name2name: this section is missing, no material is renamed",
        False,
    ),
    "no effect for a material": (
        "  tree: {walkable: false, walk_health: 0, dieable: false}\n",
        "",
        "3: walkable_effect.tree: this key is missing, no effect is assumed",
        True,
    ),
    "no key of an effect": (
        "  tree: {walkable: false, walk_health: 0, dieable: false}\n",
        "  tree: {walkable: false, walk_health: 0}\n",
        "9: walkable_effect.tree: the key 'dieable' is missing, no effect is assumed",
        True,
    ),
    "an effect that disagrees": (
        "  tree: {walkable: false",
        "  tree: {walkable: true",
        "9: walkable_effect.tree.walkable: disagrees with the list 'walkable', which is the one "
        "the game reads",
        True,
    ),
    "nothing around coal": (
        "{coal: sand, iron",
        "{iron",
        "39: terrain_neighbour.coal: this key is missing, nothing is put around it",
        False,
    ),
    "a material without a name": (
        "  sand: sand\n",
        "",
        "40: name2name.sand: this key is missing, it keeps its name",
        True,
    ),
    "defeatable not stated": (
        "eatable: false, defeatable: true, attackable: true",
        "eatable: false, attackable: true",
        "52: npc_objects.cow: the key 'defeatable' is missing, the opposite of 'eatable'",
        True,
    ),
    "eatable not stated": (
        "eatable: false, defeatable: true, attackable: true",
        "defeatable: true, attackable: true",
        "52: npc_objects.cow: the key 'eatable' is missing, the opposite of 'defeatable'",
        True,
    ),
    "a flag not stated": (
        "attackable: false, arrowable: true",
        "arrowable: true",
        "56: npc_objects.skeleton: the key 'attackable' is missing, no effect is assumed",
        True,
    ),
    "a drink not stated": (
        "  lava: {inc_drink_func: 1, inc_damage_func: -1, inc_food_func: 0}\n",
        "",
        "60: drink.lava: this key is missing, no effect is assumed",
        False,
    ),
    "the paper's name for health": (
        "inc_damage_func: -1, inc_food_func: 0}",
        "inc_health_func: -1, inc_food_func: 0}",
        "61: drink.lava.inc_damage_func: the key 'inc_health_func' is read as 'inc_damage_func'",
        True,
    ),
    "the paper's name for effects": (
        "walkable_effect:",
        "terrain_effect:",
        "3: walkable_effect: the key 'terrain_effect' is read as 'walkable_effect'",
        True,
    ),
    "no collect rule": (
        "  lava: {require: {}, receive: {}, leaves: {material: lava, object: null}}\n",
        "",
        "64: collect.lava: this key is missing, nothing can be collected there",
        False,
    ),
    "nothing required": (
        "sand: {require: {}, receive",
        "sand: {receive",
        "73: collect.sand.require: nothing is stated, read as {}",
        True,
    ),
    "nothing about creatures": (
        "leaves: {material: sand, object: null}",
        "leaves: {material: sand}",
        "73: collect.sand.leaves: the key 'object' is missing, nothing appears",
        True,
    ),
    "two creatures": (
        "object: {zombie: 0.1}",
        "object: {zombie: 0.1, cow: 0.2}",
        "67: collect.coal.leaves.object: only the first creature, zombie, ever appears",
        True,
    ),
}


@pytest.mark.parametrize("oddity", ODDITIES)
def test_oddities_are_read_as_the_game_reads_them_and_named(oddity: str, tmp_path: Path) -> None:
    old, new, expected, same = ODDITIES[oddity]
    assert old in TEXT
    world, odd = load(TEXT.replace(old, new), tmp_path)
    assert [line.partition(": ")[2] for line in odd] == [expected.partition(": ")[2]]
    assert (world == load_world(TIDY)) == same


def test_oddities_name_their_line(tmp_path: Path) -> None:
    text = TEXT.replace("leaves: {material: sand, object: null}", "leaves: {material: sand}")
    line = next(i for i, row in enumerate(text.splitlines(), 1) if row.startswith("  sand: {req"))
    _, odd = load(text, tmp_path)
    assert odd == [f"{line}: collect.sand.leaves: the key 'object' is missing, nothing appears"]


MISTAKES = {
    "an effect that states no truth": (
        "  sand: {walkable: true",
        "  sand: {walkable: 'yes'",
        "walkable_effect.sand.walkable: 'yes' is neither true nor false; allowed: true, false",
    ),
    "an effect that states a number for a truth": (
        "  sand: {walkable: true",
        "  sand: {walkable: 1",
        "walkable_effect.sand.walkable: 1 is neither true nor false; allowed: true, false",
    ),
    "unknown section": (
        "drink:\n",
        "drnk:\n",
        "drnk: unknown section 'drnk', did you mean 'drink'?; allowed: walkable",
    ),
    "missing section": ("\nmake:\n", "\n# make:\n", "make: this section is missing; allowed:"),
    "unknown material": (
        "[grass, sand, path, water, lava]\nw",
        "[gras]\nw",
        "2: walkable[0]: unknown material 'gras', did you mean 'grass'?; allowed: water, grass",
    ),
    "number for a material": (
        "[grass, sand, path, water, lava]\nw",
        "[1]\nw",
        "2: walkable[0]: unknown material 1; allowed: water, grass",
    ),
    "list that is none": (
        "[grass, sand, path, water, lava]\nw",
        "grass\nw",
        "2: walkable: 'grass' is not a list; allowed: a list of names",
    ),
    "section that is none": ("\ndrink:\n", "\ndrink: 1\nnpc_objects_:\n", "a mapping"),
    "entry that is none": (
        "  tree: {walkable: false, walk_health: 0, dieable: false}",
        "  tree: false",
        "walkable_effect.tree: false is not a mapping; allowed: a mapping",
    ),
    "unknown key of an effect": (
        "  tree: {walkable: false, walk_health",
        "  tree: {walkable: false, walk_helth",
        "walkable_effect.tree.walk_helth: unknown field 'walk_helth', did you mean 'walk_health'",
    ),
    "unknown material of an effect": (
        "  tree: {walkable: false",
        "  treee: {walkable: false",
        "walkable_effect.treee: unknown material 'treee', did you mean 'tree'?; allowed: water",
    ),
    "unknown neighbour": (
        "{coal: sand, iron",
        "{coal: snad, iron",
        "terrain_neighbour.coal: unknown material 'snad', did you mean 'sand'?; allowed: water",
    ),
    "missing neighbour": (
        ", player: sand, water",
        ", water",
        "terrain_neighbour.player: this rule is missing",
    ),
    "unknown creature": (
        "  cow: {eat",
        "  cwo: {eat",
        "npc_objects.cwo: unknown creature 'cwo', did you mean 'cow'?; allowed: cow, zombie",
    ),
    "both eatable and defeatable": (
        "cow: {eatable: false, defeatable: true",
        "cow: {eatable: true, defeatable: true",
        "npc_objects.cow: cow is both eatable and defeatable; allowed: exactly one of eatable and",
    ),
    "neither eatable nor defeatable": (
        "cow: {eatable: false, defeatable: true",
        "cow: {eatable: false, defeatable: false",
        "npc_objects.cow: cow is neither eatable nor defeatable; allowed: exactly one",
    ),
    "neither stated": (
        "cow: {eatable: false, defeatable: true, ",
        "cow: {",
        "npc_objects.cow: it is not stated whether it is eatable or defeatable; allowed: exactly",
    ),
    "flag that is none": (
        "attackable: true, arrowable: false",
        "attackable: 1, arrowable: false",
        "npc_objects.cow.attackable: 1 is neither true nor false; allowed: true, false",
    ),
    "factor out of range": (
        "closable_health_damage_func: -1",
        "closable_health_damage_func: -99",
        "npc_objects.cow.closable_health_damage_func: -99 is out of range; allowed: a whole number",
    ),
    "unknown key of a creature": (
        "can_walk: true,\n        closable_health_damage_func: -1",
        "can_fly: true, can_walk: true,\n        closable_health_damage_func: -1",
        "npc_objects.cow.can_fly: unknown field 'can_fly'",
    ),
    "unknown drink": ("  lava: {inc_drink", "  lvaa: {inc_drink", "drink.lvaa: unknown liquid"),
    "unknown item received": (
        "receive: {coal: 1}",
        "receive: {cole: 1}",
        "collect.coal.receive.cole: unknown item 'cole', did you mean 'coal'?; allowed: drink",
    ),
    "unknown tool required": (
        "require: {wood_pickaxe: 1}",
        "require: {wood_axe: 1}",
        "collect.coal.require.wood_axe: unknown item 'wood_axe', did you mean",
    ),
    "probability out of range": (
        "{zombie: 0.1}",
        "{zombie: 1.1}",
        "collect.coal.leaves.object.zombie: 1.1 is out of range; allowed: a number from 0 to 1",
    ),
    "a blank missing after a colon": (
        "{zombie: 0.1}",
        "{zombie:0.1}",
        "zombie:0.1: unknown creature 'zombie:0.1', is a blank missing after its colon?; allowed",
    ),
    "a creature that is no mapping": (
        "{zombie: 0.1}",
        "zombie",
        "collect.coal.leaves.object: 'zombie' is not a mapping; allowed: {zombie: 0.1}",
    ),
    "probabilities above 1": (
        "probability: 0.25",
        "probability: 0.75",
        "collect.stone.receive: the probabilities sum to 1.25, above 1; allowed: a sum of at most",
    ),
    "no material left": (
        "leaves: {material: lava, object: null}",
        "leaves: {object: null}",
        "collect.lava.leaves: a mapping names no material to leave; allowed: for example",
    ),
    "unknown field of a collect rule": (
        "sand: {require: {}, receive: {}",
        "sand: {require: {}, recieve: {}, receive: {}",
        "collect.sand.recieve: unknown field 'recieve', did you mean 'receive'?; allowed: require",
    ),
    "table that is an object": (
        "where: [grass, sand, path], type: material}\n  furnace",
        "where: [grass, sand, path], type: object}\n  furnace",
        "place.table.type: 'object' is not what a table is; allowed: material",
    ),
    "nothing used": (
        "table: {uses: {wood: 2}, where",
        "table: {where",
        "place.table.uses: this field is missing; allowed: the fields uses, where",
    ),
    "unknown field of a tool": (
        "nearby: [table], gives: 2",
        "near: [table], gives: 2",
        "make.stone_sword.near: unknown field 'near', did you mean 'nearby'?; allowed: uses",
    ),
    "too many made": (
        "gives: 2",
        "gives: 20",
        "make.stone_sword.gives: 20 is out of range; allowed: a whole number from 1 to 9",
    ),
    "another start": (
        "wood: {max: 9, initial: 0}",
        "wood: {max: 9, initial: 3}",
        "items.wood: the game fixes what an inventory holds; allowed: {max: 9, initial: 0}",
    ),
    "unknown item": (
        "wood: {max: 9, initial: 0}",
        "wodo: {max: 9, initial: 0}",
        "items.wodo: unknown item 'wodo', did you mean 'wood'?; allowed: health",
    ),
    "unknown achievement": (
        "- wake_up",
        "- wakeup",
        "achievements[21]: unknown achievement 'wakeup', did you mean 'wake_up'?; allowed: coll",
    ),
    "an achievement too few": (
        "  - wake_up\n",
        "",
        "achievements: wake_up is not in the list; allowed: collect_coal, collect_diamond,",
    ),
    "what burns": (
        "{wood: true, coal",
        "{wood: hot, coal",
        "ignitability.wood: 'hot' is neither true nor false; allowed: true, false",
    ),
    "what cannot burn": (
        "{wood: true, coal",
        "{wooden: true, coal",
        "ignitability.wooden: unknown material 'wooden', did you mean 'wood'?; allowed: wood",
    ),
    "an open field, as in a theory": (
        "walk_health: 1",
        "walk_health: unknown",
        "walkable_effect.water.walk_health: a value is missing here; allowed: a value",
    ),
    "a falsehood for a creature": (
        "object: {zombie: 0.1}",
        "object: false",
        "collect.coal.leaves.object: false is not a mapping; allowed: {zombie: 0.1}",
    ),
    "a key twice but for blanks": (
        "  sand: {require",
        "  'sand ': {}\n  sand: {require",
        "collect.sand: this key is stated twice; allowed: each key once",
    ),
}


@pytest.mark.filterwarnings("ignore::mars_logic.world.problems.WorldWarning")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_name_the_field_as_the_file_has_it(mistake: str, tmp_path: Path) -> None:
    old, new, expected = MISTAKES[mistake]
    assert old in TEXT
    file = tmp_path / "world.yaml"
    file.write_text(TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(WorldError) as caught:
        load_world(file)
    assert expected in str(caught.value)


@pytest.mark.skipif(not SHARED.exists(), reason="the released worlds are not at hand")
@pytest.mark.filterwarnings("ignore::mars_logic.world.problems.WorldWarning")
@pytest.mark.parametrize("name", NAMES)
def test_bundled_worlds_are_the_released_ones(name: str) -> None:
    released = load_world(SHARED / "reference" / "worlds" / f"{NAMES[name]}.yaml")
    assert released == load_world(name) and released.digest == load_world(name).digest
    paper = SHARED / "reference" / "worlds" / f"{NAMES[name]}.paper.yaml"
    assert paper.exists() == (f"{name}_paper" in bundled_worlds())
    if paper.exists():
        assert load_world(paper) == load_world(f"{name}_paper")


_WRONG: tuple[Any, ...] = (None, "x", 1.5, [], {"a": 1}, -1_000_000, [[]])


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where plain values stand in a document."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from _places(value[key], (*path, key))
    else:
        yield path


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::mars_logic.world.problems.WorldWarning")
def test_a_value_of_a_wrong_type_is_refused_wherever_it_stands(tmp_path: Path) -> None:
    """But for what may be left out: null is read as nothing there."""
    document, file = yaml.safe_load(TEXT), tmp_path / "world.yaml"
    may_be_null = {"terrain_neighbour", "collect"}
    for number, path in enumerate(_places(document)):
        *above, last = path
        changed = deepcopy(document)
        within = changed
        for key in above:
            within = within[key]
        wrong = _WRONG[number % len(_WRONG)]
        if wrong == within[last] or (wrong is None and path[0] in may_be_null):
            continue
        within[last] = wrong
        file.write_text(yaml.safe_dump(changed, sort_keys=False), encoding="utf-8")
        with pytest.raises(WorldError):
            load_world(file)
