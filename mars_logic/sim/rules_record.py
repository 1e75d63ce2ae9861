"""Layout of the record of rules that the kernels read.

A field's name consists of the world's rule family and field; indices are codes of
``mars_logic.sim.codes``. Sets of materials are bit masks: bit m stands for material m.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mars_logic.world import names

Rules = Any
"""In annotations: one record of :data:`RULES_DTYPE`."""

_FLAG: Final = np.int8
"""0 or 1: numba has no arrays of booleans inside a record."""
# Room for the names of any dialect, so that all share one type of record.
_MATERIALS: Final = 16
_KINDS: Final = 8
_ITEMS: Final = 24
_ACTIONS: Final = 32
_BY_MATERIAL = (_MATERIALS,)
_BY_KIND = (_KINDS,)
_BY_ITEM = (_ITEMS,)
_BY_REST = (3,)
_YIELDS = 12
_PLACED = 6
_MADE = 12
_WEAPONS = 3
ROOM: Final = {
    "items": _ITEMS,
    "actions": _ACTIONS,
    "gains": _YIELDS,
    "damage": _WEAPONS,
    "place": _PLACED,
    "make": _MADE,
}
"""Names of each kind that a dialect may have at most."""

PLACES: Final = 1
MAKES: Final = 2
CONSUMES: Final = 3
"""Kinds of actions, besides those that all dialects share."""
OTHER_ACTION: Final = 0
"""All other kinds of actions."""

REGION: Final = {region: code for code, region in enumerate(names.REGIONS)}

RULES_DTYPE: Final = np.dtype(
    [
        # The dialect.
        ("length", np.int32),  # steps in an episode
        ("horizon", np.int16),  # objects at a smaller distance are updated
        ("ripe_age", np.int16),  # age beyond which a plant is ripe
        ("balance", np.bool_),  # whether creatures are balanced
        ("surplus_lasts", np.bool_),  # whether health above the maximum lasts a step
        ("fixed_terrain", np.bool_),  # neighbour rules of ores have no meaning
        ("dies_at_once", np.bool_),  # a creature leaves the map when it loses its health
        ("plants_are_eaten", np.bool_),
        ("drinks_first", np.bool_),  # a liquid has its effect whatever collecting requires
        ("boss", np.bool_),  # nothing harms the player
        ("other_agents", np.bool_),  # zombies and skeletons live on the map
        ("iron_limit", np.float64),  # draws of the map above these limits
        ("diamond_limit", np.float64),
        ("zombie_limit", np.float64),
        ("wake_up", np.int8),  # achievements
        ("eat_plant", np.int8),
        ("action_kind", np.int8, (_ACTIONS,)),
        ("action_argument", np.int8, (_ACTIONS,)),  # what it places, makes or consumes
        ("weapon_item", np.int8, (_WEAPONS,)),  # the best first
        ("weapon_damage", np.int8, (_WEAPONS,)),
        # needs: growth of the counters awake, asleep and in bed; limits; points lost
        ("hunger", np.float32, _BY_REST),
        ("thirst", np.float32, _BY_REST),
        ("fatigue", np.float32, _BY_REST),
        ("recovery", np.float32, _BY_REST),
        ("hungry_above", np.float32),
        ("thirsty_above", np.float32),
        ("tired_above", np.float32),
        ("healed_above", np.float32),
        ("food_loss", np.int8),
        ("drink_loss", np.int8),
        ("energy_loss", np.int8),
        ("health_loss", np.int8),
        # traces: materials that take marks; what remains, as marks, -1 for nothing
        ("prints_on", np.uint16),
        ("water_on", np.uint16),
        ("blood_on", np.uint16),
        ("remains", np.uint8),  # the material
        ("bed", np.int8),  # the material, -1 without one
        ("body", np.uint8),  # kind of the object in the place of a player shot dead, NONE without
        ("kill_leaves", np.int16, _BY_KIND),
        ("shot_leaves", np.int16, _BY_KIND),
        ("leaves_mark", np.uint8, _BY_MATERIAL),
        ("breaks_to", np.uint8, _BY_MATERIAL),  # by an arrow, NONE if it withstands
        ("breaks_mark", np.uint8, _BY_MATERIAL),
        ("kill_yields", np.int8, (_KINDS, _ITEMS)),
        ("acts_dead", _FLAG, _BY_KIND),  # completes an update without health
        # eat, by item
        ("eat_food", np.int8, _BY_ITEM),
        ("eat_drink", np.int8, _BY_ITEM),
        ("eat_health", np.int8, _BY_ITEM),
        ("eat_leaves", np.int8, _BY_ITEM),  # an item, -1 for none
        ("eaten", np.int8, _BY_ITEM),  # the achievement, -1 for none
        ("retreats", _FLAG, _BY_KIND),  # retreats from a close player
        ("cooldown_at_first", np.int8, _BY_KIND),
        ("resets_thirst", _FLAG, _BY_MATERIAL),  # when `do` is done on it
        ("resets_hunger", _FLAG, _BY_KIND),  # when it is killed
        # neighbour, already renamed: material around a region, NONE without one
        ("around", np.uint8, (len(names.REGIONS),)),
        ("rename", np.uint8, _BY_MATERIAL),
        ("other_tree", np.uint8),  # a share of the trees is of this material, NONE without one
        ("share_of_other_tree", np.float64),
        # walk
        ("walkable", np.uint16, _BY_KIND),  # materials, for each kind of thing
        ("spawn_ground", np.uint16),  # materials on which the generator may put zombies
        ("walk_health", np.int8, _BY_MATERIAL),
        ("deadly", _FLAG, _BY_MATERIAL),
        # creature; points = factor * the game's constant
        ("eaten_food", np.int8, _BY_KIND),
        ("eaten_drink", np.int8, _BY_KIND),
        ("eaten_health", np.int8, _BY_KIND),
        ("walks", _FLAG, _BY_KIND),
        ("approaches", _FLAG, _BY_KIND),
        ("attacks", _FLAG, _BY_KIND),
        ("attack_awake", np.int8, _BY_KIND),
        ("attack_asleep", np.int8, _BY_KIND),
        ("shoots", _FLAG, _BY_KIND),
        ("arrow_factor", np.int8, _BY_KIND),
        ("health_at_first", np.int8, _BY_KIND),
        ("killed", np.int8, _BY_KIND),  # the achievement for killing it, -1 for none
        # drink
        ("drink_drink", np.int8, _BY_MATERIAL),
        ("drink_food", np.int8, _BY_MATERIAL),
        ("drink_health", np.int8, _BY_MATERIAL),
        # collect
        ("collectable", _FLAG, _BY_MATERIAL),
        ("collect_requires", np.int8, (_MATERIALS, _ITEMS)),
        ("collect_uses", np.int8, (_MATERIALS, _ITEMS)),
        ("draws", _FLAG, _BY_MATERIAL),  # draws a number for its yields
        ("leaves", np.uint8, _BY_MATERIAL),
        ("spawns", np.int8, _BY_MATERIAL),  # kind of creature, NONE for none
        ("spawn_probability", np.float64, _BY_MATERIAL),
        # a yield is given if yield_above < U <= yield_up_to
        ("num_yields", np.int8, _BY_MATERIAL),
        ("yield_item", np.int8, (_MATERIALS, _YIELDS)),
        ("yield_amount", np.int8, (_MATERIALS, _YIELDS)),
        ("yield_above", np.float64, (_MATERIALS, _YIELDS)),
        ("yield_up_to", np.float64, (_MATERIALS, _YIELDS)),
        ("collected", np.int8, _BY_ITEM),  # the achievement for collecting an item, -1 for none
        # place, in the order of the rules
        ("place_uses", np.int8, (_PLACED, _ITEMS)),
        ("place_where", np.uint16, (_PLACED,)),
        ("place_material", np.uint8, (_PLACED,)),  # NONE: a plant
        ("placed", np.int8, (_PLACED,)),
        # make, in the order of the rules
        ("make_uses", np.int8, (_MADE, _ITEMS)),
        ("make_nearby", np.uint16, (_MADE,)),
        ("make_item", np.int8, (_MADE,)),
        ("make_gives", np.int8, (_MADE,)),
        ("made", np.int8, (_MADE,)),
    ],
    align=True,
)
