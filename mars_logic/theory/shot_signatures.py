"""Signatures of projectiles: how they fly, who shoots them, and creatures that they hit."""

from __future__ import annotations

from typing import NamedTuple


class FlightCell(NamedTuple):
    """A cell in front of a projectile with nothing on it but the player, if anything.

    Attributes:
        material: What it was of when the projectile came.
        left: What it was of in the end; "" if something else may have changed it.
        player: Whether the player was there; then the materials are not told.
    """

    material: str
    left: str
    player: bool


class Flight(NamedTuple):
    """A step of a projectile of which it is known in which direction it flew.

    Attributes:
        projectile: Which.
        flown: How many cells it had flown before, at least and at most.
        way: The next cells in its direction; None where it is not known what was there.
        went: How many cells on it was in the end. 0: it was not seen to be on one of these.
        changing: Materials of cells that may change by themselves.
    """

    projectile: str
    flown: tuple[int, int]
    way: tuple[FlightCell | None, ...]
    went: int
    changing: tuple[str, ...] = ()


class Shooter(NamedTuple):
    """A creature that shot, as no other can have.

    Attributes:
        being: Which.
        projectile: What it shot.
    """

    being: str
    projectile: str


class Struck(NamedTuple):
    """A creature that a shot of the player hit.

    Attributes:
        being: Which.
        full_health: The health that such creatures have at first.
        projectile: What hit it.
        hits: How many hits by such shots of the player it surely survived, with this one.
        whole: Whether nothing else can have taken health from it.
        died: Whether this hit killed it.
    """

    being: str
    full_health: int
    projectile: str
    hits: int
    whole: bool
    died: bool
