"""The forms of all sentences, as data: what is said of each family of rules.

What the building blocks do is said in ``parts``, how values are written in ``kinds``, which words
are read as the same in ``scan``. Articles and punctuation only please the eye: reading ignores
them. Of several ways to say something the first that applies is written, and all are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mars_logic.world.rules import (
    Collect,
    Creature,
    Drink,
    Make,
    Neighbour,
    Place,
    Rename,
    Rule,
    Walk,
)
from mars_logic.world.words.forms.survival import CREATURES, DRINK
from mars_logic.world.words.forms.task import COLLECT, MAKE, PLACE
from mars_logic.world.words.forms.terrain import NEIGHBOUR, RENAME, WALK
from mars_logic.world.words.parts import Part


@dataclass(frozen=True)
class Form:
    """How the rules of a family are told.

    Attributes:
        kind: The family.
        part: What its sentences are made of.
        example: One of its rules.
    """

    kind: type[Rule]
    part: Part
    example: Mapping[str, Any]


FORMS: tuple[Form, ...] = (
    Form(Neighbour, NEIGHBOUR, {"material": "sand"}),
    Form(Rename, RENAME, {"material": "sand"}),
    Form(Walk, WALK, {"walkable": True, "health": -1}),
    Form(
        Creature,
        CREATURES,
        {
            "eatable": True,
            "eaten_food_factor": 1,
            "walks": True,
            "attacks": True,
            "attack_health_factor": -1,
        },
    ),
    Form(Drink, DRINK, {"drink": 1}),
    Form(
        Collect,
        COLLECT,
        {"requires": {"wood_pickaxe": 1}, "yields": {"stone": 1}, "leaves": "path"},
    ),
    Form(
        Place,
        PLACE,
        {"uses": {"wood": 2}, "where": ["grass", "path", "sand"]},
    ),
    Form(
        Make,
        MAKE,
        {"uses": {"wood": 1, "stone": 1}, "nearby": ["table"]},
    ),
)
"""The form of each family, in the order of families."""
