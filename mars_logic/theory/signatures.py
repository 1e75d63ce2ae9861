"""Signatures: the evidence of a transition on the rules, without all else.

Transitions with equal signatures are equivalent evidence, so a record of any length reduces to a
few hundred of them. A signature holds observations and is independent of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, ClassVar, NamedTuple

from mars_logic.theory.cell_signatures import Act, CellChange, PushTry
from mars_logic.theory.shot_signatures import Flight, Shooter, Struck
from mars_logic.world import names


class Held(tuple[int, ...]):
    """What is held: an amount of each item; by default, of each of ``names.HOLDABLE``.

    There is a class for each list of items (:func:`held_of`). They compare as tuples do, but for
    amounts of other items, which are never equal: so what is kept is not taken for another world's.

    Attributes:
        items: The items, in the order of the amounts.
        places: The place of each item.
    """

    __slots__ = ()
    items: ClassVar[tuple[str, ...]] = names.HOLDABLE
    places: ClassVar[Mapping[str, int]] = {item: n for n, item in enumerate(names.HOLDABLE)}

    def amount(self, item: str) -> int:
        """How many there are of an item; 0 of one that the world does not have."""
        place = self.places.get(item)
        return 0 if place is None else self[place]

    def named(self) -> Iterable[tuple[str, int]]:
        """Each item with its amount."""
        return zip(self.items, self, strict=True)

    def with_amounts(self, amounts: Mapping[str, int]) -> Held:
        """The same with other amounts of some items; of items that there are."""
        found = [*self]
        for item, amount in amounts.items():
            if item in self.places:
                found[self.places[item]] = amount
        return type(self)(found)

    def __reduce__(self) -> tuple[Any, ...]:
        """Classes for other items are made when they are needed."""
        return _held, (self.items, tuple(self))


@cache
def held_of(items: tuple[str, ...]) -> type[Held]:
    """The class of what is held of some items."""
    if items == Held.items:
        return Held
    places = {item: place for place, item in enumerate(items)}
    return type("Held", (_HeldOfOthers,), {"__slots__": (), "items": items, "places": places})


class _HeldOfOthers(Held):
    """What is held of other items than Crafter's."""

    __slots__ = ()
    __hash__ = Held.__hash__

    def __eq__(self, other: object) -> bool:
        same = type(other) is type(self) or not isinstance(other, Held)
        return same and tuple.__eq__(self, other) is True

    def __ne__(self, other: object) -> bool:
        return not self == other


def _held(items: tuple[str, ...], amounts: tuple[int, ...]) -> Held:
    return held_of(items)(amounts)


Span = tuple[int, int]
"""The least and the greatest number that what was seen allows."""
ANY = 99
"""In a span: no limit."""


class Health(NamedTuple):
    """The change of health in a transition.

    Attributes:
        before: Health before.
        after: Health after.
        recovery: The part of recovery: -1, 0 or 1.
        asleep: Whether the player slept when things could attack.
        near: How many of each of ``names.BEINGS`` could attack.
        arrows: How many arrows could hit.
    """

    before: int
    after: int
    recovery: int
    asleep: bool
    near: tuple[int, ...]
    arrows: int

    @property
    def undisturbed(self) -> bool:
        """Nothing could attack or hit."""
        return not any(self.near) and not self.arrows


class Start(NamedTuple):
    """An episode began among this material."""

    material: str


class Passage(NamedTuple):
    """The player tried to step on a material with no object on it."""

    material: str
    moved: bool


class Tread(NamedTuple):
    """A move ended on this ground."""

    ground: str
    health: Health


class Collecting(NamedTuple):
    """The player did ``do`` on a material with no object on it.

    Attributes:
        material: What it faced.
        held: What it held.
        left: What was there afterwards.
        held_after: What it held afterwards.
        drink: By how much the action may have changed drink.
        food: By how much the action may have changed food.
        got_drink: Whether it counted as collecting drink; None where that cannot be seen.
        appeared: The creature that surely appeared on the cell; "" if none was seen to.
        clear: Whether nothing could walk onto the cell or vanish from it, so that a creature found
            there appeared, and if there is none, none did.
        health: What became of health; only for liquids.
        changing: Materials of cells that may change by themselves.
    """

    material: str
    held: Held
    left: str
    held_after: Held
    drink: Span
    food: Span
    got_drink: bool | None
    appeared: str
    clear: bool
    health: Health | None
    changing: tuple[str, ...] = ()


class Placing(NamedTuple):
    """The player tried to place something on a material with no object on it.

    Attributes:
        thing: What it tried to place.
        material: What it faced.
        held: What it held.
        left: What was there afterwards.
        planted: Whether a plant stood there afterwards.
        held_after: What it held afterwards.
        changing: Materials of cells that may change by themselves.
    """

    thing: str
    material: str
    held: Held
    left: str
    planted: bool
    held_after: Held
    changing: tuple[str, ...] = ()


