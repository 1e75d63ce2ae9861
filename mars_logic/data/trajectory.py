"""The trajectory of an episode: what an agent may see of it, one row a transition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.world import names

SCHEMA: Final = "mars-logic trajectory"
VERSION: Final = 1
VIEW: Final = (9, 7)
"""Columns and rows of a view; the player is in its middle."""
CENTRE: Final = (VIEW[0] // 2, VIEW[1] // 2)
_KINDS: Final = np.array(
    [names.LOOKS.index(names.kind_of_look(look)) for look in names.LOOKS], np.uint8
)


@dataclass(frozen=True)
class About:
    """Where a trajectory comes from.

    Attributes:
        world: The name of the world, or the path it was loaded from.
        digest: The world's digest.
        dynamics: The dialect, whose constants are known to everyone.
        seed: The seed of the environment.
        episode: Which episode of that seed.
        agent: Who played.
        versions: Of the tools that made it.
    """

    world: str
    digest: str
    dynamics: names.Dynamics
    seed: int
    episode: int = 1
    agent: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Views:
    """What is seen at n moments.

    Attributes:
        materials: uint8[n, 9, 7], indexed [moment, x, y]: codes of ``names.MATERIALS`` around the
            player, who is at [4, 3]; 0 outside the map.
        objects: uint8[n, 9, 7]: codes of ``names.LOOKS`` on the same cells.
        inventory: uint8[n, 16]: amounts in the order of ``names.ITEMS``; the vitals come first.
        facing: int8[n, 2]: the direction (dx, dy) that the player looks in; y grows downwards.
        sleeping: bool[n].
        daylight: float64[n]: from 0 (dark) to 1.
    """

    materials: NDArray[np.uint8]
    objects: NDArray[np.uint8]
    inventory: NDArray[np.uint8]
    facing: NDArray[np.int8]
    sleeping: NDArray[np.bool_]
    daylight: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.materials)

    @property
    def kinds(self) -> NDArray[np.uint8]:
        """uint8[n, 9, 7]: the objects, with arrows of every direction as plain ``arrow``."""
        return _KINDS[self.objects]

    def __getitem__(self, part: slice) -> Views:
        """Some of the moments; no array is copied."""
        return Views(**{each.name: getattr(self, each.name)[part] for each in fields(self)})


@dataclass(frozen=True, eq=False)
class Trajectory:
    """One episode from its reset on; transition t leads from ``before[t]`` to ``after[t]``.

    Attributes:
        about: Where it comes from.
        views: What was seen at the reset and after each step: T + 1 moments.
        action: uint8[T]: codes of ``names.ACTIONS``.
        reward: float64[T].
        unlocked: bool[T, 22]: the achievements reached for the first time in the episode, in the
            order of ``names.achievements``.
        done: bool[T]: the episode ended with this step, by death or by its length.
        source: The file it was read from, or a name; it serves to point at transitions.
    """

    about: About
    views: Views
    action: NDArray[np.uint8]
    reward: NDArray[np.float64]
    unlocked: NDArray[np.bool_]
    done: NDArray[np.bool_]
    source: str = ""

    def __len__(self) -> int:
        return len(self.action)

    @property
    def before(self) -> Views:
        """What was seen before each transition: T moments."""
        return self.views[:-1]

    @property
    def after(self) -> Views:
        """What was seen after each transition: T moments."""
        return self.views[1:]


Shape = tuple[int | str, ...]

LAYOUT: Final[dict[str, tuple[type[np.generic], Shape]]] = {
    "materials": (np.uint8, ("S", *VIEW)),
    "objects": (np.uint8, ("S", *VIEW)),
    "inventory": (np.uint8, ("S", len(names.ITEMS))),
    "facing": (np.int8, ("S", 2)),
    "sleeping": (np.bool_, ("S",)),
    "daylight": (np.float64, ("S",)),
    "action": (np.uint8, ("T",)),
    "reward": (np.float64, ("T",)),
    "unlocked": (np.bool_, ("T", len(names.achievements("mars")))),
    "done": (np.bool_, ("T",)),
}
"""Type and shape of every array; T is the number of transitions, S is T + 1."""


def assemble(about: About, arrays: Mapping[str, NDArray[Any]], source: str = "") -> Trajectory:
    """The trajectory made of arrays as in :data:`LAYOUT`, which become read-only."""
    for array in arrays.values():
        array.flags.writeable = False
    seen = {each.name: arrays[each.name] for each in fields(Views)}
    rest = {name: arrays[name] for name in ("action", "reward", "unlocked", "done")}
    return Trajectory(about=about, views=Views(**seen), source=source, **rest)


def columns(trajectory: Trajectory) -> dict[str, NDArray[Any]]:
    """The arrays of a trajectory, as in :data:`LAYOUT`."""
    return {
        name: getattr(trajectory.views if name in Views.__annotations__ else trajectory, name)
        for name in LAYOUT
    }
