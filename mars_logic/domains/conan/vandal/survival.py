"""Lives without a task: a careful vandal that serves its needs, all of them or all but one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from mars_logic.domains.conan.codes import ITEM
from mars_logic.domains.conan.vandal.careful_plans import Op
from mars_logic.domains.conan.vandal.careful_play import CAREFUL_JOB_DTYPE, OUTCOMES
from mars_logic.domains.conan.vandal.careful_stage import CarefulStage
from mars_logic.domains.conan.vandal.stage import PlayedAttempt
from mars_logic.sim.seeds import episode_seed
from mars_logic.sim.state import objects_of
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.theory import World

LENGTH: Final = 400
"""Steps of a life."""
MODES: Final = ("", "food", "drink", "energy")
"""The need that is left out, or none."""
_MONSTERS: Final = {"": 0.75, "food": 0.3, "drink": 0.3, "energy": 0.3}
"""Share of lives with zombies and skeletons."""
_FATAL: Final = {"hunger": "food", "thirst": "drink", "exhaustion": "energy"}
"""Needs whose neglect an outcome is the consequence of."""
_LIVES: Final = np.array([[[Op.SURVIVE, 0, 0, 0, 0, 0], [Op.END, 0, 0, 0, 0, 0]]], np.int16)
_LEAST_NEED = 4


@dataclass(frozen=True)
class LifeConditions:
    """What a life is lived under.

    Attributes:
        left_out: The need that is never served, or empty.
        monsters: Whether zombies and skeletons live on the map.
        needs: Food, drink and energy at the beginning.
        map_seed: Seed of the world's stream.
        vandal_seed: Seed of the vandal's stream.
    """

    left_out: str
    monsters: bool
    needs: tuple[int, int, int]
    map_seed: int
    vandal_seed: int


@dataclass(frozen=True)
class LivedLife:
    """A life that was lived.

    Attributes:
        played: The attempt.
        conditions: What it was lived under.
        saved_by: What would have kept it alive: the need left out, or ``monsters``: none about.
    """

    played: PlayedAttempt
    conditions: LifeConditions
    saved_by: tuple[str, ...]


class Lives:
    """Lives in one world.

    Args:
        world: The world, with monsters.
    """

    def __init__(self, world: World) -> None:
        peaceful = world.with_rules(world.option["other_agents"].model_copy(update={"on": False}))
        self.stage = CarefulStage(world, LENGTH)
        self._peaceful = CarefulStage(peaceful, LENGTH)

    def until(self, outcome: str, stream: np.random.RandomState, base: int) -> LivedLife:
        """Draw conditions until a life has an outcome.

        Args:
            outcome: One of ``OUTCOMES``.
            stream: Draws modes and needs.
            base: Seed of all other streams.
        """
        number = 0
        while True:
            number += 1
            conditions = _drawn(stream, episode_seed(base, 1), episode_seed(base, number))
            # A need that is served ends no life in so few steps: other modes need not be tried.
            if _FATAL.get(outcome, conditions.left_out) != conditions.left_out:
                continue
            result = self.lived(conditions, number)
            if OUTCOMES[int(result["cause"])] == outcome:
                objects = objects_of(self.stage_with(monsters=conditions.monsters).envs[0])
                played = PlayedAttempt(number, result, objects)
                saved = self._saved_by(conditions, number) if result["dead"] else ()
                return LivedLife(played, conditions, saved)

    def lived(self, conditions: LifeConditions, number: int) -> Any:
        """A life, in episode 2 * number of the map's seed: a record of ``play.RESULT_DTYPE``."""
        stage = self.stage_with(monsters=conditions.monsters)
        jobs = np.zeros(1, CAREFUL_JOB_DTYPE)
        jobs["left_out"] = ITEM[conditions.left_out] if conditions.left_out else 0
        jobs["needs"] = conditions.needs
        jobs["vandal_seed"], jobs["world_seed"] = conditions.vandal_seed, -1
        first = stage.generated(conditions.map_seed, 2 * number)
        return stage.run(first, jobs, _LIVES)[0]

    def stage_with(self, *, monsters: bool) -> CarefulStage:
        """The stage with or without monsters."""
        return self.stage if monsters else self._peaceful

    def _saved_by(self, was: LifeConditions, number: int) -> tuple[str, ...]:
        """What would have kept it alive: the same streams, with one condition changed."""
        others = {}
        if was.left_out:
            others[was.left_out] = ("", was.monsters)
        if was.monsters:
            others["monsters"] = (was.left_out, False)
        found = []
        for name, (left_out, monsters) in others.items():
            other = LifeConditions(left_out, monsters, was.needs, was.map_seed, was.vandal_seed)
            if not self.lived(other, number)["dead"]:
                found.append(name)
        return tuple(found)


def _drawn(stream: np.random.RandomState, map_seed: int, vandal_seed: int) -> LifeConditions:
    left_out = MODES[stream.randint(len(MODES))]
    monsters = bool(stream.random_sample() < _MONSTERS[left_out])
    food, drink, energy = stream.randint(_LEAST_NEED, MAXIMUM + 1, 3).tolist()
    return LifeConditions(left_out, monsters, (food, drink, energy), map_seed, vandal_seed)
