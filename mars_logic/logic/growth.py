"""Things that are placed and become others in time, as plans and proofs count on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mars_logic.world.adds import Adds
from mars_logic.world.rules import Place
from mars_logic.world.theory import World

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def grown_from(world: World) -> dict[str, str]:
    """By material: what is placed and becomes it in time, where it cannot be placed itself."""
    return {
        str(timer.becomes): name
        for name, timer in world.timer.items()
        if name in world.place and timer.becomes not in world.place and timer.chance > 0
    }


def with_growth(world: World) -> World:
    """A world in which what is grown is placed; the same one where nothing grows."""
    sources = grown_from(world)
    if not sources:
        return world
    more = world.adding(Adds(placed=tuple(sources)))
    rules = []
    for grown, placed in sources.items():
        rule = world.place[placed]
        rules.append(
            Place.model_validate(
                {"subject": grown, "uses": rule.uses, "where": rule.where}, context=more.vocabulary
            )
        )
    return more.with_rules(*rules).to_world()


def as_grown(world: World, area: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Codes of materials, of which those that become others in time are these already."""
    import numpy as np

    materials = world.vocabulary.materials
    found = area
    for grown, placed in grown_from(world).items():
        found = np.where(found == materials.index(placed), materials.index(grown), found)
    return found.astype(np.uint8)


def placed_rule(rule: str, sources: Mapping[str, str]) -> str:
    """The id of the rule to apply for one of a plan: what is grown is placed as what it was."""
    family, _, subject = rule.partition(".")
    return f"place.{sources[subject]}" if family == "place" and subject in sources else rule
