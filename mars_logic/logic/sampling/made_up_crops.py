"""Crops of worlds of made-up names: what is placed, and becomes something to collect."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final

from mars_logic.logic.sampling.made_up_life import CHANCES
from mars_logic.world.cell_rules import TIMES

FAMILIES: Final = {"timers": "timer", "beside": "beside", "push": "push"}
"""By kind of crop, the family of the rule by which it becomes something else."""


@dataclass(frozen=True)
class Crop:
    """What is placed and becomes something else.

    Attributes:
        grown: The material that it becomes.
        fruit: The item that collecting that yields.
        uses: What placing it takes.
        family: The family of the rule by which it becomes that.
        rule: That rule, as a world file states it.
        leaves: What collecting leaves.
    """

    grown: str
    fruit: str
    uses: dict[str, int]
    family: str
    rule: dict[str, Any]
    leaves: str


def growing(random: Random, grown: str) -> dict[str, Any]:
    """A random timer."""
    return {
        "becomes": grown,
        "after": random.randint(5, 40),
        "chance": random.choice((*CHANCES, 1.0)),
        "when": random.choice(TIMES),
    }


def put_beside(random: Random, grown: str, stations: list[str]) -> dict[str, Any]:
    """A random rule of what happens beside one of some stations."""
    chance = random.choice((*CHANCES, 1.0))
    return {"becomes": {random.choice(stations): grown}, "chance": chance}


def pushed(random: Random, grown: str, dry: list[str]) -> dict[str, Any]:
    """A random rule of what becomes of it on the first of some grounds, and perhaps on others."""
    first, *others = dry
    becomes = [first, *(ground for ground in others if random.random() < 1 / 3)]
    onto = [ground for ground in dry if ground in becomes or random.random() < 1 / 2]
    return {"onto": onto, "leaves": first, "becomes": dict.fromkeys(becomes, grown)}


def crop_data(crops: dict[str, Crop], ground: list[str]) -> dict[str, dict[str, Any]]:
    """The rules of a world file about crops, by family.

    Args:
        crops: The crops by the name of what is placed.
        ground: What they are placed on.
    """
    found: dict[str, dict[str, Any]] = {"collect": {}, "place": {}}
    for name, one in crops.items():
        found["collect"][one.grown] = {"yields": {one.fruit: 1}, "leaves": one.leaves}
        found["place"][name] = {"uses": one.uses, "where": ground}
        found.setdefault(one.family, {})[name] = one.rule
    return found
