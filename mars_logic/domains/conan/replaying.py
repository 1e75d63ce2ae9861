"""Scenes played again, from their streams and actions. What it gives is privileged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mars_logic.domains.conan.corpus import lives_of, stage_for
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.sim.sharing import shares_of
from mars_logic.sim.state import State, state_of
from mars_logic.sim.step import step_batch


def states(scene: FinishedScene) -> Iterator[State]:
    """The states of a scene's episode, from the first to the last, by its streams and actions."""
    stage: Any = stage_for(scene.world, scene.vandal)
    if scene.mode == "survival":
        stage = lives_of(scene.world).stage_with(monsters=scene.monsters)
    envs = stage.generated(scene.map_seed, scene.episode).copy()
    envs["player"]["inventory"][0, 1:4] = scene.needs
    words, daylight = stage.world.vocabulary, np.ones(stage.rules["length"][0] + 2)
    rewards, dones = np.zeros(1), np.zeros(1, np.bool_)
    yield state_of(envs[0], daylight, words)
    for action in scene.actions:
        given = np.array([action], np.int64)
        step_batch(envs, stage.rules, daylight, given, rewards, dones, shares_of(0, 1), 0)
        yield state_of(envs[0], daylight, words)
