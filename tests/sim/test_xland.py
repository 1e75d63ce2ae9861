"""Production rules of XLand-MiniGrid, held against recordings of it, situation by situation."""

from __future__ import annotations

import json
from collections import defaultdict

import numpy as np
import yaml

from mars_logic.sim import Simulator
from mars_logic.sim.snapshot import Snapshot, copy_envs
from mars_logic.sim.state import materials_of, write_materials
from mars_logic.world.load import parse_theory
from tests.paths import DATA
from tests.sim.record_xland import (
    DIRECTIONS,
    FLOOR,
    KINDS,
    NOTHING,
    THINGS,
    WALL,
    recorded,
    rule_sets,
)

ROOM = "".join(f"    {row}\n" for row in ("WWWWW", "W...W", "W.@.W", "W...W", "WWWWW"))
NAMES = {FLOOR: "floor", WALL: "wall"} | {thing: f"thing_{thing}" for thing in THINGS}
SIGNS = {name: sign for sign, name in NAMES.items()}


def world_of(rules):
    """The world with some rules of XLand-MiniGrid, written as the recording does."""
    held = {thing: thing for thing in THINGS}
    beside = defaultdict(dict)
    for rule in rules:
        taken, _, product = rule.partition(">")
        if len(taken) == 1:  # one after the other, as they are listed
            held = {thing: product if has == taken else has for thing, has in held.items()}
            continue
        for put, partner in {tuple(taken), tuple(reversed(taken))}:
            beside[f"thing_{partner}"][f"put_{put}"] = f"thing_{product}"
            beside[f"put_{put}"][f"thing_{partner}"] = "floor"
    things, put = [f"thing_{thing}" for thing in THINGS], [f"put_{thing}" for thing in THINGS]
    stated = {
        "name": "room",
        "base": "default",
        "adds": {"materials": ["wall", "floor", *things, *put], "items": things},
        "walk": {"floor": {"walkable": True}},
        "collect": {
            f"thing_{thing}": {"yields": {f"thing_{has}": 1}, "leaves": "floor"}
            for thing, has in held.items()
        },
        "place": {
            f"put_{thing}": {"uses": {f"thing_{thing}": 1}, "where": ["floor"]} for thing in THINGS
        },
        "beside": {name: {"becomes": becomes} for name, becomes in beside.items()},
        "timer": {f"put_{thing}": {"becomes": f"thing_{thing}"} for thing in THINGS},
    }
    legend = '  legend: {W: wall, ".": floor, "@": {material: floor, player: true}}\n'
    drawn = f"map:\n  drawn: |\n{ROOM}{legend}"
    return parse_theory(yaml.safe_dump(stated) + drawn, "room.yaml")


class Room:
    """A simulator in which situations are set up."""

    def __init__(self, world):
        self.words = world.vocabulary
        self.simulator = Simulator(world)
        self.simulator.reset(1)
        self.start = self.simulator.snapshot()

    def after(self, situation):
        """The nine cells and what is held after the action of a situation."""
        envs, words = copy_envs(self.start.envs), self.words
        env = envs[0]
        player, (dx, dy) = env["player"], DIRECTIONS[situation.direction]
        left, top = int(player["x"]) + dx - 1, int(player["y"]) + dy - 1
        around = slice(left, left + 3), slice(top, top + 3)
        codes = [words.materials.index(NAMES[sign]) for sign in situation.cells]
        write_materials(env, *around, np.array(codes, np.uint8).reshape(3, 3).T)
        player["facing_x"], player["facing_y"] = dx, dy
        action = "do"
        if situation.puts:
            player["inventory"][words.items.index(f"thing_{situation.held}")] = 1
            action = f"place_put_{situation.held}"
        self.simulator.restore(Snapshot(envs))
        self.simulator.step(words.actions.index(action))
        env = self.simulator.snapshot().envs[0]
        codes = materials_of(env)[around].T.flatten()
        cells = "".join(SIGNS[words.materials[code]] for code in codes)
        held = [i for i in THINGS if env["player"]["inventory"][words.items.index(f"thing_{i}")]]
        return cells + ("".join(held) or NOTHING)


def test_production_rules_are_those_of_xland_minigrid():
    kept = json.loads((DATA / "xland.json").read_text())["sets"]
    compared = 0
    for (rules, situations), expected in zip(rule_sets(), kept, strict=True):
        room = Room(world_of(rules))
        found = recorded([(each, room.after(each)) for each in situations], rules)
        usual = KINDS[0]
        assert (found["rules"], found[usual]) == (expected["rules"], expected[usual])
        assert found["sum"] == expected["sum"], rules
        compared += found[usual][0]
        assert found["towards a thing"][1] == 0  # XLand-MiniGrid applies rules to what is there
    assert compared > 5000
    assert sum(each["towards a thing"][1] for each in kept) > 50
    assert sum(each[KINDS[0]][1] for each in kept) > 1000
