"""What can be seen of environments: the player's view of all, the full state of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import kernel
from mars_logic.sim.board import kind_at, material_at
from mars_logic.sim.codes import (
    NUM_ITEMS,
    OBJECTS,
    PLANT,
    RIPE_PLANT,
    VIEW_HEIGHT,
    VIEW_WIDTH,
)
from mars_logic.sim.layout import BORDER, Env
from mars_logic.sim.tables import Rules
from mars_logic.world import names


@dataclass(frozen=True, slots=True)
class Observation:
    """What the players of a batch of n environments may know. Arrays are indexed [env, ...].

    Attributes:
        materials: uint8[n, 9, 7], indexed [env, x, y]: material codes (``names.MATERIALS``) of the
            cells around the player, who is at [4, 3]; 0 outside the map.
        objects: uint8[n, 9, 7]: object codes (``codes.OBJECTS``) on the same cells. A ripe plant
            has a code of its own, since it looks different.
        inventory: int16[n, 16]: amounts in the order of ``names.ITEMS``, 0 to 9 each.
        facing: int8[n, 2]: the direction (dx, dy) that the player looks in; y grows downwards.
        sleeping: bool[n].
        daylight: float64[n]: from 0 (dark) to 1.
    """

    materials: NDArray[np.uint8]
    objects: NDArray[np.uint8]
    inventory: NDArray[np.int16]
    facing: NDArray[np.int8]
    sleeping: NDArray[np.bool_]
    daylight: NDArray[np.float64]

    @property
    def status(self) -> NDArray[np.int16]:
        """int16[n, 4]: health, food, drink, energy; the first four of the inventory."""
        return self.inventory[:, : len(names.VITALS)]


def observe(
    envs: NDArray[np.void], rules: NDArray[np.void], daylight: NDArray[np.float64]
) -> Observation:
    """The observation of a batch of environments (records of ``layout.env_dtype``)."""
    n = len(envs)
    observation = Observation(
        materials=np.empty((n, VIEW_WIDTH, VIEW_HEIGHT), np.uint8),
        objects=np.empty((n, VIEW_WIDTH, VIEW_HEIGHT), np.uint8),
        inventory=np.empty((n, NUM_ITEMS), np.int16),
        facing=np.empty((n, 2), np.int8),
        sleeping=np.empty(n, np.bool_),
        daylight=np.empty(n, np.float64),
    )
    _observe_batch(
        envs,
        rules,
        daylight,
        observation.materials,
        observation.objects,
        observation.inventory,
        observation.facing,
        observation.sleeping,
        observation.daylight,
    )
    return observation


@kernel
def _observe_batch(
    envs: Any,
    rules: Any,
    daylight_table: Any,
    materials: Any,
    objects: Any,
    inventory: Any,
    facing: Any,
    sleeping: Any,
    daylight: Any,
) -> None:
    for i in range(len(envs)):
        env = envs[i]
        player = env.player
        for column in range(VIEW_WIDTH):
            for row in range(VIEW_HEIGHT):
                x = player.x - VIEW_WIDTH // 2 + column
                y = player.y - VIEW_HEIGHT // 2 + row
                materials[i, column, row] = material_at(env, x, y)
                objects[i, column, row] = _seen_at(env, rules[0], x, y)
        for item in range(NUM_ITEMS):
            inventory[i, item] = player.inventory[item]
        facing[i, 0] = player.facing_x
        facing[i, 1] = player.facing_y
        sleeping[i] = player.sleeping
        daylight[i] = daylight_table[env.step]


@kernel
def _seen_at(env: Env, rules: Rules, x: int, y: int) -> int:
    kind = kind_at(env, x, y)
    if kind == PLANT:
        for i in range(env.num_things):
            thing = env.things[i]
            if thing.x == x and thing.y == y and thing.grown > rules.ripe_age:
                return RIPE_PLANT
    return kind


OBJECT_DTYPE: Final = np.dtype(
    [
        (name, np.int32)
        for name in (
            "kind",
            "x",
            "y",
            "health",
            "cooldown",
            "reload",
            "grown",
            "facing_x",
            "facing_y",
            "arrow_factor",
        )
    ]
)
"""What is known of an object: its kind (``codes.OBJECTS``), its place, and its counters.

