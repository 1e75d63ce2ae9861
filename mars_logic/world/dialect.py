"""Game constants that no world changes, and the differences between the two dialects.

Single source for the kernels and their tables, the planner, the evidence reader, learned laws and
words. ``encodings/constants.lp`` states the constants that proofs need; a test compares it. Times
are in steps, distances in steps on an open map, damage in points of health.

Source: Crafter 1.8.3 (``objects.py``, ``env.py``, ``engine.py``) and Mars; docs/semantics.md
describes how they are used.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Final, NamedTuple

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
SWORD_DAMAGE: Final[Mapping[str, int]] = {"iron_sword": 5, "stone_sword": 3, "wood_sword": 2}
"""Damage with each sword; the first one in the inventory counts."""
HEALTH_AT_FIRST: Final[Mapping[str, int]] = {"cow": 3, "zombie": 5, "skeleton": 3, "plant": 1}
EATEN_POINTS: Final[Mapping[str, Mapping[str, int]]] = {
    "creature": {"food": 6, "drink": 1, "health": 2},
    "plant": {"food": 4, "drink": 2, "health": 1},
}
"""Points that a factor of 1 stands for when a creature, or a ripe plant, is eaten."""
ATTACK_POINTS: Final[Mapping[str, Mapping[str, int]]] = {
    "creature": {"awake": 2, "asleep": 7},
    "plant": {"awake": 1, "asleep": 1},
}
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


# --- Differences between the dialects -------------------------------------------------------------


@dataclass(frozen=True)
class Dialect:
    """Constants that differ between the two games.

    Attributes:
        length: Steps in an episode.
        ripe_age: Age in steps beyond which a plant is ripe.
        attack_pause_at_first: Steps beside the player before the first attack of cows, skeletons
            and plants; zombies have no such pause.
        retreating: Shooters that retreat from a close player.
        stilling_hunger: Creatures whose death resets the hunger counter to 0.
        stilling_thirst: Materials on which ``do`` resets the thirst counter to 0.
    """

    length: int
    ripe_age: int
    attack_pause_at_first: int
    retreating: Set[str]
    stilling_hunger: Set[str]
    stilling_thirst: Set[str]

    @property
    def ripening(self) -> int:
        """Minimum number of steps from planting to eating."""
        return self.ripe_age + 1


DIALECTS: Final[Mapping[str, Dialect]] = {
    "crafter": Dialect(
        length=10_000,
        ripe_age=300,
        attack_pause_at_first=0,
        retreating=frozenset({"skeleton"}),
        stilling_hunger=frozenset({"cow"}),
        stilling_thirst=frozenset({"water"}),
    ),
    "mars": Dialect(
        length=1_000,
        ripe_age=30,
        attack_pause_at_first=5,
        retreating=frozenset(),
        stilling_hunger=frozenset(),
        stilling_thirst=frozenset(),
    ),
}
LONGEST_EPISODE: Final = max(dialect.length for dialect in DIALECTS.values())
"""Length of the longest episode of either dialect, in steps."""
