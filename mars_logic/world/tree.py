"""The tech tree of a world as text: dependencies between achievements, level by level.

The tree considers items and tools, not the map; reachability on a map needs a proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mars_logic.world.goals import condition_of
from mars_logic.world.rules import Collect, Yield
from mars_logic.world.theory import World
from mars_logic.world.words.goal_words import tell_achievement
from mars_logic.world.words.kinds import spaced, with_article


@dataclass(frozen=True)
class AchievementWay:
    """One way to an achievement: required items, items gained, and its text."""

    achievement: str
    needs: frozenset[str]
    gives: frozenset[str]
    text: str


def tech_tree(world: World) -> str:
    """The achievements by level; each requires only items gained in the levels above it."""
    lines = [f"{world.name}: what opens what"]
    levels = list(_levels(world))
    for number, level in enumerate(levels, start=1):
        lines += ["", f"level {number}" + (", from the start" if number == 1 else "")]
        lines += [f"  {achievement:<20} {' or '.join(texts)}" for achievement, texts in level]
    found = {achievement for level in levels for achievement, _ in level}
    missing = [name for name in world.achievements if name not in found]
    if missing:
        lines += ["", "never, by items and tools alone", *(f"  {name}" for name in missing)]
    return "\n".join(lines) + "\n"


def _levels(world: World) -> Iterator[list[tuple[str, list[str]]]]:
    ways = list(_ways(world))
    had: set[str] = set()
    done: set[str] = set()
    while open_ways := [way for way in ways if way.needs <= had and way.achievement not in done]:
        level: dict[str, list[str]] = {}
        for way in open_ways:
            level.setdefault(way.achievement, []).append(way.text)
        yield [(name, level[name]) for name in world.vocabulary.achievements if name in level]
        done |= set(level)
        # Every open way adds its items, also ways to achievements of earlier levels.
        had |= {thing for way in ways if way.needs <= had for thing in way.gives}


def placed_only(world: World) -> set[str]:
    """Materials that are nowhere before they are placed."""
    left = {rule.leaves for rule in world.collect.values() if rule.leaves != rule.subject}
    return set(world.place) - left - set(world.vocabulary.natural)


def _ways(world: World) -> Iterator[AchievementWay]:
    stations = placed_only(world)
    for rule in world.collect.values():
        if rule.collectable:
            for item, given in rule.yields.items():
                text = f"from {rule.subject}{_chance(given)}{_with(rule)}"
                yield AchievementWay(
                    f"collect_{item}", frozenset(rule.requires), frozenset({item}), text
                )
    for thing, placing in world.place.items():
        text = f"uses {_amounts(placing.uses)}, on {', '.join(placing.where)}"
        yield AchievementWay(
            f"place_{thing}", frozenset(placing.uses), frozenset({f"placed {thing}"}), text
        )
    for tool, making in world.make.items():
        needs = {*making.uses, *(f"placed {n}" for n in making.nearby if n in stations)}
        text = f"uses {_amounts(making.uses)}, near {' and '.join(making.nearby) or 'nothing'}"
        yield AchievementWay(f"make_{tool}", frozenset(needs), frozenset({tool}), text)
    for item, eating in world.eat.items():
        gives = frozenset({eating.leaves} if eating.leaves else ())
        yield AchievementWay(f"eat_{item}", frozenset({item}), gives, f"has 1 {item}")
    for name, shooting in world.shoot.items():
        held = f"has {_amounts(shooting.requires)}, " if shooting.requires else ""
        text = f"{held}uses {_amounts(shooting.uses) or 'nothing'}"
        needs = {*shooting.requires, *shooting.uses}
        yield AchievementWay(f"shoot_{name}", frozenset(needs), frozenset(), text)
    plant = frozenset({"placed plant"})
    yield AchievementWay("eat_plant", plant, frozenset(), "from a ripe plant")
    for achievement in world.vocabulary.achievements:
        deed, _, creature = achievement.partition("_")
        if creature in world.vocabulary.creatures:
            yield from _hunting(world, achievement, f"{deed} {with_article(spaced(creature))}")
    yield AchievementWay("wake_up", frozenset(), frozenset(), "sleep until rested")
    yield from _conditions(world, stations)


def _hunting(world: World, achievement: str, text: str) -> Iterator[AchievementWay]:
    """The ways to kill a creature, and to what that yields."""
    hunt = world.hunt.get(achievement.partition("_")[2])
    needs: frozenset[str] = frozenset(hunt.requires) if hunt else frozenset()
    with_what = f" with {_amounts(hunt.requires)}" if hunt and hunt.requires else ""
    yield AchievementWay(achievement, needs, frozenset(), text + with_what)
    for item in hunt.yields if hunt else ():
        yield AchievementWay(f"collect_{item}", needs, frozenset({item}), text + with_what)


def _conditions(world: World, stations: set[str]) -> Iterator[AchievementWay]:
    """Goals that are conditions."""
    for goal in world.goals:
        if (wanted := condition_of(goal.name)) is not None:
            needs = {wanted.subject} if wanted.kind == "have" else set()
            if wanted.kind == "reach":
                ground = world.walk.get(wanted.subject)
                if ground is None or not ground.walkable or ground.deadly:
                    continue
                needs = {f"placed {wanted.subject}"} & {f"placed {name}" for name in stations}
            text = tell_achievement(goal.name, world.vocabulary)
            yield AchievementWay(goal.name, frozenset(needs), frozenset(), text)


def _chance(given: Yield) -> str:
    return "" if given.probability is None else f" ({given.probability:.0%})"


def _with(rule: Collect) -> str:
    return f" with {_amounts(rule.requires)}" if rule.requires else ""


def _amounts(amounts: Mapping[str, int]) -> str:
    return " and ".join(f"{count} {item}" for item, count in amounts.items()) or "nothing"
