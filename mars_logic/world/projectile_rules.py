"""Rules about projectiles: how they fly and what they hit, and how the player shoots them.

A world states them for projectiles that it adds and for Crafter's arrow. A field that is left out
is as Crafter's arrow has it. docs/creatures_and_needs.md, "Projectiles, exactly", tells how they
are carried out.
"""

from __future__ import annotations

from typing import Annotated, Final

from mars_logic.world.cell_rules import Turns
from mars_logic.world.creature_rules import MOST_DAMAGE
from mars_logic.world.dialect import ARROW_POINTS
from mars_logic.world.fields import Amounts, Materials, Points, number
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import Rule
from mars_logic.world.vocabulary import vocabulary

MOST_SPEED: Final = 2
"""The greatest speed: a projectile that may hit the player in a step is then in the view before."""
FARTHEST_FLIGHT: Final = 64
"""The greatest range that may be stated: as far as the map is wide."""
_OVER: Final = ("water", "lava")
_BREAKS: Final = FrozenMap(dict(vocabulary("mars").arrow_leaves))


class Projectile(Rule):
    """The flight of a projectile, and what it does where it hits."""

    family = "projectile"
    subjects = ()

    speed: Annotated[int, *number(1, MOST_SPEED, whole=True)] = 1
    """Cells that it flies in a step."""
    range: Annotated[int, *number(1, FARTHEST_FLIGHT, whole=True)] | None = None
    """Cells after which it is gone; without it, it flies until something stops it."""
    harm: Points | None = None
    """The change of the player's health by a hit; without it, as the creature's rule says that shot
    it."""
    damage: Annotated[int, *number(0, MOST_DAMAGE, whole=True)] = ARROW_POINTS
    """The health that a hit takes from a creature or a plant."""
    over: Materials = _OVER
    """Materials over which it flies, besides those on which all creatures walk."""
    breaks: Turns = _BREAKS
    """What it turns materials into that stop it; others withstand it."""


class Shoot(Rule):
    """What the player needs for shooting a projectile."""

    family = "shoot"
    subjects = ()

    requires: Amounts = FrozenMap({})
    """What has to be held; it is kept."""
    uses: Amounts = FrozenMap({})
    """What is used up."""


PROJECTILE_RULES: Final[tuple[type[Rule], ...]] = (Projectile, Shoot)
"""The families, in the order in which rules are listed."""
