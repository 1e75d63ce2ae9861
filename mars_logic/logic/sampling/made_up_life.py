"""Creatures, needs and projectiles of worlds of made-up names: what they are, do and take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from mars_logic.world.cell_rules import TIMES

_DEEDS: Final = ("approach", "flee", "wander", "stay")
CHANCES: Final = (0.2, 0.4, 0.6, 0.8)
"""Chances of cases; none is certain, so that creatures can be met."""


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


@dataclass(frozen=True)
class PlayerShot:
    """A projectile that the player shoots.

    Attributes:
        requires: What has to be held for that.
        uses: What it uses up.
        flight: How it flies, as a world file states it.
    """

    requires: dict[str, int]
    uses: dict[str, int]
    flight: dict[str, Any]


def prey(random: Random, nest: str, loot: str, requires: dict[str, int]) -> Prey:
    """A random creature."""
    cases = tuple(_case(random) for _ in range(random.randint(1, 3)))
    return Prey(nest, loot, requires, random.randint(1, 6), random.choice((0, 0, -1)), cases)


def _case(random: Random) -> dict[str, Any]:
    case: dict[str, Any] = {"act": random.choice(_DEEDS), "chance": random.choice(CHANCES)}
    if random.random() < 1 / 2:
        case["within"] = random.randint(2, 8)
    if random.random() < 1 / 3:
        case["when"] = random.choice(TIMES)
    return case


def shot(
    random: Random, requires: dict[str, int], uses: dict[str, int], wet: list[str]
) -> PlayerShot:
    """A random projectile.

    Args:
        random: What it is drawn by.
        requires: What has to be held for shooting it.
        uses: What that uses up.
        wet: Grounds on which nobody walks, over some of which it may fly.
    """
    flight: dict[str, Any] = {
        "speed": random.randint(1, 2),
        "range": random.randint(3, 12),
        "harm": random.choice((0, -1, -2)),
        "damage": random.randint(1, 4),
        "over": [ground for ground in wet if random.random() < 1 / 2],
        "breaks": {},
    }
    return PlayerShot(requires, uses, flight)


def armed(random: Random, creature: Prey, projectile: str) -> Prey:
    """A creature that shoots a projectile, where that may be so near."""
    case = {
        "act": "shoot",
        "projectile": projectile,
        "within": random.randint(2, 6),
        "chance": random.choice(CHANCES),
    }
    return replace(creature, cases=(case, *creature.cases))


def shot_data(shots: dict[str, PlayerShot], colours: Callable[[int, int], str]) -> dict[str, Any]:
    """The sections of a world file about projectiles; ``adds`` apart.

    Args:
        shots: The projectiles by name.
        colours: One of so many colours.
    """
    if not shots:
        return {}
    looks = {name: {"colour": colours(place, len(shots))} for place, name in enumerate(shots)}
    return {
        "adds": {"projectiles": looks},
        "projectile": {name: one.flight for name, one in shots.items()},
        "shoot": {
            name: {"requires": one.requires, "uses": one.uses} for name, one in shots.items()
        },
    }


def need(random: Random, near: str, kept_by: str | None) -> dict[str, Any]:
    """A random need as a world file states it.

    Args:
        random: What it is drawn by.
        near: A station near which points are gained.
        kept_by: An item that keeps it, if there is one.
    """
    stated: dict[str, Any] = {"every": random.randint(15, 60), "when": random.choice(TIMES)}
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