``cooldown`` and ``reload`` are steps until it can hit and shoot again, ``grown`` is the age of a
plant; ``facing_x``, ``facing_y`` and ``arrow_factor`` (health that its hit costs, in units of 2)
belong to arrows. A field without meaning for a kind is 0.
"""


@dataclass(frozen=True, slots=True)
class State:
    """Everything about one environment but its random stream. Its arrays are read-only copies.

    Attributes:
        materials: uint8[64, 64], indexed [x, y]: material codes (``names.MATERIALS``).
        objects: records of :data:`OBJECT_DTYPE`, one for each creature, arrow and plant, in the
            order of their creation. The player is not among them.
        x: The player's column.
        y: The player's row, counted downwards.
        facing: The direction (dx, dy) that the player looks in.
        sleeping: Whether the player sleeps.
        inventory: int16[16], in the order of ``names.ITEMS``.
        achievements: int16[22]: how often each was reached, in the order of
            ``names.achievements``.
        hunger: Steps towards the next loss of food (above 25).
        thirst: Steps towards the next loss of drink (above 20).
        fatigue: Steps towards the next loss (above 30) or gain (below -10) of energy.
        recover: Steps towards the next gain (above 25) or loss (below -15) of health.
        step: Steps since the reset.
        daylight: From 0 (dark) to 1.
        done: Whether the episode is over.
    """

    materials: NDArray[np.uint8]
    objects: NDArray[np.void]
    x: int
    y: int
    facing: tuple[int, int]
    sleeping: bool
    inventory: NDArray[np.int16]
    achievements: NDArray[np.int16]
    hunger: float
    thirst: float
    fatigue: float
    recover: float
    step: int
    daylight: float
    done: bool


def materials_of(env: Env) -> NDArray[np.uint8]:
    """The material codes of the whole map of one environment: uint8[64, 64], a copy."""
    cells: NDArray[np.uint8] = env["cells"][BORDER:-BORDER, BORDER:-BORDER] & 15
    return cells


def objects_of(env: Env) -> NDArray[np.void]:
    """The objects of one environment besides the player: records of :data:`OBJECT_DTYPE`."""
    things = env["things"][: env["num_things"]]
    objects = np.empty(len(things), OBJECT_DTYPE)
    for name in OBJECT_DTYPE.names or ():
        objects[name] = things[name]
    return objects


def state_of(env: Env, daylight: NDArray[np.float64]) -> State:
    """The state of one environment (a record of ``layout.env_dtype``)."""
    player = env["player"]
    arrays = (
        materials_of(env),
        objects_of(env),
        player["inventory"].copy(),
        player["achievements"].copy(),
    )
    for array in arrays:
        array.flags.writeable = False
    materials, objects, inventory, achievements = arrays
    return State(
        materials=materials,
        objects=objects,
        x=int(player["x"]),
        y=int(player["y"]),
        facing=(int(player["facing_x"]), int(player["facing_y"])),
        sleeping=bool(player["sleeping"]),
        inventory=inventory,
        achievements=achievements,
        hunger=float(player["hunger"]),
        thirst=float(player["thirst"]),
        fatigue=float(player["fatigue"]),
        recover=float(player["recover"]),
        step=int(env["step"]),
        daylight=float(daylight[env["step"]]),
        done=bool(env["done"]),
    )


def creatures_of(env: Env) -> tuple[tuple[str, int, int], ...]:
    """Kind and place (name, x, y) of each object besides the player, in order of creation."""
    objects = objects_of(env)
    return tuple(
        (OBJECTS[kind], int(x), int(y))
        for kind, x, y in zip(objects["kind"], objects["x"], objects["y"], strict=True)
    )
