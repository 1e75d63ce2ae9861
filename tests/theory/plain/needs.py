"""What hunger, thirst and recovery did to the vitals in each step.

The counters behind them are hidden, but they start at 0, and whether they grow depends on nothing
that cannot be seen: so a whole episode tells them exactly. See docs/semantics.md, "The player".
One case is open: in crafter, killing a cow stills the hunger, and a kill is not always seen; then
both possibilities are kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import Trajectory
from mars_logic.world import names

_HUNGRY_AFTER = 25
_THIRSTY_AFTER = 20
_HEALS_AFTER = 25
_SICKENS_AFTER = -15
_DO = names.ACTIONS.index("do")
_FOOD, _DRINK, _ENERGY = (names.VITALS.index(vital) for vital in ("food", "drink", "energy"))
_COW = names.LOOKS.index("cow")
_WATER = names.MATERIALS.index("water")


@dataclass(frozen=True, eq=False)
class Needs:
    """Changes of the vitals that no rule of a world is the cause of.

    Attributes:
        food: int8[T, 2]: the least and the greatest change of food, -1 or 0.
        drink: int8[T, 2]: likewise.
        health: int8[T]: the change of health by recovery: -1, 0 or 1.
    """

    food: NDArray[np.int8]
    drink: NDArray[np.int8]
    health: NDArray[np.int8]


def needs(
    trajectory: Trajectory,
    action: NDArray[np.uint8],
    asleep: NDArray[np.bool_],
    target: NDArray[np.uint8],
    object_: NDArray[np.uint8],
) -> Needs:
    """What hunger, thirst and recovery did.

    Args:
        trajectory: A whole episode.
        action: uint8[T]: what the player really did (asleep, it sleeps).
        asleep: bool[T]: whether it slept while its needs grew.
        target: uint8[T]: the material that it faced.
        object_: uint8[T]: the object on that cell.
    """
    crafter = trajectory.about.dynamics == "crafter"
    doing = action == _DO
    stilled = doing & (target == _WATER) & (object_ == 0) & crafter
    fed = doing & (object_ == _COW) & crafter
    rate = np.where(asleep, 0.5, 1.0)
    before = trajectory.before.inventory.astype(np.int64)
    after = trajectory.after.inventory.astype(np.int64)
    fell = np.where(doing | (before[:, _FOOD] == 0), -1, before[:, _FOOD] > after[:, _FOOD])
    return Needs(
        _hunger(rate.tolist(), fed.tolist(), fell.tolist()),
        _thirst(rate.tolist(), stilled.tolist()),
        _recovery(asleep, after),
    )


def _thirst(rates: list[float], stilled: list[bool]) -> NDArray[np.int8]:
    change = np.zeros((len(rates), 2), np.int8)
    thirst = 0.0
    for t, rate in enumerate(rates):
        thirst = (0.0 if stilled[t] else thirst) + rate
        if thirst > _THIRSTY_AFTER:
            thirst, change[t] = 0.0, -1
    return change


def _hunger(rates: list[float], fed: list[bool], fell: list[int]) -> NDArray[np.int8]:
    """Keeps every value that the counter may have; ``fell`` is 1, 0, or -1 if it tells nothing."""
    change = np.zeros((len(rates), 2), np.int8)
    possible = {0.0}
    for t, rate in enumerate(rates):
        if fed[t]:
            possible = possible | {0.0}
        grown = {hunger + rate for hunger in possible}
        told = {h for h in grown if fell[t] < 0 or (h > _HUNGRY_AFTER) == bool(fell[t])}
        grown = told or grown
        losses = [-1 if hunger > _HUNGRY_AFTER else 0 for hunger in grown]
        change[t] = min(losses), max(losses)
        possible = {0.0 if hunger > _HUNGRY_AFTER else hunger for hunger in grown}
    return change


def _recovery(asleep: NDArray[np.bool_], after: NDArray[np.int64]) -> NDArray[np.int8]:
    rested = (after[:, _ENERGY] > 0) | asleep
    well = (after[:, _FOOD] > 0) & (after[:, _DRINK] > 0) & rested
    rates = np.where(well, np.where(asleep, 2.0, 1.0), np.where(asleep, -0.5, -1.0))
    change = np.zeros(len(asleep), np.int8)
    recover = 0.0
    for t, rate in enumerate(rates.tolist()):
        recover += rate
        if recover > _HEALS_AFTER:
            recover, change[t] = 0.0, 1
        elif recover < _SICKENS_AFTER:
            recover, change[t] = 0.0, -1
    return change
