"""Small maps written as text, for tests of the planner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.observed_map import KINDS, UNSEEN, Entity, ObservedMap, Status
from mars_logic.plan.task_plan import TaskPlan, brought_by, given_by, used_up_by
from mars_logic.plan.world_model import WorldModel
from mars_logic.world import names
from mars_logic.world.dialect import AREA, MAXIMUM
from mars_logic.world.load import load_world
from mars_logic.world.rules import Collect, Make, Place, Walk
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import Eat

LETTERS = {
    "~": "water",
    ".": "grass",
    "#": "stone",
    "_": "path",
    ":": "sand",
    "T": "tree",
    "L": "lava",
    "c": "coal",
    "i": "iron",
    "d": "diamond",
    "t": "table",
    "f": "furnace",
}
THINGS = {"C": "cow", "Z": "zombie", "S": "skeleton", "A": "arrow", "p": "plant", "P": "ripe_plant"}
CORNER = 20


def observed_map(rows: str, ground: str = ".", facing: tuple[int, int] = (0, 1)) -> ObservedMap:
    """A map with a drawing in it, surrounded by cells never seen.

    Args:
        rows: Lines of letters; ``@`` is the player, and letters of THINGS stand on the ground.
        ground: What player and things stand on.
        facing: The direction that the player looks in.
    """
    materials = np.full((AREA, AREA), UNSEEN, np.uint8)
    things: list[Entity] = []
    position = (CORNER, CORNER)
    for y, row in enumerate(rows.split(), CORNER):
        for x, letter in enumerate(row, CORNER):
            below = LETTERS[letter if letter in LETTERS else ground]
            materials[x, y] = names.MATERIALS.index(below)
            if letter == "@":
                position = (x, y)
            elif letter in THINGS:
                things.append(Entity(KINDS.index(THINGS[letter]), x, y))
    return ObservedMap(materials, tuple(things), position, facing)


def status(step: int = 20, unlocked: tuple[str, ...] = (), **amounts: int) -> Status:
    """A status by day; vitals are full unless said otherwise."""
    full = dict.fromkeys(names.VITALS, 9) | amounts
    inventory = tuple(full.get(item, 0) for item in names.ITEMS)
    return Status(inventory, False, 0.9, step, frozenset(unlocked))


def situation(rows: str, world: World | str = "default", **about: Any) -> BeliefState:
    """A situation in a drawing; further arguments go to the map and the status."""
    drawn = {name: about.pop(name) for name in ("ground", "facing") if name in about}
    believed = load_world(world) if isinstance(world, str) else world
    return BeliefState(WorldModel(believed), observed_map(rows, **drawn), status(**about))


def at(column: int, row: int) -> tuple[int, int]:
    """The cell of a drawing."""
    return CORNER + column, CORNER + row


def only(column: int, row: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """A mask of one cell of a drawing."""
    mask = np.zeros((AREA, AREA), np.bool_)
    mask[at(column, row)] = True
    return mask


def heals(material: str) -> World:
    """``default``, but for a material on which every move gives a point of health."""
    return load_world("default").with_rules(Walk(subject=material, walkable=True, health=1))


def works(plan: TaskPlan, world: World, held: Mapping[str, int]) -> bool:
    """Whether a plan's targets in this order bring and leave what each of them takes."""
    amounts = Counter(dict(held))
    for target in plan.targets:
        rule = target.rule_in(world)
        if isinstance(rule, Collect):
            if any(amounts[item] < n for item, n in rule.requires.items()):
                return False
            brought = brought_by(rule, target.gain)
        elif isinstance(rule, Place | Make | Eat):
            amounts.subtract({i: n * target.times for i, n in used_up_by(rule).items()})
            if min(amounts.values(), default=0) < 0:
                return False
            brought = given_by(rule)
        else:
            continue
        for item, n in brought.items():
            amounts[item] = min(MAXIMUM, amounts[item] + n * target.times)
    return True
