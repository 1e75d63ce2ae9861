"""Game constants that all dialects share, under names that kernels can freeze.

Sizes of the map and the view are stated here, since the layout of a state depends on them. All
other numbers are those of ``worlds/dialects/crafter.yaml``; facts, words and the planner's model
read a world's own vocabulary. Times are in steps, distances in steps on an open map, damage in
points of health.

Source: Crafter 1.8.3 (``objects.py``, ``env.py``, ``engine.py``) and Mars; docs/semantics.md
describes how they are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from mars_logic.world.vocabulary import Vocabulary, dialects, vocabulary

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


class Need(NamedTuple):
    """A hidden counter and the vital that it changes.

    Attributes:
        vital: The vital.
        asleep: Growth of the counter in a step while the player sleeps; awake it grows by 1.
        above: Limit above which the counter starts anew at 0 and the vital changes.
        change: That change.
        below: Lower limit, below which it starts anew and the vital changes by the opposite; None
            if it has none.
    """

    vital: str
    asleep: float
    above: int
    change: int
    below: int | None

    @property
    def lasts(self) -> int:
        """Steps awake from one change by the upper limit to the next."""
        return self.above + 1

    @property
    def lasts_asleep(self) -> int | None:
        """Steps asleep from one change, by either limit, to the next; None: it does not come."""
        if not self.asleep:
            return None
        limit = self.above if self.asleep > 0 else -(self.below or 0)
        return int(limit / abs(self.asleep)) + 1


def needs(words: Vocabulary) -> Mapping[str, Need]:
    """The needs of a dialect, by vital."""
    return {
        vital: Need(
            vital,
            float(stated["asleep"]),
            int(stated["every"]) - 1,
            int(stated["loss"]) * (1 if vital == "health" else -1),
            int(stated["below"]) if "below" in stated else None,
        )
        for vital, stated in words.need.items()
    }


_NEEDS: Final = needs(_CRAFTER)
HUNGER: Final = _NEEDS["food"]
THIRST: Final = _NEEDS["drink"]
FATIGUE: Final = _NEEDS["energy"]
"""While the player sleeps, the counter is at most 0."""
RECOVERY: Final = _NEEDS["health"]
"""Growth while the player has food, drink and energy (or sleeps)."""
RESTED: Final = int(_CRAFTER.need["energy"]["below"])
"""Value of the counter of fatigue below which energy rises."""
WASTED: Final = int(_CRAFTER.need["health"]["below"])
"""Value of the counter of recovery below which health falls."""
DECLINE_AWAKE: Final = float(_CRAFTER.decline["awake"])
DECLINE_ASLEEP: Final = float(_CRAFTER.decline["asleep"])
"""Change of the recovery counter, awake and asleep, while one of them is missing."""

# --- Fights and food ------------------------------------------------------------------------------

UNARMED_DAMAGE: Final = _CRAFTER.unarmed_damage
"""Damage of the player's attack without a sword."""
SWORD_DAMAGE: Final[Mapping[str, int]] = _CRAFTER.damage
"""Damage with each sword; the first one in the inventory counts."""
HEALTH_AT_FIRST: Final[Mapping[str, int]] = _CRAFTER.health_at_first
EATEN_POINTS: Final[Mapping[str, Mapping[str, int]]] = _CRAFTER.eaten_points
"""Points that a factor of 1 stands for when a creature, or a ripe plant, is eaten."""
ATTACK_POINTS: Final[Mapping[str, Mapping[str, int]]] = _CRAFTER.attack_points
"""Points of health that an attack factor of 1 stands for."""
ARROW_POINTS: Final = _CRAFTER.arrow_points
"""Points of health that an arrow factor of 1 stands for; also an arrow's damage to objects."""
ATTACK_PAUSE: Final = _CRAFTER.pause["attack"]
"""Steps beside the player between two attacks of the same creature."""
SHOT_PAUSE: Final = _CRAFTER.pause["shoot"]
"""Steps between two shots of the same creature."""

# --- How creatures move ---------------------------------------------------------------------------

ACTIVE_DISTANCE: Final = _CRAFTER.horizon - 1
"""Objects at a greater distance from the player are not updated."""
ATTACK_DISTANCE: Final = _CRAFTER.within["attack"]
"""Greatest distance at which creatures attack."""
RETREAT_DISTANCE: Final = _CRAFTER.within["retreat"]
"""Greatest distance at which shooters retreat."""
SHOT_DISTANCE: Final = _CRAFTER.within["shoot"]
"""Greatest distance at which shooters shoot."""
APPROACH_DISTANCE: Final = _CRAFTER.within["approach"]
"""Greatest distance at which creatures approach."""
WALK_CHANCE: Final = float(_CRAFTER.chance["walk"])
"""Probability that a wandering creature moves."""
APPROACH_CHANCE: Final = float(_CRAFTER.chance["approach"])
"""Probability that an approaching creature moves toward the player."""
APPROACH_LONG_AXIS: Final = float(_CRAFTER.chance["approach_long_axis"])
"""Probability that this move follows the axis of the larger difference."""
SHOT_CHANCE: Final = float(_CRAFTER.chance["shoot"])
"""Probability that a shooter shoots, given that it does not retreat."""
SHOOTER_APPROACH_CHANCE: Final = float(_CRAFTER.chance["shooter_approach"])
"""Probability that it approaches, given neither."""
SHOOTER_LONG_AXIS: Final = float(_CRAFTER.chance["shooter_long_axis"])
"""Probability that a shooter's approach or retreat follows the axis of the larger difference."""
SHOOTER_WALK_CHANCE: Final = float(_CRAFTER.chance["shooter_walk"])
"""Probability that it moves in a random direction, given none of these."""

# --- Daylight and the balance of creatures --------------------------------------------------------

DAY: Final = int(_CRAFTER.daylight["day"])
"""Steps in a day."""
DAY_OFFSET: Final = float(_CRAFTER.daylight["offset"])
"""Fraction of a day that has passed when an episode begins."""
BALANCE_PERIOD: Final = int(_CRAFTER.balance_of["every"])
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
    kind: Balance(**stated) for kind, stated in _CRAFTER.spawning.items()
}
ZOMBIES_AT_NIGHT: Final = float(_CRAFTER.balance_of["zombies_at_night"])
ZOMBIES_BY_DAY: Final = float(_CRAFTER.balance_of["zombies_by_day"])
"""Target number of zombies in a chunk: first minus second times daylight, rounded down."""
MOST_SKELETONS: Final = int(_CRAFTER.balance_of["skeletons"])
MOST_COWS: Final = float(_CRAFTER.balance_of["cows"])
"""Maximum number of cows in a chunk, before daylight is added and the sum rounded down."""

LONGEST_EPISODE: Final = max(vocabulary(name).length for name in dialects())
"""Length of the longest episode of any dialect, in steps."""
