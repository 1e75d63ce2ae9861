"""Layout of the record of rules that the kernels read.

A field's name consists of the world's rule family and field; indices are codes of
``mars_logic.sim.codes``. Sets of materials are bit masks: bit m stands for material m.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from mars_logic.world import names
from mars_logic.world.adds import MOST_NEEDS
from mars_logic.world.creature_rules import MOST_CASES
from mars_logic.world.goals import MOST_GOALS
from mars_logic.world.vocabulary import Vocabulary

Rules = Any
"""In annotations: one record of :data:`RULES_DTYPE`."""

_FLAG: Final = np.int8
"""0 or 1: numba has no arrays of booleans inside a record."""


class _Room(NamedTuple):
    """Names of each kind for which a record has room."""

    materials: int
    items: int
    actions: int
    yields: int
    placed: int
    made: int
    kinds: int
    mask: type[np.integer[Any]]
    """The type of a set of materials."""


_NARROW: Final = _Room(16, 24, 32, 12, 6, 12, 8, np.uint16)
"""Room for the names of any dialect, so that all share one type of record."""
_WIDE: Final = _Room(64, 64, 128, 16, 80, 64, 16, np.int64)
"""Room for the names of worlds that add some; the highest bit of a mask is one like the others."""
_BY_REST = (3,)
_WEAPONS: Final = 3
WIDE_KINDS: Final = _WIDE.kinds
"""Kinds of things in records of worlds that add names: a cell has four bits for them."""
WIDE_ITEMS: Final = _WIDE.items
WIDE_ACHIEVEMENTS: Final = 128
"""Items and achievements of a player in records of worlds that add names or goals."""
HAVE: Final = 1
REACH: Final = 2
AT: Final = 3
SURVIVE: Final = 4
NONE_LEFT: Final = 5
"""Kinds of goals that are conditions; 0 is an achievement of the rules."""

PLACES: Final = 1
MAKES: Final = 2
CONSUMES: Final = 3
"""Kinds of actions, besides those that all dialects share."""
OTHER_ACTION: Final = 0
"""All other kinds of actions."""

AS_SHOOTER: Final = 127
"""Stands for the harm of a projectile that depends on the creature that shot it."""

REGION: Final = {region: code for code, region in enumerate(names.REGIONS)}


@cache
def rules_dtype(wide: bool) -> np.dtype[np.void]:
    """The record of rules: of any dialect, or with room for added names."""
    room = _WIDE if wide else _NARROW
    materials, items = room.materials, room.items
    by_material, by_item = (materials,), (items,)
    changing = (materials if wide else 1,)
    by_kind = (room.kinds,)
    living = (room.kinds if wide else 1,)
    by_case = (*living, MOST_CASES)
    return np.dtype(
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
            ("action_kind", np.int8, (room.actions,)),
            ("action_argument", np.int8, (room.actions,)),  # what it places, makes or consumes
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
            ("prints_on", room.mask),
            ("water_on", room.mask),
            ("blood_on", room.mask),
            ("remains", np.uint8),  # the material
            ("bed", np.int8),  # the material, -1 without one
            (
                "body",
                np.uint8,
            ),  # kind of the object in the place of a player shot dead, NONE without
            ("kill_leaves", np.int16, by_kind),
            ("shot_leaves", np.int16, by_kind),
            ("leaves_mark", np.uint8, by_material),
            ("breaks_to", np.uint8, by_material),  # by an arrow, NONE if it withstands
            ("breaks_mark", np.uint8, by_material),
            ("kill_yields", np.int8, (room.kinds, items)),
            ("acts_dead", _FLAG, by_kind),  # completes an update without health
            # eat, by item
            ("eat_food", np.int8, by_item),
            ("eat_drink", np.int8, by_item),
            ("eat_health", np.int8, by_item),
            ("eat_leaves", np.int8, by_item),  # an item, -1 for none
            ("eaten", np.int8, by_item),  # the achievement, -1 for none
            ("retreats", _FLAG, by_kind),  # retreats from a close player
            ("cooldown_at_first", np.int8, by_kind),
            ("resets_thirst", _FLAG, by_material),  # when `do` is done on it
            ("resets_hunger", _FLAG, by_kind),  # when it is killed
            # neighbour, already renamed: material around a region, NONE without one
            ("around", np.uint8, (len(names.REGIONS),)),
            ("rename", np.uint8, by_material),
            ("other_tree", np.uint8),  # a share of the trees is of this material, NONE without one
            ("share_of_other_tree", np.float64),
            # walk
            ("walkable", room.mask, by_kind),  # materials, for each kind of thing
            ("spawn_ground", room.mask),  # materials on which the generator may put zombies
            ("walk_health", np.int8, by_material),
            ("deadly", _FLAG, by_material),
            # creature; points = factor * the game's constant
            ("eaten_food", np.int8, by_kind),
            ("eaten_drink", np.int8, by_kind),
            ("eaten_health", np.int8, by_kind),
            ("walks", _FLAG, by_kind),
            ("approaches", _FLAG, by_kind),
            ("attacks", _FLAG, by_kind),
            ("attack_awake", np.int8, by_kind),
            ("attack_asleep", np.int8, by_kind),
            ("shoots", _FLAG, by_kind),
            ("arrow_factor", np.int8, by_kind),
            ("health_at_first", np.int8, by_kind),
            ("killed", np.int8, by_kind),  # the achievement for killing it, -1 for none
            # drink
            ("drink_drink", np.int8, by_material),
            ("drink_food", np.int8, by_material),
            ("drink_health", np.int8, by_material),
            # collect
            ("collectable", _FLAG, by_material),
            ("collect_requires", np.int8, (materials, items)),
            ("collect_uses", np.int8, (materials, items)),
            ("draws", _FLAG, by_material),  # draws a number for its yields
            ("leaves", np.uint8, by_material),
            ("spawns", np.int8, by_material),  # kind of creature, NONE for none
            ("spawn_probability", np.float64, by_material),
            # a yield is given if yield_above < U <= yield_up_to
            ("num_yields", np.int8, by_material),
            ("yield_item", np.int8, (materials, room.yields)),
            ("yield_amount", np.int8, (materials, room.yields)),
            ("yield_above", np.float64, (materials, room.yields)),
            ("yield_up_to", np.float64, (materials, room.yields)),
            ("collected", np.int8, by_item),  # the achievement for collecting an item, -1 for none
            # place, in the order of the rules, then shoot
            ("place_uses", np.int8, (room.placed, items)),
            ("place_where", room.mask, (room.placed,)),
            ("place_material", np.uint8, (room.placed,)),  # NONE: a thing of this kind
            ("place_kind", np.int8, (room.placed,)),
            ("place_requires", np.int8, (room.placed, items)),
            ("placed", np.int8, (room.placed,)),
            # make, in the order of the rules
            ("make_uses", np.int8, (room.made, items)),
            ("make_nearby", room.mask, (room.made,)),
            ("make_item", np.int8, (room.made,)),
            ("make_gives", np.int8, (room.made,)),
            ("made", np.int8, (room.made,)),
            # the world's goals, none where all achievements count
            ("num_goals", np.int8),
            ("goal", np.uint8, (MOST_GOALS,)),  # the achievement
            ("goal_reward", np.float64, (MOST_GOALS,)),
            ("goal_kind", np.int8, (MOST_GOALS,)),
            ("goal_subject", np.int8, (MOST_GOALS,)),  # an item, a material, or a column ...
            ("goal_number", np.int32, (MOST_GOALS,)),  # ... and its amount, the steps, or the row
            # push, beside and timer, in wide records; where it becomes NONE there is no rule
            ("pushes", np.bool_),
            ("push_onto", room.mask, changing),  # nothing: it is not pushed
            ("push_leaves", np.uint8, changing),
            ("push_becomes", np.uint8, (*changing, *changing)),  # by the ground
            ("changes", np.bool_),
            ("changing", _FLAG, changing),
            ("beside_becomes", np.uint8, (*changing, *changing)),  # by what is beside
            ("beside_chance", np.float64, changing),
            ("timer_becomes", np.uint8, changing),
            ("timer_after", np.uint8, changing),
            ("timer_chance", np.float64, changing),
            ("timer_when", np.int8, changing),
            ("timer_near", room.mask, changing),  # nothing: anywhere
            # added needs, in wide records; their points are items
            ("num_needs", np.int8),
            ("need_item", np.int8, (MOST_NEEDS,)),
            ("need_every", np.int16, (MOST_NEEDS,)),
            ("need_loss", np.int8, (MOST_NEEDS,)),
            ("need_when", np.int8, (MOST_NEEDS,)),
            ("need_rises", np.int8, (MOST_NEEDS,)),  # by the same codes; 0: never
            ("need_empty", np.int8, (MOST_NEEDS,)),
            ("need_kept_by", _FLAG, (MOST_NEEDS, items if wide else 1)),
            ("need_near", np.int8, (MOST_NEEDS, *changing)),
            ("need_on", np.int8, (MOST_NEEDS, *changing)),
            ("need_eating", np.int8, (MOST_NEEDS, items if wide else 1)),
            # behaviour, hunt and the coming of creatures, in wide records
            ("num_cases", np.int8, living),  # 0: it acts by its flags
            ("case_act", np.int8, by_case),  # in the order of ``creature_rules.DEEDS``
            ("case_when", np.int8, by_case),
            ("case_within", np.int8, by_case),
            ("case_beyond", np.int8, by_case),
            ("case_health", np.int8, by_case),
            ("case_held", np.int8, by_case),  # an item, -1 for whatever is held
            ("case_shot", np.int8, by_case),  # the kind of projectile
            ("case_chance", np.float64, by_case),
            ("case_straight", np.float64, by_case),
            ("grazed", room.mask, living),  # materials
            ("grazed_becomes", np.uint8, (*living, *changing)),
            ("hunted", np.bool_),  # whether there is any rule of hunting
            ("hunt_damage", np.int8, (*living, items if wide else 1)),
            ("hunt_requires", np.int8, (*living, items if wide else 1)),
            ("touch", np.int8, living),
            # projectiles, in wide records
            ("own_flight", np.bool_),  # whether any rule is about them
            ("speed", np.int8, living),  # 0: it is no projectile
            ("range", np.int8, living),  # 0: without limit
            ("shot_harm", np.int8, living),  # AS_SHOOTER: the thing's own factor
            ("shot_damage", np.int8, living),
            ("shot_breaks", np.uint8, (*living, *changing)),  # NONE: it withstands
            ("first_coming", np.int8),  # kinds from here on may come; none if it is 0
            ("coming", _FLAG, living),
            ("coming_ground", np.uint8, living),
            ("coming_enough", np.int16, living),
            ("coming_day", np.float64, living),
            ("coming_night", np.float64, living),
            ("coming_fewest", np.int8, living),  # -1: as many as a chunk holds
            ("coming_chance", np.float64, living),
            ("coming_distance", np.int8, living),
            ("going_chance", np.float64, living),
            ("going_distance", np.int8, living),
        ],
        align=True,
    )


RULES_DTYPE: Final = rules_dtype(False)
"""The record of rules of worlds with the names of their dialect."""


def room_for(wide: bool) -> dict[str, int]:
    """The most names of each kind that a record of rules holds, by field of a vocabulary."""
    room = _WIDE if wide else _NARROW
    return {
        "materials": room.materials,
        "items": room.items,
        "actions": room.actions,
        "objects": room.kinds,
        "damage": _WEAPONS,
        "place": room.placed,
        "make": room.made,
    } | ({} if wide else {"gains": room.yields})


def most_yields(wide: bool) -> int:
    """The most yields that one rule of collecting may have."""
    return (_WIDE if wide else _NARROW).yields


def mask_of(codes: Iterable[int]) -> int:
    """A set of materials; the highest bit of a wide one is its sign."""
    bits = sum(1 << code for code in set(codes))
    return bits - (1 << _WIDE.materials) if bits >> (_WIDE.materials - 1) else bits


def codes_of(words: Vocabulary, materials: Iterable[str]) -> set[int]:
    """The codes of some materials."""
    return {words.materials.index(name) for name in materials}
