"""Everything that kernels need to let a vandal play in one world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import ACTIONS, CODE, ITEMS
from mars_logic.domains.conan.recipes import Recipes, recipes_of
from mars_logic.domains.conan.vandal.play import STAGE_DTYPE, TABLES_DTYPE, play_until_success
from mars_logic.domains.conan.vandal.programs import Programs, compile_programs
from mars_logic.domains.conan.vandal.tasks import TASKS
from mars_logic.sim.layout import CAPACITY, env_dtype
from mars_logic.sim.noise_grid import lattice
from mars_logic.sim.tables import compile_rules
from mars_logic.world.theory import World

_STEPPED_ON: Final = ("bare", "left", "right", "up", "down")
"""Marks on which things can be placed."""


@dataclass(frozen=True)
class Play:
    """What came of an attempt, as copies.

    Attributes:
        codes: uint8[64, 64]: the map at the end.
        objects: int16[k, 3]: kind, x and y of each object but the player.
        figure: Where the player stood.
        dead: Whether it died.
        plan: Index of the plan that was played.
        attempt: Number of the attempt, from 1; 0 if all failed.
        actions: uint8[steps].
        trail: uint8[steps + 1, 2].
        events: Records of ``log.EVENT_DTYPE``.
    """

    codes: NDArray[np.uint8]
    objects: NDArray[np.int16]
    figure: tuple[int, int]
    dead: bool
    plan: int
    attempt: int
    actions: NDArray[np.uint8]
    trail: NDArray[np.uint8]
    events: NDArray[np.void]


class ReferenceStage:
    """The released task vandal in a world: invulnerable, without needs.

    Attributes:
        world: The world, with a player that nothing harms.
        recipes: What its rules state.
        programs: The plans.
    """

    def __init__(self, world: World) -> None:
        """Compile the world's rules and the vandal's plans."""
        self.world = unharmed(world)
        self.recipes: Recipes = recipes_of(world)
        self.programs: Programs = compile_programs(self.recipes, ACTIONS, ITEMS)
        self.rules = compile_rules(self.world, None)
        self.tables = tables_of(world)
        self.stages = np.zeros(1, STAGE_DTYPE)
        self.envs = np.zeros(1, env_dtype(CAPACITY, self.world.vocabulary))
        self.lattice = lattice()

    def until_success(self, task: str, map_seed: int, vandal_seed: int) -> Play:
        """Try a task in one world after the other until it succeeds, 20 times at most."""
        programs, number = self.programs, TASKS.index(task)
        attempt = play_until_success(
            self.envs,
            self.stages,
            self.rules,
            self.tables,
            self.lattice,
            *(programs.kind, programs.code, programs.action, programs.goal[number]),
            int(programs.first[number]),
            bool(programs.draws[number]),
            map_seed,
            vandal_seed,
        )
        return self._play(attempt)

    def _play(self, attempt: int) -> Play:
        env: Any = self.envs[0]
        stage: Any = self.stages[0]
        steps, player, log = int(env["step"]), env["player"], stage["vandal"]["log"]
        things = [
            (int(thing["kind"]), int(x), int(y))
            for thing, x, y in zip(
                env["things"][: env["num_things"]], env["thing_x"], env["thing_y"], strict=False
            )
        ]
        return Play(
            codes=stage["codes"].copy(),
            objects=np.array(things, "<i2").reshape(-1, 3),
            figure=(int(player["x"]), int(player["y"])),
            dead=bool(player["inventory"][0] <= 0),
            plan=int(stage["vandal"]["plan"]),
            attempt=attempt,
            actions=stage["actions"][:steps].copy(),
            trail=stage["trail"][: steps + 1].copy(),
            events=log["events"][: log["size"]].copy(),
        )


def unharmed(world: World) -> World:
    """The world with a player whom nothing harms and that needs nothing."""
    rule = world.option["boss"].model_copy(update={"on": True})
    return world.with_rules(rule)


def tables_of(world: World) -> NDArray[np.void]:
    """Codes of cells, and what the vandal knows of walking and placing: one record."""
    tables = np.zeros(1, TABLES_DTYPE)
    vocabulary = world.vocabulary
    for number, material in enumerate(vocabulary.materials):
        marks = vocabulary.remains if material == "remains" else vocabulary.marks
        for mark, named in enumerate(marks):
            name = {"remains": named}.get(material, f"{material}_{named}")
            name = material if name not in CODE else name
            code = CODE.get(name, 0)
            tables["code"][0, number, mark] = code
            tables["walkable"][0, code] = material in world.walk and world.walk[material].walkable
            for thing, rule in world.place.items():
                if thing in CODE and named in _STEPPED_ON and material != "remains":
                    tables["placeable"][0, CODE[thing], code] |= material in rule.where
    return tables
