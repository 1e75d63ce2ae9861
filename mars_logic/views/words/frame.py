"""One observation prepared for text: appearances of cells, nearest objects, inventory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM, VIEW_HEIGHT, VIEW_WIDTH

if TYPE_CHECKING:
    from mars_logic.data import Views
    from mars_logic.sim import Observation

Seen: TypeAlias = "Observation | Views"
"""Input of descriptions: observations of the simulator, or the views of a trajectory."""

_RIPE_PLANT: Final = "ripe-plant"
KINDS: Final = ("boundary", *names.MATERIALS[1:], *names.OBJECTS[1:], _RIPE_PLANT)
"""The possible appearances of a cell, listed in the order of the semantic maps: materials, objects;
Mars adds the ripe plant, and calls the outside of the map boundary."""
OUTSIDE: Final = KINDS.index("boundary")
BACKGROUND: Final = len(names.MATERIALS)
"""Kinds below this number are materials, the others objects."""


def _kind_of_look(look: str) -> int:
    return KINDS.index(_RIPE_PLANT if look == "ripe_plant" else names.kind_of_look(look))


_KIND_OF_LOOK: Final = np.array([0, *map(_kind_of_look, names.LOOKS[1:])])
"""By code; that of no object is not used."""

WIDTH: Final = VIEW_WIDTH
HEIGHT: Final = VIEW_HEIGHT
OFFSETS: Final = tuple(
    (x - WIDTH // 2, y - HEIGHT // 2)
    for x in range(WIDTH)
    for y in range(HEIGHT)
    if (x, y) != (WIDTH // 2, HEIGHT // 2)
)
"""Cells around the player as (dx, dy), dy growing downwards; column by column, as the games go."""


def steps_to(offset: tuple[int, int]) -> int:
    """Steps to a cell, not counting obstacles."""
    return abs(offset[0]) + abs(offset[1])


_NEAREST_FIRST: Final = sorted(OFFSETS, key=steps_to)


@dataclass(frozen=True, slots=True)
class Frame:
    """One player's observation.

    Attributes:
        kinds: What each cell around the player looks like, a position in :data:`KINDS` by (dx, dy):
            the object on it or, if there is none, the material.
        ground: The material that the player stands on, a position in :data:`KINDS`.
        facing: The direction (dx, dy) that the player looks in.
        vitals: Health, food, drink and energy by name.
        held: The other items, by name, of which there are any.
        sleeping: Whether the player sleeps.
    """

    kinds: dict[tuple[int, int], int]
    ground: int
    facing: tuple[int, int]
    vitals: dict[str, int]
    held: dict[str, int]
    sleeping: bool

    @classmethod
    def of(cls, seen: Seen, env: int) -> Frame:
        """One environment of an observation.

        Raises:
            IndexError: There is no such environment.
        """
        materials, objects = seen.materials[env], seen.objects[env]
        kinds = np.where(objects > 0, _KIND_OF_LOOK[objects], materials).tolist()
        amounts = dict(zip(names.ITEMS, seen.inventory[env].tolist(), strict=True))
        dx, dy = seen.facing[env].tolist()
        return cls(
            kinds={(dx, dy): kinds[dx + WIDTH // 2][dy + HEIGHT // 2] for dx, dy in OFFSETS},
            ground=int(materials[WIDTH // 2, HEIGHT // 2]),
            facing=(dx, dy),
            vitals={vital: amounts.pop(vital) for vital in names.VITALS},
            held={item: amount for item, amount in amounts.items() if amount},
            sleeping=bool(seen.sleeping[env]),
        )

    @property
    def dead(self) -> bool:
        """Whether the player has died."""
        return self.vitals["health"] <= 0

    def at(self, offset: tuple[int, int]) -> str:
        """The name of what a cell looks like."""
        return KINDS[self.kinds[offset]]

    def nearest(self) -> dict[int, tuple[int, int]]:
        """Where the nearest cell of each kind in view is, in the order of kinds.

        Of several that are equally near it is the leftmost, and of those the uppermost.
        """
        found: dict[int, tuple[int, int]] = {}
        for offset in _NEAREST_FIRST:
            found.setdefault(self.kinds[offset], offset)
        return dict(sorted(found.items()))


def fullest_frames() -> Iterator[Frame]:
    """Frames that take the most words, and together all of them.

    A list of everything is longest where every cell holds what has the longest name. A list of
    nearest kinds is longest if all kinds are there, in directions with long names; but the four
    cells beside the player, one of which it faces, are in directions with short ones.
    """
    longest = max(range(len(KINDS)), key=lambda kind: len(KINDS[kind]))
    crowd = dict.fromkeys(OFFSETS, longest)
    diagonal = (offset for offset in _NEAREST_FIRST if 0 not in offset)
    others = (kind for kind in range(len(KINDS)) if kind != longest)
    variety = crowd | dict(zip(diagonal, others, strict=False))
    rich = {item: 1 + number % MAXIMUM for number, item in enumerate(names.HOLDABLE)}
    ground = max(range(BACKGROUND), key=lambda kind: len(KINDS[kind]))
    for kinds in (crowd, variety):
        full = dict.fromkeys(names.VITALS, MAXIMUM)
        yield Frame(kinds, ground, (1, 0), full, rich, sleeping=True)
        yield Frame(kinds, ground, (1, 0), dict.fromkeys(names.VITALS, 0), {}, sleeping=False)
