"""The released playground's rules, copied by hand, independent of the world file."""

import numpy as np

from mars_logic.domains.conan.codes import CODE, CODES
from mars_logic.domains.conan.recipes import ItemRecipe, Recipes


def _from(source: str, requires: str = "", uses: str = "") -> tuple[ItemRecipe, ...]:
    return (ItemRecipe(source, {requires: 1} if requires else {}, {uses: 1} if uses else {}),)


RECIPES = Recipes(
    collect={
        "wood": (*_from("tree"), *_from("apple_tree")),
        "apple": _from("apple_tree"),
        "stone": _from("stone", "wood_pickaxe"),
        "coal": _from("coal", "wood_pickaxe"),
        "iron": _from("iron", "stone_pickaxe"),
        "diamond": _from("diamond", "iron_pickaxe"),
        "water": _from("water", "", "bucket"),
        "lava": _from("lava", "", "bucket"),
    },
    kill={"beef": _from("cow")},
    make={
        "wood_pickaxe": ItemRecipe("table", {}, {"wood": 1}),
        "wood_sword": ItemRecipe("table", {}, {"wood": 1}),
        "stone_pickaxe": ItemRecipe("table", {}, {"wood": 1, "stone": 1}),
        "stone_sword": ItemRecipe("table", {}, {"wood": 1, "stone": 1}),
        "bed": ItemRecipe("table", {}, {"wood": 2, "stone": 1}),
        "iron_pickaxe": ItemRecipe("furnace", {}, {"wood": 1, "coal": 1, "iron": 1}),
        "iron_sword": ItemRecipe("furnace", {}, {"wood": 1, "coal": 1, "iron": 1}),
        "steak": ItemRecipe("furnace", {}, {"beef": 1}),
        "bucket": ItemRecipe("furnace", {}, {"iron": 2}),
    },
    place={
        "table": ItemRecipe(None, {}, {"wood": 2}),
        "furnace": ItemRecipe(None, {}, {"stone": 4}),
        "bed": ItemRecipe(None, {}, {"bed": 1}),
    },
)

_LAND = ("grass", "sand", "path")
_DIRECTED = tuple(
    f"{land}_{way}" for land in ("grass", "sand") for way in ("left", "right", "up", "down")
)
_UNPLACEABLE = (
    *("tree_cut", "stone_left", "coal_left", "iron_left", "diamond_left", "cow_dead"),
    *("zombie_dead", "skeleton_dead", "grass_water", "grass_unknown", "sand_water"),
    *("sand_unknown", "furnace_destroyed", "table_destroyed", "bed_destroyed", "bed"),
    *("path_blood", "grass_blood", "sand_blood"),
)
WALKABLE = np.zeros(len(CODES), np.bool_)
for _name in (*_LAND, *_DIRECTED, *_UNPLACEABLE):
    WALKABLE[CODE[_name]] = True
PLACEABLE = np.zeros((len(CODES), len(CODES)), np.bool_)
for _thing in ("table", "furnace", "bed"):
    for _name in (*_LAND, *_DIRECTED):
        PLACEABLE[CODE[_thing], CODE[_name]] = True
