"""Creatures that act by tables of cases: Crafter's as such tables, and each condition and deed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mars_logic import load_world
from mars_logic.sim import Simulator
from mars_logic.sim.daylight import daylight
from mars_logic.sim.state import materials_of
from mars_logic.sim.stream import below, uniform
from mars_logic.world.load import parse_theory

AS_CASES = """\
name: as_cases
base: default
behaviour:
  cow: {cases: [{act: wander, chance: 0.5}]}
  zombie:
    cases: [{act: approach, within: 8, chance: 0.9}, {act: wander}]
  skeleton:
    cases:
      - {act: shoot, within: 5, chance: 0.5}
      - {act: approach, within: 8, chance: 0.3, straight: 0.6}
      - {act: wander, chance: 0.2}
"""


def test_crafters_creatures_are_tables_like_others():
    """Whole episodes are the same as with the flags, and so is every draw."""
    usual, world = load_world("default"), parse_theory(AS_CASES, "as_cases.yaml")
    both = [Simulator(each, 8) for each in (usual, world)]
    for simulator in both:
        simulator.reset(np.arange(8))
    dice = np.random.default_rng(3)
    for _ in range(300):
        actions = dice.integers(0, 7, 8)
        results = [simulator.step(actions) for simulator in both]
        assert np.array_equal(results[0].reward, results[1].reward)
    for env in range(8):
        one, other = (simulator.state(env) for simulator in both)
        assert np.array_equal(one.objects, other.objects)
        assert np.array_equal(one.materials, other.materials)
        assert np.array_equal(one.inventory, other.inventory[: len(one.inventory)])
    words = [simulator.snapshot().envs["stream"] for simulator in both]
    assert np.array_equal(words[0], words[1])


PASTURE = """\
name: pasture
base: default
length: 600
map:
  drawn: |
{rows}
  legend:
    f: fern
    ".": heath
    w: {{material: heath, creature: wolf}}
    b: {{material: sand, creature: bird}}
    "@": {{material: sand, player: true}}
adds:
  materials: [fern, stub, heath]
  items: [torch]
  creatures: {{wolf: {{health: 6, ground: [heath, stub]}}, bird: {{ground: [sand, water]}}}}
behaviour:
  wolf:
    cases:
      - {{act: flee, health: 2, chance: 0.5, straight: 0.3}}
      - {{act: flee, held: torch, within: 4}}
      - {{act: approach, when: night, within: 9, chance: 0.7, straight: 1}}
      - {{act: graze, beyond: 3, chance: 0.4}}
      - {{act: stay, within: 2}}
      - {{act: wander, chance: 0.6}}
    grazes: {{fern: stub, tree: fern}}
  bird: {{cases: [{{act: shoot, within: 6, when: day, chance: 0.3}}, {{act: wander}}]}}
