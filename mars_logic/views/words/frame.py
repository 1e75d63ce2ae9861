"""One observation prepared for text: appearances of cells, nearest objects, inventory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim.cells import cells_of
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.vocabulary import Vocabulary, vocabulary

if TYPE_CHECKING:
    from mars_logic.data import Views
    from mars_logic.sim import Observation

Seen: TypeAlias = "Observation | Views"
"""Input of descriptions: observations of the simulator, or the views of a trajectory."""

CRAFTER: Final = vocabulary("crafter")
"""The vocabulary of descriptions unless told otherwise."""
_RIPE_PLANT: Final = "ripe-plant"


def steps_to(offset: tuple[int, int]) -> int:
    """Steps to a cell, not counting obstacles."""
    return abs(offset[0]) + abs(offset[1])


@dataclass(frozen=True, eq=False)
class ViewKinds:
    """Names of what cells may look like, and the cells in view, of one vocabulary.

    Attributes:
        words: The vocabulary.
        kinds: The possible appearances of a cell, listed in the order of the semantic maps:
            materials (with their marks), objects; Mars adds the ripe plant, and calls the outside
            of the map boundary.
        background: Kinds below this number are materials, the others objects.
        offsets: Cells around the player as (dx, dy), dy growing downwards; column by column, as the
            games go.
    """

    words: Vocabulary
    kinds: tuple[str, ...]
    background: int
    offsets: tuple[tuple[int, int], ...]

    @cached_property
    def nearest_first(self) -> list[tuple[int, int]]:
        """The offsets in the order of the steps to them."""
        return sorted(self.offsets, key=steps_to)

    @cached_property
    def of_look(self) -> NDArray[np.int64]:
        """The kind of each appearance of an object by code; that of no object is not used."""
        others = self.words.looks[1:]
        return np.array([0, *map(self._of_look, others)])

    def _of_look(self, look: str) -> int:
        name = _RIPE_PLANT if look == "ripe_plant" else names.kind_of_look(look)
        return self.kinds.index(name, self.background)


@cache
def view_kinds(words: Vocabulary) -> ViewKinds:
    """Materials, objects and marks that a dialect can show."""
    grounds = ("boundary", *(words.cells or words.materials)[1:])
    width, height = words.view
    offsets = tuple(
        (x - width // 2, y - height // 2)
        for x in range(width)
        for y in range(height)
        if (x, y) != (width // 2, height // 2)
    )
    return ViewKinds(words, (*grounds, *words.objects[1:], _RIPE_PLANT), len(grounds), offsets)


OUTSIDE: Final = 0
"""The kind of the area outside the map."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One player's observation.

    Attributes:
        sight: What can be seen in the dialect.
        kinds: What each cell around the player looks like, a position in ``sight.kinds`` by (dx,
            dy): the object on it or, if there is none, the material.
        ground: The material that the player stands on, a position in ``sight.kinds``.
        facing: The direction (dx, dy) that the player looks in.
        vitals: Health, food, drink and energy by name.
        held: The other items, by name, of which there are any.
        sleeping: Whether the player sleeps.
    """

    sight: ViewKinds
    kinds: dict[tuple[int, int], int]
    ground: int
    facing: tuple[int, int]
    vitals: dict[str, int]
    held: dict[str, int]
    sleeping: bool

    @classmethod
    def of(cls, seen: Seen, env: int, words: Vocabulary = CRAFTER) -> Frame:
        """One environment of an observation.

        Raises:
            IndexError: There is no such environment.
        """
        known = view_kinds(words)
        materials, objects = seen.materials[env], seen.objects[env]
        marks = getattr(seen, "marks", None)
        grounds = cells_of(words, materials, None if marks is None else marks[env])
        kinds = np.where(objects > 0, known.of_look[objects], grounds).tolist()
        amounts = dict(zip(words.items, seen.inventory[env].tolist(), strict=True))
        dx, dy = seen.facing[env].tolist()
        x, y = words.view[0] // 2, words.view[1] // 2
        return cls(
            sight=known,
            kinds={(dx, dy): kinds[dx + x][dy + y] for dx, dy in known.offsets},
            ground=int(grounds[x, y]),
            facing=(dx, dy),
            vitals={vital: amounts.pop(vital) for vital in (*words.vitals, *words.added_needs)},
            held={item: amount for item, amount in amounts.items() if amount},
            sleeping=bool(seen.sleeping[env]),
        )

    @property
    def dead(self) -> bool:
        """Whether the player has died."""
        return self.vitals["health"] <= 0

    def at(self, offset: tuple[int, int]) -> str:
        """The name of what a cell looks like."""
        return self.sight.kinds[self.kinds[offset]]

    def nearest(self) -> dict[int, tuple[int, int]]:
        """Where the nearest cell of each kind in view is, in the order of kinds.

        Of several that are equally near it is the leftmost, and of those the uppermost.
        """
        found: dict[int, tuple[int, int]] = {}
        for offset in self.sight.nearest_first:
            found.setdefault(self.kinds[offset], offset)
        return dict(sorted(found.items()))


def fullest_frames(words: Vocabulary = CRAFTER) -> Iterator[Frame]:
    """Frames that take the most words, and together all of them.

    A list of everything is longest where every cell holds what has the longest name. A list of
    nearest kinds is longest if all kinds are there, in directions with long names; but the four
    cells beside the player, one of which it faces, are in directions with short ones.
    Where there are more kinds than cells, several frames have them all, the longest names first.
    """
    known = view_kinds(words)
    kinds = known.kinds
    longest = max(range(len(kinds)), key=lambda kind: len(kinds[kind]))
    thing = max(range(known.background, len(kinds)), key=lambda kind: len(kinds[kind]))
    crowds = [dict.fromkeys(known.offsets, kind) for kind in dict.fromkeys((longest, thing))]
    diagonal = sorted(known.nearest_first, key=lambda offset: 0 in offset)[:-1]
    others = sorted(range(len(kinds)), key=lambda kind: -len(kinds[kind]))
    others.remove(longest)
    variety = [
        crowds[0] | dict(zip(diagonal, others[start:], strict=False))
        for start in range(0, len(others), len(diagonal))
    ]
    rich = {item: 1 + number % MAXIMUM for number, item in enumerate(words.holdable)}
    ground = max(range(known.background), key=lambda kind: len(kinds[kind]))
    for seen in (*crowds, *variety):
        full = dict.fromkeys(words.vitals, MAXIMUM)
        yield Frame(known, seen, ground, (1, 0), full, rich, sleeping=True)
        yield Frame(known, seen, ground, (1, 0), dict.fromkeys(words.vitals, 0), {}, sleeping=False)
