"""What a world's rules say of getting, making and placing things, for planning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Recipe:
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
        collect: From materials.
        kill: From creatures.
        make: At stations.
        place: What becomes part of the map.
    """

    collect: Mapping[str, tuple[Recipe, ...]]
    kill: Mapping[str, tuple[Recipe, ...]]
    make: Mapping[str, Recipe]
    place: Mapping[str, Recipe]