walk: {{stub: {{walkable: true}}, heath: {{walkable: true}}}}
"""


def pasture():
    dice = np.random.default_rng(5)
    cells = dice.choice(list("......fTs~:"), (13, 17))
    cells[cells == "s"] = "w"
    cells[dice.random((13, 17)) < 0.03] = "b"
    cells[6, 8] = "@"
    rows = "\n".join("    " + "".join(row) for row in cells)
    return parse_theory(PASTURE.format(rows=rows), "pasture.yaml")


class Plain:
    """Cases as the docs tell them, a thing at a time, with the numbers of a copy of the stream."""

    SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))

    def __init__(self, world, env, light):
        self.world, self.words, self.light = world, world.vocabulary, light
        self.cells, self.stream = materials_of(env).copy(), np.zeros(1, env.dtype)
        self.stream[0]["stream"] = env["stream"]
        self.player = int(env["player"]["x"]), int(env["player"]["y"])
        self.held = env["player"]["inventory"]
        n = int(env["num_things"])
        self.things = [
            [int(t["kind"]), int(x), int(y), int(t["health"])]
            for t, x, y in zip(
                env["things"][:n], env["thing_x"][:n], env["thing_y"][:n], strict=True
            )
        ]

    def draw(self):
        return uniform(self.stream[0]["stream"])

    def happens(self, chance):
        return chance >= 1 or self.draw() < chance

    def is_free(self, name, x, y):
        grounds = {each.name: each.ground for each in self.words.added_creatures}[name]
        taken = {self.player, *((t[1], t[2]) for t in self.things)}
        return (x, y) not in taken and self.words.materials[self.cells[x, y]] in grounds

    def move(self, thing, name, dx, dy):
        free = self.is_free(name, thing[1] + dx, thing[2] + dy)
        if free:
            thing[1], thing[2] = thing[1] + dx, thing[2] + dy
        return free

    def toward(self, thing, straight):
        dx, dy = self.player[0] - thing[1], self.player[1] - thing[2]
        long = self.happens(straight)
        if (abs(dx) > abs(dy)) == long:
            return int(np.sign(dx)), 0
        return 0, int(np.sign(dy))

    def step(self):
        for thing in self.things:
            far = abs(self.player[0] - thing[1]) + abs(self.player[1] - thing[2])
            name = self.words.objects[thing[0]]
            for case in self.world.behaviour[name].cases if far < 18 else ():
                if self.applies(case, thing, far) and self.act(case, thing, name):
                    break

    def applies(self, case, thing, far):
        wrong_time = {"day": self.light < 0.5, "night": self.light >= 0.5}.get(case.when, False)
        near = case.within is None or far <= case.within
        away = case.beyond is None or far > case.beyond
        weak = case.health is None or thing[3] <= case.health
        held = case.held is None or self.held[self.words.items.index(case.held)] > 0
        return not wrong_time and near and away and weak and held and self.happens(case.chance)

    def act(self, case, thing, name):
        if case.act in ("approach", "flee"):
            dx, dy = self.toward(thing, case.straight)
            sign = 1 if case.act == "approach" else -1
            return self.move(thing, name, sign * dx, sign * dy) or case.act == "approach"
        if case.act == "wander":
            self.move(thing, name, *self.SIDES[below(self.stream[0]["stream"], 4)])
        if case.act == "graze":
            return self.graze(thing, self.world.behaviour[name].grazes)
        return True

    def graze(self, thing, grazes):
        taken = {self.player, *((t[1], t[2]) for t in self.things)}
        for dx, dy in self.SIDES:
            x, y = thing[1] + dx, thing[2] + dy
            material = self.words.materials[self.cells[x, y]]
            if (x, y) not in taken and material in grazes:
                self.cells[x, y] = self.words.materials.index(grazes[material])
                return True
        return False


def test_cases_are_carried_out_as_in_plain_python():
    """Every draw, cell and place, step by step, as long as no arrow flies."""
    world = pasture()
    simulator = Simulator(world)
    simulator.reset(3)
    begun, grazed, shot = simulator.state().materials.copy(), 0, 0
    for step in range(1, 400):
        snapshot = simulator.snapshot()
        envs = snapshot.envs.copy()
        env = envs[0]
        env["player"]["inventory"][world.vocabulary.items.index("torch")] = step // 40 % 2
        env["player"]["inventory"][:4] = 9
        env["things"]["health"][:3] = 2
        simulator.restore(replace(snapshot, envs=envs))
        plain = Plain(world, simulator.snapshot().envs[0], daylight(step))
        simulator.step(0)
        after = simulator.snapshot().envs[0]
        n = int(after["num_things"])
        if n > len(plain.things) or world.vocabulary.objects.index("arrow") in [
            thing[0] for thing in plain.things
        ]:
            shot += 1  # the arrow moves, or stands where others would go
            continue
        plain.step()
        places = list(
            zip(after["thing_x"][:n].tolist(), after["thing_y"][:n].tolist(), strict=True)
        )
        assert places == [(thing[1], thing[2]) for thing in plain.things], step
        assert np.array_equal(materials_of(after), plain.cells), step
        assert (after["stream"] == plain.stream[0]["stream"]).all(), step
        grazed = int((plain.cells != begun).sum())
    assert grazed > 5 and shot > 5
