"""Pushing: the rule by itself, and Sokoban held against recordings of Griddly."""

from __future__ import annotations

import json
import zlib

import numpy as np

from mars_logic import load_world
from mars_logic.sim import Simulator
from mars_logic.sim.state import materials_of
from tests.paths import DATA, REPOSITORY

MOVES = {"l": 1, "r": 2, "u": 3, "d": 4}
SIGNS = {"wall": "W", "floor": ".", "target": "o", "box": "b", "stored_box": "*"}


def layout(simulator):
    """The drawing as it is now, as the recorder writes it."""
    world = simulator.world
    env = simulator.snapshot().envs[0]
    signs = [SIGNS.get(name, " ") for name in world.vocabulary.materials]
    text = np.array(signs)[materials_of(env)]
    x, y = env["player"]["x"], env["player"]["y"]
    text[x, y] = "+" if text[x, y] == "o" else "@"
    rows = ("".join(row).strip() for row in text.T)
    return "\n".join(row for row in rows if row)


def test_sokoban_is_that_of_griddly():
    recorded = json.loads((DATA / "sokoban.json").read_text())
    world = load_world(REPOSITORY / "worlds" / "gallery" / "sokoban.yaml")
    simulator = Simulator(world)
    total, solved, levels = 0, 0, len(world.map.drawings)
    assert sum(map(len, recorded["episodes"])) > 10_000
    for number, (moves, expected) in enumerate(
        zip(recorded["episodes"], recorded["sums"], strict=True)
    ):
        simulator.reset(number % levels)
        for move in moves:
            reward, _ = simulator.step(MOVES[move])
            total = zlib.crc32(layout(simulator).encode(), total)
        assert total == expected, f"the first difference is in episode {number}"
        solved += bool(reward[0] >= 1)
    assert solved == recorded["solved"] == levels
