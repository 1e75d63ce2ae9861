"""Codes of the finished map of a Conan world, as recordings and scenes write them.

A code joins a material with the mark on it, so that one byte a cell shows all that can be seen.
"""

from __future__ import annotations

from typing import Final

import numpy as np

CODES: Final = (
    *("none", "water", "grass", "stone", "path", "sand", "tree", "lava", "apple_tree"),
    *("coal", "iron", "diamond", "table", "furnace", "bed"),
    *("sand_left", "sand_right", "sand_up", "sand_down"),
    *("grass_left", "grass_right", "grass_up", "grass_down"),
    *("tree_cut", "stone_left", "coal_left", "iron_left", "diamond_left"),
    *("cow_dead", "zombie_dead", "skeleton_dead"),
    *("grass_water", "grass_unknown", "sand_water", "sand_unknown"),
    *("furnace_destroyed", "table_destroyed", "bed_destroyed"),
    *("path_blood", "grass_blood", "sand_blood", "fence"),
)
"""Names of the codes of a cell; ``stone_left`` is what is left of stone, ``sand_left`` a print."""
CODE: Final = {name: code for code, name in enumerate(CODES)}

OBJECTS: Final = (*("none", "player", "cow", "zombie", "skeleton", "arrow", "plant", "player_bak"),)
"""Names of the objects; ``player_bak`` is the body that an arrow leaves of a player."""
OBJECT: Final = {name: code for code, name in enumerate(OBJECTS)}

_LANDS: Final = {
    land: [land, *(f"{land}_{mark}" for mark in marks)]
    for land, marks in {
        "grass": ("left", "right", "up", "down", "unknown", "water", "blood"),
        "sand": ("left", "right", "up", "down", "unknown", "water", "blood"),
        "path": ("blood",),
    }.items()
}
LAND: Final = np.zeros(len(CODES), np.uint8)
"""uint8[42]: the bare code of the land of each code (grass, sand or path), or 0."""
for _land, _names in _LANDS.items():
    for _name in _names:
        LAND[CODE[_name]] = CODE[_land]

REMAINS: Final = {
    "tree_cut": "tree",
    "stone_left": "stone",
    "coal_left": "coal",
    "iron_left": "iron",
    "diamond_left": "diamond",
    "cow_dead": "cow",
    "zombie_dead": "zombie",
    "skeleton_dead": "skeleton",
}
"""What is left of a material or of a creature, to what it was."""

FACINGS: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""Directions (dx, dy) in the order of the moves: left, right, up, down."""

PRINTS: Final = np.zeros(len(CODES), np.uint8)
"""uint8[42]: 1 + the index in ``FACINGS`` of a directed print, 5 for an unknown one, or 0."""
for _land in ("grass", "sand"):
    for _index, _mark in enumerate(("left", "right", "up", "down", "unknown")):
        PRINTS[CODE[f"{_land}_{_mark}"]] = 1 + _index

TRACES: Final = np.zeros(len(CODES), np.bool_)
"""bool[42]: codes that an agent or a fight leaves and the generator never makes."""
TRACES[CODE["table"] : CODE["bed"] + 1] = True
TRACES[CODE["sand_left"] :] = True

ITEMS: Final = (
    *("health", "food", "drink", "energy", "sapling", "wood", "stone", "coal", "iron"),
    *("diamond", "wood_pickaxe", "stone_pickaxe", "iron_pickaxe", "wood_sword"),
    *("stone_sword", "iron_sword", "beef", "steak", "bed", "bucket", "water_bucket"),
    *("lava_bucket", "apple"),
)
"""Names of items in the order of the inventory."""
ITEM: Final = {name: index for index, name in enumerate(ITEMS)}

ACTIONS: Final = (
    *("noop", "move_left", "move_right", "move_up", "move_down", "do", "sleep"),
    *("place_stone", "place_table", "place_furnace", "place_plant", "place_bed"),
    *("make_wood_pickaxe", "make_stone_pickaxe", "make_iron_pickaxe", "make_wood_sword"),
    *("make_stone_sword", "make_iron_sword", "make_steak", "make_bucket", "make_bed"),
    *("eat_apple", "eat_beef", "eat_steak", "drink"),
)
"""Names of actions by code."""
ACTION: Final = {name: code for code, name in enumerate(ACTIONS)}
