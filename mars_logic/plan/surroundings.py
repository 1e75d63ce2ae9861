"""The known state: rules, map, status, and the positions of things and creatures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import kernel
from mars_logic.plan.expectation import Expectation
from mars_logic.plan.observed_map import KINDS, UNSEEN, Entity, ObservedMap, Status
from mars_logic.plan.route import DIRECTIONS
from mars_logic.plan.world_model import WorldModel
from mars_logic.world.dialect import AREA

Mask = NDArray[np.bool_]

_PLANT = KINDS.index("plant")
_SIGHT = 6
_SEEN = (2 * _SIGHT + 1) ** 2


@dataclass(frozen=True)
class KnownState:
    """Known state of the player, the map and creatures, with derived quantities.

    Attributes:
        model: What is believed.
        seen: The map, as far as it is known.
        status: What the player knows of itself.
        kept: Items, and how many of each, that are used up on ways only if little else helps.
        expected: What is expected out of view; None if nothing is.
    """

    model: WorldModel
    seen: ObservedMap
    status: Status
    kept: tuple[tuple[str, int], ...] = ()
    expected: Expectation | None = None

    @cached_property
    def held(self) -> dict[str, int]:
        """The items held."""
        held, needs = self.status.held, self.model.words.added_needs
        return {item: n for item, n in held.items() if item not in needs} if needs else held

    @property
    def code(self) -> Mapping[str, int]:
        """The codes of materials by name."""
        return self.model.code

    @property
    def actions(self) -> Mapping[str, int]:
        """The codes of actions by name."""
        return self.model.actions

    @cached_property
    def kinds(self) -> NDArray[np.uint8]:
        """uint8[64, 64]: the kind of thing on each cell."""
        return self.seen.kinds()

    @cached_property
    def free(self) -> Mask:
        """bool[64, 64]: no thing and no player is on the cell."""
        free: Mask = self.kinds == 0
        free[self.seen.position] = False
        return free

    @cached_property
    def fences(self) -> Mask:
        """bool[64, 64]: what stands beside a plant that is not ripe yet, and protects it."""
        mask = np.zeros((AREA, AREA), np.bool_)
        for plant in self.seen.of_kind("plant"):
            for dx, dy in DIRECTIONS:
                cell = (plant.x + dx, plant.y + dy)
                if self.seen.material_at(cell) not in (0, UNSEEN):
                    mask[cell] = not self.lets_in(cell)
        return mask

    @cached_property
    def creatures(self) -> tuple[Entity, ...]:
        """All creatures, the nearest first."""
        found = self.things_of(*self.model.creatures)
        return tuple(sorted(found, key=lambda t: (self.distance(t), t.x, t.y)))

    def things_of(self, *beings: str) -> tuple[Entity, ...]:
        """All creatures of some kinds."""
        codes = {self.model.kinds.index(being) for being in beings}
        return tuple(thing for thing in self.seen.things if thing.kind in codes)

    def distance(self, thing: Entity) -> int:
        """Steps between the player and a thing, not counting obstacles."""
        x, y = self.seen.position
        return abs(thing.x - x) + abs(thing.y - y)

    def creatures_within(self, steps: int) -> Iterator[Entity]:
        """The creatures that are no farther off, the nearest first."""
        return takewhile(lambda thing: self.distance(thing) <= steps, self.creatures)

    def hostile(self, thing: Entity) -> bool:
        """Whether a creature may do harm."""
        return self.model.blow(thing.kind) > 0 or self.model.shot(thing.kind) > 0

    @cached_property
    def attackers(self) -> tuple[Entity, ...]:
        """The creatures that may do harm, the nearest first."""
        return tuple(filter(self.hostile, self.creatures))

    def made_of(self, *materials: str) -> Mask:
        """bool[64, 64]: cells of some materials, whatever stands on them."""
        wanted = np.zeros(UNSEEN + 1, np.bool_)
        wanted[[self.code[material] for material in materials]] = True
        mask: Mask = wanted[self.seen.materials]
        return mask

    def of_material(self, *materials: str) -> Mask:
        """bool[64, 64]: cells of some materials with nothing on them."""
        mask: Mask = self.made_of(*materials) & self.free
        return mask

    def near(self, material: str) -> Mask:
        """bool[64, 64]: cells from which a material is among the 3 x 3 cells around."""
        mask: Mask = widened(self.seen.materials == self.code[material], 1)
        mask[0, :] = mask[:, 0] = False  # the game finds nothing nearby there
        return mask

    def around(self, material: str) -> NDArray[np.float64]:
        """float64[64, 64]: the share of a material around each cell."""
        share: NDArray[np.float64] = self.cells_around([material], _SIGHT) / _SEEN
        return share

    def cells_around(self, materials: list[str], reach: int) -> NDArray[np.int64]:
        """int64[64, 64]: how many cells of some materials are at most so far off on both axes."""
        there = np.pad(self.made_of(*materials), (reach + 1, reach))
        sums = there.cumsum(axis=0).cumsum(axis=1)
        size = 2 * reach + 1
        columns = sums[size:] - sums[:-size]
        counts: NDArray[np.int64] = columns[:, size:] - columns[:, :-size]
        return counts

    def pocket(
        self, start: tuple[int, int], closed: frozenset[tuple[int, int]], most: int
    ) -> list[tuple[int, int]]:
        """Cells that creatures can walk on and that hang together here, up to a limit.

        Args:
            start: Where to begin; among them whatever it is.
            closed: Cells taken to be closed.
            most: More than so many need not be found.
        """
        found, seen = [start], {start, *closed}
        for x, y in found:
            for dx, dy in DIRECTIONS:
                cell = (x + dx, y + dy)
                if cell not in seen and self.lets_in(cell):
                    seen.add(cell)
                    found.append(cell)
            if len(found) > most:
                break
        return found

    def lets_in(self, cell: tuple[int, int]) -> bool:
        """Whether a creature may come to this cell."""
        return bool(self.seen.material_at(cell)) and bool(self._entered[cell])

    @cached_property
    def _entered(self) -> Mask:
        """bool[64, 64]: cells to which a creature may come."""
        unseen = self.seen.materials == UNSEEN
        walks = self.model.creatures_walk[np.where(unseen, 0, self.seen.materials)]
        entered: Mask = unseen | (walks & (self.kinds != _PLANT))
        return entered


@kernel
def widened(cells: Any, reach: int) -> Any:
    """bool[64, 64]: what is at most so far on both axes from one of some cells."""
    width, height = cells.shape
    found = np.zeros((width, height), np.bool_)
    for x in range(width):
        for y in range(height):
            if cells[x, y]:
                found[max(0, x - reach) : x + reach + 1, max(0, y - reach) : y + reach + 1] = True
    return found
