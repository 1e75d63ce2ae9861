"""The vocabulary of the games: materials, items, actions, creatures.

The order of each tuple is part of the interface: it gives the codes used by simulator states,
trajectories and golden traces (reference: Crafter 1.8.3 ``data.yaml`` and Mars).
"""

from __future__ import annotations

from typing import Literal, get_args

Dynamics = str
"""The name of a dialect: a file of ``worlds/dialects/``."""

SEED_LIMIT = 2**61 - 1
"""Seeds lie strictly between -SEED_LIMIT and SEED_LIMIT: there, an integer is its own hash."""

Natural = Literal[
    "water", "grass", "stone", "path", "sand", "tree", "lava", "coal", "iron", "diamond"
]
"""Materials that map generation and mining can produce."""

Material = Literal[Natural, "table", "furnace"]
"""All materials: the natural ones and the two that only the player places."""

Collectable = Literal["water", "grass", "stone", "sand", "tree", "lava", "coal", "iron", "diamond"]
"""Materials that may have a collect rule (a path, a table and a furnace never do)."""

Liquid = Literal["water", "lava"]

Region = Literal["player", "water", "tree", "coal", "iron", "diamond", "lava"]
"""Subjects of neighbour rules; ``player`` is the start area."""

Creature = Literal["cow", "zombie", "skeleton"]
Being = Literal[Creature, "plant"]
"""Subjects of creature rules; a ripe plant may walk, attack and shoot too."""

Resource = Literal["sapling", "wood", "stone", "coal", "iron", "diamond"]
Tool = Literal[
    "wood_pickaxe", "stone_pickaxe", "iron_pickaxe", "wood_sword", "stone_sword", "iron_sword"
]
Holdable = Literal[Resource, Tool]
"""Items of the inventory that a task can require or use."""

Vital = Literal["health", "food", "drink", "energy"]
Gain = Literal["drink", Resource]
"""Items and vitals that a collect rule may yield."""

Placeable = Literal["stone", "table", "furnace", "plant"]

DYNAMICS: tuple[str, ...] = ("crafter", "mars")
"""The dialects with Crafter's vocabulary: PyPI Crafter 1.8.3 and Mars."""
NATURAL: tuple[str, ...] = get_args(Natural)
MATERIALS: tuple[str, ...] = ("none", *NATURAL, "table", "furnace")
"""All materials by map code; ``none`` (0) is the area outside the map."""
COLLECTABLE: tuple[str, ...] = get_args(Collectable)
LIQUIDS: tuple[str, ...] = get_args(Liquid)
REGIONS: tuple[str, ...] = get_args(Region)
CREATURES: tuple[str, ...] = get_args(Creature)
BEINGS: tuple[str, ...] = (*CREATURES, "plant")
RESOURCES: tuple[str, ...] = get_args(Resource)
TOOLS: tuple[str, ...] = get_args(Tool)
HOLDABLE: tuple[str, ...] = (*RESOURCES, *TOOLS)
VITALS: tuple[str, ...] = get_args(Vital)
ITEMS: tuple[str, ...] = (*VITALS, *HOLDABLE)
"""The inventory, in order: four vitals, then the items. Their maximum is ``dialect.MAXIMUM``."""
GAINS: tuple[str, ...] = ("drink", *RESOURCES)
PLACEABLE: tuple[str, ...] = get_args(Placeable)

ACTIONS: tuple[str, ...] = (
    "noop",
    "move_left",
    "move_right",
    "move_up",
    "move_down",
    "do",
    "sleep",
    *(f"place_{thing}" for thing in PLACEABLE),
    *(f"make_{tool}" for tool in TOOLS),
)
"""The 17 actions by code."""

OBJECTS: tuple[str, ...] = ("none", "player", *CREATURES, "arrow", "plant")
"""Kinds of objects by code, as in states."""
LOOKS: tuple[str, ...] = (
    *OBJECTS,
    "ripe_plant",
    *("arrow_left", "arrow_right", "arrow_up", "arrow_down"),
)
"""Appearances of objects by code, as in observations.

They distinguish ripe plants and the directions of arrows. (The code of ``arrow`` itself occurs
only in recordings that predate these directions.)
"""


def kind_of_look(look: str) -> str:
    """The object kind of an appearance: an arrow without direction; a ripe plant stays distinct."""
    return "arrow" if look.startswith("arrow") else look
