"""The ``info`` of environments: one dictionary, or arrays for a batch."""

from __future__ import annotations

from collections.abc import Collection
from itertools import compress
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.envs.game import StepOutcome, WorldGame

EXTRAS: Final = ("semantic", "action_mask")
"""Optional keys of a batch's info, which cost time or memory."""


def info_of(game: WorldGame) -> dict[str, Any]:
    """What the only environment of a game tells, under Crafter's names where it has some.

    ``inventory`` and ``achievements`` hold numbers by name; ``unlocked`` the names of what was
    reached for the first time in the step; ``player_pos`` int16[2]; ``semantic`` uint8[64, 64],
    see ``Simulator.semantic``; ``discount`` 0 if the player is dead and else 1; ``reward`` that of
    Crafter; ``action_mask`` int8[number of actions].
    """
    simulator, outcome = game.simulator, game.outcome
    names, items = simulator.world.achievements, simulator.world.vocabulary.items
    return {
        "inventory": dict(zip(items, game.seen.inventory[0].tolist(), strict=True)),
        "achievements": dict(zip(names, simulator.achievements[0].tolist(), strict=True)),
        "unlocked": list(compress(names, outcome.unlocked[0].tolist())),
        "player_pos": simulator.positions[0],
        "semantic": simulator.semantic()[0],
        "discount": 1.0 - float(outcome.terminated[0]),
        "reward": float(outcome.reward[0]),
        "action_mask": game.masks()[0].astype(np.int8),
    }


def infos_of(
    game: WorldGame, outcome: StepOutcome, who: NDArray[np.bool_], extras: Collection[str] = ()
) -> dict[str, Any]:
    """The info of all environments of a game: arrays, whose first index is the environment.

    By Gymnasium's convention each key has a second, with an underscore before it, that tells which
    environments it is meant for.

    Args:
        game: The environments.
        outcome: What the last step brought them, or the reset.
        who: bool[n]: those that it is meant for.
        extras: Which of :data:`EXTRAS` to tell.
    """
    simulator = game.simulator
    infos: dict[str, Any] = {
        "inventory": game.seen.inventory.copy(),
        "achievements": simulator.achievements,
        "unlocked": outcome.unlocked.copy(),
        "player_pos": simulator.positions,
        "discount": 1.0 - outcome.terminated,
        "reward": outcome.reward.copy(),
    }
    if "semantic" in extras:
        infos["semantic"] = simulator.semantic()
    if "action_mask" in extras:
        infos["action_mask"] = game.masks().astype(np.int8)
    return infos | {f"_{key}": who.copy() for key in infos}
