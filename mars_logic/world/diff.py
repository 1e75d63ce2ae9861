"""The rules in which two worlds differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mars_logic.world.constants import Key, all_constants
from mars_logic.world.maps import WorldMap
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory


@dataclass(frozen=True)
class Difference:
    """A rule that two worlds state differently, or that the dialect of one of them lacks.

    Attributes:
        before: The rule of the first world, None if there is none.
        after: That of the second.
    """

    before: Rule | None
    after: Rule | None

    @property
    def id(self) -> str:
        """The id that both rules share."""
        rule = self.before or self.after
        assert rule
        return rule.id

    @property
    def fields(self) -> dict[str, tuple[Any, Any]]:
        """The differing fields, each with its value before and after, as plain data."""
        before, after = _fields(self.before), _fields(self.after)
        return {
            name: (before.get(name), after.get(name))
            for name in (before | after)
            if name != "subject" and before.get(name) != after.get(name)
        }


def diff(before: Theory, after: Theory) -> tuple[Difference, ...]:
    """Every rule in which two theories differ, in the order of rules; dynamics are not compared."""
    old, new = ({rule.id: rule for rule in world.rules()} for world in (before, after))
    return tuple(
        Difference(old.get(rule), new.get(rule))
        for rule in (old | new)
        if not _same(old.get(rule), new.get(rule))
    )


def beside_rules(before: Theory, after: Theory) -> dict[str, tuple[str, str]]:
    """What two theories state differently besides rules and dynamics: the two versions as text.

    The keys are ``creatures`` that are added, ``length``, the steps of an episode, ``map``, where
    maps come from, ``goals``, and ``constants`` that differ.
    """
    found: dict[str, tuple[str, str]] = {}
    if before.adds.creatures != after.adds.creatures:
        found["creatures"] = _creatures_told(before), _creatures_told(after)
    if before.vocabulary.length != after.vocabulary.length:
        found["length"] = str(before.vocabulary.length), str(after.vocabulary.length)
    if before.map != after.map:
        found["map"] = _map_told(before.map), _map_told(after.map)
    if before.constants != after.constants:
        numbers = [dict(all_constants(world.vocabulary)) for world in (before, after)]
        both = (numbers[0], numbers[1]), (numbers[1], numbers[0])
        old, new = (_constants_told(own, other) for own, other in both)
        found["constants"] = old, new
    if before.goals != after.goals:
        found["goals"] = _goals_told(before), _goals_told(after)
    return found


def _creatures_told(world: Theory) -> str:
    from mars_logic.world.words.creature_words import tell_creatures

    return tell_creatures(world.vocabulary) or "No creatures are added."


def _map_told(world_map: WorldMap) -> str:
    from mars_logic.world.words.map_words import tell_map

    return tell_map(world_map) or "Maps are generated."


def _constants_told(own: Mapping[Key, float], other: Mapping[Key, float]) -> str:
    """The constants that others have with another value."""
    told = (f"{' '.join(key)} {own[key]:g}" for key in own if own[key] != other.get(key))
    return ", ".join(told)


def _goals_told(world: Theory) -> str:
    from mars_logic.world.words.goal_words import tell_goals

    return tell_goals(world.vocabulary) if world.goals else "All achievements count."


def _same(old: Rule | None, new: Rule | None) -> bool:
    """Whether two rules say the same, one of which may have more fields than the other."""
    if old is None or new is None or type(old) is type(new):
        return old == new
    return _ordered(old) == _ordered(new)


def _ordered(rule: Rule) -> dict[str, Any]:
    """The fields that differ from their default; mappings as lists, since their order counts."""
    fields = type(rule).model_fields
    return {
        name: list(value.items()) if isinstance(value, Mapping) else value
        for name, value in dict(rule).items()
        if value != fields[name].default
    }


def _fields(rule: Rule | None) -> dict[str, Any]:
    return rule.model_dump(mode="json") if rule else {}
