"""What a world adds to the names of its dialect: materials, creatures and projectiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class AddedMaterial:
    """A material that a world adds, with its appearance.

    Attributes:
        name: Its name.
        looks: Its shape in pictures, one of ``adds.LOOKS``.
        colour: Its colour, such as ``#b87333``.
    """

    name: str
    looks: str
    colour: str


@dataclass(frozen=True)
class Coming:
    """How creatures of a kind appear and vanish during play, in each chunk of 12 x 12 cells.

    Attributes:
        ground: The material on which they appear.
        enough: Cells of it that a chunk needs.
        day: How many a chunk holds by full daylight: where there are more, one may vanish. The
            number is rounded down, and by dusk lies between this and ``night``.
        night: The same without any daylight.
        fewest: Where there are fewer than this, one may appear; None for as many as a chunk holds.
        chance: The probability of that, every ten steps.
        distance: Least distance of the player where one appears, in steps.
        going_chance: The probability that one vanishes, every ten steps.
        going_distance: Least distance of the player where one vanishes, in steps.
    """

    ground: str
    enough: int = 30
    day: float = 1.0
    night: float = 1.0
    fewest: int | None = None
    chance: float = 0.1
    distance: int = 6
    going_chance: float = 0.1
    going_distance: int = 6

    @property
    def appears(self) -> bool:
        """Whether one ever appears, where a chunk has room."""
        wanted = max(self.day, self.night) > 1 or min(self.day, self.night) >= 1
        return self.chance > 0 and wanted and self.fewest != 0

    @property
    def lasts(self) -> bool:
        """Whether one that is there may stay at any time of day."""
        return min(self.day, self.night) >= 1


@dataclass(frozen=True)
class AddedCreature:
    """A kind of creature that a world adds.

    Attributes:
        name: Its name.
        looks: Its shape in pictures, one of ``added_creatures.LOOKS``.
        colour: Its colour, such as ``#6b7280``.
        health: Its health at first.
        ground: The materials that it walks on.
        comes: How it appears and vanishes during play; None if only drawings and rules of
            collecting bring it.
    """

    name: str
    looks: str = "animal"
    colour: str = "#6b7280"
    health: int = 3
    ground: tuple[str, ...] = ("grass", "path", "sand")
    comes: Coming | None = None

    @property
    def effective(self) -> list[Any]:
        """All but its appearance, as plain data."""
        coming = vars(self.comes) if self.comes else None
        return [self.name, self.health, list(self.ground), coming]

    def as_data(self) -> dict[str, Any]:
        """What a world file states about it."""
        data: dict[str, Any] = {"looks": self.looks, "colour": self.colour, "health": self.health}
        data["ground"] = list(self.ground)
        if self.comes:
            usual = vars(Coming(self.comes.ground))
            stated = vars(self.comes).items()
            data["comes"] = {"ground": self.comes.ground} | {
                name: value for name, value in stated if value != usual[name]
            }
        return data


@dataclass(frozen=True)
class AddedProjectile:
    """A kind of projectile that a world adds.

    Attributes:
        name: Its name.
        colour: Its colour, such as ``#d0d0d0``.
    """

    name: str
    colour: str

    def as_data(self) -> dict[str, Any]:
        """What a world file states about it."""
        return {"colour": self.colour}
