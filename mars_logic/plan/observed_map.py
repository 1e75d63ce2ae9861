"""The observed map and the status: all that the planner knows of the episode.

An oracle's map is made from a simulator's state and is complete; a learner's grows by the view of
each observation (:class:`MapTracker`). The planner treats both alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.world import names
from mars_logic.world.dialect import AREA, CENTRE, MAXIMUM
from mars_logic.world.vocabulary import vocabulary

if TYPE_CHECKING:
    from mars_logic.sim import Observation, State


UNSEEN: Final = 255
"""The material code of a cell that was never in view. (0 is the area outside the map.)"""
START: Final = (CENTRE, CENTRE)
"""Episodes on generated maps begin here; moves, counted from it, tell where the player is."""
KINDS: Final = names.LOOKS
"""Kinds of things by code, as in observations; where an arrow flies is not kept.

Added creatures follow: see ``WorldModel.kinds``."""
_KIND_OF: Final = tuple(KINDS.index(names.kind_of_look(look)) for look in KINDS)
_SLEEP: Final = names.ACTIONS.index("sleep")
_MOVES: Final = {1: (-1, 0), 2: (1, 0), 3: (0, -1), 4: (0, 1)}
_PLANT, _RIPE, _ARROW = (KINDS.index(kind) for kind in ("plant", "ripe_plant", "arrow"))

_FLIGHTS: Final = {
    KINDS.index(f"arrow_{name}"): move
    for name, move in zip(("left", "right", "up", "down"), _MOVES.values(), strict=True)
}

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Entity:
    """A creature, arrow or plant where it was last seen.

    Attributes:
        kind: A position in :data:`KINDS`.
        x: Its column.
        y: Its row.
        ago: Steps since it was seen.
        facing: The direction that an arrow flies in; (0, 0) if not known.
        health: How much health is left; None if not known.
        cooldown: Steps until it can hit again, as far as is known.
        reload: Steps until it can shoot again, as far as is known.
    """

    kind: int
    x: int
    y: int
    ago: int = 0
    facing: Cell = (0, 0)
    health: int | None = None
    cooldown: int = 0
    reload: int = 0


@dataclass(frozen=True, slots=True)
class ObservedMap:
    """The known map, the things on it, and the player's position.

    Attributes:
        materials: uint8[64, 64], indexed [x, y]: material codes; :data:`UNSEEN` where not seen.
        things: Things last seen, in no meaningful but a fixed order.
        position: The player's cell.
        facing: The direction (dx, dy) that the player looks in.
        in_view: The part of the map that is in view; None if all that is known is.
    """

    materials: NDArray[np.uint8]
    things: tuple[Entity, ...]
    position: Cell
    facing: Cell
    in_view: tuple[slice, slice] | None = None

    @classmethod
    def from_state(cls, state: State, dynamics: names.Dynamics) -> ObservedMap:
        """The complete map of an oracle."""
        ripe_age = vocabulary(dynamics).ripe_age
        things = tuple(
            Entity(
                _RIPE if kind == _PLANT and grown > ripe_age else _look_of(kind),
                x,
                y,
                facing=(dx, dy),
                health=None if kind == _ARROW else health,
                cooldown=cooldown,
                reload=reload,
            )
            for kind, x, y, health, cooldown, reload, grown, dx, dy, _ in state.objects.tolist()
        )
        return cls(state.materials, things, (state.x, state.y), state.facing)

    @classmethod
    def begin(cls, observation: Observation, start: Cell = START) -> ObservedMap:
        """The observed map at the beginning of an episode, in which the player is on a cell."""
        nothing = np.full((AREA, AREA), UNSEEN, np.uint8)
        return cls(nothing, (), start, (0, 1))._with_view(observation, start)

    def after(self, observation: Observation, action: int) -> ObservedMap:
        """The map after one more action and its observation.

        Whether a move succeeded is told by the view: it fits either the old place or the new one.
        Where it fits both (the same ground all around), the move is taken to have succeeded unless
        something stood in the way.

        Args:
            observation: What is seen now (n = 1).
            action: The action that was carried out (a sleeper's is sleep, whatever it chose).
        """
        place = self.position
        if action in _MOVES:
            place = self._moved(observation, _MOVES[action])
        return self._with_view(observation, place)

    @property
    def ahead(self) -> Cell:
        """The cell that the player faces."""
        return self.position[0] + self.facing[0], self.position[1] + self.facing[1]

    def material_at(self, cell: Cell) -> int:
        """The material code of a cell, 0 outside the map."""
        x, y = cell
        return int(self.materials[x, y]) if 0 <= x < AREA and 0 <= y < AREA else 0

    def kinds(self) -> NDArray[np.uint8]:
        """uint8[64, 64]: the kind of thing on each cell, 0 if none is known of."""
        found = np.zeros(self.materials.shape, np.uint8)
        for thing in self.things:
            found[thing.x, thing.y] = thing.kind
        return found

    def of_kind(self, *kinds: str) -> tuple[Entity, ...]:
        """All things of some kinds."""
        codes = {KINDS.index(kind) for kind in kinds}
        return tuple(thing for thing in self.things if thing.kind in codes)

    def _moved(self, observation: Observation, move: Cell) -> Cell:
        x, y = self.position
        new = (x + move[0], y + move[1])
        if not (0 <= new[0] < AREA and 0 <= new[1] < AREA):
            return self.position
        stayed, moved = (self._mismatches(observation, place) for place in (self.position, new))
        if stayed != moved:
            return self.position if stayed < moved else new
        blocked = any((thing.x, thing.y) == new and thing.ago == 0 for thing in self.things)
        return self.position if blocked else new

    def _mismatches(self, observation: Observation, place: Cell) -> int:
        """How many cells of the view differ from what was known, if it is seen from this place."""
        view, (inside, part) = observation.materials[0], _window(observation, place)
        known = self.materials[inside]
        wrong = int(np.count_nonzero((known != view[part]) & (known != UNSEEN)))
        return wrong + int(np.count_nonzero(view)) - int(np.count_nonzero(view[part]))

    def _with_view(self, observation: Observation, place: Cell) -> ObservedMap:
        inside, part = _window(observation, place)
        materials = self.materials.copy()
        materials[inside] = observation.materials[0][part]
        materials.flags.writeable = False
        left, top = inside[0].start, inside[1].start
        objects = observation.objects[0][part]
        seen = [
            Entity(
                _kind_of(int(objects[x, y])),
                int(left + x),
                int(top + y),
                facing=_FLIGHTS.get(int(objects[x, y]), (0, 0)),
            )
            for x, y in np.argwhere(objects > KINDS.index("player"))
        ]
        width, height = objects.shape
        remembered = [
            replace(thing, ago=thing.ago + 1)
            for thing in self.things
            if not (left <= thing.x < left + width and top <= thing.y < top + height)
            and thing.kind != _ARROW
        ]
        facing = (int(observation.facing[0, 0]), int(observation.facing[0, 1]))
        return ObservedMap(materials, (*seen, *remembered), place, facing, inside)


def _look_of(kind: int) -> int:
    """The look of an object by its code in a state; added creatures follow all others."""
    return kind if kind < len(names.OBJECTS) else kind - len(names.OBJECTS) + len(KINDS)


def _kind_of(look: int) -> int:
    return _KIND_OF[look] if look < len(KINDS) else look


def _window(
    observation: Observation, place: Cell
) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """The part of the map that a view from a place shows, and that part of the view."""
    inside, part = [], []
    for centre, size in zip(place, observation.materials.shape[1:], strict=True):
        low = centre - size // 2
        first, last = max(0, low), min(AREA, low + size)
        inside.append(slice(first, last))
        part.append(slice(first - low, last - low))
    return (inside[0], inside[1]), (part[0], part[1])


@dataclass(frozen=True, slots=True)
class Status:
    """The player's known status.

    Attributes:
        inventory: Amounts in the order of ``items``, the four vitals first.
        sleeping: Whether it sleeps.
        daylight: From 0 (dark) to 1.
        step: Steps since the episode began.
        unlocked: The achievements that it has reached.
        items: The items of the inventory; those of the dialects without added names by default.
    """

    inventory: tuple[int, ...]
    sleeping: bool
    daylight: float
    step: int
    unlocked: frozenset[str]
    items: tuple[str, ...] = names.ITEMS

    @classmethod
    def from_state(
        cls, state: State, achievements: Iterable[str], items: tuple[str, ...] = names.ITEMS
    ) -> Status:
        """Of a simulator's state, given the names of its counters and of the items."""
        counts = zip(achievements, state.achievements.tolist(), strict=True)
        return cls(
            tuple(state.inventory.tolist()),
            state.sleeping,
            state.daylight,
            state.step,
            frozenset(name for name, count in counts if count),
            items,
        )

    def amount(self, item: str) -> int:
        """How many of an item, or how much of a vital."""
        return self.inventory[self.items.index(item)]

    @property
    def held(self) -> dict[str, int]:
        """The items held, vitals left out."""
        pairs = zip(self.items, self.inventory, strict=True)
        return {item: n for item, n in pairs if n > 0 and item not in names.VITALS}


class MapTracker:
    """Updated by observations alone, independent of the environment's hidden state.

    Attributes:
        seen: The map as far as it was in view.
        status: What the player knows of itself, as of the last observation.
    """

    def __init__(
        self,
        observation: Observation,
        start: Cell = START,
        items: tuple[str, ...] = names.ITEMS,
    ) -> None:
        """Begin.

        Args:
            observation: The first one of an episode (n = 1).
            start: The player's first cell.
            items: The items of the inventory, Crafter's by default.
        """
        self.seen = ObservedMap.begin(observation, start)
        self._items = items
        self._steps = 0
        self._unlocked: frozenset[str] = frozenset()
        self.status = self._status(observation)

    def note(self, action: int, unlocked: Iterable[str], after: Observation) -> None:
        """Take in one step.

        Args:
            action: The code of the action that was chosen; a player that sleeps and is tired sleeps
                on, whatever it chose.
            unlocked: The achievements that were reached by it for the first time.
            after: What is seen now (n = 1).
        """
        asleep = self.status.sleeping and self.status.amount("energy") < MAXIMUM
        self._steps += 1
        self._unlocked |= set(unlocked)
        self.seen = self.seen.after(after, _SLEEP if asleep else action)
        self.status = self._status(after)

    def _status(self, observation: Observation) -> Status:
        return Status(
            tuple(observation.inventory[0].tolist()),
            bool(observation.sleeping[0]),
            float(observation.daylight[0]),
            self._steps,
            self._unlocked,
            self._items,
        )
