"""Cells that change by themselves, held against the same in plain Python, draw by draw."""

from __future__ import annotations

import numpy as np
import pytest

from mars_logic.sim import Simulator
from mars_logic.sim.daylight import daylight
from mars_logic.sim.state import materials_of
from mars_logic.sim.stream import uniform
from mars_logic.world.load import parse_theory

MEADOW = """\
name: meadow
base: default
length: 400
map:
  drawn: |
{rows}
  legend: {{r: reed, f: flame, S: sand, "@": {{material: sand, player: true}}}}
adds:
  materials: [reed, flame, ash]
beside:
  reed: {{becomes: {{flame: flame, water: water}}, chance: 0.2}}
  flame: {{becomes: {{water: ash}}}}
timer:
  flame: {{becomes: ash, after: 3, chance: 0.5}}
  ash: {{becomes: sand, after: 4, when: day, near: [sand]}}
  sand: {{becomes: reed, after: 6, chance: 0.02, when: night}}
  stone: {{becomes: flame, after: 30, chance: 0.001}}
"""
WIDTH, HEIGHT = 45, 9


def meadow():
    """A drawing so wide that not all of it is around the player."""
    dice = np.random.default_rng(4)
    cells = dice.choice(list("rrrr.#~s"), (HEIGHT, WIDTH))
    cells[4, 8], cells[2, 10], cells[6, 30] = "@", "f", "f"
    rows = "\n".join("    " + "".join(row).replace(".", "#") for row in cells)
    return parse_theory(MEADOW.format(rows=rows.replace("s", "S")), "meadow.yaml")


class Plain:
    """The rules of the docs, a cell at a time."""

    def __init__(self, world, env):
        self.world, self.names = world, world.vocabulary.materials
        self.cells = materials_of(env).copy()
        self.ages = np.zeros_like(self.cells, dtype=int)

    def step(self, env, step):
        """All changes of one step, with the numbers that a copy of the stream gives."""
        before, stream = self.cells.copy(), env["stream"].copy()
        self.dark = daylight(step) < 0.5
        drawn = np.zeros(1, env.dtype)
        drawn[0]["stream"] = stream
        px, py = int(env["player"]["x"]), int(env["player"]["y"])
        for x in range(64):
            for y in range(64):
                if abs(x - px) + abs(y - py) < 18 and before[x, y]:
                    into = self._change(before, x, y, lambda: uniform(drawn[0]["stream"]))
                    if into:
                        self.cells[x, y], self.ages[x, y] = self.names.index(into), 0

    def _change(self, before, x, y, draw):
        name = self.names[before[x, y]]
        around = [before[x + dx, y + dy] for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1))]
        sides = {self.names[code] for code in around}
        if rule := self.world.beside.get(name):
            first = next((other for other in self.names if other in sides & {*rule.becomes}), None)
            if first and (rule.chance == 1 or draw() < rule.chance):
                return rule.becomes[first]
        if rule := self.world.timer.get(name):
            self.ages[x, y] += 1
            right_time = rule.when == "always" or (rule.when == "night") == self.dark
            right_place = not rule.near or sides & {*rule.near}
            due = self.ages[x, y] >= rule.after and right_time and right_place
            if due and (rule.chance == 1 or draw() < rule.chance):
                return rule.becomes
        return None


@pytest.mark.parametrize("seed", [0, 7])
def test_cells_change_as_in_plain_python(seed):
    world = meadow()
    simulator = Simulator(world)
    simulator.reset(seed)
    plain = Plain(world, simulator.snapshot().envs[0])
    begun = plain.cells.copy()
    for step in range(1, 231):
        env = simulator.snapshot().envs[0].copy()
        assert env["num_things"] == 0
        _, done = simulator.step(0)  # the player stays, so that nothing else draws
        plain.step(env, step)
        after = simulator.snapshot().envs[0]
        assert np.array_equal(materials_of(after), plain.cells), step
        if done[0]:
            break
    changed = plain.cells != begun
    assert changed.sum() > 50
    px, py = int(env["player"]["x"]), int(env["player"]["y"])
    assert all(abs(x - px) + abs(y - py) < 18 for x, y in np.argwhere(changed))
    names = {world.vocabulary.materials[code] for code in np.unique(plain.cells)}
    assert {"reed", "ash", "sand"} <= names
