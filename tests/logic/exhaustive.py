"""Exhaustive search: everything that a player can do in a small area, step by step.

The area lies in a desert of one material that nothing can be done with, so that the simulator's
states are few. Needs are reset before each step and creatures left out: what is searched is what
the player itself can bring about.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mars_logic import World
from mars_logic.sim import Scene, Simulator
from mars_logic.sim.codes import PLAYER
from mars_logic.sim.layout import BORDER
from mars_logic.sim.snapshot import Snapshot
from mars_logic.world import names
from tests.logic.mutants import changed

SIZE = 5
LEFT = 32 - SIZE // 2
DESERT = "diamond"
ACTIONS = [code for code, name in enumerate(names.ACTIONS) if name not in ("noop", "sleep")]
OTHERS = ("wake_up", "eat_plant", "kill_cow", "kill_zombie", "kill_skeleton")
"""Achievements that take time or creatures."""
_BATCH = 64
_VITALS = 4
_ABOUT_TO_RECOVER = 25
_WINDOW = slice(LEFT + BORDER, LEFT + SIZE + BORDER)


def tamed(world: World, dice: random.Random) -> World:
    """The world with nothing left to luck, and a material that nothing can be done with."""
    for collect in world.collect.values():
        yields = {
            item: {"amount": given.amount}
            for item, given in collect.yields.items()
            if given.probability in (None, 1) or dice.random() < 0.5
        }
        world = changed(world, collect.id, yields=yields, spawns={})
    world = changed(world, f"collect.{DESERT}", collectable=False)
    world = changed(world, f"walk.{DESERT}", walkable=False)
    for place in world.place.values():
        where = tuple(material for material in place.where if material != DESERT)
        world = changed(world, place.id, where=where or ("grass",))
    for make in world.make.values():
        nearby = tuple(material for material in make.nearby if material != DESERT)
        world = changed(world, make.id, nearby=nearby)
    return world


def drawn_area(dice: random.Random) -> NDArray[np.uint8]:
    """uint8[64, 64]: a small area of many materials, in the desert; the player stands inside."""
    area = np.full((64, 64), names.MATERIALS.index(DESERT), np.uint8)
    common = dice.choices(names.NATURAL, k=2)
    for x in range(SIZE):
        for y in range(SIZE):
            material = dice.choice([*common, *common, *names.NATURAL])
            area[LEFT + x, LEFT + y] = names.MATERIALS.index(material)
    area[32, 32] = names.MATERIALS.index(dice.choice(common))
    return area


@dataclass(frozen=True)
class Found:
    """What a search found.

    Attributes:
        unlocked: The achievements that some sequence of actions unlocks.
        complete: Whether there are no other states.
        states: How many states were followed up.
    """

    unlocked: frozenset[str]
    complete: bool
    states: int


def search(world: World, area: NDArray[np.uint8], most: int, *, patient: bool = False) -> Found:
    """Try all actions in all states, breadth-first, up to a number of states.

    A state is left out if another is like it but holds more: with more, nothing is lost. A patient
    player takes each step when its health recovers, and so survives harmful ground.
    """
    simulator = Simulator(world, _BATCH * len(ACTIONS))
    simulator.reset(0)
    base = beginning(world, area)
    unlocked: set[str] = set()
    best: defaultdict[bytes, list[NDArray[np.int16]]] = defaultdict(list)
    waiting = [base]
    done = 0
    while waiting and done < most:
        now, waiting = waiting[:_BATCH], waiting[_BATCH:]
        done += len(now)
        envs = np.repeat(np.concatenate(now), len(ACTIONS))
        padded = np.concatenate([envs, np.repeat(base, simulator.n - len(envs))])
        if patient:
            padded["player"]["recover"] = _ABOUT_TO_RECOVER
        simulator.restore(Snapshot(padded))
        simulator.step(np.resize(ACTIONS, simulator.n))
        after = simulator.snapshot().envs[: len(envs)].copy()
        counts = after["player"]["achievements"].any(axis=0)
        unlocked |= {a for a, yes in zip(world.achievements, counts, strict=True) if yes}
        after = after[~after["done"]]
        rested(after)
        waiting += [after[i : i + 1] for i in range(len(after)) if _is_new(after[i], best)]
    return Found(frozenset(unlocked - set(OTHERS)), not waiting, done)


def beginning(world: World, area: NDArray[np.uint8]) -> NDArray[np.void]:
    simulator = Simulator(world)
    simulator.reset(0)
    scene = Scene(simulator.snapshot()).clear(DESERT)
    for x, y in np.argwhere(area != names.MATERIALS.index(DESERT)).tolist():
        scene.fill(names.MATERIALS[area[x, y]], x, y)
    envs = scene.player(at=(32, 32), facing=(0, 1)).snapshot().envs.copy()
    rested(envs)
    return envs


def rested(envs: NDArray[np.void]) -> None:
    """Give back all vitals, and take away what time brings."""
    player = envs["player"]
    player["inventory"][:, :_VITALS] = 9
    player["wake_health"] = envs["paid_health"] = 9
    for need in ("hunger", "thirst", "fatigue", "recover"):
        player[need] = 0
    envs["step"], envs["num_things"] = 1, 0
    envs["cells"] &= 15
    row = np.arange(len(envs))
    envs["cells"][row, player["x"] + BORDER, player["y"] + BORDER] |= PLAYER << 4


def _is_new(env: np.void, best: defaultdict[bytes, list[NDArray[np.int16]]]) -> bool:
    """Whether no state like it that holds as much is known; it is noted then."""
    player = env["player"]
    window = env["cells"][_WINDOW, _WINDOW]
    place = bytes([player["x"], player["y"], player["facing_x"] + 1, player["facing_y"] + 1])
    known = best[window.tobytes() + place]
    held = player["inventory"].copy()
    if any((other >= held).all() for other in known):
        return False
    known[:] = [other for other in known if not (held >= other).all()]
    known.append(held)
    return True
