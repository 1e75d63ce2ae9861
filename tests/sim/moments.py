"""Varied states: reached by play, then rearranged where the player's rules look."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic import World
from mars_logic.sim import Scene, Simulator
from mars_logic.sim.codes import NUM_ACTIONS
from mars_logic.sim.layout import BORDER
from mars_logic.sim.snapshot import copy_envs
from mars_logic.world import names
from mars_logic.world.dialect import AREA

STREAMS = 5
"""Random streams that each state is tried with."""

_DIRECTIONS = ((-1, 0), (1, 0), (0, -1), (0, 1))
_STATIONS = ("table", "furnace")


def moments(world: World, seed: int, count: int) -> NDArray[np.void]:
    """Records of environments in different states, every fourth as random play left it."""
    dice = np.random.default_rng(seed)
    simulator = Simulator(world, n=count)
    simulator.reset(seed)
    for _ in range(int(dice.integers(0, 120))):
        simulator.step(dice.integers(0, NUM_ACTIONS, count))
    played = simulator.snapshot()
    scenes = [Scene(played, i) for i in range(count)]
    for scene, env in zip(scenes, played.envs, strict=True):
        if not env["done"] and dice.random() < 0.75:
            _rearrange(scene, env, dice)
    return np.concatenate([scene.snapshot().envs for scene in scenes])


def with_streams(envs: NDArray[np.void], seed: int) -> NDArray[np.void]:
    """Each environment STREAMS times, with other random streams."""
    envs = copy_envs(np.repeat(envs, STREAMS))
    dice = np.random.default_rng(seed)
    envs["stream"]["words"] = dice.integers(0, 2**32, (len(envs), 624), np.uint32)
    return envs


def _rearrange(scene: Scene, env: Any, dice: np.random.Generator) -> None:
    """Change the player, its place, the ground around it, and what it faces."""
    x, y = (int(dice.choice([0, 1, dice.integers(AREA), AREA - 2, AREA - 1])) for _ in "xy")
    if _is_empty(env, x, y):
        scene.player(at=(x, y))
    else:
        x, y = int(env["player"]["x"]), int(env["player"]["y"])
    for column in range(max(x - 1, 0), min(x + 2, AREA)):
        for row in range(max(y - 1, 0), min(y + 2, AREA)):
            if dice.random() < 0.6:
                among = _STATIONS if dice.random() < 0.25 else names.MATERIALS[1:]
                scene.fill(str(dice.choice(among)), column, row)
    dx, dy = _DIRECTIONS[dice.integers(4)]
    _change_player(scene, (dx, dy), dice)
    if _is_empty(env, x + dx, y + dy) and dice.random() < 0.4:
        _put_something(scene, (x + dx, y + dy), (-dx, -dy), dice)


def _is_empty(env: Any, x: int, y: int) -> bool:
    return 0 <= x < AREA and 0 <= y < AREA and bool(env["cells"][x + BORDER, y + BORDER] < 16)


def _change_player(scene: Scene, facing: tuple[int, int], dice: np.random.Generator) -> None:
    """Give it amounts and counters among which are those at which something happens."""
    held = {item: int(dice.choice([0, 1, 2, 9])) for item in names.HOLDABLE}
    vitals = {vital: int(dice.choice([0, 1, 5, 8, 9])) for vital in names.VITALS}
    scene.player(
        facing=facing,
        inventory=held | vitals | {"health": max(1, vitals["health"])},
        sleeping=dice.random() < 0.2,
        hunger=dice.choice([0, 7, 25]),
        thirst=dice.choice([0, 0.5, 7, 20]),
        fatigue=dice.choice([-10, -3, 0, 30]),
        recover=dice.choice([-15, 0, 24, 25]),
    )


def _put_something(
    scene: Scene, place: tuple[int, int], facing: tuple[int, int], dice: np.random.Generator
) -> None:
    kind = str(dice.choice(["cow", "zombie", "skeleton", "arrow", "plant", "plant"]))
    counters = {"health": int(dice.integers(0, 7))}
    if kind == "arrow":
        counters = {"facing_x": facing[0], "facing_y": facing[1], "arrow_factor": -1}
    if kind == "plant":
        counters["grown"] = int(dice.choice([0, 30, 31, 300, 301]))
    scene.put(kind, *place, **counters)
