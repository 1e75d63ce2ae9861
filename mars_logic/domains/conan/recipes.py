"""What a world's rules say of getting, making and placing things, for planning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mars_logic.world.theory import World
from mars_logic.world.trace_rules import UsingCollect


@dataclass(frozen=True, slots=True)
class ItemRecipe:
    """One way to obtain a thing.

    Attributes:
        source: The material that is collected, the creature that is killed, or the station beside
            which it is made; None for what is placed.
        requires: Names and numbers of what must be held and is kept.
        uses: Names and numbers of what is used up, in the order of the rule.
    """

    source: str | None
    requires: Mapping[str, int]
    uses: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Recipes:
    """All ways to get, make and place things, by the name of the thing.

    Attributes:
        collect: From materials; what fills a bucket goes by the material's name.
        kill: From creatures.
        make: At stations.
        place: What becomes part of the map.
    """

    collect: Mapping[str, tuple[ItemRecipe, ...]]
    kill: Mapping[str, tuple[ItemRecipe, ...]]
    make: Mapping[str, ItemRecipe]
    place: Mapping[str, ItemRecipe]


def recipes_of(world: World) -> Recipes:
    """The recipes that a world's rules state. What only may be yielded is left out.

    Args:
        world: A Conan world; a way to collect that uses a bucket goes by the material's name.
    """
    collect: dict[str, list[ItemRecipe]] = {}
    for material, rule in world.collect.items():
        if not isinstance(rule, UsingCollect) or not rule.collectable:
            continue
        way = ItemRecipe(material, dict(rule.requires), dict(rule.uses))
        certain = [item for item, each in rule.yields.items() if each.probability is None]
        for item in (material,) if rule.uses else certain:
            collect.setdefault(item, []).append(way)
    kill = {
        item: (ItemRecipe(creature, {}, {}),)
        for creature, rule in world.creature.items()
        for item in getattr(rule, "yields", {})
    }
    return Recipes(
        collect={item: tuple(ways) for item, ways in collect.items()},
        kill=kill,
        make={
            item: ItemRecipe(next(iter(rule.nearby), None), {}, dict(rule.uses))
            for item, rule in world.make.items()
        },
        place={
            thing: ItemRecipe(None, {}, dict(rule.uses))
            for thing, rule in world.place.items()
            if thing not in ("stone", "plant")
        },
    )
