"""Creatures, needs and crops of worlds of made-up names: what they are, do and take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

KINDS: Final = ("creatures", "needs", "timers")
"""What a world of made-up names may have besides its technology."""
_DEEDS: Final = ("approach", "flee", "wander", "stay")
_TIMES: Final = ("always", "day", "night")
_CHANCES: Final = (0.2, 0.4, 0.6, 0.8)
"""Chances of cases; none is certain, so that creatures can be met."""


@dataclass(frozen=True)
class Crop:
    """What is placed and grows.

    Attributes:
        grown: The material that it becomes.
        fruit: The item that collecting that yields.
        uses: What placing it takes.
        timer: How it grows, as a world file states it, without what it becomes.
    """

    grown: str
    fruit: str
    uses: dict[str, int]
    timer: dict[str, Any]


@dataclass(frozen=True)
class Prey:
    """A creature that appears where a resource is collected.

    Attributes:
        nest: The resource.
        loot: The item that killing it yields.
        requires: What has to be held for that.
        health: Its health.
        harm: The factor of its attacks; 0 for one that does not attack.
        cases: What it does, as a world file states it.
    """

    nest: str
    loot: str
    requires: dict[str, int]
    health: int
    harm: int
    cases: tuple[dict[str, Any], ...]


def with_nests(kinds: list[str]) -> Iterator[str]:
    """The same kinds of names, where a creature waits until there is a resource for it alone."""
    nests = waiting = 0
    for kind in kinds:
        if kind == "creature":
            waiting += 1
        else:
            nests += kind == "resource"
            yield kind
        while waiting and nests:
            waiting, nests = waiting - 1, nests - 1
            yield "creature"


def prey(random: Random, nest: str, loot: str, requires: dict[str, int]) -> Prey:
    """A random creature."""
    cases = tuple(_case(random) for _ in range(random.randint(1, 3)))
    return Prey(nest, loot, requires, random.randint(1, 6), random.choice((0, 0, -1)), cases)


def _case(random: Random) -> dict[str, Any]:
    case: dict[str, Any] = {"act": random.choice(_DEEDS), "chance": random.choice(_CHANCES)}
    if random.random() < 1 / 2:
        case["within"] = random.randint(2, 8)
    if random.random() < 1 / 3:
        case["when"] = random.choice(_TIMES)
    return case


def crop(random: Random, grown: str, fruit: str, uses: dict[str, int]) -> Crop:
    """A random crop."""
    timer = {
        "after": random.randint(5, 40),
        "chance": random.choice((*_CHANCES, 1.0)),
        "when": random.choice(_TIMES),
    }
    return Crop(grown, fruit, uses, timer)


def crop_data(crops: dict[str, Crop], ground: list[str], left: str) -> dict[str, dict[str, Any]]:
    """The rules of a world file about crops, by family.

    Args:
        crops: The crops by the name of what is placed.
        ground: What they are placed on.
        left: What collecting leaves.
    """
    return {
        "collect": {
            one.grown: {"yields": {one.fruit: 1}, "leaves": left} for one in crops.values()
        },
        "place": {name: {"uses": one.uses, "where": ground} for name, one in crops.items()},
        "timer": {name: {"becomes": one.grown, **one.timer} for name, one in crops.items()},
    }


def need(random: Random, near: str, kept_by: str | None) -> dict[str, Any]:
    """A random need as a world file states it.

    Args:
        random: What it is drawn by.
        near: A station near which points are gained.
        kept_by: An item that keeps it, if there is one.
    """
    stated: dict[str, Any] = {"every": random.randint(15, 60), "when": random.choice(_TIMES)}
    stated["gains_near"] = {near: random.randint(1, 3)}
    if kept_by is not None:
        stated["kept_by"] = [kept_by]
    return stated


def life_data(
    living: dict[str, Prey], needs: dict[str, dict[str, Any]], ground: list[str]
) -> dict[str, Any]:
    """The sections of a world file about creatures and needs; ``adds`` apart.

    Args:
        living: The creatures by name.
        needs: The needs by name.
        ground: What the creatures walk on.
    """
    creatures = {name: {"health": one.health, "ground": ground} for name, one in living.items()}
    sections: dict[str, Any] = {
        "adds": {"creatures": creatures, "needs": list(needs)},
        "creature": {
            name: {"attacks": one.harm < 0, "attack_health_factor": one.harm}
            for name, one in living.items()
        },
        "behaviour": {name: {"cases": list(one.cases)} for name, one in living.items()},
        "hunt": {
            name: {"requires": one.requires, "yields": {one.loot: 1}}
            for name, one in living.items()
        },
        "need": needs,
    }
    sections["adds"] = {kind: stated for kind, stated in sections["adds"].items() if stated}
    return {section: stated for section, stated in sections.items() if stated}
