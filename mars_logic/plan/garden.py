"""The garden: what a plant that is to get ripe is in danger of, and where it grows from."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.observed_map import UNSEEN, Entity
from mars_logic.plan.route import DIRECTIONS, STEP
from mars_logic.plan.surroundings import Mask
from mars_logic.world.dialect import AREA

HAZARD = 0.015
"""The chance that a step costs a plant that nothing protects. Thirteen plants, some of them
fenced in part, were lost within 1,150 steps of growing in four episodes."""
_ASIDE = 4
"""Who waits for a plant stands farther off: what comes to the player would trample it."""
_GROWS = 16
"""Nothing grows that is farther off, both axes taken together."""


def patience(here: BeliefState) -> int:
    """The extra time of a plant without a fence to ripen, planted again whenever it is lost.

    In quarters of a step. The steps until there were so many in a row without a loss are
    (exp(hazard * steps) - 1) / hazard on average.
    """
    steps = here.model.world.vocabulary.ripening
    return int(STEP * ((math.exp(HAZARD * steps) - 1) / HAZARD - steps))


def open_sides(here: BeliefState) -> NDArray[np.int64]:
    """int64[64, 64]: on how many sides of a cell a creature could stand."""
    codes = np.where(here.seen.materials == UNSEEN, 0, here.seen.materials)
    open_ = np.pad(here.model.creatures_walk[codes], 1).astype(np.int64)
    sides = [open_[1 + dx : 1 + dx + AREA, 1 + dy : 1 + dy + AREA] for dx, dy in DIRECTIONS]
    total: NDArray[np.int64] = np.sum(sides, axis=0)
    return total


def growing(here: BeliefState) -> Mask | None:
    """bool[64, 64]: the cells from which a plant grows that is still to be eaten; None for all."""
    plants = here.seen.of_kind("plant")
    if not plants or "eat_plant" in here.status.unlocked:
        return None
    return near(plants)


def near(plants: Sequence[Entity]) -> Mask:
    """bool[64, 64]: the cells from which at least one of these grows."""
    x, y = np.ogrid[:AREA, :AREA]
    mask: Mask = np.logical_or.reduce(
        [np.abs(x - plant.x) + np.abs(y - plant.y) <= _GROWS for plant in plants]
    )
    return mask


def gaps(here: BeliefState, plant: Entity) -> list[tuple[int, int]]:
    """The sides of a plant to which creatures can come."""
    cells = [(plant.x + dx, plant.y + dy) for dx, dy in DIRECTIONS]
    return [c for c in cells if min(c) >= 0 and max(c) < AREA and here.lets_in(c)]


def aside(plants: Sequence[Entity]) -> Mask:
    """bool[64, 64]: where to wait for plants: off from all of them, but so near that one grows."""
    x, y = np.ogrid[:AREA, :AREA]
    away = [np.maximum(np.abs(x - plant.x), np.abs(y - plant.y)) > _ASIDE for plant in plants]
    mask: Mask = near(plants) & np.logical_and.reduce(away)
    return mask
