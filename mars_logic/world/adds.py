"""Names that a world adds to its dialect's: materials, items, and what can be done with them.

A world file states them under ``adds``; rules about them stand in the sections of their families.
An added name follows the dialect's in every list of codes, so that codes of the dialect's names
stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from functools import lru_cache
from typing import Any

from mars_logic.world.added_things import AddedCreature, AddedMaterial, AddedProjectile
from mars_logic.world.constants import Constants, with_constants
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.vocabulary import (
    CELL_FAMILIES,
    CREATURE_FAMILIES,
    PROJECTILE_FAMILIES,
    Vocabulary,
    WorldGoal,
    vocabulary,
)

LOOKS = ("ore", "station", "ground", "plant")
"""Shapes in which pictures show added materials."""
ROOM: Mapping[str, int] = {"materials": 64, "items": 64, "actions": 128, "achievements": 128}
"""Most names of each kind in a world with added names, with the dialect's, ``none`` too."""

MOST_NEEDS = 8
"""Most needs that a world may add."""
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", re.ASCII)
LONGEST = 32
COLOUR = re.compile(r"#[0-9a-fA-F]{6}", re.ASCII)
_FAMILY_VERBS = ("place", "make", "eat", "shoot")
DESCRIBED = ("materials", "creatures", "projectiles")
"""Kinds of names of which more can be said."""


