"""Records of environments as earlier versions had them, and their conversion.

Snapshots, copies of simulators and checkpoints of training hold records. Those of the first layout
had wider fields for things, and a flag for removed ones.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim.layout import CAPACITY, THING_DTYPE, env_dtype, player_dtype, widened

LAYOUT: Final = 2
"""The number of the present layout."""

_THING: Final = np.dtype(
    [
        *((name, np.int8) for name in ("kind", "chunk")),
        ("removed", np.bool_),
        *((name, np.int8) for name in ("health", "cooldown", "reload")),
        *((name, np.int8) for name in ("facing_x", "facing_y", "arrow_factor")),
        ("grown", np.int16),
        ("entered", np.int32),
    ],
    align=True,
)
"""A thing in layout 1."""


_OF_THINGS: Final = ("things", "thing_x", "thing_y")


def dtype_of(layout: int, capacity: int) -> np.dtype[np.void]:
    """The record of an environment of Crafter or Mars with room for so many things, in a layout."""
    now = env_dtype(capacity)
    return now if layout == LAYOUT else _first(now, capacity)


def as_now(envs: NDArray[np.void]) -> NDArray[np.void]:
    """The same environments in records of the present layout: the argument, if they are."""
    if envs.dtype["things"].base == THING_DTYPE:
        return envs
    room = envs.dtype["things"].shape[0]
    capacity = CAPACITY if envs["num_things"].max(initial=0) <= CAPACITY else room
    result = np.zeros(len(envs), _now(envs.dtype, capacity))
    for name in result.dtype.names or ():
        old, new = envs[name], result[name]
        if name in _OF_THINGS:
            old, new = old[:, :capacity], new[:, :room]
        for field in new.dtype.names or ():
            new[field] = old[field]
        if not new.dtype.names:
            new[...] = old
    # Numbers may have been too large for the field; what counts is their order.
    result["things"]["entered"][:, :room] = order_of(envs["things"]["entered"][:, :capacity])
    result["player"]["entered"] = 0
    result["next_entered"] = capacity
    return result


def order_of(entered: NDArray[Any]) -> NDArray[np.int64]:
    """The numbers 0 … of each row's places, in the order of what stands there."""
    return entered.argsort(1, kind="stable").argsort(1)


def _now(old: np.dtype[np.void], capacity: int) -> np.dtype[np.void]:
    items, achievements = (old["player"][name].shape[0] for name in ("inventory", "achievements"))
    player = player_dtype(items, achievements)
    return _with(widened(old, capacity), {"player": player})


def _first(now: np.dtype[np.void], capacity: int) -> np.dtype[np.void]:
    wider = _with(now["player"], {"entered": np.dtype(np.int32)})
    return _with(now, {"player": wider, "things": np.dtype((_THING, capacity))})


def _with(dtype: np.dtype[np.void], changed: dict[str, np.dtype[Any]]) -> np.dtype[np.void]:
    """A record in which some fields have other types."""
    names = dtype.names or ()
    return np.dtype([(name, changed.get(name, dtype[name])) for name in names], align=True)
