"""Codes of materials, objects, items, actions and achievements in states.

They are positions in the tuples of ``mars_logic.world.names``, defined as module constants that
the kernels compile in.
"""

from __future__ import annotations

from typing import Final

from mars_logic.world import names
from mars_logic.world.vocabulary import vocabulary

NUM_MATERIALS: Final = len(names.MATERIALS)
NONE: Final = 0
WATER: Final = names.MATERIALS.index("water")
GRASS: Final = names.MATERIALS.index("grass")
STONE: Final = names.MATERIALS.index("stone")
PATH: Final = names.MATERIALS.index("path")
SAND: Final = names.MATERIALS.index("sand")
TREE: Final = names.MATERIALS.index("tree")
LAVA: Final = names.MATERIALS.index("lava")
COAL: Final = names.MATERIALS.index("coal")
IRON: Final = names.MATERIALS.index("iron")
DIAMOND: Final = names.MATERIALS.index("diamond")
TABLE: Final = names.MATERIALS.index("table")
FURNACE: Final = names.MATERIALS.index("furnace")

OBJECTS: Final = names.OBJECTS
"""Kinds of objects by code: the player, then the things (all other objects)."""
LOOKS: Final = names.LOOKS
"""Appearances of objects in observations by code: the kinds, a ripe plant, directed arrows."""
NUM_KINDS: Final = len(OBJECTS)
PLAYER: Final = OBJECTS.index("player")
COW: Final = OBJECTS.index("cow")
ZOMBIE: Final = OBJECTS.index("zombie")
SKELETON: Final = OBJECTS.index("skeleton")
ARROW: Final = OBJECTS.index("arrow")
PLANT: Final = OBJECTS.index("plant")
RIPE_PLANT: Final = LOOKS.index("ripe_plant")
ARROW_LEFT: Final = LOOKS.index("arrow_left")
"""The first of the arrows by direction: left, right, up, down."""
OTHER_LOOKS: Final = len(LOOKS)
"""The first appearance of the kinds of objects that Crafter lacks."""

NUM_ITEMS: Final = len(names.ITEMS)
HEALTH: Final = names.ITEMS.index("health")
FOOD: Final = names.ITEMS.index("food")
DRINK: Final = names.ITEMS.index("drink")
ENERGY: Final = names.ITEMS.index("energy")
WOOD_PICKAXE: Final = names.ITEMS.index("wood_pickaxe")
WOOD_SWORD: Final = names.ITEMS.index("wood_sword")
STONE_SWORD: Final = names.ITEMS.index("stone_sword")
IRON_SWORD: Final = names.ITEMS.index("iron_sword")

NUM_ACTIONS: Final = len(names.ACTIONS)
NOOP: Final = names.ACTIONS.index("noop")
MOVE_LEFT: Final = names.ACTIONS.index("move_left")
MOVE_DOWN: Final = names.ACTIONS.index("move_down")
DO: Final = names.ACTIONS.index("do")
SLEEP: Final = names.ACTIONS.index("sleep")
PLACE: Final = names.ACTIONS.index("place_stone")
"""The first of the place actions, which follow ``names.PLACEABLE``."""
MAKE: Final = names.ACTIONS.index("make_wood_pickaxe")
"""The first of the make actions, which follow ``names.TOOLS``."""

NUM_ACHIEVEMENTS: Final = len(vocabulary("mars").achievements)