@dataclass(frozen=True)
class Adds:
    """What a world adds to the names of its dialect.

    Attributes:
        materials: Added materials with their appearance, in the order of their codes.
        items: Added items.
        placed: Added materials that can be placed.
        made: Added items that can be made.
        eaten: Added items that can be eaten.
        pushed: Materials of any kind that can be pushed.
        beside: Those that change beside others.
        timed: Those that change by themselves.
        creatures: Added creatures, in the order of their codes.
        behaving: Creatures of any kind whose behaviour is a table of cases.
        hunted: Those of which it is said what hunting them brings.
        needs: Added needs.
        projectiles: Added projectiles, in the order of their codes.
        flying: Projectiles of any kind whose flight is stated.
        shot: Those that the player may shoot.
    """

    materials: tuple[AddedMaterial, ...] = ()
    items: tuple[str, ...] = ()
    placed: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    eaten: tuple[str, ...] = ()
    pushed: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    timed: tuple[str, ...] = ()
    creatures: tuple[AddedCreature, ...] = ()
    behaving: tuple[str, ...] = ()
    hunted: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    projectiles: tuple[AddedProjectile, ...] = ()
    flying: tuple[str, ...] = ()
    shot: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is added."""
        more = (*self.changing.values(), *self.living.values(), *self.launched.values())
        named = (self.materials, self.items, self.creatures, self.needs, self.projectiles)
        return any((*named, *more))

    @property
    def changing(self) -> dict[str, tuple[str, ...]]:
        """The subjects of the rules about cells that are pushed or change, by family."""
        return dict(zip(CELL_FAMILIES, (self.pushed, self.beside, self.timed), strict=True))

    @property
    def living(self) -> dict[str, tuple[str, ...]]:
        """The subjects of the rules about creatures that worlds may state, by family."""
        return dict(zip(CREATURE_FAMILIES, (self.behaving, self.hunted), strict=True))

    @property
    def launched(self) -> dict[str, tuple[str, ...]]:
        """The subjects of the rules about projectiles, by family."""
        return dict(zip(PROJECTILE_FAMILIES, (self.flying, self.shot), strict=True))

    @property
    def projectile_names(self) -> tuple[str, ...]:
        """The names of the added projectiles."""
        return tuple(each.name for each in self.projectiles)

    @property
    def creature_names(self) -> tuple[str, ...]:
        """The names of the added creatures."""
        return tuple(each.name for each in self.creatures)

    @property
    def material_names(self) -> tuple[str, ...]:
        """The names of the added materials."""
        return tuple(each.name for each in self.materials)

    def joined(self, more: Adds) -> Adds:
        """These names, then those of another that are not among them."""
        fields = {each.name: getattr(more, each.name) for each in dataclass_fields(self)}
        for kind in DESCRIBED:
            known = {each.name for each in getattr(self, kind)}
            fields[kind] = tuple(each for each in fields[kind] if each.name not in known)
        return Adds(**{name: _union(getattr(self, name), new) for name, new in fields.items()})

    def as_data(self) -> dict[str, Any]:
        """What a world file states under ``adds``: plain data that :func:`adds_of` reads."""
        data: dict[str, Any] = {}
        if self.materials:
            data["materials"] = {
                each.name: {"looks": each.looks, "colour": each.colour} for each in self.materials
            }
        if self.items:
            data["items"] = list(self.items)
        if self.needs:
            data["needs"] = list(self.needs)
        if self.creatures:
            data["creatures"] = {each.name: each.as_data() for each in self.creatures}
        if self.projectiles:
            data["projectiles"] = {each.name: each.as_data() for each in self.projectiles}
        return data


NOTHING = Adds()
"""No added names."""


def _union(first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def vocabulary_with(
    dynamics: str,
    adds: Adds = NOTHING,
    length: int | None = None,
    goals: tuple[WorldGoal, ...] = (),
    constants: Constants = (),
) -> Vocabulary:
    """The vocabulary of a dialect with what a world states besides rules.

    Equal names give the same object, so that what is made for a vocabulary can be kept by it.

    Args:
        dynamics: The dialect.
        adds: The added names.
        length: Steps of an episode; None for the dialect's own.
        goals: The world's goals; conditions among them follow all other achievements.
        constants: Constants that are not the dialect's.

    Raises:
        KeyError: There is no such dialect.
    """
    return _vocabulary_with(dynamics, adds, length, goals, constants)


@lru_cache(maxsize=256)
def _vocabulary_with(
    dynamics: str,
    adds: Adds,
    length: int | None,
    goals: tuple[WorldGoal, ...],
    constants: Constants,
) -> Vocabulary:
    """The same; without defaults, since the cache tells a default from its value."""
    if constants:
        return with_constants(_vocabulary_with(dynamics, adds, length, goals, ()), constants)
    if goals:
        words = _vocabulary_with(dynamics, adds, length, (), ())
        new = tuple(goal.name for goal in goals if goal.name not in words.achievements)
        return replace(words, achievements=words.achievements + new, goals=goals, wide=True)
    if length is not None:
        return replace(_vocabulary_with(dynamics, adds, None, (), ()), length=length)
    words = vocabulary(dynamics)
    if not adds:
        return words
    materials = adds.material_names
    found = tuple(item for item in adds.items if item not in adds.made)
    done = (adds.placed, adds.made, adds.eaten, adds.shot)
    verbs = dict(zip(_FAMILY_VERBS, done, strict=True))
    actions = tuple(f"{verb}_{name}" for verb, listed in verbs.items() for name in listed)
    more = {"walk": materials, "collect": materials, **verbs}
    more |= {family: listed for family, listed in adds.changing.items() if listed}
    more |= {family: listed for family, listed in adds.living.items() if listed}
    more |= {"need": adds.needs} if adds.needs else {}
    more |= {family: listed for family, listed in adds.launched.items() if listed}
    subjects = {**dict.fromkeys(more, ()), **dict(words.subjects)}
    added = _with_creatures(
        replace(
            words,
            materials=words.materials + materials,
            items=words.items + adds.items + adds.needs,
            gains=words.gains + adds.items,
            actions=words.actions + actions,
            consumed=FrozenMap(
                {**words.consumed, **{f"eat_{item}": item for item in adds.eaten}},
            ),
            achievements=(
                *words.achievements,
                *(f"collect_{item}" for item in found),
                *actions,
            ),
            subjects=FrozenMap(
                {family: (*listed, *more.get(family, ())) for family, listed in subjects.items()}
            ),
            added=adds.materials,
            added_needs=adds.needs,
            wide=True,
        ),
        adds.creatures,
    )
    return _with_projectiles(added, adds.projectiles)


def _with_creatures(words: Vocabulary, creatures: tuple[AddedCreature, ...]) -> Vocabulary:
    """A vocabulary with more creatures, which are killed as a zombie is."""
    if not creatures:
        return words
    listed = tuple(each.name for each in creatures)
    verb = words.killing["zombie"].partition("_")[0]
    killing = {name: f"{verb}_{name}" for name in listed}
    health = {each.name: each.health for each in creatures}
    beings = (*words.subjects["creature"], *listed)
    return replace(
        words,
        objects=words.objects + listed,
        killing=FrozenMap({**words.killing, **killing}),
        achievements=(*words.achievements, *killing.values()),
        health_at_first=FrozenMap({**words.health_at_first, **health}),
        subjects=FrozenMap({**words.subjects, "creature": beings}),
        added_creatures=creatures,
    )


def _with_projectiles(words: Vocabulary, projectiles: tuple[AddedProjectile, ...]) -> Vocabulary:
    """A vocabulary with more projectiles."""
    if not projectiles:
        return words
    objects = (*words.objects, *(each.name for each in projectiles))
    return replace(words, objects=objects, added_projectiles=projectiles)


def default_colour(name: str) -> str:
    """A colour for a material that states none: from its name, of middle brightness."""
    number = sum(place * ord(letter) for place, letter in enumerate(name, start=1))
    channels = (64 + number * 37 % 160, 64 + number * 101 % 160, 64 + number * 59 % 160)
    return "#" + "".join(f"{channel:02x}" for channel in channels)
