"""Episodes that PyPI crafter's ``Recorder`` wrote (``.npz``), as trajectories.

It keeps the map with creatures in place of what is below them, the player's place and inventory
after each step, and nothing of the state before the first. What is below a creature is taken from
moments at which the cell is free, since nothing changes while something stands on it.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.inferred import inferred
from mars_logic.data.own_arrays import from_arrays
from mars_logic.data.trajectory import VIEW, Trajectory
from mars_logic.errors import InputError
from mars_logic.system.array_files import read_arrays
from mars_logic.system.printable import in_one_line
from mars_logic.world import names
from mars_logic.world.dialect import AREA, LONGEST_EPISODE, MAXIMUM
from mars_logic.world.problems import WorldWarning
from mars_logic.world.theory import World

_MOST_BYTES: Final = 100_000_000
_PLACED: Final = ("semantic", "player_pos")
_FREE: Final = len(names.MATERIALS)
"""Codes from here on are objects, in the order of ``names.OBJECTS`` from the player on."""
_GROUND: Final = [names.MATERIALS.index(name) for name in ("grass", "sand", "path")]
_SEEN: Final = len(names.OBJECTS) - 1


def from_recorder(path: Path, world: World, episode: int = 1) -> Trajectory:
    """The trajectory of an episode, from after its first step on.

    Args:
        path: The file.
        world: What was played: Crafter, or a world with Crafter's dialect and names.
        episode: Its number, since the file tells no seed.

    Raises:
        InputError: The file is damaged or no such recording, or no step of it can be used.
    """
    if world.dynamics != "crafter" or world.adds:
        found = f"the recording is of Crafter, and {in_one_line(world.name)} is another game"
        raise InputError(f"{path}:1: world: {found}; allowed: crafter, or a variant of its rules")
    arrays = _arrays(path, world)
    below = _below(arrays["semantic"])
    looks = np.where(arrays["semantic"] >= _FREE, arrays["semantic"] - _FREE + 1, 0)
    place = arrays["player_pos"]
    # The first moment is that of the reset: nothing but the inventory is known of it.
    objects = _around(looks, place)
    inventory = arrays["inventory"]
    inventory[0, : len(names.VITALS)] = MAXIMUM
    facing, sleeping, known = inferred(inventory, objects, arrays["action"][1:], crafter=True)
    materials = _around(below, place)
    x, y = (side // 2 for side in VIEW)
    unseen = _around(np.where(below == 0, 1, 0), place)[:, x - 1 : x + 2, y - 1 : y + 2]
    hidden = np.flatnonzero(unseen[1:].reshape(len(place) - 1, -1).sum(axis=1))
    known = min(known, int(hidden[0]) + 1) if len(hidden) else known
    steps = known - 2
    if steps < 1:
        raise InputError(f"{path}:1: steps: there is none to use; allowed: two or more")
    if known < len(place):
        _say_cut(path, steps, len(place) - 1)
    counts = arrays["achievements"]
    from mars_logic.sim.daylight import daylight_table

    part = slice(1, known)
    ends = known == len(place)
    dead = ends and bool(inventory[-1, 0] == 0)
    return from_arrays(
        world,
        {
            "materials": materials[part],
            "objects": objects[part],
            "inventory": inventory[part],
            "facing": facing[part],
            "sleeping": sleeping[part],
            "daylight": daylight_table()[part],
        },
        arrays["action"][2:known],
        arrays["reward"][2:known],
        (counts[2:known] > 0) & (counts[1 : known - 1] == 0),
        terminated=dead,
        truncated=bool(ends and arrays["done"][-1] and not dead),
        episode=episode,
        agent="recorded",
        unknown=("first_step",),
        source=str(path),
    )


def _say_cut(path: Path, used: int, steps: int) -> None:
    warnings.warn(
        f"{path}:1: step: {used:,} of {steps:,} steps are used; after them it is not known whether "
        "the player sleeps, or what is below a creature beside it",
        WorldWarning,
        stacklevel=3,
    )


def _arrays(path: Path, world: World) -> dict[str, NDArray[Any]]:
    """The arrays, checked; inventory and achievements as one array each."""
    items = [f"ainventory_{name}" for name in world.vocabulary.items]
    goals = [f"achievement_{name}" for name in world.vocabulary.achievements]
    wanted = (*_PLACED, "action", "reward", "done", *items, *goals)
    found = read_arrays(path, wanted, _MOST_BYTES)
    moments = len(found["semantic"]) if "semantic" in found and found["semantic"].ndim else 0
    shapes = {"semantic": (moments, AREA, AREA), "player_pos": (moments, 2)}
    bounds = {
        "semantic": _FREE + _SEEN - 1,
        "player_pos": AREA - 1,
        "action": len(names.ACTIONS) - 1,
        "done": 1,
        **dict.fromkeys(items, MAXIMUM),
        **dict.fromkeys(goals, LONGEST_EPISODE),
    }
    if not 2 <= moments <= LONGEST_EPISODE + 1:
        told = f"{moments:,} moments"
        raise InputError(f"{path}:1: semantic: {told}; allowed: 2 to {LONGEST_EPISODE + 1:,}")
    for name in wanted:
        array, shape = found.get(name), shapes.get(name, (moments,))
        if array is None:
            raise InputError(f"{path}:1: {name}: it is missing; allowed: what Recorder writes")
        if array.shape != shape or array.dtype.kind not in "biuf":
            told = f"{array.dtype} of shape {array.shape}"
            raise InputError(f"{path}:1: {name}: {told}; allowed: numbers of shape {shape}")
        most = bounds.get(name, 1e9)
        least = -1e9 if name == "reward" else 0
        if not ((array >= least) & (array <= most)).all():
            told = f"{array.min():g} to {array.max():g}"
            raise InputError(f"{path}:1: {name}: {told}; allowed: {least:g} to {most:g}")
    held = {name: found[name] for name in ("semantic", "player_pos", "action", "reward", "done")}
    held = {
        name: each if name == "reward" else each.astype(np.int64) for name, each in held.items()
    }
    # Of the first moment the file holds zeros: the map is that after the first step.
    for name in _PLACED:
        held[name][0] = held[name][1]
    stacked = {"inventory": items, "achievements": goals}
    return held | {
        name: np.stack([found[each] for each in of], axis=1).astype(np.int64)
        for name, of in stacked.items()
    }


def _below(maps: NDArray[np.int64]) -> NDArray[np.int64]:
    """The materials of maps[T + 1, 64, 64]; 0 where they are not known.

    The next moment at which a cell is free tells most: in the step in which something goes there,
    the player may have changed it first. Where it stays to the end, the moment before tells, if
    that was ground to walk on.
    """
    found = np.where(maps < _FREE, maps, 0)
    for t in range(len(found) - 2, -1, -1):
        np.copyto(found[t], found[t + 1], where=found[t] == 0)
    for t in range(1, len(found)):
        known = (found[t] == 0) & np.isin(found[t - 1], _GROUND)
        np.copyto(found[t], found[t - 1], where=known)
    return found


def _around(maps: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.uint8]:
    """uint8[T + 1, 9, 7]: what is in view, 0 outside the map."""
    x, y = (side // 2 for side in VIEW)
    padded = np.pad(maps, ((0, 0), (x, x), (y, y))).astype(np.uint8)
    windows = np.lib.stride_tricks.sliding_window_view(padded, VIEW, axis=(1, 2))
    found: NDArray[np.uint8] = windows[np.arange(len(maps)), places[:, 0], places[:, 1]]
    return found
