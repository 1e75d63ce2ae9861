"""Game constants that Crafter and Mars share, and that no world changes.

Single source for the kernels and their tables, the planner, the evidence reader, learned laws and
words. ``encodings/constants.lp`` states the constants that proofs need; a test compares it. Times
are in steps, distances in steps on an open map, damage in points of health.

Source: Crafter 1.8.3 (``objects.py``, ``env.py``, ``engine.py``) and Mars; docs/semantics.md
describes how they are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from mars_logic.world.vocabulary import vocabulary

_CRAFTER: Final = vocabulary("crafter")

# --- The map and the player's inventory ---------------------------------------------------------

AREA: Final = 64
"""Width and height of the map; cells are indexed ``[x, y]``, y grows downwards."""
CENTRE: Final = 32
"""The player's start position is (CENTRE, CENTRE)."""
VIEW_WIDTH: Final = 9
VIEW_HEIGHT: Final = 7
CHUNK: Final = 12
"""Width and height of a chunk: a part of the map in which creatures are balanced."""
MAXIMUM: Final = 9
"""Maximum amount of each item and each vital."""

# --- Needs ----------------------------------------------------------------------------------------


class Limit(NamedTuple):
    """Value beyond which the counter resets to 0 and its vital changes."""

    value: int
    change: int


class Need(NamedTuple):
    """A hidden counter and the vital that it changes.

    Attributes:
        vital: The vital.
        awake: Growth of the counter in a step while the player is awake.
        asleep: Growth of the counter in a step while the player sleeps.
        above: Its upper limit.
        below: Its lower limit; None without one.
    """

    vital: str
    awake: float
    asleep: float
    above: Limit
    below: Limit | None = None

    @property
    def lasts(self) -> int:
        """Steps awake from one change by the upper limit to the next."""
        return int(self.above.value / self.awake) + 1


HUNGER: Final = Need("food", awake=1.0, asleep=0.5, above=Limit(25, -1))
THIRST: Final = Need("drink", awake=1.0, asleep=0.5, above=Limit(20, -1))
RESTED: Final = Limit(-10, +1)
FATIGUE: Final = Need("energy", awake=1.0, asleep=-1.0, above=Limit(30, -1), below=RESTED)
"""While the player sleeps, the counter is at most 0."""
WASTED: Final = Limit(-15, -1)
RECOVERY: Final = Need("health", awake=1.0, asleep=2.0, above=Limit(25, +1), below=WASTED)
"""Growth while the player has food, drink and energy (or sleeps)."""
DECLINE_AWAKE: Final = -1.0
DECLINE_ASLEEP: Final = -0.5
"""Change of the recovery counter, awake and asleep, while one of them is missing."""

# --- Fights and food ------------------------------------------------------------------------------

UNARMED_DAMAGE: Final = 1
"""Damage of the player's attack without a sword."""
SWORD_DAMAGE: Final[Mapping[str, int]] = _CRAFTER.damage
"""Damage with each sword; the first one in the inventory counts."""
HEALTH_AT_FIRST: Final[Mapping[str, int]] = _CRAFTER.health_at_first
EATEN_POINTS: Final[Mapping[str, Mapping[str, int]]] = _CRAFTER.eaten_points
"""Points that a factor of 1 stands for when a creature, or a ripe plant, is eaten."""
ATTACK_POINTS: Final[Mapping[str, Mapping[str, int]]] = _CRAFTER.attack_points
"""Points of health that an attack factor of 1 stands for."""
ARROW_POINTS: Final = 2
"""Points of health that an arrow factor of 1 stands for; also an arrow's damage to objects."""
ATTACK_PAUSE: Final = 5
"""Steps beside the player between two attacks of the same creature."""
SHOT_PAUSE: Final = 4
"""Steps between two shots of the same creature."""

# --- How creatures move ---------------------------------------------------------------------------

ACTIVE_DISTANCE: Final = 17
"""Objects at a greater distance from the player are not updated."""
ATTACK_DISTANCE: Final = 1
"""Greatest distance at which creatures attack."""
RETREAT_DISTANCE: Final = 3
"""Greatest distance at which shooters retreat."""
SHOT_DISTANCE: Final = 5
"""Greatest distance at which shooters shoot."""
APPROACH_DISTANCE: Final = 8
"""Greatest distance at which creatures approach."""
WALK_CHANCE: Final = 0.5
"""Probability that a wandering creature moves."""
APPROACH_CHANCE: Final = 0.9
"""Probability that an approaching creature moves toward the player."""
APPROACH_LONG_AXIS: Final = 0.8
"""Probability that this move follows the axis of the larger difference."""
SHOT_CHANCE: Final = 0.5
"""Probability that a shooter shoots, given that it does not retreat."""
SHOOTER_APPROACH_CHANCE: Final = 0.3
"""Probability that it approaches, given neither."""
SHOOTER_LONG_AXIS: Final = 0.6
"""Probability that a shooter's approach or retreat follows the axis of the larger difference."""
SHOOTER_WALK_CHANCE: Final = 0.2
"""Probability that it moves in a random direction, given none of these."""

# --- Daylight and the balance of creatures --------------------------------------------------------

DAY: Final = 300
"""Steps in a day."""
DAY_OFFSET: Final = 0.3
"""Fraction of a day that has passed when an episode begins."""
BALANCE_PERIOD: Final = 10
"""Steps between two balances of creatures."""


class Balance(NamedTuple):
    """Spawn and despawn rules of one kind of creature in a chunk.

    Attributes:
        ground: Material on which it spawns.
        enough: Cells of that material that the chunk needs.
        coming_distance: Minimum distance to the player for a spawn.
        coming_chance: Probability of a spawn where there are too few.
        going_distance: Minimum distance to the player for a despawn.
        going_chance: Probability of a despawn where there are too many.
    """

    ground: str
    enough: int
    coming_distance: int
    coming_chance: float
    going_distance: int
    going_chance: float


BALANCE: Final[Mapping[str, Balance]] = {
    "zombie": Balance("grass", 50, 6, 0.3, 0, 0.4),
    "skeleton": Balance("path", 6, 7, 0.1, 7, 0.1),
    "cow": Balance("grass", 30, 5, 0.01, 5, 0.1),
}
ZOMBIES_AT_NIGHT: Final = 3.5
ZOMBIES_BY_DAY: Final = 3.0
"""Target number of zombies in a chunk: first minus second times daylight, rounded down."""
MOST_SKELETONS: Final = 2
MOST_COWS: Final = 1.5
"""Maximum number of cows in a chunk, before daylight is added and the sum rounded down."""

LONGEST_EPISODE: Final = 10_000
"""Length of the longest episode of any dialect, in steps."""