class Making(NamedTuple):
    """The player tried to make a tool.

    Attributes:
        tool: Which.
        nearby: The materials around it.
        held: What it held.
        held_after: What it held afterwards.
    """

    tool: str
    nearby: tuple[str, ...]
    held: Held
    held_after: Held


class Eating(NamedTuple):
    """The player ate an item that it held.

    Attributes:
        item: Which.
        held: What it held.
        held_after: What it held afterwards.
        food: By how much the action may have changed food.
        drink: By how much the action may have changed drink.
        health: What became of health.
    """

    item: str
    held: Held
    held_after: Held
    food: Span
    drink: Span
    health: Health


class Hitting(NamedTuple):
    """The player hit a creature, or ate a ripe plant.

    Attributes:
        being: Which.
        killed: Whether that killed it; None where it cannot be seen.
        food: By how much the action may have changed food.
        drink: By how much the action may have changed drink.
        health: What became of health.
    """

    being: str
    killed: bool | None
    food: Span
    drink: Span
    health: Health


class Standing(NamedTuple):
    """A step in which the action did nothing to health, but others may have."""

    health: Health


class Shot(NamedTuple):
    """A new arrow appeared beside these beings, one of which shot it."""

    beings: tuple[str, ...]


class Moved(NamedTuple):
    """A creature changed its place."""

    being: str


class Motion(NamedTuple):
    """An unobstructed motion of a creature on uniform ground.

    Attributes:
        being: Which.
        ground: The material on all four sides.
        way: The way to the player (dx, dy).
        went: Left, right, up, down (0 to 3), or nowhere (4).
    """

    being: str
    ground: str
    way: tuple[int, int]
    went: int


class Unharmed(NamedTuple):
    """A creature stood beside the player for so long that it would have hit, and had no effect.

    Attributes:
        being: Which.
        healing: Whether a gain of health would have been seen too, and not only a loss.
    """

    being: str
    healing: bool


class Harm(NamedTuple):
    """A step in which added creatures, needs, or touching a creature may have changed health.

    Attributes:
        ground: The ground on which a move ended; "" if the player did not move.
        health: What became of health.
        others: The added creatures that could attack, each with their number.
        needs: The added needs of which no points were left.
        touched: The creature that a move was directed at; "" without one of which rules tell.
        shots: Each projectile that could hit, with how many surely did, and how many could.
        shooters: Who may have shot them.
    """

    ground: str
    health: Health
    others: tuple[tuple[str, int], ...]
    needs: tuple[str, ...]
    touched: str
    shots: tuple[tuple[str, int, int], ...] = ()
    shooters: tuple[str, ...] = ()


class NeedChange(NamedTuple):
    """The points of an added need before and after a step.

    Attributes:
        need: Which.
        step: The number of the step in its episode, from 1 on.
        points: The points before and after it.
        night: Whether it was night.
        near: The materials that surely were around the player.
        perhaps_near: All that may have been, with those.
        ground: The material under it.
        in_hand: The items that it held, at least one of each.
        eaten: The item that it ate; "" for none.
        health: What became of health, if nothing but this need and recovery can have changed it.
    """

    need: str
    step: int
    points: tuple[int, int]
    night: bool
    near: tuple[str, ...]
    perhaps_near: tuple[str, ...]
    ground: str
    in_hand: tuple[str, ...]
    eaten: str
    health: Health | None


class Hunting(NamedTuple):
    """The player hit a creature of which it is said what hunting it brings.

    Attributes:
        being: Which.
        full_health: The health that such creatures have at first.
        killed: Whether that killed it; None where it cannot be seen.
        held: What the player held.
        held_after: What it held afterwards.
    """

    being: str
    full_health: int
    killed: bool | None
    held: Held
    held_after: Held


class ShootTry(NamedTuple):
    """The player tried to shoot onto a cell with nothing on it.

    Attributes:
        projectile: What it tried to shoot.
        material: The material of the cell.
        held: What it held.
        held_after: What it held afterwards.
        alone: Whether no other shot of the player was in the air, so that no kill brought anything.
        shot: Whether it shot.
    """

    projectile: str
    material: str
    held: Held
    held_after: Held
    alone: bool
    shot: bool


Signature = (
    Start
    | Passage
    | Tread
    | Collecting
    | Placing
    | Making
    | Eating
    | Hitting
    | Standing
    | Shot
    | Moved
    | Motion
    | Unharmed
    | Harm
    | NeedChange
    | Hunting
    | CellChange
    | PushTry
    | Act
    | Flight
    | ShootTry
    | Shooter
    | Struck
)
