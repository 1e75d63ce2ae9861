"""Evidence read step by step in Python: slow, but easy to believe.

``mars_logic.theory.evidence`` must find the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from mars_logic.data.trajectory import CENTRE, Trajectory
from mars_logic.theory.evidence import Occurrence, SeenSignature
from mars_logic.theory.signatures import (
    ANY,
    Collecting,
    Health,
    Held,
    Hitting,
    Making,
    Passage,
    Placing,
    Signature,
    Span,
    Standing,
    Start,
    Tread,
)
from mars_logic.world import names
from mars_logic.world.vocabulary import vocabulary
from tests.theory.plain.manners import balanced, manners
from tests.theory.plain.readings import MOVED, UNCLEAR, Reading, read

MOST: Final = 9
"""No more of an item is held."""
_FOOD, _DRINK = names.VITALS.index("food"), names.VITALS.index("drink")
_VITALS = len(names.VITALS)
_HEALTH_AT_FIRST: Final = {"cow": 3, "zombie": 5, "skeleton": 3}
_SWORDS: Final = (("iron_sword", 5), ("stone_sword", 3), ("wood_sword", 2))
_SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))


@dataclass
class PlainEvidence:
    """As ``Evidence``."""

    dynamics: names.Dynamics
    signatures: dict[Signature, SeenSignature] = field(default_factory=dict)
    transitions: int = 0

    @classmethod
    def of(cls, trajectories: list[Trajectory]) -> PlainEvidence:
        evidence = cls(trajectories[0].about.dynamics)
        for trajectory in trajectories:
            evidence.add(trajectory)
        return evidence

    def add(self, trajectory: Trajectory) -> None:
        source = trajectory.source or trajectory.about.world
        for step, signature in signatures(trajectory):
            found = self.signatures.get(signature)
            if found is None:
                found = self.signatures[signature] = SeenSignature(Occurrence(source, step))
            found.count += 1
        self.transitions += len(trajectory)


def signatures(trajectory: Trajectory) -> Iterator[tuple[int, Signature]]:
    """The signatures of a trajectory, each with its step (0 for the beginning)."""
    if not len(trajectory):
        return
    reading = read(trajectory)
    reader = _Reader(trajectory, reading)
    yield from reader.start()
    for t in range(len(trajectory)):
        for signature in reader.at(t):
            yield t + 1, signature
    yield from manners(trajectory, reading)


class _Reader:
    """Makes the signatures of one trajectory."""

    def __init__(self, trajectory: Trajectory, reading: Reading) -> None:
        self._reading = reading
        self._unlocked = trajectory.unlocked
        self._reached = np.cumsum(trajectory.unlocked, axis=0) > 0
        achievements = vocabulary(trajectory.about.dynamics).achievements
        self._codes = {name: code for code, name in enumerate(achievements)}
        self._materials = trajectory.views.materials
        self._objects = trajectory.views.kinds
        self._inventory = trajectory.views.inventory.tolist()
        self._action = [names.ACTIONS[code] for code in reading.action]
        self._target = [names.MATERIALS[code] for code in reading.target]
        self._object = [names.LOOKS[code] for code in reading.object]

    def start(self) -> Iterator[tuple[int, Signature]]:
        """Around the player's first place, all is of the material of the start area."""
        x, y = CENTRE
        for code in np.unique(self._materials[0, x - 1 : x + 2, y - 1 : y + 2]):
            yield 0, Start(names.MATERIALS[code])

    def at(self, t: int) -> Iterator[Signature]:
        """The signatures of a transition."""
        action = self._action[t]
        verb, _, subject = action.partition("_")
        if verb == "move":
            yield from self._move(t)
        elif action == "do":
            yield from self._do(t)
        else:
            if verb == "place" and self._object[t] == "none":
                yield self._placing(t, subject)
            elif verb == "make":
                yield self._making(t, subject)
            yield from self._standing(t)

    def _health(self, t: int) -> Health:
        reading = self._reading
        return Health(
            before=self._inventory[t][0],
            after=self._inventory[t + 1][0],
            recovery=int(reading.needs.health[t]),
            asleep=bool(reading.asleep[t]),
            near=tuple(reading.near[t].tolist()),
            arrows=int(reading.arrows[t]),
        )

    def _standing(self, t: int) -> Iterator[Signature]:
        health = self._health(t)
        if not health.undisturbed:
            yield Standing(health)

    def _move(self, t: int) -> Iterator[Signature]:
        shift = self._reading.shift[t]
        if self._object[t] == "none" and self._target[t] in names.NATURAL and shift != UNCLEAR:
            yield Passage(self._target[t], bool(shift == MOVED))
        ground = names.MATERIALS[self._reading.ground[t]]
        if ground in names.NATURAL:
            yield Tread(ground, self._health(t))

    def _do(self, t: int) -> Iterator[Signature]:
        being, material = self._object[t], self._target[t]
        if being == "none" and material in names.COLLECTABLE:
            yield self._collecting(t, material)
            if material not in names.LIQUIDS:
                yield from self._standing(t)
        elif being in names.CREATURES or being == "ripe_plant":
            yield self._hitting(t, being)
        else:
            yield from self._standing(t)

    def _held(self, t: int) -> Held:
        return tuple(self._inventory[t][_VITALS:])

    def _change(self, t: int, vital: int) -> Span:
        """By how much the action may have changed food or drink."""
        need = (self._reading.needs.food if vital == _FOOD else self._reading.needs.drink)[t]
        before, after = self._inventory[t][vital], self._inventory[t + 1][vital]
        least = after - before - int(need[1]) if after > 0 else -ANY
        most = after - before - int(need[0]) if after < MOST else ANY
        return least, most

    def _counted(self, t: int, achievement: str) -> bool | None:
        """Whether the action counted towards an achievement; only the first time can be seen."""
        code = self._codes[achievement]
        if self._unlocked[t, code]:
            return True
        return None if self._reached[t, code] else False

    def _collecting(self, t: int, material: str) -> Collecting:
        dx, dy = self._reading.direction[t].tolist()
        x, y = CENTRE[0] + dx, CENTRE[1] + dy
        beside = {names.LOOKS[self._objects[t, x + sx, y + sy]] for sx, sy in _SIDES}
        there = names.LOOKS[self._reading.object_after[t]]
        return Collecting(
            material=material,
            held=self._held(t),
            left=names.MATERIALS[self._reading.target_after[t]],
            held_after=self._held(t + 1),
            drink=self._change(t, _DRINK),
            food=self._change(t, _FOOD),
            got_drink=self._counted(t, "collect_drink"),
            appeared=there if there in names.CREATURES and there not in beside else "",
            clear=not beside & set(names.CREATURES) and not balanced(t),
            health=self._health(t) if material in names.LIQUIDS else None,
        )

    def _placing(self, t: int, thing: str) -> Placing:
        return Placing(
            thing=thing,
            material=self._target[t],
            held=self._held(t),
            left=names.MATERIALS[self._reading.target_after[t]],
            planted=names.LOOKS[self._reading.object_after[t]] == "plant",
            held_after=self._held(t + 1),
        )

    def _making(self, t: int, tool: str) -> Making:
        x, y = CENTRE
        around = self._materials[t, x - 1 : x + 2, y - 1 : y + 2]
        at_edge = not self._materials[t, x - 1, y] or not self._materials[t, x, y - 1]
        nearby = () if at_edge else tuple(names.MATERIALS[code] for code in np.unique(around))
        return Making(tool, nearby, self._held(t), self._held(t + 1))

    def _hitting(self, t: int, being: str) -> Hitting:
        killed = self._killed(t, being) if being in names.CREATURES else True
        being = being.removeprefix("ripe_")
        food, drink = self._change(t, _FOOD), self._change(t, _DRINK)
        return Hitting(being, killed, food, drink, self._health(t))

    def _killed(self, t: int, being: str) -> bool | None:
        achievement = next(
            name for name in self._codes if name in {f"{v}_{being}" for v in _KILLING}
        )
        held = dict(zip(names.HOLDABLE, self._held(t), strict=True))
        damage = next((points for sword, points in _SWORDS if held[sword]), 1)
        return True if damage >= _HEALTH_AT_FIRST[being] else self._counted(t, achievement)


_KILLING = ("kill", "defeat", "eat")
