"""What a recording lacks and actions determine: where the player looks, and whether it sleeps.

An episode begins awake, looking down. A move turns the player; sleep begins by the action, while
energy is below its maximum; it ends when energy is full, or in the step after which health is below
what it was at the end of the player's own part of the step before. Creatures act after the player,
so it can be open whether they or hunger took health. See docs/semantics.md, "The player".
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import CENTRE
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM

_HEALTH, _ENERGY = (names.ITEMS.index(vital) for vital in ("health", "energy"))
_SLEEP: Final = names.ACTIONS.index("sleep")
_MOVES: Final = {
    names.ACTIONS.index(f"move_{side}"): step
    for side, step in {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}.items()
}
_ZOMBIE: Final = names.LOOKS.index("zombie")
_ARROWS: Final = [code for code, look in enumerate(names.LOOKS) if look.startswith("arrow")]
_REACH: Final = 2
"""Cells from which a creature's step and its attack reach the player."""
_WOKEN_AT_ONCE: Final = {-3}
_WOKEN_NEXT: Final = {-2, -6, -7}
"""Changes of a sleeper's health, in Crafter, by what they say: an arrow takes 2, a zombie 7 of a
sleeper and 2 of one whom hunger has just woken; needs take or give 1."""


class Inferred(NamedTuple):
    """Where the player looks and whether it sleeps.

    Attributes:
        facing: int8[T + 1, 2].
        sleeping: bool[T + 1].
        known: So many moments, from the first on, are certain.
    """

    facing: NDArray[np.int8]
    sleeping: NDArray[np.bool_]
    known: int


def inferred(
    inventory: NDArray[Any],
    objects: NDArray[np.uint8],
    actions: NDArray[Any],
    *,
    crafter: bool,
) -> Inferred:
    """Follow an episode from its reset on.

    Args:
        inventory: int[T + 1, items].
        objects: uint8[T + 1, 9, 7].
        actions: int[T].
        crafter: Whether it is Crafter, whose attacks are known, or a world whose rules are not.
    """
    steps = len(actions)
    facing = np.zeros((steps + 1, 2), np.int8)
    sleeping = np.zeros(steps + 1, np.bool_)
    facing[0] = (0, 1)
    danger = _danger(objects, crafter)
    health = inventory[:, _HEALTH].astype(np.int64)
    hurt: bool | None = False  # by a creature, in the step before
    for t in range(steps):
        tired = inventory[t, _ENERGY] < MAXIMUM
        asleep = bool(tired and (sleeping[t] or actions[t] == _SLEEP))
        facing[t + 1] = facing[t] if asleep else _MOVES.get(int(actions[t]), facing[t])
        change = int(health[t + 1] - health[t])
        near = bool(danger[t] or danger[t + 1])
        woken, now = _woken(change, near, hurt, crafter) if asleep else (True, None)
        capped = near and health[t + 1] == 0  # more may have been taken than there was
        if asleep and (woken is None or capped):
            return Inferred(facing, sleeping, t + 1)
        sleeping[t + 1] = not woken
        hurt = now if asleep else _hurt(change, near, crafter)
    return Inferred(facing, sleeping, steps + 1)


def _woken(
    change: int, near: bool, hurt: bool | None, crafter: bool
) -> tuple[bool | None, bool | None]:
    """Whether a sleeper wakes in a step, and whether a creature hurt it; None if that is open."""
    if not near:
        return (None if hurt is None else hurt or change < 0), False
    if not crafter:
        return None, None
    if hurt:
        return True, _hurt(change, near, crafter)
    if hurt is None:
        return None, None
    if change >= 0:
        return False, False
    if change in _WOKEN_AT_ONCE | _WOKEN_NEXT:
        return change in _WOKEN_AT_ONCE, True
    return None, None


def _hurt(change: int, near: bool, crafter: bool) -> bool | None:
    """Whether a creature hurt the player in a step in which it was awake."""
    if not near:
        return False
    if not crafter or change == -1:
        return None
    return change < -1


def _danger(objects: NDArray[np.uint8], crafter: bool) -> NDArray[np.bool_]:
    """bool[n]: something is near that may have hurt the player."""
    x, y = CENTRE
    around = objects[:, x - _REACH : x + _REACH + 1, y - _REACH : y + _REACH + 1]
    hurting = around == _ZOMBIE if crafter else around > names.LOOKS.index("player")
    found: NDArray[np.bool_] = np.any(hurting | np.isin(around, _ARROWS), axis=(1, 2))
    return found
