"""The full state of one environment, and views of its record."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim.board import OTHERS
from mars_logic.sim.cells import cells_of
from mars_logic.sim.layout import BORDER, Env, is_wide_record
from mars_logic.world.dialect import AREA
from mars_logic.world.vocabulary import Vocabulary

_INSIDE: Final = (slice(BORDER, BORDER + AREA),) * 2
"""The cells of the map in a layer."""
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
"""Record of an object: its kind (``codes.OBJECTS``), its position and its counters.

``cooldown`` and ``reload`` are steps until it can hit and shoot again, ``grown`` is the age of a
plant; ``facing_x``, ``facing_y`` and ``arrow_factor`` (health that its hit costs, in units of 2)
belong to arrows. A field without meaning for a kind is 0.
"""


@dataclass(frozen=True, slots=True)
class State:
    """The full state of one environment except its random stream. Arrays are read-only copies.

    Attributes:
        materials: uint8[64, 64], indexed [x, y]: material codes (``names.MATERIALS``).
        objects: records of :data:`OBJECT_DTYPE`, one for each creature, arrow and plant, in the
            order of their creation. The player is not among them.
        x: The player's column.
        y: The player's row, counted downwards.
        facing: The direction (dx, dy) that the player looks in.
        sleeping: Whether the player sleeps.
        inventory: int16[16], in the order of ``names.ITEMS``.
        achievements: int16[22]: number of times each was reached, in the order of
            ``Vocabulary.achievements``.
        hunger: Steps towards the next loss of food (above 25).
        thirst: Steps towards the next loss of drink (above 20).
        fatigue: Steps towards the next loss (above 30) or gain (below -10) of energy.
        recover: Steps towards the next gain (above 25) or loss (below -15) of health.
        step: Steps since the reset.
        daylight: From 0 (dark) to 1.
        done: Whether the episode is over.
        marks: uint8[64, 64]: marks of the cells (``Vocabulary.marks``, on the material remains
            ``Vocabulary.remains``); None in a dialect without traces.
        in_bed: Whether the player has lain in a bed and was not hurt since.
        boss: Whether the player does not bleed.
        gone: Whether the player is dead and has a body in its place.

    Codes and numbers of items and achievements are those of the dialect's vocabulary.
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
    marks: NDArray[np.uint8] | None = None
    in_bed: bool = False
    boss: bool = False
    gone: bool = False


@cache
def _semantic(words: Vocabulary) -> NDArray[np.uint8]:
    """Semantic code of an object by its kind."""
    first = len(words.cells) if words.cells else len(words.materials) - 1
    return np.arange(len(words.objects), dtype=np.uint8) + np.uint8(first)


def semantic_of(envs: NDArray[np.void], words: Vocabulary) -> NDArray[np.uint8]:
    """The whole maps of a batch with their objects: uint8[n, 64, 64], indexed [env, x, y].

    A cell is its code (:func:`mars_logic.sim.cells.cells_of`), or, with an object on it, the last
    of these codes + the object's code.
    """
    inside: NDArray[np.uint8] = envs["cells"][:, BORDER:-BORDER, BORDER:-BORDER]
    marks = envs["marks"][:, BORDER:-BORDER, BORDER:-BORDER] if words.traced else None
    materials = envs["marks"][:, *_INSIDE] if words.wide else inside & 15
    grounds, kinds = cells_of(words, materials.astype(np.uint8), marks), inside >> 4
    maps: NDArray[np.uint8] = np.where(kinds > 0, _semantic(words)[kinds], grounds)
    return maps


def marks_of(env: Env, words: Vocabulary) -> NDArray[np.uint8] | None:
    """The marks of the whole map of one environment: uint8[64, 64], a copy; None without marks."""
    if not words.traced:
        return None
    marks: NDArray[np.uint8] = env["marks"][BORDER:-BORDER, BORDER:-BORDER].copy()
    return marks


def materials_of(env: Env) -> NDArray[np.uint8]:
    """The material codes of the whole map of one environment: uint8[64, 64], a copy."""
    if is_wide_record(env.dtype):
        layer: NDArray[np.uint8] = env["marks"][_INSIDE].copy()
        return layer
    cells: NDArray[np.uint8] = env["cells"][BORDER:-BORDER, BORDER:-BORDER] & 15
    return cells


def write_materials(env: Env, x: slice, y: slice, materials: NDArray[np.uint8] | int) -> None:
    """Change the materials of a block of cells by hand; things on them stay.

    The grass and path of chunks are left to be counted.

    Args:
        env: A record of ``layout.env_dtype``.
        x: Columns of the map.
        y: Rows of the map.
        materials: Their codes: uint8[columns, rows], or one for all.
    """
    columns, rows = (slice(part.start + BORDER, part.stop + BORDER) for part in (x, y))
    cells = env["cells"][columns, rows]
    cells[...] = (cells & 0xF0) | np.minimum(materials, OTHERS)
    if is_wide_record(env.dtype):
        env["marks"][columns, rows] = materials


def objects_of(env: Env) -> NDArray[np.void]:
    """The objects of one environment besides the player: records of :data:`OBJECT_DTYPE`."""
    number = env["num_things"]
    things = env["things"][:number]
    objects = np.empty(number, OBJECT_DTYPE)
    objects["x"], objects["y"] = env["thing_x"][:number], env["thing_y"][:number]
    for name in set(OBJECT_DTYPE.names or ()) - {"x", "y"}:
        objects[name] = things[name]
    return objects


def state_of(env: Env, daylight: NDArray[np.float64], words: Vocabulary) -> State:
    """The state of one environment (a record of ``layout.env_dtype``)."""
    player = env["player"]
    marks = marks_of(env, words)
    if marks is not None:
        marks.flags.writeable = False
    arrays = (
        materials_of(env),
        objects_of(env),
        player["inventory"][: len(words.items)].copy(),
        player["achievements"][: len(words.achievements)].copy(),
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
        marks=marks,
        in_bed=bool(player["in_bed"]),
        boss=bool(player["boss"]),
        gone=bool(player["gone"]),
    )


def creatures_of(env: Env, words: Vocabulary) -> tuple[tuple[str, int, int], ...]:
    """Kind and place (name, x, y) of each object besides the player, in order of creation."""
    objects = objects_of(env)
    return tuple(
        (words.objects[kind], int(x), int(y))
        for kind, x, y in zip(objects["kind"], objects["x"], objects["y"], strict=True)
    )
