"""The sentence forms of each family of rules, as data.

``parts`` defines the building blocks, ``kinds`` the notation of values, ``scan`` the synonyms. The
reader ignores articles and punctuation. Of several alternatives the writer uses the first that
applies, and the reader accepts all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from mars_logic.world.cell_rules import Beside, Push, Timer
from mars_logic.world.creature_rules import Behaviour, Hunt
from mars_logic.world.need_rules import AddedNeed
from mars_logic.world.projectile_rules import Projectile, Shoot
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
from mars_logic.world.trace_rules import Eat
from mars_logic.world.words.forms.cells import pushes, turns_beside, turns_in_time
from mars_logic.world.words.forms.creatures import acts, hunts
from mars_logic.world.words.forms.needs import grows
from mars_logic.world.words.forms.projectiles import flies, shoots
from mars_logic.world.words.forms.survival import DRINK, creatures, eats
from mars_logic.world.words.forms.task import collects, makes, places
from mars_logic.world.words.forms.terrain import neighbours, renames, walks
from mars_logic.world.words.nouns import Nouns
from mars_logic.world.words.parts import Part


@dataclass(frozen=True)
class SentenceForm:
    """The sentence form of a family of rules.

    Attributes:
        kind: The family.
        part: The grammar of its sentences.
        example: One of its rules.
    """

    kind: type[Rule]
    part: Part
    example: Mapping[str, Any]


_OWN = (Eat, Push, Beside, Timer, Behaviour, Hunt, Projectile, Shoot, AddedNeed)
"""Families of which only some worlds have rules."""


@cache
def forms_of(nouns: Nouns) -> tuple[SentenceForm, ...]:
    """The form of each family that has rules, in the order of families."""
    every = forms_of_all(nouns)
    return tuple(
        form for form in every if form.kind not in _OWN or nouns.of_family(form.kind.family)
    )


def forms_of_all(nouns: Nouns) -> tuple[SentenceForm, ...]:
    """The form of each family, in the order of families."""
    return (
        SentenceForm(Neighbour, neighbours(nouns), {"material": "sand"}),
        SentenceForm(Rename, renames(nouns), {"material": "sand"}),
        SentenceForm(Walk, walks(nouns), {"walkable": True, "health": -1}),
        SentenceForm(
            Creature,
            creatures(nouns),
            {
                "eatable": True,
                "eaten_food_factor": 1,
                "walks": True,
                "attacks": True,
                "attack_health_factor": -1,
            },
        ),
        SentenceForm(Drink, DRINK, {"drink": 1}),
        SentenceForm(
            Collect,
            collects(nouns),
            {"requires": {"wood_pickaxe": 1}, "yields": {"stone": 1}, "leaves": "path"},
        ),
        SentenceForm(
            Place,
            places(nouns),
            {"uses": {"wood": 2}, "where": ["grass", "path", "sand"]},
        ),
        SentenceForm(
            Make,
            makes(nouns),
            {"uses": {"wood": 1, "stone": 1}, "nearby": ["table"]},
        ),
        SentenceForm(Eat, eats(nouns), {"food": 6}),
        SentenceForm(Push, pushes(nouns), {"onto": ["grass", "sand"], "leaves": "path"}),
        SentenceForm(Beside, turns_beside(nouns), {"becomes": {"lava": "path"}, "chance": 0.5}),
        SentenceForm(Timer, turns_in_time(nouns), {"becomes": "sand", "after": 5}),
        SentenceForm(Behaviour, acts(nouns), {"cases": [{"act": "flee"}, {"act": "wander"}]}),
        SentenceForm(Hunt, hunts(nouns), {"yields": {"wood": 1}}),
        SentenceForm(Projectile, flies(nouns), {"speed": 2, "harm": -1}),
        SentenceForm(Shoot, shoots(nouns), {"uses": {"wood": 1}}),
        SentenceForm(AddedNeed, grows(nouns), {"every": 20}),
    )
