"""The reward functions printed in From Laws to Motivation (appendix D.5): what they test, as data.

They are kept to be compared with the game beside ours. Three of them give no answer in play: they
end with an error as soon as the amounts that they test first are held. (That for the stone sword
unpacks a pair as if it were a list of pairs, which fails unless just two materials are nearby, and
then it depends on the order of a set; that counts as an error too.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.action_models.action_goals import alias
from mars_logic.theory.action_models.predicates import Clause
from mars_logic.theory.action_models.states import COLUMNS, States
from mars_logic.world import names


@dataclass(frozen=True)
class Printed:
    """The test of one function: all of these hold.

    Attributes:
        faces: Materials, any of which is faced, whatever stands on it.
        object: Objects, any of which is faced.
        needs: Least amounts of ``COLUMNS``.
        any_of: Items, at least one of which is held.
        fails: The function ends with an error where the rest holds, and says no elsewhere.
        defect: What is wrong with it, in words; empty if nothing is.
    """

    faces: tuple[str, ...] = ()
    object: tuple[str, ...] = ()
    needs: Mapping[str, int] = field(default_factory=dict)
    any_of: tuple[str, ...] = ()
    fails: bool = False
    defect: str = ""

    def holds(self, states: States) -> NDArray[np.bool_]:
        """bool[n]: where the test is met."""
        amounts = states.amounts()
        met = np.ones(len(states), np.bool_)
        if self.faces:
            met &= np.isin(states.material, [names.MATERIALS.index(each) for each in self.faces])
        if self.object:
            met &= np.isin(states.object, [names.LOOKS.index(each) for each in self.object])
        for column, n in self.needs.items():
            met &= amounts[:, COLUMNS.index(column)] >= n
        if self.any_of:
            met &= (amounts[:, [COLUMNS.index(item) for item in self.any_of]] > 0).any(axis=1)
        return met

    @property
    def clauses(self) -> list[Clause]:
        """The same test as clauses; none where the function ends with an error instead."""
        if self.fails:
            return []
        options = [{**self.needs, item: 1} for item in self.any_of] or [dict(self.needs)]
        facing = frozenset((*self.faces, *self.object))
        return [Clause(facing, needs, occupied=True) for needs in options]


_GROUND = ("grass", "sand", "path")
_OCCUPIED = "what stands on the ground is not looked at"
_ALWAYS_IN = "zero counts are in the inventory too, so that the tool is not tested"
_FORGED = {"wood": 1, "coal": 1, "iron": 1, "near table": 1, "near furnace": 1}

_PRINTED: Final[dict[str, Printed]] = {
    "collect_coal": Printed(("coal",), needs={"wood_pickaxe": 1}),
    "collect_diamond": Printed(("diamond",), needs={"iron_pickaxe": 1}),
    "collect_drink": Printed(("water",)),
    "collect_iron": Printed(("iron",), defect=_ALWAYS_IN),
    "collect_sapling": Printed(("grass",), defect=_OCCUPIED),
    "collect_stone": Printed(("stone",), defect=_ALWAYS_IN),
    "collect_wood": Printed(("tree",)),
    "defeat_skeleton": Printed(
        object=("skeleton",),
        any_of=("wood_sword", "stone_sword", "iron_sword"),
        defect="it asks for a sword, which is not needed",
    ),
    "defeat_zombie": Printed(object=("zombie",)),
    "eat_cow": Printed(object=("cow",)),
    "eat_plant": Printed(object=("plant", "ripe_plant"), defect="ripeness is not looked at"),
    "make_iron_pickaxe": Printed(needs=_FORGED),
    "make_iron_sword": Printed(needs=_FORGED),
    "make_stone_pickaxe": Printed(
        fails=True, defect="it looks for the table in the object that is faced"
    ),
    "make_stone_sword": Printed(
        needs={"wood": 1, "stone": 1}, fails=True, defect="it unpacks what is nearby wrongly"
    ),
    "make_wood_pickaxe": Printed(
        needs={"wood": 1}, fails=True, defect="it names a class Table, which there is not"
    ),
    "make_wood_sword": Printed(needs={"wood": 1, "near table": 1}),
    "place_furnace": Printed(_GROUND, needs={"stone": 4}, defect=_OCCUPIED),
    "place_plant": Printed(("grass",), needs={"sapling": 1}, defect=_OCCUPIED),
    "place_stone": Printed((*_GROUND, "water", "lava"), needs={"stone": 1}, defect=_OCCUPIED),
    "place_table": Printed(_GROUND, needs={"wood": 2}, defect=_OCCUPIED),
    "wake_up": Printed(needs={"lack of energy": 1}),
}


def paper_rewards(dynamics: str) -> dict[str, Printed]:
    """The printed functions by the names that a dialect has for the achievements."""
    return {alias(goal, dynamics): function for goal, function in _PRINTED.items()}
