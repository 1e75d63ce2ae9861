"""Exact optima: the fewest steps to achievements in small areas, by exhaustive search.

Two searches try all actions in all states of the simulator, breadth-first: one of what the player
can do to the ground (needs are met, nothing is planted for long), one of what takes time.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mars_logic import World
from mars_logic.sim import Simulator
from mars_logic.sim.layout import BORDER
from mars_logic.sim.snapshot import Snapshot
from mars_logic.world import names
from tests.logic.exhaustive import ACTIONS, DESERT, LEFT, SIZE, beginning, rested
from tests.logic.mutants import changed

_BATCH = 64
_WINDOW = slice(LEFT + BORDER, LEFT + SIZE + BORDER)
_NEEDS = ("hunger", "thirst", "fatigue", "recover", "sleeping", "wake_health")
_STAYING = [code for code, name in enumerate(names.ACTIONS) if not name.startswith("move")]

Envs = NDArray[np.void]


@dataclass
class Optima:
    """What a search found.

    Attributes:
        steps: For each set of achievements that some play has unlocked: the fewest steps.
        complete: Plays of fewer steps than this were all tried; None if all plays were.
        states: How many states were followed up.
    """

    steps: dict[frozenset[str], int] = field(default_factory=dict)
    complete: int | None = None
    states: int = 0

    def to_any(self, number: int) -> int | None:
        """The fewest steps to so many achievements, if that is known."""
        return min((n for done, n in self.steps.items() if len(done) >= number), default=None)


def small_area(dice: random.Random) -> NDArray[np.uint8]:
    """uint8[64, 64]: an area of at most 5 by 5 cells in the desert; the player stands inside."""
    area = np.full((64, 64), names.MATERIALS.index(DESERT), np.uint8)
    left, top = dice.randint(0, 2), dice.randint(0, 2)
    right, bottom = dice.randint(2, SIZE - 1), dice.randint(2, SIZE - 1)
    natural = [material for material in names.NATURAL if material != DESERT]
    common = dice.choices(natural, k=2)
    for x in range(left, right + 1):
        for y in range(top, bottom + 1):
            area[LEFT + x, LEFT + y] = names.MATERIALS.index(dice.choice([*common, *natural]))
    area[32, 32] = names.MATERIALS.index(dice.choice(common))
    return area


def eased(world: World, dice: random.Random) -> World:
    """The world with rules that ask for less, and leave and yield other things."""
    for collect in world.collect.values():
        fields: dict[str, object] = {}
        if dice.random() < 0.6:
            fields["requires"] = dice.choice([{}, {}, {dice.choice(names.HOLDABLE): 1}])
        if dice.random() < 0.5:
            fields["leaves"] = dice.choice(names.NATURAL)
        if dice.random() < 0.5:
            gains = dice.sample(names.GAINS, dice.randint(1, 2))
            fields["yields"] = {gain: dice.randint(1, 2) for gain in gains}
        world = changed(world, collect.id, **fields)
    for place in world.place.values():
        uses = dice.choice([dict(place.uses), {dice.choice(names.RESOURCES): 1}, {}])
        world = changed(world, place.id, uses=uses)
    for make in world.make.values():
        uses = dice.choice([{}, {dice.choice(names.HOLDABLE): dice.randint(1, 2)}])
        nearby = dice.choice([(), make.nearby, (dice.choice(names.MATERIALS[1:]),)])
        world = changed(world, make.id, uses=uses, nearby=nearby)
    return world


def of_building(world: World, area: NDArray[np.uint8], most: int) -> Optima:
    """The optima of what the player can do to the ground, from so many states at most.

    A state is left out if another was found earlier that is like it but holds more.
    """
    best: defaultdict[bytes, list[NDArray[np.int16]]] = defaultdict(list)

    def is_new(env: np.void) -> bool:
        held = env["player"]["inventory"].copy()
        known = best[_place(env)]
        if any((other >= held).all() for other in known):
            return False
        known[:] = [other for other in known if not (held >= other).all()]
        known.append(held)
        return True

    return _search(world, area, ACTIONS, rested, is_new, most)


def of_waiting(world: World, area: NDArray[np.uint8], most: int) -> Optima:
    """The optima of what takes time, to a player who never turns.

    The whole state counts, but for the random stream.
    """
    known: set[bytes] = set()

    def is_new(env: np.void) -> bool:
        player = env["player"]
        things = env["things"][: env["num_things"]]
        key = b"".join(
            (
                _place(env),
                player["inventory"].tobytes(),
                *(player[need].tobytes() for need in _NEEDS),
                things["grown"].tobytes(),
            )
        )
        new = key not in known
        known.add(key)
        return new

    return _search(world, area, _STAYING, _as_it_is, is_new, most)


def _as_it_is(_: Envs) -> None:
    """Needs grow, and what is planted stays."""


def _place(env: np.void) -> bytes:
    """The ground, where the player is, and what it has unlocked."""
    player = env["player"]
    around = env["cells"][_WINDOW, _WINDOW].tobytes()
    turned = bytes([player["x"], player["y"], player["facing_x"] + 1, player["facing_y"] + 1])
    return around + turned + (player["achievements"] > 0).tobytes()


def _search(
    world: World,
    area: NDArray[np.uint8],
    actions: list[int],
    prepare: Callable[[Envs], None],
    is_new: Callable[[np.void], bool],
    most: int,
) -> Optima:
    simulator = Simulator(world, _BATCH * len(actions))
    simulator.reset(0)
    base = beginning(world, area)
    found = Optima()
    waiting: list[tuple[int, Envs]] = [(0, base)]
    while waiting and found.states < most:
        now, waiting = waiting[:_BATCH], waiting[_BATCH:]
        found.states += len(now)
        envs = np.repeat(np.concatenate([env for _, env in now]), len(actions))
        padded = np.concatenate([envs, np.repeat(base, simulator.n - len(envs))])
        simulator.restore(Snapshot(padded))
        simulator.step(np.resize(actions, simulator.n))
        after = simulator.snapshot().envs[: len(envs)].copy()
        steps = np.repeat([step + 1 for step, _ in now], len(actions)).tolist()
        for done, step in zip(_unlocked(world, after), steps, strict=True):
            found.steps[done] = min(step, found.steps.get(done, step))
        prepare(after)
        waiting += [
            (steps[i], after[i : i + 1])
            for i in range(len(after))
            if not after[i]["done"] and is_new(after[i])
        ]
    found.complete = waiting[0][0] if waiting else None
    return found


def _unlocked(world: World, envs: Envs) -> Iterator[frozenset[str]]:
    for row in (envs["player"]["achievements"] > 0).tolist():
        yield frozenset(name for name, yes in zip(world.achievements, row, strict=True) if yes)
